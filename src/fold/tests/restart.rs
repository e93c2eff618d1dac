//! A restart leaves no trace.

use proptest::prelude::*;

use super::behaviour::LINES;
use super::world::{World, event, hashed};
use crate::event::Event;
use crate::fold::{Executive, Settings};

/// Small bounds, so that a short stream walks through the large-space paths too.
fn small() -> Settings {
    Settings {
        compare_all: 12,
        pass_all: 20,
        pass_active: 14,
        shortlist: 10,
        compared: 6,
        kept: 4,
        sampled: 3,
        period: 4,
        ..Settings::default()
    }
}

fn line(i: usize, pick: usize) -> Event {
    let (title, text) = LINES[pick % LINES.len()];
    let (other, more) = LINES[(pick / LINES.len()) % LINES.len()];
    let mut e = match pick % 5 {
        0 => event(&format!("e{i}"), i as i64, title, text),
        1 => event(&format!("e{i}"), i as i64, other, text),
        _ => event(
            &format!("e{i}"),
            i as i64,
            title,
            &format!("{more} Item {}.", pick % 37),
        ),
    };
    e.kind = Some(["note", "ticket", "chat"][pick % 3].into());
    e.actor = (!pick.is_multiple_of(4)).then(|| ["Ada", "Bo", "Cy"][pick % 3].into());
    e
}

#[derive(Clone, Debug)]
enum Step {
    Feed(usize),
    Erase(usize),
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => (0usize..400).prop_map(Step::Feed),
        1 => (0usize..1000).prop_map(Step::Erase),
        2 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 30..80)
}

fn run(steps: &[Step], restarts: bool) -> World {
    let mut w = World::new(hashed(), small());
    let mut alive = Vec::new();
    for (i, s) in steps.iter().enumerate() {
        match s {
            Step::Feed(pick) => alive.push(w.feed(line(i, *pick))),
            Step::Erase(at) if !alive.is_empty() => {
                let ix = alive.remove(at % alive.len());
                w.erase(ix);
            }
            Step::Restart if restarts => w.restart(),
            _ => {}
        }
    }
    w
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn restored_and_uninterrupted_propose_the_same(steps in steps()) {
        let (straight, restarted) = (run(&steps, false), run(&steps, true));
        prop_assert_eq!(straight.plans.len(), restarted.plans.len());
        for (a, b) in straight.plans.iter().zip(&restarted.plans) {
            prop_assert_eq!(a, b);
        }
        prop_assert_eq!(straight.graph.digest(), restarted.graph.digest());
    }
}

#[test]
fn records_of_one_event_are_small() {
    let mut w = World::new(hashed(), Settings::default());
    let mut last = 0;
    for i in 0..200 {
        w.feed(line(i, i * 7 + i / 9));
        last = w
            .exec
            .take_records()
            .iter()
            .map(|r| r.key.len() + r.value.as_ref().map_or(0, Vec::len))
            .sum();
    }
    assert!(last < 1500, "{last} bytes");
}

#[test]
fn broken_records_start_afresh() {
    let mut w = World::new(hashed(), small());
    for i in 0..10 {
        w.feed(line(i, i));
    }
    let mut records = w.exec.take_records();
    for r in &mut records {
        if let Some(v) = &mut r.value {
            v.truncate(1);
        }
    }
    w.records = records;
    w.exec = crate::fold::RulesExecutive::restore(
        "s".into(),
        hashed(),
        small(),
        w.records.clone(),
        std::iter::empty(),
    );
    w.feed(line(11, 3));
}
