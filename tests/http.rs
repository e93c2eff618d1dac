//! HTTP: what the socket does, in other clothes.

mod support;

use serde_json::{Value, json};
use support::fresh::{Fresh, STORY, fresh};
use support::http::Http;
use support::{texts, until};

fn served(set: &[(&str, &str)]) -> (Fresh, Http) {
    let all = [&[("http.listen", "127.0.0.1:0")], set].concat();
    let f = fresh(&all);
    let http = Http::of(&f.daemon);
    (f, http)
}

/// Checks a value against a schema of the OpenAPI document.
fn fits(doc: &Value, schema: &str, value: &Value) {
    let whole = json!({"$ref": format!("#/components/schemas/{schema}"), "components": doc["components"]});
    let validator = jsonschema::validator_for(&whole).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|e| format!("{}: {e}", e.instance_path))
        .collect();
    assert!(faults.is_empty(), "{schema}: {faults:?} in {value}");
}

#[test]
fn every_operation_answers_as_the_socket_does_and_as_the_document_says() {
    let (mut f, http) = served(&[]);
    let doc = http.get("/openapi.json").ok();
    let lines = [("content-type", "application/x-ndjson")];
    let told = http
        .send("POST", "/v1/spaces/farm/ingest", &lines, STORY.as_bytes())
        .ok();
    fits(&doc, "Receipts", &told);
    assert_eq!(
        texts(&told["receipts"], "status"),
        vec!["stored"; STORY.lines().count()]
    );
    let settled = http.send("POST", "/v1/spaces/farm/settle", &[], b"").ok();
    fits(&doc, "Settled", &settled);
    assert_eq!(settled["settled"], true);

    let same = |mut a: Value, mut b: Value| {
        for v in [&mut a, &mut b] {
            let m = v.as_object_mut().unwrap();
            for changing in ["trace_id", "uptime_s", "disk_bytes", "embedder"] {
                m.remove(changing);
            }
        }
        assert_eq!(a, b);
    };
    let question = json!({"query": "When does the inspector come?", "budget_tokens": 200});
    for method in ["recall", "answer"] {
        let over_http = http.post(&format!("/v1/spaces/farm/{method}"), &question).ok();
        fits(
            &doc,
            if method == "recall" {
                "Recalled"
            } else {
                "Answered"
            },
            &over_http,
        );
        assert!(over_http["tokens"].as_u64().unwrap() <= 200);
        let mut params = question.clone();
        params["space"] = "farm".into();
        same(over_http, f.rpc.ok(method, params));
    }
    for (method, schema) in [
        ("context", "Window"),
        ("intents", "Intents"),
        ("export", "Export"),
        ("status", "Status"),
    ] {
        let over_http = http.get(&format!("/v1/spaces/farm/{method}")).ok();
        fits(&doc, schema, &over_http);
        same(over_http, f.rpc.ok(method, json!({"space": "farm"})));
    }
    let digest = http.get("/v1/status?digest=true").ok();
    fits(&doc, "Status", &digest);
    assert_eq!(digest["digest"], f.rpc.digest());

    let intent = f.asked("pier");
    let verdict = json!({"intent": intent["id"], "verdict": "accept", "note": null});
    let done = http.post("/v1/spaces/pier/feedback", &verdict).ok();
    fits(&doc, "FeedbackDone", &done);
    assert_eq!(done["intent"]["status"], "action_scheduled");
    let id = intent["id"].as_str().unwrap();
    let story = http.get(&format!("/v1/spaces/pier/explain?id={id}")).ok();
    fits(&doc, "Story", &story);
    same(story, f.rpc.ok("explain", json!({"space": "pier", "id": id})));
    fits(
        &doc,
        "Acknowledged",
        &http.post("/v1/spaces/pier/ack", &json!({"cursor": 1})).ok(),
    );
    let export = http.get("/v1/spaces/pier/export").ok();
    fits(
        &doc,
        "Receipts",
        &http.post("/v1/spaces/copy/import", &export).ok(),
    );
    let gone = json!({"event_id": ["f0"], "dry_run": true});
    fits(
        &doc,
        "Forgotten",
        &http.post("/v1/spaces/pier/forget", &gone).ok(),
    );
    let gone = http
        .post("/v1/spaces/pier/forget", &json!({"event_id": ["f0"]}))
        .ok();
    assert_eq!(gone["erased"].as_array().unwrap().len(), 1);
    let left = http.get("/v1/spaces/pier/export").ok();
    assert!(!left.to_string().contains("Please replace"), "{left}");
}

