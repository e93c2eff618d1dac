//! What a record means: events, an erasure, feedback, or poison.
//!
//! Pure: the same record and context give the same answer, so a redelivery repeats it. Nothing a
//! record holds makes it panic; what cannot be read becomes [`Input::Poison`] with a stable code.

use crate::event::{self, DecodeCx, Event, Rejection, Ts, check_space};
use crate::intent::Feedback;

use super::{Record, feedback};

/// Codes that this room adds to those of [`crate::event::reject::code`]; never renamed.
pub mod code {
    /// The source could not hand over the record whole.
    pub const DEFECT: &str = "defect";
    /// A null value without a key and without a `ce_id` header names nothing.
    pub const TOMBSTONE_WITHOUT_KEY: &str = "tombstone-without-key";
    /// A tombstone's key or header is no text.
    pub const BAD_KEY: &str = "bad-key";
    /// Feedback that cannot be read.
    pub const BAD_FEEDBACK: &str = "bad-feedback";
}

/// What the caller knows when it classifies.
#[derive(Clone, Copy, Debug)]
pub struct ClassifyCx<'a> {
    pub settings: &'a event::Settings,
    /// Records of this topic are feedback.
    pub feedback_topic: Option<&'a str>,
    /// Time of receipt for records that carry none (lines of files).
    pub received: Ts,
    /// Space of records that name none and have no key; `None`: the settings' default.
    pub space: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// At least one event. `rejected` holds the records of a batch that were not taken, in order.
    Events {
        events: Vec<Event>,
        rejected: Vec<Rejection>,
    },
    Tombstone(Tombstone),
    Feedback {
        space: String,
        feedback: Feedback,
    },
    Poison(Poison),
}

/// Names the event to erase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The `ce_id` header, else the key.
    pub id: String,
    /// The `ce_space` header, if there is one.
    pub space: Option<String>,
    /// The `ce_source` header, if there is one; without it any source of that id is meant.
    pub source: Option<String>,
    /// The record's key, if it is text.
    pub key: Option<String>,
}

impl Tombstone {
    /// Spaces to look in, in order: the named one alone; else the one that the key names (a record
    /// without a space belongs to the space of its key), then the default.
    pub fn spaces<'a>(&'a self, default: &'a str) -> Vec<&'a str> {
        match (&self.space, self.key.as_deref()) {
            (Some(space), _) => vec![space],
            (None, Some(key)) if key != default && check_space(key).is_ok() => vec![key, default],
            _ => vec![default],
        }
    }

    /// The one space to which an event that nobody has yet would belong.
    pub fn home<'a>(&'a self, default: &'a str) -> &'a str {
        // A key that is the event's own id names no space.
        match self.key.as_deref() {
            Some(key) if key == self.id && self.space.is_none() => default,
            _ => self.spaces(default)[0],
        }
    }
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poison {
    pub code: &'static str,
    pub reason: String,
}

impl From<Rejection> for Poison {
    fn from(r: Rejection) -> Poison {
        Poison {
            code: r.code,
            reason: r.reason,
        }
    }
}

fn poison(code: &'static str, reason: impl Into<String>) -> Input {
    Input::Poison(Poison {
        code,
        reason: reason.into(),
    })
}

/// Says what a record means. Cost: linear in its bytes.
pub fn classify(record: &Record, cx: &ClassifyCx<'_>) -> Input {
    if let Some(defect) = &record.defect {
        return poison(code::DEFECT, defect.as_str());
    }
    let is_feedback = cx
        .feedback_topic
        .is_some_and(|t| !t.is_empty() && *t == *record.topic);
    match (&record.value, is_feedback) {
        (Some(value), true) => match feedback::read(record, value, cx) {
            Ok((space, feedback)) => Input::Feedback { space, feedback },
            Err(reason) => poison(code::BAD_FEEDBACK, reason),
        },
        (None, true) => poison(
            code::BAD_FEEDBACK,
            "the record has no value; a JSON object is needed",
        ),
        (Some(value), false) => events(record, value, cx),
        (None, false) => tombstone(record),
    }
}

fn events(record: &Record, value: &[u8], cx: &ClassifyCx<'_>) -> Input {
    let received = record.timestamp_ms.map_or(cx.received, Ts);
    let mut decode = DecodeCx::new(received, cx.settings);
    decode.fallback_space = key_space(record).or(cx.space);
    let headers: Vec<(&str, &[u8])> = record
        .headers
        .iter()
        .map(|(k, v)| (k.as_str(), v.as_slice()))
        .collect();
    let decoded = match event::decode_record(&headers, value, &decode) {
        Ok(decoded) => decoded,
        Err(rejection) => return Input::Poison(rejection.into()),
    };
    let mut events = Vec::with_capacity(decoded.len());
    let mut rejected = Vec::new();
    for one in decoded {
        match one {
            Ok(event) => events.push(event),
            Err(rejection) => rejected.push(rejection),
        }
    }
    if !events.is_empty() {
        return Input::Events { events, rejected };
    }
    let more = rejected.len().saturating_sub(1);
    match rejected.into_iter().next() {
        Some(first) if more > 0 => poison(
            first.code,
            format!(
                "{} (and {more} more records of the batch were refused)",
                first.reason
            ),
        ),
        Some(first) => Input::Poison(first.into()),
        None => poison(event::reject::code::EMPTY_INPUT, "the batch holds no record"),
    }
}

/// The key as the space of records that name none: only when it can be one.
pub(super) fn key_space(record: &Record) -> Option<&str> {
    let key = std::str::from_utf8(record.key.as_deref()?).ok()?;
    check_space(key).is_ok().then_some(key)
}

fn tombstone(record: &Record) -> Input {
    let header = |name: &str| -> Result<Option<String>, Poison> {
        let found = record
            .header(&format!("ce_{name}"))
            .or_else(|| record.header(&format!("ce-{name}")));
        let Some(bytes) = found.filter(|b| !b.is_empty()) else {
            return Ok(None);
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(Poison {
                code: code::BAD_KEY,
                reason: format!("the header ce_{name} of the tombstone is no UTF-8"),
            }),
        }
    };
    let (id, space, source) = match (header("id"), header("space"), header("source")) {
        (Ok(id), Ok(space), Ok(source)) => (id, space, source),
        (Err(p), ..) | (_, Err(p), _) | (.., Err(p)) => return Input::Poison(p),
    };
    if space.as_deref().is_some_and(|s| check_space(s).is_err()) {
        return poison(
            event::reject::code::BAD_SPACE,
            "the header ce_space of the tombstone is no name of a space",
        );
    }
    let key = record.key.as_deref().filter(|k| !k.is_empty());
    let text_key = key.and_then(|k| std::str::from_utf8(k).ok()).map(str::to_owned);
    let id = match (id, &text_key, key) {
        (Some(id), ..) => id,
        (None, Some(key), _) => key.clone(),
        (None, None, Some(_)) => {
            return poison(code::BAD_KEY, "the key of the tombstone is no UTF-8");
        }
        (None, None, None) => {
            return poison(
                code::TOMBSTONE_WITHOUT_KEY,
                "a record without a value erases the event that its key or ce_id header names; it has neither",
            );
        }
    };
    Input::Tombstone(Tombstone {
        id,
        space,
        source,
        key: text_key,
    })
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
