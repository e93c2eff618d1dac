//! Native records: fields, spaces, identity, batches, and the way back to JSON.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn a_full_native_record_keeps_every_field() {
    let e = json(json!({
        "id": "t-1", "time": "2031-03-01T10:00:00Z", "type": "ticket", "source": "desk", "actor": "Ines",
        "title": "Lift stuck", "text": "The lift stops between floors.", "data": {"floor": 3}, "space": "house/7",
        "colour": "red", "nested": {"a": [1, null]}
    }))
    .unwrap();
    assert_eq!(
        e.identity(),
        Identity {
            space: "house/7",
            source: "desk",
            id: "t-1"
        }
    );
    assert_eq!(e.time.rfc3339(), "2031-03-01T10:00:00Z");
    assert_eq!(e.time_mark, TimeMark::Given);
    assert_eq!(e.received, RECEIVED);
    assert_eq!(
        (e.kind.as_deref(), e.actor.as_deref()),
        (Some("ticket"), Some("Ines"))
    );
    assert_eq!(
        (e.title.as_deref(), e.text.as_str()),
        (Some("Lift stuck"), "The lift stops between floors.")
    );
    assert_eq!(e.data, Some(json!({"floor": 3})));
    let extra: Vec<_> = e.extra.iter().collect();
    assert_eq!(extra.len(), 2, "{extra:?}");
    assert_eq!(e.extra["colour"], "red");
    assert_eq!(e.extra["nested"], json!({"a": [1, null]}));
}

#[test]
fn text_stays_verbatim() {
    let text = "  two  spaces\n\ttab \u{0} nul, e\u{301} decomposed, \u{1f980} ";
    let e = json(json!({"id": "a", "text": text})).unwrap();
    assert_eq!(e.text, text);
}

#[test]
fn needed_and_mistyped_fields_are_refused_with_a_code() {
    let cases = [
        (json!({"text": "x"}), "missing-id"),
        (json!({"id": null, "text": "x"}), "missing-id"),
        (json!({"id": "  ", "text": "x"}), "missing-id"),
        (json!({"id": ["a"], "text": "x"}), "bad-id"),
        (json!({"id": true, "text": "x"}), "bad-id"),
        (json!({"id": 1.5, "text": "x"}), "bad-id"),
        (json!({"id": "a"}), "empty-content"),
        (json!({"id": "a", "text": " \n"}), "empty-content"),
        (json!({"id": "a", "title": "only a title"}), "empty-content"),
        (json!({"id": "a", "data": {}}), "empty-content"),
        (json!({"id": "a", "data": null, "text": ""}), "empty-content"),
        (json!({"id": "a", "text": 7}), "bad-field"),
        (json!({"id": "a", "text": "x", "title": {}}), "bad-field"),
        (
            json!({"id": "a", "text": "x", "actor": {"name": "Ines"}}),
            "bad-field",
        ),
        (json!({"id": "a", "text": "x", "time": "soon"}), "bad-time"),
        (json!({"id": "a", "text": "x", "space": 4}), "bad-space"),
        (
            json!({"id": "a", "text": "x", "time": 0, "gyrus_time_mark": "guessed"}),
            "bad-field",
        ),
        (json!("a string"), "not-an-object"),
        (json!(null), "not-an-object"),
        (json!([{"id": "a", "text": "x"}]), "not-an-object"),
    ];
    for (record, code) in cases {
        let shown = record.to_string();
        let id = match &record["id"] {
            Value::String(s) if !s.trim().is_empty() => Some(s.clone()),
            Value::Number(n) => Some(n.to_string()),
            _ => None,
        };
        let refused = json(record).expect_err(&shown);
        assert_eq!(refused.code, code, "{shown}: {refused}");
        assert_eq!(refused.id, id, "{shown}");
    }
}

