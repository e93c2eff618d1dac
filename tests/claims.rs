//! What events state, played through the whole daemon: versions of facts, corrections, reported speech, erasure.

mod support;

use serde_json::{Value, json};
use support::{Daemon, Launch, Rpc, texts};

struct Fresh {
    _daemon: Daemon,
    rpc: Rpc,
    _dir: tempfile::TempDir,
}

fn fresh() -> Fresh {
    let dir = tempfile::tempdir().unwrap();
    let daemon = Launch::new(dir.path()).start();
    Fresh {
        rpc: daemon.rpc(),
        _daemon: daemon,
        _dir: dir,
    }
}

fn event(id: &str, time: &str, actor: &str, text: &str) -> Value {
    json!({"id": id, "time": time, "actor": actor, "text": text})
}

impl Fresh {
    fn tell(&mut self, space: &str, events: Value) {
        self.rpc.ingest(space, events);
        self.rpc.settle(space);
    }

    fn recall(&mut self, space: &str, query: &str, as_of: Option<&str>) -> Value {
        let mut p = json!({"space": space, "query": query, "now": "2034-01-01T00:00:00Z"});
        if let Some(t) = as_of {
            p["as_of"] = t.into();
        }
        self.rpc.ok("recall", p)
    }
}

/// (object, standing) of the claims of an answer.
fn claims(r: &Value) -> Vec<(String, String)> {
    let all = r["claims"].as_array().expect("claims");
    let word = |c: &Value, k: &str| c[k].as_str().unwrap_or_default().to_owned();
    all.iter()
        .map(|c| (word(c, "object"), word(c, "standing")))
        .collect()
}

fn lanes(r: &Value) -> Vec<(String, String)> {
    texts(&r["items"], "event_id")
        .into_iter()
        .map(str::to_owned)
        .zip(texts(&r["items"], "lane").into_iter().map(str::to_owned))
        .collect()
}

#[test]
fn a_changed_mind_leads_and_the_older_one_is_marked() {
    let mut f = fresh();
    f.tell(
        "diner",
        json!([
            event("old", "2033-01-05T09:00:00Z", "noor", "I adore salted liquorice."),
            event(
                "new",
                "2033-03-05T09:00:00Z",
                "noor",
                "I can't stand salted liquorice any more."
            )
        ]),
    );
    let r = f.recall("diner", "Do I like salted liquorice?", None);
    let found = lanes(&r);
    assert_eq!(found[0], ("new".into(), "evidence".into()), "{r}");
    assert_eq!(found[1], ("old".into(), "superseded".into()), "{r}");
    assert!(r["context"].as_str().unwrap().contains("(superseded)"));
    assert_eq!(r["claims"][0]["negated"], true);
    assert_eq!(r["claims"][0]["valid_from"], "2033-03-05T09:00:00Z");
    assert_eq!(r["claims"][1]["standing"], "superseded");
    assert_eq!(r["claims"][1]["valid_to"], "2033-03-05T09:00:00Z");
    assert_eq!(r["claims"][1]["replaced_by"], "new");
    let then = f.recall(
        "diner",
        "Do I like salted liquorice?",
        Some("2033-02-01T00:00:00Z"),
    );
    assert_eq!(lanes(&then), [("old".to_owned(), "evidence".to_owned())]);
    assert_eq!(then["claims"][0]["standing"], "current");
}

#[test]
fn a_late_old_fact_changes_history_and_not_the_present() {
    let mut f = fresh();
    f.tell(
        "dock",
        json!([event(
            "b",
            "2033-05-01T09:00:00Z",
            "noor",
            "The gate code of pier 6 is 8802 now."
        )]),
    );
    f.tell(
        "dock",
        json!([event(
            "a",
            "2033-02-01T09:00:00Z",
            "noor",
            "The gate code of pier 6 is 3317."
        )]),
    );
    let r = f.recall("dock", "What is the gate code of pier 6?", None);
    assert_eq!(
        claims(&r),
        [
            ("8802".into(), "current".into()),
            ("3317".into(), "superseded".into())
        ]
    );
    assert_eq!(lanes(&r)[0].0, "b", "{r}");
}

#[test]
fn a_correction_says_that_the_wrong_claim_was_never_true() {
    let mut f = fresh();
    f.tell(
        "club",
        json!([
            event(
                "w",
                "2033-05-01T09:00:00Z",
                "noor",
                "The membership fee is 45 euros."
            ),
            event(
                "c",
                "2033-05-02T09:00:00Z",
                "noor",
                "Correction: the membership fee is 54 euros, not 45 euros."
            )
        ]),
    );
    let r = f.recall("club", "What is the membership fee?", None);
    assert_eq!(
        claims(&r),
        [
            ("54 euros".into(), "current".into()),
            ("45 euros".into(), "corrected".into())
        ],
        "{r}"
    );
    assert_eq!(r["claims"][1]["valid_to"], r["claims"][1]["valid_from"]);
}

