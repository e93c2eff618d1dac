use std::collections::BTreeMap;

use super::*;

fn shape() -> Shape {
    Shape {
        seed: 7,
        concepts: 8,
        spaces: Shape::space_names("s", 3),
        horizon: 4_000,
        drift: false,
        repeats: 0.1,
        noise: 0.2,
        start: "2026-01-05T08:00:00Z".parse().unwrap(),
        gap_s: 60.0,
    }
}

fn made(shape: Shape, n: usize) -> Vec<Planted> {
    Synth::new(shape).take(n).collect()
}

fn text(p: &Planted) -> &str {
    p.event.body["text"].as_str().unwrap()
}

/// Lower-case words of an event's title and text.
fn words_of(p: &Planted) -> BTreeSet<String> {
    let all = format!("{} {}", p.event.body["title"].as_str().unwrap(), text(p));
    all.split(|c: char| !c.is_alphabetic())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[test]
fn the_seed_alone_decides() {
    assert_eq!(made(shape(), 500), made(shape(), 500));
    assert_ne!(made(shape(), 50), made(Shape { seed: 8, ..shape() }, 50));
    let questions = |s: &Synth| s.questions(20);
    let mut synth = Synth::new(shape());
    let before = questions(&synth);
    synth.by_ref().take(100).for_each(drop);
    assert_eq!(
        before,
        questions(&synth),
        "questions do not depend on what was made"
    );
}

#[test]
fn truth_is_what_the_text_shows() {
    let synth = Synth::new(shape());
    let vocabularies: BTreeMap<(String, usize), BTreeSet<String>> = synth
        .spaces
        .iter()
        .flat_map(|s| {
            s.concepts
                .iter()
                .enumerate()
                .map(|(i, c)| ((s.name.clone(), i), c.vocabulary()))
        })
        .collect();
    let all: Vec<Planted> = synth.take(4_000).collect();
    let by_id: BTreeMap<&str, &Planted> = all.iter().map(|p| (p.truth.id.as_str(), p)).collect();
    assert_eq!(by_id.len(), all.len(), "ids are unique");
    let mut kinds = BTreeMap::new();
    for p in &all {
        *kinds.entry(format!("{:?}", p.truth.kind)).or_insert(0) += 1;
        assert_eq!(p.event.body["id"], p.truth.id.as_str());
        assert_eq!(p.event.space, p.truth.space);
        let words = words_of(p);
        let concepts: Vec<&(String, usize)> = vocabularies
            .iter()
            .filter(|(_, v)| !v.is_disjoint(&words))
            .map(|(k, _)| k)
            .collect();
        match p.truth.concept {
            Some(c) => assert_eq!(concepts, [&(p.truth.space.clone(), c)], "{}", text(p)),
            None => assert_eq!(p.truth.kind, Kind::Noise),
        }
        if let Some(of) = &p.truth.of {
            let first = by_id[of.as_str()];
            assert_eq!(
                (&first.truth.space, first.truth.concept),
                (&p.truth.space, p.truth.concept)
            );
            assert!(first.truth.id < p.truth.id);
        }
    }
    let share = |k: &str| f64::from(kinds[k]) / all.len() as f64;
    assert!((share("Exact") + share("Near") - 0.1).abs() < 0.02, "{kinds:?}");
    assert!((share("Noise") - 0.2).abs() < 0.03, "{kinds:?}");
}

#[test]
fn exact_repeats_are_exact_and_near_ones_are_not() {
    let all = made(shape(), 3_000);
    let by_id: BTreeMap<&str, &Planted> = all.iter().map(|p| (p.truth.id.as_str(), p)).collect();
    let (mut exact, mut near, mut same) = (0, 0, 0);
    for p in &all {
        let Some(first) = p.truth.of.as_deref().map(|of| by_id[of]) else {
            continue;
        };
        match p.truth.kind {
            Kind::Exact => {
                exact += 1;
                assert_eq!(text(p), text(first));
            }
            _ => {
                near += 1;
                // A word may be replaced by itself.
                same += usize::from(text(p) == text(first));
                let (a, b) = (words_of(p), words_of(first));
                assert!(
                    a.symmetric_difference(&b).count() <= 6,
                    "{} / {}",
                    text(p),
                    text(first)
                );
            }
        }
    }
    assert!(
        exact > 50 && near > 100 && same * 10 < near,
        "{exact} exact, {near} near, {same} of them the same"
    );
}

#[test]
fn time_moves_on_and_events_are_of_a_real_size() {
    let all = made(
        Shape {
            spaces: Shape::space_names("s", 1),
            ..shape()
        },
        3_000,
    );
    let times: Vec<DateTime<Utc>> = all
        .iter()
        .map(|p| p.event.body["time"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(times.is_sorted_by(|a, b| a < b));
    let days = (times[2_999] - times[0]).num_hours() as f64 / 24.0;
    assert!((1.0..10.0).contains(&days), "{days} days");
    let mean = all.iter().map(|p| p.event.line().len()).sum::<usize>() / all.len();
    assert!((270..=330).contains(&mean), "{mean} bytes an event");
}

#[test]
fn a_drifting_vocabulary_ends_elsewhere() {
    let own = |drift, part: fn(&[Planted]) -> &[Planted]| -> BTreeSet<String> {
        let s = Shape {
            drift,
            concepts: 1,
            noise: 0.0,
            repeats: 0.0,
            spaces: Shape::space_names("s", 1),
            ..shape()
        };
        let synth = Synth::new(s);
        let vocabulary = synth.spaces[0].concepts[0].vocabulary();
        let all: Vec<Planted> = synth.take(4_000).collect();
        part(&all)
            .iter()
            .flat_map(words_of)
            .filter(|w| vocabulary.contains(w))
            .collect()
    };
    type Part = fn(&[Planted]) -> &[Planted];
    let (first, last): (Part, Part) = (|a| &a[..300], |a| &a[3_700..]);
    assert_eq!(own(false, first), own(false, last));
    assert!(own(true, first).is_disjoint(&own(true, last)));
}

#[test]
fn every_event_is_one_that_the_daemon_accepts() {
    let settings = gyrus::event::Settings::default();
    let cx = gyrus::event::DecodeCx::new(gyrus::event::Ts(0), &settings);
    for p in made(shape(), 200) {
        let decoded = gyrus::event::decode_bytes(p.event.line().as_bytes(), &cx)
            .unwrap()
            .remove(0)
            .unwrap();
        assert_eq!(
            (&*decoded.space, decoded.id.as_str()),
            (p.truth.space.as_str(), p.truth.id.as_str())
        );
        assert_eq!(decoded.time_mark, gyrus::event::TimeMark::Given);
        assert!(decoded.extra.is_empty());
    }
}