#[test]
fn the_document_names_every_route_method_and_field_that_there_is() {
    let (_f, http) = served(&[]);
    let doc = http.get("/openapi.json").ok();
    let mut named = Vec::new();
    for (path, verbs) in doc["paths"].as_object().unwrap() {
        for (verb, op) in verbs.as_object().unwrap() {
            named.push(op["operationId"].as_str().unwrap().to_owned());
            if op["operationId"] == "subscribe" {
                continue;
            }
            let path = path.replace("{space}", "some%2Fspace");
            let reply = http.send(
                &verb.to_uppercase(),
                &path,
                &[("content-type", "application/json")],
                b"{}",
            );
            let code = if reply.status == 200 {
                String::new()
            } else {
                reply.code()
            };
            assert!(
                code != "no_such_route" && code != "method_not_allowed",
                "{path}: {reply:?}"
            );
            // The other verb is not there, and is told so.
            let other = if verb == "get" { "POST" } else { "GET" };
            let refused = http.send(other, &path, &[], b"");
            assert_eq!(
                (refused.status, refused.code().as_str()),
                (405, "method_not_allowed"),
                "{path}"
            );
            assert_eq!(
                refused.header("allow").split(',').next(),
                Some(&*verb.to_uppercase()),
                "{path}"
            );
            let schema = op["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str();
            for field in schema.map(|s| fields(&doc, s)).unwrap_or_default() {
                // Known: whatever is said of it, it is not that it is unknown.
                let said = http.post(&path, &json!({ &field: null })).text;
                assert!(!said.contains("unknown parameter"), "{path} {field}: {said}");
            }
            if schema.is_some() {
                let said = http.post(&path, &json!({"query": "x", "cursor": 1, "nodes": [], "all": true, "intent": "i", "verdict": "accept", "nonsense": 1}));
                assert_eq!(said.status, 400, "{path}: {said:?}");
            }
        }
    }
    for method in gyrus::serve::methods::METHODS {
        assert!(named.iter().any(|n| n == method), "{method} has no route");
    }
}

fn fields(doc: &Value, reference: &str) -> Vec<String> {
    let schema = doc.pointer(reference.trim_start_matches('#')).unwrap();
    schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

#[test]
fn events_come_in_every_form() {
    let (_f, http) = served(&[]);
    let ingest = "/v1/spaces/desk/ingest";
    let as_type =
        |media: &str, body: &str| http.send("POST", ingest, &[("content-type", media)], body.as_bytes());
    let status = |reply: support::http::Reply| {
        let v = reply.ok();
        texts(&v["receipts"], "status").join(" ")
    };
    let cloud = |id: &str| json!({"specversion": "1.0", "id": id, "source": "/desk", "type": "note", "data": {"text": "The lift stands still."}});
    assert_eq!(
        status(as_type("application/json", r#"{"id": "a", "text": "one"}"#)),
        "stored"
    );
    assert_eq!(
        status(as_type(
            "application/json",
            r#"[{"id": "a", "text": "one"}, {"id": "b"}]"#
        )),
        "duplicate rejected"
    );
    assert_eq!(
        status(as_type(
            "application/cloudevents+json; charset=utf-8",
            &cloud("c").to_string()
        )),
        "stored"
    );
    let batch = json!([cloud("c"), cloud("d")]).to_string();
    assert_eq!(
        status(as_type("application/cloudevents-batch+json", &batch)),
        "duplicate stored"
    );
    let lines = "{\"id\": \"e\", \"text\": \"x\"}\n\nnot json\n{\"id\": \"f\", \"text\": \"y\"}";
    assert_eq!(
        status(as_type("application/x-ndjson", lines)),
        "stored rejected stored"
    );
    let binary = [
        ("ce-specversion", "1.0"),
        ("ce-id", "g"),
        ("ce-source", "/desk"),
        ("ce-type", "note"),
        ("ce-title", "5 %E2%82%AC"),
        ("content-type", "text/plain"),
    ];
    assert_eq!(
        status(http.send("POST", ingest, &binary, b"The coffee is dearer.")),
        "stored"
    );
    let export = http.get("/v1/spaces/desk/export").ok();
    let of = |id: &str| {
        let nodes = export["nodes"].as_array().unwrap();
        nodes
            .iter()
            .find(|n| n["event_id"] == id)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(
        (&of("g")["title"], &of("g")["text"]),
        (&json!("5 \u{20ac}"), &json!("The coffee is dearer."))
    );
    assert_eq!(of("d")["text"], "The lift stands still.");

    assert_eq!(
        as_type("application/cloudevents-batch+json", &cloud("x").to_string()).code(),
        "invalid_params"
    );
    assert_eq!(
        as_type("application/json", "this is no JSON").code(),
        "parse_error"
    );
    assert_eq!(as_type("text/html", "<p>").code(), "unsupported_media_type");
    assert_eq!(as_type("application/json", "[{").code(), "invalid_params");
    assert_eq!(
        status(as_type(
            "application/json",
            r#"{"id": "h", "text": "x", "space": "other"}"#
        )),
        "rejected"
    );
}

#[test]
fn errors_are_problems_with_stable_codes() {
    let (_f, http) = served(&[("http.max_body_bytes", "1048576")]);
    http.post("/v1/spaces/a/ingest", &json!([{"id": "1", "text": "x"}]))
        .ok();
    let big = json!({"query": "x".repeat(1_100_000)});
    for (reply, status, code) in [
        (http.get("/v1/spaces/nowhere/intents"), 404, "unknown_space"),
        (http.get("/nowhere"), 404, "no_such_route"),
        (http.get("/v1/spaces/a/recall"), 405, "method_not_allowed"),
        (http.get("/v1/spaces/a/explain"), 400, "invalid_params"),
        (
            http.get("/v1/spaces/a/explain?id=c-00000000000000000000"),
            404,
            "not_found",
        ),
        (http.get("/v1/spaces/a/intents?after=x"), 400, "invalid_params"),
        (http.get("/v1/spaces/a/intents?nonsense=1"), 400, "invalid_params"),
        (http.get("/v1/spaces/%20a/intents"), 400, "invalid_params"),
        (
            http.post("/v1/spaces/a/recall", &json!({"query": 1})),
            400,
            "invalid_params",
        ),
        (
            http.post("/v1/spaces/a/recall", &json!([])),
            400,
            "invalid_params",
        ),
        (
            http.post("/v1/spaces/a/recall", &json!({"query": "x", "space": "b"})),
            400,
            "invalid_params",
        ),
        (http.post("/v1/spaces/a/recall", &big), 413, "body_too_large"),
        (
            http.send("POST", "/v1/spaces/a/recall", &[], b"{}"),
            415,
            "unsupported_media_type",
        ),
        (
            http.send(
                "POST",
                "/v1/spaces/a/recall",
                &[("content-type", "application/json")],
                b"{",
            ),
            400,
            "parse_error",
        ),
        (
            http.post(
                "/v1/spaces/a/feedback",
                &json!({"intent": "i-0", "verdict": "accept"}),
            ),
            409,
            "refused",
        ),
        (
            http.send("GET", "/v1/status", &[("host", "evil.example")], b""),
            421,
            "wrong_host",
        ),
        (
            http.send("GET", "/v1/status", &[("origin", "https://evil.example")], b""),
            421,
            "wrong_host",
        ),
    ] {
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{reply:?}");
    }
}

#[test]
fn pages_together_are_the_whole() {
    // With passes this far apart the story gives more than one intent.
    let (mut f, http) = served(&[("fold.period_small", "10")]);
    f.told("farm");
    let whole = http.get("/v1/spaces/farm/intents").ok();
    let count = whole["intents"].as_array().unwrap().len();
    assert!(count > 1 && whole.get("next").is_none(), "{count}: {whole}");
    let (mut after, mut pages) = (0, Vec::new());
    loop {
        let page = http
            .get(&format!("/v1/spaces/farm/intents?after={after}&limit=1"))
            .ok();
        let list = page["intents"].as_array().unwrap();
        assert!(list.len() <= 1);
        pages.extend(list.clone());
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!(json!(pages), whole["intents"]);
}

#[test]
fn a_stream_brings_changes_and_goes_on_where_it_stopped() {
    let (mut f, http) = served(&[("http.max_streams", "2")]);
    let path = "/v1/spaces/pier/subscribe";
    // Before the space is there: its first intent will come.
    let mut stream = http.stream(path, None).unwrap();
    let intent = f.asked("pier");
    let first = stream.next().unwrap();
    assert_eq!(
        (first.event.as_str(), &first.data["id"]),
        ("intent", &intent["id"])
    );
    assert_eq!(first.id, first.data["seq"].to_string());
    drop(stream);
    // While nobody listens it changes twice; the newest form is what comes.
    for verdict in ["accept", "reject"] {
        http.post(
            "/v1/spaces/pier/feedback",
            &json!({"intent": intent["id"], "verdict": verdict}),
        )
        .ok();
    }
    let mut stream = http.stream(path, Some(&first.id)).unwrap();
    let next = stream.next().unwrap();
    assert_eq!(
        (&next.data["id"], &next.data["status"]),
        (&intent["id"], &json!("rejected"))
    );
    assert!(next.id.parse::<u64>().unwrap() > first.id.parse::<u64>().unwrap());
    // The acknowledged cursor counts for one who names none.
    http.post(
        "/v1/spaces/pier/ack",
        &json!({"cursor": next.data["seq"], "subscriber": "bell"}),
    )
    .ok();
    until("the first stream's place is free", || {
        http.stream("/v1/spaces/other/subscribe", None).is_ok()
    });
    let mut bell = loop {
        match http.stream(&format!("{path}?subscriber=bell"), None) {
            Ok(s) => break s,
            Err(refused) => assert_eq!(refused.code(), "overloaded"),
        }
    };
    assert_eq!(http.stream(path, None).err().unwrap().code(), "overloaded");
    drop(stream);
    http.post("/v1/spaces/pier/ingest", &json!([{"id": "z", "time": "2033-05-03T08:00:00Z", "text": "Where is the ferry timetable for the pier? I asked for it by Thursday."}])).ok();
    let seqs = |v: &Value| {
        v["intents"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|i| i["seq"].as_u64())
            .max()
    };
    let newest = seqs(&http.get("/v1/spaces/pier/intents").ok());
    if newest > next.data["seq"].as_u64() {
        assert!(bell.next().unwrap().data["seq"].as_u64() > next.data["seq"].as_u64());
    }
    assert_eq!(
        http.get("/v1/spaces/pier/subscribe?after=x").code(),
        "invalid_params"
    );
    assert_eq!(
        http.stream(path, Some("x")).err().unwrap().code(),
        "invalid_params"
    );
    // A stop does not wait for those who listen.
    f.daemon.stop();
}

#[test]
fn figures_name_no_space_and_health_says_how_it_is() {
    let (mut f, http) = served(&[]);
    f.told("a-secret-name");
    http.post(
        "/v1/spaces/a-secret-name/recall",
        &json!({"query": "When does the inspector come?"}),
    )
    .ok();
    let reply = http.get("/metrics");
    assert!(
        reply
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    let figures = reply.text;
    assert!(
        !figures.contains("a-secret-name") && figures.ends_with("# EOF\n"),
        "{figures}"
    );
    let value = |name: &str| -> f64 {
        let line = figures.lines().find(|l| l.starts_with(&format!("{name} ")));
        let line = line.unwrap_or_else(|| panic!("no {name} in {figures}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(value("gyrus_events_stored_total"), STORY.lines().count() as f64);
    assert_eq!(
        value("gyrus_nodes{kind=\"events\"}"),
        STORY.lines().count() as f64
    );
    assert!(value("gyrus_commit_seconds_count") > 0.0 && value("gyrus_store_bytes") > 0.0);
    let folds = value("gyrus_fold_seconds_count") + value("gyrus_pass_seconds_count");
    assert!(folds >= STORY.lines().count() as f64);
    assert!(value("gyrus_intent_changes_total") > 0.0 && value("gyrus_resident_memory_bytes") > 1e6);
    assert!(figures.contains("gyrus_recall_seconds_count{mode="), "{figures}");
    assert!(
        figures.contains("gyrus_http_requests_total{operation=\"recall\",status=\"200\"} 1"),
        "{figures}"
    );
    assert_eq!(value("gyrus_ready"), 1.0);
    assert_eq!(http.get("/healthz").ok()["status"], "ok");
    assert_eq!(http.get("/readyz").ok(), json!({"ready": true, "reasons": []}));
}

#[test]
fn the_dashboard_asks_only_for_figures_that_there_are() {
    let (mut f, http) = served(&[]);
    f.told("farm");
    http.post("/v1/spaces/farm/recall", &json!({"query": "inspector"}))
        .ok();
    let figures = http.get("/metrics").text;
    let board: Value = serde_json::from_str(include_str!("../docs/grafana.json")).unwrap();
    let name = regex::Regex::new(r"gyrus_\w+").unwrap();
    let mut asked = 0;
    for panel in board["panels"].as_array().unwrap() {
        for target in panel["targets"].as_array().unwrap() {
            let expr = target["expr"].as_str().unwrap();
            let metric = name.find(expr).unwrap().as_str();
            let there = figures
                .lines()
                .any(|l| l.strip_prefix(metric).is_some_and(|r| r.starts_with([' ', '{'])));
            assert!(there, "{metric} of {}", panel["title"]);
            asked += 1;
        }
    }
    assert!(asked > 15);
}
