//! Endless synthetic streams with planted concepts, the same for the same shape and seed.
//!
//! Every event knows the concept it was made from, and of which event it is a repeat. Times move on by event time
//! alone: the stream has days and nights, and bursts about one concept.

use std::collections::{BTreeSet, VecDeque};

use chrono::{DateTime, Duration, SecondsFormat, Timelike, Utc};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::concept::{Concept, Said, aside, reworded};
use crate::outgoing::Outgoing;
use crate::words;

pub const SOURCE: &str = "gyrus-sim";
/// Chance that the next event of a space goes on about the concept of the last one.
const BURST: f64 = 0.35;
/// Events of a space among which a repeat finds what it repeats.
const MEMORY: usize = 256;
/// Share of repeats that are exact.
const EXACT: f64 = 0.4;
/// Nights are this much slower.
const NIGHT: f64 = 5.0;

/// What a synthetic stream is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub seed: u64,
    /// Concepts of each space.
    pub concepts: usize,
    /// Names of the spaces; never empty.
    pub spaces: Vec<String>,
    /// Events over which a drifting vocabulary changes wholly.
    pub horizon: u64,
    pub drift: bool,
    /// Share of events that repeat an earlier one, 0 to 1.
    pub repeats: f64,
    /// Share of events about no concept, 0 to 1.
    pub noise: f64,
    pub start: DateTime<Utc>,
    /// Mean seconds between events by day, over all spaces.
    pub gap_s: f64,
}

impl Shape {
    /// The names of `count` spaces: `name` alone, or `name-0`, `name-1`, ...
    pub fn space_names(name: &str, count: usize) -> Vec<String> {
        match count {
            0 | 1 => vec![name.to_owned()],
            n => (0..n).map(|i| format!("{name}-{i}")).collect(),
        }
    }
}

/// How an event was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Fresh,
    /// Word for word an earlier event, but for id and time.
    Exact,
    /// An earlier event in slightly other words.
    Near,
    Noise,
}

/// What was planted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    pub id: String,
    pub space: String,
    /// Number of the concept within its space; none for noise.
    pub concept: Option<usize>,
    pub kind: Kind,
    /// The event that this one repeats.
    pub of: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    pub event: Outgoing,
    pub truth: Truth,
}

struct Space {
    name: String,
    concepts: Vec<Concept>,
    last: Option<usize>,
    recent: VecDeque<Recent>,
}

#[derive(Clone)]
struct Recent {
    id: String,
    concept: usize,
    body: Map<String, Value>,
}

pub struct Synth {
    shape: Shape,
    rng: ChaCha8Rng,
    spaces: Vec<Space>,
    now: DateTime<Utc>,
    made: u64,
}

impl Synth {
    pub fn new(shape: Shape) -> Synth {
        // Concepts have a random stream of their own, so that they do not depend on the events.
        let mut planting = stream(shape.seed, 1);
        let mut taken = BTreeSet::new();
        let mut fresh = stream(shape.seed, 2);
        let mut fresh = || loop {
            let word = words::invent(&mut fresh);
            if taken.insert(word.clone()) {
                return word;
            }
        };
        let spaces = shape
            .spaces
            .iter()
            .map(|name| Space {
                name: name.clone(),
                concepts: (0..shape.concepts.max(1))
                    .map(|_| Concept::plant(&mut planting, &mut fresh))
                    .collect(),
                last: None,
                recent: VecDeque::new(),
            })
            .collect();
        Synth {
            rng: stream(shape.seed, 0),
            spaces,
            now: shape.start,
            made: 0,
            shape,
        }
    }

    /// Questions in the words of the planted concepts, each with its space; the same for the same seed, whatever
    /// was made before. Of a drifting stream they ask about its whole length.
    pub fn questions(&self, count: usize) -> Vec<(String, String)> {
        let mut rng = stream(self.shape.seed, 3);
        (0..count)
            .map(|_| {
                let space = &self.spaces[rng.random_range(0..self.spaces.len())];
                let concept = &space.concepts[zipf(&mut rng, space.concepts.len())];
                let drift = if self.shape.drift { rng.random() } else { 0.0 };
                (space.name.clone(), concept.ask(&mut rng, drift))
            })
            .collect()
    }

