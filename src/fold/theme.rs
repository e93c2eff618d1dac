//! What events are about, as the mean vector of their candidate words.
//!
//! The stream's mean is kept in whole numbers, so that taking an event out restores it exactly.

use super::phrases::{NAME, Phrases, WEAK};

/// Steps of a component of the stream's sum.
const STEPS: f32 = 4_096.0;
/// The stream's mean counts in full from many times this number of events on.
const SETTLED: f32 = 8.0;
/// Words weigh by their rarity below this frequency.
const COMMONEST: f32 = 7.2;

/// Unit vector of the words that may name the event; empty without any.
pub(super) fn of(p: &Phrases) -> Vec<f32> {
    let mut sum: Vec<f32> = Vec::new();
    for w in p.words.iter().filter(|w| !w.is(NAME | WEAK)) {
        let Some(v) = &w.vector else { continue };
        if sum.is_empty() {
            sum.resize(v.q.len(), 0.0);
        }
        v.add_unit_to(&mut sum, (COMMONEST - w.zipf().max(3.0)).max(0.2));
    }
    let norm = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 {
        sum.iter_mut().for_each(|x| *x /= norm);
    }
    sum
}

/// Sum over the events of a stream.
#[derive(Debug, Default)]
pub(super) struct Themes {
    sum: Vec<i64>,
    events: u32,
}

impl Themes {
    pub fn add(&mut self, p: &Phrases) {
        self.change(p, 1);
        self.events += 1;
    }

    pub fn remove(&mut self, p: &Phrases) {
        self.change(p, -1);
        self.events = self.events.saturating_sub(1);
    }

    fn change(&mut self, p: &Phrases, sign: i64) {
        let one = of(p);
        if self.sum.len() < one.len() {
            self.sum.resize(one.len(), 0);
        }
        for (s, x) in self.sum.iter_mut().zip(&one) {
            *s += sign * (x * STEPS).round() as i64;
        }
        // As if the words had never been there.
        if sign < 0 && self.sum.iter().all(|s| *s == 0) {
            self.sum.clear();
        }
    }

    /// Mean of all events; smaller while there are few.
    pub fn middle(&self) -> Vec<f32> {
        let n = f64::from(self.events);
        let factor = 1.0 / (n + f64::from(SETTLED)) / f64::from(STEPS);
        self.sum.iter().map(|s| (*s as f64 * factor) as f32).collect()
    }
}
