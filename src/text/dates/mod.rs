//! Dates said in words: found, and resolved against the time of the event or of the question.

use crate::event::Ts;
use crate::text::lang::Lang;
use crate::text::scan::Token;
use crate::text::DateMention;

/// A date named in a question. Days are proleptic ordinals (1 = 0001-01-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateSpan {
    /// From the first to the last day, both included; at most a week.
    Day { first: i32, last: i32 },
    /// A longer span: weeks, months, years.
    Month { first: i32, last: i32 },
    /// A month of any year (1 to 12).
    MonthOfAnyYear { month: u32 },
    /// A day of any year.
    DayOfAnyYear { month: u32, day: u32 },
}

/// Dates of a text, in reading order.
pub fn mentions(_text: &str, _at: Ts) -> Vec<DateMention> {
    Vec::new()
}

pub(super) fn read(_text: &str, _tokens: &[Token<'_>], _at: Ts, _lang: Lang, _out: &mut Vec<DateMention>) {}

/// Dates that a question names.
pub fn question_dates(_question: &str, _now: Ts) -> Vec<DateSpan> {
    Vec::new()
}
