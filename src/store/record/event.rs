//! The record of an event, verbatim.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{RecordError, decode, encode};
use crate::event::{Event, TimeMark, Ts};

#[derive(Serialize, Deserialize)]
pub(super) struct EventRecord {
    source: String,
    id: String,
    time: i64,
    mark: u8,
    received: i64,
    kind: Option<String>,
    actor: Option<String>,
    title: Option<String>,
    text: String,
    /// JSON text; empty for none. postcard does not describe itself, so free JSON stays JSON.
    data: String,
    extra: String,
}

impl EventRecord {
    pub(super) fn of(e: &Event) -> EventRecord {
        EventRecord {
            source: e.source.clone(),
            id: e.id.clone(),
            time: e.time.0,
            mark: match e.time_mark {
                TimeMark::Given => 0,
                TimeMark::AssumedZone => 1,
                TimeMark::Received => 2,
            },
            received: e.received.0,
            kind: e.kind.clone(),
            actor: e.actor.clone(),
            title: e.title.clone(),
            text: e.text.clone(),
            data: e.data.as_ref().map(|d| d.to_string()).unwrap_or_default(),
            extra: if e.extra.is_empty() {
                String::new()
            } else {
                serde_json::Value::Object(e.extra.clone()).to_string()
            },
        }
    }

    pub(super) fn into_event(self, space: &Arc<str>) -> Result<Event, RecordError> {
        let bad = |reason: String| RecordError {
            what: "event",
            reason,
        };
        let data = match self.data.as_str() {
            "" => None,
            s => Some(serde_json::from_str(s).map_err(|e| bad(e.to_string()))?),
        };
        let extra = match self.extra.as_str() {
            "" => serde_json::Map::new(),
            s => serde_json::from_str(s).map_err(|e| bad(e.to_string()))?,
        };
        Ok(Event {
            space: space.clone(),
            source: self.source,
            id: self.id,
            time: Ts(self.time),
            time_mark: match self.mark {
                0 => TimeMark::Given,
                1 => TimeMark::AssumedZone,
                2 => TimeMark::Received,
                m => return Err(bad(format!("unknown time mark {m}"))),
            },
            received: Ts(self.received),
            kind: self.kind,
            actor: self.actor,
            title: self.title,
            text: self.text,
            data,
            extra,
        })
    }
}

pub fn encode_event(e: &Event) -> Vec<u8> {
    encode(&EventRecord::of(e))
}

pub fn decode_event(bytes: &[u8], space: &Arc<str>) -> Result<Event, RecordError> {
    decode::<EventRecord>("event", bytes)?.into_event(space)
}
