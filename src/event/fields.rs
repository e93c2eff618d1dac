//! The fields of the contract, taken out of one JSON object and checked.
//!
//! Both forms of a record, native and CloudEvent, come through here, so that the rules for ids,
//! times and spaces stand in one place.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::reject::{Rejection, code, shown, type_name};
use super::space_name::check_space;
use super::{DecodeCx, Event, TimeMark, Ts, when};

/// Set to true in `Event::extra` of a record whose Unicode was repaired.
pub const REPAIRED: &str = "gyrus_repaired";
/// How the time came to be, when it was not given; see [`TimeMark::name`].
pub(super) const TIME_MARK: &str = "gyrus_time_mark";
/// Time of receipt in milliseconds; read back only from Gyrus' own records.
pub(super) const RECEIVED: &str = "gyrus_received";

/// Values as they came; null counts as missing for the fields of the contract.
#[derive(Default)]
pub(super) struct Fields {
    pub id: Option<Value>,
    pub space: Option<Value>,
    pub source: Option<Value>,
    pub time: Option<Value>,
    pub kind: Option<Value>,
    pub actor: Option<Value>,
    pub title: Option<Value>,
    pub text: Option<Value>,
    pub data: Option<Value>,
    pub time_mark: Option<Value>,
    pub received: Option<Value>,
    pub extra: Map<String, Value>,
}

impl Fields {
    pub fn of(map: Map<String, Value>) -> Fields {
        let mut f = Fields::default();
        for (key, value) in map {
            let slot = match key.as_str() {
                "id" => &mut f.id,
                "space" => &mut f.space,
                "source" => &mut f.source,
                "time" => &mut f.time,
                "type" => &mut f.kind,
                "actor" => &mut f.actor,
                "title" => &mut f.title,
                "text" => &mut f.text,
                "data" => &mut f.data,
                TIME_MARK => &mut f.time_mark,
                RECEIVED => &mut f.received,
                _ => {
                    f.extra.insert(key, value);
                    continue;
                }
            };
            *slot = Some(value).filter(|v| !v.is_null());
        }
        f
    }

    /// The id as far as it can be read, for receipts of refused records.
    pub fn readable_id(&self) -> Option<String> {
        readable_id(self.id.as_ref()?)
    }

    /// Checks everything and makes the event.
    pub fn into_event(mut self, cx: &DecodeCx<'_>) -> Result<Event, Rejection> {
        let max = cx.settings.max_id_bytes;
        let repaired = self.extra.get(REPAIRED) == Some(&Value::Bool(true));
        let id = id(self.id.take(), max)?;
        let source = name("source", self.source.take(), max)?;
        for (field, value) in [("id", Some(&id)), ("source", source.as_ref())] {
            // Two broken ids can be repaired to one: the second record would pass for a duplicate and be lost.
            if repaired && value.is_some_and(|v| v.contains('\u{fffd}')) {
                let reason =
                    format!("`{field}` holds broken Unicode, so it cannot tell this record from others");
                return Err(Rejection::new(code::BAD_ID, reason));
            }
        }
        let (time, time_mark) = self.time(cx)?;
        let kind = words("type", self.kind.take())?;
        let kind = short("type", kind, max)?;
        let (text, data) = content(self.text.take(), self.data.take())?;
        Ok(Event {
            space: space(self.space.take(), cx)?,
            source: source
                .or_else(|| cx.source.map(str::to_owned))
                .unwrap_or_default(),
            id,
            time,
            time_mark,
            received: cx.received,
            kind,
            actor: name("actor", self.actor.take(), max)?,
            title: words("title", self.title.take())?,
            text,
            data,
            extra: self.extra,
        })
    }

    fn time(&mut self, cx: &DecodeCx<'_>) -> Result<(Ts, TimeMark), Rejection> {
        let Some(value) = self.time.take() else {
            return Ok((cx.received, TimeMark::Received));
        };
        let (time, read) = when::read("time", &value, &cx.settings.zone)?;
        match self.time_mark.take() {
            None => Ok((time, read)),
            // A mark can only lower the trust in a time, so any producer may set it.
            Some(mark) => match mark.as_str().and_then(TimeMark::from_name) {
                Some(mark) => Ok((time, if mark == TimeMark::Given { read } else { mark })),
                None => Err(bad_field(
                    TIME_MARK,
                    &mark,
                    "\"given\", \"assumed-zone\" or \"received\"",
                )),
            },
        }
    }
}

