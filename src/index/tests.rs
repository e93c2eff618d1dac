//! What the indexes promise, seen through small streams.

use std::sync::Arc;

use proptest::prelude::*;

use super::rows::NONE;
use super::*;
use crate::embed::{EmbedError, Embedder, EmbedderInfo, Models, WordTable};
use crate::event::{Event, TimeMark, Ts};
use crate::graph::NodeIx;
use crate::text::analyse;

/// A table that knows every ASCII word by its letters: enough to have vectors that differ.
pub(crate) struct Letters;

impl WordTable for Letters {
    fn dim(&self) -> usize {
        26
    }

    fn vector(&self, lower: &str, out: &mut [f32]) -> bool {
        for b in lower.bytes().filter(u8::is_ascii_lowercase) {
            out[usize::from(b - b'a')] += 1.0;
        }
        out.iter().any(|x| *x != 0.0)
    }

    fn knows(&self, lower: &str) -> bool {
        // Words with an x are unknown, so that tests can ask for what leads nowhere.
        lower.bytes().all(|b| b.is_ascii_lowercase() && b != b'x')
    }
}

impl Embedder for Letters {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            name: "letters".into(),
            dim: 26,
            degraded: true,
        }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|_| vec![0.0; 26]).collect())
    }
}

pub(crate) fn models() -> Models {
    Models {
        embedder: Arc::new(Letters),
        words: Arc::new(Letters),
    }
}

pub(crate) fn event(id: &str, minute: i64, source: &str, actor: &str, text: &str) -> Event {
    Event {
        space: "s".into(),
        source: source.into(),
        id: id.into(),
        time: Ts(1_900_000_000_000 + minute * 60_000),
        time_mark: TimeMark::Given,
        received: Ts(0),
        kind: None,
        actor: (!actor.is_empty()).then(|| actor.into()),
        title: None,
        text: text.into(),
        data: None,
        extra: Default::default(),
    }
}

pub(crate) fn add(index: &mut Index, ix: u32, event: Event) {
    let event = Arc::new(event);
    let doc = Doc::of(&event, &analyse(&event), &[], &models());
    index.add(NodeIx(ix), &event, doc);
}

fn episodes_of(view: &IndexView, n: u32) -> Vec<u32> {
    (0..n).map(|p| view.row(p).map_or(NONE, |r| r.episode)).collect()
}

#[test]
fn postings_survive_merges_of_segments() {
    let mut index = Index::new(Settings::default());
    for i in 0..37 {
        add(
            &mut index,
            i,
            event(
                &format!("e{i}"),
                i64::from(i) * 100,
                "a",
                "",
                &format!("heron number{} pond", i % 5),
            ),
        );
        index.publish();
    }
    let view = index.publish();
    let found: Vec<u32> = view.term("heron").iter().map(|p| p.0).collect();
    assert_eq!(found, (0..37).collect::<Vec<_>>());
    assert_eq!(
        view.term("number3").iter().map(|p| p.0).collect::<Vec<_>>(),
        [3, 8, 13, 18, 23, 28, 33]
    );
    assert_eq!(view.term("number3").get(13), Some(1.0));
    assert_eq!(view.term("number3").get(14), None);
    assert!(
        view.segments().len() <= 6,
        "37 publishes leave {} segments",
        view.segments().len()
    );
}

#[test]
fn an_older_view_does_not_change() {
    let mut index = Index::new(Settings::default());
    add(&mut index, 0, event("a", 0, "x", "ines", "the kiln is warm"));
    let before = index.publish();
    add(&mut index, 1, event("b", 1, "x", "ines", "the kiln is cold"));
    let after = index.publish();
    assert_eq!(
        (
            before.len(),
            before.term("kiln").len(),
            before.row(0).map(|r| r.next)
        ),
        (1, 1, Some(NONE))
    );
    assert_eq!(
        (
            after.len(),
            after.term("kiln").len(),
            after.row(0).map(|r| r.next)
        ),
        (2, 2, Some(1))
    );
}

#[test]
fn interleaved_sources_keep_their_own_neighbours() {
    let mut index = Index::new(Settings::default());
    for i in 0..6u32 {
        add(
            &mut index,
            i,
            event(
                &format!("e{i}"),
                i64::from(i),
                if i % 2 == 0 { "even" } else { "odd" },
                "",
                "word",
            ),
        );
    }
    let view = index.publish();
    assert_eq!(view.episode_count(), 2);
    assert_eq!(view.around(2), [0, 4, NONE, NONE]);
    assert_eq!(view.around(3), [1, 5, NONE, NONE]);
}

#[test]
fn a_late_event_bridges_two_episodes_and_its_erasure_parts_them_again() {
    let mut index = Index::new(Settings::default());
    for (i, minute) in [0, 1, 80, 81, 82].into_iter().enumerate() {
        add(
            &mut index,
            i as u32,
            event(&format!("e{i}"), minute, "a", "", "word"),
        );
    }
    assert_eq!(index.publish().episode_count(), 2);
    add(&mut index, 9, event("late", 40, "a", "", "word"));
    let joined = index.publish();
    assert_eq!(joined.episode_count(), 1);
    assert_eq!(joined.around(5), [1, 2, 0, 3]);
    index.erase(NodeIx(9));
    let parted = index.publish();
    assert_eq!(parted.episode_count(), 2);
    let e = episodes_of(&parted, 5);
    assert!(e[0] == e[1] && e[2] == e[3] && e[3] == e[4] && e[1] != e[2]);
}

