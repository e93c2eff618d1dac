//! Dates in digits: 2031-03-01, 2031-03-01T10:00, 1.3.2031, 13/03/2031.

use chrono::{DateTime, Duration, NaiveDate, NaiveDateTime};

use super::resolve::Span;
use crate::text::Granularity;
use crate::text::lang::Lang;

/// The date that a token in digits names. `rest` is the text from the token's start on (for an offset behind an instant). A date
/// whose day and month could be swapped counts only outside English, where the day always comes first.
pub(super) fn date(low: &str, rest: &str, lang: Lang) -> Option<Span> {
    if low.len() < 8 || !low.as_bytes()[0].is_ascii_digit() {
        return None;
    }
    if low.len() >= 16 {
        return instant(low, rest);
    }
    let sep = low
        .chars()
        .find(|c| !c.is_ascii_digit())
        .filter(|c| matches!(c, '-' | '/' | '.'))?;
    let mut parts = low.split(sep);
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some()
        || ![a, b, c]
            .iter()
            .all(|p| (1..=4).contains(&p.len()) && p.bytes().all(|x| x.is_ascii_digit()))
    {
        return None;
    }
    let (x, y, z): (u32, u32, u32) = (a.parse().ok()?, b.parse().ok()?, c.parse().ok()?);
    let day = if a.len() == 4 && b.len() <= 2 && c.len() <= 2 {
        ymd(x, y, z)
    } else if c.len() == 4 && a.len() <= 2 && b.len() <= 2 {
        match (sep, lang) {
            ('.', _) => ymd(z, y, x),
            _ if x > 12 || x == y || lang != Lang::En => ymd(z, y, x),
            _ if y > 12 => ymd(z, x, y),
            _ => None,
        }
    } else {
        None
    };
    Span::day(day?)
}

fn ymd(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    if !(1000..3000).contains(&year) {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

fn instant(low: &str, rest: &str) -> Option<Span> {
    let offset = rest
        .get(low.len()..low.len() + 6)
        .filter(|o| o.starts_with(['+', '-']));
    let with_offset =
        offset.and_then(|o| DateTime::parse_from_rfc3339(&format!("{}{o}", low.to_uppercase())).ok());
    let bare = low.trim_end_matches('z').to_uppercase();
    let start = match with_offset {
        Some(t) => t.naive_utc(),
        None => ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"]
            .iter()
            .find_map(|f| NaiveDateTime::parse_from_str(&bare, f).ok())?,
    };
    Some(Span {
        start,
        end: start.checked_add_signed(Duration::minutes(1))?,
        granularity: Granularity::Minute,
    })
}
