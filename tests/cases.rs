//! Small situations, each with the one behaviour that it must have, played through the whole daemon.

mod support;

use serde_json::{Value, json};
use support::kafka::{self, Out, Topics};
use support::{Daemon, Launch, Rpc, files_holding, holds, texts, until};

/// A daemon with an empty data directory, gone with the test.
struct Fresh {
    daemon: Daemon,
    rpc: Rpc,
    _dir: tempfile::TempDir,
}

fn fresh(set: &[(&str, &str)]) -> Fresh {
    let dir = tempfile::tempdir().unwrap();
    let launch = set.iter().fold(Launch::new(dir.path()), |l, (k, v)| l.set(k, v));
    let daemon = launch.start();
    Fresh {
        rpc: daemon.rpc(),
        daemon,
        _dir: dir,
    }
}

fn event(id: &str, time: &str, text: &str) -> Value {
    json!({"id": id, "time": time, "actor": "noor", "text": text})
}

fn of_type<'a>(export: &'a Value, kind: &str) -> Vec<&'a Value> {
    let nodes = export["nodes"].as_array().expect("nodes");
    nodes.iter().filter(|n| n["type"] == kind).collect()
}

fn node<'a>(export: &'a Value, event_id: &str) -> &'a Value {
    let found = of_type(export, "event")
        .into_iter()
        .find(|n| n["event_id"] == event_id);
    found.unwrap_or_else(|| panic!("no event {event_id} in {export}"))
}

#[test]
fn a_repeated_event_is_stored_once_and_counts_once() {
    let mut f = fresh(&[]);
    let one = event(
        "p-1",
        "2033-05-02T09:00:00Z",
        "The greenhouse pump answers at address 0x2F.",
    );
    let first = f.rpc.ingest("barn", json!([one, one, one]));
    assert_eq!(texts(&first, "status"), ["stored", "duplicate", "duplicate"]);
    let later = f.rpc.ingest("barn", json!([one]));
    assert_eq!(texts(&later, "status"), ["duplicate"]);
    f.rpc.settle("barn");
    let export = f.rpc.export("barn");
    assert_eq!(of_type(&export, "event").len(), 1);
    for concept in of_type(&export, "concept") {
        assert_eq!(concept["size"], 1, "evidence counts the event once: {concept}");
    }
    assert!(texts(&export["edges"], "type").iter().all(|t| *t != "REINFORCES"));
    let story = f
        .rpc
        .ok("explain", json!({"space": "barn", "id": first[0]["node"]}));
    assert_eq!(story["node"]["event_id"], "p-1");
}

#[test]
fn facts_that_differ_in_a_number_are_never_one() {
    let mut f = fresh(&[]);
    let at = "2033-05-02T09:00:00Z";
    f.rpc.ingest(
        "gym",
        json!([
            event("l-7", at, "The combination of cabinet 7 is 83-15."),
            event("l-8", at, "The combination of cabinet 8 is 83-51.")
        ]),
    );
    f.rpc.settle("gym");
    for (cabinet, code) in [("7", "83-15"), ("8", "83-51")] {
        let r = f.rpc.ok(
            "recall",
            json!({"space": "gym", "query": format!("What is the combination of cabinet {cabinet}?")}),
        );
        let best = r["items"][0]["text"].as_str().unwrap_or_default();
        assert!(best.contains(code), "cabinet {cabinet}: {best}");
    }
    let export = f.rpc.export("gym");
    let (a, b) = (&node(&export, "l-7")["id"], &node(&export, "l-8")["id"]);
    assert_ne!(a, b);
    let mut edges = export["edges"].as_array().unwrap().iter();
    let repeat = edges.find(|e| e["type"] == "REINFORCES");
    assert_eq!(repeat, None, "one of them was taken for a repeat of the other");
    assert_eq!(f.rpc.status()["merges"], 0);
}

