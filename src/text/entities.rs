//! Names in a text: codes, numbers, capitalised words and their runs, acronyms, quoted titles.
//!
//! Linear in the tokens. Where capitals say nothing (German nouns, shouting) a name is sure only
//! when it is rare and does not look like a noun; where there are none (East Asian scripts), runs of katakana and
//! Latin words stand out instead.

use rustc_hash::FxHashMap;

use super::lang::Lang;
use super::scan::{self, Kind, Token};
use super::{Entity, EntityKind, Section, Word, calendar, words};

/// Longest quoted title, in characters, and longest run of capitalised words.
const MAX_QUOTED: usize = 60;
const MAX_RUN: usize = 5;
/// Words below this frequency are rare: most are no single o200k token.
const RARE: f32 = 3.9;
/// A first word of this frequency or more is no part of a run of names.
const COMMON: f32 = 5.0;

/// Names of a text (such as a question), with those of its first words marked as not sure.
pub fn entities(text: &str) -> Vec<Entity> {
    let text = words::nfc(text);
    let (tokens, _) = scan::scan(&text, scan::MAX_TOKENS);
    let lang = super::lang::guess_tokens(&text, &tokens, Lang::En);
    let words: Vec<_> = tokens
        .iter()
        .map(|t| words::word(t, Section::Text, lang))
        .collect();
    let mut found = Found::default();
    found.read(&text, &tokens, &words, lang);
    found.finish()
}

/// Collects the distinct names of several texts.
#[derive(Default)]
pub(super) struct Found {
    at: FxHashMap<Box<str>, usize>,
    out: Vec<Entity>,
}

impl Found {
    pub(super) fn finish(self) -> Vec<Entity> {
        self.out
    }

    fn add(&mut self, name: &str, surface: &str, sure: bool, kind: EntityKind) {
        if let Some(&i) = self.at.get(name) {
            self.out[i].sure |= sure;
            return;
        }
        self.at.insert(name.into(), self.out.len());
        self.out.push(Entity {
            name: name.into(),
            surface: surface.into(),
            sure,
            kind,
        });
    }

