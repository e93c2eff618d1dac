//! The socket as clients see it: good requests, bad ones, and what comes back.

mod support;

use serde_json::{Value, json};
use support::fresh::{STORY, fresh};
use support::{Launch, texts};

fn code(answer: &Value) -> &str {
    answer["error"]["data"]["code"]
        .as_str()
        .unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn lines_that_are_no_requests_get_an_error_and_the_connection_lives_on() {
    let mut f = fresh(&[
        ("event.max_event_bytes", "50000"),
        ("server.max_line_bytes", "100000"),
    ]);
    let request = |m: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":{m}}}"#);
    for (line, want, id) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":7,", "parse_error", Value::Null),
        ("\u{1}\u{2} nonsense", "parse_error", Value::Null),
        (
            "[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"status\"}]",
            "invalid_request",
            Value::Null,
        ),
        ("[]", "invalid_request", Value::Null),
        ("42", "invalid_request", Value::Null),
        ("{\"id\":7,\"method\":\"status\"}", "invalid_request", json!(7)),
        (
            "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"status\"}",
            "invalid_request",
            json!(7),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"status\"}",
            "invalid_request",
            Value::Null,
        ),
        (&request("5"), "invalid_request", json!(7)),
        (&request("\"remember\""), "method_not_found", json!(7)),
        (
            &request("\"recall\",\"params\":[\"a\"]"),
            "invalid_params",
            json!(7),
        ),
    ] {
        let answer = f.raw(line);
        assert_eq!((code(&answer), &answer["id"]), (want, &id), "{line}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
    let deep = format!("{}{}", "[".repeat(40_000), "]".repeat(40_000));
    assert_eq!(code(&f.raw(&deep)), "parse_error");
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"status","params":{{"space":"{}"}}}}"#,
        "x".repeat(200_000)
    );
    assert_eq!(code(&f.raw(&long)), "line_too_long");
    f.rpc.send(b"\xff\xfe{}\n");
    assert!(f.rpc.line().unwrap()["error"].is_object());
    // Empty lines and Windows line ends are no requests and no harm.
    let answer = f.raw("\r\n\n{\"jsonrpc\":\"2.0\",\"id\":\"a b\",\"method\":\"status\"}\r");
    assert_eq!(answer["id"], "a b");
    assert!(answer["result"]["version"].is_string());
}

#[test]
fn a_request_without_an_id_gets_no_answer_but_is_done() {
    let mut f = fresh(&[]);
    f.rpc.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"ingest\",\"params\":{\"space\":\"q\",\"events\":[{\"id\":\"1\",\"text\":\"quietly told\"}]}}\n");
    f.rpc.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"no such\"}\n");
    support::until("it is stored", || {
        f.daemon.rpc().status()["counts"]["events"] == 1
    });
    let answer = f.raw("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"status\"}");
    assert_eq!(answer["id"], 3, "nothing came before: {answer}");
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let mut f = fresh(&[]);
    f.rpc.ingest("a", json!([{"id": "1", "text": "something"}]));
    for (method, params, named) in [
        ("ingest", json!({"events": []}), "space"),
        ("ingest", json!({"space": "a"}), "events"),
        ("ingest", json!({"space": "a", "events": {}}), "events"),
        ("ingest", json!({"space": 5, "events": []}), "space"),
        ("ingest", json!({"space": "", "events": []}), "space"),
        (
            "ingest",
            json!({"space": "a", "events": [], "evnts": []}),
            "evnts",
        ),
        ("recall", json!({"space": "a"}), "query"),
        ("recall", json!({"space": "a", "query": 1}), "query"),
        (
            "recall",
            json!({"space": "a", "query": "x", "mode": "FASTEST"}),
            "FASTEST",
        ),
        (
            "recall",
            json!({"space": "a", "query": "x", "budget_tokens": -5}),
            "budget_tokens",
        ),
        (
            "recall",
            json!({"space": "a", "query": "x", "now": "yesterday"}),
            "now",
        ),
        (
            "recall",
            json!({"space": "a", "query": "x", "as_of": "2026-01-01T00:00:00"}),
            "as_of",
        ),
        (
            "recall",
            json!({"space": "a", "query": "x", "policy": "lucky"}),
            "lucky",
        ),
        (
            "recall",
            json!({"space": "a", "query": "x", "explain": "yes"}),
            "explain",
        ),
        ("context", json!({"space": "a", "max_nodes": 1.5}), "max_nodes"),
        (
            "feedback",
            json!({"space": "a", "intent": "i-1", "verdict": "love"}),
            "verdict",
        ),
        ("feedback", json!({"space": "a", "verdict": "accept"}), "intent"),
        ("forget", json!({"space": "a"}), "forget"),
        ("forget", json!({"space": "a", "event_id": 9}), "event_id"),
        ("forget", json!({"space": "a", "event_id": [9]}), "event_id"),
        ("forget", json!({"space": "a", "all": "true"}), "all"),
        ("ack", json!({"space": "a"}), "cursor"),
        (
            "settle",
            json!({"space": "a", "timeout_ms": "soon"}),
            "timeout_ms",
        ),
        ("subscribe", json!({"space": "a", "after": "x"}), "after"),
        ("explain", json!({"space": "a"}), "id"),
        ("import", json!({"space": "a", "nodes": 3}), "nodes"),
        ("status", json!({"space": 3}), "space"),
    ] {
        let (code, message) = f.rpc.refused(method, params.clone());
        assert_eq!(code, "invalid_params", "{method} {params}: {message}");
        assert!(message.contains(named), "{method} {params}: {message}");
    }
    // An empty selection must never come to mean everything.
    let empty = f.rpc.call("forget", json!({"space": "a", "event_id": []}));
    assert!(empty.is_err(), "{empty:?}");
    assert_eq!(f.rpc.status()["counts"]["events"], 1);
}

