//! Text: what one event's words give on their own, before any other event is looked at.
//!
//! Pure and deterministic. Events and questions go through the same functions, so that their terms
//! meet. Work is linear in the text and bounded: at most [`MAX_TOKENS`] tokens of an event are
//! analysed. Knows `event`, nothing else.

use crate::event::{Event, Ts};

mod calendar;
mod cues;
mod dates;
mod entities;
mod irregular;
mod lang;
mod lexicon;
mod question;
mod roles;
mod scan;
mod stop;
mod tokens;
mod words;

pub use dates::{DateSpan, mentions, question_dates};
pub use entities::entities;
pub use lang::{Lang, guess};
pub use question::{asks_number, asks_when, is_calendar_word, is_weak, strip_task};
pub use roles::{Role, ends_as_noun, has_role, is_past_or_adverb};
pub use scan::{MAX_TOKENS, is_han, is_katakana, is_unspaced};
pub use stop::is_stop;
pub use tokens::{count_tokens, zipf};
pub use words::{nfc, words, words_in};

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
    /// Lower case, NFKC, possessive ending cut, apostrophes and the sign of a ticket number dropped
    /// ("don't" is `dont`, "#2291" is `2291`): the key of vectors and of frequencies.
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

/// What sort of name an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A number, amount, time or date in digits.
    Number,
    /// Letters and digits: a ticket, version, room, product code.
    Code,
    /// Two to five capitals.
    Acronym,
    /// One capitalised word, or a run of katakana or of Latin letters in an East Asian text.
    Name,
    /// Two to five capitalised words in a row. Its words also stand as names of their own.
    Phrase,
    /// Words in quotation marks.
    Quoted,
}

/// A name, code, number or quoted title, lower-cased (`name`) and as written (`surface`).
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    pub name: Box<str>,
    pub surface: Box<str>,
    /// Seen within a sentence, or holds a digit: surely a name and not just a first word.
    pub sure: bool,
    pub kind: EntityKind,
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
    /// Said of every such day ("every Tuesday", "on Fridays"); the span is the next one.
    pub recurring: bool,
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
    /// Distinct names, in order of first mention. Of title and text; not of media words.
    pub entities: Vec<Entity>,
    pub dates: Vec<DateMention>,
    pub cues: Cues,
    /// Guessed from title, text and media words together.
    pub lang: Lang,
    /// Text was left over when [`MAX_TOKENS`] was reached.
    pub truncated: bool,
}

/// Analyses one event. Cost: linear in its text, up to [`MAX_TOKENS`] tokens; about 1 us a word once its words are known.
pub fn analyse(event: &Event) -> Analysis {
    let parts = [
        (Section::Title, event.title.as_deref().unwrap_or_default()),
        (Section::Text, &event.text),
        (Section::Media, event.media_text().unwrap_or_default()),
    ];
    let parts = parts.map(|(section, text)| (section, words::nfc(text)));
    let (mut room, mut truncated) = (MAX_TOKENS, false);
    let mut scanned = Vec::with_capacity(3);
    for (section, text) in &parts {
        let (tokens, left) = scan::scan(text, room);
        room = room.saturating_sub(tokens.len());
        truncated |= left;
        scanned.push((*section, &**text, tokens));
    }
    let voters: Vec<_> = scanned
        .iter()
        .flat_map(|(_, _, tokens)| tokens.iter().copied())
        .collect();
    let lang = lang::guess_tokens(&parts[1].1, &voters, Lang::En);
    let mut out = Analysis {
        lang,
        truncated,
        words: Vec::with_capacity(voters.len()),
        ..Analysis::default()
    };
    let mut found = entities::Found::default();
    let mut cues = cues::Counter::new(lang);
    for (section, text, tokens) in &scanned {
        let from = out.words.len();
        out.words
            .extend(tokens.iter().map(|t| words::word(t, *section, lang)));
        if *section != Section::Media {
            let words = &out.words[from..];
            found.read(text, tokens, words, lang);
            cues.read(text, tokens, words);
            dates::read(text, tokens, words, event.time, lang, &mut out.dates);
        }
    }
    out.entities = found.finish();
    out.cues = cues.finish(&event.text);
    out
}

#[cfg(test)]
mod tests;
