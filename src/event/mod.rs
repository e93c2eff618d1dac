//! Events: what comes in, decoded and validated, before anything is derived from it.
//!
//! An event is immutable and verbatim. Its identity is (space, source, id). This room knows
//! nothing of the rooms below it.

mod base64;
mod cloud;
mod decode;
mod fields;
mod json;
pub mod raw;
mod receipt;
pub mod reject;
mod repair;
mod settings;
mod space_name;
mod time;
mod when;

#[cfg(test)]
mod tests;

pub use cloud::decode_binary_cloudevent;
pub use decode::{DecodeCx, Decoded, decode_bytes, decode_json, decode_record};
pub use fields::REPAIRED;
pub use json::{from_json, to_json};
pub use receipt::{Receipt, ReceiptStatus};
pub use reject::Rejection;
pub use repair::repair;
pub use settings::Settings;
pub use space_name::{MAX_SPACE_CHARS, check_space};
pub use time::Ts;
pub use when::zone;

use std::sync::Arc;

/// The space of events that name none.
pub const DEFAULT_SPACE: &str = "default";

/// How the time of an event came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeMark {
    /// The producer gave an instant with an offset.
    Given,
    /// The producer gave a naive time; the configured zone was assumed.
    AssumedZone,
    /// The producer gave none; the time of receipt stands in.
    Received,
}

impl TimeMark {
    pub const ALL: [TimeMark; 3] = [TimeMark::Given, TimeMark::AssumedZone, TimeMark::Received];

    pub fn name(self) -> &'static str {
        match self {
            TimeMark::Given => "given",
            TimeMark::AssumedZone => "assumed-zone",
            TimeMark::Received => "received",
        }
    }

    pub fn from_name(name: &str) -> Option<TimeMark> {
        TimeMark::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// What makes an event the same event: sent twice, it is stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity<'a> {
    pub space: &'a str,
    pub source: &'a str,
    pub id: &'a str,
}

/// One immutable record of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub space: Arc<str>,
    /// Where the record comes from; empty when the producer did not say.
    pub source: String,
    pub id: String,
    pub time: Ts,
    pub time_mark: TimeMark,
    /// When Gyrus (or the broker) first saw the record. Part of the record, so a replay repeats it.
    pub received: Ts,
    /// The producer's own type, such as `message` or `ticket`.
    pub kind: Option<String>,
    pub actor: Option<String>,
    pub title: Option<String>,
    /// May be empty when `data` is there.
    pub text: String,
    pub data: Option<serde_json::Value>,
    /// Fields that the contract does not name, kept as they came.
    pub extra: serde_json::Map<String, serde_json::Value>,
}

impl Event {
    pub fn identity(&self) -> Identity<'_> {
        Identity {
            space: &self.space,
            source: &self.source,
            id: &self.id,
        }
    }

    /// True when both have one identity, whatever else differs: the first that came is kept.
    pub fn is_duplicate_of(&self, other: &Event) -> bool {
        self.identity() == other.identity()
    }

    /// Words that stand for a medium (an image's caption, a transcript): they count as text.
    pub fn media_text(&self) -> Option<&str> {
        let data = self.data.as_ref()?;
        ["caption", "transcript", "alt"]
            .iter()
            .find_map(|k| data.get(k)?.as_str())
    }
}