    pub(super) fn read(&mut self, text: &str, tokens: &[Token<'_>], words: &[Word], lang: Lang) {
        let shouting = is_shouting(tokens);
        let unspaced = matches!(lang, Lang::Ja | Lang::Zh | Lang::Ko | Lang::Other);
        let mut i = 0;
        while i < tokens.len() {
            let (t, w) = (&tokens[i], &words[i]);
            match t.kind {
                Kind::Code => self.code(t, w),
                Kind::Word if w.capitalised && !w.stop && !w.lower.is_empty() => {
                    i += self.capitalised(text, tokens, words, i, lang, shouting);
                    continue;
                }
                Kind::Word if unspaced && t.surface.len() > 1 && Lang::of_letter(first(t)).is_none() => {
                    self.add(&w.lower, t.surface, true, EntityKind::Name);
                }
                _ => {}
            }
            i += 1;
        }
        let end = tokens.last().map_or(0, |t| t.start + t.surface.len());
        if unspaced {
            self.katakana(&text[..end]);
            self.honoured(&text[..end]);
        }
        self.quoted(&text[..end.max(closing(text, end))]);
    }

    fn code(&mut self, t: &Token<'_>, w: &Word) {
        let letters = w.lower.bytes().any(|b| b.is_ascii_alphabetic());
        if w.lower.chars().count() < 2 || is_measure(&w.lower) {
            return;
        }
        self.add(
            &w.lower,
            t.surface,
            true,
            if letters {
                EntityKind::Code
            } else {
                EntityKind::Number
            },
        );
    }

    /// The capitalised word at `i` with those that follow it. Returns how many tokens it used.
    fn capitalised(
        &mut self,
        text: &str,
        tokens: &[Token<'_>],
        words: &[Word],
        i: usize,
        lang: Lang,
        shouting: bool,
    ) -> usize {
        let mut n = 1;
        while n < MAX_RUN && i + n < tokens.len() {
            let (prev, next) = (&tokens[i + n - 1], &tokens[i + n]);
            let gap = &text[prev.start + prev.surface.len()..next.start];
            let joined = matches!(gap, " " | "-" | " & ");
            if !joined || next.kind != Kind::Word || !words[i + n].capitalised || words[i + n].stop {
                break;
            }
            n += 1;
        }
        for k in i..i + n {
            let (t, w) = (&tokens[k], &words[k]);
            if w.lower.chars().count() < 2 || calendar::name(&w.lower, lang).is_some() {
                continue;
            }
            let capitals = t.surface.chars().all(char::is_uppercase);
            let acronym = capitals && !shouting && (2..=5).contains(&t.surface.chars().count());
            let sure = match (acronym, shouting, lang.capitalises_nouns()) {
                (true, _, _) => true,
                (_, true, _) => w.zipf < RARE && !t.opens,
                (_, _, true) => {
                    let before = k.checked_sub(1).map_or("", |p| &*words[p].lower);
                    matches!(before, "herr" | "herrn" | "frau" | "dr" | "firma" | "familie")
                        || !t.opens
                            && w.zipf < RARE
                            && !looks_like_german_noun(&w.lower, k.checked_sub(1).map(|p| &*words[p].lower))
                }
                _ => !t.opens,
            };
            self.add(
                &w.lower,
                cut_possessive(t.surface),
                sure,
                if acronym {
                    EntityKind::Acronym
                } else {
                    EntityKind::Name
                },
            );
        }
        self.numbered(text, tokens, words, i + n);
        if !shouting && !lang.capitalises_nouns() {
            self.runs(text, tokens, words, i, n, lang);
        }
        n
    }

    /// A name with a number behind its hyphen ("Harbour-12"): together they are a code. `next` is the word behind the name.
    fn numbered(&mut self, text: &str, tokens: &[Token<'_>], words: &[Word], next: usize) {
        let (Some(name), Some(number)) = (tokens.get(next - 1), tokens.get(next)) else {
            return;
        };
        let touching = text.get(name.start + name.surface.len()..number.start) == Some("-");
        if touching && number.kind == Kind::Code {
            let surface = &text[name.start..number.start + number.surface.len()];
            self.add(
                &format!("{}-{}", words[next - 1].lower, words[next].lower),
                surface,
                true,
                EntityKind::Code,
            );
        }
    }

    /// Runs of two or more capitalised words, without months, weekdays and a common first word of a sentence.
    fn runs(&mut self, text: &str, tokens: &[Token<'_>], words: &[Word], i: usize, n: usize, lang: Lang) {
        let breaks = |k: usize| {
            calendar::name(&words[k].lower, lang).is_some() || (tokens[k].opens && words[k].zipf >= COMMON)
        };
        let mut from = i;
        for k in i..=i + n {
            if k == i + n || breaks(k) {
                if k >= from + 2 {
                    let last = &tokens[k - 1];
                    let end = last.start + cut_possessive(last.surface).len();
                    let surface = &text[tokens[from].start..end];
                    let mut name = String::from(&*words[from].lower);
                    for (t, w) in tokens[from + 1..k].iter().zip(&words[from + 1..k]) {
                        // A hyphen is part of the name.
                        name.push(if text[..t.start].ends_with('-') { '-' } else { ' ' });
                        name.push_str(&w.lower);
                    }
                    let sure = k > from + 2 || !tokens[from].opens || words[from].zipf < COMMON;
                    self.add(&name, surface, sure, EntityKind::Phrase);
                }
                from = k + 1;
            }
        }
    }

    /// Runs of at least two katakana: foreign names and loan words.
    fn katakana(&mut self, text: &str) {
        let mut from = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            match (from, scan::is_katakana(c)) {
                (None, true) => from = Some(at),
                (Some(start), false) => {
                    let run = &text[start..at];
                    if (2..=30).contains(&run.chars().count()) {
                        self.add(&run.to_lowercase(), run, true, EntityKind::Name);
                    }
                    from = None;
                }
                _ => {}
            }
        }
    }

    /// One to four Chinese characters before a Japanese form of address ("田中さん").
    fn honoured(&mut self, text: &str) {
        for title in ["さん", "様", "氏", "先生", "ちゃん", "くん"] {
            for (at, _) in text.match_indices(title) {
                let run: Vec<_> = text[..at]
                    .char_indices()
                    .rev()
                    .take(5)
                    .take_while(|(_, c)| scan::is_han(*c))
                    .collect();
                if let Some(&(start, _)) = run.last().filter(|_| (1..=4).contains(&run.len())) {
                    self.add(&text[start..at], &text[start..at], true, EntityKind::Name);
                }
            }
        }
    }

    fn quoted(&mut self, text: &str) {
        let mut rest = text;
        while let Some((at, open)) = rest
            .char_indices()
            .find(|(_, c)| matches!(c, '"' | '“' | '„' | '«' | '「' | '『' | '《'))
        {
            let body = &rest[at + open.len_utf8()..];
            let close: &[char] = match open {
                '"' => &['"'],
                '“' => &['”'],
                '„' => &['“', '”'],
                '«' => &['»'],
                '「' => &['」'],
                '『' => &['』'],
                _ => &['》'],
            };
            let end = body
                .char_indices()
                .take(MAX_QUOTED + 1)
                .find(|(_, c)| close.contains(c) || *c == '\n');
            match end {
                Some((end, c)) if c != '\n' => {
                    let inner = body[..end].trim().trim_end_matches(['.', ',', '!', '?']);
                    if inner.chars().count() > 1
                        && inner.chars().any(char::is_alphanumeric)
                        && inner.split_whitespace().count() <= 8
                    {
                        let name = inner
                            .to_lowercase()
                            .split_whitespace()
                            .collect::<Vec<_>>()
                            .join(" ");
                        self.add(&name, inner, true, EntityKind::Quoted);
                    }
                    rest = &body[end + c.len_utf8()..];
                }
                _ => rest = body,
            }
        }
    }
}

fn first(t: &Token<'_>) -> char {
    t.surface.chars().next().unwrap_or(' ')
}

/// A little room behind the last token for its closing quotation mark.
fn closing(text: &str, end: usize) -> usize {
    text[end..]
        .char_indices()
        .nth(4)
        .map_or(text.len(), |(i, _)| end + i)
}

pub(super) fn cut_possessive(surface: &str) -> &str {
    surface
        .strip_suffix("'s")
        .or_else(|| surface.strip_suffix("’s"))
        .unwrap_or(surface)
}

/// Ordinals, clock times and amounts with a unit are no names ("3rd", "3pm", "20kg").
fn is_measure(lower: &str) -> bool {
    let rest = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':'));
    rest.len() < lower.len()
        && matches!(
            rest,
            "st" | "nd"
                | "rd"
                | "th"
                | "am"
                | "pm"
                | "h"
                | "s"
                | "kg"
                | "g"
                | "km"
                | "cm"
                | "mm"
                | "min"
                | "x"
                | "k"
                | "m"
        )
}

/// Are most words written in capitals?
fn is_shouting(tokens: &[Token<'_>]) -> bool {
    let words = tokens
        .iter()
        .filter(|t| t.kind == Kind::Word && t.surface.len() > 1);
    let (mut all, mut loud) = (0, 0);
    for t in words {
        all += 1;
        loud += usize::from(t.surface.chars().all(char::is_uppercase));
    }
    all >= 4 && loud * 10 >= all * 6
}

/// German nouns stand after articles and the like, and many end alike; names do neither.
fn looks_like_german_noun(lower: &str, before: Option<&str>) -> bool {
    const ENDS: [&str; 14] = [
        "ung", "ungen", "heit", "keit", "schaft", "tion", "tionen", "ität", "nis", "ismus", "ment", "chen",
        "lein", "tum",
    ];
    const LEADS: &str = " der die das den dem des ein eine einen einem einer eines im ins am ans zum zur vom beim mein meine meinen \
        dein deine sein seine seinen ihr ihre ihren unser unsere unseren kein keine keinen dieser diese dieses diesen jeder jede jedes \
        alle viele mehr welche welcher welches ";
    ENDS.iter()
        .any(|e| lower.len() > e.len() + 1 && lower.ends_with(e))
        || before.is_some_and(|b| LEADS.split_whitespace().any(|l| l == b))
}
