//! What distillation costs an event: reading its statements (any thread), filing them (the writer, with a snapshot
//! published every 64 events), and asking.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gyrus::distill::{Distilled, Ledger, Settings};
use gyrus::event::Event;
use gyrus::graph::NodeIx;
use gyrus::text::{Analysis, Lang, Section, analyse, words};

mod stream;

const EVENTS: usize = 20_000;
const BATCH: usize = 64;

/// Events that state more than most: two facts that change each time.
fn events() -> Vec<(Arc<Event>, Analysis)> {
    let of = |n: usize| {
        let mut e = (*stream::event(n, 400)).clone();
        let thing = stream::word(n % 400, 3);
        e.text = format!(
            "The gate code of {thing} is {} now. Birgit is responsible for the {thing}. I moved to the {thing} in May, \
             and the filter of the {thing} costs {} euros.",
            n * 7,
            n % 90
        );
        let analysis = analyse(&e);
        (Arc::new(e), analysis)
    };
    (0..EVENTS).map(of).collect()
}

fn distill(c: &mut Criterion) {
    let events = events();
    let mut group = c.benchmark_group("distill");
    group.throughput(Throughput::Elements(1));
    let mut n = 0;
    group.bench_function("read", |b| {
        b.iter(|| {
            n += 1;
            let (e, a) = &events[n % EVENTS];
            Distilled::of(black_box(e), a)
        });
    });
    let read: Vec<Distilled> = events.iter().map(|(e, a)| Distilled::of(e, a)).collect();
    let stated: usize = read.iter().map(|d| d.triples.len()).sum();
    assert!(stated > 2 * EVENTS, "{stated}");
    let mut ledger = Ledger::new(Settings::default());
    let mut view = ledger.publish();
    let mut ix = 0;
    group.bench_function("file", |b| {
        b.iter(|| {
            let at = ix % EVENTS;
            ledger.add(NodeIx(ix as u32), &events[at].0, read[at].clone());
            ix += 1;
            if ix % BATCH == 0 {
                view = ledger.publish();
            }
        });
    });
    view = ledger.publish();
    let questions: Vec<String> = (0..64)
        .map(|n| format!("What is the gate code of {}?", stream::word(n, 3)))
        .collect();
    let asked: Vec<_> = questions.iter().map(|q| words(q, Section::Text)).collect();
    group.bench_function("ask", |b| {
        b.iter(|| {
            n += 1;
            let q = n % questions.len();
            view.asked(&questions[q], &asked[q], Lang::En, None, true)
        });
    });
    group.finish();
}

criterion_group!(benches, distill);
criterion_main!(benches);
