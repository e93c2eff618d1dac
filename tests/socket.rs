//! The socket and the command line as clients see them: good requests, bad ones, and what comes back.

mod support;

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use support::{Daemon, Launch, Rpc, texts};

const STORY: &str = include_str!("../simulator/stories/orchard.ndjson");

struct Fresh {
    daemon: Daemon,
    rpc: Rpc,
    dir: tempfile::TempDir,
}

fn fresh(set: &[(&str, &str)]) -> Fresh {
    let dir = tempfile::tempdir().unwrap();
    let launch = set.iter().fold(Launch::new(dir.path()), |l, (k, v)| l.set(k, v));
    let daemon = launch.start();
    Fresh { rpc: daemon.rpc(), daemon, dir }
}

impl Fresh {
    /// Plays the bundled story into a space; it gives intents.
    fn told(&mut self, space: &str) {
        let story: Vec<Value> = STORY.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        for part in story.chunks(10) {
            let receipts = self.rpc.ingest(space, json!(part));
            assert!(texts(&receipts, "status").iter().all(|s| *s == "stored"), "{receipts}");
        }
        self.rpc.settle(space);
    }

    fn intents(&mut self, space: &str) -> Vec<Value> {
        let mut r = self.rpc.ok("intents", json!({"space": space}));
        let list = r["intents"].as_array_mut().unwrap();
        assert!(!list.is_empty(), "the story gives intents");
        std::mem::take(list)
    }

    /// Tells of something that is asked for three times with a date; gives the intent that comes of it.
    fn asked(&mut self, space: &str) -> Value {
        let told = [
            "The ferry timetable is wrong on the pier sign. Please replace the ferry timetable by Friday.",
            "A second complaint about the ferry timetable on the pier; it must be replaced before Friday.",
            "Who orders the new ferry timetable for the pier? It is needed by Friday.",
        ];
        let events: Vec<Value> = (0..told.len())
            .map(|n| json!({"id": format!("f{n}"), "time": format!("2033-05-02T0{}:00:00Z", n + 7), "actor": "Ivo", "text": told[n]}))
            .collect();
        self.rpc.ingest(space, json!(events));
        let mut list = self.intents(space);
        assert_eq!(list.len(), 1, "{list:?}");
        list.remove(0)
    }

    /// Sends one line as it is and returns the answer.
    fn raw(&mut self, line: &str) -> Value {
        self.rpc.send(line.as_bytes());
        self.rpc.send(b"\n");
        self.rpc.line().unwrap()
    }