#[test]
fn a_name_of_three_letters_finds_everything_that_mentions_it() {
    let mut f = fresh(&[]);
    let lines = [
        "VDK signed off the drawings.",
        "The stairs are a question for VDK.",
        "Rain all day, and VDK did not show up.",
        "Coffee with someone of VDK about nothing in particular.",
        "The crane is booked for Monday.",
    ];
    let events: Vec<Value> = (0..lines.len())
        .map(|n| {
            event(
                &format!("v{n}"),
                &format!("2033-05-0{}T09:00:00Z", n + 1),
                lines[n],
            )
        })
        .collect();
    f.rpc.ingest("site", json!(events));
    f.rpc.settle("site");
    let mut found = f.rpc.recalled("site", "VDK");
    found.truncate(4);
    found.sort();
    assert_eq!(found, ["v0", "v1", "v2", "v3"]);
}

#[test]
fn times_keep_their_offset_and_one_without_is_read_in_the_zone_and_marked() {
    let mut f = fresh(&[("event.zone", "America/New_York")]);
    let receipts = f.rpc.ingest(
        "lock",
        json!([
            event("z1", "2033-03-01T02:15:00+05:30", "Gate raised."),
            event("z2", "2033-03-01T02:15:00", "Gate lowered.")
        ]),
    );
    assert_eq!(texts(&receipts, "status"), ["stored", "stored"]);
    let export = f.rpc.export("lock");
    assert_eq!(node(&export, "z1")["time"], "2033-02-28T20:45:00Z");
    assert_eq!(node(&export, "z2")["time"], "2033-03-01T07:15:00Z");
    assert_eq!(node(&export, "z2")["event"]["gyrus_time_mark"], "assumed-zone");
    assert_eq!(node(&export, "z1")["event"]["gyrus_time_mark"], Value::Null);
}

#[test]
fn a_relative_date_counts_from_the_event_and_not_from_today() {
    let mut f = fresh(&[]);
    let leap = event(
        "d1",
        "2036-02-27T16:00:00Z",
        "The tiles arrive the day after tomorrow.",
    );
    f.rpc.ingest("bath", json!([leap]));
    f.rpc.settle("bath");
    let export = f.rpc.export("bath");
    let times = of_type(&export, "time");
    let day = times
        .iter()
        .find(|t| t["start"].as_str().is_some_and(|s| s.starts_with("2036-02-29")))
        .unwrap_or_else(|| panic!("no time node for 29 February: {times:?}"));
    let (event, day) = (&node(&export, "d1")["id"], &day["id"]);
    let linked = export["edges"].as_array().unwrap().iter().any(|e| {
        (e["source"] == *event && e["target"] == *day) || (e["source"] == *day && e["target"] == *event)
    });
    assert!(linked, "{export}");
}

#[test]
fn one_wrong_clock_moves_nobody_elses_time() {
    let mut f = fresh(&[]);
    let receipts = f.rpc.ingest(
        "plant",
        json!([
            event("k0", "2033-05-02T06:00:00Z", "Early shift took over the furnace."),
            event(
                "k1",
                "2049-05-02T00:00:00Z",
                "The recorder restarted with a wrong date."
            ),
            event("k2", "2033-05-02T14:00:00Z", "Late shift took over the furnace.")
        ]),
    );
    assert_eq!(texts(&receipts, "status"), ["stored", "stored", "stored"]);
    assert!(
        receipts[1]["reason"].is_string(),
        "the far one is marked: {receipts}"
    );
    assert_eq!(
        receipts[2]["reason"],
        Value::Null,
        "the one after it is not late: {receipts}"
    );
    f.rpc.settle("plant");
    let s = f.rpc.ok("status", json!({"space": "plant"}));
    assert_eq!(s["clock"], "2033-05-02T14:00:00Z");
    let export = f.rpc.export("plant");
    for e in export["edges"].as_array().unwrap() {
        let weight = e["weight"].as_f64().unwrap();
        assert!(weight > 0.5, "nothing has decayed in one shift: {e}");
    }
    assert!(
        f.rpc
            .recalled("plant", "Who took over the furnace?")
            .contains(&"k2".to_owned())
    );
}

