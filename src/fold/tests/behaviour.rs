//! What a user of the memory would notice.

use super::world::{World, event, hashed};
use crate::fold::{Executive, Settings};
use crate::graph::{Body, EdgeKind};

/// Two subjects in turn, and an outsider.
pub const LINES: [(&str, &str); 9] = [
    (
        "Boiler pressure low",
        "The boiler in the cellar lost pressure again, the gauge shows almost nothing.",
    ),
    (
        "Choir rehearsal moved",
        "The choir sings in the parish hall now, rehearsal starts later for the tenors.",
    ),
    (
        "Boiler valve replaced",
        "A plumber replaced the valve of the boiler and refilled the pressure vessel.",
    ),
    (
        "Choir tenors missing",
        "Two tenors were missing at choir rehearsal, the altos carried the hymn.",
    ),
    ("Parcel from the cobbler", "Resoled boots arrived by post."),
    (
        "Boiler gauge checked",
        "The boiler gauge holds its pressure after the plumber tightened the valve.",
    ),
    (
        "Choir concert programme",
        "The choir chose a hymn and two rounds for the concert in the parish hall.",
    ),
    (
        "Cellar radiator cold",
        "The radiator by the boiler stayed cold until the pressure came back.",
    ),
    (
        "Altos need scores",
        "Altos and tenors of the choir need new scores before rehearsal.",
    ),
];

pub fn fed() -> World {
    let mut w = World::new(hashed(), Settings::default());
    for (i, (title, text)) in LINES.iter().enumerate() {
        w.feed(event(&format!("e{i}"), i as i64 * 90, title, text));
    }
    w
}

#[test]
fn subjects_become_concepts_with_titles_of_their_own_words() {
    let w = fed();
    let boiler = w.concept_of(crate::graph::NodeIx(0));
    assert!(boiler.is_some());
    let titles: Vec<String> = w.concepts().iter().map(|c| c.title.to_lowercase()).collect();
    assert!(
        titles
            .iter()
            .any(|t| t.contains("boiler") || t.contains("pressure")),
        "{titles:?}"
    );
    for c in w.concepts() {
        assert!(c.title.split_whitespace().count() <= 5, "{}", c.title);
        assert!(!c.provenance.grounded_in.is_empty());
        let Body::Concept(b) = &c.body else {
            panic!("a concept")
        };
        assert!(
            b.size >= 2 && b.keywords.len() <= 8 && !c.text.is_empty(),
            "{c:?}"
        );
    }
}

#[test]
fn every_event_grounds_at_most_one_concept() {
    let w = fed();
    for (ix, n) in w.graph.nodes() {
        if matches!(n.body, Body::Event(_)) {
            let grounds = w.graph.out(ix).filter(|e| e.kind.is_membership()).count();
            assert!(grounds <= 1, "{} has {grounds}", n.title);
        }
    }
}

#[test]
fn a_heartbeat_makes_one_concept_and_little_state() {
    let mut w = World::new(hashed(), Settings::default());
    w.feed(event("a", 0, "Boiler pressure low", "The boiler lost pressure."));
    w.exec.take_records();
    let mut bytes = 0;
    for i in 0..1000 {
        w.feed(event(&format!("h{i}"), i, "", "HEARTBEAT_OK"));
        bytes += w
            .exec
            .take_records()
            .iter()
            .map(|r| r.key.len() + r.value.as_ref().map_or(0, Vec::len))
            .sum::<usize>();
    }
    assert_eq!(w.concepts().len(), 1);
    assert_eq!(w.members(&w.concepts()[0].id.clone()), 1000);
    assert!(bytes / 1000 < 160, "{} bytes an event", bytes / 1000);
}

#[test]
fn values_that_differ_are_no_repeats() {
    let mut w = World::new(hashed(), Settings::default());
    let texts = [
        "Locker code is 4417.",
        "Locker code is 4471.",
        "The valve is open.",
        "The valve is not open.",
    ];
    for (i, t) in texts.iter().enumerate() {
        w.feed(event(&format!("v{i}"), i as i64, "", t));
    }
    let reinforced = w.plans.iter().flat_map(|p| &p.ops).any(|op| {
        matches!(
            op,
            crate::graph::Op::AddEdge {
                kind: EdgeKind::Reinforces,
                ..
            }
        )
    });
    assert!(!reinforced);
}

