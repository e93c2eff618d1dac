//! JSON by its brackets alone: finds the items of an array or one field of an object in raw bytes.
//!
//! So one broken event of a batch costs only itself, its size is known before it is parsed, and a
//! repair touches only its own bytes. Nothing here judges whether a slice is valid JSON: the parser
//! does that for each slice. One pass, no recursion, no allocation but the list of items.

use std::ops::Range;

/// First byte at or after `at` that is not JSON white space.
pub(super) fn skip_space(b: &[u8], mut at: usize) -> usize {
    while b
        .get(at)
        .is_some_and(|c| matches!(c, b' ' | b'\t' | b'\r' | b'\n'))
    {
        at += 1;
    }
    at
}

/// End of the string whose opening quote stands at `at`.
fn skip_string(b: &[u8], at: usize) -> Option<usize> {
    let mut i = at + 1;
    loop {
        match b.get(i)? {
            b'"' => return Some(i + 1),
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
}

/// End of the value that begins at `at`.
fn skip_value(b: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = at;
    loop {
        match b.get(i) {
            Some(b'"') => {
                i = skip_string(b, i)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            Some(b'[' | b'{') => {
                depth += 1;
                i += 1;
            }
            Some(b']' | b'}') => {
                if depth <= 1 {
                    // Depth 0: the bracket closes what the (bare) value stands in.
                    return Some(if depth == 0 { i } else { i + 1 });
                }
                depth -= 1;
                i += 1;
            }
            Some(b',' | b':') if depth == 0 => return Some(i),
            Some(_) => i += 1,
            None => return (depth == 0).then_some(i),
        }
    }
}

/// The items of the array that is all of `b` (white space around it aside); `None` when its brackets or
/// commas do not add up.
pub fn items(b: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut at = skip_space(b, 0);
    if b.get(at) != Some(&b'[') {
        return None;
    }
    at = skip_space(b, at + 1);
    let mut out = Vec::new();
    if b.get(at) == Some(&b']') {
        return (skip_space(b, at + 1) == b.len()).then_some(out);
    }
    loop {
        let end = skip_value(b, at)?;
        if end == at {
            return None;
        }
        out.push(at..end);
        at = skip_space(b, end);
        match b.get(at)? {
            b',' => at = skip_space(b, at + 1),
            b']' => return (skip_space(b, at + 1) == b.len()).then_some(out),
            _ => return None,
        }
    }
}

/// Where the value of the field at `path` stands in the object `b`, such as `["params", "events"]` in a
/// request line. Of a repeated key the last counts, as for the parser. Keys written with escapes are not found.
pub fn field(b: &[u8], path: &[&str]) -> Option<Range<usize>> {
    let mut here = skip_space(b, 0)..b.len();
    for name in path {
        here = member(b, here, name)?;
    }
    Some(here)
}

fn member(b: &[u8], object: Range<usize>, name: &str) -> Option<Range<usize>> {
    let b = b.get(..object.end)?;
    let mut at = object.start;
    if b.get(at) != Some(&b'{') {
        return None;
    }
    let mut found = None;
    loop {
        at = skip_space(b, at + 1);
        if b.get(at) != Some(&b'"') {
            return found;
        }
        let key = at + 1..skip_string(b, at)? - 1;
        at = skip_space(b, key.end + 1);
        if b.get(at) != Some(&b':') {
            return found;
        }
        at = skip_space(b, at + 1);
        let end = skip_value(b, at)?;
        if b.get(key) == Some(name.as_bytes()) {
            found = Some(at..end);
        }
        at = skip_space(b, end);
        if b.get(at) != Some(&b',') {
            return found;
        }
    }
}

/// The object `b` with `null` in place of the field at `path`, and that field's bytes: for requests that carry events,
/// so that these reach [`decode_bytes`](super::decode_bytes) as they came and one broken event does not cost the request.
pub fn cut<'a>(b: &'a [u8], path: &[&str]) -> Option<(Vec<u8>, &'a [u8])> {
    let at = field(b, path)?;
    let rest = [&b[..at.start], b"null", &b[at.end..]].concat();
    Some((rest, &b[at]))
}