#[test]
fn a_thousand_heartbeats_are_one_concept_at_most_no_intent_and_few_bytes() {
    let mut f = fresh(&[]);
    f.rpc.ingest(
        "hub",
        json!([event(
            "fact",
            "2033-05-01T09:00:00Z",
            "The spare fuse lies behind the yellow crate."
        )]),
    );
    let begin = 1_999_000_000_i64;
    let beats: Vec<Value> = (0..1_000)
        .map(|n| json!({"id": format!("b{n}"), "time": begin + n * 60, "actor": "hub", "text": "still alive: PING_OK"}))
        .collect();
    for part in beats.chunks(100) {
        f.rpc.ingest("hub", json!(part));
    }
    f.rpc.settle("hub");
    let s = f.rpc.ok("status", json!({"space": "hub"}));
    assert_eq!(s["counts"]["events"], 1_001);
    assert!(s["counts"]["concepts"].as_u64().unwrap() <= 1, "{s}");
    assert_eq!(s["counts"]["intents"], 0, "{s}");
    let found = f.rpc.recalled("hub", "Where is the spare fuse?");
    assert_eq!(found.first().map(String::as_str), Some("fact"));
    let bytes = s["disk_bytes"].as_u64().unwrap() / 1_001;
    assert!(bytes < 16_384, "{bytes} bytes on disk an event");
}

#[test]
fn poison_goes_to_the_dead_letters_and_the_next_record_is_stored() {
    let dir = tempfile::tempdir().unwrap();
    let t = Topics::new(support::broker::shared());
    t.create_events(1);
    let broken = br#"{"id":"x9","text":"#;
    let good = json!({"id": "x10", "space": "dock", "text": "The pontoon bridge is open again."});
    let records = [
        Out {
            value: Some(broken.to_vec()),
            key: Some("dock".into()),
            ..Out::default()
        },
        Out::of("dock", &good),
    ];
    kafka::produce(&t.broker, &t.events, &records);
    let d = t.launch(dir.path()).start();
    let mut rpc = d.rpc();
    until("the good record is stored", || {
        rpc.status()["counts"]["events"] == 1
    });
    assert_eq!(rpc.recalled("dock", "Is the pontoon bridge open?"), ["x10"]);
    until("the offset has passed both", || {
        rpc.status()["shards"][0]["offset"] == 2
    });
    until("the dead letter is published", || {
        kafka::end(&t.broker, &t.dead) == 1
    });
    let dead = &kafka::read(&t.broker, &t.dead)[0];
    assert_eq!(dead.value, broken);
    let said = ["gyrus_topic", "gyrus_partition", "gyrus_offset", "gyrus_code"].map(|h| dead.header(h));
    assert_eq!(said, [t.events.as_str(), "0", "0", "malformed-json"]);
    assert!(dead.header("gyrus_reason").contains("JSON"));
    assert_eq!(rpc.status()["dead_letters"], 1);
    d.stop();
}

