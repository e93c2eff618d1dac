//! What a question says on its own: terms, names, dates asked for, form.
//!
//! The word lists here are English with the commonest question words of a few other languages; a
//! question in another language loses these cues and keeps its terms and vectors.

use std::sync::{Arc, LazyLock};

use chrono::{Datelike, NaiveDate};
use regex::Regex;

use crate::event::Ts;
use crate::index::{analysis_of, content_words};
use crate::text::{Granularity, Word};

/// Words a question uses to point at what it wants; they seldom stand in the answer.
const POINTING: &str = "kind type sort name called mention mentioned describe described according recent recently \
    current currently many much long often time times way ways thing things something someone specific particular \
    happen happened favorite favourite share shared plan planning planned decide decided like likes would likely \
    considered want wants main new first last one two both";

pub(crate) const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant that the tests compile")
}

/// Instructions to the assistant, which say nothing about what is sought.
static TASK: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?ix)\b(?: summari[sz]e | sum\ up | (?:write\ |need\ )?a\ (?:short\ )?(?:summary|recap|digest|rundown)\ of
        | recap | outline | overview\ of | describe | list | explain | compile | recount | review | sketch
        | give\ me\ (?:an?|the)\ (?:\w+\ )?(?:overview|summary|picture|account|review|rundown)(?:\ of)?
        | tell\ me(?:\ (?:everything\ |all\ )?about|\ the\ (?:whole\ )?story\ of)? | brief\ me\ on
        | the\ (?:whole\ )?(?:story|history|course|business)\ (?:of|with) | catch\ me\ up\ on | so\ far
        | (?:walk|take|run)\ me\ through | bring\ me\ up\ to\ speed\ on | go\ over | (?:pull|put)\ together
        | remind\ me | do\ you\ (?:know|remember) | please | overall | all\ in\ all )\b",
    )
});
static ASKS_WHEN: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)^(?:when|how long ago|on which|what (?:date|day|time)|(?:in )?(?:which|what) (?:month|year)|¿?cu[aá]ndo|¿?qu[eé] d[ií]a|wann|quand)|いつ|何日|何時",
    )
});
static ASKS_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?i)\bhow (?:many|much|long|often|old)\b|\bcu[aá]nt[oa]s?\b|\bwie ?viele?\b|\bcombien\b|何人|何個|いくつ|いくら",
    )
});
static DAY_MONTH_YEAR: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+),? ([12]\d{3})|\b([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? ([12]\d{3})")
});
static MONTH_YEAR: LazyLock<Regex> = LazyLock::new(|| compile(r"\b([a-z]+),? ([12]\d{3})\b"));
static MONTH_ONLY: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"\b(?:in|of|during|early|late|mid|since|by) (?:early |late |mid[- ]?)?([a-z]+)\b")
});
static DAY_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    let m = "january|february|march|april|june|july|august|september|october|november|december";
    compile(&format!(r"\b({m}) (\d{{1,2}})\b|\b(\d{{1,2}}) ({m}|may)\b"))
});

/// A period the question names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Period {
    /// Days since 1970-01-01, first and last.
    Days(i64, i64),
    Months(i64, i64),
    /// A month of no named year, 1 to 12.
    AnyYearMonth(u32),
    AnyYearDay(u32, u32),
}

/// A term of the question with its weight, and the word it came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub stem: Arc<str>,
    pub lower: Arc<str>,
    pub weight: f32,
}

#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub text: String,
    pub words: Vec<Word>,
    pub terms: Vec<Term>,
    pub names: Vec<Arc<str>>,
    pub periods: Vec<Period>,
    pub asks_when: bool,
    pub asks_number: bool,
}

impl Question {
    /// `share` is the share of the space's events that an actor of this name has.
    pub fn of(text: &str, now: Ts, share: impl Fn(&str) -> f32) -> Question {
        let stripped = strip_task(text);
        let analysis = analysis_of(&stripped, now);
        let mut names: Vec<Arc<str>> = analysis.entities.iter().map(|e| (&*e.name).into()).collect();
        names.sort();
        names.dedup();
        Question {
            terms: terms(&analysis.words, &share),
            names,
            periods: periods(text, &analysis.dates),
            asks_when: ASKS_WHEN.is_match(text.trim()),
            asks_number: ASKS_NUMBER.is_match(&stripped),
            words: analysis.words,
            text: text.to_owned(),
        }
    }

    /// Distinct words with content, as (lower case, zipf).
    pub fn content(&self) -> Vec<(&str, f32)> {
        content_words(&self.words).into_iter().map(|w| (&*w.lower, w.zipf)).collect()
    }
}

/// The question without instructions, if at least three words are left.
fn strip_task(question: &str) -> String {
    let rest = TASK.replace_all(question, " ");
    if rest.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count() >= 3 {
        rest.into_owned()
    } else {
        question.to_owned()
    }
}

