//! What forbids a merge although two concepts look alike.
//!
//! Similar vectors do not see that bay 12 is not bay 13. Two concepts stay apart when what is characteristic of
//! them (said in the title or keywords, or by half of the events read) differs in a number, a date, a name or
//! polarity. When in doubt they stay apart: a missed merge costs a duplicate, a wrong one a fact.
//! Names are words with a capital within a sentence, so scripts without capitals have none; numbers and dates work
//! in every script whose digits Unicode knows.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::Event;

/// What the guards compare of one concept.
#[derive(Debug, Default)]
pub struct Profile {
    events: u32,
    numbers: Counted,
    names: Counted,
    poles: Counted,
    negated: u32,
    negated_head: bool,
}

/// How many events hold a word, and whether title or keywords do.
#[derive(Debug, Default)]
struct Counted {
    events: BTreeMap<String, u32>,
    head: BTreeSet<String>,
}

impl Counted {
    fn has(&self, word: &str) -> bool {
        self.head.contains(word) || self.events.contains_key(word)
    }

    fn characteristic(&self, events: u32) -> impl Iterator<Item = &str> {
        let often = self
            .events
            .iter()
            .filter(move |(_, n)| **n * 2 >= events)
            .map(|(w, _)| w.as_str());
        often.chain(self.head.iter().map(String::as_str))
    }
}

impl Profile {
    /// Reads the title and keywords of the concept.
    pub fn head(&mut self, text: &str) {
        let read = Reading::of(text);
        self.numbers.head.extend(read.numbers);
        self.poles.head.extend(read.poles.iter().map(|p| (*p).to_owned()));
        self.negated_head |= read.negated;
    }

    /// Reads one member. Names come from its text; titles are often capitalised throughout.
    pub fn event(&mut self, event: &Event) {
        let text = Reading::of(&event.text);
        let title = Reading::of(event.title.as_deref().unwrap_or_default());
        self.events += 1;
        self.negated += u32::from(text.negated || title.negated);
        for w in text.numbers.iter().chain(title.numbers.difference(&text.numbers)) {
            *self.numbers.events.entry(w.clone()).or_default() += 1;
        }
        for w in text.names {
            *self.names.events.entry(w).or_default() += 1;
        }
        for w in text.poles.union(&title.poles) {
            *self.poles.events.entry((*w).to_owned()).or_default() += 1;
        }
    }

    fn mostly_negated(&self) -> bool {
        self.negated_head || (self.events > 0 && self.negated * 2 >= self.events)
    }
}

/// The first difference that forbids to merge two concepts, in words for a person.
pub fn forbids(a: &Profile, b: &Profile) -> Option<&'static str> {
    let alone = |x: &Counted, n: u32, y: &Counted| x.characteristic(n).any(|w| !y.has(w));
    let head_alone = |x: &Counted, y: &Counted| x.head.iter().any(|w| !y.has(w));
    if head_alone(&a.numbers, &b.numbers)
        || head_alone(&b.numbers, &a.numbers)
        || (alone(&a.numbers, a.events, &b.numbers) && alone(&b.numbers, b.events, &a.numbers))
    {
        return Some("numbers or dates differ");
    }
    if alone(&a.names, a.events, &b.names) && alone(&b.names, b.events, &a.names) {
        return Some("names differ");
    }
    if a.mostly_negated() != b.mostly_negated() {
        return Some("one is denied, the other is not");
    }
    let opposite = |x: &Profile, y: &Profile| {
        x.poles.characteristic(x.events).any(|w| {
            let other = opposite_of(w);
            !x.poles.has(other) && !y.poles.has(w) && y.poles.characteristic(y.events).any(|v| v == other)
        })
    };
    if opposite(a, b) || opposite(b, a) {
        return Some("they say opposite things");
    }
    None
}

/// What one text holds.
#[derive(Default)]
struct Reading {
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
    poles: BTreeSet<&'static str>,
    negated: bool,
}

