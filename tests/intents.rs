//! The life of intents as subscribers and people see it.

mod support;

use serde_json::{Value, json};
use support::fresh::{Fresh, fresh};
use support::{Rpc, texts};

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
    assert_eq!(
        again.ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"],
        0
    );
    let got: Vec<u64> = newest
        .iter()
        .map(|_| again.note()["cursor"].as_u64().unwrap())
        .collect();
    let mut sorted = newest.clone();
    sorted.sort_unstable();
    assert_eq!(got, sorted);
    let middle = sorted[sorted.len() / 2];
    f.rpc.ok(
        "ack",
        json!({"space": "farm", "subscriber": "pager", "cursor": middle}),
    );
    let mut third = f.daemon.rpc();
    assert_eq!(
        third.ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"],
        middle
    );
    for want in sorted.iter().filter(|s| **s > middle) {
        assert_eq!(third.note()["cursor"], *want);
    }
    // Another subscriber's acknowledgement is its own; a cursor that is asked for wins.
    let mut other = f.daemon.rpc();
    assert_eq!(
        other.ok("subscribe", json!({"space": "farm", "subscriber": "screen"}))["after"],
        0
    );
    assert_eq!(
        f.daemon.rpc().ok(
            "subscribe",
            json!({"space": "farm", "subscriber": "pager", "after": 1})
        )["after"],
        1
    );
    // The acknowledgement outlives the process.
    let launch = f.daemon.launch.clone();
    f.daemon.stop();
    let d = launch.start();
    assert_eq!(
        d.rpc()
            .ok("subscribe", json!({"space": "farm", "subscriber": "pager"}))["after"],
        middle
    );
    d.stop();
}

#[test]
fn feedback_moves_an_intent_through_its_life() {
    let mut f = fresh(&[]);
    let verdict = |f: &mut Fresh, space: &str, more: Value| {
        let pending = f.asked(space);
        let mut p = json!({"space": space, "intent": pending["id"]});
        p.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        (pending, f.rpc.ok("feedback", p)["intent"].take())
    };
    let (pending, accepted) = verdict(&mut f, "yes", json!({"verdict": "accept"}));
    assert_eq!(
        (&pending["status"], &accepted["status"]),
        (&json!("pending"), &json!("action_scheduled"))
    );
    assert!(accepted["seq"].as_u64() > pending["seq"].as_u64());
    let (_, rejected) = verdict(&mut f, "no", json!({"verdict": "reject", "note": "not ours"}));
    assert_eq!(rejected["status"], "rejected");
    let until = "2033-05-03T00:00:00Z";
    let (_, deferred) = verdict(&mut f, "later", json!({"verdict": "defer", "until": until}));
    assert_eq!(
        (&deferred["status"], &deferred["deferred_until"]),
        (&json!("deferred"), &json!(until))
    );
    let (_, modified) = verdict(
        &mut f,
        "other",
        json!({"verdict": "modify", "title": "Print it anew"}),
    );
    assert_eq!(modified["title"], "Print it anew");

    let r = f.rpc.ok("intents", json!({"space": "no", "status": "rejected"}));
    assert_eq!(texts(&r["intents"], "id"), [rejected["id"].as_str().unwrap()]);
    assert_eq!(
        f.rpc.ok("intents", json!({"space": "no", "status": "pending"}))["intents"],
        json!([])
    );
    let weight = |f: &mut Fresh, space: &str| {
        let s = f.rpc.ok("status", json!({"space": space}));
        let list = s["calibration"].as_array().unwrap().clone();
        let found = list.into_iter().find(|c| c["category"] == accepted["category"]);
        found.map(|c| c["threshold"].as_f64().unwrap())
    };
    assert!(
        weight(&mut f, "yes") < weight(&mut f, "no"),
        "accepting lowers the threshold, rejecting raises it"
    );

    // A verdict on what is no intent, on another space's and on one that is done.
    for (space, id) in [
        ("yes", json!("i-none")),
        ("yes", rejected["id"].clone()),
        ("no", rejected["id"].clone()),
    ] {
        let (code, _) = f.rpc.refused(
            "feedback",
            json!({"space": space, "intent": id, "verdict": "accept"}),
        );
        assert_eq!(code, "refused", "{space} {id}");
    }
    let event = f.rpc.export("yes")["nodes"][0]["id"].take();
    assert_eq!(
        f.rpc
            .refused(
                "feedback",
                json!({"space": "yes", "intent": event, "verdict": "accept"})
            )
            .0,
        "refused"
    );

    // What was deferred comes back when its time has come.
    f.rpc.ingest(
        "later",
        json!([{"id": "n", "time": "2033-05-03T09:00:00Z", "text": "The gulls are back on the pier."}]),
    );
    let again = f.intents("later");
    assert_eq!(
        (&again[0]["id"], &again[0]["status"]),
        (&deferred["id"], &json!("pending"))
    );

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
    assert_eq!(
        (&changed["intent"]["id"], &changed["intent"]["status"]),
        (&intent["id"], &json!("pending"))
    );
    assert!(!changed.to_string().contains("sign"), "{changed}");
    f.rpc
        .ok("forget", json!({"space": "pier", "event_id": ["f1", "f2"]}));
    let withdrawn = live.note();
    assert_eq!(
        (&withdrawn["intent"]["id"], &withdrawn["intent"]["status"]),
        (&intent["id"], &json!("retracted"))
    );
    assert!(
        !withdrawn.to_string().to_lowercase().contains("ferry"),
        "{withdrawn}"
    );
    f.rpc.settle("pier");
    let all = f.rpc.export("pier").to_string() + &f.intents("pier")[0].to_string();
    assert!(!all.to_lowercase().contains("ferry"), "{all}");
    assert_eq!(f.rpc.status()["rejected_plans"], 0);
    let launch = f.daemon.launch.clone();
    f.daemon.stop();
    let d = launch.start();
    assert_eq!(
        d.rpc().ok("intents", json!({"space": "pier"}))["intents"][0]["status"],
        "retracted"
    );
    d.stop();
}
