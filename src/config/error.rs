//! What is wrong with the configuration: which key, from where, which value, what is allowed.

use std::fmt;

use figment::error::{Actual, Kind};

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// `section.key`; empty when the fault lies in a whole file.
    pub key: String,
    /// The value as it was given; hidden for secrets.
    pub value: Option<String>,
    /// Where it came from: a file with its line, an environment variable, a flag.
    pub origin: String,
    /// What is wrong and what would be accepted.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.key.as_str(), &self.value) {
            ("", _) => write!(f, "{}: {}", self.origin, self.reason),
            (key, Some(value)) => {
                write!(f, "{key} = {value} (from {}): {}", self.origin, self.reason)
            }
            (key, None) => write!(f, "{key} (from {}): {}", self.origin, self.reason),
        }
    }
}

/// The configuration cannot be used. Nothing was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// At least one, in the order of the sections.
    pub problems: Vec<Problem>,
}

impl ConfigError {
    pub(super) fn one(
        key: &str,
        value: Option<String>,
        origin: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        let problem = Problem {
            key: key.into(),
            value,
            origin: origin.into(),
            reason: reason.into(),
        };
        ConfigError {
            problems: vec![problem],
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used:")?;
        self.problems.iter().try_for_each(|p| write!(f, "\n  {p}"))
    }
}

impl std::error::Error for ConfigError {}

/// Key and reason out of an error of the deserialiser.
pub(super) fn explain(path: &[String], kind: &Kind) -> (String, String) {
    let key = path.join(".");
    match kind {
        Kind::UnknownField(field, known) => {
            // The path ends with the field itself, unless the section is one that has no keys at all.
            let section = match path.split_last() {
                Some((last, above)) if last == field => above.join("."),
                _ => key,
            };
            let full = if section.is_empty() {
                field.clone()
            } else {
                format!("{section}.{field}")
            };
            let near = nearest(field, known).map(|n| {
                let full = if section.is_empty() {
                    n.to_owned()
                } else {
                    format!("{section}.{n}")
                };
                format!("; did you mean {full}?")
            });
            let mut known = known.to_vec();
            known.sort_unstable();
            let place = if section.is_empty() {
                "sections are".to_owned()
            } else {
                format!("[{section}] knows")
            };
            (
                full,
                format!(
                    "there is no such key{} {place} {}",
                    near.unwrap_or_else(|| ";".into()),
                    known.join(", ")
                ),
            )
        }
        Kind::UnknownVariant(given, known) => {
            let near = nearest(given, known)
                .map(|n| format!("; did you mean \"{n}\"?"))
                .unwrap_or_default();
            let known: Vec<_> = known.iter().map(|k| format!("\"{k}\"")).collect();
            (key, format!("allowed are {}{near}", known.join(", ")))
        }
        Kind::InvalidType(given, wanted) | Kind::InvalidValue(given, wanted) => (
            key,
            format!(
                "{} is needed, this is {}",
                plain_type(wanted),
                plain_actual(given)
            ),
        ),
        Kind::ISizeOutOfRange(_) | Kind::USizeOutOfRange(_) => (key, "the number is too large".into()),
        Kind::MissingField(field) => (key, format!("the key {field} is missing")),
        other => (key, other.to_string()),
    }
}

/// What the deserialiser wants, in words.
fn plain_type(wanted: &str) -> String {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number, 0 or more,".into(),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        "path string" => "a path (text)".into(),
        "a string" => "text".into(),
        "a map" => "a table of keys and values".into(),
        w if w.starts_with("struct ") => "a section with keys".into(),
        other => other.into(),
    }
}

fn plain_actual(given: &Actual) -> &'static str {
    match given {
        Actual::Bool(_) => "true or false",
        Actual::Unsigned(_) | Actual::Signed(_) => "a whole number outside of that",
        Actual::Float(_) => "a number with a fraction",
        Actual::Str(_) | Actual::Char(_) => "text",
        Actual::Seq => "a list",
        Actual::Map => "a table",
        _ => "something else",
    }
}

/// The known name that is nearest to a mistyped one, if any is near.
pub(super) fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |s: &str| s.to_ascii_lowercase().replace('-', "_");
    let given = plain(given);
    let near = known.iter().map(|k| (distance(&given, &plain(k)), *k)).min()?;
    // A third of the letters may be wrong; beyond that a guess misleads.
    (near.0 <= near.1.len().max(given.len()).div_ceil(3)).then_some(near.1)
}

/// Edits (insert, delete, replace, swap neighbours) that turn one text into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i.max(j)
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + same);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}
