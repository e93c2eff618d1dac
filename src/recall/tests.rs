//! Questions over small streams, each with an outcome a person would expect.

use super::*;
use crate::event::Event;
use crate::graph::Graph;
use crate::index::Index;
use crate::index::tests::{add, event, models};
use crate::text::count_tokens;

fn view(events: Vec<Event>) -> IndexView {
    let mut index = Index::new(crate::index::Settings::default());
    for (i, e) in events.into_iter().enumerate() {
        add(&mut index, i as u32, e);
    }
    index.publish()
}

fn ask(view: &IndexView, query: Query) -> Recalled {
    let graph = Graph::new("s".into(), Default::default()).publish();
    let snap = Snapshot {
        graph: &graph,
        distill: &Default::default(),
        index: view,
        now: Ts(1_900_000_000_000),
    };
    recall(&snap, &query, &Settings::default(), &models())
}

fn query(text: &str) -> Query {
    Query {
        text: text.into(),
        ..Query::default()
    }
}

fn ids(r: &Recalled) -> Vec<&str> {
    r.items.iter().filter_map(|i| i.event_id.as_deref()).collect()
}

#[test]
fn every_mode_has_a_payload_and_every_pattern_compiles() {
    for mode in Mode::ALL {
        let payload = Payload::of(mode);
        assert_eq!((payload.mode, payload.hash.len()), (mode, 16));
        assert_eq!(Mode::parse(mode.name()), Some(mode));
    }
    mode::classify("what is this, and why?", Signals::default());
    assert!(mode::is_multiple_choice("Which? (a) tea (b) milk") && !mode::is_multiple_choice("Who is Abe?"));
}

#[test]
fn forms_of_questions_choose_their_mode() {
    let of = |q: &str, superseded| {
        let asks_when = crate::text::asks_when(q);
        mode::classify(
            q,
            Signals {
                asks_when,
                superseded,
                ..Signals::default()
            },
        )
        .0
    };
    assert_eq!(
        of("Where does Ola keep the ladder?", false),
        Mode::SingleFactLookup
    );
    assert_eq!(
        of("When did Ola paint the fence?", false),
        Mode::TimeAnchoredLookup
    );
    assert_eq!(
        of("When did Ola paint the fence?", true),
        Mode::TimeAnchoredLookup
    );
    assert_eq!(of("When is the inspection?", true), Mode::LatestVersionResolution);
    assert_eq!(
        of("Who feeds the hens now?", false),
        Mode::LatestVersionResolution
    );
    assert_eq!(
        of("Give me a summary of the roof repair.", false),
        Mode::LongFormSynthesis
    );
    assert_eq!(of("What led to the flood in the cellar?", false), Mode::MultiHop);
    assert_eq!(
        of("Can you recommend a book for Ola?", false),
        Mode::Recommendation
    );
}

#[test]
fn a_short_name_finds_all_its_events() {
    let v = view(vec![
        event("e1", 0, "", "lotte", "ZKV signed the lease."),
        event("e2", 0, "", "lotte", "Ask the ZKV about the bins."),
        event("e3", 0, "", "lotte", "Rain; ZKV cancels."),
        event("e4", 0, "", "lotte", "Tea with a man from ZKV."),
        event("e5", 0, "", "lotte", "The gutter is blocked."),
    ]);
    let r = ask(&v, query("ZKV"));
    assert!(!r.abstain);
    let mut found = ids(&r)[..4].to_vec();
    found.sort_unstable();
    assert_eq!(found, ["e1", "e2", "e3", "e4"]);
}

#[test]
fn values_that_differ_by_a_digit_stay_apart() {
    let v = view(vec![
        event("e1", 0, "", "lotte", "Combination of safe 31 is 9902."),
        event("e2", 0, "", "lotte", "Combination of safe 32 is 9920."),
    ]);
    assert_eq!(ids(&ask(&v, query("combination of safe 31")))[0], "e1");
    assert_eq!(ids(&ask(&v, query("combination of safe 32")))[0], "e2");
}

