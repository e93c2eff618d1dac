//! What the engine remembers of one concept: its evidence, its pace, and whether it is a habit.
//!
//! Evidence is counted by event time and decays; a repeat (REINFORCES, or the same wording with other figures)
//! counts nothing new. Everything here is bounded: at most [`RECENT`] events are kept.

use serde::{Deserialize, Serialize};

use super::Settings;
use super::wording::Trigger;
use crate::event::Ts;
use crate::graph::NodeIx;

/// Newest events kept of a concept.
pub const RECENT: usize = 16;
/// Newest gaps that tell a habit.
const GAPS: usize = 8;
/// Earlier events that an event tells of which calls itself one too many ("the third this week").
const TOLD_OF: f64 = 2.0;
/// Shortest span that a rate is taken over, in hours: events of one minute are one moment.
const SHORTEST: f64 = 1.0 / 60.0;

/// One event of a concept. Numbers instead of the core's types, as this is what the records hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    pub time: i64,
    pub ix: u32,
    /// The wording without its figures.
    pub shape: u64,
    pub trouble: bool,
    pub goal: bool,
    /// Not new evidence.
    pub repeat: bool,
}

impl Seen {
    pub fn ix(&self) -> NodeIx {
        NodeIx(self.ix)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Events that are no repeats.
    pub count: u32,
    first: i64,
    mass: f64,
    mass_at: i64,
    /// Newest events by time.
    pub recent: Vec<Seen>,
    /// When this concept last gave an intent by density, on the stream clock.
    pub spoke: Option<i64>,
    /// New evidence since then.
    pub since_spoke: u32,
    /// What subscribers changed on intents of this concept, one entry a trigger: the next such intent begins so.
    pub taught: Vec<Taught>,
}

/// What a modification teaches for the future.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Taught {
    pub trigger: Trigger,
    pub title: Option<String>,
    pub category: Option<String>,
    pub priority: Option<f32>,
}

impl Track {
    /// What was taught for intents of this trigger.
    pub fn taught(&self, trigger: Trigger) -> Option<&Taught> {
        self.taught.iter().find(|t| t.trigger == trigger)
    }

    /// Remembers a modification over an older one of the same trigger.
    pub fn teach(&mut self, new: Taught) {
        match self.taught.iter_mut().find(|t| t.trigger == new.trigger) {
            Some(known) => {
                known.title = new.title.or(known.title.take());
                known.category = new.category.or(known.category.take());
                known.priority = new.priority.or(known.priority);
            }
            None => self.taught.push(new),
        }
    }

    /// Whether an event is among those that are kept.
    pub fn knows(&self, ix: NodeIx) -> bool {
        self.recent.iter().any(|s| s.ix == ix.0)
    }

    /// Adds an event; false when it is known or a repeat.
    pub fn add(&mut self, mut seen: Seen, settings: &Settings) -> bool {
        if self.recent.iter().any(|s| s.ix == seen.ix) {
            return false;
        }
        seen.repeat |= self.recent.iter().any(|s| s.shape == seen.shape);
        let at = self
            .recent
            .partition_point(|s| (s.time, s.ix) < (seen.time, seen.ix));
        self.recent.insert(at, seen);
        if self.recent.len() > RECENT {
            self.recent.remove(0);
        }
        if seen.repeat {
            return false;
        }
        if self.count == 0 {
            (self.first, self.mass_at) = (seen.time, seen.time);
        }
        self.first = self.first.min(seen.time);
        let (mass, at) = (
            self.mass_at(Ts(seen.time.max(self.mass_at)), settings),
            seen.time.max(self.mass_at),
        );
        self.mass = mass + decayed(Ts(seen.time), Ts(at), settings);
        self.mass_at = at;
        self.count += 1;
        self.since_spoke += 1;
        true
    }

    /// Forgets an erased event.
    pub fn remove(&mut self, ix: NodeIx, settings: &Settings) {
        let Some(at) = self.recent.iter().position(|s| s.ix == ix.0) else {
            return;
        };
        let gone = self.recent.remove(at);
        if !gone.repeat {
            self.mass = (self.mass - decayed(Ts(gone.time), Ts(self.mass_at), settings)).max(0.0);
            self.count = self.count.saturating_sub(1);
        }
    }

