//! Broken Unicode in JSON, repaired to U+FFFD before the parser sees it.
//!
//! Two faults are common in the wild: bytes that are not UTF-8, and an escaped half of a surrogate
//! pair (text cut in the middle of an emoji). Both would cost the whole record; here they cost a character.

use std::borrow::Cow;

/// The bytes as text, and whether anything had to be repaired. One pass; copies only when it repairs.
pub fn repair(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let text = String::from_utf8_lossy(bytes);
    let halves = lone_surrogates(text.as_bytes());
    let repaired = matches!(text, Cow::Owned(_)) || !halves.is_empty();
    if halves.is_empty() {
        return (text, repaired);
    }
    let mut text = text.into_owned();
    for at in halves {
        // `\ud83d` and `\ufffd` have the same length, so positions stay true.
        text.replace_range(at + 2..at + 6, "fffd");
    }
    (Cow::Owned(text), repaired)
}

/// Positions of the backslashes of escapes `\uD800` to `\uDFFF` that have no partner.
fn lone_surrogates(b: &[u8]) -> Vec<usize> {
    let mut lone = Vec::new();
    let mut at = 0;
    // A backslash is legal only within strings, where each begins an escape: no need to track quotes.
    while let Some(step) = b[at..].iter().position(|c| *c == b'\\') {
        at += step;
        match unit(b, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(b, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                lone.push(at);
                at += 6;
            }
            _ => at = (at + 2).min(b.len()),
        }
    }
    lone
}

/// The code unit of the escape `\uXXXX` at `at`.
fn unit(b: &[u8], at: usize) -> Option<u32> {
    let escape = b.get(at..at + 6)?;
    if &escape[..2] != b"\\u" {
        return None;
    }
    escape[2..]
        .iter()
        .try_fold(0, |n, c| Some(n << 4 | (*c as char).to_digit(16)?))
}
