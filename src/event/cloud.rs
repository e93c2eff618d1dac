//! CloudEvents 1.0 as events: structured JSON, and Kafka's binary mode.
//!
//! Attributes `id`, `source`, `type` (all needed, as the specification says) and `time` are the fields of the
//! same name; extensions `space`, `actor`, `title` and `text` too. When `data` is an object, its strings
//! `title`, `text` and `actor` move to the fields that no extension filled, the rest stays `data`;
//! when it is a string it is the text. Every other attribute (`subject`, `dataschema`, ...) is kept in `extra`.
//! The same event gives the same result in either mode.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::fields::{Fields, REPAIRED, bad_field};
use super::reject::{Rejection, code, shown};
use super::{DecodeCx, Event, base64, decode};

/// What `specversion` is of; its presence makes a record a CloudEvent.
pub(super) const SPECVERSION: &str = "specversion";
const BASE64: &str = "data_base64";
const CONTENT_TYPE: &str = "datacontenttype";

/// The event that a structured CloudEvent stands for.
pub(super) fn structured(mut map: Map<String, Value>, cx: &DecodeCx<'_>) -> Result<Event, Rejection> {
    let version = map.shift_remove(SPECVERSION).unwrap_or_default();
    let bytes = map.shift_remove(BASE64).filter(|v| !v.is_null());
    let fields = Fields::of(map);
    let id = fields.readable_id();
    mapped(fields, &version, bytes, cx).map_err(|r| r.with_id(id))
}

fn mapped(
    mut f: Fields,
    version: &Value,
    bytes: Option<Value>,
    cx: &DecodeCx<'_>,
) -> Result<Event, Rejection> {
    if !version.as_str().is_some_and(|v| v == "1" || v.starts_with("1.")) {
        let reason = format!(
            "`specversion` is {}; CloudEvents \"1.0\" are accepted",
            shown(version)
        );
        return Err(Rejection::new(code::BAD_CLOUDEVENT, reason));
    }
    for (name, value) in [("source", &f.source), ("type", &f.kind)] {
        if value.as_ref().is_none_or(|v| v.as_str() == Some("")) {
            let reason = format!("a CloudEvent needs the attribute `{name}`");
            return Err(Rejection::new(code::BAD_CLOUDEVENT, reason));
        }
    }
    if let Some(encoded) = bytes {
        if f.data.is_some() {
            let reason = "a CloudEvent may hold `data` or `data_base64`, not both";
            return Err(Rejection::new(code::BAD_CLOUDEVENT, reason));
        }
        let content_type = f.extra.get(CONTENT_TYPE).and_then(Value::as_str);
        let decoded = encoded.as_str().and_then(base64::decode);
        let decoded = decoded.ok_or_else(|| bad_field(BASE64, &encoded, "base64 text (RFC 4648)"))?;
        let (data, repaired) = body(&decoded, content_type)?;
        f.data = data;
        mark(&mut f.extra, repaired);
    }
    unpack(&mut f);
    f.into_event(cx)
}

/// Moves the strings that `data` holds for fields of the contract.
fn unpack(f: &mut Fields) {
    let Some(Value::Object(data)) = &mut f.data else {
        return;
    };
    for (name, slot) in [
        ("title", &mut f.title),
        ("text", &mut f.text),
        ("actor", &mut f.actor),
    ] {
        if slot.is_none() && data.get(name).is_some_and(Value::is_string) {
            *slot = data.shift_remove(name);
        }
    }
    if data.is_empty() {
        f.data = None;
    }
}

/// What kind of content a media type announces.
enum Media {
    Json,
    Text,
    Unknown,
}

fn media(content_type: Option<&str>) -> Media {
    let full = content_type
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match full.as_str() {
        "application/json" | "text/json" => Media::Json,
        t if t.ends_with("+json") => Media::Json,
        t if t.starts_with("text/") => Media::Text,
        _ => Media::Unknown,
    }
}

/// Bytes of a payload as `data`, and whether their Unicode was repaired. Bytes that are no text and claim to be
/// none are kept as `{"data_base64": ...}`.
fn body(bytes: &[u8], content_type: Option<&str>) -> Result<(Option<Value>, bool), Rejection> {
    if bytes.is_empty() {
        return Ok((None, false));
    }
    match media(content_type) {
        Media::Json => decode::parse(bytes).map(|(v, repaired)| (Some(v).filter(|v| !v.is_null()), repaired)),
        Media::Text => {
            let text = String::from_utf8_lossy(bytes);
            let repaired = matches!(text, Cow::Owned(_));
            Ok((Some(text.into()), repaired))
        }
        Media::Unknown => {
            if content_type.is_none()
                && let Ok((value, repaired)) = decode::parse(bytes)
            {
                return Ok((Some(value).filter(|v| !v.is_null()), repaired));
            }
            let data = match std::str::from_utf8(bytes) {
                Ok(text) => Value::from(text),
                Err(_) => serde_json::json!({ BASE64: base64::encode(bytes) }),
            };
            Ok((Some(data), false))
        }
    }
}

fn mark(extra: &mut Map<String, Value>, repaired: bool) {
    if repaired {
        extra.insert(REPAIRED.into(), true.into());
    }
}

/// How the record of a broker carries a CloudEvent, by its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carriage {
    /// Attributes in the headers, payload in the body.
    Binary,
    /// Everything in the body (native, structured or batch).
    Body,
}

/// Binary mode is told by a `ce_specversion` or `ce_id` header.
pub fn carriage(headers: &[(&str, &[u8])]) -> Carriage {
    let structured = headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("content-type")
            && value.to_ascii_lowercase().starts_with(b"application/cloudevents")
    });
    let attributes = headers
        .iter()
        .any(|(name, _)| matches!(attribute(name).as_deref(), Some("specversion" | "id")));
    if attributes && !structured {
        Carriage::Binary
    } else {
        Carriage::Body
    }
}

/// The attribute that a header carries: `ce_type` (Kafka) or `ce-type` (HTTP).
fn attribute(header: &str) -> Option<String> {
    let (prefix, name) = header.split_at_checked(3)?;
    let ours = prefix.eq_ignore_ascii_case("ce_") || prefix.eq_ignore_ascii_case("ce-");
    (ours && !name.is_empty()).then(|| name.to_ascii_lowercase())
}

/// The event of one record in binary mode. Headers that are no attributes are not part of the event.
///
/// # Errors
/// As for the structured form; the size is that of the attributes and the body together.
pub fn decode_binary_cloudevent(
    headers: &[(&str, &[u8])],
    payload: &[u8],
    cx: &DecodeCx<'_>,
) -> Result<Event, Rejection> {
    let mut map = Map::new();
    let (mut size, mut repaired) = (payload.len(), false);
    for (name, value) in headers {
        let name = match attribute(name) {
            Some(name) => name,
            None if name.eq_ignore_ascii_case("content-type") => CONTENT_TYPE.to_owned(),
            None => continue,
        };
        size += name.len() + value.len();
        let text = String::from_utf8_lossy(value);
        repaired |= matches!(text, Cow::Owned(_));
        map.insert(name, text.into());
    }
    let id = map.get("id").and_then(super::fields::readable_id);
    decode::check_size(size, cx).map_err(|r| r.with_id(id.clone()))?;
    let content_type = map.get(CONTENT_TYPE).and_then(Value::as_str);
    let (data, broken) = body(payload, content_type).map_err(|r| r.with_id(id))?;
    map.remove("data");
    map.remove(BASE64);
    if let Some(data) = data {
        map.insert("data".into(), data);
    }
    mark(&mut map, repaired || broken);
    structured(map, cx)
}
