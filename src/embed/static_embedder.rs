//! Vectors of whole texts from a static table: a mean of the words' vectors that counts rare words
//! more (SIF), at unit length.
//!
//! Guarantees: pure and deterministic; cost linear in the text, of which `text` looks at a bounded
//! number of words. A text in which the table knows nothing is all zeros, so that its cosine with
//! anything is 0. Must not know the stream: no statistics of other texts go in.

use std::sync::Arc;

use super::vector::{add_scaled, to_unit};
use super::{EmbedError, Embedder, EmbedderInfo, Table, WordTable};
use crate::text::{self, Section, Word};

/// Of the SIF weight a / (a + p), where p is the word's share of all words. Measured on the token
/// table (AUC of "same concept" over pairs of events, dev and held-out streams): plain mean
/// .67/.68, 1e-3 .71/.73, 1e-4 .73/.77, 2e-5 .72/.75.
const SIF_A: f32 = 1e-4;

/// See the module's head.
pub struct StaticEmbedder {
    table: Arc<Table>,
}

impl StaticEmbedder {
    pub fn new(table: Arc<Table>) -> Self {
        Self { table }
    }

    fn embed_one(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.table.dim()];
        let mut word_vector = sum.clone();
        // Numbers and codes have no meaning that a table of letters could know.
        let words = text::words(text, Section::Text);
        for word in words.iter().filter(|word| !word.has_digit) {
            if self.table.vector(&word.lower, &mut word_vector) {
                add_scaled(&mut sum, sif_weight(word), &word_vector);
            }
        }
        to_unit(&mut sum);
        sum
    }
}

fn sif_weight(word: &Word) -> f32 {
    // zipf is log10 of occurrences in 10^9 words.
    let share = 10f32.powf(word.zipf - 9.0);
    SIF_A / (SIF_A + share)
}

impl Embedder for StaticEmbedder {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            name: format!("gyrus-static-1/{}", self.table.name()),
            dim: self.table.dim(),
            degraded: false,
        }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::table::tests::table;

    fn embed(text: &str) -> [f32; 2] {
        let words = table(&[
            ("cat", [6, 0]),
            ("the", [0, 6]),
            ("dog", [0, 8]),
            ("東京", [-4, 0]),
        ]);
        let embedder = StaticEmbedder::new(Arc::new(words));
        let vectors = embedder.embed(&[text]).expect("a table cannot fail");
        <[f32; 2]>::try_from(vectors[0].as_slice()).expect("two dimensions")
    }

    #[test]
    fn a_text_is_the_unit_mean_of_its_words() {
        assert_eq!(embed("A Cat."), [1.0, 0.0]);
        let [x, y] = embed("cat, dog");
        assert!(x > 0.3 && y > 0.3 && (x * x + y * y - 1.0).abs() < 1e-5);
        assert_eq!(embed("dog dog cat?"), embed("Dog CAT; (dog)"));
    }

    #[test]
    fn rare_words_count_more_than_common_ones() {
        let [cat, the] = embed("the cat");
        assert!(cat > 5.0 * the && the > 0.0, "cat {cat}, the {the}");
    }

    #[test]
    fn scripts_without_spaces_are_found_too() {
        assert_eq!(embed("今日は東京です"), [-1.0, 0.0]);
    }

    #[test]
    fn a_text_of_unknown_words_is_all_zeros() {
        assert_eq!(embed("zzz 12"), [0.0, 0.0]);
        assert_eq!(embed(""), [0.0, 0.0]);
    }

    #[test]
    fn each_text_gets_its_own_vector_in_order() {
        let words = Arc::new(table(&[("cat", [6, 0]), ("dog", [0, 8])]));
        let embedder = StaticEmbedder::new(words);
        let vectors = embedder.embed(&["dog", "", "cat"]).expect("a table cannot fail");
        assert_eq!(vectors, [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
    }
}
