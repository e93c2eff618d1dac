//! Which of the best hits replaces which: newer, marked as a change, about the same thing.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;

use crate::index::{Entry, IndexView};
use crate::text::{Section, words};

/// Best hits that are compared with one another.
const COMPARED: usize = 6;

static CHANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: now | instead | moved? | moving | changed? | changes | no\ longer | any\ ?more | replac\w+ | updated? | switch\w*
        | postponed | brought\ forward | push(?:ed)?\ back | revised | raised | rais\w+ | cut\ to | lowered | increased? | reduced
        | actually | correction | t(?:akes|ook|aking)\ over | hand(?:s|ed|ing)\ over | resched\w+ | shift(?:ed|s)? | delayed
        | up\ from | down\ from | rather\ than | not\ .{1,30}\ but | new | became | becomes | extended | slipp?ed | settled
        | ya\ no | ahora | cambi\w+ | en\ lugar\ de | statt | jetzt | nicht\ mehr | verschoben | neu(?:e|er|es)? | maintenant
        | désormais | remplac\w+ )\b | 変更 | 新しい | もう",
    )
    .expect("a test compiles the pattern")
});

/// A newer event that replaces an older one, by position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub older: u32,
    pub newer: u32,
    /// Cosine plus share of common terms, 0 to 2.
    pub closeness: f32,
}

/// Pairs among the best of `order`, those of better rank first. `closeness`: least cosine of the events
/// plus share of common terms. Cost: a few analyses of short texts.
pub(crate) fn changes(view: &IndexView, order: &[(u32, f32)], closeness: f32) -> Vec<Change> {
    let best: Vec<(u32, &Entry, FxHashSet<Box<str>>)> = order
        .iter()
        .take(COMPARED)
        .filter_map(|(pos, _)| {
            let entry = view.row(*pos)?.entry.as_ref()?;
            Some((*pos, &**entry, terms(entry)))
        })
        .collect();
    let mut out = Vec::new();
    for (i, a) in best.iter().enumerate() {
        for b in &best[i + 1..] {
            let (older, newer) = if a.1.event.time <= b.1.event.time {
                (a, b)
            } else {
                (b, a)
            };
            let close = if older.1.event.time < newer.1.event.time {
                closeness_of(newer, older)
            } else {
                0.0
            };
            if close > closeness && is_change(newer.1) {
                out.push(Change {
                    older: older.0,
                    newer: newer.0,
                    closeness: close,
                });
            }
        }
    }
    out
}

type Seen<'a> = (u32, &'a Entry, FxHashSet<Box<str>>);

fn closeness_of(newer: &Seen<'_>, older: &Seen<'_>) -> f32 {
    let shared = newer.2.intersection(&older.2).count() as f32;
    let share = shared / newer.2.len().min(older.2.len()).max(1) as f32;
    if shared > 0.0 {
        newer.1.vector.cosine(&older.1.vector) + share
    } else {
        0.0
    }
}

fn is_change(entry: &Entry) -> bool {
    let e = &entry.event;
    CHANGE.is_match(&e.text) || e.title.as_deref().is_some_and(|t| CHANGE.is_match(t))
}

fn terms(entry: &Entry) -> FxHashSet<Box<str>> {
    let end = entry
        .event
        .text
        .char_indices()
        .nth(2_000)
        .map_or(entry.event.text.len(), |c| c.0);
    let all = words(&entry.event.text[..end], Section::Text);
    all.into_iter().filter(|w| !w.stop).map(|w| w.stem).collect()
}

/// Lifts each newer event just above the older one it replaces.
pub(crate) fn newest_first(order: &mut Vec<(u32, f32)>, changes: &[Change]) {
    for c in changes {
        let at = |o: &[(u32, f32)], p: u32| o.iter().position(|x| x.0 == p);
        if let (Some(older), Some(newer)) = (at(order, c.older), at(order, c.newer))
            && newer > older
        {
            let mut moved = order.remove(newer);
            moved.1 = order[older].1;
            order.insert(older, moved);
        }
    }
}
