//! Vectors: of words (a static table) and of whole texts (an embedder).
//!
//! The core asks for vectors through these two traits and never asks where they come from.
//! Everything but `http` is deterministic and does no I/O.

mod built_in;
mod dot;
mod hashed;
pub mod http;
mod joint;
mod static_embedder;
mod table;
mod vector;
mod word;

pub use built_in::{built_in, tokens, words as english_words};
pub(crate) use dot::dot_i8;
pub use hashed::{HASHED_DIM, Hashed};
pub use joint::JointTable;
pub use static_embedder::StaticEmbedder;
pub use table::{Table, TableError};
pub use word::{CachedTable, WordVector};

/// What an embedder is; two states built with different ones are never mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedderInfo {
    /// Name and version, such as `gyrus-static-1`.
    pub name: String,
    pub dim: usize,
    /// True when a stand-in serves because the real table or model is missing.
    pub degraded: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error("embedder {name}: {reason}")]
    Failed {
        name: String,
        reason: String,
        retry: bool,
    },
    #[error("embedder {name} returned {got} dimensions, {want} expected")]
    Dimension { name: String, got: usize, want: usize },
}

/// Vectors of whole texts, unit length.
pub trait Embedder: Send + Sync {
    fn info(&self) -> EmbedderInfo;
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Vectors of single words: for concept formation, term expansion and SIF means.
pub trait WordTable: Send + Sync {
    fn dim(&self) -> usize;
    /// Writes the raw (not unit) vector of a lower-case word; an unknown word is the mean of its
    /// greedy longest known pieces. Returns false, leaving zeros, when no piece is known.
    fn vector(&self, lower: &str, out: &mut [f32]) -> bool;
    /// True when the word itself is in the table (not only pieces of it).
    fn knows(&self, lower: &str) -> bool;
    /// The vector of a lower-case word, quantised; `None` when no piece is known.
    fn word(&self, lower: &str) -> Option<std::sync::Arc<WordVector>> {
        let mut vector = vec![0f32; self.dim()];
        let known = self.vector(lower, &mut vector);
        known
            .then(|| WordVector::of(&vector, self.knows(lower)))?
            .map(std::sync::Arc::new)
    }
}

/// The vectors a space works with.
#[derive(Clone)]
pub struct Models {
    pub embedder: std::sync::Arc<dyn Embedder>,
    pub words: std::sync::Arc<dyn WordTable>,
}