#[test]
fn bad_events_are_refused_one_by_one() {
    let mut f = fresh(&[]);
    let receipts = f.rpc.ingest(
        "mix",
        json!([
            {"id": "ok-1", "text": "The first one is fine."},
            {"text": "It has no id."},
            {"id": "no-content"},
            17,
            {"id": "bad-time", "time": "half past nine", "text": "When?"},
            {"id": "elsewhere", "space": "other", "text": "It names another space."},
            {"id": "ok-2", "time": -1, "text": "The last one is fine.", "tags": ["kept"], "nested": {"deep": [1, null]}}
        ]),
    );
    assert_eq!(
        texts(&receipts, "status"),
        [
            "stored", "rejected", "rejected", "rejected", "rejected", "rejected", "stored"
        ]
    );
    for r in receipts
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["status"] == "rejected")
    {
        assert!(!r["reason"].as_str().unwrap().is_empty(), "{r}");
    }
    let export = f.rpc.export("mix");
    assert_eq!(texts(&export["nodes"], "event_id"), ["ok-1", "ok-2"]);
    let last = export["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|n| n["event_id"] == "ok-2")
        .unwrap();
    assert_eq!(
        last["event"]["nested"]["deep"],
        json!([1, null]),
        "unknown fields are kept"
    );
    assert_eq!(
        f.rpc.refused("recall", json!({"space": "other", "query": "x"})).0,
        "unknown_space"
    );
}

#[test]
fn an_unknown_space_is_an_error_that_names_no_other() {
    let mut f = fresh(&[]);
    f.rpc
        .ingest("plumtree", json!([{"id": "1", "text": "something"}]));
    let asked = json!({"space": "pear", "query": "x", "id": "e-1", "intent": "i-1", "verdict": "accept", "event_id": "1", "cursor": 1});
    for (method, keys) in [
        ("recall", vec!["query"]),
        ("answer", vec!["query"]),
        ("context", vec![]),
        ("intents", vec![]),
        ("explain", vec!["id"]),
        ("export", vec![]),
        ("status", vec![]),
        ("forget", vec!["event_id"]),
        ("feedback", vec!["intent", "verdict"]),
        ("ack", vec!["cursor"]),
    ] {
        let mut params = json!({"space": "pear"});
        for k in keys {
            params[k] = asked[k].clone();
        }
        let (code, message) = f.rpc.refused(method, params);
        assert_eq!(code, "unknown_space", "{method}: {message}");
        assert!(!message.contains("plum"), "{method}: {message}");
    }
    assert_eq!(f.rpc.status()["spaces"], 1, "asking makes no space");
}

