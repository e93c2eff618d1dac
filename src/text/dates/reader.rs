//! Reading dates out of the words of a text: rules, digits, times of day, limits and tense put together.
//!
//! Each word is looked at a bounded number of times, so the cost is linear in the words.

use chrono::{DateTime, Utc};

use super::clock::{Form, clock_at};
use super::pattern::{Grammar, Match, Unit, grammar};
use super::resolve::{self, Span, Tense};
use super::sentence::Sentences;
use super::table::Meaning;
use super::{numeric, unspaced};
use crate::text::lang::Lang;
use crate::text::scan::Token;
use crate::text::{Granularity, Word};

/// A date found: bytes of the text, the rule that found it (none for dates in digits and bare times), and what it means.
pub(super) struct Found {
    pub from: usize,
    pub to: usize,
    pub rule: Option<Match>,
    pub span: Span,
    pub deadline: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Event,
    /// Small letters may be names of months, and without a tense memory looks back.
    Question,
}

/// Finds the dates of a text that is already cut into words. Linear.
pub(super) fn find(
    text: &str,
    tokens: &[Token<'_>],
    words: &[Word],
    now: DateTime<Utc>,
    lang: Lang,
    mode: Mode,
) -> Vec<Found> {
    let default = if mode == Mode::Question {
        Tense::Past
    } else {
        Tense::Unknown
    };
    if matches!(lang, Lang::Ja | Lang::Zh | Lang::Ko) {
        // No further than the words that were looked at.
        let end = tokens.last().map_or(0, |t| t.start + t.surface.len());
        return unspaced::find(&text[..end], now, default);
    }
    // A language without a table may still have dates in digits, and English ones.
    let Some(g) = grammar(lang).or_else(|| grammar(Lang::En)) else {
        return Vec::new();
    };
    let reader = Reader {
        g,
        text,
        tokens,
        words,
        now,
        lang,
        mode,
        default,
        sentences: Sentences::new(g, text, tokens, words),
    };
    reader.all()
}

struct Reader<'a> {
    g: &'static Grammar,
    text: &'a str,
    tokens: &'a [Token<'a>],
    words: &'a [Word],
    now: DateTime<Utc>,
    lang: Lang,
    mode: Mode,
    default: Tense,
    sentences: Sentences,
}

