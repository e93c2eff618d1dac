//! The walls of the house, read from the source text: who may know whom, and what the core must never touch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The rooms of the core and those that each may name (DESIGN section 2; what one may know, its own readers may too).
/// `state` is a leaf: one plain struct by which rooms hand out records. `graph` also knows `text`, which stands before it:
/// titles are compared by their words.
const CORE: [(&str, &[&str]); 12] = [
    ("event", &[]),
    ("state", &[]),
    ("text", &["event"]),
    ("embed", &["event", "text"]),
    ("graph", &["event", "text"]),
    ("fold", &["event", "text", "embed", "graph", "state"]),
    ("distill", &["event", "text", "graph", "state"]),
    ("consolidate", &["event", "graph", "state"]),
    ("intent", &["event", "text", "graph", "state"]),
    ("index", &["event", "text", "embed", "graph"]),
    ("recall", &["event", "text", "embed", "graph", "index", "distill"]),
    (
        "space",
        &[
            "event",
            "state",
            "text",
            "embed",
            "graph",
            "fold",
            "distill",
            "consolidate",
            "intent",
            "index",
            "recall",
        ],
    ),
];

/// What the core must not name, and why.
const FORBIDDEN: [(&str, &str); 12] = [
    (r"\btokio\b", "the core is synchronous: no async runtime"),
    (
        r"\basync\s+fn\b|\.await\b",
        "the core is synchronous: no async code",
    ),
    (r"\brdkafka\b", "the core knows no broker"),
    (r"\bsled\b", "the core knows no disk"),
    (
        r"\bSystemTime\b|\bInstant\b|\b(Utc|Local)::now\b",
        "time is an argument: no wall clock",
    ),
    (
        r"\brand::|\brandom\(|\bthread_rng\b|\bgetrandom\b|\bfastrand\b|\bRandomState\b",
        "no randomness: replay must give the same state",
    ),
    (
        r"\bstd::fs\b|\bstd::\{[^}]*\bfs\b|\bFile::(open|create)\b",
        "the core knows no disk",
    ),
    (
        r"\bstd::net\b|\bstd::\{[^}]*\bnet\b|\bureq\b",
        "the core knows no network",
    ),
    (
        r"\bstd::thread\b|\bstd::\{[^}]*\bthread\b|\bthread::spawn\b",
        "the core starts no threads",
    ),
    (
        r"\bstd::process\b|\bstd::env\b|\benv::var\b",
        "the core knows no process and no environment",
    ),
    (
        r"\bcollections::HashMap\b|\bcollections::HashSet\b|\bcollections::hash_map\b|\bcollections::\{[^}]*\bHash(Map|Set)\b",
        "std's hash tables iterate in random order: use BTreeMap, or FxHashMap for look-ups alone",
    ),
    (r"\bprintln!|\beprintln!|\bdbg!", "the core prints nothing"),
];

/// Files of core rooms that are edges by purpose: the embedder that speaks HTTP.
const EDGES: [&str; 1] = ["src/embed/http.rs"];

const MAX_LINES: usize = 600;

struct Source {
    /// From the root of the repository, such as `src/graph/mod.rs`.
    path: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    paths.sort();
    let read = |p: PathBuf| Source {
        path: p
            .strip_prefix(root)
            .expect("below the root")
            .display()
            .to_string(),
        text: std::fs::read_to_string(&p).expect("a readable file"),
    };
    paths.into_iter().map(read).collect()
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

impl Source {
    /// The room of the core that the file belongs to.
    fn core_room(&self) -> Option<&'static str> {
        let first = self.path.strip_prefix("src/")?.split('/').next()?;
        let name = first.strip_suffix(".rs").unwrap_or(first);
        CORE.iter().map(|(room, _)| *room).find(|room| *room == name)
    }

    /// Files that hold only tests.
    fn is_test(&self) -> bool {
        self.path.contains("/tests/")
            || ["tests.rs", "_tests.rs", "test_support.rs"]
                .iter()
                .any(|end| self.path.ends_with(end))
    }