impl Reading {
    fn of(text: &str) -> Reading {
        let mut read = Reading::default();
        let mut sentence_start = true;
        for (word, ends) in words(text) {
            let lower = word.to_lowercase();
            if word.chars().any(char::is_numeric) || DATE_WORDS.contains(&lower.as_str()) {
                read.numbers.insert(lower.clone());
            } else if !sentence_start
                && word.chars().count() > 1
                && word.chars().next().is_some_and(char::is_uppercase)
            {
                read.names.insert(lower.clone());
            }
            read.negated |=
                NEGATIONS.contains(&lower.as_str()) || lower.ends_with("n't") || lower.ends_with("n’t");
            for &(left, right) in POLES {
                for side in [left, right] {
                    if side.contains(&lower.as_str()) {
                        read.poles.insert(side[0]);
                    }
                }
            }
            sentence_start = ends;
        }
        read
    }
}

/// Words of a text and whether a sentence ends after them. Marks between a digit and another sign belong to the word
/// ("2031-03-01", "5.8", "CH-88213"), and so does an apostrophe between letters.
fn words(text: &str) -> Vec<(&str, bool)> {
    let signs: Vec<(usize, char)> = text.char_indices().collect();
    let mut found: Vec<(&str, bool)> = Vec::new();
    let mut start = None;
    for (i, &(at, c)) in signs.iter().enumerate() {
        let before = i.checked_sub(1).map(|k| signs[k].1);
        let after = signs.get(i + 1).map(|s| s.1);
        let joins = match (before, after) {
            (Some(b), Some(a)) if matches!(c, '.' | ',' | ':' | '-' | '/') => {
                b.is_alphanumeric() && a.is_alphanumeric() && (a.is_numeric() || (b.is_numeric() && c == '-'))
            }
            (Some(b), Some(a)) => matches!(c, '\'' | '’') && b.is_alphabetic() && a.is_alphabetic(),
            _ => false,
        };
        if c.is_alphanumeric() || joins {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            found.push((&text[from..at], false));
        }
        if matches!(c, '.' | '!' | '?' | ':' | '\n' | '…' | '¿' | '¡' | '。')
            && let Some(last) = found.last_mut()
        {
            last.1 = true;
        }
    }
    if let Some(from) = start {
        found.push((&text[from..], false));
    }
    found
}

fn opposite_of(pole: &str) -> &'static str {
    POLES
        .iter()
        .find_map(|(l, r)| {
            if l[0] == pole {
                Some(r[0])
            } else if r[0] == pole {
                Some(l[0])
            } else {
                None
            }
        })
        .unwrap_or_default()
}

/// Weekdays and months, which carry a date although they hold no digit.
const DATE_WORDS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
    "enero",
    "febrero",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "januar",
    "februar",
    "märz",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    "janvier",
    "février",
    "avril",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

/// Words that deny.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "without", "cannot", "neither", "nor", "nunca",
    "jamás", "sin", "tampoco", "nadie", "nicht", "kein", "keine", "keinen", "nie", "niemals", "ohne", "pas",
    "jamais", "aucun", "sans", "não", "nem", "niet", "geen", "nooit", "non", "senza",
];

type Side = &'static [&'static str];