    fn cli(&self, args: &[&str], input: &str) -> Output {
        let mut child = support::daemon::gyrus()
            .args(args)
            .arg("--socket")
            .arg(self.daemon.launch.socket())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads no input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// The JSON that a command prints with `--json`.
    fn cli_json(&self, args: &[&str], input: &str) -> Value {
        let out = self.cli(&[args, &["--json"]].concat(), input);
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert!(out.status.success(), "{args:?}: {stderr}");
        serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{args:?} printed no JSON ({e}): {stdout}"))
    }
}

fn code(answer: &Value) -> &str {
    answer["error"]["data"]["code"].as_str().unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn lines_that_are_no_requests_get_an_error_and_the_connection_lives_on() {
    let mut f = fresh(&[("event.max_event_bytes", "50000"), ("server.max_line_bytes", "100000")]);
    let request = |m: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":{m}}}"#);
    for (line, want, id) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":7,", "parse_error", Value::Null),
        ("\u{1}\u{2} nonsense", "parse_error", Value::Null),
        ("[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"status\"}]", "invalid_request", Value::Null),
        ("[]", "invalid_request", Value::Null),
        ("42", "invalid_request", Value::Null),
        ("{\"id\":7,\"method\":\"status\"}", "invalid_request", json!(7)),
        ("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"status\"}", "invalid_request", json!(7)),
        ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"status\"}", "invalid_request", Value::Null),
        (&request("5"), "invalid_request", json!(7)),
        (&request("\"remember\""), "method_not_found", json!(7)),
        (&request("\"recall\",\"params\":[\"a\"]"), "invalid_params", json!(7)),
    ] {
        let answer = f.raw(line);
        assert_eq!((code(&answer), &answer["id"]), (want, &id), "{line}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
    let deep = format!("{}{}", "[".repeat(40_000), "]".repeat(40_000));
    assert_eq!(code(&f.raw(&deep)), "parse_error");
    let long = format!(r#"{{"jsonrpc":"2.0","id":8,"method":"status","params":{{"space":"{}"}}}}"#, "x".repeat(200_000));
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
    support::until("it is stored", || f.daemon.rpc().status()["counts"]["events"] == 1);
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
        ("ingest", json!({"space": "a", "events": [], "evnts": []}), "evnts"),
        ("recall", json!({"space": "a"}), "query"),
        ("recall", json!({"space": "a", "query": 1}), "query"),
        ("recall", json!({"space": "a", "query": "x", "mode": "FASTEST"}), "FASTEST"),
        ("recall", json!({"space": "a", "query": "x", "budget_tokens": -5}), "budget_tokens"),
        ("recall", json!({"space": "a", "query": "x", "now": "yesterday"}), "now"),
        ("recall", json!({"space": "a", "query": "x", "as_of": "2026-01-01T00:00:00"}), "as_of"),
        ("recall", json!({"space": "a", "query": "x", "policy": "lucky"}), "lucky"),
        ("recall", json!({"space": "a", "query": "x", "explain": "yes"}), "explain"),
        ("context", json!({"space": "a", "max_nodes": 1.5}), "max_nodes"),
        ("feedback", json!({"space": "a", "intent": "i-1", "verdict": "love"}), "verdict"),
        ("feedback", json!({"space": "a", "verdict": "accept"}), "intent"),
        ("forget", json!({"space": "a"}), "forget"),
        ("forget", json!({"space": "a", "event_id": 9}), "event_id"),
        ("forget", json!({"space": "a", "event_id": [9]}), "event_id"),
        ("forget", json!({"space": "a", "all": "true"}), "all"),
        ("ack", json!({"space": "a"}), "cursor"),
        ("settle", json!({"space": "a", "timeout_ms": "soon"}), "timeout_ms"),
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
        ["stored", "rejected", "rejected", "rejected", "rejected", "rejected", "stored"]
    );
    for r in receipts.as_array().unwrap().iter().filter(|r| r["status"] == "rejected") {
        assert!(!r["reason"].as_str().unwrap().is_empty(), "{r}");
    }
    let export = f.rpc.export("mix");
    assert_eq!(texts(&export["nodes"], "event_id"), ["ok-1", "ok-2"]);
    let last = export["nodes"].as_array().unwrap().iter().find(|n| n["event_id"] == "ok-2").unwrap();
    assert_eq!(last["event"]["nested"]["deep"], json!([1, null]), "unknown fields are kept");
    assert_eq!(f.rpc.refused("recall", json!({"space": "other", "query": "x"})).0, "unknown_space");
}

#[test]
fn an_unknown_space_is_an_error_that_names_no_other() {
    let mut f = fresh(&[]);
    f.rpc.ingest("plumtree", json!([{"id": "1", "text": "something"}]));
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
fn a_subscriber_gets_every_change_again_until_it_acknowledges() {
    let mut f = fresh(&[]);
    // Before the first event, and while it is told.
    let mut live = f.daemon.rpc();
    assert_eq!(live.ok("subscribe", json!({"space": "farm"}))["after"], 0);
    f.told("farm");
    let all = f.intents("farm");
    let newest: Vec<u64> = all.iter().map(|i| i["seq"].as_u64().unwrap()).collect();
    let last = *newest.iter().max().unwrap();
    let mut cursor = 0;
    while cursor < last {
        let n = live.note();
        let c = n["cursor"].as_u64().unwrap();
        assert!(c > cursor, "in order: {c} after {cursor}");
        assert_eq!(n["intent"]["seq"], c);
        cursor = c;
    }
    // Not acknowledged: the same again for the next one that comes under this name.
    let mut again = f.daemon.rpc();
    assert_eq!(again.ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"], 0);
    let got: Vec<u64> = newest.iter().map(|_| again.note()["cursor"].as_u64().unwrap()).collect();
    let mut sorted = newest.clone();
    sorted.sort_unstable();
    assert_eq!(got, sorted);
    let middle = sorted[sorted.len() / 2];
    f.rpc.ok("ack", json!({"space": "farm", "subscriber": "pager", "cursor": middle}));
    let mut third = f.daemon.rpc();
    assert_eq!(third.ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"], middle);
    for want in sorted.iter().filter(|s| **s > middle) {
        assert_eq!(third.note()["cursor"], *want);
    }
    // Another subscriber's acknowledgement is its own; a cursor that is asked for wins.
    let mut other = f.daemon.rpc();
    assert_eq!(other.ok("subscribe", json!({"space": "farm", "subscriber": "screen"}))["after"], 0);
    assert_eq!(f.daemon.rpc().ok("subscribe", json!({"space": "farm", "subscriber": "pager", "after": 1}))["after"], 1);
    // The acknowledgement outlives the process.
    let launch = f.daemon.launch.clone();
    f.daemon.stop();
    let d = launch.start();
    assert_eq!(d.rpc().ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"], middle);
    d.stop();
}

#[test]
fn feedback_moves_an_intent_through_its_life() {
    let mut f = fresh(&[]);
    let verdict = |f: &mut Fresh, space: &str, more: Value| {
        let pending = f.asked(space);
        let mut p = json!({"space": space, "intent": pending["id"]});
        p.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (pending, f.rpc.ok("feedback", p)["intent"].take())
    };
    let (pending, accepted) = verdict(&mut f, "yes", json!({"verdict": "accept"}));
    assert_eq!((&pending["status"], &accepted["status"]), (&json!("pending"), &json!("action_scheduled")));
    assert!(accepted["seq"].as_u64() > pending["seq"].as_u64());
    let (_, rejected) = verdict(&mut f, "no", json!({"verdict": "reject", "note": "not ours"}));
    assert_eq!(rejected["status"], "rejected");
    let until = "2033-05-03T00:00:00Z";
    let (_, deferred) = verdict(&mut f, "later", json!({"verdict": "defer", "until": until}));
    assert_eq!((&deferred["status"], &deferred["deferred_until"]), (&json!("deferred"), &json!(until)));
    let (_, modified) = verdict(&mut f, "other", json!({"verdict": "modify", "title": "Print it anew"}));
    assert_eq!(modified["title"], "Print it anew");

    let r = f.rpc.ok("intents", json!({"space": "no", "status": "rejected"}));
    assert_eq!(texts(&r["intents"], "id"), [rejected["id"].as_str().unwrap()]);
    assert_eq!(f.rpc.ok("intents", json!({"space": "no", "status": "pending"}))["intents"], json!([]));
    let weight = |f: &mut Fresh, space: &str| {
        let s = f.rpc.ok("status", json!({"space": space}));
        let list = s["calibration"].as_array().unwrap().clone();
        let found = list.into_iter().find(|c| c["category"] == accepted["category"]);
        found.map(|c| c["threshold"].as_f64().unwrap())
    };
    assert!(weight(&mut f, "yes") < weight(&mut f, "no"), "accepting lowers the threshold, rejecting raises it");

    // A verdict on what is no intent, on another space's and on one that is done.
    for (space, id) in [("yes", json!("i-none")), ("yes", rejected["id"].clone()), ("no", rejected["id"].clone())] {
        let (code, _) = f.rpc.refused("feedback", json!({"space": space, "intent": id, "verdict": "accept"}));
        assert_eq!(code, "refused", "{space} {id}");
    }
    let event = f.rpc.export("yes")["nodes"][0]["id"].take();
    assert_eq!(f.rpc.refused("feedback", json!({"space": "yes", "intent": event, "verdict": "accept"})).0, "refused");

    // What was deferred comes back when its time has come.
    f.rpc.ingest("later", json!([{"id": "n", "time": "2033-05-03T09:00:00Z", "text": "The gulls are back on the pier."}]));
    let again = f.intents("later");
    assert_eq!((&again[0]["id"], &again[0]["status"]), (&deferred["id"], &json!("pending")));

    let all = |rpc: &mut Rpc| ["yes", "no", "later", "other"].map(|s| rpc.ok("intents", json!({"space": s})));
    let before = all(&mut f.rpc);
    let launch = f.daemon.launch.clone();
    f.daemon.stop();
    let d = launch.start();
    assert_eq!(all(&mut d.rpc()), before, "a restart keeps what was said");
    d.stop();
}

#[test]
fn an_intent_whose_grounds_are_forgotten_is_withdrawn_without_a_word() {
    let mut f = fresh(&[]);
    let intent = f.asked("pier");
    let mut live = f.daemon.rpc();
    let last = intent["seq"].as_u64().unwrap();
    live.ok("subscribe", json!({"space": "pier", "after": last}));
    f.rpc.ok("forget", json!({"space": "pier", "event_id": "f0"}));
    let changed = live.note();
    assert_eq!((&changed["intent"]["id"], &changed["intent"]["status"]), (&intent["id"], &json!("pending")));
    assert!(!changed.to_string().contains("sign"), "{changed}");
    f.rpc.ok("forget", json!({"space": "pier", "event_id": ["f1", "f2"]}));
    let withdrawn = live.note();
    assert_eq!((&withdrawn["intent"]["id"], &withdrawn["intent"]["status"]), (&intent["id"], &json!("retracted")));
    assert!(!withdrawn.to_string().to_lowercase().contains("ferry"), "{withdrawn}");
    f.rpc.settle("pier");
    let all = f.rpc.export("pier").to_string() + &f.intents("pier")[0].to_string();
    assert!(!all.to_lowercase().contains("ferry"), "{all}");
    assert_eq!(f.rpc.status()["rejected_plans"], 0);
    let launch = f.daemon.launch.clone();
    f.daemon.stop();
    let d = launch.start();
    assert_eq!(d.rpc().ok("intents", json!({"space": "pier"}))["intents"][0]["status"], "retracted");
    d.stop();
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
    for id in texts(&json!(did["erased"].as_array().unwrap().iter().map(|i| json!({"id": i})).collect::<Vec<_>>()), "id") {
        let story = f.rpc.ok("explain", json!({"space": "farm", "id": id}));
        assert_eq!(story["state"], "erased", "every id that was given out resolves");
    }
    let dated = f.rpc.ok("forget", json!({"space": "farm", "before": "2026-09-10T00:00:00Z"}));
    assert!(!dated["erased"].as_array().unwrap().is_empty());
    f.rpc.ok("forget", json!({"space": "farm", "all": true}));
    let s = f.rpc.ok("status", json!({"space": "farm"}));
    assert_eq!((&s["counts"]["events"], &s["counts"]["concepts"], &s["counts"]["times"]), (&json!(0), &json!(0), &json!(0)), "{s}");
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
    let r = rpc.ok("import", json!({"space": "farm", "nodes": export["nodes"], "edges": export["edges"]}));
    assert!(texts(&r["receipts"], "status").iter().all(|s| *s == "stored"), "{r}");
    rpc.settle("farm");
    let events = |export: &Value| -> Vec<Value> {
        let nodes = export["nodes"].as_array().unwrap();
        let mut list: Vec<Value> = nodes.iter().filter(|n| n["type"] == "event").map(|n| json!([n["id"], n["event"], n["time"]])).collect();
        list.sort_by_key(Value::to_string);
        list
    };
    let copy = rpc.export("farm");
    assert_eq!(events(&copy), events(&export));
    assert_eq!(f.rpc.digest(), rpc.digest(), "the same events in the same order fold to the same state");
    let twice = rpc.ok("import", json!({"space": "farm", "nodes": export["nodes"]}));
    assert!(texts(&twice["receipts"], "status").iter().all(|s| *s == "duplicate"), "{twice}");
    let broken = rpc.call("import", json!({"space": "farm", "nodes": [{"type": "event"}, {"type": "event", "event": {"id": 3}}, 5]}));
    let r = broken.expect("refused one by one");
    assert!(texts(&r["receipts"], "status").iter().all(|s| *s == "rejected"), "{r}");
    second.stop();
}

#[test]
fn every_node_and_every_recall_can_be_explained() {
    let mut f = fresh(&[]);
    f.told("farm");
    let export = f.rpc.export("farm");
    for n in export["nodes"].as_array().unwrap() {
        let story = f.rpc.ok("explain", json!({"space": "farm", "id": n["id"]}));
        assert_eq!((&story["state"], &story["node"]["id"]), (&json!("live"), &n["id"]));
        if n["type"] != "event" {
            let why = &story["why"];
            assert!(!why["reason"].as_str().unwrap().is_empty(), "{why}");
            assert!(!why["grounded_in"].as_array().unwrap().is_empty(), "{story}");
        }
    }
    let r = f.rpc.ok("recall", json!({"space": "farm", "query": "When does the organic inspector come?"}));
    let story = f.rpc.ok("explain", json!({"space": "farm", "id": r["trace_id"]}));
    let trace = &story["trace"];
    assert_eq!(trace["query"], "When does the organic inspector come?");
    assert_eq!((&trace["mode"], &trace["procedure"]), (&r["mode"], &r["procedure"]));
    for part in ["gates", "sizes", "payload", "mode_source", "timings_ms"] {
        assert!(!trace[part].is_null(), "{part}: {trace}");
    }
    // Looking into why changes nothing.
    let before = f.rpc.digest();
    f.rpc.ok("recall", json!({"space": "farm", "query": "inspector", "explain": true}));
    f.rpc.ok("explain", json!({"space": "farm", "id": export["nodes"][0]["id"]}));
    f.rpc.settle("farm");
    assert_eq!(f.rpc.digest(), before);
    for id in ["e-none", "q-none", "", "c-1"] {
        assert_eq!(f.rpc.refused("explain", json!({"space": "farm", "id": id})).0, "not_found", "{id:?}");
    }
}

#[test]
fn the_items_of_a_recall_stand_in_a_context_of_the_size_that_was_asked_for() {
    let mut f = fresh(&[]);
    f.told("farm");
    for budget in [0_u64, 1, 40, 150, 1_000] {
        let r = f.rpc.ok("recall", json!({"space": "farm", "query": "What happened to cold room 2?", "budget_tokens": budget}));
        let (tokens, context) = (r["tokens"].as_u64().unwrap(), r["context"].as_str().unwrap());
        assert!(tokens <= budget, "{tokens} tokens of {budget}");
        for item in r["items"].as_array().unwrap() {
            assert!(context.contains(item["text"].as_str().unwrap()), "{item} is not in {context}");
        }
        let scores: Vec<f64> = r["items"].as_array().unwrap().iter().filter_map(|i| i["score"].as_f64()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "best first: {scores:?}");
    }
}

#[test]
fn requests_of_one_connection_may_overlap_and_each_is_answered_once() {
    let mut f = fresh(&[("server.max_in_flight", "4")]);
    let mut lines = String::new();
    for n in 0..60 {
        let request = match n % 3 {
            0 => json!({"jsonrpc": "2.0", "id": n, "method": "ingest", "params": {"space": "a", "events": [{"id": n.to_string(), "text": format!("note number {n}")}]}}),
            1 => json!({"jsonrpc": "2.0", "id": n, "method": "status"}),
            _ => json!({"jsonrpc": "2.0", "id": n, "method": "recall", "params": {"space": "a", "query": "note"}}),
        };
        lines += &format!("{request}\n");
    }
    f.rpc.send(lines.as_bytes());
    let mut seen: Vec<i64> = (0..60).map(|_| f.rpc.line().unwrap()["id"].as_i64().unwrap()).collect();
    seen.sort_unstable();
    assert_eq!(seen, (0..60).collect::<Vec<_>>());
    assert_eq!(f.rpc.status()["counts"]["events"], 20);
}

#[test]
fn commands_print_json_for_programs_and_end_with_a_code_that_tells() {
    let mut f = fresh(&[]);
    let told = f.cli_json(&["ingest", "--space", "farm"], STORY);
    assert_eq!(told["counts"]["stored"], STORY.lines().count());
    assert_eq!(f.cli_json(&["settle", "--space", "farm"], "")["settled"], true);
    for args in [
        vec!["recall", "--space", "farm", "When does the inspector come?"],
        vec!["answer", "--space", "farm", "When does the inspector come?", "--explain"],
        vec!["context", "--space", "farm"],
        vec!["intents", "--space", "farm"],
        vec!["export", "--space", "farm"],
        vec!["status", "--digest"],
        vec!["forget", "--space", "farm", "--actor", "Teun", "--dry-run"],
    ] {
        assert!(f.cli_json(&args, "").is_object(), "{args:?}");
        // The same for people: something, and no JSON error.
        let out = f.cli(&args, "");
        assert!(out.status.success() && !out.stdout.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    }
    let intent = f.asked("pier")["id"].as_str().unwrap().to_owned();
    assert!(f.cli_json(&["feedback", "--space", "pier", &intent, "accept"], "")["intent"].is_object());
    assert!(f.cli_json(&["explain", "--space", "pier", &intent], "")["why"].is_object());

    // An export goes through a file into another space.
    let file = f.dir.path().join("farm.json");
    std::fs::write(&file, f.cli(&["export", "--space", "farm"], "").stdout).unwrap();
    let taken = f.cli_json(&["import", "--space", "copy", file.to_str().unwrap()], "");
    assert_eq!(taken["counts"]["stored"], STORY.lines().count(), "{taken}");

    let ended = |args: &[&str], input: &str| {
        let out = f.cli(args, input);
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (code, said) = ended(&["recall", "--space", "nowhere", "x"], "");
    assert!(code == Some(1) && said.contains("unknown_space"), "{said}");
    let (code, said) = ended(&["ingest", "--space", "farm"], "{\"id\":\"g\",\"text\":\"good\"}\nnot json\n");
    assert!(code == Some(1) && said.contains("line 2"), "{said}");
    assert_eq!(ended(&["recal"], "").0, Some(2));
    assert_eq!(ended(&["forget", "--space", "farm"], "").0, Some(1));
    let nobody = support::daemon::gyrus().args(["status", "--socket", "/nonexistent/s"]).output().unwrap();
    assert_eq!(nobody.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("gyrus serve"));
}

#[test]
fn the_configuration_can_be_printed_and_checked_and_what_is_wrong_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let run = |file: &str, args: &[&str]| {
        let path = dir.path().join("gyrus.toml");
        std::fs::write(&path, file).unwrap();
        let out = support::daemon::gyrus().args(args).arg("--config").arg(&path).output().unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        (out.status.code(), text(&out.stdout), text(&out.stderr))
    };
    let (code, printed, said) = run("[event]\nzone = \"Europe/Lisbon\"\n", &["config", "print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(printed.contains("Europe/Lisbon") && printed.contains("gyrus.toml"), "{printed}");
    // What is printed is itself a configuration.
    let (code, again, said) = run(&printed, &["config", "print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(again.contains("Europe/Lisbon"));
    assert_eq!(run("", &["config", "check"]).0, Some(0));
    for (file, named) in [
        ("[event]\nzoan = \"UTC\"\n", "event.zoan"),
        ("[event]\nzone = \"Atlantis\"\n", "event.zone"),
        ("[runtime]\nbatch_events = \"many\"\n", "runtime.batch_events"),
        ("[nonsense]\n", "nonsense"),
        ("[event\n", "gyrus.toml"),
    ] {
        for command in [&["config", "check"][..], &["serve", "--data", "/nonexistent/data"]] {
            let (code, _, said) = run(file, command);
            assert_eq!(code, Some(2), "{file}: {said}");
            assert!(said.contains(named), "{file}: {said}");
        }
    }
}
