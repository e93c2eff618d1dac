//! Broken Unicode: repaired where it stands, and marked.

use super::*;

#[test]
fn of_ten_records_only_the_broken_one_is_touched() {
    let items: Vec<String> = (0..10)
        .map(|i| {
            let text = if i == 4 {
                r"badge \ud83d shown"
            } else {
                r"badge \ud83e\udd80 shown, C:\\ud83d too"
            };
            format!(r#"{{"id":"{i}","text":"{text}"}}"#)
        })
        .collect();
    let all = bytes(format!("[{}]", items.join(",")).as_bytes()).unwrap();
    assert_eq!(all.len(), 10);
    for (i, e) in all.into_iter().enumerate() {
        let e = e.unwrap();
        assert_eq!(e.id, i.to_string());
        if i == 4 {
            assert_eq!(e.text, "badge \u{fffd} shown");
            assert_eq!(e.extra.get(REPAIRED), Some(&Value::Bool(true)));
        } else {
            assert_eq!(e.text, "badge \u{1f980} shown, C:\\ud83d too");
            assert!(e.extra.is_empty());
        }
    }
}

#[test]
fn halves_of_pairs_wherever_they_stand() {
    let text = |escaped: &str| {
        one(format!(r#"{{"id":"a","text":"{escaped}"}}"#).as_bytes())
            .unwrap()
            .text
    };
    assert_eq!(text(r"\ud83d"), "\u{fffd}");
    assert_eq!(text(r"\uDC00x"), "\u{fffd}x");
    assert_eq!(text(r"\ud83d\ud83d\ude00"), "\u{fffd}\u{1f600}");
    assert_eq!(text(r"\ude00\ud83d"), "\u{fffd}\u{fffd}");
    assert_eq!(text(r"\ud83d\n"), "\u{fffd}\n");
    assert_eq!(text(r"\\\ud83d"), "\\\u{fffd}");
    assert_eq!(text(r"\\ud83d"), "\\ud83d");
    // Also in keys and in data.
    let e = one(br#"{"id":"a","data":{"k\udfff":["\ud800"]},"x\ud900":1}"#).unwrap();
    assert_eq!(e.data, Some(serde_json::json!({"k\u{fffd}": ["\u{fffd}"]})));
    assert_eq!(e.extra["x\u{fffd}"], 1);
}

#[test]
fn bytes_that_are_not_utf8_cost_a_character() {
    let e = one(b"{\"id\":\"a\",\"text\":\"caf\xe9 \xc3\xa9\"}").unwrap();
    assert_eq!(e.text, "caf\u{fffd} \u{e9}");
    assert_eq!(e.extra.get(REPAIRED), Some(&Value::Bool(true)));
    let e = one("{\"id\":\"a\",\"text\":\"caf\u{e9}\"}".as_bytes()).unwrap();
    assert!(e.extra.is_empty());
}

#[test]
fn broken_ids_are_not_made_equal() {
    for broken in [
        &br#"{"id":"a\ud83d","text":"x"}"#[..],
        br#"{"id":"a","source":"s\ud83d","text":"x"}"#,
    ] {
        assert_eq!(one(broken).unwrap_err().code, "bad-id");
    }
    // A replacement character that the producer wrote is a character like any other.
    assert_eq!(
        one("{\"id\":\"a\u{fffd}\",\"text\":\"x\"}".as_bytes())
            .unwrap()
            .id,
        "a\u{fffd}"
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(
        one(b"\xef\xbb\xbf{\"id\":\"a\",\"text\":\"x\"}").unwrap().text,
        "x"
    );
    assert_eq!(
        bytes(b"\xef\xbb\xbf[{\"id\":\"a\",\"text\":\"x\"}]")
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn sound_text_is_not_copied() {
    let (text, repaired) = repair(br#"{"a":"\ud83e\udd80 \\ \" \n"}"#);
    assert!(matches!(text, std::borrow::Cow::Borrowed(_)) && !repaired);
}
