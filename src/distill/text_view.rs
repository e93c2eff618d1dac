//! One section of an event as the reader of statements walks it: words with their parts, and what stands between them.

use super::triple::{Name, Shape};
use super::words::{self, Part};
use crate::text::{DateMention, Lang, Word};

/// What stands before a word.
pub const COMMA: u8 = 1;
pub const HARD: u8 = 2;
pub const COLON: u8 = 4;
pub const CLOSED: u8 = 8;

/// Words of a section that are read for statements; the rest of a long text makes none.
const MOST_WORDS: usize = 600;
/// Words that a name or an object may be made of; longer ones are cut.
const LONGEST_KEY: usize = 6;

pub struct View<'a> {
    pub text: &'a str,
    pub words: &'a [Word],
    /// Parts of each word, and of the verb behind its apostrophe.
    pub parts: Vec<(Part, Part)>,
    pub breaks: Vec<u8>,
    /// Within quotation marks.
    pub quoted: Vec<bool>,
    pub lang: Lang,
    /// Dates with the bytes where they are said.
    dates: Vec<(usize, usize, &'a DateMention)>,
}

/// The parts of a word; a month's capital tells it from the verb ("4 May").
fn parts(w: &Word, lang: Lang) -> (Part, Part) {
    if w.capitalised && !w.sentence_start && &*w.lower == "may" {
        return (0, 0);
    }
    words::parts(w, lang)
}

impl<'a> View<'a> {
    pub fn new(text: &'a str, words: &'a [Word], lang: Lang, dates: &'a [DateMention]) -> View<'a> {
        let words = &words[..words.len().min(MOST_WORDS)];
        let mut v = View {
            text,
            words,
            parts: words.iter().map(|w| parts(w, lang)).collect(),
            breaks: Vec::with_capacity(words.len()),
            quoted: Vec::with_capacity(words.len()),
            lang,
            dates: dates
                .iter()
                .filter_map(|d| text.find(&*d.surface).map(|at| (at, at + d.surface.len(), d)))
                .collect(),
        };
        let (mut quoted, mut from) = (false, 0);
        for w in words {
            let start = w.start as usize;
            let mut kind = 0;
            for c in text.get(from..start).unwrap_or_default().chars() {
                match c {
                    ',' | '،' => kind |= COMMA,
                    ':' => kind |= COLON | HARD,
                    ';' | '(' | ')' | '—' | '–' | '[' | ']' | '|' | '…' => kind |= HARD,
                    '\n' => (kind, quoted) = (kind | HARD, false),
                    '"' if quoted => (kind, quoted) = (kind | CLOSED, false),
                    '"' | '“' | '„' | '«' => quoted = true,
                    '”' | '»' => (kind, quoted) = (kind | CLOSED, false),
                    _ => {}
                }
            }
            from = start + w.surface.len();
            v.breaks.push(kind);
            v.quoted.push(quoted);
        }
        v
    }

    pub fn part(&self, i: usize) -> Part {
        self.parts.get(i).map_or(0, |p| p.0)
    }

    pub fn is(&self, i: usize, part: Part) -> bool {
        self.part(i) & part != 0
    }

    pub fn has(&self, from: usize, to: usize, part: Part) -> bool {
        (from..to).any(|i| self.is(i, part))
    }

    pub fn lower(&self, i: usize) -> &str {
        self.words.get(i).map_or("", |w| &*w.lower)
    }

    fn end(&self, i: usize) -> usize {
        self.words
            .get(i)
            .map_or(self.text.len(), |w| w.start as usize + w.surface.len())
    }

    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        match self.words.get(from) {
            Some(w) if from < to => self
                .text
                .get(w.start as usize..self.end(to - 1))
                .unwrap_or_default(),
            _ => "",
        }
    }

    /// Does the sentence that ends with word `last` ask?
    pub fn asks(&self, last: usize) -> bool {
        let next = self
            .words
            .get(last + 1)
            .map_or(self.text.len(), |w| w.start as usize);
        let gap = self.text.get(self.end(last)..next).unwrap_or_default();
        gap.contains(['?', '？', '؟'])
    }

