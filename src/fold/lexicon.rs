//! Which events hold a term, and the vectors of the words in use.
//!
//! Lists are in order of arrival, so the newest holders stand last. Nothing here depends on the
//! order of a hash map.

use rustc_hash::FxHashMap;

use super::features::{Features, SoftWord, TermKey};
use super::slot::Slot;
use super::vector::Quantised;

/// Document frequencies, postings and word vectors of one space.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    holders: FxHashMap<TermKey, Vec<u32>>,
    words: FxHashMap<u32, InUse>,
    events: u32,
}

#[derive(Debug)]
struct InUse {
    events: u32,
    vector: Quantised,
}

impl Lexicon {
    /// `slot` must be higher than all that were added before.
    pub fn add(&mut self, slot: u32, f: &Features) {
        self.events += 1;
        for (t, _) in &f.terms {
            self.holders.entry(*t).or_default().push(slot);
        }
        for SoftWord { key, vector, .. } in &f.words {
            self.words
                .entry(*key)
                .or_insert_with(|| InUse {
                    events: 0,
                    vector: vector.clone(),
                })
                .events += 1;
        }
    }

    /// Cost: the event's terms, and for each the length of its list.
    pub fn remove(&mut self, slot: u32, s: &Slot) {
        self.events -= 1;
        for (t, _) in &s.terms {
            if let Some(list) = self.holders.get_mut(t) {
                if let Ok(at) = list.binary_search(&slot) {
                    list.remove(at);
                }
                if list.is_empty() {
                    self.holders.remove(t);
                }
            }
        }
        for (key, _) in &s.words {
            if let Some(w) = self.words.get_mut(key) {
                w.events -= 1;
                if w.events == 0 {
                    self.words.remove(key);
                }
            }
        }
    }

    pub fn holders(&self, t: TermKey) -> &[u32] {
        self.holders.get(&t).map_or(&[], Vec::as_slice)
    }

    pub fn vector(&self, word: u32) -> Option<&Quantised> {
        self.words.get(&word).map(|w| &w.vector)
    }

    /// ln(1 + events / holders).
    pub fn idf(&self, t: TermKey) -> f32 {
        let df = self.holders(t).len().max(1) as f32;
        (self.events as f32 / df).ln_1p()
    }
}