#[test]
fn japanese_is_found_by_its_words() {
    let v = view(vec![
        event("e1", 0, "", "", "駅の切符は青い鞄の中にある。"),
        event("e2", 9000, "", "", "会議は三時に始まる。"),
    ]);
    for q in ["青い鞄", "切符"] {
        let r = ask(&v, query(q));
        assert_eq!(ids(&r)[0], "e1", "{q}");
        assert!(!r.abstain && r.context.contains("駅の切符は青い鞄の中にある。"));
    }
}

#[test]
fn the_newer_statement_leads_and_the_past_sees_only_the_older() {
    let v = view(vec![
        event("e1", 0, "", "lotte", "I love oysters with lemon."),
        event("e2", 90_000, "", "lotte", "I hate oysters with lemon now."),
    ]);
    let now = ask(&v, query("Do I like oysters?"));
    assert_eq!((ids(&now)[0], now.mode), ("e2", Mode::LatestVersionResolution));
    assert_eq!(now.items[1].lane, Lane::Superseded);
    let then = ask(
        &v,
        Query {
            as_of: Some(Ts(1_900_000_000_000 + 60_000)),
            ..query("Do I like oysters?")
        },
    );
    assert_eq!(ids(&then), ["e1"]);
    assert!(!then.context.contains("hate"));
}

#[test]
fn the_budget_is_exact_and_items_stand_in_the_context() {
    let events = (0..60).map(|i| {
        let text = format!(
            "Barrel {i} of the north cellar holds cider pressed in week {}.",
            i % 7
        );
        event(
            &format!("e{i}"),
            i * 200,
            "",
            if i % 2 == 0 { "ada" } else { "bo" },
            &text,
        )
    });
    let v = view(events.collect());
    for budget in (0..=50).chain([77, 200, 1_300]) {
        let r = ask(
            &v,
            Query {
                budget_tokens: Some(budget),
                ..query("which barrel holds cider of week 3?")
            },
        );
        assert!(r.tokens <= budget, "{} > {budget}", r.tokens);
        assert_eq!(r.tokens, count_tokens(&r.context));
        assert!(
            r.items
                .iter()
                .all(|i| r.context.contains(&i.text) && !i.text.is_empty())
        );
        assert!(r.items.is_sorted_by(|a, b| a.score >= b.score) || r.mode == Mode::LatestVersionResolution);
        assert!(budget < 40 || !r.items.is_empty(), "nothing in {budget} tokens");
    }
}

#[test]
fn a_long_event_is_shown_by_the_passage_that_answers() {
    let filler = "The meeting went on about parking and chairs. ".repeat(400);
    let text = format!("{filler}The vault code is 5518 since Monday. {filler}");
    let v = view(vec![
        event("long", 0, "", "ada", &text),
        event("short", 500, "", "bo", "Chairs are stacked."),
    ]);
    let r = ask(
        &v,
        Query {
            budget_tokens: Some(120),
            ..query("what is the vault code?")
        },
    );
    assert!(r.tokens <= 120 && r.context.contains("5518"), "{}", r.context);
    let shown = r
        .items
        .iter()
        .find(|i| i.event_id.as_deref() == Some("long"))
        .expect("the long event is there");
    assert!(text.contains(&shown.text) && shown.text.len() < text.len());
}

#[test]
fn repeats_do_not_crowd_out_a_fact() {
    let mut events: Vec<Event> = (0..300)
        .map(|i| event(&format!("h{i}"), i, "probe", "", "PULSE_FINE"))
        .collect();
    events.insert(
        150,
        event("fact", 150, "notes", "ada", "The boat is moored at pier nine."),
    );
    let v = view(events);
    let r = ask(
        &v,
        Query {
            budget_tokens: Some(60),
            ..query("where is the boat moored?")
        },
    );
    assert_eq!(ids(&r)[0], "fact");
    assert!(r.items.len() <= 2 && r.trace.repeats > 0);
}

#[test]
fn what_leads_nowhere_abstains_and_says_why() {
    let v = view(vec![event(
        "e1",
        0,
        "",
        "ada",
        "The boat is moored at pier nine.",
    )]);
    let r = ask(&v, query("xylophone sextet?"));
    assert!(r.abstain && r.note.is_some());
    assert_eq!(r.trace.fallbacks, ["widened"]);
    let nothing = ask(&view(Vec::new()), query("where is the boat?"));
    assert!(nothing.abstain && nothing.context.is_empty() && nothing.tokens == 0);
}

