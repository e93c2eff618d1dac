//! The effective configuration as TOML, and positions in TOML text.
//!
//! Works line by line on text whose form is simple: headers, `key = value`, comments. Only for showing; values are
//! always read by a real parser.

use figment::value::Value;

use super::{BY_DEFAULT, Config, DEFAULT_TOML};

/// Shown in place of a secret.
const HIDDEN: &str = "\"(hidden)\"";

/// What a line of TOML is.
enum Line<'a> {
    Header(String),
    Key { name: String, value: &'a str },
    Other,
}

fn line(text: &str) -> Line<'_> {
    let trimmed = text.trim();
    if let Some(header) = trimmed.strip_prefix('[').and_then(|h| h.split_once(']')) {
        return Line::Header(header.0.trim().trim_matches('"').to_owned());
    }
    match trimmed.split_once('=') {
        Some((name, value)) if !trimmed.starts_with('#') => Line::Key {
            name: name.trim().trim_matches('"').to_owned(),
            value: value.trim(),
        },
        _ => Line::Other,
    }
}

/// Line (from 1) at which TOML text sets `key`, or else opens its section.
pub(super) fn line_of(text: &str, key: &str) -> Option<usize> {
    let mut section = String::new();
    let mut header = None;
    for (at, text) in text.lines().enumerate() {
        match line(text) {
            Line::Header(name) => {
                if name == key || key.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.')) {
                    header = Some(at + 1);
                }
                section = name;
            }
            Line::Key { name, .. } if joined(&section, &name) == key => return Some(at + 1),
            Line::Key { .. } | Line::Other => {}
        }
    }
    header
}

fn joined(section: &str, name: &str) -> String {
    if section.is_empty() {
        name.to_owned()
    } else {
        format!("{section}.{name}")
    }
}

/// True for keys whose values must not be shown.
fn is_secret(key: &str) -> bool {
    let name = key.rsplit_once("properties.").map(|(_, name)| name);
    name.is_some_and(|n| {
        ["password", "secret", "pem", "token", "jaas", "oauthbearer.config"]
            .iter()
            .any(|s| n.contains(s))
    })
}

/// A value as errors quote it.
pub(super) fn shown(key: &str, value: &Value) -> String {
    if is_secret(key) {
        return HIDDEN.into();
    }
    match toml::Value::try_from(value) {
        Ok(value) => short(literal(key, &value)),
        Err(_) => "?".into(),
    }
}

fn short(text: String) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

/// A value as a TOML literal on one line.
pub(super) fn literal(key: &str, value: &toml::Value) -> String {
    match value {
        _ if is_secret(key) => HIDDEN.into(),
        toml::Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|v| literal(key, v)).collect();
            format!("[{}]", items.join(", "))
        }
        toml::Value::Table(table) if table.is_empty() => "{}".into(),
        toml::Value::Table(table) => {
            let of = |(name, v): (&String, &toml::Value)| {
                format!("{} = {}", quoted(name), literal(&joined(key, name), v))
            };
            format!("{{ {} }}", table.iter().map(of).collect::<Vec<_>>().join(", "))
        }
        // What was read into 32 bits is shown with the digits of 32 bits: 0.85, not 0.8500000238418579.
        toml::Value::Float(n) if f64::from(*n as f32) == *n => format!("{:?}", *n as f32),
        other => other.to_string(),
    }
}

fn quoted(name: &str) -> String {
    let bare = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare {
        name.to_owned()
    } else {
        toml::Value::from(name).to_string()
    }
}

/// The default file with the effective values put in; a value from elsewhere says from where.
pub(super) fn render(config: &Config, origin: impl Fn(&str) -> String) -> String {
    // Settings are plain structs of TOML's own types; a test holds that they serialise.
    let effective = toml::Value::try_from(config).unwrap_or(toml::Value::Boolean(false));
    let mut out = String::with_capacity(DEFAULT_TOML.len() + 1_024);
    let mut section = String::new();
    let mut lines = DEFAULT_TOML.lines();
    while let Some(text) = lines.next() {
        match line(text) {
            Line::Header(name) => section = name,
            Line::Key { name, value } => {
                // A list over many lines ends where its brackets do.
                let mut open = brackets(value);
                while open > 0 {
                    open += lines.next().map_or(-open, brackets);
                }
                let key = joined(&section, &name);
                if let Some(value) = key.split('.').try_fold(&effective, |at, part| at.get(part)) {
                    out += &format!("{} = {}", quoted(&name), literal(&key, value));
                    match origin(&key) {
                        from if from == BY_DEFAULT => out.push('\n'),
                        from => out += &format!("  # from {from}\n"),
                    }
                    continue;
                }
            }
            Line::Other => {}
        }
        out += text;
        out.push('\n');
    }
    out
}

/// Brackets that a line opens minus those that it closes; texts with brackets are not expected in lists.
fn brackets(text: &str) -> i32 {
    let code = text.split('#').next().unwrap_or_default();
    code.bytes()
        .map(|b| i32::from(matches!(b, b'[' | b'{')) - i32::from(matches!(b, b']' | b'}')))
        .sum()
}
