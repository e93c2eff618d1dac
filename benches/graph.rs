//! What one event costs the graph, by size of the graph: it should not grow with it.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gyrus::event::{Event, TimeMark, Ts};
use gyrus::graph::*;

fn at(n: usize) -> Ts {
    Ts(n as i64 * 1_000)
}

fn event_id(n: usize) -> NodeId {
    NodeId::of_event("s", "bench", &n.to_string())
}

fn concept_id(k: usize) -> NodeId {
    NodeId(format!("c-{k}").into())
}

fn event(n: usize) -> Arc<Event> {
    Arc::new(Event {
        space: "s".into(),
        source: "bench".into(),
        id: n.to_string(),
        time: at(n),
        time_mark: TimeMark::Given,
        received: at(n),
        kind: None,
        actor: None,
        title: None,
        text: format!("reading {n}"),
        data: None,
        extra: Default::default(),
    })
}

fn plan(n: usize, ops: Vec<Op>) -> Plan {
    Plan {
        by: Author::Fold,
        reasoning: "bench".into(),
        grounded_in: vec![event_id(n)],
        ops,
    }
}

fn edge(source: NodeId, target: NodeId, kind: EdgeKind) -> Op {
    Op::AddEdge {
        source,
        target,
        kind,
        weight: None,
        inferred: false,
    }
}

/// Event n joins its concept and follows from event n - 7. A tenth of all events lands in concept 0, a hub.
fn step(g: &mut Graph, n: usize, concepts: usize) {
    g.add_event(event(n), at(n)).expect("a new event");
    let k = if n.is_multiple_of(10) { 0 } else { n % concepts };
    let mut ops = Vec::new();
    if g.resolve(concept_id(k).as_str()) == Resolved::Unknown {
        let body = Body::Concept(Concept::default());
        // Numbers keep the titles apart.
        let title = format!("subject {k}").into();
        ops.push(Op::AddNode(NewNode {
            id: concept_id(k),
            title,
            text: "".into(),
            time: at(n),
            body,
        }));
    }
    ops.push(edge(event_id(n), concept_id(k), EdgeKind::Grounds));
    if n >= 7 {
        ops.push(edge(event_id(n - 7), event_id(n), EdgeKind::Causes));
    }
    g.apply(&plan(n, ops), at(n)).expect("a plan that holds");
}

fn build(n: usize) -> Graph {
    let mut g = Graph::new("s".into(), Settings::default());
    for k in 0..n {
        step(&mut g, k, n / 20);
        if k % 32 == 0 {
            let _ = g.publish();
        }
    }
    let _ = g.publish();
    let _ = g.take_dirty();
    g
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("graph");
    for n in [2_000, 20_000] {
        let mut g = build(n);
        let mut next = n;
        group.bench_function(BenchmarkId::new("event and plan", n), |b| {
            b.iter(|| {
                step(&mut g, next, n / 20);
                next += 1;
                let _ = g.take_dirty();
            });
        });
        while g.rank_backlog() > 0 {
            let _ = g.publish();
        }
        group.bench_function(BenchmarkId::new("event, plan, rank and publish", n), |b| {
            b.iter(|| {
                step(&mut g, next, n / 20);
                next += 1;
                black_box(g.publish())
            });
        });
        // Always the hub's oldest link: the worst case of a removal.
        let mut oldest = 0;
        group.bench_function(BenchmarkId::new("unlink and link at a hub", n), |b| {
            b.iter(|| {
                let (source, target) = (event_id(oldest), concept_id(0));
                let unlink = Op::RemoveEdge {
                    source: source.clone(),
                    target: target.clone(),
                    kind: EdgeKind::Grounds,
                };
                let link = edge(source, target, EdgeKind::Grounds);
                g.apply(&plan(0, vec![unlink, link]), at(next))
                    .expect("a plan that holds");
                oldest = (oldest + 10) % n;
            });
        });
        group.bench_function(BenchmarkId::new("digest", n), |b| {
            b.iter(|| black_box(g.digest()))
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = bench
}
criterion_main!(benches);
