//! From what a text says to a span of time: calendar arithmetic in UTC.
//!
//! Everything is checked: a date outside the calendar's range resolves to nothing.

use chrono::{DateTime, Datelike, Days, Duration, Months, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::pattern::{Match, Slots, Unit};
use super::table::Meaning;
use crate::text::Granularity;

/// Which way a sentence looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Future,
    Unknown,
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub start: NaiveDateTime,
    pub end: NaiveDateTime,
    pub granularity: Granularity,
}

impl Span {
    pub(super) fn days(first: NaiveDate, end: NaiveDate, granularity: Granularity) -> Span {
        Span {
            start: first.and_time(NaiveTime::MIN),
            end: end.and_time(NaiveTime::MIN),
            granularity,
        }
    }

    pub(super) fn day(day: NaiveDate) -> Option<Span> {
        Some(Span::days(day, day.succ_opt()?, Granularity::Day))
    }

    /// The minute of that day; only for spans of one day.
    pub(super) fn at(self, time: NaiveTime) -> Option<Span> {
        if self.granularity != Granularity::Day || self.end - self.start != Duration::days(1) {
            return Some(self);
        }
        let start = self.start.date().and_time(time);
        Some(Span {
            start,
            end: start.checked_add_signed(Duration::minutes(1))?,
            granularity: Granularity::Minute,
        })
    }
}

pub(super) fn add_days(day: NaiveDate, n: i64) -> Option<NaiveDate> {
    let days = Days::new(n.unsigned_abs());
    if n < 0 {
        day.checked_sub_days(days)
    } else {
        day.checked_add_days(days)
    }
}

fn add_months(day: NaiveDate, n: i64) -> Option<NaiveDate> {
    let months = Months::new(u32::try_from(n.unsigned_abs()).ok()?);
    if n < 0 {
        day.checked_sub_months(months)
    } else {
        day.checked_add_months(months)
    }
}

/// Monday of the week.
pub(super) fn monday(day: NaiveDate) -> Option<NaiveDate> {
    add_days(day, -i64::from(day.weekday().num_days_from_monday()))
}

pub(super) fn month_span(first: NaiveDate) -> Option<Span> {
    Some(Span::days(first, add_months(first, 1)?, Granularity::Month))
}

/// The calendar unit around a day, moved by `n` units.
pub(super) fn unit_span(today: NaiveDate, unit: Unit, n: i64) -> Option<Span> {
    match unit {
        Unit::Minute | Unit::Hour | Unit::Day => Span::day(add_days(today, n)?),
        Unit::Week => {
            let first = add_days(monday(today)?, 7 * n)?;
            Some(Span::days(first, add_days(first, 7)?, Granularity::Week))
        }
        Unit::Month => month_span(add_months(today.with_day(1)?, n)?),
        Unit::Year => year_span(today.year().checked_add(i32::try_from(n).ok()?)?),
    }
}

fn year_span(year: i32) -> Option<Span> {
    let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
    Some(Span::days(
        first,
        NaiveDate::from_ymd_opt(year.checked_add(1)?, 1, 1)?,
        Granularity::Year,
    ))
}

/// Resolves a match. Costs a few calendar steps.
pub(super) fn resolve(m: &Match, at: DateTime<Utc>, tense: Tense) -> Option<Span> {
    let today = at.date_naive();
    let s = &m.slots;
    match m.meaning {
        Meaning::Nothing => None,
        Meaning::Days(n) => Span::day(add_days(today, n)?),
        Meaning::Offset(sign, n) => offset(at, sign * n.or(s.n)?, s.unit?),
        Meaning::Unit(n) => unit_span(today, s.unit?, n),
        Meaning::Span(sign) => stretch(today, sign, s),
        Meaning::Weekday(way) => weekday(today, s.weekday?, way, tense),
        Meaning::AnyWeekday => weekday(
            today,
            s.weekday?,
            if tense == Tense::Past { -1 } else { 1 },
            tense,
        ),
        Meaning::WeekdayOf(n) => Span::day(add_days(monday(today)?, 7 * n + i64::from(s.weekday?))?),
        Meaning::Weekend(n) => weekend(today, n, tense),
        Meaning::Date => Span::day(date(today, s, tense)?),
        Meaning::WeekdayDay => weekday_day(today, s, tense),
        Meaning::Every => weekday(today, s.weekday?, 0, Tense::Future),
        Meaning::Month => month_span(month(today, s, tense)?),
        Meaning::Third(part) => {
            let first = month(today, s, tense)?;
            let end = if part == 2 {
                add_months(first, 1)?
            } else {
                first.with_day(10 * part + 11)?
            };
            Some(Span::days(first.with_day(10 * part + 1)?, end, Granularity::Week))
        }
        Meaning::NthWeek => {
            let first = month(today, s, tense)?;
            let start = match s.nth? {
                0 | 5 => add_days(add_months(first, 1)?, -7)?,
                n => first.with_day(7 * n - 6)?,
            };
            Some(Span::days(start, add_days(start, 7)?, Granularity::Week))
        }
        Meaning::Year => year_span(s.year?),
        Meaning::DayOfMonth => Span::day(day_of_month(today, s.day?, tense)?),
        Meaning::EndOf => {
            let span = match s.unit {
                Some(unit) => unit_span(today, unit, 0)?,
                None => month_span(month(today, s, tense)?)?,
            };
            Span::day(span.end.date().pred_opt()?)
        }
    }
}

