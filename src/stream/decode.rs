//! What a record means: events, an erasure, feedback, or poison.
//!
//! Pure: the same record and context give the same answer, so a redelivery repeats it. Nothing a
//! record holds makes it panic; what cannot be read becomes [`Input::Poison`] with a stable code.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::event::{self, DecodeCx, Event, Rejection, Ts, check_space};
use crate::intent::{Feedback, Verdict};

use super::Record;

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
    Events { events: Vec<Event>, rejected: Vec<Rejection> },
    Tombstone(Tombstone),
    Feedback { space: String, feedback: Feedback },
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
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poison {
    pub code: &'static str,
    pub reason: String,
}

impl From<Rejection> for Poison {
    fn from(r: Rejection) -> Poison {
        Poison { code: r.code, reason: r.reason }
    }
}

fn poison(code: &'static str, reason: impl Into<String>) -> Input {
    Input::Poison(Poison { code, reason: reason.into() })
}

/// Says what a record means. Cost: linear in its bytes.
pub fn classify(record: &Record, cx: &ClassifyCx<'_>) -> Input {
    if let Some(defect) = &record.defect {
        return poison(code::DEFECT, defect.as_str());
    }
    let is_feedback = cx.feedback_topic.is_some_and(|t| !t.is_empty() && *t == *record.topic);
    match (&record.value, is_feedback) {
        (Some(value), true) => feedback(record, value, cx),
        (None, true) => poison(code::BAD_FEEDBACK, "the record has no value; a JSON object is needed"),
        (Some(value), false) => events(record, value, cx),
        (None, false) => tombstone(record),
    }
}

fn events(record: &Record, value: &[u8], cx: &ClassifyCx<'_>) -> Input {
    let received = record.timestamp_ms.map_or(cx.received, Ts);
    let mut decode = DecodeCx::new(received, cx.settings);
    decode.fallback_space = key_space(record).or(cx.space);
    let headers: Vec<(&str, &[u8])> = record.headers.iter().map(|(k, v)| (k.as_str(), v.as_slice())).collect();
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
        Some(first) if more > 0 => {
            poison(first.code, format!("{} (and {more} more records of the batch were refused)", first.reason))
        }
        Some(first) => Input::Poison(first.into()),
        None => poison(event::reject::code::EMPTY_INPUT, "the batch holds no record"),
    }
}

/// The key as the space of records that name none: only when it can be one.
fn key_space(record: &Record) -> Option<&str> {
    let key = std::str::from_utf8(record.key.as_deref()?).ok()?;
    check_space(key).is_ok().then_some(key)
}

fn tombstone(record: &Record) -> Input {
    let header = |name: &str| -> Result<Option<String>, Input> {
        let found = record.header(&format!("ce_{name}")).or_else(|| record.header(&format!("ce-{name}")));
        let Some(bytes) = found.filter(|b| !b.is_empty()) else { return Ok(None) };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(poison(code::BAD_KEY, format!("the header ce_{name} of the tombstone is no UTF-8"))),
        }
    };
    let (id, space, source) = match (header("id"), header("space"), header("source")) {
        (Ok(id), Ok(space), Ok(source)) => (id, space, source),
        (Err(p), ..) | (_, Err(p), _) | (.., Err(p)) => return p,
    };
    if space.as_deref().is_some_and(|s| check_space(s).is_err()) {
        return poison(event::reject::code::BAD_SPACE, "the header ce_space of the tombstone is no name of a space");
    }
    let key = record.key.as_deref().filter(|k| !k.is_empty());
    let text_key = key.and_then(|k| std::str::from_utf8(k).ok()).map(str::to_owned);
    let id = match (id, &text_key, key) {
        (Some(id), ..) => id,
        (None, Some(key), _) => key.clone(),
        (None, None, Some(_)) => return poison(code::BAD_KEY, "the key of the tombstone is no UTF-8"),
        (None, None, None) => {
            return poison(code::TOMBSTONE_WITHOUT_KEY, "a record without a value erases the event that its key or ce_id header names; it has neither");
        }
    };
    Input::Tombstone(Tombstone { id, space, source, key: text_key })
}

fn feedback(record: &Record, value: &[u8], cx: &ClassifyCx<'_>) -> Input {
    match read_feedback(record, value, cx) {
        Ok(input) => input,
        Err(reason) => poison(code::BAD_FEEDBACK, reason),
    }
}