pub(super) fn bad_field(field: &str, value: &Value, accepted: &str) -> Rejection {
    Rejection::new(
        code::BAD_FIELD,
        format!("`{field}` is {}; accepted is {accepted}", shown(value)),
    )
}

/// A longer id is not repeated in receipts of refused records, in bytes.
const MAX_TOLD_ID: usize = 4_096;

pub(super) fn readable_id(id: &Value) -> Option<String> {
    match id {
        Value::String(s) if !s.trim().is_empty() && s.len() <= MAX_TOLD_ID => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

fn id(value: Option<Value>, max: usize) -> Result<String, Rejection> {
    let missing = || {
        Rejection::new(
            code::MISSING_ID,
            "the record has no `id`; a non-empty string or an integer is needed",
        )
    };
    let id = match value {
        None => return Err(missing()),
        Some(Value::String(s)) if s.trim().is_empty() => return Err(missing()),
        Some(Value::String(s)) => s,
        // Other numbers were rounded by the parser: two ids could become one.
        Some(Value::Number(n)) if n.is_i64() || n.is_u64() => n.to_string(),
        Some(Value::Number(n)) => {
            let reason =
                format!("`id` is the number {n}, which is no exact integer of 64 bits; send it as a string");
            return Err(Rejection::new(code::BAD_ID, reason));
        }
        Some(other) => {
            let reason = format!(
                "`id` is {}; a non-empty string or an integer is needed",
                type_name(&other)
            );
            return Err(Rejection::new(code::BAD_ID, reason));
        }
    };
    if id.len() > max {
        let reason = format!("`id` is {} bytes long; event.max_id_bytes allows {max}", id.len());
        return Err(Rejection::new(code::BAD_ID, reason));
    }
    Ok(id)
}

/// A field that names something: a string, or a number written as one. Blank counts as missing.
fn name(field: &str, value: Option<Value>, max: usize) -> Result<Option<String>, Rejection> {
    let text = match value {
        Some(Value::Number(n)) => Some(n.to_string()),
        other => words(field, other)?,
    };
    short(field, text.filter(|t| !t.trim().is_empty()), max)
}

fn short(field: &str, text: Option<String>, max: usize) -> Result<Option<String>, Rejection> {
    match text {
        Some(t) if t.len() > max => {
            let reason = format!(
                "`{field}` is {} bytes long; event.max_id_bytes allows {max}",
                t.len()
            );
            Err(Rejection::new(code::BAD_FIELD, reason))
        }
        other => Ok(other),
    }
}

/// A field of words: a string. Empty counts as missing.
fn words(field: &str, value: Option<Value>) -> Result<Option<String>, Rejection> {
    match value {
        None => Ok(None),
        Some(Value::String(s)) => Ok(Some(s).filter(|s| !s.is_empty())),
        Some(other) => Err(bad_field(field, &other, "a string")),
    }
}

fn content(text: Option<Value>, data: Option<Value>) -> Result<(String, Option<Value>), Rejection> {
    let text = words("text", text)?;
    let (text, data) = match (text, data) {
        (None, Some(Value::String(s))) => (s, None),
        (text, data) => (text.unwrap_or_default(), data),
    };
    let says_nothing = match &data {
        None => true,
        Some(Value::Object(o)) => o.is_empty(),
        Some(Value::Array(a)) => a.is_empty(),
        Some(Value::String(s)) => s.trim().is_empty(),
        Some(_) => false,
    };
    if text.trim().is_empty() && says_nothing {
        return Err(Rejection::new(
            code::EMPTY_CONTENT,
            "neither `text` nor `data` holds anything; one of them is needed",
        ));
    }
    Ok((text, data))
}

fn space(value: Option<Value>, cx: &DecodeCx<'_>) -> Result<Arc<str>, Rejection> {
    let own = match value {
        None => None,
        Some(Value::String(s)) if s.is_empty() => None,
        Some(Value::String(s)) => Some(s),
        Some(other) => {
            let reason = format!("`space` is {}; accepted is a string", type_name(&other));
            return Err(Rejection::new(code::BAD_SPACE, reason));
        }
    };
    if let (Some(own), Some(of_call)) = (&own, cx.space)
        && own != of_call
    {
        let reason = "the record names another space than the call it came in; leave `space` out or send it to its own space";
        return Err(Rejection::new(code::SPACE_MISMATCH, reason));
    }
    let given = own
        .as_deref()
        .or(cx.space)
        .or(cx.fallback_space.filter(|s| !s.is_empty()));
    let space = given.unwrap_or(&cx.settings.default_space);
    check_space(space)?;
    Ok(space.into())
}
