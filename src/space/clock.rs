//! The stream clock: time is data.
//!
//! It moves by event time and by journaled ticks, never backwards. One event dated far ahead does
//! not move it (DESIGN invariant 4): a jump needs the event's own receipt to be that late, or a
//! second event that says the same.

use serde::{Deserialize, Serialize};

use crate::event::{Event, Ts};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// An event may move the clock ahead by at most this many days on its own word.
    pub max_jump_days: f64,
    /// Event times this many seconds ahead of their receipt still count as received in time.
    pub skew_seconds: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            max_jump_days: 31.0,
            skew_seconds: 300.0,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// `None` until the first event.
    pub now: Option<Ts>,
    /// Time of the last event that was too far ahead, waiting for a second that confirms it.
    pub pending_jump: Option<Ts>,
    /// Latest receipt time seen: what a tick measures from.
    pub last_received: Option<Ts>,
}

/// What an event did to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The clock stands at or after the event.
    InStep,
    /// The event is dated too far ahead; the clock did not follow.
    FarAhead,
}

impl Clock {
    pub fn now(&self) -> Ts {
        self.now.unwrap_or_default()
    }

    /// Takes an event into account. Cost: constant.
    pub fn observe(&mut self, event: &Event, settings: &Settings) -> Moved {
        self.last_received = self.last_received.max(Some(event.received));
        let Some(now) = self.now else {
            self.now = Some(event.time);
            return Moved::InStep;
        };
        let jump = (settings.max_jump_days * Ts::DAY as f64) as i64;
        let skew = (settings.skew_seconds * Ts::SECOND as f64) as i64;
        let reach = now.0.saturating_add(jump);
        if event.time.0 <= reach || event.time.0 <= event.received.0.saturating_add(skew) {
            self.now = Some(now.max(event.time));
            self.pending_jump = None;
            return Moved::InStep;
        }
        match self.pending_jump {
            Some(pending) if (event.time.0 - pending.0).abs() <= jump => {
                self.now = Some(event.time.max(pending));
                self.pending_jump = None;
                Moved::InStep
            }
            _ => {
                self.pending_jump = Some(event.time);
                Moved::FarAhead
            }
        }
    }

    /// Time passes without events.
    pub fn tick(&mut self, elapsed_ms: i64) {
        let later = |t: Ts| Ts(t.0.saturating_add(elapsed_ms.max(0)));
        self.now = self.now.map(later);
        self.last_received = self.last_received.map(later);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::TimeMark;

    fn at(day: i64) -> Event {
        Event {
            space: "s".into(),
            source: String::new(),
            id: day.to_string(),
            time: Ts(day * Ts::DAY),
            time_mark: TimeMark::Given,
            received: Ts(0),
            kind: None,
            actor: None,
            title: None,
            text: "x".into(),
            data: None,
            extra: Default::default(),
        }
    }

    #[test]
    fn one_event_far_ahead_does_not_move_the_clock() {
        let (mut c, s) = (Clock::default(), Settings::default());
        assert_eq!(c.observe(&at(100), &s), Moved::InStep);
        assert_eq!(c.observe(&at(4_000), &s), Moved::FarAhead);
        assert_eq!(c.now(), Ts(100 * Ts::DAY));
        assert_eq!(c.observe(&at(101), &s), Moved::InStep);
        assert_eq!(c.now(), Ts(101 * Ts::DAY));
        // The old jump was withdrawn by an event in step: the next far one is on its own again.
        assert_eq!(c.observe(&at(4_001), &s), Moved::FarAhead);
    }

    #[test]
    fn a_second_event_confirms_a_long_silence() {
        let (mut c, s) = (Clock::default(), Settings::default());
        c.observe(&at(100), &s);
        c.observe(&at(300), &s);
        assert_eq!(c.observe(&at(302), &s), Moved::InStep);
        assert_eq!(c.now(), Ts(302 * Ts::DAY));
    }

    #[test]
    fn an_event_received_that_late_moves_it_at_once() {
        let (mut c, s) = (Clock::default(), Settings::default());
        c.observe(&at(100), &s);
        let mut late = at(300);
        late.received = Ts(300 * Ts::DAY);
        assert_eq!(c.observe(&late, &s), Moved::InStep);
        assert_eq!(c.now(), late.time);
    }

    #[test]
    fn late_events_and_ticks_never_turn_it_back() {
        let (mut c, s) = (Clock::default(), Settings::default());
        c.observe(&at(100), &s);
        c.observe(&at(50), &s);
        c.tick(-5);
        assert_eq!(c.now(), Ts(100 * Ts::DAY));
        c.tick(7);
        assert_eq!(c.now(), Ts(100 * Ts::DAY + 7));
    }
}