    /// The time of the newest event.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    fn make(&mut self) -> Planted {
        let id = format!("sim-{:x}-{:07}", self.shape.seed, self.made);
        let drift = if self.shape.drift {
            self.made as f64 / self.shape.horizon.max(1) as f64
        } else {
            0.0
        };
        self.made += 1;
        let rng = &mut self.rng;
        let at = rng.random_range(0..self.spaces.len());
        let space = &mut self.spaces[at];
        let going_on = space.last.is_some() && rng.random_bool(BURST);
        let gap = if going_on {
            self.shape.gap_s * 0.1
        } else {
            self.shape.gap_s
        };
        self.now = later(self.now, gap, rng);

        let drawn: f64 = rng.random();
        let repeated = (drawn < self.shape.repeats && !space.recent.is_empty())
            .then(|| space.recent[rng.random_range(0..space.recent.len())].clone());
        let (kind, concept, of, mut body) = if let Some(r) = repeated {
            let mut body = r.body;
            let exact = rng.random_bool(EXACT);
            if !exact {
                let text = body.get("text").and_then(Value::as_str).unwrap_or_default();
                let text = reworded(rng, text);
                body.insert("text".into(), text.into());
            }
            (
                if exact { Kind::Exact } else { Kind::Near },
                Some(r.concept),
                Some(r.id),
                body,
            )
        } else if drawn < self.shape.repeats + self.shape.noise {
            (
                Kind::Noise,
                None,
                None,
                body(words::pick(rng, &words::KINDS), aside(rng)),
            )
        } else {
            let c = match space.last.filter(|_| going_on) {
                Some(c) => c,
                None => zipf(rng, space.concepts.len()),
            };
            let concept = &space.concepts[c];
            (
                Kind::Fresh,
                Some(c),
                None,
                body(concept.kind, concept.say(rng, drift)),
            )
        };
        body.insert("id".into(), id.as_str().into());
        body.insert(
            "time".into(),
            self.now.to_rfc3339_opts(SecondsFormat::Secs, true).into(),
        );
        if let Some(concept) = concept {
            space.last = Some(concept);
            if kind == Kind::Fresh {
                space.recent.truncate(MEMORY - 1);
                space.recent.push_front(Recent {
                    id: id.clone(),
                    concept,
                    body: body.clone(),
                });
            }
        }
        let space = space.name.clone();
        Planted {
            event: Outgoing {
                space: space.clone(),
                body,
            },
            truth: Truth {
                id,
                space,
                concept,
                kind,
                of,
            },
        }
    }
}

impl Iterator for Synth {
    type Item = Planted;

    /// Never ends; take as many as are wanted.
    fn next(&mut self) -> Option<Planted> {
        Some(self.make())
    }
}

/// A random stream of its own for each purpose.
fn stream(seed: u64, purpose: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose);
    rng
}

/// The fields that a repeat takes over; id and time are put in their places by the caller.
fn body(kind: &str, said: Said) -> Map<String, Value> {
    let fields: [(&str, Value); 7] = [
        ("id", Value::Null),
        ("time", Value::Null),
        ("type", kind.into()),
        ("actor", said.actor.into()),
        ("title", said.title.into()),
        ("text", said.text.into()),
        ("source", SOURCE.into()),
    ];
    fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

/// Small numbers are more likely, as some concepts always are busier than others.
fn zipf(rng: &mut impl Rng, n: usize) -> usize {
    ((rng.random::<f64>().powf(1.5) * n as f64) as usize).min(n - 1)
}

/// An exponential gap later, at least a second; longer by night.
fn later(now: DateTime<Utc>, mean_s: f64, rng: &mut impl Rng) -> DateTime<Utc> {
    let slow = if (7..22).contains(&now.hour()) { 1.0 } else { NIGHT };
    let gap = -(1.0 - rng.random::<f64>()).ln() * mean_s * slow;
    now + Duration::seconds((gap.round() as i64).clamp(1, 86_400))
}

#[cfg(test)]
#[path = "synth_tests.rs"]
mod tests;