/// N units ahead or back. Ahead, days and weeks are exact (plans have a day); back, a week, month or year is the calendar unit.
fn offset(at: DateTime<Utc>, n: i64, unit: Unit) -> Option<Span> {
    let today = at.date_naive();
    let fine = |d: Duration| {
        let start = at.naive_utc().checked_add_signed(d)?;
        let start = start.date().and_hms_opt(
            chrono::Timelike::hour(&start),
            chrono::Timelike::minute(&start),
            0,
        )?;
        Some(Span {
            start,
            end: start.checked_add_signed(Duration::minutes(1))?,
            granularity: Granularity::Minute,
        })
    };
    match unit {
        Unit::Minute => fine(Duration::minutes(n)),
        Unit::Hour => fine(Duration::hours(n)),
        Unit::Day => Span::day(add_days(today, n)?),
        Unit::Week if n >= 0 => Span::day(add_days(today, 7 * n)?),
        _ => unit_span(today, unit, n),
    }
}

/// The last or next n units, today included.
fn stretch(today: NaiveDate, sign: i64, s: &Slots) -> Option<Span> {
    let (unit, n) = (s.unit?, s.n.unwrap_or(1) * sign);
    let far = match unit {
        Unit::Minute | Unit::Hour => return Span::day(today),
        Unit::Day => add_days(today, n)?,
        Unit::Week => add_days(today, 7 * n)?,
        Unit::Month => add_months(today, n)?,
        Unit::Year => add_months(today, 12 * n)?,
    };
    let granularity = match unit {
        Unit::Month => Granularity::Month,
        Unit::Year => Granularity::Year,
        _ => Granularity::Week,
    };
    Some(Span::days(
        far.min(today),
        far.max(today).succ_opt()?,
        granularity,
    ))
}

/// Next and last are strictly later and earlier; "this" may be today.
fn weekday(today: NaiveDate, wanted: u32, way: i64, tense: Tense) -> Option<Span> {
    let ahead = (7 + i64::from(wanted) - i64::from(today.weekday().num_days_from_monday())) % 7;
    let n = match way {
        1 if ahead == 0 => 7,
        1 => ahead,
        0 if tense == Tense::Past => (ahead - 7) % 7,
        0 => ahead,
        _ => ahead - 7,
    };
    Span::day(add_days(today, n)?)
}

fn weekend(today: NaiveDate, n: Option<i64>, tense: Tense) -> Option<Span> {
    let n = n.unwrap_or(
        if tense == Tense::Past && today.weekday().num_days_from_monday() < 5 {
            -1
        } else {
            0
        },
    );
    let saturday = add_days(monday(today)?, 7 * n + 5)?;
    Some(Span::days(saturday, add_days(saturday, 2)?, Granularity::Day))
}

/// A day and month. Without a year: of the years in which the weekday is right, if it is said, the nearest.
fn date(today: NaiveDate, s: &Slots, tense: Tense) -> Option<NaiveDate> {
    let (month, day) = (s.month?, s.day?);
    if let Some(year) = s.year {
        return NaiveDate::from_ymd_opt(year, month, day);
    }
    // Eight years around hold at least one 29 February.
    let years = || (-8..=8).filter_map(|k| NaiveDate::from_ymd_opt(today.year().checked_add(k)?, month, day));
    let agrees = |d: &NaiveDate| s.weekday.is_some_and(|w| d.weekday().num_days_from_monday() == w);
    let near = |d: &NaiveDate| (*d - today).num_days().abs() <= 366;
    nearest(years().filter(agrees).filter(near), today, tense).or_else(|| nearest(years(), today, tense))
}

/// A weekday and a day of the month that agree in a month near ("Thursday the 14th"); else only the weekday counts.
fn weekday_day(today: NaiveDate, s: &Slots, tense: Tense) -> Option<Span> {
    let (first, wanted, day) = (today.with_day(1)?, s.weekday?, s.day?);
    let days = (-3..=3).filter_map(|k| add_months(first, k)?.with_day(day));
    let agreeing = days.filter(|d| d.weekday().num_days_from_monday() == wanted);
    match nearest(agreeing, today, tense) {
        Some(day) => Span::day(day),
        None => weekday(today, wanted, if tense == Tense::Past { -1 } else { 1 }, tense),
    }
}

/// The nearest day; a day on the side that the tense does not look to counts as [`WRONG_SIDE`] times as far, because
/// tense is weak evidence ("they moved it to 3 May"). Of two as near, the later one.
fn nearest(days: impl Iterator<Item = NaiveDate>, today: NaiveDate, tense: Tense) -> Option<NaiveDate> {
    days.min_by_key(|d| {
        let n = (*d - today).num_days();
        let wrong = (tense == Tense::Past && n > 0) || (tense == Tense::Future && n < 0);
        (
            n.abs() * if wrong { WRONG_SIDE } else { 1 },
            std::cmp::Reverse(*d),
        )
    })
}

const WRONG_SIDE: i64 = 4;

/// First day of the month said.
fn month(today: NaiveDate, s: &Slots, tense: Tense) -> Option<NaiveDate> {
    let wanted = s.month?;
    if let Some(year) = s.year {
        return NaiveDate::from_ymd_opt(year, wanted, 1);
    }
    let years = (-1..=1).filter_map(|k| NaiveDate::from_ymd_opt(today.year().checked_add(k)?, wanted, 1));
    nearest(years, today.with_day(1)?, tense)
}

fn day_of_month(today: NaiveDate, day: u32, tense: Tense) -> Option<NaiveDate> {
    let first = today.with_day(1)?;
    // Of three months in a row at least one has the day.
    let days = (-3..=3).filter_map(|k| add_months(first, k)?.with_day(day));
    nearest(days, today, tense)
}