#[test]
fn nothing_of_an_erased_event_stays() {
    let mut index = Index::new(Settings::default());
    add(&mut index, 0, event("a", 0, "x", "ines", "Lunch at noon."));
    add(
        &mut index,
        1,
        event("b", 1, "x", "zebedee", "The spare key Q-77 hangs under the fern."),
    );
    add(&mut index, 2, event("c", 2, "x", "ines", "Dinner at eight."));
    index.publish();
    index.erase(NodeIx(1));
    let view = index.publish();
    assert_eq!(view.len(), 2);
    for term in ["fern", "spare", "key"] {
        assert!(view.term(term).is_empty(), "{term} is still indexed");
    }
    assert!(view.entity("q-77").is_empty());
    assert!(view.actors().called("zebedee", 9).is_empty());
    let named = |s: &str| {
        view.segments()
            .iter()
            .any(|x| x.terms.names().iter().any(|n| n.contains(s)))
    };
    assert!(!named("fern") && named("dinner"));
    assert!(view.words().iter().flatten().all(|w| !w.stem.contains("fern")));
    assert!(view.row(1).is_some_and(|r| r.entry.is_none()));
    assert_eq!(view.around(0)[1], 2, "its neighbours became neighbours");
}

#[test]
fn erasing_before_the_first_publish_works_too() {
    let mut index = Index::new(Settings::default());
    add(&mut index, 0, event("a", 0, "x", "", "alpha"));
    add(&mut index, 1, event("b", 1, "x", "", "beta"));
    index.erase(NodeIx(0));
    let view = index.publish();
    assert!(view.term("alpha").is_empty());
    assert_eq!(view.term("beta").iter().map(|p| p.0).collect::<Vec<_>>(), [1]);
}

#[test]
fn the_neighbour_graph_agrees_with_the_exact_scan() {
    let mut index = Index::new(Settings::default());
    let mut state = 7u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 33) as u8 % 26)
    };
    for i in 0..400u32 {
        let word: String = (0..9).map(|_| letter()).collect();
        add(
            &mut index,
            i,
            event(&format!("e{i}"), i64::from(i), "a", "", &word),
        );
    }
    let exact = index.publish();
    let ann = build_ann(&exact, &Settings::default());
    let view = exact.clone().with_ann(ann.clone());
    let query = exact
        .row(17)
        .and_then(|r| r.entry.as_ref())
        .map(|e| e.vector.clone())
        .expect("row 17 is there");
    let (a, b) = (exact.nearest(&query, 10), view.nearest(&query, 10));
    let common = a.iter().filter(|p| b.contains(p)).count();
    assert_eq!(a[0], 17);
    assert!(common >= 9, "{a:?} {b:?}");
    assert!(index.set_ann(ann.clone()));
    index.erase(NodeIx(17));
    assert!(!index.set_ann(ann), "a graph with an erased event is refused");
    assert!(!index.publish().nearest(&query, 10).contains(&17));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the processor offers, a dot product of quantised vectors is the plain sum.
    #[test]
    fn dot_products_are_exact(pairs in proptest::collection::vec((-127i8..=127, -127i8..=127), 0..300)) {
        let (a, b): (Vec<i8>, Vec<i8>) = pairs.iter().copied().unzip();
        let plain: i32 = pairs.iter().map(|(x, y)| i32::from(*x) * i32::from(*y)).sum();
        prop_assert_eq!(crate::embed::dot_i8(&a, &b), plain);
    }

    /// Links, episodes and sums after any order of arrival and any erasures are those of the events that are left.
    #[test]
    fn episodes_are_a_function_of_what_is_there(
        minutes in proptest::collection::vec((0i64..300, 0u8..2), 1..40),
        erased in proptest::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let mut index = Index::new(Settings::default());
        for (i, (m, s)) in minutes.iter().enumerate() {
            add(&mut index, i as u32, event(&format!("e{i}"), *m, if *s == 0 { "a" } else { "b" }, "", "one two words"));
        }
        for e in &erased {
            index.erase(NodeIx(e.index(minutes.len()) as u32));
        }
        let view = index.publish();
        let gone: Vec<usize> = erased.iter().map(|e| e.index(minutes.len())).collect();
        let (mut episodes, mut windows) = (0, 0.0f64);
        for source in 0..2u8 {
            let mut order: Vec<(i64, usize)> = minutes.iter().enumerate()
                .filter(|(i, m)| m.1 == source && !gone.contains(i)).map(|(i, m)| (m.0, i)).collect();
            order.sort_unstable();
            for (k, (m, i)) in order.iter().enumerate() {
                let before = k.checked_sub(1).map(|k| order[k]).filter(|b| m - b.0 <= 45);
                let row = view.row(*i as u32).expect("a row for every event");
                prop_assert_eq!(row.prev, before.map_or(NONE, |b| b.1 as u32));
                match before {
                    Some(b) => prop_assert_eq!(row.episode, view.row(b.1 as u32).map_or(NONE, |r| r.episode)),
                    None => episodes += 1,
                }
                windows += f64::from(view.window_length(*i as u32));
            }
        }
        prop_assert_eq!(view.episode_count(), episodes);
        let live = view.len().max(1) as f64;
        prop_assert!((f64::from(view.mean_window_length()) - (windows / live).max(1e-9)).abs() < 1e-3);
    }
}
