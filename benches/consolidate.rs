//! What one pass costs, by number of concepts: it should grow with what changed, not with what is there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use gyrus::consolidate::{ConceptVectors, Consolidator, Settings};
use gyrus::event::Ts;
use gyrus::graph::*;
use gyrus::state::StateRecord;

mod stream;

/// Events of a concept.
const MEMBERS: usize = 3;
/// Concepts that changed since the last pass.
const CHANGED: usize = 50;
const DIM: usize = 64;
const NOW: Ts = Ts(1_770_000_000_000);

struct Vectors(BTreeMap<NodeIx, Vec<f32>>);

impl ConceptVectors for Vectors {
    fn vector(&self, concept: NodeIx) -> Option<std::sync::Arc<[f32]>> {
        self.0.get(&concept).map(|v| v.as_slice().into())
    }
}

/// A unit vector; every tenth subject lies close to the one before it, so that merges are looked at.
fn vector(subject: usize) -> Vec<f32> {
    let (base, shift) = if subject % 10 == 9 {
        (subject - 1, 0.2)
    } else {
        (subject, 0.0)
    };
    let mut seed = base as u64 + 1;
    let mut v: Vec<f32> = (0..DIM)
        .map(|_| {
            // Knuth's linear congruential generator.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        })
        .collect();
    v[0] += shift;
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    v.iter_mut().for_each(|x| *x /= length);
    v
}

struct World {
    graph: Graph,
    vectors: Vectors,
    concepts: Vec<NodeIx>,
    settings: Settings,
    records: Vec<StateRecord>,
}

impl World {
    /// A graph in which every concept was seen by a pass already.
    fn of(concepts: usize) -> World {
        let mut graph = Graph::new("bench".into(), Default::default());
        let mut vectors = BTreeMap::new();
        let mut all = Vec::new();
        for s in 0..concepts {
            let ix = concept(&mut graph, s, concepts);
            vectors.insert(ix, vector(s));
            all.push(ix);
        }
        let settings = Settings::default();
        let mut room = Consolidator::new(settings.clone());
        let vectors = Vectors(vectors);
        all.iter().for_each(|&ix| room.note_changed(ix));
        // Plans are left aside: the bench measures planning on a graph that stays as it is.
        for _ in 0..=concepts / settings.max_items {
            room.pass(&graph, &vectors, NOW);
        }
        let records = room.take_records();
        World {
            graph,
            vectors,
            concepts: all,
            settings,
            records,
        }
    }

    /// The room as it was, with some concepts changed.
    fn changed(&self) -> Consolidator {
        let mut room = Consolidator::restore(self.settings.clone(), self.records.iter().cloned());
        self.concepts
            .iter()
            .take(CHANGED)
            .for_each(|&ix| room.note_changed(ix));
        room
    }
}

/// A concept with its events.
fn concept(graph: &mut Graph, subject: usize, subjects: usize) -> NodeIx {
    let events = (0..MEMBERS).map(|m| stream::event(subject + m * subjects, subjects));
    let members: Vec<NodeId> = events
        .map(|event| {
            let ix = graph
                .add_event(Arc::clone(&event), event.time)
                .expect("a new event");
            graph.node(ix).expect("it was added").id.clone()
        })
        .collect();
    let id = NodeId::derive(NodeKind::Concept, "bench", &[&subject.to_string()]);
    let mut ops = vec![Op::AddNode(NewNode {
        id: id.clone(),
        title: format!("{} {}", stream::word(subject, 0), stream::word(subject, 1)).into(),
        text: "".into(),
        time: NOW,
        body: Body::Concept(Concept::default()),
    })];
    ops.extend(members.iter().map(|m| Op::AddEdge {
        source: m.clone(),
        target: id.clone(),
        kind: EdgeKind::Grounds,
        weight: None,
        inferred: false,
    }));
    let plan = Plan {
        by: Author::Fold,
        reasoning: "bench".into(),
        grounded_in: members,
        ops,
    };
    graph.apply(&plan, NOW).expect("a plan that holds");
    match graph.resolve(id.as_str()) {
        Resolved::Live(ix) | Resolved::Merged(ix) => ix,
        other => panic!("the concept is not there: {other:?}"),
    }
}

fn pass(c: &mut Criterion) {
    let mut group = c.benchmark_group("pass over 50 changed concepts of");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for concepts in [300usize, 3_000, 30_000] {
        let world = std::cell::OnceCell::new();
        group.bench_function(BenchmarkId::from_parameter(concepts), |b| {
            let world = world.get_or_init(|| World::of(concepts));
            b.iter_batched(
                || world.changed(),
                |mut room| {
                    let plans = room.pass(&world.graph, &world.vectors, NOW);
                    // Given back, so that dropping it is not measured.
                    (room, plans)
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, pass);
criterion_main!(benches);
