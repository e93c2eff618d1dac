//! Tests of consolidation: merges and their guards, timers, restarts.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::event::{Event, TimeMark};
use crate::graph::{Author, Concept, NewNode, Op};

struct Vectors(BTreeMap<NodeIx, Vec<f32>>);

impl ConceptVectors for Vectors {
    fn vector(&self, concept: NodeIx) -> Option<std::sync::Arc<[f32]>> {
        self.0.get(&concept).map(|v| v.as_slice().into())
    }
}

struct World {
    graph: Graph,
    vectors: Vectors,
    room: Consolidator,
    settings: Settings,
    now: Ts,
    log: Vec<String>,
    stored: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl World {
    fn new(settings: Settings) -> World {
        World {
            graph: Graph::new("s".into(), Default::default()),
            vectors: Vectors(BTreeMap::new()),
            room: Consolidator::new(settings.clone()),
            settings,
            now: Ts(0),
            log: Vec::new(),
            stored: BTreeMap::new(),
        }
    }

    /// A concept with one event for each text.
    fn concept(&mut self, title: &str, texts: &[&str], vector: &[f32]) -> NodeIx {
        let id = NodeId::derive(
            NodeKind::Concept,
            "s",
            &[title, &self.graph.next_ix().to_string()],
        );
        let mut ops = vec![];
        let mut grounded_in = vec![];
        for text in texts {
            let event = Event {
                space: "s".into(),
                source: String::new(),
                id: self.graph.next_ix().to_string(),
                time: self.now,
                time_mark: TimeMark::Given,
                received: self.now,
                kind: None,
                actor: None,
                title: None,
                text: (*text).to_owned(),
                data: None,
                extra: Default::default(),
            };
            let ix = self
                .graph
                .add_event(Arc::new(event), self.now)
                .expect("new event");
            self.room.note_changed(ix);
            self.room.note_event(self.now);
            grounded_in.push(self.graph.node(ix).expect("added").id.clone());
        }
        let body = Body::Concept(Concept::default());
        ops.push(Op::AddNode(NewNode {
            id: id.clone(),
            title: title.into(),
            text: "".into(),
            time: self.now,
            body,
        }));
        for e in &grounded_in {
            let (source, target) = (e.clone(), id.clone());
            ops.push(Op::AddEdge {
                source,
                target,
                kind: EdgeKind::Grounds,
                weight: None,
                inferred: false,
            });
        }
        self.apply(Plan {
            by: Author::Fold,
            reasoning: "test".into(),
            grounded_in,
            ops,
        });
        // A title that is almost that of another concept reinforces that one.
        let ix = match self.graph.resolve(id.as_str()) {
            crate::graph::Resolved::Live(ix) | crate::graph::Resolved::Merged(ix) => ix,
            other => panic!("{other:?}"),
        };
        self.vectors.0.insert(ix, vector.to_vec());
        ix
    }

    fn apply(&mut self, plan: Plan) {
        let done = self
            .graph
            .apply(&plan, self.now)
            .unwrap_or_else(|e| panic!("{e}: {plan:?}"));
        self.room.note_applied(&self.graph, &done);
    }

    fn pass(&mut self) -> Vec<Plan> {
        let plans = self.room.pass(&self.graph, &self.vectors, self.now);
        for plan in plans.clone() {
            self.log.push(format!("{plan:?}"));
            self.apply(plan);
        }
        self.store();
        plans
    }

    fn store(&mut self) {
        for record in self.room.take_records() {
            match record.value {
                Some(v) => self.stored.insert(record.key, v),
                None => self.stored.remove(&record.key),
            };
        }
    }

    fn restart(&mut self) {
        self.store();
        let records: Vec<StateRecord> = self
            .stored
            .iter()
            .map(|(k, v)| StateRecord {
                key: k.clone(),
                value: Some(v.clone()),
            })
            .collect();
        self.room = Consolidator::restore(self.settings.clone(), records);
    }

    fn later(&mut self, hours: f64) {
        self.now = Ts(self.now.0 + (hours * Ts::HOUR as f64) as i64);
    }
}

fn world() -> World {
    World::new(Settings::default())
}

fn merges(plans: &[Plan]) -> usize {
    plans
        .iter()
        .flat_map(|p| &p.ops)
        .filter(|o| matches!(o, Op::MergeNodes { .. }))
        .count()
}

#[test]
fn twins_merge_and_the_larger_stays() {
    let mut w = world();
    let small = w.concept("cold boiler", &["the boiler went cold"], &[1.0, 0.1, 0.0]);
    let large = w.concept(
        "boiler trouble",
        &["boiler cold again", "cold rooms from the boiler"],
        &[1.0, 0.0, 0.0],
    );
    assert_eq!(merges(&w.pass()), 1);
    assert!(w.graph.node(small).is_none());
    assert!(matches!(&w.graph.node(large).expect("kept").body, Body::Concept(c) if c.size == 3));
    assert_eq!(merges(&w.pass()), 0);
}

#[test]
fn use_decides_before_size_who_stays() {
    let mut w = world();
    let used = w.concept("cold boiler", &["the boiler went cold"], &[1.0, 0.1, 0.0]);
    let large = w.concept(
        "boiler trouble",
        &["boiler cold again", "cold rooms from the boiler"],
        &[1.0, 0.0, 0.0],
    );
    let id = w.graph.node(used).expect("there").id.clone();
    let patch = crate::graph::NodePatch {
        accessed: 2,
        ..Default::default()
    };
    w.apply(Plan {
        by: Author::Fold,
        reasoning: "read".into(),
        grounded_in: vec![],
        ops: vec![Op::UpdateNode { id, patch }],
    });
    w.pass();
    assert!(w.graph.node(used).is_some() && w.graph.node(large).is_none());
}

#[test]
fn guards_and_distance_keep_concepts_apart() {
    let mut w = world();
    w.concept("locker code", &["The code of bay 12 is 4417"], &[1.0, 0.0, 0.0]);
    w.concept("locker codes", &["The code of bay 13 is 4471"], &[1.0, 0.0, 0.0]);
    w.concept("window", &["a window"], &[0.0, 1.0, 0.0]);
    assert_eq!(merges(&w.pass()), 0);
}

#[test]
fn a_pass_merges_a_tenth_at_most_and_the_rest_follows() {
    let mut w = world();
    for pair in 0..6 {
        let mut v = vec![0.0; 8];
        v[pair] = 1.0;
        let words = ["kettle", "ladder", "garden", "bottle", "basket", "carpet"];
        w.concept(words[pair], &[&format!("the {} here", words[pair])], &v);
        w.concept(
            &format!("{} thing", words[pair]),
            &[&format!("a {} there", words[pair])],
            &v,
        );
    }
    let each: Vec<usize> = (0..7).map(|_| merges(&w.pass())).collect();
    assert_eq!(each, [1, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn lonely_concepts_get_inferred_neighbours_that_decay_away() {
    let mut w = world();
    let a = w.concept("kettle", &["the kettle"], &[1.0, 0.0, 0.0]);
    let b = w.concept("teapot", &["a pot"], &[0.6, 0.8, 0.0]);
    let c = w.concept("ladder", &["a ladder"], &[0.0, 0.0, 1.0]);
    w.pass();
    let edge = w.graph.edge(a, b, EdgeKind::RelatedTo).expect("linked");
    assert!(edge.inferred && (edge.weight - 0.6).abs() < 1e-5);
    assert_eq!(w.graph.out(c).count(), 0);
    let evidence = w
        .graph
        .incoming(a)
        .filter(|e| e.kind == EdgeKind::Grounds)
        .count();
    w.later(490.0);
    w.pass();
    assert!(
        w.graph.edge(a, b, EdgeKind::RelatedTo).is_some(),
        "ln(.6/.05)/.005 h = 497 h"
    );
    w.later(10.0);
    w.pass();
    assert!(w.graph.edge(a, b, EdgeKind::RelatedTo).is_none());
    assert_eq!(
        w.graph
            .incoming(a)
            .filter(|e| e.kind == EdgeKind::Grounds)
            .count(),
        evidence,
        "evidence stays"
    );
}

#[test]
fn idle_concepts_are_archived_and_come_back() {
    let mut w = world();
    let idle = w.concept("kettle", &["the kettle"], &[1.0, 0.0, 0.0]);
    let pinned = w.concept("ladder", &["a ladder"], &[0.0, 1.0, 0.0]);
    let used = w.concept("garden", &["a garden"], &[0.0, 0.0, 1.0]);
    for (ix, patch) in [
        (
            pinned,
            crate::graph::NodePatch {
                pinned: Some(true),
                ..Default::default()
            },
        ),
        (
            used,
            crate::graph::NodePatch {
                accessed: 3,
                ..Default::default()
            },
        ),
    ] {
        let id = w.graph.node(ix).expect("there").id.clone();
        w.apply(Plan {
            by: Author::Fold,
            reasoning: "x".into(),
            grounded_in: vec![],
            ops: vec![Op::UpdateNode { id, patch }],
        });
    }
    w.pass();
    w.later(167.0);
    w.pass();
    assert!(!w.graph.node(idle).expect("there").archived);
    w.later(2.0);
    w.pass();
    let archived = |w: &World, ix| w.graph.node(ix).expect("there").archived;
    assert!(archived(&w, idle) && !archived(&w, pinned) && !archived(&w, used));
    w.pass();
    assert!(archived(&w, idle), "archiving is no use of the node");
    let id = w.graph.node(idle).expect("there").id.clone();
    let patch = crate::graph::NodePatch {
        accessed: 1,
        ..Default::default()
    };
    w.apply(Plan {
        by: Author::Fold,
        reasoning: "x".into(),
        grounded_in: vec![],
        ops: vec![Op::UpdateNode { id, patch }],
    });
    w.pass();
    assert!(!archived(&w, idle));
}

#[test]
fn a_pass_is_due_by_events_or_by_time() {
    let mut room = Consolidator::new(Settings::default());
    assert!(!room.due(Ts(0), 1000), "nothing happened");
    for _ in 0..49 {
        room.note_event(Ts(0));
    }
    assert!(!room.due(Ts(0), 1000));
    room.note_changed(NodeIx(1));
    assert!(!room.due(Ts(9 * 60_000), 1000) && room.due(Ts(10 * 60_000), 1000));
    room.note_event(Ts(0));
    assert!(room.due(Ts(0), 30) && !room.due(Ts(0), 29));
}

#[test]
fn bounded_passes_finish_the_queue() {
    let mut w = World::new(Settings {
        max_items: 3,
        ..Settings::default()
    });
    let a = w.concept(
        "kettle",
        &["the kettle", "kettle boils", "kettle sings"],
        &[1.0, 0.0],
    );
    let b = w.concept("teapot", &["a pot", "pot pours", "pot waits"], &[0.6, 0.8]);
    for _ in 0..4 {
        w.pass();
    }
    assert!(
        w.graph.edge(a, b, EdgeKind::RelatedTo).is_some()
            || w.graph.edge(b, a, EdgeKind::RelatedTo).is_some()
    );
}

fn play(steps: &[(u8, u8, u8)], cuts: &[usize]) -> (Vec<String>, BTreeMap<Vec<u8>, Vec<u8>>) {
    let mut w = World::new(Settings {
        max_items: 5,
        edge_floor: 0.2,
        ..Settings::default()
    });
    let words = [
        "kettle", "ladder", "garden", "bottle", "basket", "carpet", "pillow",
    ];
    for (n, &(word, spread, hours)) in steps.iter().enumerate() {
        if cuts.contains(&n) {
            w.restart();
        }
        w.later(f64::from(hours));
        let word = usize::from(word) % words.len();
        let mut v = vec![0.2; 8];
        v[word] = 1.0;
        v[(word + usize::from(spread)) % 8] += f32::from(spread) / 4.0;
        let ix = w.concept(
            &format!("{} {}", words[word], "x".repeat(n % 4 + 1)),
            &[&format!("the {} {n}", words[word])],
            &v,
        );
        if spread == 3 {
            let id = w.graph.node(ix).expect("there").id.clone();
            w.apply(Plan {
                by: Author::Fold,
                reasoning: "x".into(),
                grounded_in: vec![],
                ops: vec![Op::RemoveNode { id }],
            });
        }
        if n % 2 == 0 {
            w.pass();
        }
        w.store();
    }
    for _ in 0..20 {
        w.later(30.0);
        w.pass();
    }
    (w.log, w.stored)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn restarts_leave_no_trace(
        steps in proptest::collection::vec((0..7u8, 0..4u8, 0..60u8), 4..40),
        cuts in proptest::collection::vec(0..40usize, 1..4),
    ) {
        let straight = play(&steps, &[]);
        prop_assert_eq!(&straight, &play(&steps, &cuts));
    }
}