impl Reader<'_> {
    fn all(&self) -> Vec<Found> {
        let mut out = Vec::new();
        let mut i = 0;
        while i < self.words.len() {
            i = match self.at(i) {
                Some((to, found)) => {
                    out.extend(found);
                    to.max(i + 1)
                }
                None => i + 1,
            };
        }
        out
    }

    /// What begins at word `i`: the word behind it, and the date unless it is a trap.
    fn at(&self, i: usize) -> Option<(usize, Option<Found>)> {
        if let Some((to, rule, span)) = self.date(i) {
            let Some(span) = span else {
                return Some((to, None));
            };
            let (to, span) = self.clock_behind(to, span);
            return Some((to, self.found(i, to, rule, span)));
        }
        let clock = clock_at(self.g, self.words, i)?;
        let led = i > 0 && self.g.at.contains(&*self.words[i - 1].lower);
        if clock.form != Form::Bare || led {
            let date = self.day_behind(clock.to).and_then(|k| self.date(k));
            if let Some((to, rule, Some(span))) = date {
                return Some((to, self.found(i, to, rule, span.at(clock.time)?)));
            }
        }
        // A question's "at 3 pm" says nothing about the day.
        let sure = clock.form == Form::Marked || (led && clock.form == Form::Colon);
        if !sure || self.mode == Mode::Question {
            return None;
        }
        let span = Span::day(self.now.date_naive())?.at(clock.time)?;
        Some((clock.to, self.found(i, clock.to, None, span)))
    }

    /// Where the date behind a time of day begins ("3 pm on Friday", "noon tomorrow").
    fn day_behind(&self, at: usize) -> Option<usize> {
        let w = self.words.get(at)?;
        // "3 p.m. on Friday" has a full stop before its small "on"; a capital one begins a sentence.
        let on = !w.capitalised && matches!(&*w.lower, "on" | "am" | "le" | "el" | "del" | "de");
        let day = at + usize::from(on);
        let touching = day < self.words.len() && self.g.touch(self.text, self.tokens, self.words, day);
        touching.then_some(day)
    }

    /// A date at word `i` without a time of day. The span is missing when the words are a trap.
    fn date(&self, i: usize) -> Option<(usize, Option<Match>, Option<Span>)> {
        let (t, w) = (&self.tokens[i], &self.words[i]);
        if w.has_digit
            && let Some(span) = numeric::date(&w.lower, &self.text[t.start..], self.lang)
        {
            return Some((i + 1, None, Some(span)));
        }
        let lenient = self.mode == Mode::Question;
        let m = self.g.match_at(self.text, self.tokens, self.words, i, lenient)?;
        let led = matches!(m.meaning, Meaning::Month | Meaning::Year | Meaning::DayOfMonth);
        if led
            && i + 1 < self.words.len()
            && self
                .g
                .match_at(self.text, self.tokens, self.words, i + 1, lenient)
                .is_some_and(|n| n.to > m.to)
        {
            // "In June 2030": more is said without the preposition.
            return None;
        }
        let tense = match self.limit(i, m.to) {
            Some(Limit::Ahead) => Tense::Future,
            _ => self
                .lead(i)
                .or_else(|| self.sentences.tense(i, m.to))
                .unwrap_or(self.default),
        };
        if self.is_duration(&m, tense) {
            return Some((m.to, Some(m), None));
        }
        let span = resolve::resolve(&m, self.now, tense);
        Some((m.to, Some(m), span))
    }

    /// The side to which the word before a date points ("for Friday", "since Monday").
    fn lead(&self, from: usize) -> Option<Tense> {
        let low = |k: usize| from.checked_sub(k).map_or("", |i| &*self.words[i].lower);
        let word = if matches!(low(1), "the" | "den" | "dem" | "el" | "le") {
            low(2)
        } else {
            low(1)
        };
        if self.g.ahead.contains(word) {
            return Some(Tense::Future);
        }
        self.g.behind.contains(word).then_some(Tense::Past)
    }

    /// "Did it in 20 minutes": how long, not when.
    fn is_duration(&self, m: &Match, tense: Tense) -> bool {
        let short = m.slots.unit.is_some_and(|u| u <= Unit::Hour);
        tense == Tense::Past && short && matches!(m.meaning, Meaning::Offset(1, _))
    }

    fn clock_behind(&self, to: usize, span: Span) -> (usize, Span) {
        let led = self.words.get(to).is_some_and(|w| self.g.at.contains(&*w.lower));
        let from = to + usize::from(led);
        let touching =
            (to..=from).all(|k| k < self.words.len() && self.g.touch(self.text, self.tokens, self.words, k));
        match clock_at(self.g, self.words, from) {
            Some(c) if touching && span.granularity == Granularity::Day && (led || c.form != Form::Bare) => {
                (c.to, span.at(c.time).unwrap_or(span))
            }
            _ => (to, span),
        }
    }

    fn found(&self, from: usize, to: usize, rule: Option<Match>, span: Span) -> Option<Found> {
        let last = self.tokens.get(to.checked_sub(1)?)?;
        let back = rule.is_some_and(|m| matches!(m.meaning, Meaning::Offset(-1, _) | Meaning::Span(-1)));
        let deadline = !back
            && match self.limit(from, to) {
                Some(Limit::Due) => true,
                Some(Limit::Ahead) => span.end > self.now.naive_utc(),
                None => false,
            };
        Some(Found {
            from: self.tokens[from].start,
            to: last.start + last.surface.len(),
            rule,
            span,
            deadline,
        })
    }

    /// Is the date at words `from..to` said as a limit? Looks at its first words and a few before it.
    fn limit(&self, from: usize, to: usize) -> Option<Limit> {
        let kind = |i: usize| {
            let low = &*self.words[i].lower;
            if self.g.due.contains(low) {
                return Some(Limit::Due);
            }
            let later = low != "than" || i.checked_sub(1).is_some_and(|p| &*self.words[p].lower == "later");
            (self.g.limits.contains(low) && later).then_some(Limit::Ahead)
        };
        if let Some(found) = (from..to.min(from + 2)).find_map(kind) {
            return Some(found);
        }
        for i in (from.saturating_sub(LOOK_BACK)..from).rev() {
            let behind = &self.tokens[i + 1];
            let gap = self
                .text
                .get(self.tokens[i].start + self.tokens[i].surface.len()..behind.start)
                .unwrap_or("\n");
            if behind.opens && !gap.starts_with(':') {
                return None;
            }
            if let Some(found) = kind(i) {
                return Some(found);
            }
            if !self.g.between.contains(&*self.words[i].lower) {
                return None;
            }
        }
        None
    }
}

/// Words before a date that may make it a limit.
const LOOK_BACK: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// "Due Friday": a limit even when it has passed.
    Due,
    /// "By Friday": a limit only when it lies ahead.
    Ahead,
}
