//! Tests of the window.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::event::{Event, TimeMark};
use crate::graph::{
    Author, Concept, Graph, Intent, IntentStatus, NewNode, NodeId, NodePatch, Op, Plan, TimeAnchor,
};
use crate::text::Granularity;

fn hours(h: i64) -> Ts {
    Ts(1_700_000_000_000 + h * Ts::HOUR)
}

fn event_id(n: i64) -> NodeId {
    NodeId::of_event("s", "test", &n.to_string())
}

/// A graph with events 0 to n - 1, one an hour, made at their own times.
fn with_events(n: i64) -> Graph {
    let mut g = Graph::new("s".into(), Default::default());
    for k in 0..n {
        let event = Event {
            space: "s".into(),
            source: "test".into(),
            id: k.to_string(),
            time: hours(k),
            time_mark: TimeMark::Given,
            received: hours(k),
            kind: None,
            actor: None,
            title: None,
            text: format!("reading {k}"),
            data: None,
            extra: Default::default(),
        };
        g.add_event(Arc::new(event), hours(k)).unwrap();
    }
    g
}

fn apply(g: &mut Graph, now: Ts, ops: Vec<Op>) {
    let plan = Plan {
        by: Author::Fold,
        reasoning: "test".into(),
        grounded_in: vec![event_id(0)],
        ops,
    };
    g.apply(&plan, now).unwrap();
}

fn add(name: &str, body: Body) -> Op {
    Op::AddNode(NewNode {
        id: NodeId(name.into()),
        title: name.into(),
        text: "".into(),
        time: hours(0),
        body,
    })
}

fn concept(name: &str) -> Op {
    add(name, Body::Concept(Concept::default()))
}

fn intent(name: &str, deadline: Option<Ts>) -> Op {
    let intent = Intent {
        category: "repair".into(),
        trigger: "deadline".into(),
        status: IntentStatus::Pending,
        seq: 1,
        urgency: 0.0,
        priority: 0.5,
        density: 1.0,
        threshold: 0.5,
        concepts: Vec::new(),
        evidence: Vec::new(),
        deadline,
        reason: "".into(),
        emitted_at: hours(0),
        updated_at: hours(0),
        deferred_until: None,
    };
    add(name, Body::Intent(Box::new(intent)))
}

fn link(source: NodeId, kind: EdgeKind, target: &str) -> Op {
    Op::AddEdge {
        source,
        target: NodeId(target.into()),
        kind,
        weight: None,
        inferred: false,
    }
}

fn score(w: &Window, ix: NodeIx) -> f32 {
    let all = w.immediate.iter().chain(&w.working).chain(&w.background);
    all.filter(|s| s.ix == ix)
        .map(|s| s.score)
        .next()
        .expect("in the window")
}

#[test]
fn an_empty_graph_and_an_empty_window() {
    let mut g = with_events(0);
    assert!(assemble(&g.publish(), hours(0), 100, &Settings::default()).is_empty());
    let mut g = with_events(3);
    assert!(assemble(&g.publish(), hours(3), 0, &Settings::default()).is_empty());
    assert_eq!(assemble(&g.publish(), hours(3), 1, &Settings::default()).len(), 1);
}

#[test]
fn tiers_keep_their_shares_and_no_node_stands_twice() {
    let mut g = with_events(300);
    apply(&mut g, hours(300), vec![concept("c-a"), concept("c-b")]);
    for n in 0..300 {
        let to = if n % 3 == 0 { "c-a" } else { "c-b" };
        apply(&mut g, hours(300), vec![link(event_id(n), EdgeKind::Grounds, to)]);
    }
    let w = assemble(&g.publish(), hours(301), 100, &Settings::default());
    assert_eq!(
        (w.immediate.len(), w.working.len(), w.background.len()),
        (10, 30, 50)
    );
    let all: BTreeSet<NodeIx> = [&w.immediate, &w.working, &w.background]
        .into_iter()
        .flatten()
        .map(|s| s.ix)
        .collect();
    assert_eq!(all.len(), 90);
    // The two concepts were touched last and hold the graph together.
    let front: Vec<NodeIx> = w.immediate.iter().take(2).map(|s| s.ix).collect();
    assert_eq!(front, vec![g.ix("c-b").unwrap(), g.ix("c-a").unwrap()]);
    assert!(w.immediate[2].ix == NodeIx(299));
    let many = assemble(
        &g.publish(),
        hours(301),
        usize::MAX,
        &Settings {
            max_nodes: 50,
            ..Settings::default()
        },
    );
    assert!(many.len() <= 50);
}