    /// Takes over what another concept had when the two were merged.
    pub fn absorb(&mut self, other: Track, settings: &Settings) {
        let at = self.mass_at.max(other.mass_at);
        let mass = self.mass_at(Ts(at), settings) + other.mass_at(Ts(at), settings);
        if other.count > 0 {
            self.first = if self.count > 0 {
                self.first.min(other.first)
            } else {
                other.first
            };
        }
        (self.mass, self.mass_at) = (mass, at);
        self.count += other.count;
        self.since_spoke += other.since_spoke;
        self.spoke = self.spoke.max(other.spoke);
        for taught in other.taught {
            if self.taught(taught.trigger).is_none() {
                self.taught.push(taught);
            }
        }
        self.recent.extend(other.recent);
        self.recent.sort_by_key(|s| (s.time, s.ix));
        self.recent.dedup_by_key(|s| s.ix);
        let extra = self.recent.len().saturating_sub(RECENT);
        self.recent.drain(..extra);
    }

    /// Decayed evidence at `now`, in events.
    pub fn mass_at(&self, now: Ts, settings: &Settings) -> f64 {
        self.mass * decayed(Ts(self.mass_at), now, settings)
    }

    /// New evidence, oldest first.
    pub fn fresh(&self) -> impl DoubleEndedIterator<Item = &Seen> {
        self.recent.iter().filter(|s| !s.repeat)
    }

    /// How much faster the last three events came than the concept's own history lets expect; 1 is as usual, at
    /// most 3. `usual` is what a concept of this space sees an hour, and stands in for a history that is short.
    pub fn unusual(&self, usual: f64, settings: &Settings) -> f64 {
        let times: Vec<i64> = self.fresh().map(|s| s.time).collect();
        let Some(&[third, _, last]) = times.last_chunk::<3>() else {
            return 0.0;
        };
        let span = Ts(last).hours_since(Ts(third)).max(SHORTEST);
        let before = f64::from(self.count.saturating_sub(3));
        let history = Ts(third).hours_since(Ts(self.first)).max(0.0);
        let usual = usual.max(1e-6);
        let rate = (before + settings.rate_prior) / (history + settings.rate_prior / usual);
        let ratio = 2.0 / (rate * span);
        (1.0 + ratio).log2().min(3.0)
    }

    /// Usual gap between events in hours, before the last three; `None` without such a history.
    pub fn usual_gap(&self) -> Option<f64> {
        let times: Vec<i64> = self.fresh().map(|s| s.time).collect();
        let &[third, _, _] = times.last_chunk::<3>()?;
        let before = self.count.checked_sub(3).filter(|n| *n > 0)?;
        Some(Ts(third).hours_since(Ts(self.first)) / f64::from(before))
    }

    /// Events of trouble among `live` that are recent enough to be the same trouble, and how strong a recurrence they are: 1 -
    /// e^(-n/2), where events that only ask or say "again" count half, scaled down by what the trouble of the
    /// concept's own history lets expect in as long a time. `stated` is an event that says itself that it is one too
    /// many: it counts for the ones that it tells of, too.
    pub fn recurring(
        &self,
        live: &[Seen],
        stated: Option<NodeIx>,
        now: Ts,
        settings: &Settings,
    ) -> (Vec<NodeIx>, f32) {
        let window = settings.recurrence_hours;
        let in_time = |s: &&Seen| now.hours_since(Ts(s.time)) <= window;
        let is_trouble = |s: &&Seen| s.trouble || stated == Some(s.ix());
        let (recent, before): (Vec<&Seen>, Vec<&Seen>) = live.iter().filter(is_trouble).partition(in_time);
        let goals = live.iter().filter(|s| s.goal && !is_trouble(s)).filter(in_time);
        let told = if stated.is_some() { TOLD_OF } else { 0.0 };
        let n = recent.len() as f64 + 0.5 * goals.count() as f64 + told;
        let history = Ts(recent.first().map_or(now.0, |s| s.time)).hours_since(Ts(self.first));
        let expected = before.len() as f64 * window / history.max(window);
        let beyond = ((1.0 + n / (expected + 0.5)).log2() / 2.0).min(1.0);
        let strength = (1.0 - (-n / 2.0).exp()) * beyond;
        (recent.into_iter().map(Seen::ix).collect(), strength as f32)
    }