#[test]
fn a_dry_run_tells_what_a_forgetting_then_does() {
    let mut f = fresh(&[]);
    f.told("farm");
    let before = f.rpc.digest();
    let actor = json!({"space": "farm", "actor": "Teun"});
    let mut dry = actor.clone();
    dry["dry_run"] = true.into();
    let would = f.rpc.ok("forget", dry);
    assert_eq!(would["dry_run"], true);
    assert_eq!(f.rpc.digest(), before, "a dry run changes nothing");
    let did = f.rpc.ok("forget", actor);
    assert_eq!(did["dry_run"], false);
    assert!(!did["erased"].as_array().unwrap().is_empty());
    assert_eq!(did["erased"], would["erased"]);
    f.rpc.settle("farm");
    let export = f.rpc.export("farm");
    for n in export["nodes"].as_array().unwrap() {
        assert_ne!(n["event"]["actor"], "Teun");
    }
    for id in texts(
        &json!(
            did["erased"]
                .as_array()
                .unwrap()
                .iter()
                .map(|i| json!({"id": i}))
                .collect::<Vec<_>>()
        ),
        "id",
    ) {
        let story = f.rpc.ok("explain", json!({"space": "farm", "id": id}));
        assert_eq!(story["state"], "erased", "every id that was given out resolves");
    }
    let dated = f.rpc.ok(
        "forget",
        json!({"space": "farm", "before": "2026-09-10T00:00:00Z"}),
    );
    assert!(!dated["erased"].as_array().unwrap().is_empty());
    f.rpc.ok("forget", json!({"space": "farm", "all": true}));
    let s = f.rpc.ok("status", json!({"space": "farm"}));
    assert_eq!(
        (
            &s["counts"]["events"],
            &s["counts"]["concepts"],
            &s["counts"]["times"]
        ),
        (&json!(0), &json!(0), &json!(0)),
        "{s}"
    );
    // Events that were erased stay so, whoever sends them again.
    let first: Value = serde_json::from_str(STORY.lines().next().unwrap()).unwrap();
    assert_eq!(texts(&f.rpc.ingest("farm", json!([first])), "status"), ["erased"]);
}

#[test]
fn an_export_taken_in_elsewhere_holds_the_same_events() {
    let mut f = fresh(&[]);
    f.told("farm");
    f.rpc.ingest("farm", json!([{"id": "odd", "time": "2026-10-09", "text": "Größe \u{1f34e} \"quoted\"\n\ttabbed", "data": {"k": [1.5, null, "x"]}, "space": "farm", "extra": true}]));
    let export = f.rpc.export("farm");
    let other = tempfile::tempdir().unwrap();
    let second = Launch::new(other.path()).start();
    let mut rpc = second.rpc();
    let r = rpc.ok(
        "import",
        json!({"space": "farm", "nodes": export["nodes"], "edges": export["edges"]}),
    );
    assert!(
        texts(&r["receipts"], "status").iter().all(|s| *s == "stored"),
        "{r}"
    );
    rpc.settle("farm");
    let events = |export: &Value| -> Vec<Value> {
        let nodes = export["nodes"].as_array().unwrap();
        let mut list: Vec<Value> = nodes
            .iter()
            .filter(|n| n["type"] == "event")
            .map(|n| json!([n["id"], n["event"], n["time"]]))
            .collect();
        list.sort_by_key(Value::to_string);
        list
    };
    let copy = rpc.export("farm");
    assert_eq!(events(&copy), events(&export));
    assert_eq!(
        f.rpc.digest(),
        rpc.digest(),
        "the same events in the same order fold to the same state"
    );
    let twice = rpc.ok("import", json!({"space": "farm", "nodes": export["nodes"]}));
    assert!(
        texts(&twice["receipts"], "status")
            .iter()
            .all(|s| *s == "duplicate"),
        "{twice}"
    );
    let broken = rpc.call(
        "import",
        json!({"space": "farm", "nodes": [{"type": "event"}, {"type": "event", "event": {"id": 3}}, 5]}),
    );
    let r = broken.expect("refused one by one");
    assert!(
        texts(&r["receipts"], "status").iter().all(|s| *s == "rejected"),
        "{r}"
    );
    second.stop();
}

