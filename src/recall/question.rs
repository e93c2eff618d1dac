//! What a question says on its own: terms, names, periods asked for, form.

use std::sync::Arc;

use chrono::{Datelike, NaiveDate};

use crate::event::Ts;
use crate::index::content_words;
use crate::text::{self, DateSpan, EntityKind, Lang, Section, Word};

/// A term of the question with its weight, and the word it came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub stem: Arc<str>,
    pub lower: Arc<str>,
    pub weight: f32,
}

/// (lower case, term) of a word.
pub(crate) type WordKey = (Box<str>, Box<str>);

#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub text: String,
    /// Words of the question without instructions to an assistant.
    pub words: Vec<Word>,
    pub terms: Vec<Term>,
    pub names: Vec<Arc<str>>,
    /// Codes as written, with (lower case, term) of their words.
    pub unsaid: Vec<(Box<str>, Vec<WordKey>)>,
    pub periods: Vec<DateSpan>,
    pub asks_when: bool,
    pub asks_number: bool,
    pub lang: Lang,
}

impl Question {
    /// `share` is the share of the space's events that an actor of this name has; `fallback` the
    /// language of the space's events, in which a question that shows none is read.
    pub fn of(question: &str, now: Ts, fallback: Lang, share: impl Fn(&str) -> f32) -> Question {
        let stripped = text::strip_task(question);
        let lang = text::guess(&stripped, fallback);
        let words = text::words_in(&stripped, Section::Text, lang);
        let entities = text::entities(&stripped);
        let mut names: Vec<Arc<str>> = entities.iter().map(|e| (&*e.name).into()).collect();
        names.sort();
        names.dedup();
        Question {
            terms: terms(&words, lang, &share),
            unsaid: entities
                .iter()
                .filter(|e| is_code(e))
                .map(|e| (e.surface.clone(), word_keys(&e.surface, lang)))
                .collect(),
            names,
            periods: text::question_dates(question, now),
            asks_when: text::asks_when(question),
            asks_number: text::asks_number(&stripped),
            lang,
            words,
            text: question.to_owned(),
        }
    }

    /// Distinct words with content, as (lower case, zipf).
    pub fn content(&self) -> Vec<(&str, f32)> {
        content_words(&self.words)
            .into_iter()
            .map(|w| (&*w.lower, w.zipf))
            .collect()
    }
}

/// A code: a name may be general knowledge, a code of the stream is written one way.
fn is_code(e: &text::Entity) -> bool {
    e.sure && e.kind == EntityKind::Code
}

fn word_keys(surface: &str, lang: Lang) -> Vec<WordKey> {
    text::words_in(surface, Section::Text, lang)
        .into_iter()
        .filter(|w| !w.stop)
        .map(|w| (w.lower, w.stem))
        .collect()
}

/// Weight: clip((7.2 - zipf) / 3.2, .15, 1); half for words that shape a question, .4 for words of
/// the calendar and small numbers, less the more events an actor of that name has (research).
fn terms(words: &[Word], lang: Lang, share: &impl Fn(&str) -> f32) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    for w in words.iter().filter(|w| !w.stop && !w.stem.is_empty()) {
        let mut weight = ((7.2 - w.zipf) / 3.2).clamp(0.15, 1.0) * (1.0 - 5.0 * share(&w.lower)).max(0.0);
        if text::is_weak(&w.lower) {
            weight *= 0.5;
        }
        if text::is_calendar_word(&w.lower, lang) {
            weight *= 0.4;
        }
        match out.iter_mut().find(|t| *t.stem == *w.stem) {
            Some(t) if t.weight < weight => (t.weight, t.lower) = (weight, (&*w.lower).into()),
            None if weight > 0.0 => out.push(Term {
                stem: (&*w.stem).into(),
                lower: (&*w.lower).into(),
                weight,
            }),
            _ => {}
        }
    }
    out
}

/// How well a day fits a period: (as a day, as a month), each 0 to 1. What is told soon after
/// counts more than what is told before (research).
pub(crate) fn fits(span: &DateSpan, date: NaiveDate) -> (f32, f32) {
    let day = date.num_days_from_ce();
    let outside = |first: i32, last: i32| (day - first).min(0) + (day - last).max(0);
    match *span {
        DateSpan::Day { first, last } => {
            let value = match outside(first, last) {
                0 => 1.0,
                1..=8 => 0.6,
                -2..=-1 => 0.3,
                9..=31 => 0.2,
                _ => 0.0,
            };
            (value, 0.0)
        }
        DateSpan::Month { first, last } => {
            let value = match outside(first, last) {
                0 => 1.0,
                1..=10 => 0.5,
                -31..=-1 => 0.15,
                _ => 0.0,
            };
            (0.0, value)
        }
        DateSpan::MonthOfAnyYear { month } if date.month() == month => (0.0, 1.0),
        DateSpan::MonthOfAnyYear { month } if date.month() == month % 12 + 1 && date.day() <= 10 => {
            (0.0, 0.5)
        }
        DateSpan::DayOfAnyYear { month, day } if date.month() == month => {
            match date.day() as i32 - day as i32 {
                -1..=1 => (1.0, 0.0),
                2..=7 => (0.6, 0.0),
                _ => (0.0, 0.0),
            }
        }
        _ => (0.0, 0.0),
    }
}
