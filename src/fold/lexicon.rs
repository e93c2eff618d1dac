//! Which events hold a term, and the vectors of the words in use.
//!
//! Terms and words are numbered at first use, so that comparisons look things up by position and
//! not by hash. Numbers never leave memory, and nothing here or elsewhere depends on their order:
//! after a restart they may differ. Lists are in order of arrival, so the newest holders stand last.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::features::{Features, Rarity, TermKey};
use super::slot::Slot;
use crate::embed::WordVector;

/// Holders up to which the inverse frequency is kept ready.
const READY: usize = 64;

/// A term of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Term {
    pub key: TermKey,
    /// Its number in the lexicon.
    pub no: u32,
    pub rarity: Rarity,
}

/// Terms (by key) and words (in reading order) of an event, with their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbered {
    pub terms: Box<[Term]>,
    pub words: Box<[(u32, Rarity)]>,
}

/// Document frequencies, postings and word vectors of one space.
#[derive(Debug)]
pub(super) struct Lexicon {
    numbers: FxHashMap<TermKey, u32>,
    holders: Vec<Vec<u32>>,
    free: Vec<u32>,
    word_numbers: FxHashMap<u32, u32>,
    words: Vec<InUse>,
    free_words: Vec<u32>,
    events: u32,
    /// Inverse frequency by number of holders.
    ready: Box<[f32; READY]>,
}

#[derive(Debug, Default)]
struct InUse {
    events: u32,
    key: u32,
    vector: Option<Arc<WordVector>>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            holders: Vec::new(),
            free: Vec::new(),
            word_numbers: FxHashMap::default(),
            words: Vec::new(),
            free_words: Vec::new(),
            events: 0,
            ready: Box::new([0.0; READY]),
        }
    }
}

impl Lexicon {
    /// Counts an event in; its terms (by key) and words (in reading order) with their numbers.
    /// `slot` must be higher than all that were added before. Cost: the event's terms and words.
    pub fn add(&mut self, slot: u32, f: &Features) -> Numbered {
        self.events += 1;
        self.make_ready();
        let terms = f.terms.iter().map(|&(key, rarity)| {
            let no = *self.numbers.entry(key).or_insert_with(|| match self.free.pop() {
                Some(no) => no,
                None => {
                    self.holders.push(Vec::new());
                    self.holders.len() as u32 - 1
                }
            });
            self.holders[no as usize].push(slot);
            Term { key, no, rarity }
        });
        let terms = terms.collect();
        let words = f.words.iter().map(|w| {
            let no = *self
                .word_numbers
                .entry(w.key)
                .or_insert_with(|| match self.free_words.pop() {
                    Some(no) => no,
                    None => {
                        self.words.push(InUse::default());
                        self.words.len() as u32 - 1
                    }
                });
            let word = &mut self.words[no as usize];
            if word.events == 0 {
                word.key = w.key;
                word.vector = w.vector.clone();
            }
            word.events += 1;
            (no, w.rarity)
        });
        Numbered {
            terms,
            words: words.collect(),
        }
    }

    /// Cost: the event's terms, and for each the length of its list.
    pub fn remove(&mut self, slot: u32, s: &Slot) {
        self.events -= 1;
        self.make_ready();
        for t in &s.terms {
            let list = &mut self.holders[t.no as usize];
            if let Ok(at) = list.binary_search(&slot) {
                list.remove(at);
            }
            if list.is_empty() {
                self.numbers.remove(&t.key);
                self.free.push(t.no);
            }
        }
        for (no, _) in &s.words {
            let word = &mut self.words[*no as usize];
            word.events -= 1;
            if word.events == 0 {
                self.word_numbers.remove(&word.key);
                *word = InUse::default();
                self.free_words.push(*no);
            }
        }
    }

    /// Events that hold a term, in order of arrival.
    pub fn holders(&self, t: TermKey) -> &[u32] {
        self.numbers.get(&t).map_or(&[], |no| self.holders_of(*no))
    }

    /// As [`Lexicon::holders`], by number.
    pub fn holders_of(&self, no: u32) -> &[u32] {
        self.holders.get(no as usize).map_or(&[], Vec::as_slice)
    }

    /// Vector of a word by its number.
    pub fn vector(&self, word: u32) -> Option<&WordVector> {
        self.words.get(word as usize)?.vector.as_deref()
    }

    /// ln(1 + events / holders), by number.
    pub fn idf_of(&self, no: u32) -> f32 {
        self.idf_at(self.holders_of(no).len())
    }

    fn idf_at(&self, holders: usize) -> f32 {
        match self.ready.get(holders) {
            Some(idf) => *idf,
            None => (self.events as f32 / holders as f32).ln_1p(),
        }
    }

    fn make_ready(&mut self) {
        for (holders, idf) in self.ready.iter_mut().enumerate() {
            *idf = (self.events as f32 / holders.max(1) as f32).ln_1p();
        }
    }
}
