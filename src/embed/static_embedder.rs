//! Vectors of whole texts from a static table: the mean of the words' vectors, at unit length.
//!
//! Guarantees: pure and deterministic; cost linear in the text. A text in which the table knows
//! nothing is all zeros, so that its cosine with anything is 0. Must not know the stream: no
//! statistics of other texts go in.

use std::sync::Arc;

use super::words::{lower_words, to_unit};
use super::{EmbedError, Embedder, EmbedderInfo, Table, WordTable};

/// See the module's head.
pub struct StaticEmbedder {
    table: Arc<Table>,
}

impl StaticEmbedder {
    pub fn new(table: Arc<Table>) -> Self {
        Self { table }
    }

    /// A plain mean: weighting by frequency (SIF) gained nothing here, since the table is centred
    /// and the common words lie near its origin.
    fn embed_one(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.table.dim()];
        let mut word_vector = sum.clone();
        for word in lower_words(text) {
            if self.table.vector(&word, &mut word_vector) {
                sum.iter_mut()
                    .zip(&word_vector)
                    .for_each(|(sum, x)| *sum += x);
            }
        }
        to_unit(&mut sum);
        sum
    }
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

    fn embed(text: &str) -> Vec<f32> {
        let words = table(&[("cat", [6, 0]), ("dog", [0, 8]), ("東京", [-4, 0])]);
        StaticEmbedder::new(Arc::new(words))
            .embed(&[text])
            .expect("a table cannot fail")
            .remove(0)
    }

    #[test]
    fn a_text_is_the_unit_mean_of_its_words() {
        assert_eq!(embed("A Cat."), [1.0, 0.0]);
        assert_eq!(embed("cat, dog"), [0.6, 0.8]);
        assert_eq!(embed("dog dog dog cat?"), embed("CAT dog; dog (dog)"));
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_known_pieces() {
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
        let vectors = StaticEmbedder::new(words)
            .embed(&["dog", "", "cat"])
            .expect("a table cannot fail");
        assert_eq!(vectors, [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
    }
}
