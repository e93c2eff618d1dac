//! Why a record was not taken: a stable code for programs, a sentence for people.
//!
//! A reason may quote the record's own values, shortened. It never names a space: a reason can
//! reach a caller who may not know that other spaces exist.

use serde_json::Value;

/// The stable codes, in kebab case. Clients may match on them; a code is never renamed.
pub mod code {
    /// Nothing but white space came.
    pub const EMPTY_INPUT: &str = "empty-input";
    /// The bytes are not JSON.
    pub const MALFORMED_JSON: &str = "malformed-json";
    /// JSON, but not an object.
    pub const NOT_AN_OBJECT: &str = "not-an-object";
    /// Larger than `event.max_event_bytes`.
    pub const TOO_LARGE: &str = "too-large";
    /// No `id`, or a blank one.
    pub const MISSING_ID: &str = "missing-id";
    /// An `id` that cannot serve as one.
    pub const BAD_ID: &str = "bad-id";
    /// Neither `text` nor `data` says anything.
    pub const EMPTY_CONTENT: &str = "empty-content";
    /// A `time` that cannot be read.
    pub const BAD_TIME: &str = "bad-time";
    /// Another field of the contract with a value it cannot have.
    pub const BAD_FIELD: &str = "bad-field";
    /// A space name that breaks the rules for names.
    pub const BAD_SPACE: &str = "bad-space";
    /// The record names another space than the call it came in.
    pub const SPACE_MISMATCH: &str = "space-mismatch";
    /// A CloudEvent that breaks its own specification.
    pub const BAD_CLOUDEVENT: &str = "bad-cloudevent";
    /// The configured zone is unknown; the operator's fault, not the producer's.
    pub const BAD_ZONE: &str = "bad-zone";
}

/// A record that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Rejection {
    /// One of [`code`].
    pub code: &'static str,
    /// One sentence: what is wrong, and what would be accepted.
    pub reason: String,
    /// The record's id, when it could be read.
    pub id: Option<String>,
}

impl Rejection {
    pub(super) fn new(code: &'static str, reason: impl Into<String>) -> Rejection {
        Rejection {
            code,
            reason: reason.into(),
            id: None,
        }
    }

    pub(super) fn with_id(mut self, id: Option<String>) -> Rejection {
        self.id = self.id.or(id);
        self
    }
}

/// At most this many characters of a value are quoted.
const SHOWN_CHARS: usize = 48;

/// A value as a reason quotes it: JSON, shortened, on one line.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(s) => {
            let head: String = s.chars().take(SHOWN_CHARS + 1).collect();
            shortened(&Value::String(head).to_string())
        }
        Value::Array(a) => format!("an array of {}", a.len()),
        Value::Object(o) => format!("an object of {} fields", o.len()),
        other => shortened(&other.to_string()),
    }
}

fn shortened(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    match text.char_indices().nth(SHOWN_CHARS) {
        None => text.chars().map(clean).collect(),
        Some((end, _)) => text[..end].chars().map(clean).chain(['\u{2026}']).collect(),
    }
}

/// The JSON type of a value, for reasons.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
