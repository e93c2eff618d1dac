//! What agreement in type, actor or source adds to a pair, learned from the stream itself.
//!
//! Model: with chance c all events of a concept have one value, else they draw values at random.
//! With p the share of a value, an equal value adds ln((1-c) + c/p), a different one ln(1-c).
//! c is estimated from how much oftener than any two events two that agree look alike in content
//! (research reference, part 4). A missing value adds nothing.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::pairs::{Content, Raw};
use super::settings::Settings;

/// Type, actor, source.
pub(super) const ATTRIBUTES: usize = 3;
/// Values of one event; 0 where it has none.
pub(super) type Values = [u32; ATTRIBUTES];

/// Sampled pairs that the calibration looks back on.
const WINDOW: usize = 2_048;
/// Events with a value that an attribute needs before it counts.
const MIN_PRESENT: u32 = 6;

/// One sampled pair.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub later: u32,
    pub earlier: u32,
    pub raw: Raw,
    /// Bit for each attribute that both have.
    both: u8,
    /// Bit for each attribute in which they agree.
    same: u8,
}

impl Sample {
    pub fn new(later: (u32, &Values), earlier: (u32, &Values), raw: Raw) -> Self {
        let (mut both, mut same) = (0, 0);
        for a in 0..ATTRIBUTES {
            let (x, y) = (later.1[a], earlier.1[a]);
            both |= u8::from(x != 0 && y != 0) << a;
            same |= u8::from(x != 0 && x == y) << a;
        }
        Self {
            later: later.0,
            earlier: earlier.0,
            raw,
            both,
            same,
        }
    }
}

/// The newest sampled pairs, whole events at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Window {
    samples: VecDeque<Sample>,
    /// Slots below this have left the window.
    from: u32,
}

impl Window {
    pub fn starting(from: u32) -> Self {
        Self {
            samples: VecDeque::new(),
            from,
        }
    }

    pub fn from(&self) -> u32 {
        self.from
    }

    pub fn push(&mut self, sample: Sample) {
        self.samples.push_back(sample);
    }

    /// Lets the oldest events go while the window stays full without them.
    pub fn trim(&mut self) {
        while self.samples.len() > WINDOW {
            let Some(first) = self.samples.front().map(|s| s.later) else {
                return;
            };
            let of_first = self.samples.iter().take_while(|s| s.later == first).count();
            if self.samples.len() - of_first < WINDOW {
                return;
            }
            self.samples.drain(..of_first);
            self.from = first + 1;
        }
    }

    pub fn forget(&mut self, slot: u32) {
        self.samples.retain(|s| s.later != slot && s.earlier != slot);
    }
}

/// Counts of values and the coherence of each attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attributes {
    counts: [FxHashMap<u32, u32>; ATTRIBUTES],
    present: [u32; ATTRIBUTES],
    /// Sum of the squared counts.
    squares: [u64; ATTRIBUTES],
    coherence: Coherence,
}

/// c of each attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Coherence([f32; ATTRIBUTES]);

/// What the values of one event add against others: (different, equal) for each attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Terms {
    pub values: Values,
    pub different: [f32; ATTRIBUTES],
    /// Equal less different.
    pub bonus: [f32; ATTRIBUTES],
}

impl Terms {
    /// Against one event.
    pub fn pair(&self, other: &Values) -> f32 {
        (0..ATTRIBUTES)
            .filter(|&a| self.values[a] != 0 && other[a] != 0)
            .map(|a| {
                self.different[a]
                    + if self.values[a] == other[a] {
                        self.bonus[a]
                    } else {
                        0.0
                    }
            })
            .sum()
    }
}

impl Attributes {
    pub fn coherence(&self) -> Coherence {
        self.coherence
    }

    pub fn set_coherence(&mut self, c: Coherence) {
        self.coherence = c;
    }

    pub fn add(&mut self, values: &Values) {
        for (a, &v) in values.iter().enumerate().filter(|(_, v)| **v != 0) {
            let n = self.counts[a].entry(v).or_default();
            self.squares[a] += 2 * u64::from(*n) + 1;
            *n += 1;
            self.present[a] += 1;
        }
    }

    pub fn remove(&mut self, values: &Values) {
        for (a, &v) in values.iter().enumerate().filter(|(_, v)| **v != 0) {
            let Some(n) = self.counts[a].get_mut(&v) else {
                continue;
            };
            self.squares[a] -= 2 * u64::from(*n) - 1;
            *n -= 1;
            if *n == 0 {
                self.counts[a].remove(&v);
            }
            self.present[a] -= 1;
        }
    }

