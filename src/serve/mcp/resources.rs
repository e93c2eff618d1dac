//! Intents as resources: `gyrus://spaces/{space}/intents`.

use serde_json::{Value, json};

use crate::event::check_space;
use crate::text::count_tokens;

pub const TEMPLATE: &str = "gyrus://spaces/{space}/intents";
pub const MEDIA_TYPE: &str = "application/json";

const HEAD: &str = "gyrus://spaces/";
const TAIL: &str = "/intents";

/// The address of a space's intents.
pub fn uri(space: &str) -> String {
    let mut out = String::from(HEAD);
    for b in space.bytes() {
        if b.is_ascii_alphanumeric() || b"-._~".contains(&b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out + TAIL
}

/// The space that an address names; `None` when it is not one of ours.
pub fn space(uri: &str) -> Option<String> {
    let encoded = uri.strip_prefix(HEAD)?.strip_suffix(TAIL)?;
    if encoded.contains('/') {
        return None;
    }
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((b, after)) = rest.split_first() {
        rest = after;
        if *b == b'%' {
            let (hex, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*b);
        }
    }
    String::from_utf8(bytes).ok().filter(|s| check_space(s).is_ok())
}

/// The newest intents that fit, in order of their change.
pub fn contents(intents: &Value, budget: usize) -> String {
    let all = intents["intents"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |n: usize| json!({"intents": &all[all.len() - n..], "left_out": all.len() - n}).to_string();
    let mut n = 0;
    let mut used = 20;
    for i in all.iter().rev() {
        used += count_tokens(&i.to_string()) + 1;
        if used > budget {
            break;
        }
        n += 1;
    }
    while n > 0 && count_tokens(&text(n)) > budget {
        n -= 1;
    }
    text(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_there_and_back() {
        for name in ["farm", "team/7", "空間 4", "a%2Fb", "x.y_z~"] {
            assert_eq!(space(&uri(name)).as_deref(), Some(name));
        }
        for bad in [
            "gyrus://spaces//intents",
            "gyrus://spaces/a/b/intents",
            "gyrus://spaces/%zz/intents",
            "file:///x",
        ] {
            assert_eq!(space(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_newest_fit() {
        let all: Vec<Value> = (0..200)
            .map(|n| json!({"id": format!("i-{n}"), "seq": n}))
            .collect();
        let text = contents(&json!({"intents": all}), 200);
        assert!(count_tokens(&text) <= 200);
        let v: Value = serde_json::from_str(&text).unwrap();
        let shown = v["intents"].as_array().unwrap();
        assert_eq!(shown.last().unwrap()["seq"], 199);
        assert_eq!(shown.len() as u64 + v["left_out"].as_u64().unwrap(), 200);
    }
}