#[test]
fn evidence_of_another_speaker_is_no_answer() {
    let mut events = Vec::new();
    for i in 0..12 {
        events.push(event(
            &format!("a{i}"),
            i * 2,
            "talk",
            "Ada",
            "Good to hear from you again today!",
        ));
        events.push(event(
            &format!("b{i}"),
            i * 2 + 1,
            "talk",
            "Bo",
            "Same here, the weather is lovely!",
        ));
    }
    events.push(event(
        "x",
        5_000,
        "talk2",
        "Bo",
        "I adopted a greyhound called Pixel from the shelter.",
    ));
    let v = view(events);
    let asked = ask(&v, query("Which greyhound did Ada adopt from the shelter?"));
    assert!(asked.abstain, "{:?}", asked.note);
    let right = ask(&v, query("Which greyhound did Bo adopt from the shelter?"));
    assert!(!right.abstain);
    assert_eq!(ids(&right)[0], "x");
}

#[test]
fn gates_are_recorded_and_name_what_ran() {
    let v = view(vec![event(
        "e1",
        0,
        "",
        "ada",
        "The pump failed because the seal was worn.",
    )]);
    let r = ask(&v, query("Why did the pump fail and who replaced it?"));
    assert_eq!(r.procedure, Procedure::MultiHop);
    let gate = r
        .trace
        .gates
        .iter()
        .find(|g| g.name == "relation_chain")
        .expect("the gate is recorded");
    assert_eq!(
        (gate.fired, gate.before, gate.after),
        (true, "direct", "multi_hop")
    );
    let fixed = ask(
        &v,
        Query {
            policy: Policy::Direct,
            ..query("Why did the pump fail and who replaced it?")
        },
    );
    assert_eq!(fixed.procedure, Procedure::Direct);
    assert!(fixed.trace.gates.is_empty());
}

#[test]
fn a_large_space_is_scored_in_part_and_finds_the_same() {
    let mut events: Vec<Event> = (0..600)
        .map(|i| {
            event(
                &format!("n{i}"),
                i * 100,
                "log",
                "",
                &format!("routine entry {} about crates and belts", i % 40),
            )
        })
        .collect();
    events.insert(
        333,
        event(
            "needle",
            33_350,
            "log",
            "",
            "The walrus statue was sold to a museum in Tromsø.",
        ),
    );
    let v = view(events);
    let graph = Graph::new("s".into(), Default::default()).publish();
    let snap = Snapshot {
        graph: &graph,
        distill: &Default::default(),
        index: &v,
        now: Ts(0),
    };
    let small = Settings {
        exact_below: 50,
        candidates: 90,
        sample: 30,
        ..Settings::default()
    };
    let r = recall(&snap, &query("who bought the walrus statue?"), &small, &models());
    assert_eq!(ids(&r)[0], "needle");
    assert!(r.trace.scored < 200, "{} scored", r.trace.scored);
}

#[test]
fn the_extractive_answer_is_a_sentence_with_its_source() {
    let v = view(vec![
        event(
            "e1",
            0,
            "",
            "ada",
            "Long day. The boat is moored at pier nine. Soup for dinner.",
        ),
        event("e2", 900, "", "bo", "The train was late."),
    ]);
    let graph = Graph::new("s".into(), Default::default()).publish();
    let snap = Snapshot {
        graph: &graph,
        distill: &Default::default(),
        index: &v,
        now: Ts(0),
    };
    let a = answer(
        &snap,
        &query("where is the boat moored?"),
        &Settings::default(),
        &models(),
    );
    assert_eq!(a.text, "The boat is moored at pier nine.");
    assert_eq!(a.citations[0].event_id.as_deref(), Some("e1"));
    let none = answer(&snap, &query("xylophone?"), &Settings::default(), &models());
    assert!(none.citations.is_empty() && none.text == "No information available");
}

#[test]
fn the_section_of_the_configuration_is_the_default() {
    #[derive(serde::Deserialize)]
    struct File {
        recall: Settings,
    }
    let file: File =
        toml::from_str(include_str!("../../config/sections/recall.toml")).expect("the section parses");
    assert_eq!(file.recall, Settings::default());
}
