//! Quality on labelled streams, when their folder is given. Not run by default: the streams are
//! not part of the project.
//!
//! `GYRUS_SCENARIOS=DIR cargo test --lib fold::tests::scenarios -- --ignored --nocapture`; with
//! `GYRUS_VERBOSE=1` the concepts, and what the pairs look like.

use std::collections::BTreeMap;

use serde_json::Value;

use super::world::World;
use crate::event::{Event, TimeMark, Ts};
use crate::fold::Settings;
use crate::graph::{NodeId, NodeIx};

fn read(v: &Value, typed: bool, prefix: &str) -> Event {
    let text = |k: &str| v.get(k).and_then(Value::as_str).map(str::to_owned);
    let time = chrono::DateTime::parse_from_rfc3339(v["time"].as_str().expect("time")).expect("RFC 3339");
    let time = Ts(time.timestamp_millis());
    Event {
        space: "s".into(),
        source: "scenario".into(),
        id: format!("{prefix}{}", text("id").expect("id")),
        time,
        time_mark: TimeMark::Given,
        received: time,
        kind: text("type").filter(|_| typed),
        actor: text("actor").filter(|_| typed),
        title: text("title"),
        text: text("text").expect("text"),
        data: None,
        extra: Default::default(),
    }
}

struct Score {
    b3: f32,
    noise: f32,
    concepts: usize,
}

fn score(w: &World, events: &[(NodeIx, Option<String>)]) -> Score {
    let alone = |ix: &NodeIx| NodeId(format!("{}", ix.0).into());
    let found: Vec<NodeId> = events
        .iter()
        .map(|(ix, _)| w.concept_of(*ix).unwrap_or_else(|| alone(ix)))
        .collect();
    let labelled: Vec<usize> = (0..events.len()).filter(|i| events[*i].1.is_some()).collect();
    let (mut p, mut r) = (0.0, 0.0);
    for &a in &labelled {
        let together = labelled.iter().filter(|&&b| found[a] == found[b]).count();
        let gold = labelled.iter().filter(|&&b| events[a].1 == events[b].1).count();
        let both = labelled
            .iter()
            .filter(|&&b| found[a] == found[b] && events[a].1 == events[b].1)
            .count();
        p += both as f32 / together as f32;
        r += both as f32 / gold as f32;
    }
    let n = labelled.len() as f32;
    let (p, r) = (p / n, r / n);
    let noise: Vec<bool> = (0..events.len())
        .filter(|i| events[*i].1.is_none())
        .map(|i| w.members(&found[i]) < 3)
        .collect();
    Score {
        b3: 2.0 * p * r / (p + r),
        noise: noise.iter().filter(|x| **x).count() as f32 / noise.len().max(1) as f32,
        concepts: w.concepts().len(),
    }
}

/// Mean raw features and content logit of the compared pairs, of one gold concept and of two.
fn pairs(w: &World, events: &[(NodeIx, Option<String>)]) {
    let gold: BTreeMap<u32, &Option<String>> = events.iter().map(|(ix, g)| (ix.0, g)).collect();
    for same in [true, false] {
        let (mut n, mut raw, mut logit, mut square) = (0f32, [0f32; 5], 0f32, 0f32);
        for slot in w.exec.slots.iter().flatten() {
            for l in &slot.links {
                let Some(other) = w.exec.slot(l.earlier) else {
                    continue;
                };
                let (a, b) = (gold[&slot.node.0], gold[&other.node.0]);
                if a.is_some() && (a == b) == same {
                    n += 1.0;
                    let x = w.exec.content.of(&l.raw);
                    logit += x;
                    square += x * x;
                    (0..5).for_each(|f| raw[f] += f32::from(l.raw[f]) / 8_000.0);
                }
            }
        }
        let mean = logit / n;
        println!(
            "   same {same}: {n} pairs, features {:.3?}, logit {mean:.2} +- {:.2}",
            raw.map(|x| x / n),
            (square / n - mean * mean).sqrt()
        );
    }
}

fn settings() -> Settings {
    match std::env::var("GYRUS_FOLD") {
        Ok(text) => toml::from_str(&text).expect("settings as TOML"),
        Err(_) => Settings::default(),
    }
}

