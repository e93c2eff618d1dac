//! Requests, promises and open choices: when they speak, and what closes them.

use super::*;

/// A stream in which people write to each other.
fn letters() -> Stream {
    let mut s = Stream::new();
    for i in 0..8 {
        let mut e = event(
            &format!("q{i}"),
            i * 3,
            &format!(
                "I put your {} beside the {}",
                WORDS[i as usize],
                WORDS[(i as usize + 3) % 8]
            ),
        );
        e.actor = Some("Nuno".into());
        s.say(e, "", vec![]);
    }
    s
}

fn from(id: &str, hours: i64, who: &str, text: &str) -> crate::event::Event {
    let mut e = event(id, hours, text);
    e.actor = Some(who.into());
    e
}

/// Stream time passes.
fn until(s: &mut Stream, hours: i64) {
    s.now = Ts(hours * Ts::HOUR);
    s.tick();
}

fn open(s: &Stream) -> Vec<(String, String)> {
    let all = s.intents().into_iter().filter(|i| i.2.status.is_open());
    all.map(|(_, title, i)| (i.trigger.to_string(), title)).collect()
}

#[test]
fn a_request_speaks_when_a_day_brought_no_answer() {
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 40);
    assert!(s.intents().is_empty(), "there is time to answer");
    until(&mut s, 60);
    let all = s.intents();
    assert_eq!(all.len(), 1);
    let (_, title, i) = &all[0];
    assert_eq!((i.trigger.as_ref(), i.category.as_ref()), ("request", "request"));
    assert!(title.starts_with("Answer the request: Could you send"), "{title}");
    assert!(
        i.reason.contains("Wanda Kuhl") && i.reason.contains("1970-01-02"),
        "{}",
        i.reason
    );
    until(&mut s, 300);
    assert_eq!(s.intents().len(), 1, "said once");
}

#[test]
fn an_answer_in_time_leaves_nothing_to_say() {
    for (who, text) in [
        ("Nuno", "Sent the greenhouse drawings to Wanda"),
        ("Wanda Kuhl", "Thank you, the greenhouse drawings are here"),
        (
            "Wanda Kuhl",
            "No need any more, forget it, I found the greenhouse drawings",
        ),
    ] {
        let mut s = letters();
        s.say(
            from(
                "a",
                30,
                "Wanda Kuhl",
                "Could you send me the drawings of the greenhouse?",
            ),
            "",
            vec![],
        );
        s.say(from("b", 36, who, text), "", vec![]);
        until(&mut s, 200);
        assert!(s.intents().is_empty(), "{text}");
    }
}

#[test]
fn an_answer_that_comes_late_resolves_the_intent() {
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 60);
    s.say(from("x", 70, "Nuno", "Sent the parcel to Oslo"), "", vec![]);
    assert_eq!(open(&s).len(), 1, "another matter");
    s.say(
        from("b", 90, "Nuno", "Sent the greenhouse drawings to Wanda"),
        "",
        vec![],
    );
    assert_eq!(s.intents()[0].2.status, IntentStatus::Resolved);
    assert_eq!(s.intents()[0].2.evidence.len(), 1);
}

#[test]
fn a_promise_given_in_answer_is_one_need_with_both_events() {
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    s.say(
        from("b", 34, "Nuno", "I'll look out the greenhouse drawings"),
        "",
        vec![],
    );
    until(&mut s, 120);
    let all = s.intents();
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(
        (all[0].2.trigger.as_ref(), all[0].2.evidence.len()),
        ("commitment", 2)
    );
}

#[test]
fn a_reminder_speaks_at_once_and_is_evidence() {
    let mut s = Stream::with(Settings {
        base_request: 0.9,
        stated_per_address: 1.0,
        ..Settings::default()
    });
    for i in 0..4 {
        s.say(
            from(&format!("q{i}"), i, "Nuno", "I put your kettle there"),
            "",
            vec![],
        );
    }
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 120);
    assert!(s.intents().is_empty(), "too weak alone");
    s.say(
        from(
            "b",
            125,
            "Wanda Kuhl",
            "Still waiting for the greenhouse drawings",
        ),
        "",
        vec![],
    );
    s.tick();
    let all = s.intents();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].2.evidence.len(), 2);
}

#[test]
fn an_open_choice_and_a_promise_are_triggers_of_their_own() {
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "The printer asks whether the cover shall be linen",
        ),
        "",
        vec![],
    );
    s.say(
        from("b", 31, "Rui", "I'll paint the fence of the orchard"),
        "",
        vec![],
    );
    until(&mut s, 90);
    let mut kinds: Vec<String> = open(&s).into_iter().map(|o| o.0).collect();
    kinds.sort();
    assert_eq!(kinds, ["commitment", "decision"]);
}

