//! What one event offers to the name of its concept: a few words and compounds of its own.
//!
//! A pure function of the event, its analysis and the word table, so it is made on the worker and
//! naming never reads a text again. Bounded: [`MAX_WORDS`] words, [`MAX_COMPOUNDS`] compounds, about
//! 500 bytes an event. Knows no other event.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::features::{TermKey, hash64, key};
use super::written::{Run, gaps, runs};
use crate::embed::{Models, WordVector};
use crate::event::Event;
use crate::text::{
    Analysis, EntityKind, Lang, Role, Section, Word, ends_as_noun, has_role, is_calendar_word,
    is_past_or_adverb, is_weak, zipf,
};

/// Words kept of an event.
pub(super) const MAX_WORDS: usize = 12;
/// Compounds kept of an event.
const MAX_COMPOUNDS: usize = 6;
/// Words of an event that are looked at: its opening says what it is about.
const LOOKED_AT: usize = 300;
/// Characters of the longest compound.
const MAX_FORM: usize = 40;
/// Frequency of the words that name best: neither rare nor said everywhere (measured, see `titles`).
const BEST_ZIPF: f32 = 4.3;
/// English number words: they count, and name nothing.
const NUMBERS: &str = " one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half dozen first \
second third fourth fifth once twice ";

/// Stands in the event's title.
pub(super) const IN_TITLE: u8 = 1;
/// Written with a small first letter (or in a script that has none).
pub(super) const LOWER: u8 = 2;
/// A name or a code: who or which one, not what.
pub(super) const NAME: u8 = 4;
/// Says too little alone.
pub(super) const WEAK: u8 = 8;
/// Ends as nouns do.
pub(super) const NOUN_ENDING: u8 = 16;

/// Bytes of `Phrases::forms`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Span {
    start: u16,
    len: u8,
}

/// A word that might stand in a title.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NameWord {
    /// Its stem.
    pub term: TermKey,
    form: Span,
    /// log10 of its frequency, in steps of 1/32.
    zipf: u8,
    /// Evidence of its neighbours that it is a noun, in quarters.
    pub noun: i8,
    pub flags: u8,
    pub vector: Option<Arc<WordVector>>,
}

impl NameWord {
    pub fn zipf(&self) -> f32 {
        f32::from(self.zipf) / 32.0
    }

    pub fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Two words that stand side by side, or are bound by a function word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compound {
    /// Of the stems, in order.
    pub key: u32,
    pub parts: [TermKey; 2],
    form: Span,
}

/// Words, compounds and what must not be repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Phrases {
    pub lang: Lang,
    forms: Box<str>,
    pub words: Box<[NameWord]>,
    pub compounds: Box<[Compound]>,
    /// Keys of the lower-case words of the actor.
    pub actor: Box<[u32]>,
    /// [`title_key`] of the event's own title; 0 without one.
    pub headline: u64,
}

impl Phrases {
    /// Cost: linear in the first [`LOOKED_AT`] words.
    pub fn of(event: &Event, analysis: &Analysis, models: &Models) -> Self {
        let mut found = Found::new(analysis);
        for section in [Section::Title, Section::Text, Section::Media] {
            let text = match section {
                Section::Title => event.title.as_deref().unwrap_or_default(),
                Section::Text => &event.text,
                Section::Media => event.media_text().unwrap_or_default(),
            };
            let from = analysis
                .words
                .partition_point(|w| (w.section as u8) < section as u8);
            let until = analysis
                .words
                .partition_point(|w| w.section as u8 <= section as u8);
            let words = &analysis.words[from..until.min(from + LOOKED_AT)];
            found.spaced(text, words);
            found.unspaced(text, section, words);
        }
        found.finish(event, models)
    }

    pub fn form(&self, w: &NameWord) -> &str {
        self.at(w.form)
    }

    pub fn compound(&self, c: &Compound) -> &str {
        self.at(c.form)
    }

    fn at(&self, s: Span) -> &str {
        let from = usize::from(s.start);
        self.forms
            .get(from..from + usize::from(s.len))
            .unwrap_or_default()
    }
}

/// Words of a title in any order, up to their endings: what the graph would take for the same title.
pub(super) fn title_key(title: &str) -> u64 {
    let mut words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(|w| w.chars().flat_map(char::to_lowercase).take(5).collect())
        .collect();
    words.sort_unstable();
    hash64(words.join(" ").as_bytes(), 0)
}