#[test]
fn open_intents_come_first_with_the_events_that_agree() {
    let mut g = with_events(300);
    let ops = vec![
        concept("c-old"),
        intent("i-old", None),
        link(event_id(1), EdgeKind::Grounds, "c-old"),
        link(event_id(2), EdgeKind::Grounds, "c-old"),
        link(NodeId("c-old".into()), EdgeKind::Triggers, "i-old"),
        link(event_id(5), EdgeKind::Triggers, "i-old"),
    ];
    apply(&mut g, hours(10), ops);
    let w = assemble(&g.publish(), hours(300), 40, &Settings::default());
    let front: Vec<NodeIx> = w.immediate.iter().take(4).map(|s| s.ix).collect();
    assert_eq!(
        front,
        vec![g.ix("i-old").unwrap(), NodeIx(5), NodeIx(2), NodeIx(1)]
    );

    let done = |g: &mut Graph, status| {
        let Some(Body::Intent(i)) = g.node(g.ix("i-old").unwrap()).map(|n| n.body.clone()) else {
            panic!()
        };
        let body = Some(Body::Intent(Box::new(Intent { status, ..*i })));
        apply(
            g,
            hours(11),
            vec![Op::UpdateNode {
                id: NodeId("i-old".into()),
                patch: NodePatch {
                    body,
                    ..NodePatch::default()
                },
            }],
        );
    };
    done(&mut g, IntentStatus::Resolved);
    let w = assemble(&g.publish(), hours(300), 40, &Settings::default());
    assert_eq!(w.immediate[0].ix, NodeIx(299));
}

#[test]
fn urgency_doubles_towards_a_deadline_and_ends_with_it() {
    let mut g = with_events(1);
    let anchor = TimeAnchor {
        start: hours(90),
        end: hours(100),
        granularity: Granularity::Day,
        deadline: true,
    };
    let ops = vec![
        intent("i-plain", None),
        intent("i-anchored", None),
        intent("i-own", Some(hours(100))),
        add("t-end", Body::Time(anchor)),
        link(NodeId("t-end".into()), EdgeKind::DeadlineFor, "i-anchored"),
    ];
    apply(&mut g, hours(0), ops);
    let view = g.publish();
    let settings = Settings {
        alpha: 0.0,
        ..Settings::default()
    };
    let factor = |now: Ts, name: &str| {
        let w = assemble(&view, now, 100, &settings);
        score(&w, view.ix(name).unwrap()) / score(&w, view.ix("i-plain").unwrap())
    };
    for name in ["i-anchored", "i-own"] {
        for (hour, want) in [(50, 1.0), (76, 1.0), (88, 1.5), (100, 2.0), (101, 1.0)] {
            assert!(
                (factor(hours(hour), name) - want).abs() < 1e-3,
                "{name} at {hour}"
            );
        }
    }
}

#[test]
fn archived_nodes_and_those_under_the_floor_stay_out() {
    let mut g = with_events(20);
    let patch = NodePatch {
        archived: Some(true),
        ..NodePatch::default()
    };
    apply(
        &mut g,
        hours(20),
        vec![Op::UpdateNode {
            id: event_id(19),
            patch,
        }],
    );
    let w = assemble(&g.publish(), hours(20), 100, &Settings::default());
    assert_eq!(w.immediate[0].ix, NodeIx(18));
    assert_eq!(w.len(), 19);
    let strict = Settings {
        alpha: 0.0,
        gamma: 0.0,
        floor: 0.39,
        ..Settings::default()
    };
    // .4 exp(-.01 h) >= .39 for the last 2.5 hours.
    let w = assemble(&g.publish(), hours(20), 100, &strict);
    assert_eq!(w.len(), 1);
}

#[test]
fn the_background_spreads_over_concepts() {
    let mut pool = Vec::new();
    for n in 0..10u32 {
        let group = NodeIx(if n < 8 { 100 } else { 101 });
        let rank = 0.5 - n as f32 * 0.001;
        pool.push(Parts {
            ix: NodeIx(n),
            rank,
            recency: 0.0,
            urgency: 0.0,
            kind: 0.0,
            score: 0.0,
            group,
        });
    }
    let taken: Vec<u32> = take_diverse(pool, 4).iter().map(|s| s.ix.0).collect();
    assert_eq!(taken, vec![0, 8, 1, 9]);
}