#[test]
fn a_tombstone_leaves_no_trace_of_the_event_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let t = Topics::new(support::broker::shared());
    t.create_events(2);
    let launch = t.launch(dir.path());
    let d = launch.start();
    let mut rpc = d.rpc();
    // A word that stands nowhere else, in a title, a text and an actor, beside events of the same subject.
    let secret = "Quillondro";
    let texts = [
        "The deed box is in the attic of the old mill.",
        "Someone moved the deed box in the attic of the old mill.",
        "Quillondro keeps the key of the deed box in the attic of the old mill.",
        "The deed box in the attic of the old mill needs a new lock by Friday.",
    ];
    let mut records: Vec<Out> = texts
        .iter()
        .enumerate()
        .map(|(n, text)| {
            let mut e = event(&format!("m{n}"), &format!("2033-05-0{}T09:00:00Z", n + 1), text);
            e["space"] = "mill".into();
            if n == 2 {
                e["title"] = "Quillondro and the key".into();
                e["actor"] = "Quillondro".into();
            }
            Out::of("mill", &e)
        })
        .collect();
    kafka::produce(&t.broker, &t.events, &records);
    until("all are stored", || rpc.status()["counts"]["events"] == 4);
    assert!(
        rpc.recalled("mill", "Who keeps the key? Quillondro")
            .contains(&"m2".to_owned())
    );
    assert!(
        !files_holding(&launch.data(), secret).is_empty(),
        "the test can see the bytes"
    );

    let tombstone = Out {
        key: Some("m2".into()),
        ..Out::default()
    };
    kafka::produce(&t.broker, &t.events, &[tombstone.clone(), tombstone]);
    until("it is erased", || rpc.status()["counts"]["events"] == 3);
    until("both tombstones are read", || rpc.status()["lag"] == 0);
    rpc.settle("mill");
    gone(&mut rpc, &launch, &t, "mill", secret);

    // It stays erased when the producer sends it once more, and after a restart.
    kafka::produce(&t.broker, &t.events, &[records.remove(2)]);
    until("the repeat is read", || {
        let s = rpc.status();
        let offsets = s["shards"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|x| x["offset"].as_i64());
        offsets.sum::<i64>() == kafka::end(&t.broker, &t.events)
    });
    rpc.settle("mill");
    gone(&mut rpc, &launch, &t, "mill", secret);
    d.stop();
    let d = launch.start();
    gone(&mut d.rpc(), &launch, &t, "mill", secret);
    assert!(!d.log().contains("malformed"));
    d.stop();
}

#[test]
fn a_tombstone_that_comes_before_its_event_keeps_it_out() {
    let dir = tempfile::tempdir().unwrap();
    let t = Topics::new(support::broker::shared());
    t.create_events(1);
    let launch = t.launch(dir.path());
    let d = launch.start();
    let mut rpc = d.rpc();
    let sent = |id: &str, text: &str| {
        let mut e = event(id, "2033-06-01T09:00:00Z", text);
        e["space"] = "quay".into();
        Out::of("quay", &e)
    };
    let tombstone = Out {
        key: Some("quay".into()),
        headers: vec![("ce_id".into(), "late".into())],
        ..Out::default()
    };
    let late = sent("late", "Marvabelle rowed the ledger across the harbour.");
    let other = sent("kept", "The ferry timetable hangs beside the ticket window.");
    kafka::produce(&t.broker, &t.events, &[tombstone, late.clone(), other]);
    until("the other event is stored", || rpc.status()["counts"]["events"] == 1);
    until("all is read", || rpc.status()["lag"] == 0);
    assert_eq!(rpc.recalled("quay", "Who rowed the ledger?"), ["kept"]);
    d.stop();

    // The refusal is part of what is stored.
    let d = launch.start();
    let mut rpc = d.rpc();
    kafka::produce(&t.broker, &t.events, &[late]);
    until("the repeat is read", || {
        rpc.status()["shards"][0]["offset"].as_i64() == Some(kafka::end(&t.broker, &t.events))
    });
    rpc.settle("quay");
    assert_eq!(rpc.status()["counts"]["events"], 1);
    gone(&mut rpc, &launch, &t, "quay", "Marvabelle");
    d.stop();
}

fn gone(rpc: &mut Rpc, launch: &Launch, t: &Topics, space: &str, secret: &str) {
    for query in ["Who keeps the key of the deed box?", secret] {
        for method in ["recall", "answer"] {
            let r = rpc.ok(method, json!({"space": space, "query": query}));
            let shown = json!([r["items"], r["context"], r["answer"]]).to_string();
            assert!(!shown.contains(secret), "{method} {query}: {shown}");
        }
    }
    for method in ["export", "context", "intents"] {
        let r = rpc.ok(method, json!({"space": space})).to_string();
        assert!(
            !r.to_lowercase().contains(&secret.to_lowercase()),
            "{method}: {r}"
        );
    }
    for needle in [secret.to_owned(), secret.to_lowercase()] {
        let files = files_holding(&launch.data(), &needle);
        assert!(files.is_empty(), "{needle} still stands in {files:?}");
        for topic in [&t.dead, &t.intents] {
            for record in kafka::read(&t.broker, topic) {
                assert!(
                    !holds(&record.bytes(), &needle),
                    "{needle} still stands in {topic}: {record:?}"
                );
            }
        }
    }
}