    /// Whether the concept comes by the clock: its gaps hardly vary, or are whole days. Repeats count here.
    pub fn is_habit(&self, settings: &Settings) -> bool {
        let gaps: Vec<f64> = self
            .recent
            .windows(2)
            .map(|w| Ts(w[1].time).hours_since(Ts(w[0].time)))
            .rev()
            .take(GAPS)
            .collect();
        if gaps.len() < 2 {
            return false;
        }
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        let daily = |g: &f64| *g > 20.0 && (g / 24.0 - (g / 24.0).round()).abs() < 0.03;
        // Two gaps are alike by chance once in a few times: they tell a clock only when they are all but equal.
        let few = gaps.len() == 2;
        let most = settings.habit_variation * if few { 0.1 } else { 1.0 };
        mean > 0.0 && variance.sqrt() / mean < most || (!few && gaps.iter().all(daily))
    }
}

/// What an event of `from` still weighs at `to`; 1 when it is later.
fn decayed(from: Ts, to: Ts, settings: &Settings) -> f64 {
    (-settings.evidence_decay_per_hour * to.hours_since(from).max(0.0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(ix: u32, hours: f64) -> Seen {
        Seen {
            time: (hours * Ts::HOUR as f64) as i64,
            ix,
            shape: u64::from(ix),
            trouble: false,
            goal: false,
            repeat: false,
        }
    }

    fn track(hours: &[f64]) -> Track {
        let mut t = Track::default();
        for (i, h) in hours.iter().enumerate() {
            t.add(seen(i as u32, *h), &Settings::default());
        }
        t
    }

    #[test]
    fn order_of_arrival_does_not_change_the_mass() {
        let s = Settings::default();
        let a = track(&[0.0, 5.0, 30.0]);
        let mut b = Track::default();
        for (i, h) in [(2, 30.0), (0, 0.0), (1, 5.0)] {
            b.add(seen(i, h), &s);
        }
        let now = Ts(40 * Ts::HOUR);
        assert!((a.mass_at(now, &s) - b.mass_at(now, &s)).abs() < 1e-9);
        assert_eq!(a.recent, b.recent);
    }

    #[test]
    fn repeats_are_no_evidence() {
        let s = Settings::default();
        let mut t = track(&[0.0, 1.0]);
        let mut twin = seen(9, 2.0);
        twin.shape = 0;
        assert!(!t.add(twin, &s));
        assert!(!t.add(seen(1, 1.0), &s), "known event");
        assert_eq!(t.count, 2);
    }

    #[test]
    fn erasing_takes_back_the_mass() {
        let s = Settings::default();
        let mut t = track(&[0.0, 1.0, 2.0]);
        t.remove(NodeIx(2), &s);
        let now = Ts(5 * Ts::HOUR);
        assert!((t.mass_at(now, &s) - track(&[0.0, 1.0]).mass_at(now, &s)).abs() < 1e-9);
    }

    #[test]
    fn a_burst_is_unusual_and_a_steady_pace_is_not() {
        let s = Settings::default();
        let steady = track(&[0.0, 20.0, 45.0, 60.0, 85.0, 100.0, 122.0]);
        let burst = track(&[0.0, 20.0, 45.0, 60.0, 85.0, 86.0, 87.0]);
        assert!(steady.unusual(0.05, &s) < 1.3);
        assert!(burst.unusual(0.05, &s) > 2.5);
    }

    #[test]
    fn clockwork_is_a_habit() {
        let s = Settings::default();
        assert!(track(&[0.0, 1.0, 2.02, 3.0]).is_habit(&s));
        assert!(track(&[0.0, 24.1, 48.0, 120.2]).is_habit(&s), "working days");
        assert!(!track(&[0.0, 1.0, 9.0, 11.0]).is_habit(&s));
    }
}
