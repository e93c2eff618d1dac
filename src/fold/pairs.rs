//! Evidence that two events belong together: five raw features and the running statistics that
//! make them comparable.
//!
//! Raw features are kept in fixed point, and the sums over them are integers, so that an erased
//! pair can be taken out exactly and a restart continues with the same bits.

use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// Fixed-point steps of one.
const STEPS: f32 = 8_000.0;

/// Text vector, word mean, words, entities, soft overlap; in steps of 1/8000.
pub(super) type Raw = [i16; 5];

pub(super) fn fixed(v: [f32; 5]) -> Raw {
    v.map(|x| (x * STEPS).round().clamp(-32_000.0, 32_000.0) as i16)
}

/// Sums over the sampled pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Statistics {
    count: i64,
    sum: [i64; 5],
    square: [i64; 5],
}

impl Statistics {
    pub fn add(&mut self, raw: &Raw) {
        self.change(raw, 1);
    }

    pub fn remove(&mut self, raw: &Raw) {
        self.change(raw, -1);
    }

    fn change(&mut self, raw: &Raw, sign: i64) {
        self.count += sign;
        for (f, v) in raw.iter().map(|v| i64::from(*v)).enumerate() {
            self.sum[f] += sign * v;
            self.square[f] += sign * v * v;
        }
    }

    /// The content logit under these statistics and the prior of `s`.
    pub fn content(&self, s: &Settings) -> Content {
        let steps = f64::from(STEPS);
        let (mean_pairs, spread_pairs) = (f64::from(s.prior_mean_pairs), f64::from(s.prior_pairs));
        let n = self.count as f64;
        let mut content = Content {
            offset: s.bias,
            slope: [0.0; 5],
        };
        for f in 0..5 {
            let (m0, d0) = (f64::from(s.prior_mean[f]), f64::from(s.prior_sd[f]));
            let (sum, square) = (
                self.sum[f] as f64 / steps,
                self.square[f] as f64 / (steps * steps),
            );
            let mean = (sum + mean_pairs * m0) / (n + mean_pairs);
            // Spread around the stream's own mean: where a language lies higher or lower as a whole, that says
            // nothing of how far its pairs lie apart.
            let around = square - if n > 0.0 { sum * sum / n } else { 0.0 };
            let sd = ((around.max(0.0) + spread_pairs * d0 * d0) / (n + spread_pairs))
                .max(1e-9)
                .sqrt();
            let slope = f64::from(s.weights[f]) / sd;
            content.offset -= (slope * mean) as f32;
            content.slope[f] = (slope / steps) as f32;
        }
        content
    }
}

/// Linear form of the content logit over raw features.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Content {
    offset: f32,
    slope: [f32; 5],
}

impl Content {
    pub fn of(&self, raw: &Raw) -> f32 {
        (0..5).fold(self.offset, |s, f| s + self.slope[f] * f32::from(raw[f]))
    }

    /// By the four cheap features alone, up to a constant: orders candidates.
    pub fn cheap(&self, raw: &Raw) -> f32 {
        (0..4).fold(0.0, |s, f| s + self.slope[f] * f32::from(raw[f]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn average_pair_has_the_bias_and_erasing_is_exact() {
        let s = Settings::default();
        let mut t = Statistics::default();
        let at_prior = t.content(&s).of(&fixed(s.prior_mean));
        assert!((at_prior - s.bias).abs() < 0.02, "{at_prior}");
        let before = t.clone();
        let raw = fixed([0.9, 0.8, 0.3, 0.2, 0.7]);
        t.add(&raw);
        assert_ne!(t.content(&s), before.content(&s));
        t.remove(&raw);
        assert_eq!(t, before);
    }
}
