//! What a recall did, always kept. Timings are the caller's to add.

use std::sync::Arc;

use super::mode::{Mode, Procedure};

/// Who chose the mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeSource {
    /// The caller.
    Explicit,
    #[default]
    Classifier,
}

/// A runtime rule, and what it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub name: &'static str,
    pub fired: bool,
    pub before: &'static str,
    pub after: &'static str,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub mode_source: ModeSource,
    /// Score of every mode; empty when the caller chose.
    pub mode_scores: Vec<(Mode, f32)>,
    /// Name and hash of the payload file.
    pub payload: &'static str,
    pub payload_hash: Arc<str>,
    pub policy: &'static str,
    pub gates: Vec<Gate>,
    /// The procedure that ran.
    pub procedure: Option<Procedure>,
    pub fallbacks: Vec<&'static str>,
    /// (question term, weight, events with it).
    pub terms: Vec<(Arc<str>, f32, usize)>,
    /// Names of the question that the stream knows.
    pub names: Vec<Arc<str>>,
    /// Events in the snapshot, scored, packed, passed over for want of room, left out as repeats.
    pub events: usize,
    pub scored: usize,
    pub packed: usize,
    pub skipped: usize,
    pub repeats: usize,
    /// Best lexical value before scaling; 0 when no term matched.
    pub best_lexical: f32,
    pub tokens: usize,
}
