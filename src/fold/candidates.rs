//! Reading one event for words that may name its concept.
//!
//! Which words are no candidates (function words, numbers, dates), which are only names or say too little, what the
//! neighbours say about being a noun, and which words form a compound. Knows no other event.

use rustc_hash::{FxHashMap, FxHashSet};

use super::phrases::{IN_TITLE, LOOKED_AT, LOWER, NAME, NOUN_ENDING, WEAK};
use super::written::{Run, gaps, runs};
use crate::text::{
    Analysis, EntityKind, Lang, Role, Section, Word, ends_as_noun, has_role, is_calendar_word, is_no_noun,
    is_weak, zipf,
};

/// Characters of the longest compound.
const MAX_FORM: usize = 40;
/// Frequency of the words that name best: neither rare nor said everywhere (measured, see `worth`).
const BEST_ZIPF: f32 = 4.3;
/// English number words: they count, and name nothing.
const NUMBERS: &str = " one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half dozen first \
second third fourth fifth once twice ";

/// A candidate while the event is read.
pub(super) struct Candidate {
    pub stem: Box<str>,
    pub lower: Box<str>,
    pub form: Box<str>,
    pub zipf: f32,
    pub noun: f32,
    pub flags: u8,
    count: u32,
    compounds: u32,
}

impl Candidate {
    /// What speaks for keeping it among the event's words.
    pub fn worth(&self) -> f32 {
        let flag = |f: u8, worth: f32| if self.flags & f != 0 { worth } else { 0.0 };
        0.3 * self.noun.clamp(-1.0, 1.0) - 0.2 * (self.zipf - BEST_ZIPF).abs()
            + 0.1 * (self.count.min(3) + self.compounds.min(2)) as f32
            + flag(IN_TITLE, 0.25)
            + flag(NOUN_ENDING, 0.2)
            + flag(WEAK, -1.0)
            + flag(NAME, -1.5)
    }
}

pub(super) struct Found<'a> {
    pub lang: Lang,
    /// Names and codes that the analysis is sure of, lower case.
    names: FxHashSet<&'a str>,
    /// The title writes its words with capitals, so that there a capital says nothing.
    title_case: bool,
    codes: FxHashSet<&'a str>,
    at: FxHashMap<Box<str>, usize>,
    pub words: Vec<Candidate>,
    /// (stems of the two parts, form)
    pub compounds: Vec<([usize; 2], String)>,
}

impl<'a> Found<'a> {
    pub fn new(analysis: &'a Analysis) -> Self {
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
        let past = self.lang == Lang::En && is_no_noun(lower);
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
    pub fn spaced(&mut self, text: &str, words: &[Word]) {
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
            Some(b) if has_role(&b.lower, Role::BeforeNoun, lang) => noun += if head { 1.0 } else { 0.0 },
            Some(b) if has_role(&b.lower, Role::BeforeVerb, lang) => noun -= 1.0,
            Some(b) if has_role(&b.lower, Role::BeforeAdjective, lang) => noun -= 0.75,
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
    pub fn unspaced(&mut self, text: &str, section: Section, words: &[Word]) {
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
                start: 0,
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