#[test]
fn erasing_leaves_no_word_and_no_empty_concept() {
    let mut w = fed();
    w.feed(event(
        "x",
        2000,
        "Boiler zeugma",
        "The boiler pressure zeugma stopped the plumber's valve gauge.",
    ));
    let x = w
        .graph
        .ix(crate::graph::NodeId::of_event("s", "", "x").as_str())
        .expect("fed");
    w.erase(x);
    for c in w.concepts() {
        let Body::Concept(b) = &c.body else {
            panic!("a concept")
        };
        let all = format!("{} {} {:?}", c.title, c.text, b.keywords).to_lowercase();
        assert!(!all.contains("zeugma"), "{all}");
    }
    let events: Vec<_> = w
        .graph
        .nodes()
        .filter(|n| matches!(n.1.body, Body::Event(_)))
        .map(|n| n.0)
        .collect();
    for e in events {
        w.erase(e);
        for c in w.concepts() {
            assert!(w.members(&c.id) >= 2, "{}", c.title);
        }
    }
    assert_eq!(w.concepts().len(), 0);
}

#[test]
fn erasing_all_forgets_the_statistics() {
    let mut w = fed();
    let events: Vec<_> = w
        .graph
        .nodes()
        .filter(|n| matches!(n.1.body, Body::Event(_)))
        .map(|n| n.0)
        .collect();
    for e in events {
        w.erase(e);
    }
    let fresh = World::new(hashed(), Settings::default());
    assert_eq!(w.exec.statistics, fresh.exec.statistics);
    assert_eq!(w.exec.live, 0);
    assert_eq!(
        w.exec
            .lexicon
            .holders(crate::fold::features::TermKey::word("boiler")),
        &[] as &[u32]
    );
}

#[test]
fn erasing_the_first_of_a_repeat_passes_its_place_on() {
    let mut w = World::new(hashed(), Settings::default());
    let first = w.feed(event("h0", 0, "", "Backup finished"));
    let second = w.feed(event("h1", 1, "", "Backup finished"));
    let third = w.feed(event("h2", 2, "", "Backup finished"));
    w.erase(first);
    assert_eq!(w.concepts().len(), 1);
    assert_eq!(w.members(&w.concepts()[0].id.clone()), 2);
    w.feed(event("h3", 3, "", "Backup finished"));
    assert_eq!(w.members(&w.concepts()[0].id.clone()), 3);
    w.erase(second);
    w.erase(third);
    assert_eq!(w.concepts().len(), 0, "one event is no pattern");
}

#[test]
fn a_rare_name_links_successive_events() {
    let mut w = World::new(hashed(), Settings::default());
    let a = w.feed(event(
        "a",
        0,
        "Release went out",
        "We shipped build QX-7719 to the customers.",
    ));
    w.feed(event("b", 60, "Lunch", "Soup again."));
    let c = w.feed(event(
        "c",
        120,
        "Login broken",
        "Since QX-7719 nobody can sign in.",
    ));
    assert!(w.graph.edge(a, c, EdgeKind::Causes).is_some());
}

#[test]
fn merged_concepts_go_on_as_one() {
    let mut w = fed();
    let ids: Vec<_> = w.concepts().iter().map(|c| c.id.clone()).collect();
    assert!(ids.len() >= 2, "the stream has two subjects");
    let plan = crate::graph::Plan {
        by: crate::graph::Author::Pass,
        reasoning: "test".into(),
        grounded_in: vec![],
        ops: vec![crate::graph::Op::MergeNodes {
            keep: ids[0].clone(),
            absorb: ids[1].clone(),
        }],
    };
    w.apply(vec![plan]);
    w.exec.merged(&ids[0], &ids[1]);
    assert!(w.exec.concept_vector(&ids[1]).is_none());
    let v = w.exec.concept_vector(&ids[0]).expect("the survivor");
    assert!((v.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-3);
    w.feed(event(
        "n",
        3000,
        "Boiler again",
        "The boiler lost pressure, the gauge is low.",
    ));
}

#[test]
fn the_default_settings_are_those_of_the_configuration() {
    #[derive(serde::Deserialize)]
    struct File {
        fold: Settings,
    }
    let text = include_str!("../../../config/sections/fold.toml");
    let file: File = toml::from_str(text).expect("a readable section");
    assert_eq!(file.fold, Settings::default());
}