#[test]
fn every_node_and_every_recall_can_be_explained() {
    let mut f = fresh(&[]);
    f.told("farm");
    let export = f.rpc.export("farm");
    for n in export["nodes"].as_array().unwrap() {
        let story = f.rpc.ok("explain", json!({"space": "farm", "id": n["id"]}));
        assert_eq!(
            (&story["state"], &story["node"]["id"]),
            (&json!("live"), &n["id"])
        );
        if n["type"] != "event" {
            let why = &story["why"];
            assert!(!why["reason"].as_str().unwrap().is_empty(), "{why}");
            assert!(!why["grounded_in"].as_array().unwrap().is_empty(), "{story}");
        }
    }
    let r = f.rpc.ok(
        "recall",
        json!({"space": "farm", "query": "When does the organic inspector come?"}),
    );
    let story = f.rpc.ok("explain", json!({"space": "farm", "id": r["trace_id"]}));
    let trace = &story["trace"];
    assert_eq!(trace["query"], "When does the organic inspector come?");
    assert_eq!(
        (&trace["mode"], &trace["procedure"]),
        (&r["mode"], &r["procedure"])
    );
    for part in ["gates", "sizes", "payload", "mode_source", "timings_ms"] {
        assert!(!trace[part].is_null(), "{part}: {trace}");
    }
    // Looking into why changes nothing.
    let before = f.rpc.digest();
    f.rpc.ok(
        "recall",
        json!({"space": "farm", "query": "inspector", "explain": true}),
    );
    f.rpc.ok(
        "explain",
        json!({"space": "farm", "id": export["nodes"][0]["id"]}),
    );
    f.rpc.settle("farm");
    assert_eq!(f.rpc.digest(), before);
    for id in ["e-none", "q-none", "", "c-1"] {
        assert_eq!(
            f.rpc.refused("explain", json!({"space": "farm", "id": id})).0,
            "not_found",
            "{id:?}"
        );
    }
}

#[test]
fn the_items_of_a_recall_stand_in_a_context_of_the_size_that_was_asked_for() {
    let mut f = fresh(&[]);
    f.told("farm");
    for budget in [0_u64, 1, 40, 150, 1_000] {
        let r = f.rpc.ok(
            "recall",
            json!({"space": "farm", "query": "What happened to cold room 2?", "budget_tokens": budget}),
        );
        let (tokens, context) = (r["tokens"].as_u64().unwrap(), r["context"].as_str().unwrap());
        assert!(tokens <= budget, "{tokens} tokens of {budget}");
        for item in r["items"].as_array().unwrap() {
            assert!(
                context.contains(item["text"].as_str().unwrap()),
                "{item} is not in {context}"
            );
        }
        let scores: Vec<f64> = r["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|i| i["score"].as_f64())
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "best first: {scores:?}");
    }
}

#[test]
fn requests_of_one_connection_may_overlap_and_each_is_answered_once() {
    let mut f = fresh(&[("server.max_in_flight", "4")]);
    let mut lines = String::new();
    for n in 0..60 {
        let request = match n % 3 {
            0 => {
                json!({"jsonrpc": "2.0", "id": n, "method": "ingest", "params": {"space": "a", "events": [{"id": n.to_string(), "text": format!("note number {n}")}]}})
            }
            1 => json!({"jsonrpc": "2.0", "id": n, "method": "status"}),
            _ => {
                json!({"jsonrpc": "2.0", "id": n, "method": "recall", "params": {"space": "a", "query": "note"}})
            }
        };
        lines += &format!("{request}\n");
    }
    f.rpc.send(lines.as_bytes());
    let mut seen: Vec<i64> = (0..60)
        .map(|_| f.rpc.line().unwrap()["id"].as_i64().unwrap())
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, (0..60).collect::<Vec<_>>());
    assert_eq!(f.rpc.status()["counts"]["events"], 20);
}
