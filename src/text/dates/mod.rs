//! Dates said in words: found, and resolved against the time of the event or of the question.
//!
//! How dates are said is data (`table`), one table a language. Days are those of UTC. A weekday, a day and
//! month, or a month alone is looked for forwards or backwards by the tense of its sentence.
//! Linear in the words; a date that cannot exist is no date.

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use crate::event::Ts;
use crate::text::lang::{self, Lang};
use crate::text::scan::{self, Token};
use crate::text::{DateMention, Granularity, Section, Word, words};

mod clock;
mod numeric;
mod pattern;
mod resolve;
mod sentence;
mod table;
mod unspaced;

use pattern::{Grammar, Match, grammar};
use resolve::{Span, Tense};
use sentence::Sentences;
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

/// A date found: bytes of the text, the rule that found it (none for dates in digits and bare times), and what it means.
struct Found {
    from: usize,
    to: usize,
    rule: Option<Match>,
    span: Span,
    deadline: bool,
}

/// Dates said in a text, in reading order, resolved against the instant `at`. The language is guessed.
pub fn mentions(text: &str, at: Ts) -> Vec<DateMention> {
    let text = words::nfc(text);
    let (tokens, _) = scan::scan(&text, scan::MAX_TOKENS);
    let lang = lang::guess_tokens(&tokens, Lang::En);
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
    let lang = lang::guess_tokens(&tokens, Lang::En);
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
        .checked_sub_signed(chrono::Duration::seconds(1))
        .map_or(first, |e| day(e.date()));
    if last - first < 7 {
        DateSpan::Day { first, last }
    } else {
        DateSpan::Month { first, last }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Event,
    /// Small letters may be names of months, and without a tense memory looks back.
    Question,
}

fn find(
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
        let end = tokens.last().map_or(0, |t| t.start + t.surface.len());
        // The last token may be followed by a word that makes it a limit.
        let found = unspaced::find(&text[..end], now, default).into_iter();
        return found
            .map(|f| Found {
                from: f.from,
                to: f.to,
                rule: Some(Match {
                    from: usize::MAX,
                    to: usize::MAX,
                    ..f.m
                }),
                span: f.span,
                deadline: f.deadline,
            })
            .collect();
    }
    let (Some(g), Some(english)) = (
        grammar(lang).or_else(|| grammar(Lang::En)),
        grammar(Lang::En),
    ) else {
        return Vec::new();
    };
    let reader = Reader {
        g,
        english,
        text,
        tokens,
        words,
        now,
        lang,
        mode,
        default,
        sentences: Sentences::new(g, tokens, words),
    };
    reader.all()
}

struct Reader<'a> {
    g: &'static Grammar,
    english: &'static Grammar,
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
        let clock = clock::clock_at(self.g, self.words, i)?;
        let led = i > 0 && self.g.at.contains(&*self.words[i - 1].lower);
        let on = |k: usize| {
            self.words
                .get(k)
                .is_some_and(|w| matches!(&*w.lower, "on" | "am" | "le" | "el" | "del" | "de"))
        };
        let date_at = [clock.to, clock.to + 1]
            .into_iter()
            .find(|&k| k == clock.to || on(k - 1));
        let date = date_at
            .into_iter()
            .chain(on(clock.to).then_some(clock.to + 1))
            .filter(|&k| {
                k < self.words.len() && self.g.touch(self.text, self.tokens, self.words, k)
            })
            .find_map(|k| self.date(k));
        match date {
            Some((to, rule, Some(span))) if clock.form != clock::Form::Bare || led => {
                Some((to, self.found(i, to, rule, span.at(clock.time)?)))
            }
            _ => {
                let sure =
                    clock.form == clock::Form::Marked || (led && clock.form == clock::Form::Colon);
                let span = Span::day(self.now.date_naive())?.at(clock.time)?;
                sure.then(|| (clock.to, self.found(i, clock.to, None, span)))
            }
        }
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
        let m = self
            .g
            .match_at(self.text, self.tokens, self.words, i, lenient);
        let m = m.or_else(|| {
            // English dates are understood in texts whose language has no table.
            (self.g.table.lang != self.lang).then(|| {
                self.english
                    .match_at(self.text, self.tokens, self.words, i, lenient)
            })?
        })?;
        let led = matches!(
            m.meaning,
            Meaning::Month | Meaning::Year | Meaning::DayOfMonth
        );
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
            _ => self.sentences.tense(i, m.to).unwrap_or(self.default),
        };
        let span = resolve::resolve(&m, self.now, tense);
        Some((m.to, Some(m), span))
    }

    fn clock_behind(&self, to: usize, span: Span) -> (usize, Span) {
        let led = self
            .words
            .get(to)
            .is_some_and(|w| self.g.at.contains(&*w.lower));
        let from = to + usize::from(led);
        let touching = (to..=from)
            .all(|k| k < self.words.len() && self.g.touch(self.text, self.tokens, self.words, k));
        match clock::clock_at(self.g, self.words, from) {
            Some(c)
                if touching
                    && span.granularity == Granularity::Day
                    && (led || c.form != clock::Form::Bare) =>
            {
                (c.to, span.at(c.time).unwrap_or(span))
            }
            _ => (to, span),
        }
    }

    fn found(&self, from: usize, to: usize, rule: Option<Match>, span: Span) -> Option<Found> {
        let last = self.tokens.get(to.checked_sub(1)?)?;
        let back =
            rule.is_some_and(|m| matches!(m.meaning, Meaning::Offset(-1, _) | Meaning::Span(-1)));
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
            let later = low != "than"
                || i.checked_sub(1)
                    .is_some_and(|p| &*self.words[p].lower == "later");
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

#[cfg(test)]
mod tests;
