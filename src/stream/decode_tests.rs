//! Tests of classifying records.

use proptest::prelude::*;

use super::*;
use crate::intent::Verdict;

fn settings() -> event::Settings {
    event::Settings::default()
}

fn classified(record: &Record) -> Input {
    let settings = settings();
    classify(
        record,
        &ClassifyCx {
            settings: &settings,
            feedback_topic: Some("fb"),
            received: Ts(7),
            space: None,
        },
    )
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
    let binary_key = Record {
        key: Some(vec![0, 159, 1]),
        ..bare.clone()
    };
    for (r, space) in [
        (named, "own"),
        (keyed, "k"),
        (bare, "default"),
        (binary_key, "default"),
    ] {
        let Input::Events { events, rejected } = classified(&r) else {
            panic!()
        };
        assert_eq!(&*events[0].space, space);
        assert_eq!(events[0].received, Ts(1_000), "the broker's time, not ours");
        assert!(rejected.is_empty());
    }
}

#[test]
fn a_line_without_a_timestamp_is_received_now() {
    let r = Record {
        timestamp_ms: None,
        ..record("f", None, Some(r#"{"id":"1","text":"a"}"#))
    };
    let Input::Events { events, .. } = classified(&r) else {
        panic!()
    };
    assert_eq!(events[0].received, Ts(7));
}

#[test]
fn a_broken_record_of_a_batch_costs_only_itself() {
    let r = record(
        "ev",
        Some("k"),
        Some(r#"[{"id":"1","text":"a"},{"text":"no id"},{"id":"3","text":"c"}]"#),
    );
    let Input::Events { events, rejected } = classified(&r) else {
        panic!()
    };
    assert_eq!((events.len(), rejected.len()), (2, 1));
    let all_bad = record("ev", None, Some(r#"[{"text":"x"},{"text":"y"}]"#));
    assert_eq!(code_of(classified(&all_bad)), "missing-id");
}

#[test]
fn poison_says_its_code() {
    assert_eq!(
        code_of(classified(&record("ev", None, Some("{nope")))),
        "malformed-json"
    );
    assert_eq!(code_of(classified(&record("ev", None, Some("")))), "empty-input");
    assert_eq!(
        code_of(classified(&record("ev", None, Some("[]")))),
        "empty-input"
    );
    let long = Record {
        defect: Some("too long".into()),
        ..record("ev", None, Some("x"))
    };
    assert_eq!(code_of(classified(&long)), code::DEFECT);
}

#[test]
fn binary_cloudevents_are_events() {
    let mut r = record("ev", None, Some(r#"{"text":"hello"}"#));
    for (k, v) in [
        ("ce_specversion", "1.0"),
        ("ce_id", "7"),
        ("ce_source", "s"),
        ("ce_type", "t"),
        ("ce_space", "sp"),
    ] {
        r.headers.push((k.into(), v.into()));
    }
    let Input::Events { events, .. } = classified(&r) else {
        panic!()
    };
    assert_eq!(
        (
            &*events[0].space,
            events[0].source.as_str(),
            events[0].id.as_str()
        ),
        ("sp", "s", "7")
    );
}

#[test]
fn tombstones_name_their_event_by_key_or_headers() {
    let Input::Tombstone(t) = classified(&record("ev", Some("e-9"), None)) else {
        panic!()
    };
    assert_eq!(
        (t.id.as_str(), t.spaces("default")),
        ("e-9", vec!["e-9", "default"])
    );

    let mut r = record("ev", Some("alice"), None);
    r.headers.push(("CE_ID".into(), b"42".to_vec()));
    let Input::Tombstone(t) = classified(&r) else {
        panic!()
    };
    assert_eq!(
        (t.id.as_str(), t.spaces("default")),
        ("42", vec!["alice", "default"])
    );

    r.headers.push(("ce_space".into(), b"bob".to_vec()));
    r.headers.push(("ce_source".into(), b"crm".to_vec()));
    let Input::Tombstone(t) = classified(&r) else {
        panic!()
    };
    assert_eq!(
        (t.spaces("default"), t.source.as_deref()),
        (vec!["bob"], Some("crm"))
    );

    assert_eq!(
        code_of(classified(&record("ev", None, None))),
        code::TOMBSTONE_WITHOUT_KEY
    );
    let binary = Record {
        key: Some(vec![255, 254]),
        ..record("ev", None, None)
    };
    assert_eq!(code_of(classified(&binary)), code::BAD_KEY);
    assert_eq!(
        code_of(classified(&record("fb", Some("k"), None))),
        code::BAD_FEEDBACK
    );
}

#[test]
fn feedback_is_read_plain_and_as_a_cloudevent() {
    let plain = record(
        "fb",
        Some("alice"),
        Some(r#"{"intent":"i-1","verdict":"defer","until":"2026-01-02T03:04:05Z","note":"later"}"#),
    );
    let Input::Feedback { space, feedback } = classified(&plain) else {
        panic!()
    };
    assert_eq!(
        (space.as_str(), &*feedback.intent, feedback.verdict),
        ("alice", "i-1", Verdict::Defer)
    );
    assert_eq!(
        feedback.until.map(Ts::rfc3339).as_deref(),
        Some("2026-01-02T03:04:05Z")
    );

    let cloud = record(
        "fb",
        None,
        Some(
            r#"{"specversion":"1.0","id":"x","source":"s","type":"t","space":"bob",
        "data":{"intent":"i-2","verdict":"modify","changes":{"title":"new","priority":0.5}}}"#,
        ),
    );
    let Input::Feedback { space, feedback } = classified(&cloud) else {
        panic!()
    };
    assert_eq!(
        (space.as_str(), feedback.title.as_deref(), feedback.priority),
        ("bob", Some("new"), Some(0.5))
    );

    for bad in [
        "[]",
        "{}",
        r#"{"intent":"i-1"}"#,
        r#"{"intent":"i-1","verdict":"maybe"}"#,
        r#"{"intent":3,"verdict":"accept"}"#,
        r#"{"intent":"i","verdict":"defer","until":"soon"}"#,
        r#"{"intent":"i","verdict":"modify","priority":"high"}"#,
    ] {
        assert_eq!(
            code_of(classified(&record("fb", None, Some(bad)))),
            code::BAD_FEEDBACK,
            "{bad}"
        );
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