/// Feedback as a plain object, or as the `data` of a CloudEvent in either mode.
fn read_feedback(record: &Record, value: &[u8], cx: &ClassifyCx<'_>) -> Result<Input, String> {
    let parsed: Value = serde_json::from_slice(value).map_err(|e| format!("this is no JSON: {e}"))?;
    let Value::Object(outer) = parsed else { return Err("a JSON object is needed".into()) };
    let body = match outer.get("specversion") {
        Some(_) => match outer.get("data") {
            Some(Value::Object(data)) => data,
            _ => return Err("the CloudEvent's `data` is no object".into()),
        },
        None => &outer,
    };
    let header_space = record.header("ce_space").and_then(|v| std::str::from_utf8(v).ok());
    let space = text(body, "space")?
        .or(text(&outer, "space")?)
        .or(header_space)
        .or(key_space(record))
        .or(cx.space)
        .unwrap_or(&cx.settings.default_space)
        .to_owned();
    if check_space(&space).is_err() {
        return Err("`space` is no name of a space".into());
    }
    // What `modify` changes may stand in an object of its own or beside the verdict.
    let changes = match body.get("changes") {
        None | Some(Value::Null) => body,
        Some(Value::Object(changes)) => changes,
        Some(_) => return Err("`changes` is no object".into()),
    };
    let intent = text(body, "intent")?.filter(|i| !i.is_empty()).ok_or("`intent` is missing: the id of an intent")?;
    let until = text(body, "until")?
        .map(|t| chrono::DateTime::parse_from_rfc3339(t).map_err(|_| "`until` is no RFC 3339 time".to_owned()))
        .transpose()?;
    let priority = match changes.get("priority") {
        None | Some(Value::Null) => None,
        Some(v) => Some(v.as_f64().filter(|p| p.is_finite()).ok_or("`priority` is no number")? as f32),
    };
    let owned = |map, name| text(map, name).map(|t| t.map(str::to_owned));
    Ok(Input::Feedback {
        space,
        feedback: Feedback {
            intent: Arc::from(intent),
            verdict: verdict(text(body, "verdict")?)?,
            note: owned(body, "note")?,
            title: owned(changes, "title")?,
            priority,
            category: owned(changes, "category")?,
            until: until.map(|t| Ts(t.timestamp_millis())),
        },
    })
}

fn verdict(name: Option<&str>) -> Result<Verdict, String> {
    match name {
        Some("accept") => Ok(Verdict::Accept),
        Some("modify") => Ok(Verdict::Modify),
        Some("defer") => Ok(Verdict::Defer),
        Some("reject") => Ok(Verdict::Reject),
        _ => Err("`verdict` must be accept, modify, defer or reject".into()),
    }
}

