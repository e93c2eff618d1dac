//! The description of the topics says what the daemon reads and writes.

use std::path::Path;

use gyrus::stream::{KafkaSettings, Record, dead_letter, intent_cloudevent};
use serde_json::{Map, Value, json};

fn schemas() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

fn read(name: &str) -> Value {
    let path = schemas().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// A value with every reference, within the document or to a file beside it, replaced by what it refers to.
fn resolved(document: &Value, value: &Value) -> Value {
    match value {
        Value::Object(m) => match m.get("$ref").and_then(Value::as_str) {
            Some(r) => match r.strip_prefix('#') {
                Some(pointer) => {
                    let target = document
                        .pointer(pointer)
                        .unwrap_or_else(|| panic!("{r} is not there"));
                    resolved(document, target)
                }
                None => {
                    let mut file = read(r.trim_start_matches("./"));
                    file.as_object_mut().unwrap().remove("$id");
                    file
                }
            },
            None => m
                .iter()
                .map(|(k, v)| (k.clone(), resolved(document, v)))
                .collect::<Map<_, _>>()
                .into(),
        },
        Value::Array(a) => a.iter().map(|v| resolved(document, v)).collect(),
        other => other.clone(),
    }
}

fn fits(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

#[test]
fn topics_are_the_defaults_and_every_reference_is_there() {
    let raw = read("asyncapi.json");
    let all = resolved(&raw, &raw);
    assert_eq!(all["asyncapi"], "3.0.0");
    let k = KafkaSettings::default();
    let address = |channel: &str| all["channels"][channel]["address"].as_str().unwrap().to_owned();
    assert_eq!(vec![address("events")], k.topics);
    assert_eq!(
        [address("feedback"), address("intents"), address("deadLetters")],
        [k.feedback_topic, k.intents_topic, k.dead_letters_topic]
    );
    for (name, op) in all["operations"].as_object().unwrap() {
        let action = op["action"].as_str().unwrap();
        let address = op["channel"]["address"].as_str().unwrap();
        let written = ["gyrus.intents", "gyrus.dead-letters"].contains(&address);
        assert_eq!(action, if written { "send" } else { "receive" }, "{name}");
    }
    for (name, message) in all["components"]["messages"].as_object().unwrap() {
        assert!(message["payload"].is_object(), "{name}");
    }
}

#[test]
fn what_is_written_fits() {
    let raw = read("asyncapi.json");
    let all = resolved(&raw, &raw);
    let messages = &all["components"]["messages"];
    let intent = read("intent.json")["examples"][0].clone();
    let made = |kind: &str| {
        let out = intent_cloudevent(
            "t",
            kind,
            "i-00112233445566778899:7",
            "house",
            "2031-03-01T10:00:00Z",
            intent.clone(),
        );
        serde_json::from_slice::<Value>(&out.payload.unwrap()).unwrap()
    };
    let payload = &messages["intent"]["payload"];
    for kind in ["emitted", "updated", "retracted"] {
        assert!(
            fits(payload, &made(&format!("io.gyrus.intent.{kind}.v1"))),
            "{kind}"
        );
    }
    assert!(!fits(payload, &made("io.gyrus.intent.dreamt.v1")));
    let mut broken = made("io.gyrus.intent.emitted.v1");
    broken["data"]["status"] = "unheard-of".into();
    assert!(!fits(payload, &broken));

    let record = Record {
        topic: "gyrus.events".into(),
        partition: 3,
        offset: 12,
        ..Record::default()
    };
    let letter = dead_letter(
        "d",
        &record,
        "malformed-json",
        "this is no JSON",
        "2031-03-01T10:00:00Z",
    );
    let headers: Map<String, Value> = letter
        .headers
        .into_iter()
        .map(|(k, v)| (k, String::from_utf8(v).unwrap().into()))
        .collect();
    let schema = &messages["deadLetter"]["headers"];
    assert!(fits(schema, &Value::Object(headers.clone())), "{headers:?}");
    assert!(!fits(schema, &json!({"gyrus_topic": "x"})));
}