/// Opposites. The first word of each side names it.
const POLES: &[(Side, Side)] = &[
    (
        &["on", "enable", "enabled", "enables"],
        &["off", "disable", "disabled", "disables"],
    ),
    (
        &["open", "opened", "opens", "reopened"],
        &["close", "closed", "closes", "shut"],
    ),
    (
        &["start", "started", "starts", "begin", "began"],
        &["stop", "stopped", "stops", "end", "ended"],
    ),
    (
        &["up", "rise", "rises", "rose", "increase", "increased", "higher"],
        &["down", "fall", "falls", "fell", "decrease", "decreased", "lower"],
    ),
    (
        &["accept", "accepted", "approve", "approved"],
        &["reject", "rejected", "decline", "declined", "refused"],
    ),
    (
        &["allow", "allowed", "allows", "permit"],
        &["forbid", "forbidden", "deny", "denied", "ban", "banned"],
    ),
    (
        &["pass", "passed", "passes", "succeed", "succeeded", "success"],
        &["fail", "failed", "fails", "failure"],
    ),
    (&["buy", "bought", "purchase"], &["sell", "sold", "sale"]),
    (
        &["like", "likes", "love", "loves", "enjoy"],
        &["dislike", "dislikes", "hate", "hates"],
    ),
    (&["before"], &["after"]),
    (&["import", "imported"], &["export", "exported"]),
    (&["add", "added", "adds"], &["remove", "removed", "removes"]),
    (&["gain", "gained", "win", "won"], &["lose", "lost", "loss"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(title: &str, texts: &[&str]) -> Profile {
        let mut p = Profile::default();
        p.head(title);
        for t in texts {
            p.event(&Event {
                space: "s".into(),
                source: String::new(),
                id: String::new(),
                time: Default::default(),
                time_mark: crate::event::TimeMark::Given,
                received: Default::default(),
                kind: None,
                actor: None,
                title: None,
                text: (*t).to_owned(),
                data: None,
                extra: Default::default(),
            });
        }
        p
    }

    fn differ(a: (&str, &[&str]), b: (&str, &[&str])) -> Option<&'static str> {
        let (a, b) = (profile(a.0, a.1), profile(b.0, b.1));
        assert_eq!(forbids(&a, &b), forbids(&b, &a), "order must not matter");
        forbids(&a, &b)
    }

    #[test]
    fn numbers_and_dates_keep_apart() {
        assert!(
            differ(
                ("locker code", &["The code of bay 12 is 4417."]),
                ("locker code", &["The code of bay 13 is 4471."])
            )
            .is_some()
        );
        assert!(differ(("release 5.8", &["It broke."]), ("release 5.9", &["It broke."])).is_some());
        assert!(
            differ(
                ("talk", &["The talk is on monday."]),
                ("talk", &["The talk is on tuesday."])
            )
            .is_some()
        );
    }

    #[test]
    fn one_odd_number_among_many_events_does_not() {
        let a: &[&str] = &["The lift sticks at 2.", "The lift hums.", "The lift sticks."];
        let b: &[&str] = &["The lift waits.", "The lift sticks at 7.", "The lift is slow."];
        assert_eq!(differ(("lift trouble", a), ("lift", b)), None);
    }

    #[test]
    fn names_keep_apart() {
        let a: &[&str] = &["Lunch with Ruta today.", "Then Ruta left."];
        let b: &[&str] = &["Lunch with Milo today.", "Then Milo left."];
        assert_eq!(differ(("lunch", a), ("lunch", b)), Some("names differ"));
    }

    #[test]
    fn polarity_keeps_apart() {
        assert!(differ(("beets", &["we eat them"]), ("beets", &["we don't eat them"])).is_some());
        assert!(differ(("valve open", &["it hissed"]), ("valve closed", &["it hissed"])).is_some());
        assert!(differ(("", &["the build passed"]), ("", &["the build failed"])).is_some());
    }

    #[test]
    fn the_same_thing_in_other_words_is_free() {
        let a: &[&str] = &["The boiler went cold again.", "A cold morning, the boiler slept."];
        let b: &[&str] = &["Boiler cold.", "Cold hands, sleepy boiler."];
        assert_eq!(differ(("cold boiler", a), ("boiler cold", b)), None);
    }

    #[test]
    fn words_keep_marks_inside_numbers() {
        let got: Vec<&str> = words("On 2031-03-01 we'll ship 5.8, CH-88213. Fine")
            .into_iter()
            .map(|w| w.0)
            .collect();
        assert_eq!(
            got,
            ["On", "2031-03-01", "we'll", "ship", "5.8", "CH-88213", "Fine"]
        );
    }
}