/// Weight: clip((7.2 - zipf) / 3.2, .15, 1); half for pointing words, .4 for words of the calendar
/// and numbers of one or two digits, less the more events an actor of that name has.
fn terms(words: &[Word], share: &impl Fn(&str) -> f32) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    for w in words.iter().filter(|w| !w.stop && !w.stem.is_empty()) {
        let lower: &str = &w.lower;
        let mut weight = ((7.2 - w.zipf) / 3.2).clamp(0.15, 1.0) * (1.0 - 5.0 * share(lower)).max(0.0);
        if POINTING.split_ascii_whitespace().any(|p| p == lower) {
            weight *= 0.5;
        }
        if is_calendar(lower) {
            weight *= 0.4;
        }
        match out.iter_mut().find(|t| *t.stem == *w.stem) {
            Some(t) if t.weight < weight => (t.weight, t.lower) = (weight, lower.into()),
            Some(_) => {}
            None if weight > 0.0 => out.push(Term { stem: (&*w.stem).into(), lower: lower.into(), weight }),
            None => {}
        }
    }
    out
}

fn is_calendar(word: &str) -> bool {
    let digits = word.chars().all(|c| c.is_ascii_digit());
    month(word).is_some()
        || WEEKDAYS.contains(&word)
        || digits && (word.len() <= 2 || word.len() == 4 && (word.starts_with("19") || word.starts_with("20")))
}

/// Number of a month by its full or three-letter name.
fn month(word: &str) -> Option<u32> {
    MONTHS.iter().position(|m| *m == word || word.len() == 3 && m.starts_with(word)).map(|i| i as u32 + 1)
}

pub(crate) fn ordinal(date: NaiveDate) -> i64 {
    date.signed_duration_since(NaiveDate::default()).num_days()
}

fn month_span(year: i32, month: u32) -> Option<(i64, i64)> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    let next = if month == 12 { NaiveDate::from_ymd_opt(year + 1, 1, 1) } else { NaiveDate::from_ymd_opt(year, month + 1, 1) };
    Some((ordinal(first), ordinal(next?) - 1))
}

/// Full dates; else months of a year; else months and days of any year; else what the text room
/// resolved against now ("last week").
fn periods(question: &str, said: &[crate::text::DateMention]) -> Vec<Period> {
    let q = question.to_lowercase();
    let group = |c: &regex::Captures<'_>, i: usize| c.get(i).map(|m| m.as_str().to_owned()).unwrap_or_default();
    let number = |s: String| s.parse::<u32>().unwrap_or(0);
    let mut out = Vec::new();
    for c in DAY_MONTH_YEAR.captures_iter(&q) {
        let (d, m, y) = if c.get(1).is_some() { (1, 2, 3) } else { (5, 4, 6) };
        let date = month(&group(&c, m))
            .and_then(|m| NaiveDate::from_ymd_opt(number(group(&c, y)) as i32, m, number(group(&c, d))));
        out.extend(date.map(|d| Period::Days(ordinal(d), ordinal(d))));
    }
    if out.is_empty() {
        for c in MONTH_YEAR.captures_iter(&q) {
            let span = month(&group(&c, 1)).and_then(|m| month_span(number(group(&c, 2)) as i32, m));
            out.extend(span.map(|(a, b)| Period::Months(a, b)));
        }
    }
    if out.is_empty() {
        out.extend(MONTH_ONLY.captures_iter(&q).filter_map(|c| month(&group(&c, 1))).map(Period::AnyYearMonth));
        for c in DAY_MONTH.captures_iter(&q) {
            let (m, d) = if c.get(1).is_some() { (1, 2) } else { (4, 3) };
            out.extend(month(&group(&c, m)).map(|m| Period::AnyYearDay(m, number(group(&c, d)))));
        }
    }
    if out.is_empty() {
        out.extend(said.iter().filter(|d| d.granularity != Granularity::Year).filter_map(resolved));
    }
    out
}

fn resolved(said: &crate::text::DateMention) -> Option<Period> {
    let first = ordinal(said.start.datetime()?.date_naive());
    let last = ordinal(Ts(said.end.0 - 1).datetime()?.date_naive()).max(first);
    Some(if said.granularity == Granularity::Month { Period::Months(first, last) } else { Period::Days(first, last) })
}

impl Period {
    /// How well a day fits: (as a day, as a month), each 0 to 1; less the farther off it is.
    pub fn fits(&self, date: NaiveDate) -> (f32, f32) {
        let outside = |a: i64, b: i64| {
            let day = ordinal(date);
            (day - a).min(0) + (day - b).max(0)
        };
        match *self {
            Period::Days(a, b) => (near_day(outside(a, b)), 0.0),
            Period::Months(a, b) => (0.0, near_month(outside(a, b), true)),
            Period::AnyYearMonth(m) if date.month() == m => (0.0, 1.0),
            Period::AnyYearMonth(m) if date.month() == m % 12 + 1 => (0.0, near_month(i64::from(date.day()), false)),
            Period::AnyYearDay(m, d) if date.month() == m => match i64::from(date.day()) - i64::from(d) {
                -1..=1 => (1.0, 0.0),
                2..=7 => (0.6, 0.0),
                _ => (0.0, 0.0),
            },
            _ => (0.0, 0.0),
        }
    }
}

/// What is told soon after the day counts more than what is told before it (research).
fn near_day(distance: i64) -> f32 {
    match distance {
        0 => 1.0,
        1..=8 => 0.6,
        -2..=-1 => 0.3,
        9..=31 => 0.2,
        _ => 0.0,
    }
}

fn near_month(distance: i64, before_counts: bool) -> f32 {
    match distance {
        0 => 1.0,
        1..=10 => 0.5,
        -31..=-1 if before_counts => 0.15,
        _ => 0.0,
    }
}
