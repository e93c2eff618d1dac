//! From bytes to events.
//!
//! Guarantees: text never makes it panic; one broken record of a batch costs only itself; what a repair
//! touches is marked. One pass over the bytes and one parse; nothing is looked up.
//! Limits of the parser: of a repeated key the last counts; numbers beyond 64 bits lose digits (send them as text);
//! nesting deeper than 128 is refused.

use serde_json::{Map, Value};

use super::fields::{Fields, REPAIRED, readable_id};
use super::reject::{Rejection, code, type_name};
use super::{Event, Settings, Ts, cloud, raw, repair};

/// What the carrier of a record knows about it.
#[derive(Clone, Copy, Debug)]
pub struct DecodeCx<'a> {
    /// The space of the call or connection. A record that names another one is refused.
    pub space: Option<&'a str>,
    /// The space of a record that names none when `space` is not set: the key of a Kafka record.
    /// Without it, `settings.default_space`.
    pub fallback_space: Option<&'a str>,
    /// The source of a record that names none.
    pub source: Option<&'a str>,
    /// When the record was received; for Kafka the broker's timestamp, so that redelivery repeats it.
    pub received: Ts,
    pub settings: &'a Settings,
}

impl<'a> DecodeCx<'a> {
    pub fn new(received: Ts, settings: &'a Settings) -> DecodeCx<'a> {
        DecodeCx {
            space: None,
            fallback_space: None,
            source: None,
            received,
            settings,
        }
    }
}

/// What became of one record of a batch.
pub type Decoded = Result<Event, Rejection>;

/// One native event or structured CloudEvent that was parsed already.
///
/// # Errors
/// One of [`code`]; see there.
pub fn decode_json(value: Value, cx: &DecodeCx<'_>) -> Decoded {
    let mut size = Counter(0);
    // Writing into a counter cannot fail: it only adds.
    let _ = serde_json::to_writer(&mut size, &value);
    check_size(size.0, cx).map_err(|r| r.with_id(value.get("id").and_then(readable_id)))?;
    from_value(value, false, cx)
}

/// One native event, one structured CloudEvent, or an array of them. Each item of an array has its own result,
/// in order; a single record gives one.
///
/// # Errors
/// Only when the bytes as a whole cannot be taken apart: nothing there, or an array whose brackets do not add up.
pub fn decode_bytes(bytes: &[u8], cx: &DecodeCx<'_>) -> Result<Vec<Decoded>, Rejection> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(Rejection::new(
            code::MALFORMED_JSON,
            "the bytes are UTF-16; JSON must be UTF-8",
        ));
    }
    let start = raw::skip_space(bytes, 0);
    match bytes.get(start) {
        None => Err(Rejection::new(
            code::EMPTY_INPUT,
            "there is nothing but white space; a JSON object or array is needed",
        )),
        Some(b'[') => match raw::items(bytes) {
            Some(items) => Ok(items
                .into_iter()
                .map(|item| decode_one(&bytes[item], cx))
                .collect()),
            None => Err(parse(bytes).err().unwrap_or_else(|| {
                Rejection::new(code::MALFORMED_JSON, "the array is not closed where it should be")
            })),
        },
        Some(_) => Ok(vec![decode_one(&bytes[start..], cx)]),
    }
}

/// One record of a broker: a CloudEvent in binary mode when the headers say so, else as [`decode_bytes`].
pub fn decode_record(
    headers: &[(&str, &[u8])],
    body: &[u8],
    cx: &DecodeCx<'_>,
) -> Result<Vec<Decoded>, Rejection> {
    match cloud::carriage(headers) {
        cloud::Carriage::Binary => Ok(vec![cloud::decode_binary_cloudevent(headers, body, cx)]),
        cloud::Carriage::Body => decode_bytes(body, cx),
    }
}

fn decode_one(bytes: &[u8], cx: &DecodeCx<'_>) -> Decoded {
    let id = || {
        let at = raw::field(bytes, &["id"]).filter(|at| at.len() <= cx.settings.max_id_bytes + 2)?;
        readable_id(&serde_json::from_slice(&bytes[at]).ok()?)
    };
    // Before the parser: a large record must not cost more than a look at its length.
    check_size(bytes.len(), cx).map_err(|r| r.with_id(id()))?;
    let (value, repaired) = parse(bytes).map_err(|r| r.with_id(id()))?;
    from_value(value, repaired, cx)
}

fn from_value(value: Value, repaired: bool, cx: &DecodeCx<'_>) -> Decoded {
    let Value::Object(mut map) = value else {
        let reason = format!("the record is {}; a JSON object is needed", type_name(&value));
        return Err(Rejection::new(code::NOT_AN_OBJECT, reason));
    };
    if repaired {
        map.insert(REPAIRED.into(), true.into());
    }
    if map.contains_key(cloud::SPECVERSION) {
        cloud::structured(map, cx)
    } else {
        native(map, cx)
    }
}

fn native(map: Map<String, Value>, cx: &DecodeCx<'_>) -> Decoded {
    let fields = Fields::of(map);
    let id = fields.readable_id();
    fields.into_event(cx).map_err(|r| r.with_id(id))
}

/// Parses one JSON text, its Unicode repaired first when the parser needs that.
pub(super) fn parse(bytes: &[u8]) -> Result<(Value, bool), Rejection> {
    let (text, repaired) = repair::repair(bytes);
    match serde_json::from_str(&text) {
        Ok(value) => Ok((value, repaired)),
        Err(e) => Err(Rejection::new(
            code::MALFORMED_JSON,
            format!("this is no JSON: {e}"),
        )),
    }
}

pub(super) fn check_size(size: usize, cx: &DecodeCx<'_>) -> Result<(), Rejection> {
    let max = cx.settings.max_event_bytes;
    if size <= max {
        return Ok(());
    }
    let reason = format!("the event is {size} bytes large; event.max_event_bytes allows {max}");
    Err(Rejection::new(code::TOO_LARGE, reason))
}

struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
