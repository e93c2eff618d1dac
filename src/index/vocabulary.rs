//! The words of a space with their vectors: what a query term may be expanded to.
//!
//! Only words the table knows are kept, so the table's size bounds this one's.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::doc::DocWord;
use super::rows::Chunked;
use crate::embed::WordVector;

/// A word of the space; `None` where the last event that had it was erased.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub stem: Arc<str>,
    pub vector: Arc<WordVector>,
}

/// The writer's side: counts.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    counts: FxHashMap<Box<str>, (u32, u32)>,
    free: BTreeSet<u32>,
    pub words: Words,
}

/// Readers' side, in order of first appearance.
pub(crate) type Words = Chunked<Option<Arc<Slot>>>;

impl Vocabulary {
    pub fn add(&mut self, word: DocWord) {
        if let Some((_, count)) = self.counts.get_mut(&word.lower) {
            *count += 1;
            return;
        }
        let slot = Some(Arc::new(Slot {
            stem: word.stem,
            vector: word.vector,
        }));
        let number = match self.free.pop_first() {
            Some(i) => {
                if let Some(place) = self.words.get_mut(i) {
                    *place = slot;
                }
                i
            }
            None => {
                self.words.push(slot);
                self.words.len() as u32 - 1
            }
        };
        self.counts.insert(word.lower, (number, 1));
    }

    pub fn remove(&mut self, lower: &str) {
        let Some((slot, count)) = self.counts.get_mut(lower) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            let slot = *slot;
            self.counts.remove(lower);
            if let Some(place) = self.words.get_mut(slot) {
                *place = None;
            }
            self.free.insert(slot);
        }
    }
}

/// For each vector the `limit` nearest words with a cosine above `least`, among the first `scan`
/// words: (cosine, stem), best first. One pass over the words for all queries.
pub(crate) fn nearest(
    words: &Words,
    queries: &[Arc<WordVector>],
    least: f32,
    limit: usize,
    scan: usize,
) -> Vec<Vec<(f32, Arc<str>)>> {
    let mut best: Vec<Vec<(f32, &Arc<str>)>> = vec![Vec::with_capacity(limit + 1); queries.len()];
    for slot in words.iter().take(scan).flatten() {
        for (query, best) in queries.iter().zip(&mut best) {
            let cosine = query.cosine(&slot.vector);
            if cosine > least && (best.len() < limit || best.last().is_some_and(|b| cosine > b.0)) {
                let at = best.partition_point(|b| b.0 >= cosine);
                best.insert(at, (cosine, &slot.stem));
                best.truncate(limit);
            }
        }
    }
    let owned = |b: Vec<(f32, &Arc<str>)>| b.into_iter().map(|(c, s)| (c, s.clone())).collect();
    best.into_iter().map(owned).collect()
}
