//! Settings of this room; the values and their sources stand in `config/default.toml`.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Step of the moving average that calibrates a category.
    pub alpha: f32,
    /// What each verdict counts in that average.
    pub accept: f32,
    pub modify: f32,
    pub defer: f32,
    pub reject: f32,
    /// Bounds of the average.
    pub weight_min: f32,
    pub weight_max: f32,
    /// Verdicts in a category before its acceptance rate counts.
    pub rate_after: u32,
    /// Below this acceptance the threshold rises by `rate_low_step`.
    pub rate_low: f32,
    pub rate_low_step: f32,
    /// Above this acceptance the threshold falls by `rate_high_step`.
    pub rate_high: f32,
    pub rate_high_step: f32,
    /// Thresholds before calibration, by trigger.
    pub base_deadline: f32,
    pub base_recurrence: f32,
    /// Hours within which trouble counts as the same trouble.
    pub recurrence_hours: f64,
    pub base_burst: f32,
    pub base_request: f32,
    pub base_commitment: f32,
    pub base_decision: f32,
    pub base_chain: f32,
    /// Hours of stream time that a request, promise or choice is given to be answered, kept or made before it speaks.
    pub answer_hours: f64,
    /// Strength added when that time passed in silence, and by each event that came back to it (two at most).
    pub unanswered: f32,
    pub reminder: f32,
    /// Strength added when a request, promise or choice names a time.
    pub dated: f32,
    /// Strength taken away when the event of a request, promise or choice belongs to no concept.
    pub lone: f32,
    /// Hours until a request, promise or choice that nobody comes back to is forgotten, and its intent expires.
    pub stated_hours: f64,
    /// Needs of a space that are remembered at once; the oldest are forgotten first.
    pub max_needs: usize,
    /// Pending intents of one category at once.
    pub max_pending: usize,
    /// Hours of stream time before the same grounds may speak again.
    pub cooldown_hours: f64,
    /// Events of a space before it may speak at all.
    pub min_events: u64,
    /// New intents an event adds to the allowance of a space, and the most it saves up.
    pub allowance_per_event: f32,
    pub allowance_max: f32,
    /// The same for requests, promises and choices, which have an allowance of their own: for any event, and more for one
    /// that speaks to somebody.
    pub stated_per_event: f32,
    pub stated_per_address: f32,
    pub stated_max: f32,
    /// Decay of an event's weight as evidence, per hour of event time.
    pub evidence_decay_per_hour: f64,
    /// Pseudo events by which the space's own rate stands in for the history of a young concept.
    pub rate_prior: f64,
    /// Variation of gaps (deviation over mean) under which a concept is a habit.
    pub habit_variation: f64,
    /// Hours before a deadline at which urgency starts to rise steeply.
    pub urgent_hours: f64,
    /// Hours before a deadline at which a stated one is looked at again.
    pub near_hours: f64,
    /// Deadlines further ahead than this many hours are not watched.
    pub horizon_hours: f64,
    /// Whether a stated deadline whose event belongs to no concept may speak when it is near.
    pub lone_deadlines: bool,
    /// Strength taken away from such a deadline.
    pub lone_deadline: f32,
    /// Hours after a deadline until its open intent expires.
    pub grace_hours: f64,
    /// Hours without new grounds until an intent without a deadline expires.
    pub expire_hours: f64,
    /// Hours of a deferral that names no time.
    pub defer_hours: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            alpha: 0.3,
            accept: 1.5,
            modify: 1.1,
            defer: 0.8,
            reject: 0.3,
            weight_min: 0.1,
            weight_max: 2.0,
            rate_after: 5,
            rate_low: 0.3,
            rate_low_step: 0.2,
            rate_high: 0.8,
            rate_high_step: 0.1,
            base_deadline: 0.8,
            base_recurrence: 0.75,
            recurrence_hours: 672.0,
            base_burst: 2.5,
            base_request: 0.6,
            base_commitment: 0.6,
            base_decision: 0.6,
            base_chain: 0.8,
            answer_hours: 18.0,
            unanswered: 0.1,
            reminder: 0.2,
            dated: 0.1,
            lone: 0.08,
            stated_hours: 1440.0,
            max_needs: 1000,
            max_pending: 5,
            cooldown_hours: 24.0,
            min_events: 3,
            allowance_per_event: 0.07,
            allowance_max: 2.0,
            stated_per_event: 0.01,
            stated_per_address: 0.4,
            stated_max: 3.0,
            evidence_decay_per_hour: 0.01,
            rate_prior: 2.0,
            habit_variation: 0.2,
            urgent_hours: 24.0,
            near_hours: 72.0,
            horizon_hours: 1440.0,
            lone_deadlines: true,
            lone_deadline: 0.05,
            grace_hours: 24.0,
            expire_hours: 336.0,
            defer_hours: 24.0,
        }
    }
}