    /// The code that is shipped, with the same line numbers: comments and inline test modules are blank.
    fn shipped(&self) -> String {
        let lines: Vec<&str> = self.text.lines().collect();
        let test_module = Regex::new(r"^(pub(\(\w+\))? )?mod \w+ \{").expect("a pattern");
        let end = (0..lines.len())
            .find(|n| {
                lines[*n].trim() == "#[cfg(test)]"
                    && lines.get(n + 1).is_some_and(|l| test_module.is_match(l))
            })
            .unwrap_or(lines.len());
        let code = lines[..end]
            .iter()
            .map(|l| if l.trim_start().starts_with("//") { "" } else { *l });
        code.collect::<Vec<_>>().join("\n")
    }
}

/// `path:line` of an offset.
fn place(source: &Source, code: &str, at: usize) -> String {
    format!("{}:{}", source.path, code[..at].matches('\n').count() + 1)
}

fn report(broken: Vec<String>) {
    assert!(
        broken.is_empty(),
        "{} walls are broken:\n{}\n",
        broken.len(),
        broken.join("\n")
    );
}

#[test]
fn the_core_touches_no_runtime_disk_network_clock_or_chance() {
    let rules: Vec<(Regex, &str)> = FORBIDDEN
        .iter()
        .map(|(p, why)| (Regex::new(p).expect("a pattern"), *why))
        .collect();
    let mut broken = Vec::new();
    for s in sources()
        .iter()
        .filter(|s| s.core_room().is_some() && !s.is_test() && !EDGES.contains(&s.path.as_str()))
    {
        let code = s.shipped();
        for (rule, why) in &rules {
            for hit in rule.find_iter(&code) {
                broken.push(format!(
                    "{}: `{}`: {why}",
                    place(s, &code, hit.start()),
                    hit.as_str()
                ));
            }
        }
    }
    report(broken);
}

#[test]
fn a_room_of_the_core_names_only_the_rooms_that_it_may_know() {
    let allowed: BTreeMap<&str, &[&str]> = CORE.into_iter().collect();
    let direct = Regex::new(r"\bcrate::(\w+)").expect("a pattern");
    let group = Regex::new(r"\bcrate::\{([^;]*?)\};").expect("a pattern");
    let name = Regex::new(r"(?:^|[{,])\s*(\w+)").expect("a pattern");
    let mut broken = Vec::new();
    for s in sources().iter().filter(|s| !s.is_test()) {
        let Some(room) = s.core_room() else { continue };
        let code = s.shipped();
        let mut named: Vec<(usize, String)> = direct
            .captures_iter(&code)
            .map(|c| (c.get(0).map_or(0, |m| m.start()), c[1].to_owned()))
            .collect();
        for g in group.captures_iter(&code) {
            // Only the outermost names of `use crate::{a::B, c}` are rooms.
            let (at, mut depth) = (g.get(0).map_or(0, |m| m.start()), 0);
            let outer: String = g[1]
                .chars()
                .filter(|c| {
                    depth += i32::from(*c == '{') - i32::from(*c == '}');
                    depth == 0
                })
                .collect();
            named.extend(name.captures_iter(&outer).map(|n| (at, n[1].to_owned())));
        }
        for (at, other) in named {
            if other != room && !allowed[room].contains(&other.as_str()) {
                broken.push(format!(
                    "{}: `{room}` names `{other}`; it may know only {:?}",
                    place(s, &code, at),
                    allowed[room]
                ));
            }
        }
    }
    report(broken);
}

#[test]
fn every_file_says_first_what_it_is_for() {
    let silent = sources()
        .into_iter()
        .filter(|s| !s.text.trim_start().starts_with("//!"));
    report(
        silent
            .map(|s| format!("{}:1: opens without `//!`", s.path))
            .collect(),
    );
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let lines = |s: &Source| s.text.lines().count();
    let long = sources().into_iter().filter(|s| lines(s) > MAX_LINES);
    report(
        long.map(|s| {
            format!(
                "{}:{}: more than {MAX_LINES} lines; part it by noun",
                s.path,
                lines(&s)
            )
        })
        .collect(),
    );
}

#[test]
fn the_rules_see_what_they_are_for() {
    let s = Source {
        path: "src/graph/x.rs".into(),
        text: "//! tokio in a comment\nuse std::collections::{BTreeMap, HashMap};\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n".into(),
    };
    assert_eq!(s.core_room(), Some("graph"));
    let code = s.shipped();
    let hits: Vec<String> = FORBIDDEN
        .iter()
        .flat_map(|(p, _)| {
            Regex::new(p)
                .unwrap()
                .find_iter(&code)
                .map(|m| place(&s, &code, m.start()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(hits, ["src/graph/x.rs:2"]);
}
