//! Reads the `time` of a record.
//!
//! Accepted: RFC 3339 with an offset (seconds and a fraction may be left out); the same without an offset, or a
//! date alone, which is then read in the configured zone; seconds or milliseconds since 1970 as a number.
//! Precision is the millisecond, finer digits are cut.

use std::str::FromStr;

use chrono::{Duration, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeZone};
use chrono_tz::Tz;
use serde_json::Value;

use super::reject::{Rejection, code, shown};
use super::{TimeMark, Ts};

/// Numbers nearer to zero are seconds (until the year 5138), others milliseconds (from 1973 on).
const SECONDS_BELOW: f64 = 1e11;
/// First and last millisecond of the years 0 to 9999, in which RFC 3339 can say a time.
const RANGE: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// The zone of this IANA name.
///
/// # Errors
/// Code `bad-zone`, naming the setting.
pub fn zone(name: &str) -> Result<Tz, Rejection> {
    Tz::from_str(name).map_err(|_| {
        let shown = shown(&Value::from(name));
        let reason = format!(
            "event.zone is {shown}, which is no IANA zone; use a name such as \"Europe/Berlin\" or \"UTC\""
        );
        Rejection::new(code::BAD_ZONE, reason)
    })
}

/// Reads the value of the field `field`.
///
/// # Errors
/// Code `bad-time`, with the field, its value and what is accepted; `bad-zone` when a zone is needed and the configured one is unknown.
pub(super) fn read(field: &str, value: &Value, zone_name: &str) -> Result<(Ts, TimeMark), Rejection> {
    let read = match value {
        Value::Number(n) => n.as_f64().and_then(epoch).map(|ts| (ts, TimeMark::Given)),
        Value::String(s) => match parse(s.trim()) {
            Some((local, Some(offset))) => Some((ts(local - offset), TimeMark::Given)),
            Some((local, None)) => Some((ts(in_zone(local, zone(zone_name)?)), TimeMark::AssumedZone)),
            None => None,
        },
        _ => None,
    };
    read.filter(|(ts, _)| RANGE.contains(&ts.0)).ok_or_else(|| {
        let reason = format!(
            "`{field}` is {}, which is no time; accepted are RFC 3339 such as 2031-07-01T01:30:00+09:00, a time or date \
             without offset (taken in the configured zone), or seconds or milliseconds since 1970 as a number, within the years 0 to 9999",
            shown(value)
        );
        Rejection::new(code::BAD_TIME, reason)
    })
}

fn ts(utc: NaiveDateTime) -> Ts {
    Ts::from(utc.and_utc())
}

fn epoch(n: f64) -> Option<Ts> {
    let millis = if n.abs() < SECONDS_BELOW { n * 1_000.0 } else { n };
    // The range check of the caller follows; this one keeps the cast exact.
    (millis.abs() < 9e15).then_some(Ts(millis.round() as i64))
}

/// A wall-clock time as UTC. A time that the clock shows twice is the first of the two; one that it skips
/// is read with the offset before the change, so it lies as far behind the change as it was said to.
fn in_zone(local: NaiveDateTime, zone: Tz) -> NaiveDateTime {
    match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(t) | MappedLocalTime::Ambiguous(t, _) => t.naive_utc(),
        MappedLocalTime::None => {
            let before = local.checked_sub_signed(Duration::days(1)).unwrap_or(local);
            local - zone.offset_from_utc_datetime(&before).fix()
        }
    }
}

/// Local time and offset of a text such as `2031-07-01T01:30+09:00`.
fn parse(s: &str) -> Option<(NaiveDateTime, Option<chrono::FixedOffset>)> {
    let mut p = Digits(s.as_bytes());
    let year = p.number(4)?;
    p.byte(b"-")?;
    let month = p.number(2)?;
    p.byte(b"-")?;
    let date = NaiveDate::from_ymd_opt(year as i32, month, p.number(2)?)?;
    if p.0.is_empty() {
        return Some((date.and_hms_opt(0, 0, 0)?, None));
    }
    p.byte(b"Tt ")?;
    let hour = p.number(2)?;
    p.byte(b":")?;
    let minute = p.number(2)?;
    let (mut second, mut milli) = (0, 0);
    if p.byte(b":").is_some() {
        second = p.number(2)?;
        if p.byte(b".,").is_some() {
            milli = p.fraction()?;
        }
    }
    // A leap second is the first instant of the next minute.
    let leap = i64::from(second == 60);
    let local = date.and_hms_milli_opt(
        hour,
        minute,
        second.min(if leap == 1 { 59 } else { second }),
        milli,
    )?;
    let local = local.checked_add_signed(Duration::seconds(leap))?;
    Some((local, p.offset()?))
}

/// What is left of the text.
struct Digits<'a>(&'a [u8]);

impl Digits<'_> {
    fn number(&mut self, len: usize) -> Option<u32> {
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        head.iter()
            .try_fold(0, |n, c| c.is_ascii_digit().then(|| n * 10 + u32::from(c - b'0')))
    }

    fn byte(&mut self, any_of: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        any_of.contains(first).then(|| {
            self.0 = rest;
            *first
        })
    }

    /// Milliseconds out of one or more digits.
    fn fraction(&mut self) -> Option<u32> {
        let len = self.0.iter().take_while(|c| c.is_ascii_digit()).count();
        let (head, rest) = self.0.split_at(len);
        self.0 = rest;
        let three = head.iter().copied().chain([b'0', b'0', b'0']).take(3);
        (len > 0).then(|| three.fold(0, |n, c| n * 10 + u32::from(c - b'0')))
    }

    /// Everything that is left: nothing, `Z`, or hours and minutes with a sign.
    fn offset(&mut self) -> Option<Option<chrono::FixedOffset>> {
        if self.0.is_empty() {
            return Some(None);
        }
        let _ = self.byte(b" ");
        let seconds = if self.byte(b"Zz").is_some() {
            0
        } else {
            let sign = if self.byte(b"+-")? == b'-' { -1 } else { 1 };
            let hours = self.number(2)?;
            let colon = self.byte(b":").is_some();
            let minutes = if colon || !self.0.is_empty() {
                self.number(2)?
            } else {
                0
            };
            if minutes > 59 {
                return None;
            }
            sign * (hours * 3_600 + minutes * 60) as i32
        };
        self.0
            .is_empty()
            .then(|| chrono::FixedOffset::east_opt(seconds))?
            .map(Some)
    }
}