#[test]
fn integers_serve_as_ids_exactly() {
    assert_eq!(json(json!({"id": 42, "text": "x"})).unwrap().id, "42");
    assert_eq!(
        one(br#"{"id": 18446744073709551615, "text": "x"}"#).unwrap().id,
        "18446744073709551615"
    );
    assert_eq!(one(br#"{"id": -7, "text": "x"}"#).unwrap().id, "-7");
    // One more, and the parser would round: two ids could become one.
    assert_eq!(
        one(br#"{"id": 18446744073709551616, "text": "x"}"#)
            .unwrap_err()
            .code,
        "bad-id"
    );
}

#[test]
fn data_alone_is_enough_and_a_string_in_it_is_the_text() {
    let e = json(json!({"id": "a", "data": {"reading": 4}})).unwrap();
    assert_eq!((e.text.as_str(), e.data), ("", Some(json!({"reading": 4}))));
    let e = json(json!({"id": "a", "data": "words"})).unwrap();
    assert_eq!((e.text.as_str(), e.data), ("words", None));
}

#[test]
fn the_space_comes_from_the_record_then_the_call_then_the_key_then_the_default() {
    let settings = Settings::default();
    let space = |own: Option<&str>, call, key| {
        let cx = DecodeCx {
            space: call,
            fallback_space: key,
            ..DecodeCx::new(RECEIVED, &settings)
        };
        decode_json(json!({"id": "a", "text": "x", "space": own}), &cx).map(|e| e.space.to_string())
    };
    assert_eq!(space(None, None, None).unwrap(), "default");
    assert_eq!(space(None, None, Some("key")).unwrap(), "key");
    assert_eq!(space(None, None, Some("")).unwrap(), "default");
    assert_eq!(space(None, Some("call"), Some("key")).unwrap(), "call");
    assert_eq!(space(Some("own"), None, Some("key")).unwrap(), "own");
    assert_eq!(space(Some("same"), Some("same"), None).unwrap(), "same");
    assert_eq!(
        space(Some("own"), Some("call"), None).unwrap_err().code,
        "space-mismatch"
    );
}

#[test]
fn no_reason_names_a_space() {
    let settings = Settings::default();
    let long = "secret".repeat(40);
    for own in ["secret-tenant", "secret\u{7}tenant", " secret", long.as_str()] {
        let cx = DecodeCx {
            space: Some("mine"),
            ..DecodeCx::new(RECEIVED, &settings)
        };
        let refused = decode_json(json!({"id": "a", "text": "x", "space": own}), &cx).unwrap_err();
        assert!(
            !refused.reason.contains("secret") && !refused.reason.contains("mine"),
            "{refused}"
        );
        let cx = DecodeCx::new(RECEIVED, &settings);
        if let Err(refused) = decode_json(json!({"id": "a", "text": "x", "space": own}), &cx) {
            assert!(!refused.reason.contains("secret"), "{refused}");
        }
    }
}

#[test]
fn space_names_have_rules() {
    for good in [
        "a",
        "team/7",
        "..",
        "Zo\u{eb} & co",
        "\u{7a7a}\u{9593}",
        &"x".repeat(128),
        &"\u{e9}".repeat(128),
    ] {
        assert_eq!(check_space(good), Ok(()), "{good:?}");
    }
    for bad in [
        "",
        " ",
        " a",
        "a\n",
        "a\u{0}b",
        "a\u{85}b",
        "a\u{2028}b",
        &"x".repeat(129),
    ] {
        assert_eq!(check_space(bad).unwrap_err().code, "bad-space", "{bad:?}");
    }
}

#[test]
fn identity_finds_duplicates() {
    let of = |v| json(v).unwrap();
    let first = of(json!({"id": "a", "source": "s", "text": "x"}));
    let again = of(json!({"id": "a", "source": "s", "text": "said otherwise"}));
    let other_source = of(json!({"id": "a", "source": "t", "text": "x"}));
    let other_space = of(json!({"id": "a", "source": "s", "text": "x", "space": "b"}));
    assert!(again.is_duplicate_of(&first));
    assert!(!other_source.is_duplicate_of(&first) && !other_space.is_duplicate_of(&first));
    let all = [&first, &again, &other_source, &other_space];
    assert_eq!(all.iter().map(|e| e.identity()).collect::<BTreeSet<_>>().len(), 3);
    // Number or string: one id.
    assert!(of(json!({"id": 5, "text": "x"})).is_duplicate_of(&of(json!({"id": "5", "text": "x"}))));
}

#[test]
fn the_carrier_fills_in_the_source() {
    let settings = Settings::default();
    let cx = DecodeCx {
        source: Some("topic"),
        ..DecodeCx::new(RECEIVED, &settings)
    };
    assert_eq!(
        decode_json(json!({"id": "a", "text": "x"}), &cx).unwrap().source,
        "topic"
    );
    assert_eq!(
        decode_json(json!({"id": "a", "text": "x", "source": "own"}), &cx)
            .unwrap()
            .source,
        "own"
    );
}

#[test]
fn a_batch_gives_each_item_its_own_result() {
    let all = bytes(
        br#" [ {"id":"a","text":"one [,] \" {"} , {"id":"b","text":}, 7,
        {"id":"c"}, {"id":"d","data":{"deep":[[{"x":"]"}]]}}, {"id":"e","text":"two","id":"f"} ] "#,
    )
    .unwrap();
    let codes: Vec<_> = all
        .iter()
        .map(|r| r.as_ref().map(|e| e.id.as_str()).map_err(|r| r.code))
        .collect();
    assert_eq!(
        codes,
        [
            Ok("a"),
            Err("malformed-json"),
            Err("not-an-object"),
            Err("empty-content"),
            Ok("d"),
            Ok("f")
        ]
    );
    assert_eq!(
        all[1].as_ref().unwrap_err().id.as_deref(),
        Some("b"),
        "the id of a broken item is still told"
    );
    assert_eq!(bytes(b"[]").unwrap().len(), 0);
}

#[test]
fn what_cannot_be_taken_apart_is_refused_whole() {
    for (input, code) in [
        (&b""[..], "empty-input"),
        (b" \n\t", "empty-input"),
        (b"[{\"id\":\"a\",\"text\":\"x\"}", "malformed-json"),
        (b"[{\"id\":\"a\",\"text\":\"x\"},]", "malformed-json"),
        (b"[,]", "malformed-json"),
        (b"[] []", "malformed-json"),
        (b"\xff\xfe{\0}\0", "malformed-json"),
    ] {
        let refused = bytes(input).unwrap_err();
        assert_eq!(
            refused.code,
            code,
            "{:?}: {refused}",
            String::from_utf8_lossy(input)
        );
    }
    for input in [
        &b"{"[..],
        b"hello",
        b"{\"id\":\"a\",\"text\":\"x\"} trailing",
        b"\x00",
        b"nul",
    ] {
        assert_eq!(one(input).unwrap_err().code, "malformed-json");
    }
}

#[test]
fn deep_nesting_is_refused_not_a_stack_overflow() {
    let deep = format!(
        "{{\"id\":\"a\",\"data\":{}1{}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    assert_eq!(one(deep.as_bytes()).unwrap_err().code, "malformed-json");
    let open = "[".repeat(200_000);
    assert!(bytes(open.as_bytes()).is_err());
}

#[test]
fn a_field_is_found_in_raw_bytes() {
    let line = br#"{"jsonrpc":"2.0","params":{"space":"a","events":[{"id":"x}"}],"n":-1.5},"events":0}"#;
    let at = |path: &[&str]| raw::field(line, path).map(|r| std::str::from_utf8(&line[r]).unwrap());
    assert_eq!(at(&["params", "events"]), Some(r#"[{"id":"x}"}]"#));
    assert_eq!(at(&["params", "n"]), Some("-1.5"));
    assert_eq!(at(&["events"]), Some("0"));
    assert_eq!(at(&["params", "other"]), None);
    assert_eq!(at(&["jsonrpc", "other"]), None);
}

#[test]
fn a_request_with_a_broken_event_is_cut_in_two() {
    let line = br#"{"id":1,"method":"ingest","params":{"space":"a","events":[{"id":"x","text":"badge \ud83d"},{"id":"y","text":"z"}]}}"#;
    assert!(
        serde_json::from_slice::<Value>(line).is_err(),
        "as a whole it is no JSON for the parser"
    );
    let (request, events) = raw::cut(line, &["params", "events"]).unwrap();
    let request: Value = serde_json::from_slice(&request).unwrap();
    assert_eq!(request["params"], json!({"space": "a", "events": null}));
    let all: Vec<_> = bytes(events)
        .unwrap()
        .into_iter()
        .map(|e| e.unwrap().text)
        .collect();
    assert_eq!(all, ["badge \u{fffd}", "z"]);
    assert_eq!(raw::cut(line, &["params", "nothing"]), None);
}

#[test]
fn receipts_render() {
    let refused = json(json!({"id": "a"})).unwrap_err();
    assert_eq!(
        Receipt::stored("a", "e-1").to_json(),
        json!({"id": "a", "status": "stored", "node": "e-1"})
    );
    assert_eq!(
        Receipt::rejected(&refused).to_json(),
        json!({"id": "a", "status": "rejected", "reason": refused.reason})
    );
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|kv| Value::Object(kv.into_iter().collect())),
        ]
    })
}

/// Records that mix fields of the contract, good and bad, with others.
fn record() -> impl Strategy<Value = Value> {
    let keys = [
        "id",
        "time",
        "type",
        "source",
        "actor",
        "title",
        "text",
        "data",
        "space",
        "specversion",
        "data_base64",
        "gyrus_received",
        "gyrus_time_mark",
        "gyrus_repaired",
        "subject",
        "x",
    ];
    let field = (
        proptest::sample::select(keys.to_vec()),
        prop_oneof![value(), Just(json!("2031-03-01 10:00")), Just(json!("1.0"))],
    );
    proptest::collection::vec(field, 0..10).prop_map(|fields| {
        let mut map: serde_json::Map<String, Value> =
            fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        map.entry("id").or_insert_with(|| json!("a"));
        Value::Object(map)
    })
}

proptest! {
    #[test]
    fn decode_bytes_never_panics(input in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = bytes(&input);
    }

    #[test]
    fn decode_bytes_never_panics_on_near_json(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "\\ud83d", "d83d", "\\udc00", "\"id\"", "\"text\"", "1", "-", "1e999", " ",
            "\"time\"", "\"9999-99-99\"", "\"specversion\"", "\"1.0\"", "null", "\u{feff}", "\u{1f980}",
        ]), 0..40)
    ) {
        let _ = bytes(parts.concat().as_bytes());
    }

    #[test]
    fn decode_never_panics_on_records(record in record()) {
        let _ = json(record);
    }

    #[test]
    fn json_and_back_is_the_same_event(record in record()) {
        if let Ok(event) = json(record) {
            let written = to_json(&event);
            prop_assert_eq!(&from_json(written.clone()).unwrap(), &event);
            prop_assert_eq!(&json(written.clone()).unwrap(), &event);
            let again = one(&serde_json::to_vec(&written).unwrap()).unwrap();
            prop_assert_eq!(&again, &event);
        }
    }
}