#[test]
fn half_a_character_spoils_no_record_but_its_own() {
    let mut f = fresh(&[]);
    let events: Vec<String> = (0..10)
        .map(|n| match n {
            4 => r#"{"id":"u4","text":"sticker \udc1b peeled off"}"#.to_owned(),
            _ => format!(r#"{{"id":"u{n}","text":"sticker {n} printed"}}"#),
        })
        .collect();
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":77,"method":"ingest","params":{{"space":"print","events":[{}]}}}}"#,
        events.join(",")
    );
    f.rpc.send(format!("{line}\n").as_bytes());
    let answer = f.rpc.line().unwrap();
    let receipts = &answer["result"]["receipts"];
    assert_eq!(texts(receipts, "status"), ["stored"; 10], "{answer}");
    let export = f.rpc.export("print");
    assert_eq!(node(&export, "u4")["text"], "sticker \u{fffd} peeled off");
    assert_eq!(node(&export, "u5")["text"], "sticker 5 printed");
}

#[test]
fn a_script_without_spaces_is_found_by_its_words() {
    let mut f = fresh(&[]);
    let text = "会議室の予備の電池は青い缶の底にあります。";
    let mut told = json!([
        event("j1", "2033-05-02T09:00:00Z", text),
        event("j2", "2033-05-03T10:00:00Z", "駅前の花屋は水曜日が休みです。"),
        event("j3", "2033-05-04T10:00:00Z", "自転車の鍵をなくしました。"),
        event("j4", "2033-05-06T10:00:00Z", "歯医者の予約は来週です。")
    ]);
    told[2]["actor"] = "mia".into();
    f.rpc.ingest("office", told);
    f.rpc.settle("office");
    for query in ["青い缶", "会議室"] {
        let r = f.rpc.ok("recall", json!({"space": "office", "query": query}));
        assert_eq!(r["items"][0]["event_id"], "j1", "{query}: {r}");
        assert!(
            r["context"].as_str().unwrap().contains(text),
            "the text stays as it was: {r}"
        );
    }
    assert_eq!(
        f.rpc.recalled("office", "花屋").first().map(String::as_str),
        Some("j2")
    );
}

#[test]
fn a_huge_event_is_refused_alone_and_a_large_one_can_be_found_and_erased() {
    let mut f = fresh(&[]);
    let at = "2033-05-02T09:00:00Z";
    let filler = "Paragraph of a manual that nobody reads to its end. ";
    let huge = filler.repeat(2 * 1_048_576 / filler.len() + 1);
    let receipts = f.rpc.ingest(
        "desk",
        json!([
            event("huge", at, &huge),
            event("small", at, "The stapler lives in the top drawer.")
        ]),
    );
    assert_eq!(texts(&receipts, "status"), ["rejected", "stored"]);
    assert!(
        receipts[0]["reason"]
            .as_str()
            .unwrap()
            .contains("max_event_bytes"),
        "{}",
        receipts[0]
    );
    assert_eq!(f.rpc.recalled("desk", "Where is the stapler?"), ["small"]);

    let needle = "Turn the brass wheel anticlockwise.";
    let large = format!("{}{needle} {}", filler.repeat(2_000), filler.repeat(2_000));
    let receipts = f.rpc.ingest("desk", json!([event("large", at, &large)]));
    assert_eq!(texts(&receipts, "status"), ["stored"]);
    let r = f.rpc.ok(
        "recall",
        json!({"space": "desk", "query": "Which way does the brass wheel turn?"}),
    );
    assert_eq!(r["items"][0]["event_id"], "large");
    assert!(
        r["context"].as_str().unwrap().contains(needle),
        "the part that answers is shown"
    );
    f.rpc.ok("forget", json!({"space": "desk", "event_id": "large"}));
    f.rpc.settle("desk");
    assert_eq!(
        files_holding(&f.daemon.launch.data(), "brass wheel"),
        Vec::<String>::new()
    );
}

