//! Intents: density, emergence, lifecycle, calibration by feedback.
//!
//! Proposes plans that make and change intent nodes; ids derive from grounds, so a replay yields
//! the same ids. An intent rests on what the stream states (a time that is ahead, trouble that recurs, a burst beyond the
//! concept's own history), never on mood. Everything an event costs is bounded: it looks at the concepts it joined and
//! at their newest events. The engine plans; what it plans is true only once the graph has applied it, so it reads an
//! intent's state from the graph and lets go of what is not there.
//! Knows graph (and text's analysis of the event at hand). Must not know disk, clocks, delivery.

mod calibration;
mod chain;
mod cues;
mod deadline;
mod emerge;
mod engine;
mod feedback;
mod lifecycle;
mod need;
mod needs;
mod settings;
mod state;
pub mod times;
mod track;
mod wording;

#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;

pub use calibration::{CATEGORIES, CategoryState};
pub use cues::IntentCues;
pub use engine::IntentEngine;
pub use feedback::FeedbackError;
pub use settings::Settings;
pub use times::time_plans;

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
