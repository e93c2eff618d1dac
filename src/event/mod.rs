//! Events: what comes in, decoded and validated, before anything is derived from it.
//!
//! An event is immutable and verbatim. Its identity is (space, source, id). This room knows
//! nothing of the rooms below it.

mod time;

pub use time::Ts;

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
    /// Words that stand for a medium (an image's caption, a transcript): they count as text.
    pub fn media_text(&self) -> Option<&str> {
        let data = self.data.as_ref()?;
        ["caption", "transcript", "alt"].iter().find_map(|k| data.get(k)?.as_str())
    }
}