#[test]
fn where_nobody_writes_to_anybody_silence_says_nothing() {
    let mut s = Stream::new();
    for i in 0..20 {
        let text = format!("The {} stands beside the {}", WORDS[i % 8], WORDS[(i + 3) % 8]);
        s.say(from(&format!("q{i}"), i as i64, "log", &text), "", vec![]);
    }
    s.say(
        from("a", 30, "log", "The porter asks whether the gate stays open"),
        "",
        vec![],
    );
    until(&mut s, 120);
    assert!(s.intents().is_empty());
}

#[test]
fn erasing_what_was_asked_takes_every_word_of_it_back() {
    let mut s = letters();
    let asked = s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 60);
    assert_eq!(s.intents().len(), 1);
    let plans = s.engine.erase(&s.graph, s.now, asked);
    s.apply(plans);
    let (id, title, i) = s.intents()[0].clone();
    assert_eq!(i.status, IntentStatus::Retracted);
    let node = s.graph.node(s.graph.ix(id.as_str()).unwrap()).unwrap();
    let told = format!("{title} {} {} {}", node.text, i.reason, node.provenance.reason);
    let edges: Vec<String> = s
        .graph
        .incoming(s.graph.ix(id.as_str()).unwrap())
        .map(|e| format!("{e:?}"))
        .collect();
    let told = format!("{told} {edges:?}");
    for word in ["greenhouse", "drawings", "Wanda"] {
        assert!(!told.contains(word), "{word} in {told}");
    }
    assert!(
        !s.stored
            .contains_key(&[&b"w"[..], &asked.0.to_be_bytes()].concat()),
        "its need is gone"
    );
}

#[test]
fn what_stays_unanswered_for_long_is_let_go() {
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 60);
    until(&mut s, 60 + 24 * 61);
    until(&mut s, 60 + 24 * 62);
    assert_eq!(s.intents()[0].2.status, IntentStatus::Expired);
}

#[test]
fn needs_are_bounded() {
    let mut s = Stream::with(Settings {
        max_needs: 5,
        ..Settings::default()
    });
    for i in 0..20 {
        let text = format!(
            "Could you bring the {} and the {}?",
            WORDS[i % 8],
            WORDS[(i + 3) % 8]
        );
        s.say(
            from(&format!("n{i}"), i as i64, &format!("Person{i}"), &text),
            "",
            vec![],
        );
    }
    assert_eq!(s.stored.keys().filter(|k| k.first() == Some(&b'w')).count(), 5);
}

#[test]
fn what_was_changed_holds_for_the_next_of_its_kind() {
    let mut s = quiet();
    s.engine.settings.allowance_per_event = 1.0;
    trouble(&mut s, 110);
    let id = s.intents()[0].0.clone();
    let mut say = verdict(id.as_str(), Verdict::Modify);
    say.category = Some("planning".into());
    say.priority = Some(0.9);
    say.title = Some("Rewrite the export".into());
    let plans = s.engine.feedback(&s.graph, s.now, &say).unwrap();
    s.apply(plans);
    until(&mut s, 1000);
    assert_eq!(s.intents()[0].2.status, IntentStatus::Expired);
    for (i, text) in [
        "Export to Lima failed",
        "The export is stuck on page four",
        "An export crashed at night",
    ]
    .iter()
    .enumerate()
    {
        s.say(
            event(&format!("u{i}"), 6000 + 2 * i as i64 * i as i64, text),
            "nightly export",
            vec![],
        );
    }
    let all = s.intents();
    assert_eq!(all.len(), 2);
    let (_, title, i) = &all[1];
    assert_eq!(
        (title.as_str(), i.category.as_ref(), i.priority),
        ("Rewrite the export", "planning", 0.9)
    );
}

#[test]
fn an_event_about_the_matter_is_linked_to_the_intent_and_stands_in_front() {
    use crate::fold::context;
    let mut s = letters();
    s.say(
        from(
            "a",
            30,
            "Wanda Kuhl",
            "Could you send me the drawings of the greenhouse?",
        ),
        "",
        vec![],
    );
    until(&mut s, 60);
    let intent = s.graph.ix(s.intents()[0].0.as_str()).unwrap();
    let about = s.say(
        from(
            "b",
            61,
            "Rui",
            "Found a roll of greenhouse drawings under the stairs of the mill",
        ),
        "",
        vec![],
    );
    let other = s.say(from("c", 62, "Rui", "Swept the stairs of the mill"), "", vec![]);
    assert!(s.graph.edge(about, intent, EdgeKind::Triggers).is_some());
    assert!(s.graph.edge(other, intent, EdgeKind::Triggers).is_none());
    let view = s.graph.publish();
    let window = context::assemble(&view, s.now, 40, &context::Settings::default());
    let front: Vec<_> = window.immediate.iter().map(|n| n.ix).collect();
    assert!(front.contains(&intent) && front.contains(&about), "{front:?}");
    s.say(
        from("d", 63, "Nuno", "Sent the greenhouse drawings to Wanda"),
        "",
        vec![],
    );
    assert_eq!(s.intents()[0].2.status, IntentStatus::Resolved);
}
