//! The stand-in that needs no table: feature hashing of words and character n-grams.
//!
//! Guarantees: deterministic, on every machine and in every version (its hash is written out
//! here); always marked as degraded. It sees spelling only: "bike" and "bicycle" have little in
//! common, "invoice" and "invoices" much. Must not know tables, models or I/O.

use super::vector::{add_scaled, to_unit};
use super::{EmbedError, Embedder, EmbedderInfo, WordTable};
use crate::text::{self, Section};

/// Dimensions: at 256 two unrelated words of some 20 features have cosines of about +-.06.
pub const HASHED_DIM: usize = 256;
/// Character n-grams of a word between its two edge marks.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;
/// A word itself counts as much as several of its n-grams: equal words matter more than similar ones.
const WORD_WEIGHT: f32 = 3.0;
/// Hashed vectors of texts and of words. See the module's head.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hashed;

impl Hashed {
    fn add_word(word: &str, out: &mut [f32]) {
        let marked: Vec<char> = std::iter::once('<')
            .chain(word.chars())
            .chain(std::iter::once('>'))
            .collect();
        add_feature(&marked, WORD_WEIGHT, out);
        for gram in GRAMS.flat_map(|len| marked.windows(len)) {
            add_feature(gram, 1.0, out);
        }
    }
}

impl Embedder for Hashed {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            name: "gyrus-hashed-1".into(),
            dim: HASHED_DIM,
            degraded: true,
        }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let of_text = |text: &&str| {
            let mut sum = vec![0.0; HASHED_DIM];
            let mut word_vector = [0.0; HASHED_DIM];
            for word in text::words(text, Section::Text).iter().filter(|word| !word.stop) {
                self.vector(&word.lower, &mut word_vector);
                // Unit words: a long word must not outweigh a short one.
                to_unit(&mut word_vector);
                add_scaled(&mut sum, 1.0, &word_vector);
            }
            to_unit(&mut sum);
            sum
        };
        Ok(texts.iter().map(of_text).collect())
    }
}

impl WordTable for Hashed {
    fn dim(&self) -> usize {
        HASHED_DIM
    }

    fn vector(&self, lower: &str, out: &mut [f32]) -> bool {
        out.fill(0.0);
        if !lower.is_empty() {
            Self::add_word(lower, out);
        }
        !lower.is_empty()
    }

    /// Never: spelling is not meaning, so nothing may be expanded from it.
    fn knows(&self, _lower: &str) -> bool {
        false
    }
}

/// Adds `weight` to the dimension that the feature hashes to, with a hashed sign.
fn add_feature(chars: &[char], weight: f32, out: &mut [f32]) {
    let hash = fnv1a(chars);
    // The low bits choose the place, the top bit the sign, so that the two are independent.
    let place = (hash % HASHED_DIM as u64) as usize;
    out[place] += if hash >> 63 == 0 { weight } else { -weight };
}

/// FNV-1a over the characters' code points, with the finalizer of MurmurHash3: FNV alone leaves
/// the low bits of short inputs alike. Written out because a library's hash may change.
fn fnv1a(chars: &[char]) -> u64 {
    let bytes = chars.iter().flat_map(|c| u32::from(*c).to_le_bytes());
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    for multiplier in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(multiplier);
    }
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::vector::dot;

    fn cosine(a: &str, b: &str) -> f32 {
        let vectors = Hashed.embed(&[a, b]).expect("hashing cannot fail");
        dot(&vectors[0], &vectors[1])
    }

    #[test]
    fn equal_texts_agree_and_spelling_decides_the_rest() {
        assert!((cosine("The invoice is late", "the INVOICE is late!") - 1.0).abs() < 1e-5);
        let (near, far) = (cosine("invoices", "invoice"), cosine("invoices", "weather"));
        assert!(near > 0.4, "{near}");
        assert!(far.abs() < 0.2, "{far}");
    }

    #[test]
    fn values_never_change() {
        // A changed hash would silently mix two vector spaces in one store.
        // The figures come from a second implementation, in Python.
        assert_eq!(fnv1a(&['a']), 0xe00b_be7e_2f0a_7121);
        let mut vector = [0.0; HASHED_DIM];
        assert!(Hashed.vector("memory", &mut vector));
        let first: Vec<(usize, f32)> = (0..).zip(vector).filter(|(_, x)| *x != 0.0).take(4).collect();
        assert_eq!(first, [(0, -1.0), (11, 1.0), (29, 1.0), (49, -3.0)]);
    }

    #[test]
    fn a_text_without_words_is_all_zeros() {
        assert_eq!(
            Hashed.embed(&["", " ... "]).expect("hashing cannot fail"),
            vec![vec![0.0; HASHED_DIM]; 2]
        );
    }

    #[test]
    fn it_says_that_it_is_a_stand_in() {
        assert!(Hashed.info().degraded);
        assert!(!Hashed.knows("memory"));
    }
}
