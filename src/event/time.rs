//! Instants, as the core counts them.

use chrono::{DateTime, Utc};

/// An instant: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ts(pub i64);

impl Ts {
    pub const SECOND: i64 = 1_000;
    pub const HOUR: i64 = 3_600_000;
    pub const DAY: i64 = 24 * Self::HOUR;

    /// Hours from `earlier` to `self`; negative when `earlier` is later.
    pub fn hours_since(self, earlier: Ts) -> f64 {
        (self.0 - earlier.0) as f64 / Self::HOUR as f64
    }

    /// The same instant for calendar work; `None` outside chrono's range (about 262,000 years).
    pub fn datetime(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_millis(self.0)
    }

    /// RFC 3339 in UTC with the fewest digits that keep it exact.
    pub fn rfc3339(self) -> String {
        match self.datetime() {
            Some(t) => t.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
            None => format!("{}ms", self.0),
        }
    }
}

impl From<DateTime<Utc>> for Ts {
    fn from(t: DateTime<Utc>) -> Self {
        Ts(t.timestamp_millis())
    }
}
