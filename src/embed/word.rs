//! Vectors of single words, quantised once and shared.
//!
//! Streams repeat their words: the same few thousand make most of every event. So a word's vector
//! is worked out once, kept for as long as the word is in use, and lent to all who need it.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::FxHashMap;

use super::WordTable;
use super::dot::dot_i8;

/// Words kept in each of the two generations of the cache: about 12 MB in all.
const GENERATION: usize = 16_384;

/// The vector of one word in eight bits a component; a component is wrong by at most half a step
/// of the largest one divided by 127.
#[derive(Clone, Debug, PartialEq)]
pub struct WordVector {
    /// From -127 to 127.
    pub q: Box<[i8]>,
    /// The table's vector is `scale * q`.
    pub scale: f32,
    /// The unit vector is `unit * q`.
    pub unit: f32,
    /// The table has the word itself, not only pieces of it.
    pub whole: bool,
}

impl WordVector {
    /// `None` for a vector of zeros or of numbers that are none.
    pub fn of(vector: &[f32], whole: bool) -> Option<WordVector> {
        let top = vector.iter().fold(0f32, |m, x| m.max(x.abs()));
        if !(top.is_finite() && top > 0.0) {
            return None;
        }
        let q: Box<[i8]> = vector.iter().map(|x| (x * 127.0 / top).round() as i8).collect();
        Some(WordVector {
            scale: top / 127.0,
            unit: 1.0 / (dot_i8(&q, &q) as f32).sqrt().max(1.0),
            q,
            whole,
        })
    }

    /// Cosine with another word.
    pub fn cosine(&self, other: &WordVector) -> f32 {
        dot_i8(&self.q, &other.q) as f32 * (self.unit * other.unit)
    }

    /// Adds `weight` times the table's vector to `sum`.
    pub fn add_to(&self, sum: &mut [f32], weight: f32) {
        add(&self.q, sum, weight * self.scale);
    }

    /// Adds `weight` times the unit vector to `sum`.
    pub fn add_unit_to(&self, sum: &mut [f32], weight: f32) {
        add(&self.q, sum, weight * self.unit);
    }
}

fn add(q: &[i8], sum: &mut [f32], weight: f32) {
    sum.iter_mut()
        .zip(q)
        .for_each(|(s, x)| *s += weight * f32::from(*x));
}

type Generation = FxHashMap<Box<str>, Option<Arc<WordVector>>>;

/// A table that remembers the words last asked for. Says exactly what the table says.
pub struct CachedTable {
    table: Arc<dyn WordTable>,
    words: RwLock<[Generation; 2]>,
}

impl CachedTable {
    pub fn new(table: Arc<dyn WordTable>) -> CachedTable {
        CachedTable {
            table,
            words: RwLock::default(),
        }
    }
}

impl WordTable for CachedTable {
    fn dim(&self) -> usize {
        self.table.dim()
    }

    fn vector(&self, lower: &str, out: &mut [f32]) -> bool {
        self.table.vector(lower, out)
    }

    fn knows(&self, lower: &str) -> bool {
        self.table.knows(lower)
    }

    fn word(&self, lower: &str) -> Option<Arc<WordVector>> {
        if let Some(known) = self.words.read()[0].get(lower) {
            return known.clone();
        }
        let older = self.words.read()[1].get(lower).cloned();
        let word = older.unwrap_or_else(|| self.table.word(lower));
        let mut words = self.words.write();
        if words[0].len() >= GENERATION {
            // What was not asked for since the last turn goes.
            words[1] = std::mem::take(&mut words[0]);
        }
        words[0].insert(lower.into(), word.clone());
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::table::tests::table;

    #[test]
    fn a_quantised_word_is_the_tables_within_a_hundredth() {
        let v = [0.5, -0.25, 0.125, 0.0];
        let word = WordVector::of(&v, true).expect("it has a direction");
        let (mut raw, mut unit) = ([0.0; 4], [0.0; 4]);
        word.add_to(&mut raw, 2.0);
        word.add_unit_to(&mut unit, 1.0);
        let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
        for i in 0..4 {
            assert!((raw[i] - 2.0 * v[i]).abs() < 0.01, "{raw:?}");
            assert!((unit[i] - v[i] / length).abs() < 0.01, "{unit:?}");
        }
        assert!((word.cosine(&word) - 1.0).abs() < 1e-5);
        assert_eq!(WordVector::of(&[0.0; 4], true), None);
        assert_eq!(WordVector::of(&[f32::NAN], true), None);
    }

    #[test]
    fn the_cache_says_what_the_table_says_and_stays_bounded() {
        let plain = Arc::new(table(&[("cat", [6, 8]), ("ca", [3, 0])]));
        let cached = CachedTable::new(plain.clone());
        for word in ["cat", "cax", "zzz", "cat"] {
            assert_eq!(cached.word(word), plain.word(word), "{word}");
        }
        for i in 0..3 * GENERATION {
            cached.word(&format!("ca{i}"));
        }
        assert_eq!(cached.word("cat"), plain.word("cat"));
        let kept: usize = cached.words.read().iter().map(FxHashMap::len).sum();
        assert!(kept <= 2 * GENERATION, "{kept}");
    }
}