fn files() -> BTreeMap<String, Vec<Value>> {
    let dir = std::env::var("GYRUS_SCENARIOS").expect("GYRUS_SCENARIOS names a folder");
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "json") {
            let v: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            out.insert(name, v["events"].as_array().expect("events").clone());
        }
    }
    out
}

#[test]
#[ignore = "needs GYRUS_SCENARIOS"]
fn quality() {
    let models = crate::embed::built_in();
    let verbose = std::env::var("GYRUS_VERBOSE").is_ok();
    for typed in [true, false] {
        let mut sums = [0f32; 3];
        let mut line = String::new();
        let files = files();
        for (name, events) in &files {
            let mut w = World::new(models.clone(), settings());
            let nodes: Vec<_> = events
                .iter()
                .map(|v| {
                    (
                        w.feed(read(v, typed, "")),
                        v["gold_concept"].as_str().map(str::to_owned),
                    )
                })
                .collect();
            let s = score(&w, &nodes);
            sums[0] += s.b3;
            sums[1] += s.noise;
            sums[2] += events.len() as f32 / s.concepts.max(1) as f32;
            line += &format!("{name} {:.3}/{:.2}  ", s.b3, s.noise);
            if verbose && typed {
                println!("== {name}: {} plans", w.plans.len());
                pairs(&w, &nodes);
                for c in w.concepts() {
                    let crate::graph::Body::Concept(b) = &c.body else {
                        continue;
                    };
                    let strays = nodes
                        .iter()
                        .filter(|(ix, g)| g.is_none() && w.concept_of(*ix).as_ref() == Some(&c.id))
                        .count();
                    println!("  {strays} without a gold concept in:");
                    println!(
                        "  {:40} {} {:.2} {:?}\n      {}",
                        c.title, b.size, b.confidence, b.keywords, c.text
                    );
                }
            }
        }
        let n = files.len() as f32;
        println!(
            "typed {typed}: B3 {:.3} noise {:.3} compression {:.1} | {line}",
            sums[0] / n,
            sums[1] / n,
            sums[2] / n
        );
    }
}

/// The names of all concepts, one JSON object a line, for a scorer outside.
#[test]
#[ignore = "needs GYRUS_SCENARIOS"]
fn names() {
    let models = crate::embed::built_in();
    for typed in [true, false] {
        for (name, events) in &files() {
            let mut w = World::new(models.clone(), settings());
            let nodes: Vec<_> = events.iter().map(|v| w.feed(read(v, typed, ""))).collect();
            let renamed = w.renamed();
            for c in w.concepts() {
                let crate::graph::Body::Concept(b) = &c.body else {
                    continue;
                };
                let of = |ix: &&NodeIx| w.concept_of(**ix).as_ref() == Some(&c.id);
                let titles: Vec<_> = nodes
                    .iter()
                    .filter(of)
                    .filter_map(|ix| Some(w.graph.node(*ix)?.title.to_string()))
                    .collect();
                println!(
                    "{}",
                    serde_json::json!({"file": name, "typed": typed, "title": *c.title, "text": *c.text, "size": b.size,
                        "confidence": b.confidence, "keywords": b.keywords, "events": titles, "renamed": renamed})
                );
            }
        }
    }
}

#[test]
#[ignore = "needs GYRUS_SCENARIOS"]
fn interleaved() {
    let models = crate::embed::built_in();
    for typed in [true, false] {
        let files = files();
        let longest = files.values().map(Vec::len).max().unwrap_or(0);
        let mut w = World::new(models.clone(), settings());
        let mut nodes = Vec::new();
        for i in 0..longest {
            for (name, events) in files.iter().filter(|f| f.0 != "spanish") {
                if let Some(v) = events.get(i) {
                    let gold = v["gold_concept"].as_str().map(|g| format!("{name}{g}"));
                    nodes.push((w.feed(read(v, typed, name)), gold));
                }
            }
        }
        let s = score(&w, &nodes);
        println!(
            "interleaved typed {typed}: B3 {:.3} noise {:.3} concepts {} of {}",
            s.b3,
            s.noise,
            s.concepts,
            nodes.len()
        );
    }
}
