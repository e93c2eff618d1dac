//! Thresholds that feedback teaches, one for each category.
//!
//! `w <- (1 - alpha) w + alpha s` with s by verdict, threshold = base / w, moved by the acceptance rate once there are
//! enough verdicts (DEFAULTS, Intents). Accepting makes a category speak earlier, rejecting later.

use serde::{Deserialize, Serialize};

use super::{Settings, Verdict};

/// Categories an intent may have: one for each trigger, which learns from its own feedback, and one more that a subscriber
/// may put an intent into.
pub const CATEGORIES: &[&str] = &[
    "deadline",
    "problem",
    "attention",
    "request",
    "commitment",
    "decision",
    "cause",
    "planning",
];

/// Lowest threshold that calibration can reach.
const THRESHOLD_MIN: f32 = 0.05;

/// What is shown of a category.
#[derive(Clone, Debug, PartialEq)]
pub struct CategoryState {
    pub category: &'static str,
    /// Moving average of verdicts; 1 at the start.
    pub weight: f32,
    /// What a candidate must reach now.
    pub threshold: f32,
    /// Accepted or modified, of all verdicts; `None` before the first.
    pub acceptance: Option<f32>,
    pub verdicts: u32,
}

/// What is kept of a category.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    pub weight: f32,
    pub verdicts: u32,
    pub accepted: u32,
}

impl Default for Calibration {
    fn default() -> Self {
        Calibration {
            weight: 1.0,
            verdicts: 0,
            accepted: 0,
        }
    }
}

impl Calibration {
    pub fn learn(&mut self, verdict: Verdict, s: &Settings) {
        let score = match verdict {
            Verdict::Accept => s.accept,
            Verdict::Modify => s.modify,
            Verdict::Defer => s.defer,
            Verdict::Reject => s.reject,
        };
        self.weight = ((1.0 - s.alpha) * self.weight + s.alpha * score).clamp(s.weight_min, s.weight_max);
        self.verdicts = self.verdicts.saturating_add(1);
        self.accepted += u32::from(matches!(verdict, Verdict::Accept | Verdict::Modify));
    }

    pub fn acceptance(&self) -> Option<f32> {
        (self.verdicts > 0).then(|| self.accepted as f32 / self.verdicts as f32)
    }

    pub fn threshold(&self, base: f32, s: &Settings) -> f32 {
        let step = match self.acceptance() {
            Some(rate) if self.verdicts >= s.rate_after && rate < s.rate_low => s.rate_low_step,
            Some(rate) if self.verdicts >= s.rate_after && rate > s.rate_high => -s.rate_high_step,
            _ => 0.0,
        };
        (base / self.weight + step).max(THRESHOLD_MIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepting_lowers_and_rejecting_raises() {
        let s = Settings::default();
        let mut up = Calibration::default();
        let mut down = Calibration::default();
        up.learn(Verdict::Accept, &s);
        down.learn(Verdict::Reject, &s);
        assert!((up.weight - 1.15).abs() < 1e-6);
        assert!((down.weight - 0.79).abs() < 1e-6);
        assert!(up.threshold(1.0, &s) < 1.0 && down.threshold(1.0, &s) > 1.0);
    }

    #[test]
    fn rates_count_after_enough_verdicts() {
        let s = Settings::default();
        let mut c = Calibration::default();
        for _ in 0..4 {
            c.learn(Verdict::Reject, &s);
        }
        let before = c.threshold(1.0, &s) - 1.0 / c.weight;
        c.learn(Verdict::Reject, &s);
        let after = c.threshold(1.0, &s) - 1.0 / c.weight;
        assert_eq!((before, (after * 10.0).round()), (0.0, 2.0));
    }

    #[test]
    fn weight_stays_in_bounds() {
        let s = Settings {
            accept: 50.0,
            reject: -50.0,
            ..Settings::default()
        };
        let mut c = Calibration::default();
        c.learn(Verdict::Accept, &s);
        assert_eq!(c.weight, 2.0);
        c.learn(Verdict::Reject, &s);
        assert_eq!(c.weight, 0.1);
    }
}
