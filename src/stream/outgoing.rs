//! Records that go out: intents as CloudEvents, dead letters as they came.

use serde_json::{Map, Value, json};

use super::Record;

/// A record to publish.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outgoing {
    pub topic: String,
    /// The space, so that what belongs to one space stays in order.
    pub key: Option<Vec<u8>>,
    /// `None` publishes a tombstone.
    pub payload: Option<Vec<u8>>,
    pub headers: Vec<(String, Vec<u8>)>,
}

/// Content type of a structured CloudEvent.
const STRUCTURED: &str = "application/cloudevents+json; charset=UTF-8";
/// `source` of the CloudEvents that Gyrus makes.
const SOURCE: &str = "/gyrus";

/// An intent as a CloudEvent in structured mode (the whole of it in the value).
///
/// `kind` is one of `io.gyrus.intent.{emitted,updated,retracted}.v1`. `id` names this record, not the
/// intent: unique by (source, id), and the same when it is published again, so a subscriber can drop
/// what it has seen. `time` is RFC 3339. The output depends on the arguments alone.
pub fn intent_cloudevent(topic: &str, kind: &str, id: &str, space: &str, time: &str, data: Value) -> Outgoing {
    let mut event = Map::new();
    for (name, value) in [
        ("specversion", json!("1.0")),
        ("id", json!(id)),
        ("source", json!(SOURCE)),
        ("type", json!(kind)),
        ("time", json!(time)),
        ("space", json!(space)),
        ("datacontenttype", json!("application/json")),
        ("data", data),
    ] {
        event.insert(name.to_owned(), value);
    }
    Outgoing {
        topic: topic.to_owned(),
        key: Some(space.as_bytes().to_vec()),
        payload: Some(Value::Object(event).to_string().into_bytes()),
        headers: vec![("content-type".to_owned(), STRUCTURED.as_bytes().to_vec())],
    }
}

/// A record that could not be used, verbatim, with headers that say where it stood and why.
///
/// Its own headers are kept, so it can be sent again as it was. `at` is RFC 3339 (time of the record's receipt).
pub fn dead_letter(topic: &str, record: &Record, code: &str, reason: &str, at: &str) -> Outgoing {
    let mut headers = record.headers.clone();
    // A dead letter that comes around again says the newest reason only.
    headers.retain(|(name, _)| !name.starts_with("gyrus_"));
    for (name, value) in [
        ("gyrus_topic", record.topic.to_string()),
        ("gyrus_partition", record.partition.to_string()),
        ("gyrus_offset", record.offset.to_string()),
        ("gyrus_code", code.to_owned()),
        ("gyrus_reason", reason.to_owned()),
        ("gyrus_time", at.to_owned()),
    ] {
        headers.push((name.to_owned(), value.into_bytes()));
    }
    Outgoing { topic: topic.to_owned(), key: record.key.clone(), payload: record.value.clone(), headers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{DecodeCx, Settings, Ts, decode_record};

    #[test]
    fn an_intent_is_a_cloudevent_that_our_own_decoder_reads() {
        let out = intent_cloudevent("gyrus.intents", "io.gyrus.intent.emitted.v1", "i-1:3", "alice", "2026-01-02T03:04:05Z",
            json!({"id": "i-1", "seq": 3, "title": "call back"}));
        assert_eq!(out.key.as_deref(), Some(&b"alice"[..]));
        let settings = Settings::default();
        let headers: Vec<(&str, &[u8])> = out.headers.iter().map(|(k, v)| (k.as_str(), v.as_slice())).collect();
        let decoded = decode_record(&headers, out.payload.as_ref().unwrap(), &DecodeCx::new(Ts(0), &settings)).unwrap();
        let event = decoded[0].as_ref().unwrap();
        assert_eq!((event.id.as_str(), &*event.space, event.kind.as_deref()), ("i-1:3", "alice", Some("io.gyrus.intent.emitted.v1")));
        assert_eq!(event.data.as_ref().unwrap()["seq"], 3);
    }

    #[test]
    fn a_dead_letter_keeps_the_record_and_says_why() {
        let record = Record {
            topic: "ev".into(),
            partition: 2,
            offset: 40,
            key: Some(b"k".to_vec()),
            value: Some(vec![0xff, b'{']),
            headers: vec![("ce_id".into(), b"1".to_vec()), ("gyrus_code".into(), b"old".to_vec())],
            ..Record::default()
        };
        let out = dead_letter("dead", &record, "malformed-json", "this is no JSON", "2026-01-02T03:04:05Z");
        assert_eq!((out.payload.as_deref(), out.key.as_deref()), (Some(&[0xff, b'{'][..]), Some(&b"k"[..])));
        let header = |n: &str| out.headers.iter().filter(|(k, _)| k == n).map(|(_, v)| String::from_utf8_lossy(v).into_owned()).collect::<Vec<_>>();
        assert_eq!(header("ce_id"), ["1"]);
        assert_eq!(header("gyrus_code"), ["malformed-json"]);
        assert_eq!((header("gyrus_topic"), header("gyrus_partition"), header("gyrus_offset")), (vec!["ev".into()], vec!["2".into()], vec!["40".into()]));
    }
}
