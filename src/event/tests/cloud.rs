//! CloudEvents in their three forms.

use serde_json::json;

use super::*;

const STRUCTURED: &str = r#"{"specversion":"1.0","id":"c-1","source":"/desk/4","type":"org.example.note","time":"2031-03-01T10:00:00Z",
    "subject":"boiler","space":"house","actor":"Ines","datacontenttype":"application/json",
    "data":{"title":"Boiler","text":"The boiler lost pressure.","actor":"kept","bar":0.4}}"#;

fn binary(headers: &[(&str, &str)], body: &[u8]) -> Decoded {
    let headers: Vec<(&str, &[u8])> = headers.iter().map(|(k, v)| (*k, v.as_bytes())).collect();
    let mut all = with(&Settings::default(), |cx| decode_record(&headers, body, cx))?;
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn structured() {
    let e = one(STRUCTURED.as_bytes()).unwrap();
    assert_eq!(
        e.identity(),
        Identity {
            space: "house",
            source: "/desk/4",
            id: "c-1"
        }
    );
    assert_eq!(e.kind.as_deref(), Some("org.example.note"));
    assert_eq!(
        (e.title.as_deref(), e.text.as_str()),
        (Some("Boiler"), "The boiler lost pressure.")
    );
    assert_eq!(
        e.actor.as_deref(),
        Some("Ines"),
        "the extension stands above the payload"
    );
    assert_eq!(e.data, Some(json!({"actor": "kept", "bar": 0.4})));
    assert_eq!(e.extra["subject"], "boiler");
    assert!(!e.extra.contains_key("specversion"));
    assert_eq!(from_json(to_json(&e)).unwrap(), e);
}

#[test]
fn binary_mode_gives_the_same_event() {
    let body = br#"{"title":"Boiler","text":"The boiler lost pressure.","actor":"kept","bar":0.4}"#;
    let e = binary(
        &[
            ("ce_specversion", "1.0"),
            ("ce_id", "c-1"),
            ("ce_source", "/desk/4"),
            ("ce_type", "org.example.note"),
            ("ce_time", "2031-03-01T10:00:00Z"),
            ("ce_subject", "boiler"),
            ("ce_space", "house"),
            ("ce_actor", "Ines"),
            ("content-type", "application/json"),
            ("traceparent", "not part of the event"),
        ],
        body,
    )
    .unwrap();
    let mut other = one(STRUCTURED.as_bytes()).unwrap();
    other.extra.sort_keys();
    let mut e = e;
    e.extra.sort_keys();
    assert_eq!(e, other);
}

#[test]
fn a_batch_of_structured_and_native_records() {
    let all = bytes(
        format!(r#"[{STRUCTURED}, {{"id":"n","text":"native"}}, {{"specversion":"1.0","id":"x"}}]"#)
            .as_bytes(),
    )
    .unwrap();
    assert_eq!(all[0].as_ref().unwrap().id, "c-1");
    assert_eq!(all[1].as_ref().unwrap().id, "n");
    let refused = all[2].as_ref().unwrap_err();
    assert_eq!(
        (refused.code, refused.id.as_deref()),
        ("bad-cloudevent", Some("x"))
    );
}

#[test]
fn headers_decide_the_mode() {
    // A structured event, announced as such, wins over stray attributes.
    let e = binary(
        &[
            ("content-type", "application/cloudevents+json; charset=UTF-8"),
            ("ce_id", "stray"),
        ],
        STRUCTURED.as_bytes(),
    );
    assert_eq!(e.unwrap().id, "c-1");
    // No attributes: native.
    let e = binary(
        &[("content-type", "application/json")],
        br#"{"id":"n","text":"native"}"#,
    );
    assert_eq!(e.unwrap().id, "n");
}

#[test]
fn payloads_of_every_kind() {
    let of = |content_type: Option<&str>, body: &[u8]| {
        let mut headers = vec![
            ("ce_specversion", "1.0"),
            ("CE_ID", "a"),
            ("ce-source", "s"),
            ("ce_type", "t"),
        ];
        headers.extend(content_type.map(|t| ("Content-Type", t)));
        binary(&headers, body)
    };
    assert_eq!(
        of(Some("text/plain; charset=utf-8"), b"plain words")
            .unwrap()
            .text,
        "plain words"
    );
    assert_eq!(of(None, b"plain words").unwrap().text, "plain words");
    assert_eq!(of(None, br#"{"text":"in json"}"#).unwrap().text, "in json");
    assert_eq!(
        of(Some("application/vnd.x+json"), br#""just a string""#)
            .unwrap()
            .text,
        "just a string"
    );
    assert_eq!(
        of(Some("application/json"), b"[1,2]").unwrap().data,
        Some(json!([1, 2]))
    );
    assert_eq!(of(Some("application/xml"), b"<a/>").unwrap().text, "<a/>");
    assert_eq!(
        of(Some("image/png"), b"\x89PNG").unwrap().data,
        Some(json!({"data_base64": "iVBORw=="}))
    );
    let broken = of(Some("text/plain"), b"caf\xe9").unwrap();
    assert_eq!(
        (broken.text.as_str(), broken.extra.get(REPAIRED)),
        ("caf\u{fffd}", Some(&json!(true)))
    );
    let broken = of(Some("application/json"), br#"{"text":"\ud83d"}"#).unwrap();
    assert_eq!(
        (broken.text.as_str(), broken.extra.get(REPAIRED)),
        ("\u{fffd}", Some(&json!(true)))
    );
    assert_eq!(
        of(Some("application/json"), b"{no").unwrap_err().code,
        "malformed-json"
    );
    assert_eq!(
        of(Some("application/json"), b"").unwrap_err().code,
        "empty-content"
    );
    assert_eq!(
        of(Some("application/json"), b"null").unwrap_err().code,
        "empty-content"
    );
    let large = of(Some("text/plain"), &[b'x'; 1_048_577]).unwrap_err();
    assert_eq!((large.code, large.id.as_deref()), ("too-large", Some("a")));
}

#[test]
fn base64_payloads() {
    let of = |data: Value, content_type: &str| {
        json(
            json!({"specversion": "1.0", "id": "a", "source": "s", "type": "t", "datacontenttype": content_type, "data_base64": data}),
        )
    };
    assert_eq!(of(json!("aGVsbG8="), "text/plain").unwrap().text, "hello");
    assert_eq!(
        of(json!("aGVsbG8"), "application/octet-stream").unwrap().text,
        "hello"
    );
    assert_eq!(
        of(json!("eyJ0ZXh0Ijoib25lIiwibiI6MX0="), "application/json")
            .unwrap()
            .data,
        Some(json!({"n": 1}))
    );
    assert_eq!(
        of(json!("/9j/4A=="), "image/jpeg").unwrap().data,
        Some(json!({"data_base64": "/9j/4A=="}))
    );
    for bad in [json!("a"), json!("a$bc"), json!("aGVsbG9"), json!(7)] {
        assert_eq!(
            of(bad.clone(), "text/plain").unwrap_err().code,
            "bad-field",
            "{bad}"
        );
    }
}

#[test]
fn what_breaks_the_specification_is_refused() {
    let whole = json!({"specversion": "1.0", "id": "a", "source": "s", "type": "t", "data": "x"});
    assert_eq!(json(whole.clone()).unwrap().text, "x");
    for (change, code) in [
        (json!({"specversion": "0.3"}), "bad-cloudevent"),
        (json!({"specversion": 1}), "bad-cloudevent"),
        (json!({"source": null}), "bad-cloudevent"),
        (json!({"type": ""}), "bad-cloudevent"),
        (json!({"id": null}), "missing-id"),
        (json!({"data": null}), "empty-content"),
        (json!({"data_base64": "eA=="}), "bad-cloudevent"),
        (json!({"time": "yesterday"}), "bad-time"),
        (json!({"space": "a\nb"}), "bad-space"),
    ] {
        let mut record = whole.clone();
        record
            .as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        assert_eq!(json(record).unwrap_err().code, code, "{change}");
    }
}