    /// Sentences as ranges of words.
    pub fn sentences(&self) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut from = 0;
        for i in 1..=self.words.len() {
            // A colon opens what belongs to the words before it.
            if i == self.words.len() || self.words[i].sentence_start && self.breaks[i] & COLON == 0 {
                out.push((from, i));
                from = i;
            }
        }
        out
    }

    pub fn date(&self, from: usize, to: usize) -> Option<&'a DateMention> {
        let start = self.words.get(from)?.start as usize;
        let end = if from < to { self.end(to - 1) } else { start };
        // A mention may begin with a preposition in front of the range.
        let inside = |d: &&(usize, usize, &DateMention)| d.0 < end && d.1 > start && d.1 <= end + 1;
        self.dates.iter().find(inside).map(|d| d.2)
    }

    /// First word of a date within a range, after its first word.
    pub fn date_start(&self, from: usize, to: usize) -> Option<usize> {
        (from + 1..to).find(|i| {
            let at = self.words[*i].start as usize;
            self.dates.iter().any(|d| d.0 <= at && at < d.1)
        })
    }

    /// A word that names or describes something.
    pub fn is_content(&self, i: usize) -> bool {
        let grammar = words::ADV
            | words::NOW
            | words::NOT
            | words::THE
            | words::A
            | words::PLACE
            | words::OF
            | words::WITH;
        self.words
            .get(i)
            .is_some_and(|w| !w.lower.is_empty() && (w.has_digit || !w.stop) && !self.is(i, grammar))
    }

    pub fn content(&self, from: usize, to: usize) -> usize {
        (from..to).filter(|i| self.is_content(*i)).count()
    }

    /// The phrase of a range, without the words of grammar around it.
    pub fn name(&self, mut from: usize, mut to: usize) -> Option<Name> {
        let around = words::ADV | words::NOW | words::NOT | words::THE | words::A | words::CONJ;
        while from < to && self.is(from, around) {
            from += 1;
        }
        while from < to && self.is(to - 1, around | words::OF | words::TO | words::PLACE) {
            to -= 1;
        }
        let content = (from..to).filter(|i| self.is_content(*i)).take(LONGEST_KEY);
        let mut shown = self.slice(from, to);
        if let Some(cut) = shown.strip_suffix("'s").or_else(|| shown.strip_suffix("’s")) {
            shown = cut;
        }
        Name::of(content.map(|i| &self.words[i]), shown)
    }

    /// Capitalised where that means something: not the first word of a sentence, not in a language of capital nouns.
    pub fn is_proper(&self, i: usize) -> bool {
        self.words.get(i).is_some_and(|w| {
            let rare = w.zipf < 5.0;
            w.capitalised
                && !w.stop
                && (!w.sentence_start || rare)
                && (!self.lang.capitalises_nouns() || w.zipf < 3.9)
        })
    }

    /// Every content word is a name.
    pub fn is_person_like(&self, from: usize, to: usize) -> bool {
        let content: Vec<usize> = (from..to).filter(|i| self.is_content(*i)).collect();
        !content.is_empty()
            && content.len() <= 3
            && content
                .iter()
                .all(|i| self.is_proper(*i) && !self.words[*i].has_digit)
            && !self.has(from, to, words::THE | words::A)
    }

    pub fn shape(&self, from: usize, to: usize) -> Shape {
        let content: Vec<usize> = (from..to).filter(|i| self.is_content(*i)).collect();
        if self.date(from, to).is_some() {
            Shape::Date
        } else if content.len() <= 2 && content.iter().any(|i| self.words[*i].has_digit) {
            Shape::Number
        } else if content.first().is_some_and(|i| self.is_proper(*i)) {
            Shape::Name
        } else {
            Shape::Phrase
        }
    }

    /// Index behind the first possessive ("Bram's") of a range, when something follows it there.
    pub fn possessive(&self, from: usize, to: usize) -> Option<usize> {
        (from..to.saturating_sub(1))
            .find(|i| {
                let s = &self.words[*i].surface;
                (s.ends_with("'s") || s.ends_with("’s")) && self.parts[*i].1 == 0
            })
            .map(|i| i + 1)
    }

    /// A word with the "of" in front of its apostrophe ("d'Ana", "dell'armadio").
    pub fn is_elided_of(&self, i: usize) -> bool {
        matches!(self.lang, Lang::Fr | Lang::It)
            && self.words.get(i).is_some_and(|w| {
                let head = w.surface.split(['\'', '’']).next().unwrap_or_default();
                head.len() < w.surface.len() && matches!(&*head.to_lowercase(), "d" | "dell")
            })
    }

    /// Equal for ranges with the same words of content.
    pub fn wording(&self, from: usize, to: usize) -> u64 {
        let mut h = 0xcbf2_9ce4_8422_2325u64;
        for w in self.words[from..to].iter().filter(|w| !w.stop) {
            for b in w.lower.bytes().chain([b' ']) {
                h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        h
    }
}
