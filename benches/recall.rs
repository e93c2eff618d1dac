//! What a recall costs, by number of events in the space: it should grow with the postings, up to their budget.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gyrus::embed::{Models, built_in};
use gyrus::event::Ts;
use gyrus::graph::{Graph, NodeIx};
use gyrus::index::{Doc, Index, IndexView};
use gyrus::recall::{Query, Settings, Snapshot, recall};
use gyrus::text::analyse;

mod stream;

/// Events that a subject has; more events are more subjects, as in a real memory.
const EVENTS_PER_SUBJECT: usize = 50;

fn view(events: usize, models: &Models) -> IndexView {
    let mut index = Index::new(Default::default());
    for n in 0..events {
        let event = stream::event(n, events / EVENTS_PER_SUBJECT);
        // The index does not read whole-text vectors.
        let doc = Doc::of(&event, &analyse(&event), &[], models);
        index.add(NodeIx(n as u32), &event, doc);
        if n % 512 == 511 {
            index.publish();
        }
    }
    index.publish()
}

fn questions(subjects: usize) -> Vec<Query> {
    (0..8)
        .map(|k| {
            let s = k * 31 % subjects;
            let text = match k % 4 {
                0 => format!("When was the {} checked?", stream::word(s, 1)),
                1 => format!("Who must replace the {}?", stream::word(s, 6)),
                2 => format!("What is the latest on the {} pump?", stream::word(s, 2)),
                _ => "Which invoice was checked, and how many parts are left?".into(),
            };
            Query {
                text,
                ..Query::default()
            }
        })
        .collect()
}

fn by_size(c: &mut Criterion) {
    let (models, settings) = (built_in(), Settings::default());
    let graph = Graph::new("bench".into(), Default::default()).publish();
    let distill = gyrus::distill::DistillView::default();
    let mut group = c.benchmark_group("recall");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for size in [1_000usize, 10_000, 100_000] {
        // Filled when it is measured: a filter that leaves a size out need not wait for it.
        let index = std::cell::OnceCell::new();
        let questions = questions(size / EVENTS_PER_SUBJECT);
        let mut next = 0;
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            let index = index.get_or_init(|| view(size, &models));
            let snap = Snapshot {
                graph: &graph,
                index,
                distill: &distill,
                now: Ts(1_770_000_000_000),
            };
            b.iter(|| {
                next += 1;
                recall(
                    black_box(&snap),
                    &questions[next % questions.len()],
                    &settings,
                    &models,
                )
            });
        });
    }
    group.finish();
}

criterion_group!(benches, by_size);
criterion_main!(benches);
