//! An event as JSON, and back without loss.
//!
//! The form is the native one, so what is exported can be ingested. Two reserved fields carry what the contract has
//! no place for: `gyrus_time_mark` when the time was not given, and `gyrus_received`.

use serde_json::{Map, Value};

use super::fields::{Fields, RECEIVED, TIME_MARK, bad_field};
use super::reject::{Rejection, code, type_name};
use super::{DecodeCx, Event, Settings, TimeMark, Ts};

/// The event in native form. Decoding it with the same `received` gives an equal event; [`from_json`] needs no context.
pub fn to_json(event: &Event) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    put("id", event.id.as_str().into());
    put("space", event.space.as_ref().into());
    if !event.source.is_empty() {
        put("source", event.source.as_str().into());
    }
    put("time", event.time.rfc3339().into());
    for (key, value) in [
        ("type", &event.kind),
        ("actor", &event.actor),
        ("title", &event.title),
    ] {
        if let Some(value) = value {
            put(key, value.as_str().into());
        }
    }
    if !event.text.is_empty() {
        put("text", event.text.as_str().into());
    }
    if let Some(data) = &event.data {
        put("data", data.clone());
    }
    if event.time_mark != TimeMark::Given {
        put(TIME_MARK, event.time_mark.name().into());
    }
    put(RECEIVED, event.received.0.into());
    for (key, value) in &event.extra {
        out.entry(key.as_str()).or_insert_with(|| value.clone());
    }
    Value::Object(out)
}

/// Reads what [`to_json`] wrote: for Gyrus' own records only, since it believes the time of receipt and checks no sizes.
///
/// # Errors
/// One of [`code`], when the value was not written by [`to_json`].
pub fn from_json(value: Value) -> Result<Event, Rejection> {
    let Value::Object(map) = value else {
        let reason = format!("the record is {}; a JSON object is needed", type_name(&value));
        return Err(Rejection::new(code::NOT_AN_OBJECT, reason));
    };
    let fields = Fields::of(map);
    let received = match &fields.received {
        None => None,
        Some(v) => Some(
            v.as_i64()
                .ok_or_else(|| bad_field(RECEIVED, v, "milliseconds since 1970"))?,
        ),
    };
    let unlimited = Settings {
        max_event_bytes: usize::MAX,
        max_id_bytes: usize::MAX,
        ..Settings::default()
    };
    fields.into_event(&DecodeCx::new(Ts(received.unwrap_or_default()), &unlimited))
}
