//! Cost of folding one event into a space of 1,000, 10,000 and 50,000 events.

use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use gyrus::embed::{Hashed, Models};
use gyrus::event::{Event, TimeMark, Ts};
use gyrus::fold::{Executive, Features, Item, RulesExecutive, Settings};
use gyrus::graph::Graph;
use gyrus::text::analyse;

/// A fixed sequence of numbers.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// A made-up word, the same for the same number.
    fn word(n: u64) -> String {
        let syllable = |i: u64| {
            ["ka", "lo", "mi", "ne", "ru", "sta", "ve", "zo", "bri", "tan"]
                [(n / 10u64.pow(i as u32) % 10) as usize]
        };
        (0..4).map(syllable).collect()
    }
}

struct Space {
    graph: Graph,
    exec: RulesExecutive,
    models: Models,
    dice: Dice,
    fed: u64,
}

impl Space {
    fn of(events: u64) -> Self {
        let models = Models {
            embedder: Arc::new(Hashed),
            words: Arc::new(Hashed),
        };
        let mut s = Self {
            graph: Graph::new("s".into(), Default::default()),
            exec: RulesExecutive::new("s".into(), models.clone(), Settings::default()),
            models,
            dice: Dice(7),
            fed: 0,
        };
        for _ in 0..events {
            let (e, f) = s.event();
            s.fold(e, f);
        }
        s
    }

    fn event(&mut self) -> (Arc<Event>, Arc<Features>) {
        let topic = self.dice.next(1 + self.fed / 20);
        let words: Vec<String> = (0..18)
            .map(|_| match self.dice.next(10) {
                0..4 => Dice::word((topic * 31 + self.dice.next(14) * 7) % 10_000),
                _ => Dice::word(self.dice.next(10_000)),
            })
            .collect();
        self.fed += 1;
        let time = Ts(1_770_000_000_000 + self.fed as i64 * 60_000);
        let text = words.join(" ");
        let dense =
            gyrus::embed::Embedder::embed(&Hashed, &[&text]).expect("the hashed stand-in never fails");
        let event = Event {
            space: "s".into(),
            source: String::new(),
            id: format!("e{}", self.fed),
            time,
            time_mark: TimeMark::Given,
            received: time,
            kind: Some("note".into()),
            actor: Some(format!("a{}", topic % 40)),
            title: None,
            text,
            data: None,
            extra: Default::default(),
        };
        let features = Features::of(&event, &analyse(&event), &dense[0], &self.models);
        (Arc::new(event), Arc::new(features))
    }

    fn fold(&mut self, event: Arc<Event>, features: Arc<Features>) {
        let now = event.time;
        let ix = self.graph.add_event(event.clone(), now).expect("a new event");
        let id = self.graph.node(ix).expect("just added").id.clone();
        let mut plans = self.exec.observe(
            &self.graph,
            now,
            Item {
                ix,
                id: &id,
                event: &event,
                features,
            },
        );
        for p in plans.drain(..) {
            self.graph.apply(&p, now).expect("a plan that fits the graph");
        }
        for p in self.exec.pass(&self.graph, now) {
            self.graph.apply(&p, now).expect("a plan that fits the graph");
        }
    }
}

fn fold(c: &mut Criterion) {
    let mut group = c.benchmark_group("fold");
    group.sample_size(20);
    for events in [1_000, 10_000, 50_000] {
        let mut space = Space::of(events);
        let prepared: Vec<_> = (0..4_000).map(|_| space.event()).collect();
        let mut left = prepared.into_iter();
        group.bench_function(format!("one event among {events}"), |b| {
            b.iter_batched(
                || left.next(),
                |next| {
                    if let Some((e, f)) = next {
                        space.fold(e, f);
                    }
                },
                BatchSize::NumIterations(100),
            );
        });
    }
    group.finish();
}

criterion_group!(benches, fold);
criterion_main!(benches);