    /// Events that have this value.
    pub fn count(&self, attribute: usize, value: u32) -> u32 {
        self.counts[attribute].get(&value).copied().unwrap_or(0)
    }

    pub fn terms(&self, values: &Values) -> Terms {
        let mut t = Terms {
            values: *values,
            ..Terms::default()
        };
        for a in (0..ATTRIBUTES).filter(|&a| values[a] != 0) {
            let c = self.coherence.0[a];
            if c <= 0.0 {
                continue;
            }
            let n = self.counts[a].get(&values[a]).copied().unwrap_or(0);
            let share = (n as f32 + 1.0) / (self.present[a] as f32 + 8.0);
            t.different[a] = (1.0 - c).ln();
            t.bonus[a] = ((1.0 - c) + c / share).ln() - t.different[a];
        }
        t
    }

    /// Estimates the coherence anew. Cost: the window, at most a few thousand pairs.
    pub fn calibrate(&mut self, window: &Window, content: &Content, s: &Settings) {
        #[derive(Clone, Copy, Default)]
        struct Sum {
            pairs: f32,
            soft: f32,
        }
        let (mut every, mut agree) = ([Sum::default(); ATTRIBUTES], [Sum::default(); ATTRIBUTES]);
        for x in &window.samples {
            let soft = 1.0 / (1.0 + (-s.lift_sharpness * content.of(&x.raw)).exp());
            for a in 0..ATTRIBUTES {
                if x.both >> a & 1 == 1 {
                    every[a].pairs += 1.0;
                    every[a].soft += soft;
                }
                if x.same >> a & 1 == 1 {
                    agree[a].pairs += 1.0;
                    agree[a].soft += soft;
                }
            }
        }
        for a in 0..ATTRIBUTES {
            self.coherence.0[a] = 0.0;
            let (present, kinds) = (self.present[a], self.counts[a].len());
            if present < MIN_PRESENT || kinds < 2 || every[a].soft <= 0.0 {
                continue;
            }
            let squares = self.squares[a] as f32 + 2.0 * present as f32 + kinds as f32;
            let base = (squares / (present as f32 + 8.0).powi(2)).max(agree[a].pairs / every[a].pairs);
            let mean = every[a].soft / every[a].pairs;
            let observed = (agree[a].soft + s.lift_pairs * mean) / ((agree[a].pairs + s.lift_pairs) * mean);
            if base < 1.0 {
                let c = (observed.powf(s.lift_power[a]) - 1.0) / (1.0 / base - 1.0);
                self.coherence.0[a] = c.clamp(0.0, s.coherence_max.min(0.99));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::pairs::{Statistics, fixed};

    #[test]
    fn an_attribute_that_goes_with_content_counts_and_one_that_does_not_is_ignored() {
        let s = Settings::default();
        let mut at = Attributes::default();
        let mut w = Window::default();
        // Type follows the topic (slot parity), actor is always the same, source is absent.
        let values = |i: u32| [i % 2 + 1, 7, 0];
        for i in 0..30 {
            at.add(&values(i));
            for j in 0..i {
                let near = if i % 2 == j % 2 { 0.8 } else { 0.05 };
                let raw = fixed([near, near, near / 9.0, 0.0, near]);
                w.push(Sample::new((i, &values(i)), (j, &values(j)), raw));
            }
        }
        at.calibrate(&w, &Statistics::default().content(&s), &s);
        let t = at.terms(&values(0));
        assert!(t.pair(&values(2)) > 0.3, "agreeing type adds evidence: {t:?}");
        assert!(t.pair(&values(1)) < -0.3, "differing type takes it away: {t:?}");
        assert_eq!(t.bonus[1], 0.0, "a constant actor says nothing");
        for i in 0..30 {
            at.remove(&values(i));
        }
        assert_eq!((at.present, at.squares), ([0; 3], [0; 3]));
    }

    #[test]
    fn the_window_lets_whole_events_go() {
        let mut w = Window::default();
        for i in 0..400 {
            for j in 0..8 {
                w.push(Sample::new((i, &[0; 3]), (j, &[0; 3]), [0; 5]));
            }
            w.trim();
        }
        assert_eq!(w.samples.len(), WINDOW);
        assert_eq!(w.from(), 400 - 256);
    }
}