#[test]
fn one_space_never_shows_in_another() {
    let mut f = fresh(&[]);
    let at = "2033-05-02T09:00:00Z";
    f.rpc.ingest(
        "north",
        json!([event("w1", at, "The watchword is sparrowgrass.")]),
    );
    f.rpc
        .ingest("south", json!([event("w1", at, "The watchword is thistledown.")]));
    for space in ["north", "south"] {
        f.rpc.settle(space);
    }
    let r = f.rpc.ok(
        "recall",
        json!({"space": "south", "query": "What is the watchword?", "explain": true}),
    );
    let shown = r.to_string();
    assert!(
        shown.contains("thistledown") && !shown.contains("sparrowgrass") && !shown.contains("north"),
        "{shown}"
    );
    for method in ["export", "context", "intents"] {
        let r = f.rpc.ok(method, json!({"space": "south"})).to_string();
        assert!(
            !r.contains("sparrowgrass") && !r.contains("north"),
            "{method}: {r}"
        );
    }
    // What belongs to the one is unknown to the other.
    let export = f.rpc.export("north");
    let id = &node(&export, "w1")["id"];
    assert_eq!(
        f.rpc.refused("explain", json!({"space": "south", "id": id})).0,
        "not_found"
    );
    let trace = f.rpc_trace("north");
    assert_eq!(
        f.rpc.refused("explain", json!({"space": "south", "id": trace})).0,
        "not_found"
    );
    for name in ["south' OR '1'='1", "south\" --", "north/../south", "sou"] {
        let (code, message) = f
            .rpc
            .refused("recall", json!({"space": name, "query": "watchword"}));
        assert!(
            ["unknown_space", "invalid_params"].contains(&code.as_str()),
            "{name}: {code}"
        );
        assert!(!message.contains("north"), "{message}");
    }
    f.rpc.ok("forget", json!({"space": "south", "event_id": "w1"}));
    assert_eq!(f.rpc.recalled("north", "What is the watchword?"), ["w1"]);
}

impl Fresh {
    /// Id of the trace of a recall.
    fn rpc_trace(&mut self, space: &str) -> Value {
        self.daemon
            .rpc()
            .ok("recall", json!({"space": space, "query": "watchword"}))["trace_id"]
            .take()
    }
}

#[test]
fn subscribers_of_the_topic_hear_that_an_intent_lost_its_grounds() {
    let dir = tempfile::tempdir().unwrap();
    let t = Topics::new(support::broker::shared());
    t.create_events(1);
    let told = [
        "The moped licence plate is lost. Please order a new licence plate by Friday.",
        "Another letter about the moped licence plate: it must be ordered before Friday.",
        "Who orders the licence plate for the moped? It is needed by Friday.",
    ];
    let records: Vec<Out> = told
        .iter()
        .enumerate()
        .map(|(n, text)| {
            Out::of(
                "garage",
                &event(&format!("g{n}"), &format!("2033-05-02T0{}:00:00Z", n + 7), text),
            )
        })
        .collect();
    kafka::produce(&t.broker, &t.events, &records);
    let d = t.launch(dir.path()).start();
    let kinds = || -> Vec<String> {
        let records = kafka::read(&t.broker, &t.intents);
        records
            .iter()
            .map(|r| r.json()["type"].as_str().unwrap().to_owned())
            .collect()
    };
    until("an intent is told", || {
        kinds().contains(&"io.gyrus.intent.emitted.v1".to_owned())
    });
    let gone: Vec<Out> = (0..3)
        .map(|n| Out {
            key: Some(format!("g{n}")),
            ..Out::default()
        })
        .collect();
    kafka::produce(&t.broker, &t.events, &gone);
    until("it is withdrawn", || {
        kinds()
            .last()
            .is_some_and(|k| k == "io.gyrus.intent.retracted.v1")
    });
    let last = kafka::read(&t.broker, &t.intents).pop().unwrap();
    assert!(!holds(&last.bytes(), "icence"), "{last:?}");
    assert_eq!(last.key, b"garage");
    d.stop();
}
