//! Intents: density, emergence, lifecycle, calibration by feedback.
//!
//! Proposes plans that make and change intent nodes; ids derive from grounds, so a replay yields
//! the same ids. Knows graph (and text's analysis of the event at hand). Must not know disk, clocks, delivery.

mod settings;
pub use settings::Settings;

use std::sync::Arc;

use crate::event::Ts;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accept,
    Modify,
    Defer,
    Reject,
}

/// What a subscriber says about an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct Feedback {
    /// Node id of the intent.
    pub intent: Arc<str>,
    pub verdict: Verdict,
    pub note: Option<String>,
    /// Changed fields, for `modify`.
    pub title: Option<String>,
    pub priority: Option<f32>,
    pub category: Option<String>,
    /// For `defer`.
    pub until: Option<Ts>,
}