/// A candidate while the event is read.
struct Candidate {
    stem: Box<str>,
    lower: Box<str>,
    form: Box<str>,
    zipf: f32,
    noun: f32,
    flags: u8,
    count: u32,
    compounds: u32,
}

impl Candidate {
    /// What speaks for keeping it among the event's words.
    fn worth(&self) -> f32 {
        let flag = |f: u8, worth: f32| if self.flags & f != 0 { worth } else { 0.0 };
        0.3 * self.noun.clamp(-1.0, 1.0) - 0.2 * (self.zipf - BEST_ZIPF).abs()
            + 0.1 * (self.count.min(3) + self.compounds.min(2)) as f32
            + flag(IN_TITLE, 0.25)
            + flag(NOUN_ENDING, 0.2)
            + flag(WEAK, -1.0)
            + flag(NAME, -1.5)
    }
}

struct Found<'a> {
    lang: Lang,
    /// Names and codes that the analysis is sure of, lower case.
    names: FxHashSet<&'a str>,
    /// The title writes its words with capitals, so that there a capital says nothing.
    title_case: bool,
    codes: FxHashSet<&'a str>,
    at: FxHashMap<Box<str>, usize>,
    words: Vec<Candidate>,
    /// (stems of the two parts, form)
    compounds: Vec<([usize; 2], String)>,
}

impl<'a> Found<'a> {
    fn new(analysis: &'a Analysis) -> Self {
        let mut names = FxHashSet::default();
        let mut codes = FxHashSet::default();
        for e in analysis.entities.iter().filter(|e| e.sure) {
            match e.kind {
                EntityKind::Name => {
                    names.insert(&*e.name);
                }
                EntityKind::Phrase => names.extend(e.name.split(' ')),
                EntityKind::Code => {
                    codes.insert(&*e.name);
                }
                EntityKind::Acronym | EntityKind::Number | EntityKind::Quoted => {}
            }
        }
        Self {
            lang: analysis.lang,
            names,
            title_case: title_case(&analysis.words),
            codes,
            at: FxHashMap::default(),
            words: Vec::new(),
            compounds: Vec::new(),
        }
    }

    /// Flags of a word that may stand in a name; `None` for function words, numbers and dates.
    fn usable(&self, w: &Word) -> Option<u8> {
        let lower = &*w.lower;
        if w.has_digit {
            let capital = w.surface.chars().any(char::is_uppercase);
            return (capital && self.codes.contains(lower)).then_some(NAME);
        }
        let short = lower.chars().nth(2).is_none() && !w.surface.chars().all(char::is_uppercase);
        if w.stop
            || short
            || !lower.chars().all(char::is_alphabetic)
            || is_calendar_word(lower, self.lang)
            || has_role(lower, Role::Time, self.lang)
            || is_number(lower)
        {
            return None;
        }
        let mut flags = 0;
        let past = self.lang == Lang::En && is_past_or_adverb(lower);
        // A small letter where nouns are written large: a verb or an adjective.
        let no_noun = self.lang.capitalises_nouns() && !w.capitalised;
        if past || no_noun || is_weak(lower) || has_role(lower, Role::Vague, self.lang) {
            flags |= WEAK;
        }
        if self.names.contains(lower) && !(self.title_case && w.section == Section::Title) {
            flags |= NAME;
        }
        if !w.capitalised {
            flags |= LOWER;
        }
        if ends_as_noun(lower, self.lang) {
            flags |= NOUN_ENDING;
        }
        Some(flags)
    }

    /// Words between spaces, with the evidence of their neighbours.
    fn spaced(&mut self, text: &str, words: &[Word]) {
        let gaps = gaps(text, words);
        // The last word that may stand in a name, by its place in `words`.
        let mut last: Option<(usize, usize)> = None;
        for (i, w) in words.iter().enumerate() {
            if Run::is_part(&w.surface) {
                continue;
            }
            let Some(flags) = self.usable(w) else { continue };
            let before = i
                .checked_sub(1)
                .filter(|_| !w.sentence_start && is_space(gaps[i]))
                .map(|p| &words[p]);
            let after = words
                .get(i + 1)
                .filter(|n| !n.sentence_start && gaps.get(i + 1).is_some_and(|g| is_space(g)));
            let noun = self.noun(w, before, after);
            let at = self.add(w, flags, noun, form(w, self.lang));
            // The last word of a compound is its noun.
            if noun >= 0.0
                && let Some((from, first)) = last
                && let Some(form) = self.joined(words, &gaps, from, i)
            {
                self.compound(first, at, form);
            }
            last = Some((i, at));
        }
    }

