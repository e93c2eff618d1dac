//! Made-up events for benches: subjects with words of their own, about 300 bytes of JSON each, the same on every run.

use std::sync::Arc;

use gyrus::event::{DecodeCx, Event, Settings, Ts, decode_bytes};

const SYLLABLES: [&str; 16] = [
    "ba", "dor", "fen", "gli", "hu", "kar", "lo", "mis", "nep", "or", "pla", "ru", "sten", "tov", "vel",
    "zan",
];
const NOUNS: [&str; 12] = [
    "pump", "ladder", "invoice", "window", "meeting", "filter", "contract", "battery", "garden", "permit",
    "engine", "letter",
];
const ACTORS: [&str; 5] = ["Amal", "Birgit", "Chen", "Dario", "Esi"];

/// A word that only this subject has.
pub fn word(subject: usize, n: usize) -> String {
    let mut rest = subject * 12 + n;
    let mut out = String::from(SYLLABLES[(subject * 7 + n) % 16]);
    while rest > 0 {
        out.push_str(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    out
}

/// Event `n` as JSON; it is about subject `n % subjects`.
pub fn json(n: usize, subjects: usize) -> String {
    let s = n % subjects;
    let (a, b, noun) = (word(s, n % 5), word(s, 5 + n % 7), NOUNS[n % 12]);
    let time = Ts(1_760_000_000_000 + n as i64 * 61_000).rfc3339();
    format!(
        r#"{{"id":"b{n:07}","time":"{time}","type":"note","actor":"{}","title":"The {a} {noun}","text":"The {noun} of the {a} was checked at {} and {} parts are left. {} must replace the {b} before Friday, or the {noun} stops again.","source":"bench","space":"bench"}}"#,
        ACTORS[s % 5],
        capital(&word(s, 11)),
        n % 90 + 2,
        ACTORS[n % 5],
    )
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

#[allow(dead_code, reason = "one bench needs the text only")]
pub fn event(n: usize, subjects: usize) -> Arc<Event> {
    let settings = Settings::default();
    let cx = DecodeCx::new(Ts(1_760_000_000_000), &settings);
    let decoded = decode_bytes(json(n, subjects).as_bytes(), &cx)
        .ok()
        .and_then(|mut d| d.remove(0).ok());
    Arc::new(decoded.expect("made-up events are valid"))
}