fn text<'a>(map: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match map.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s)),
        Some(_) => Err(format!("`{name}` is no text")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn settings() -> event::Settings {
        event::Settings::default()
    }

    fn classified(record: &Record) -> Input {
        let settings = settings();
        classify(record, &ClassifyCx { settings: &settings, feedback_topic: Some("fb"), received: Ts(7), space: None })
    }

    fn record(topic: &str, key: Option<&str>, value: Option<&str>) -> Record {
        Record {
            topic: topic.into(),
            key: key.map(|k| k.as_bytes().to_vec()),
            value: value.map(|v| v.as_bytes().to_vec()),
            timestamp_ms: Some(1_000),
            ..Record::default()
        }
    }

    fn code_of(input: Input) -> &'static str {
        match input {
            Input::Poison(p) => p.code,
            other => panic!("not poison: {other:?}"),
        }
    }

    #[test]
    fn an_event_takes_its_space_from_itself_then_from_the_key() {
        let named = record("ev", Some("k"), Some(r#"{"id":"1","space":"own","text":"a"}"#));
        let keyed = record("ev", Some("k"), Some(r#"{"id":"1","text":"a"}"#));
        let bare = record("ev", None, Some(r#"{"id":"1","text":"a"}"#));
        let binary_key = Record { key: Some(vec![0, 159, 1]), ..bare.clone() };
        for (r, space) in [(named, "own"), (keyed, "k"), (bare, "default"), (binary_key, "default")] {
            let Input::Events { events, rejected } = classified(&r) else { panic!() };
            assert_eq!(&*events[0].space, space);
            assert_eq!(events[0].received, Ts(1_000), "the broker's time, not ours");
            assert!(rejected.is_empty());
        }
    }

    #[test]
    fn a_line_without_a_timestamp_is_received_now() {
        let r = Record { timestamp_ms: None, ..record("f", None, Some(r#"{"id":"1","text":"a"}"#)) };
        let Input::Events { events, .. } = classified(&r) else { panic!() };
        assert_eq!(events[0].received, Ts(7));
    }

    #[test]
    fn a_broken_record_of_a_batch_costs_only_itself() {
        let r = record("ev", Some("k"), Some(r#"[{"id":"1","text":"a"},{"text":"no id"},{"id":"3","text":"c"}]"#));
        let Input::Events { events, rejected } = classified(&r) else { panic!() };
        assert_eq!((events.len(), rejected.len()), (2, 1));
        let all_bad = record("ev", None, Some(r#"[{"text":"x"},{"text":"y"}]"#));
        assert_eq!(code_of(classified(&all_bad)), "missing-id");
    }

    #[test]
    fn poison_says_its_code() {
        assert_eq!(code_of(classified(&record("ev", None, Some("{nope")))), "malformed-json");
        assert_eq!(code_of(classified(&record("ev", None, Some("")))), "empty-input");
        assert_eq!(code_of(classified(&record("ev", None, Some("[]")))), "empty-input");
        let long = Record { defect: Some("too long".into()), ..record("ev", None, Some("x")) };
        assert_eq!(code_of(classified(&long)), code::DEFECT);
    }

    #[test]
    fn binary_cloudevents_are_events() {
        let mut r = record("ev", None, Some(r#"{"text":"hello"}"#));
        for (k, v) in [("ce_specversion", "1.0"), ("ce_id", "7"), ("ce_source", "s"), ("ce_type", "t"), ("ce_space", "sp")] {
            r.headers.push((k.into(), v.into()));
        }
        let Input::Events { events, .. } = classified(&r) else { panic!() };
        assert_eq!((&*events[0].space, events[0].source.as_str(), events[0].id.as_str()), ("sp", "s", "7"));
    }

    #[test]
    fn tombstones_name_their_event_by_key_or_headers() {
        let Input::Tombstone(t) = classified(&record("ev", Some("e-9"), None)) else { panic!() };
        assert_eq!((t.id.as_str(), t.spaces("default")), ("e-9", vec!["e-9", "default"]));

        let mut r = record("ev", Some("alice"), None);
        r.headers.push(("CE_ID".into(), b"42".to_vec()));
        let Input::Tombstone(t) = classified(&r) else { panic!() };
        assert_eq!((t.id.as_str(), t.spaces("default")), ("42", vec!["alice", "default"]));

        r.headers.push(("ce_space".into(), b"bob".to_vec()));
        r.headers.push(("ce_source".into(), b"crm".to_vec()));
        let Input::Tombstone(t) = classified(&r) else { panic!() };
        assert_eq!((t.spaces("default"), t.source.as_deref()), (vec!["bob"], Some("crm")));

        assert_eq!(code_of(classified(&record("ev", None, None))), code::TOMBSTONE_WITHOUT_KEY);
        let binary = Record { key: Some(vec![255, 254]), ..record("ev", None, None) };
        assert_eq!(code_of(classified(&binary)), code::BAD_KEY);
        assert_eq!(code_of(classified(&record("fb", Some("k"), None))), code::BAD_FEEDBACK);
    }

    #[test]
    fn feedback_is_read_plain_and_as_a_cloudevent() {
        let plain = record("fb", Some("alice"), Some(r#"{"intent":"i-1","verdict":"defer","until":"2026-01-02T03:04:05Z","note":"later"}"#));
        let Input::Feedback { space, feedback } = classified(&plain) else { panic!() };
        assert_eq!((space.as_str(), &*feedback.intent, feedback.verdict), ("alice", "i-1", Verdict::Defer));
        assert_eq!(feedback.until.map(Ts::rfc3339).as_deref(), Some("2026-01-02T03:04:05Z"));

        let cloud = record("fb", None, Some(r#"{"specversion":"1.0","id":"x","source":"s","type":"t","space":"bob",
            "data":{"intent":"i-2","verdict":"modify","changes":{"title":"new","priority":0.5}}}"#));
        let Input::Feedback { space, feedback } = classified(&cloud) else { panic!() };
        assert_eq!((space.as_str(), feedback.title.as_deref(), feedback.priority), ("bob", Some("new"), Some(0.5)));

        for bad in ["[]", "{}", r#"{"intent":"i-1"}"#, r#"{"intent":"i-1","verdict":"maybe"}"#, r#"{"intent":3,"verdict":"accept"}"#,
            r#"{"intent":"i","verdict":"defer","until":"soon"}"#, r#"{"intent":"i","verdict":"modify","priority":"high"}"#] {
            assert_eq!(code_of(classified(&record("fb", None, Some(bad)))), code::BAD_FEEDBACK, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(
            key in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..20)),
            value in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..200)),
            name in "(ce_id|ce_space|ce_specversion|content-type|x)",
            header in proptest::collection::vec(any::<u8>(), 0..20),
            topic in "(ev|fb)",
        ) {
            let r = Record { topic: topic.as_str().into(), key, value, headers: vec![(name, header)], ..Record::default() };
            prop_assert_eq!(classified(&r), classified(&r));
        }
    }
}