    /// What the neighbours say: 1 for a noun, -1 for a verb.
    fn noun(&self, w: &Word, before: Option<&Word>, after: Option<&Word>) -> f32 {
        let lang = self.lang;
        if lang.capitalises_nouns() {
            return match (w.capitalised, w.sentence_start) {
                (true, false) => 1.0,
                (true, true) => 0.0,
                _ => -1.0,
            };
        }
        let mut noun = 0.0;
        let head = after.is_none_or(|a| a.stop);
        match before {
            Some(b) if has_role(&b.lower, Role::BeforeNoun, lang) => noun += if head { 1.0 } else { 0.3 },
            Some(b) if has_role(&b.lower, Role::BeforeVerb, lang) => noun -= 1.0,
            Some(b) if self.names.contains(&*b.lower) && !w.capitalised => noun -= 1.0,
            Some(b) if !b.stop && !b.has_digit && head => noun += 0.5,
            _ => {}
        }
        if after.is_some_and(|a| has_role(&a.lower, Role::AfterVerb, lang)) {
            noun -= 1.0;
        }
        noun
    }

    /// The words from `from` to `to` as one name, if nothing but a space, a hyphen or a joining word lies between.
    fn joined(&self, words: &[Word], gaps: &[&str], from: usize, to: usize) -> Option<String> {
        if to - from > 3 || words[from + 1..=to].iter().any(|w| w.sentence_start) {
            return None;
        }
        let inner = &words[from + 1..to];
        let joins = inner
            .first()
            .is_none_or(|w| has_role(&w.lower, Role::Joins, self.lang))
            && inner
                .iter()
                .skip(1)
                .all(|w| w.stop && has_role(&w.lower, Role::BeforeNoun, self.lang));
        let close = |g: &str| g == " " || g == "-";
        if !joins || !gaps[from + 1..=to].iter().all(|g| close(g)) {
            return None;
        }
        let mut out = form(&words[from], self.lang);
        for i in from + 1..=to {
            out.push_str(gaps[i]);
            out.push_str(&form(&words[i], self.lang));
        }
        (out.chars().count() <= MAX_FORM).then_some(out)
    }

    /// Compounds of a script without spaces: a run of characters of one kind.
    fn unspaced(&mut self, text: &str, section: Section, words: &[Word]) {
        if !words.iter().any(|w| Run::is_part(&w.surface)) {
            return;
        }
        for run in runs(text, words, self.lang).into_iter().take(LOOKED_AT) {
            let (lower, lang) = (run.text, self.lang);
            let grammar = crate::text::is_stop(lower, lang)
                || is_calendar_word(lower, lang)
                || has_role(lower, Role::Time, lang);
            if grammar {
                continue;
            }
            let mut flags = LOWER;
            if has_role(lower, Role::Vague, lang) {
                flags |= WEAK;
            }
            if run.person {
                flags |= NAME;
            }
            let w = Word {
                surface: lower.into(),
                lower: lower.into(),
                stem: lower.into(),
                zipf: zipf(lower),
                stop: false,
                capitalised: false,
                has_digit: false,
                sentence_start: false,
                section,
            };
            self.add(&w, flags, 0.5, lower.to_owned());
        }
    }

    fn add(&mut self, w: &Word, mut flags: u8, noun: f32, form: String) -> usize {
        if w.section == Section::Title {
            flags |= IN_TITLE;
        }
        if let Some(&at) = self.at.get(&w.stem) {
            let c = &mut self.words[at];
            c.flags |= flags;
            c.noun += noun;
            c.count += 1;
            return at;
        }
        let at = self.words.len();
        self.at.insert(w.stem.clone(), at);
        self.words.push(Candidate {
            stem: w.stem.clone(),
            lower: w.lower.clone(),
            form: form.into(),
            zipf: w.zipf,
            noun,
            flags,
            count: 1,
            compounds: 0,
        });
        at
    }

