//! Times of day: 14:00, 3 pm, 10.30 Uhr, 14h30, noon.

use chrono::NaiveTime;

use super::pattern::Grammar;
use crate::text::Word;

/// A time of day; it ends before word `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub time: NaiveTime,
    pub to: usize,
    pub form: Form,
}

/// How surely it is a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Says so itself ("3 pm").
    Marked,
    /// Hour and minutes; may be a score or a ratio.
    Colon,
    /// A number alone ("at 3").
    Bare,
}

/// The time of day at word `i`, if there is one.
pub(super) fn clock_at(g: &Grammar, words: &[Word], i: usize) -> Option<Clock> {
    let low = &*words.get(i)?.lower;
    if matches!(low, "noon" | "midday" | "mittag" | "mediodía" | "midi") {
        return clock(12, 0, None, i + 1, Form::Marked);
    }
    let (number, mark) = low.split_at(
        low.find(|c: char| !matches!(c, '0'..='9' | ':' | '.'))
            .unwrap_or(low.len()),
    );
    let (h, m) = hour_minute(number)?;
    let next = |k: usize| words.get(i + k).map_or("", |w| &*w.lower);
    match mark {
        "am" | "pm" => clock(h, m, Some(mark == "pm"), i + 1, Form::Marked),
        "h" | "uhr" => clock(h, m, None, i + 1, Form::Marked),
        "" => match (next(1), next(2)) {
            (half @ ("am" | "pm"), _) => clock(h, m, Some(half == "pm"), i + 2, Form::Marked),
            (half @ ("a" | "p"), "m") => clock(h, m, Some(half == "p"), i + 3, Form::Marked),
            (mark, _) if g.clock.contains(mark) => clock(h, m, None, i + 2, Form::Marked),
            _ if number.contains(':') => clock(h, m, None, i + 1, Form::Colon),
            _ if number.contains('.') => None,
            _ => clock(h, m, None, i + 1, Form::Bare),
        },
        _ => {
            let minutes = mark.strip_prefix('h').filter(|m| m.len() == 2)?;
            clock(h, minutes.parse().ok()?, None, i + 1, Form::Marked)
        }
    }
}

/// Hours and minutes; seconds are passed over.
fn hour_minute(number: &str) -> Option<(u32, u32)> {
    let mut parts = number.split([':', '.']);
    let h = parts
        .next()
        .filter(|h| (1..=2).contains(&h.len()))?
        .parse()
        .ok()?;
    let m = match parts.next() {
        Some(m) if m.len() == 2 => m.parse().ok()?,
        Some(_) => return None,
        None => 0,
    };
    let rest_fits = parts.next().is_none_or(|s| s.len() == 2) && parts.next().is_none();
    rest_fits.then_some((h, m))
}

fn clock(h: u32, m: u32, afternoon: Option<bool>, to: usize, form: Form) -> Option<Clock> {
    let h = match afternoon {
        Some(_) if !(1..=12).contains(&h) => return None,
        Some(pm) => h % 12 + if pm { 12 } else { 0 },
        // "At 3" is in the afternoon, "at 9" in the morning: office hours.
        None if form == Form::Bare && (1..=6).contains(&h) => h + 12,
        None => h,
    };
    Some(Clock {
        time: NaiveTime::from_hms_opt(h, m, 0)?,
        to,
        form,
    })
}
