//! Dates said in words: found, and resolved against the time of the event or of the question.
//!
//! How dates are said is data (`table`), one table a language. Days are those of UTC. A weekday, a day and
//! month, or a month alone is looked for forwards or backwards by the tense of its sentence.
//! Linear in the words; a date that cannot exist is no date.

use chrono::{Datelike, Duration, NaiveDate};

use crate::event::Ts;
use crate::text::lang::{self, Lang};
use crate::text::scan::{self, Token};
use crate::text::{DateMention, Section, Word, words};

mod clock;
mod numeric;
mod pattern;
mod reader;
mod resolve;
mod sentence;
mod table;
mod unspaced;

use reader::{Found, Mode, find};
use table::Meaning;

/// A date named in a question. Days are counted from 0001-01-01, which is day 1 (chrono's
/// `num_days_from_ce`); both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateSpan {
    /// A day or a span of up to seven days.
    Day { first: i32, last: i32 },
    /// A longer span: a month, a year.
    Month { first: i32, last: i32 },
    /// A month of any year (1 to 12).
    MonthOfAnyYear { month: u32 },
    /// A day of any year.
    DayOfAnyYear { month: u32, day: u32 },
}

/// Dates said in a text, in reading order, resolved against the instant `at`. The language is guessed.
pub fn mentions(text: &str, at: Ts) -> Vec<DateMention> {
    let text = words::nfc(text);
    let (tokens, _) = scan::scan(&text, scan::MAX_TOKENS);
    let lang = lang::guess_tokens(&text, &tokens, Lang::En);
    let words: Vec<_> = tokens
        .iter()
        .map(|t| words::word(t, Section::Text, lang))
        .collect();
    let mut out = Vec::new();
    read(&text, &tokens, &words, at, lang, &mut out);
    out
}

/// As [`mentions`], from tokens and words of a text already scanned.
pub(super) fn read(
    text: &str,
    tokens: &[Token<'_>],
    words: &[Word],
    at: Ts,
    lang: Lang,
    out: &mut Vec<DateMention>,
) {
    let Some(now) = at.datetime() else { return };
    for f in find(text, tokens, words, now, lang, Mode::Event) {
        out.push(DateMention {
            surface: text[f.from..f.to].into(),
            start: Ts::from(f.span.start.and_utc()),
            end: Ts::from(f.span.end.and_utc()),
            granularity: f.span.granularity,
            deadline: f.deadline,
            recurring: f
                .rule
                .is_some_and(|m| m.meaning == Meaning::Every || m.slots.plural),
        });
    }
}

/// Dates that a question names; relative ones ("last week") against `now`. A date without a year is of any year.
pub fn question_dates(question: &str, now: Ts) -> Vec<DateSpan> {
    let Some(at) = now.datetime() else {
        return Vec::new();
    };
    let text = words::nfc(question);
    let (tokens, _) = scan::scan(&text, scan::MAX_TOKENS);
    let lang = lang::guess_tokens(&text, &tokens, Lang::En);
    let words: Vec<_> = tokens
        .iter()
        .map(|t| words::word(t, Section::Text, lang))
        .collect();
    let mut out = Vec::new();
    for f in find(&text, &tokens, &words, at, lang, Mode::Question) {
        let span = date_span(&f, &words);
        if !out.contains(&span) {
            out.push(span);
        }
    }
    out
}

fn date_span(f: &Found, words: &[Word]) -> DateSpan {
    if let Some(m) = f.rule.filter(|m| m.slots.year.is_none()) {
        // "Last March" is one March, "in March" is any.
        let pointed = words.get(m.from).is_some_and(|w| {
            matches!(
                &*w.lower,
                "last" | "next" | "this" | "letzten" | "nächsten" | "diesen"
            )
        });
        match (m.meaning, m.slots.month, m.slots.day) {
            (Meaning::Date, Some(month), Some(day)) => {
                return DateSpan::DayOfAnyYear { month, day };
            }
            (Meaning::Month | Meaning::Third(_) | Meaning::NthWeek, Some(month), _) if !pointed => {
                return DateSpan::MonthOfAnyYear { month };
            }
            _ => {}
        }
    }
    let day = |d: NaiveDate| d.num_days_from_ce();
    let first = day(f.span.start.date());
    // The end is not included: step back from it by a second, into the last day.
    let last = f
        .span
        .end
        .checked_sub_signed(Duration::seconds(1))
        .map_or(first, |e| day(e.date()));
    if last - first < 7 {
        DateSpan::Day { first, last }
    } else {
        DateSpan::Month { first, last }
    }
}

#[cfg(test)]
mod tests;
