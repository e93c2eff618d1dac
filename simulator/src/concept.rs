//! A planted concept: its own words and names, the everyday words it likes, and the people who write about it.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::words::{self, ACTORS, ADJECTIVES, DAYS, NOUNS, VERBS, WHENS, capital, invent, pick};

/// Own words in use at one time, and over the whole stream when the concept drifts.
const WINDOW: usize = 14;
const WORDS: usize = 42;
const NAMES_IN_USE: usize = 3;
const NAMES: usize = 7;
/// Everyday words a concept likes, and how often it takes one of them.
const LIKED_NOUNS: usize = 10;
const LIKED_VERBS: usize = 6;
const LIKING: f64 = 0.7;
const PEOPLE: usize = 4;

/// Slots: o own word, O the same with a capital, N own name, n noun, v verb, j adjective, A person, d number,
/// t time of the past, w day.
const SENTENCES: [&str; 24] = [
    "The {o} {n} {v} {t} was {j}.",
    "We {v} the {o} and the {o} {t}.",
    "{N} {v} {d} {n}s for the {o}.",
    "{A} says the {o} {n} is {j} again.",
    "The {o} at {N} needs {d} more {n}s.",
    "I {v} the {j} {n} of {N} {t}.",
    "Please look at the {o}, the {n} next to it is {j}.",
    "{A} must finish the {o} {n} by {w}.",
    "{N} called {t} about the {j} {o}.",
    "Nobody {v} the {n}, so the {o} stays {j}.",
    "The {n} count for the {o} is {d}, it was {d} {t}.",
    "Still no answer from {N} about the {o} {n}.",
    "{A} {v} the {o} at {N}, {d} {n}s are left.",
    "The {j} {n} does not fit the {o}.",
    "On {w} {N} wants to see the {o} {n}.",
    "It took {d} minutes until {A} {v} the {o}.",
    "{O} and {o} are both {j} {t}.",
    "The {o} {n} goes to {N} with {A}.",
    "Price of the {o} is now {d} euros, {A} {v} the {n}.",
    "After {A} {v} the {n} the {o} was {j}.",
    "{N} asked for the {n} of the {o}.",
    "The {o} failed because the {n} was {j}.",
    "A {j} {n} and the {o} of {N} belong together.",
    "{A} wrote down {d} for the {o} at {N}.",
];

const TITLES: [&str; 6] = [
    "{O} {n} {j}",
    "{N}: {o} {n}",
    "About the {o} {n}",
    "{j} {o} at {N}",
    "{O} for {N}",
    "The {n} of {N}",
];

const QUESTIONS: [&str; 8] = [
    "What happened with the {o} {n}?",
    "When did {A} talk about the {o}?",
    "Who {v} the {o} at {N}?",
    "What is the latest on {N}?",
    "How many {n}s does the {o} need now?",
    "Why was the {o} {j}?",
    "What did {N} want with the {o} and the {o}?",
    "Give me an overview of the {o} {n}.",
];

/// Sentences about nothing in particular.
const ASIDES: [&str; 12] = [
    "It rained {t} and the {n} got {j}.",
    "{A} {v} a {j} {n} on the way home.",
    "Does anyone have a {n} for {w}?",
    "The {o} place round the corner sells {j} {n}s.",
    "My {n} is {j}, I will be late on {w}.",
    "{A} found {d} {n}s in the hall {t}.",
    "Somebody left a {j} {n} by the {n}.",
    "Lunch is at {d} minutes past twelve, next to the {n}.",
    "Lost a {n} {t}, please tell {A}.",
    "The bus to {O} was {j} {t}.",
    "{A} has a birthday on {w}.",
    "A man called {O} {v} the wrong {n}.",
];

#[derive(Clone, Debug, PartialEq)]
pub struct Concept {
    words: Vec<String>,
    names: Vec<String>,
    nouns: Vec<&'static str>,
    verbs: Vec<&'static str>,
    people: Vec<&'static str>,
    pub kind: &'static str,
}

/// What a text says, and how its title reads.
pub struct Said {
    pub actor: &'static str,
    pub title: String,
    pub text: String,
}

