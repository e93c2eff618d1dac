//! Words of synthetic streams: invented ones by syllables, and a small store of everyday English.
//!
//! Invented words belong to one concept alone, so what a stream planted can be told from what was found. The
//! everyday words are shared, as in any real stream.

use rand::Rng;
use rand::seq::IndexedRandom;

const ONSETS: [&str; 24] = [
    "b", "br", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p", "pl", "r", "s",
    "st", "t", "tr", "v", "z",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ea", "ou"];
const CODAS: [&str; 10] = ["", "", "", "l", "m", "n", "r", "rk", "s", "th"];

/// An invented word of two or three syllables, in lower case.
pub fn invent(rng: &mut impl Rng) -> String {
    let syllables = rng.random_range(2..=3);
    let mut word = String::new();
    for n in 0..syllables {
        word.push_str(pick(rng, &ONSETS));
        word.push_str(pick(rng, &VOWELS));
        if n + 1 == syllables {
            word.push_str(pick(rng, &CODAS));
        }
    }
    word
}

/// The word with a capital first letter.
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// One of a list that is never empty.
pub fn pick(rng: &mut impl Rng, list: &[&'static str]) -> &'static str {
    list.choose(rng).copied().unwrap_or_default()
}

/// Nouns whose plural takes an s.
pub const NOUNS: [&str; 95] = [
    "account", "address", "alarm", "answer", "bag", "battery", "belt", "bill", "board", "book", "border",
    "bottle", "box", "bridge", "budget", "cable", "calendar", "camera", "car", "card", "chair", "claim",
    "clock", "coat", "contract", "corner", "counter", "cover", "crate", "customer", "desk", "document",
    "door", "draft", "drawer", "engine", "estimate", "fence", "field", "filter", "floor", "form", "garden",
    "gate", "guest", "handle", "harbour", "hose", "invoice", "kitchen", "label", "ladder", "lamp", "lease",
    "letter", "licence", "lock", "machine", "map", "meeting", "meter", "model", "motor", "office", "order",
    "package", "page", "paper", "payment", "permit", "phone", "pipe", "plan", "plate", "pump", "question",
    "receipt", "record", "report", "roof", "room", "route", "sample", "schedule", "screen", "sensor",
    "shelf", "shop", "signal", "store", "table", "ticket", "tool", "window", "wheel",
];

/// Verbs in the past that take an object.
pub const VERBS: [&str; 48] = [
    "accepted",
    "adjusted",
    "approved",
    "blocked",
    "bought",
    "broke",
    "carried",
    "changed",
    "checked",
    "cleaned",
    "closed",
    "collected",
    "compared",
    "copied",
    "counted",
    "covered",
    "delayed",
    "delivered",
    "dropped",
    "emptied",
    "filled",
    "finished",
    "fixed",
    "found",
    "inspected",
    "loaded",
    "locked",
    "lost",
    "measured",
    "mended",
    "moved",
    "opened",
    "packed",
    "painted",
    "placed",
    "printed",
    "received",
    "removed",
    "replaced",
    "returned",
    "sent",
    "signed",
    "sold",
    "sorted",
    "stopped",
    "tested",
    "updated",
    "washed",
];

pub const ADJECTIVES: [&str; 40] = [
    "broken",
    "busy",
    "careful",
    "cheap",
    "clean",
    "clear",
    "cold",
    "complete",
    "dark",
    "dirty",
    "dry",
    "early",
    "empty",
    "expensive",
    "fast",
    "final",
    "fresh",
    "full",
    "heavy",
    "hot",
    "late",
    "light",
    "long",
    "loose",
    "loud",
    "missing",
    "new",
    "old",
    "open",
    "quiet",
    "ready",
    "rough",
    "safe",
    "short",
    "slow",
    "strong",
    "thin",
    "urgent",
    "warm",
    "wet",
];

pub const WHENS: [&str; 12] = [
    "this morning",
    "yesterday",
    "last night",
    "before lunch",
    "after the break",
    "on Monday",
    "last week",
    "at noon",
    "two days ago",
    "late in the evening",
    "at the weekend",
    "earlier today",
];

pub const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

pub const ACTORS: [&str; 24] = [
    "Abena", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Imani", "Jonas", "Keiko",
    "Luis", "Mina", "Nadia", "Otto", "Priya", "Quentin", "Rosa", "Stefan", "Tomas", "Uma", "Viktor", "Wanda",
    "Yusuf",
];

pub const KINDS: [&str; 8] = [
    "message", "note", "ticket", "log", "order", "call", "report", "visit",
];

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn invented_words_are_words_and_repeat_by_seed() {
        let words = |seed| {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            (0..200).map(|_| invent(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(words(1), words(1));
        assert_ne!(words(1), words(2));
        assert!(
            words(1)
                .iter()
                .all(|w| w.len() >= 4 && w.bytes().all(|b| b.is_ascii_lowercase()))
        );
        assert_eq!(capital("drelon"), "Drelon");
    }
}