#[test]
fn reported_speech_says_nothing_of_the_teller() {
    let mut f = fresh();
    f.tell(
        "table",
        json!([event(
            "r",
            "2033-05-01T09:00:00Z",
            "noor",
            "Edvin told me: \"I cannot eat celery.\""
        )]),
    );
    let of_teller = f.recall("table", "What can noor not eat?", None);
    assert_eq!(of_teller["abstain"], true, "{of_teller}");
    assert!(of_teller["note"].as_str().unwrap().contains("Edvin"));
    let of_edvin = f.recall("table", "What can Edvin not eat?", None);
    assert_eq!(of_edvin["abstain"], false, "{of_edvin}");
    let c = &of_edvin["claims"][0];
    assert_eq!(
        (&c["subject"], &c["negated"]),
        (&"Edvin".into(), &true.into()),
        "{of_edvin}"
    );
    assert_eq!(c["reported_by"], json!(["Edvin"]));
    let story = f.rpc.ok(
        "explain",
        json!({"space": "table", "id": of_edvin["items"][0]["node"]}),
    );
    assert_eq!(story["claims"][0]["subject"], "Edvin");
    assert_eq!(story["run"]["events"], json!(["r"]));
}

#[test]
fn recalled_text_that_comes_back_is_no_new_evidence() {
    let mut f = fresh();
    f.tell(
        "kiln",
        json!([event(
            "k",
            "2033-05-01T09:00:00Z",
            "noor",
            "The dryer controller listens on port 6205."
        )]),
    );
    let r = f.recall("kiln", "Which port does the dryer controller listen on?", None);
    let echo = format!("{}, thanks", r["context"].as_str().unwrap().trim());
    f.tell(
        "kiln",
        json!([event("echo", "2033-05-02T09:00:00Z", "agent", &echo)]),
    );
    let node = r["items"][0]["node"].clone();
    let story = f.rpc.ok("explain", json!({"space": "kiln", "id": node}));
    assert_eq!(story["claims"][0]["object"], "6205", "{story}");
    assert_eq!(story["claims"][0]["count"], 1, "{story}");
    assert_eq!(story["claims"][0]["evidence"], json!(["k"]));
}

#[test]
fn claims_are_the_same_after_a_restart_and_reopen_when_their_superseder_is_erased() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let d = launch.start();
    let mut rpc = d.rpc();
    let told = json!([
        event(
            "t",
            "2033-05-01T09:00:00Z",
            "noor",
            "The choir practice is on Tuesday."
        ),
        event(
            "u",
            "2033-05-02T09:00:00Z",
            "pia",
            "The choir practice moved to Thursday."
        )
    ]);
    rpc.ingest("hall", told);
    rpc.settle("hall");
    let ask = json!({"space": "hall", "query": "When is the choir practice?", "now": "2034-01-01T00:00:00Z"});
    let before = rpc.ok("recall", ask.clone());
    assert_eq!(claims(&before)[1].1, "superseded", "{before}");
    assert!(
        before["context"].as_str().unwrap().starts_with("## Facts"),
        "{before}"
    );
    d.stop();
    let d = launch.start();
    let mut rpc = d.rpc();
    let after = rpc.ok("recall", ask.clone());
    assert_eq!(after["claims"], before["claims"]);
    assert_eq!(after["context"], before["context"]);
    rpc.ok("forget", json!({"space": "hall", "event_id": "u"}));
    rpc.settle("hall");
    let r = rpc.ok("recall", ask);
    assert_eq!(claims(&r), [("on Tuesday".to_owned(), "current".to_owned())]);
    assert!(!r.to_string().contains("Thursday"), "{r}");
    d.stop();
}

#[test]
fn a_chain_of_claims_leads_to_the_newest_version() {
    let mut f = fresh();
    let mut events = vec![
        event("s", "2033-05-01T09:00:00Z", "noor", "My landlord is Gustav Holm."),
        event("o", "2033-05-02T09:00:00Z", "pia", "Gustav Holm lives in Turku."),
        event("n", "2033-06-02T09:00:00Z", "pia", "Gustav Holm moved to Vaasa."),
    ];
    let other = [
        "The bread at the corner shop is stale again.",
        "A parcel for the neighbours stands in the hall.",
        "We painted the stairs in the morning.",
        "The lift makes a strange noise on the third floor.",
    ];
    for (i, text) in other.iter().enumerate() {
        events.push(event(
            &format!("x{i}"),
            &format!("2033-05-1{i}T09:00:00Z"),
            "noor",
            text,
        ));
    }
    f.tell("flat", json!(events));
    let r = f.recall(
        "flat",
        "In which city does noor's landlord live, and whose landlord is he?",
        None,
    );
    assert_eq!(r["procedure"], "multi_hop");
    let found: Vec<String> = lanes(&r).into_iter().take(3).map(|x| x.0).collect();
    assert!(found.contains(&"s".into()) && found.contains(&"n".into()), "{r}");
    let objects: Vec<String> = claims(&r).into_iter().map(|c| c.0).collect();
    assert!(
        objects.contains(&"Vaasa".into()) && objects.contains(&"Gustav Holm".into()),
        "{r}"
    );
}

#[test]
fn claims_of_one_space_never_show_in_another() {
    let mut f = fresh();
    for (space, code) in [("east", "5150"), ("west", "6160")] {
        f.tell(
            space,
            json!([event(
                "v",
                "2033-05-01T09:00:00Z",
                "noor",
                &format!("The vault code of tower 2 is {code}.")
            )]),
        );
    }
    let r = f.recall("west", "What is the vault code of tower 2?", None);
    assert_eq!(claims(&r), [("6160".to_owned(), "current".to_owned())]);
    assert!(!r.to_string().contains("5150"));
}