impl Concept {
    /// `fresh` gives invented words that no other concept has.
    pub fn plant(rng: &mut impl Rng, mut fresh: impl FnMut() -> String) -> Concept {
        let some =
            |rng: &mut _, list: &[&'static str], n| list.choose_multiple(rng, n).copied().collect::<Vec<_>>();
        Concept {
            nouns: some(rng, &NOUNS, LIKED_NOUNS),
            verbs: some(rng, &VERBS, LIKED_VERBS),
            people: some(rng, &ACTORS, PEOPLE),
            kind: words::KINDS.choose(rng).copied().unwrap_or_default(),
            words: (0..WORDS).map(|_| fresh()).collect(),
            names: (0..NAMES).map(|_| capital(&fresh())).collect(),
        }
    }

    /// What someone says of it. `drift` is how far its vocabulary has moved on, 0 to 1.
    pub fn say(&self, rng: &mut impl Rng, drift: f64) -> Said {
        let actor = self.people.choose(rng).copied().unwrap_or_default();
        let title = capital(&self.line(rng, &TITLES, drift));
        let sentences = if rng.random_bool(0.3) { 3 } else { 2 };
        let text: Vec<String> = (0..sentences)
            .map(|_| self.line(rng, &SENTENCES, drift))
            .collect();
        Said {
            actor,
            title,
            text: text.join(" "),
        }
    }

    /// A question about it in its own words.
    pub fn ask(&self, rng: &mut impl Rng, drift: f64) -> String {
        self.line(rng, &QUESTIONS, drift)
    }

    fn line(&self, rng: &mut impl Rng, patterns: &[&'static str], drift: f64) -> String {
        fill(pick(rng, patterns), |slot| match slot {
            'o' => self.own_word(rng, drift).to_owned(),
            'O' => capital(self.own_word(rng, drift)),
            'N' => window(&self.names, NAMES_IN_USE, drift)[rng.random_range(0..NAMES_IN_USE)].clone(),
            'n' if rng.random_bool(LIKING) => pick(rng, &self.nouns).to_owned(),
            'v' if rng.random_bool(LIKING) => pick(rng, &self.verbs).to_owned(),
            'A' => pick(rng, &self.people).to_owned(),
            other => everyday(rng, other),
        })
    }

    /// The first words of the window are the most frequent, as in any vocabulary.
    fn own_word(&self, rng: &mut impl Rng, drift: f64) -> &str {
        let at = (rng.random::<f64>().powf(1.6) * WINDOW as f64) as usize;
        &window(&self.words, WINDOW, drift)[at.min(WINDOW - 1)]
    }

    /// Its own words and names in lower case, over the whole stream.
    #[cfg(test)]
    pub fn vocabulary(&self) -> std::collections::BTreeSet<String> {
        self.words
            .iter()
            .chain(&self.names)
            .map(|w| w.to_lowercase())
            .collect()
    }
}

/// Something about no concept at all; its invented words are made on the spot.
pub fn aside(rng: &mut impl Rng) -> Said {
    let mut line = |list: &[&'static str]| {
        fill(pick(rng, list), |slot| match slot {
            'o' => invent(rng),
            'O' => capital(&invent(rng)),
            other => everyday(rng, other),
        })
    };
    let title = capital(&line(&["{j} {n}", "{n} on {w}", "a {n} {t}"]));
    let text = format!("{} {}", line(&ASIDES), line(&ASIDES));
    Said {
        actor: ACTORS.choose(rng).copied().unwrap_or_default(),
        title,
        text,
    }
}

/// The same said with another everyday word or two; with none to change, a word is added.
pub fn reworded(rng: &mut impl Rng, text: &str) -> String {
    let mut changed = 0;
    let words: Vec<&str> = text
        .split(' ')
        .map(|w| {
            let class = [&ADJECTIVES[..], &VERBS[..]].into_iter().find(|c| c.contains(&w));
            match class {
                Some(class) if changed < 2 => {
                    changed += 1;
                    class.choose(rng).copied().unwrap_or(w)
                }
                _ => w,
            }
        })
        .collect();
    let text = words.join(" ");
    if changed == 0 {
        format!("Again: {text}")
    } else {
        text
    }
}

/// The part of a list that is in use at `drift`.
fn window(list: &[String], size: usize, drift: f64) -> &[String] {
    let from = (drift.clamp(0.0, 1.0) * (list.len() - size) as f64) as usize;
    &list[from..from + size]
}

fn everyday(rng: &mut impl Rng, slot: char) -> String {
    match slot {
        'n' => pick(rng, &NOUNS).to_owned(),
        'v' => pick(rng, &VERBS).to_owned(),
        'j' => pick(rng, &ADJECTIVES).to_owned(),
        'A' => pick(rng, &ACTORS).to_owned(),
        't' => pick(rng, &WHENS).to_owned(),
        'w' => pick(rng, &DAYS).to_owned(),
        'd' => rng.random_range(2..200).to_string(),
        _ => String::new(),
    }
}

/// A pattern with its slots filled.
fn fill(pattern: &str, mut word: impl FnMut(char) -> String) -> String {
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => {
                let slot = chars.next().unwrap_or_default();
                chars.next();
                out.push_str(&word(slot));
            }
            c => out.push(c),
        }
    }
    out
}
