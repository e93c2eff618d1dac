//! The schemas hold what they promise: what the decoder takes fits them and what it refuses does not.

use std::path::Path;

use gyrus::event::{self, DecodeCx, Receipt, Settings, Ts};
use gyrus::graph::{EdgeKind, IntentStatus, NodeId};
use jsonschema::Validator;
use serde_json::{Value, json};

fn raw(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn schema(name: &str) -> Validator {
    jsonschema::validator_for(&raw(name)).unwrap()
}

fn decoded(record: &Value) -> event::Decoded {
    event::decode_json(
        record.clone(),
        &DecodeCx::new(Ts(1_930_132_800_000), &Settings::default()),
    )
}

/// Schema and decoder agree on every record of the table.
fn agree(name: &str, table: &[(bool, Value)]) {
    let schema = schema(name);
    for (good, record) in table {
        assert_eq!(
            decoded(record).is_ok(),
            *good,
            "decoder on {record}: {:?}",
            decoded(record)
        );
        assert_eq!(schema.is_valid(record), *good, "{name} on {record}");
    }
}

fn check(name: &str, table: &[(bool, Value)]) {
    let schema = schema(name);
    for (good, value) in table {
        assert_eq!(schema.is_valid(value), *good, "{name} on {value}");
    }
}

/// `whole` with some fields set; null takes a field away.
fn but(whole: &Value, change: Value) -> Value {
    let mut out = whole.as_object().unwrap().clone();
    for (key, value) in change.as_object().unwrap() {
        match value {
            Value::Null => out.shift_remove(key),
            value => out.insert(key.clone(), value.clone()),
        };
    }
    Value::Object(out)
}

#[test]
fn each_is_a_valid_schema_with_descriptions_and_fitting_examples() {
    for name in [
        "event.json",
        "cloudevent.json",
        "receipt.json",
        "intent.json",
        "feedback.json",
        "plan.json",
    ] {
        let raw = raw(name);
        jsonschema::meta::validate(&raw).unwrap();
        let schema = schema(name);
        assert!(
            raw["description"].as_str().is_some_and(|d| d.len() > 40),
            "{name}"
        );
        for (field, is) in raw["properties"].as_object().unwrap() {
            assert!(
                is == &json!(false) || is["description"].is_string(),
                "{name}: {field} has no description"
            );
        }
        let examples = raw["examples"].as_array().unwrap();
        assert!(!examples.is_empty());
        for example in examples {
            assert!(schema.is_valid(example), "{name}: {example}");
            assert!(
                !schema.is_valid(&json!([example])) && !schema.is_valid(&json!("text")),
                "{name} takes anything"
            );
        }
    }
}

#[test]
fn native_events() {
    let whole = raw("event.json")["examples"][0].clone();
    let with = |change| but(&whole, change);
    agree(
        "event.json",
        &[
            (true, whole.clone()),
            (true, json!({"id": "a", "text": "x"})),
            (true, json!({"id": 7, "data": [1]})),
            (true, json!({"id": "a", "data": "x", "time": null})),
            (true, json!({"id": "a", "data": false})),
            (true, with(json!({"time": "2031-07-01"}))),
            (true, with(json!({"time": "2031-07-01 01:30"}))),
            (true, with(json!({"time": "2031-07-01T01:30:00.25+0900"}))),
            (true, with(json!({"time": 1_940_635_800}))),
            (true, with(json!({"time": 1_940_635_800_000_i64}))),
            (true, with(json!({"actor": 12, "source": 3}))),
            (true, with(json!({"space": "team/7"}))),
            (true, with(json!({"space": "\u{7a7a}\u{9593} 4"}))),
            (true, with(json!({"unknown": {"kept": true}}))),
            (false, with(json!({"id": null}))),
            (false, with(json!({"id": " "}))),
            (false, with(json!({"id": 1.5}))),
            (false, with(json!({"id": ["a"]}))),
            (false, with(json!({"id": "x".repeat(513)}))),
            (false, with(json!({"text": null, "data": null}))),
            (false, with(json!({"text": " ", "data": {}}))),
            (false, with(json!({"text": 5}))),
            (false, with(json!({"title": {}}))),
            (false, with(json!({"type": 5}))),
            (false, with(json!({"actor": {"name": "Ines"}}))),
            (false, with(json!({"time": "soon"}))),
            (false, with(json!({"time": ""}))),
            (false, with(json!({"time": "01/07/2031"}))),
            (false, with(json!({"time": 1e15}))),
            (false, with(json!({"time": true}))),
            (false, with(json!({"space": 4}))),
            (false, with(json!({"space": " a"}))),
            (false, with(json!({"space": "a\nb"}))),
            (false, with(json!({"space": "x".repeat(129)}))),
            (false, with(json!({"gyrus_time_mark": "guessed"}))),
            (false, json!([])),
            (false, json!(null)),
        ],
    );
}

#[test]
fn cloudevents() {
    let whole = raw("cloudevent.json")["examples"][0].clone();
    let with = |change| but(&whole, change);
    agree(
        "cloudevent.json",
        &[
            (true, whole.clone()),
            (true, with(json!({"data": "words"}))),
            (true, with(json!({"data": null, "data_base64": "aGVsbG8="}))),
            (true, with(json!({"data": null, "text": "as an extension"}))),
            (
                true,
                with(json!({"subject": "s", "custom": "kept", "actor": "Ines"})),
            ),
            (false, with(json!({"specversion": "0.3"}))),
            (false, with(json!({"specversion": 1}))),
            (false, with(json!({"source": null}))),
            (false, with(json!({"type": null}))),
            (false, with(json!({"type": ""}))),
            (false, with(json!({"id": null}))),
            (false, with(json!({"data": null}))),
            (false, with(json!({"data": {}}))),
            (false, with(json!({"data_base64": "aGVsbG8="}))),
            (false, with(json!({"data": null, "data_base64": "a$b"}))),
            (false, with(json!({"time": "soon"}))),
            (false, with(json!({"space": "a\nb"}))),
        ],
    );
    // Without specversion it is a native record, and the other way round.
    assert!(!schema("event.json").is_valid(&whole));
    assert!(!schema("cloudevent.json").is_valid(&with(json!({"specversion": null}))));
}

#[test]
fn what_is_written_fits() {
    let events = schema("event.json");
    let records = [
        json!({"id": "a", "text": "x"}),
        json!({"id": 5, "time": "2031-07-01", "data": {"n": 1}, "odd": null}),
        raw("event.json")["examples"][0].clone(),
        raw("cloudevent.json")["examples"][0].clone(),
    ];
    let receipts = schema("receipt.json");
    for record in records {
        let e = decoded(&record).unwrap();
        let written = event::to_json(&e);
        assert!(events.is_valid(&written), "{written}");
        let node = NodeId::of_event(&e.space, &e.source, &e.id);
        for receipt in [
            Receipt::stored(&e.id, node.as_str()),
            Receipt::duplicate(&e.id, node.as_str()),
            Receipt::erased(&e.id, node.as_str()),
        ] {
            assert!(receipts.is_valid(&receipt.to_json()), "{receipt:?}");
        }
    }
    for refused in [json!({}), json!({"id": "a"}), json!(4)] {
        let receipt = Receipt::rejected(&decoded(&refused).unwrap_err()).to_json();
        assert!(receipts.is_valid(&receipt), "{receipt}");
    }
}

#[test]
fn receipts() {
    check(
        "receipt.json",
        &[
            (false, json!({"id": "a", "status": "stored"})),
            (false, json!({"id": "a", "status": "rejected"})),
            (false, json!({"id": "a", "status": "rejected", "reason": ""})),
            (false, json!({"id": "a", "status": "lost", "reason": "r"})),
            (false, json!({"status": "rejected", "reason": "r"})),
            (
                false,
                json!({"id": "a", "status": "stored", "node": "c-00112233445566778899"}),
            ),
            (
                false,
                json!({"id": "a", "status": "duplicate", "node": "e-00112233445566778899", "reason": "r"}),
            ),
        ],
    );
}

#[test]
fn intents() {
    let whole = raw("intent.json")["examples"][0].clone();
    let with = |change| but(&whole, change);
    let statuses = [
        IntentStatus::Pending,
        IntentStatus::ActionScheduled,
        IntentStatus::Deferred,
        IntentStatus::Resolved,
        IntentStatus::Rejected,
        IntentStatus::Retracted,
        IntentStatus::Expired,
    ];
    let listed: Vec<_> = statuses.iter().map(|s| s.name()).collect();
    assert_eq!(raw("intent.json")["properties"]["status"]["enum"], json!(listed));
    check(
        "intent.json",
        &[
            (
                true,
                with(
                    json!({"deadline": "2031-03-08T08:00:00Z", "deferred_until": "2031-03-08T08:00:00.5Z", "added_later": 1}),
                ),
            ),
            (true, with(json!({"evidence": [], "concepts": []}))),
            (false, with(json!({"seq": 0}))),
            (false, with(json!({"id": "e-00112233445566778899"}))),
            (false, with(json!({"id": "i-123"}))),
            (false, with(json!({"status": "done"}))),
            (false, with(json!({"reason": null}))),
            (false, with(json!({"evidence": null}))),
            (
                false,
                with(json!({"concepts": [{"id": "c-00112233445566778899"}]})),
            ),
            (false, with(json!({"density": -1}))),
            (false, with(json!({"emitted_at": "2031-03-01"}))),
        ],
    );
}

#[test]
fn feedback() {
    let whole = raw("feedback.json")["examples"][0].clone();
    let with = |change| but(&whole, change);
    check(
        "feedback.json",
        &[
            (
                true,
                json!({"intent": "i-00112233445566778899", "verdict": "accept"}),
            ),
            (
                true,
                with(json!({"verdict": "modify", "title": "t", "priority": 0.4, "category": "c"})),
            ),
            (false, with(json!({"intent": null}))),
            (false, with(json!({"intent": "c-00112233445566778899"}))),
            (false, with(json!({"verdict": "maybe"}))),
            (false, with(json!({"verdict": null}))),
            (false, with(json!({"until": "later"}))),
            (false, with(json!({"priority": "high"}))),
        ],
    );
}

#[test]
fn plans() {
    let whole = raw("plan.json")["examples"][0].clone();
    let edges: Vec<_> = EdgeKind::ALL.iter().map(|k| k.name()).collect();
    assert_eq!(
        raw("plan.json")["$defs"]["add_edge"]["properties"]["type"]["enum"],
        json!(edges)
    );
    let ops = |ops: Value| but(&whole, json!({"ops": ops}));
    let bare = |op: Value| json!({"reasoning": "r", "grounded_in": [], "ops": [op]});
    let edge = |kind: &str| json!([{"op": "ADD_EDGE", "source": "a", "target": "b", "type": kind}]);
    let mut table = vec![
        (
            true,
            ops(
                json!([{"op": "ADD_NODE", "id": "n", "type": "time", "title": "Friday", "start": "2031-03-07T00:00:00Z", "end": "2031-03-08T00:00:00Z"}]),
            ),
        ),
        (
            true,
            ops(
                json!([{"op": "UPDATE_NODE", "id": "c", "title": "t"}, {"op": "MERGE_NODES", "keep": "a", "absorb": "b"}]),
            ),
        ),
        (true, bare(json!({"op": "REMOVE_NODE", "id": "c"}))),
        (
            true,
            bare(json!({"op": "REMOVE_EDGE", "source": "a", "target": "b", "type": "CAUSES"})),
        ),
        (
            true,
            bare(
                json!({"op": "ADD_EDGE", "source": "a", "target": "b", "type": "PART_OF", "weight": 0.5, "inferred": true}),
            ),
        ),
        (
            false,
            bare(json!({"op": "ADD_EDGE", "source": "a", "target": "b", "type": "PART_OF", "weight": 0})),
        ),
        (
            false,
            bare(json!({"op": "ADD_EDGE", "source": "a", "target": "b", "type": "PART_OF", "weight": 1.5})),
        ),
        (false, ops(edge("KNOWS"))),
        (false, ops(json!([]))),
        (
            false,
            ops(json!([{"op": "ADD_NODE", "id": "n", "type": "event", "title": "t"}])),
        ),
        (
            false,
            ops(json!([{"op": "ADD_NODE", "id": "n", "type": "concept"}])),
        ),
        (
            false,
            ops(json!([{"op": "ADD_NODE", "id": "n", "type": "time", "title": "t"}])),
        ),
        (
            false,
            ops(json!([{"op": "ADD_NODE", "id": "n", "type": "concept", "title": "t", "colour": "red"}])),
        ),
        (false, ops(json!([{"op": "UPDATE_NODE", "id": "c"}]))),
        (false, ops(json!([{"op": "DROP_ALL"}]))),
        (false, ops(json!([{"op": "MERGE_NODES", "keep": "a"}]))),
        (
            false,
            bare(json!({"op": "MERGE_NODES", "keep": "a", "absorb": "b"})),
        ),
        (
            false,
            bare(json!({"op": "ADD_NODE", "id": "n", "type": "concept", "title": "t"})),
        ),
        (false, but(&whole, json!({"reasoning": null}))),
        (false, but(&whole, json!({"reasoning": " "}))),
        (
            false,
            but(&whole, json!({"grounded_in": ["c-00112233445566778899"]})),
        ),
    ];
    table.extend(edges.iter().map(|kind| (true, ops(edge(kind)))));
    check("plan.json", &table);
}
