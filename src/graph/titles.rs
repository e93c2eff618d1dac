//! Which concepts have nearly the same title: a posting list of title words, and a strict comparison.
//!
//! Titles are alike when their letter pairs agree (Dice) *and* every word of one has its counterpart in the
//! other: the same word, or the same up to an ending. A word that holds a digit, or a capital that is not the
//! first letter of the title, must be the same: numbers, dates and names that differ forbid it (DESIGN, invariant 7).
//! Knows no language.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::model::NodeIx;

/// Words of a title that are looked at.
const MAX_WORDS: usize = 16;

#[derive(Default)]
pub(super) struct Titles {
    postings: FxHashMap<Box<str>, BTreeSet<NodeIx>>,
}

impl Titles {
    pub fn add(&mut self, ix: NodeIx, title: &str) {
        for word in words(title) {
            self.postings.entry(word.lower.into()).or_default().insert(ix);
        }
    }

    pub fn remove(&mut self, ix: NodeIx, title: &str) {
        for word in words(title) {
            if let Some(list) = self.postings.get_mut(word.lower.as_str()) {
                list.remove(&ix);
                if list.is_empty() {
                    self.postings.remove(word.lower.as_str());
                }
            }
        }
    }

    /// Concepts that share a word with `title`; at most `each` for a word, newest first. Sorted, each once.
    pub fn candidates(&self, title: &str, each: usize) -> BTreeSet<NodeIx> {
        words(title)
            .iter()
            .filter_map(|w| self.postings.get(w.lower.as_str()))
            .flat_map(|list| list.iter().rev().take(each).copied())
            .collect()
    }
}

struct Word {
    lower: String,
    /// Holds a digit, or a capital within the title: a number or a name.
    exact: bool,
}

fn words(title: &str) -> Vec<Word> {
    title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .take(MAX_WORDS)
        .enumerate()
        .map(|(i, w)| Word {
            lower: w.to_lowercase(),
            exact: w.chars().any(char::is_numeric)
                || w.chars().skip(usize::from(i == 0)).any(char::is_uppercase),
        })
        .collect()
}

/// Similarity of two titles, 0 to 1; 0 when a word, number or name of one has no counterpart in the other.
pub(super) fn similarity(a: &str, b: &str) -> f32 {
    let (wa, wb) = (words(a), words(b));
    if wa.is_empty() || wa.len() != wb.len() {
        return 0.0;
    }
    let mut free: Vec<&Word> = wb.iter().collect();
    let mut rest: Vec<&Word> = Vec::new();
    for word in &wa {
        match free.iter().position(|w| w.lower == word.lower) {
            Some(i) => {
                free.swap_remove(i);
            }
            None => rest.push(word),
        }
    }
    for word in rest {
        match free.iter().position(|w| same_but_ending(word, w)) {
            Some(i) => {
                free.swap_remove(i);
            }
            None => return 0.0,
        }
    }
    dice(&wa, &wb)
}

/// At least four letters and three quarters of the longer word agree from the start.
fn same_but_ending(a: &Word, b: &Word) -> bool {
    if a.exact || b.exact {
        return false;
    }
    let common = a
        .lower
        .chars()
        .zip(b.lower.chars())
        .take_while(|(x, y)| x == y)
        .count();
    let longer = a.lower.chars().count().max(b.lower.chars().count());
    common >= 4 && common * 4 >= longer * 3
}

/// Sorensen-Dice coefficient over letter pairs within words, a word's borders counted as letters.
fn dice(a: &[Word], b: &[Word]) -> f32 {
    let (pa, pb) = (pairs(a), pairs(b));
    let total: usize = pa.values().sum::<usize>() + pb.values().sum::<usize>();
    let both: usize = pa
        .iter()
        .map(|(pair, n)| (*n).min(pb.get(pair).copied().unwrap_or(0)))
        .sum();
    if total == 0 {
        0.0
    } else {
        2.0 * both as f32 / total as f32
    }
}

fn pairs(words: &[Word]) -> BTreeMap<(char, char), usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        let mut last = ' ';
        for c in word.lower.chars().chain(std::iter::once(' ')) {
            *counts.entry((last, c)).or_insert(0) += 1;
            last = c;
        }
    }
    counts
}