    fn compound(&mut self, first: usize, second: usize, form: String) {
        let bad = |c: &Candidate| c.flags & (NAME | WEAK) != 0;
        if first == second || bad(&self.words[first]) || bad(&self.words[second]) {
            return;
        }
        self.words[first].compounds += 1;
        self.words[second].compounds += 1;
        if !self.compounds.iter().any(|c| c.0 == [first, second]) {
            self.compounds.push(([first, second], form));
        }
    }

    fn finish(self, event: &Event, models: &Models) -> Phrases {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        let worth: Vec<f32> = self.words.iter().map(Candidate::worth).collect();
        order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
        order.truncate(MAX_WORDS);
        let mut forms = String::new();
        let mut span = |text: &str| {
            let (start, len) = (u16::try_from(forms.len()).ok()?, u8::try_from(text.len()).ok()?);
            forms.push_str(text);
            Some(Span { start, len })
        };
        let mut words = Vec::with_capacity(order.len());
        for c in order.iter().map(|i| &self.words[*i]) {
            let Some(form) = span(&c.form) else { continue };
            words.push(NameWord {
                term: TermKey::word(&c.stem),
                form,
                zipf: (c.zipf.clamp(0.0, 7.9) * 32.0) as u8,
                noun: (c.noun.clamp(-4.0, 4.0) * 4.0) as i8,
                flags: c.flags,
                vector: models.words.word(&c.lower),
            });
        }
        let mut pairs: Vec<&([usize; 2], String)> = self.compounds.iter().collect();
        pairs.sort_by(|a, b| {
            let sum = |p: &[usize; 2]| worth[p[0]] + worth[p[1]];
            sum(&b.0).total_cmp(&sum(&a.0)).then(a.0.cmp(&b.0))
        });
        let kept = pairs
            .into_iter()
            .filter(|p| p.0.iter().all(|i| order.contains(i)));
        let mut compounds = Vec::new();
        for ([a, b], text) in kept.take(MAX_COMPOUNDS) {
            let Some(form) = span(text) else { continue };
            let parts = [*a, *b].map(|i| TermKey::word(&self.words[i].stem));
            compounds.push(Compound {
                key: key(&format!("{} {}", self.words[*a].stem, self.words[*b].stem)),
                parts,
                form,
            });
        }
        Phrases {
            lang: self.lang,
            forms: forms.into(),
            words: words.into(),
            compounds: compounds.into(),
            actor: actor_keys(event.actor.as_deref().unwrap_or_default()),
            headline: event
                .title
                .as_deref()
                .filter(|t| !t.trim().is_empty())
                .map_or(0, title_key),
        }
    }
}

/// Keys of the words of an actor's name.
fn actor_keys(actor: &str) -> Box<[u32]> {
    actor
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.chars().nth(1).is_some())
        .take(4)
        .map(|w| key(&w.to_lowercase()))
        .collect()
}

/// Are most words of the title, after its first, written with capitals?
fn title_case(words: &[Word]) -> bool {
    let (mut all, mut capital) = (0, 0);
    let inner = words
        .iter()
        .filter(|w| w.section == Section::Title && !w.sentence_start && !w.stop && !w.has_digit);
    for w in inner {
        all += 1;
        capital += usize::from(w.capitalised);
    }
    all > 1 && 3 * capital > 2 * all
}

fn is_number(lower: &str) -> bool {
    if lower.ends_with("teenth") || lower.ends_with("tieth") {
        return true;
    }
    let mut at = NUMBERS.match_indices(lower);
    at.any(|(i, _)| NUMBERS[..i].ends_with(' ') && NUMBERS[i + lower.len()..].starts_with(' '))
}

fn is_space(gap: &str) -> bool {
    !gap.is_empty() && gap.chars().all(|c| c.is_whitespace() || c == '-')
}

/// Lower case unless the language writes nouns large or the word holds capitals of its own ("API", "GitHub").
fn form(w: &Word, lang: Lang) -> String {
    let own = w.surface.chars().skip(1).any(char::is_uppercase);
    let surface = w.surface.strip_suffix("'s").or(w.surface.strip_suffix("’s"));
    match (own || lang.capitalises_nouns() || w.has_digit, surface) {
        (true, Some(cut)) if lang == Lang::En => cut.to_owned(),
        (true, _) => w.surface.to_string(),
        // The key of a word drops apostrophes; a name keeps them.
        (false, _) if lang != Lang::En && w.surface.contains(['\'', '’']) => w.surface.to_lowercase(),
        _ => w.lower.to_string(),
    }
}
