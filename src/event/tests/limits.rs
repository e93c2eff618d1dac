//! Sizes.

use serde_json::json;

use super::*;

#[test]
fn a_large_record_is_refused_beside_a_small_neighbour() {
    let large = format!(r#"{{"id":"large","text":"{}"}}"#, "x".repeat(2 * 1_048_576));
    let batch = format!(r#"[{large},{{"id":"small","text":"here"}}]"#);
    let all = bytes(batch.as_bytes()).unwrap();
    let refused = all[0].as_ref().unwrap_err();
    assert_eq!(refused.code, "too-large");
    assert_eq!(refused.id.as_deref(), Some("large"));
    assert!(
        refused.reason.contains("1048576") && refused.reason.contains(&large.len().to_string()),
        "{refused}"
    );
    assert_eq!(all[1].as_ref().unwrap().id, "small");
}

#[test]
fn the_limit_is_exact_and_the_same_for_parsed_records() {
    let record = json!({"id": "a", "text": "0123456789"});
    let size = record.to_string().len();
    for (limit, fits) in [(size, true), (size - 1, false)] {
        let settings = Settings {
            max_event_bytes: limit,
            ..Settings::default()
        };
        with(&settings, |cx| {
            assert_eq!(decode_json(record.clone(), cx).is_ok(), fits);
            assert_eq!(
                decode_bytes(record.to_string().as_bytes(), cx).unwrap()[0].is_ok(),
                fits
            );
        });
    }
}

#[test]
fn names_have_a_limit_in_bytes() {
    let long = "\u{e9}".repeat(257);
    assert_eq!(json(json!({"id": long, "text": "x"})).unwrap_err().code, "bad-id");
    for field in ["source", "actor", "type"] {
        let refused = json(json!({"id": "a", "text": "x", field: long})).unwrap_err();
        assert_eq!(refused.code, "bad-field");
        assert!(
            refused.reason.contains(field)
                && refused.reason.contains("514")
                && refused.reason.contains("512")
        );
    }
    assert!(json(json!({"id": "\u{e9}".repeat(256), "text": "x"})).is_ok());
}
