//! A schedule: which events are due at a moment since the start.
//!
//! Counted from the start, never from the last event, so slow sends are caught up with and no error adds up.

use std::time::Duration;

/// Shortest wait at high rates: events that become due meanwhile go out together.
const TICK: Duration = Duration::from_millis(5);

#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Events a second; 0 or less: all at once.
    rate: f64,
}

impl Pace {
    pub fn new(rate: f64) -> Pace {
        Pace { rate }
    }

    /// Events that should have been handed over by `elapsed`; the first is due at once.
    pub fn due(self, elapsed: Duration) -> u64 {
        if self.rate > 0.0 {
            (elapsed.as_secs_f64() * self.rate) as u64 + 1
        } else {
            u64::MAX
        }
    }

    /// How long to wait at `elapsed`, when `done` events have been handed over.
    pub fn wait(self, done: u64, elapsed: Duration) -> Duration {
        if self.due(elapsed) > done {
            return Duration::ZERO;
        }
        let at = Duration::try_from_secs_f64(done as f64 / self.rate).unwrap_or(Duration::MAX);
        at.saturating_sub(elapsed).max(TICK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands over events on a made-up clock on which every send takes `cost`; gives what was sent by `until`.
    fn sent(rate: f64, cost: Duration, until: Duration) -> u64 {
        let (pace, mut now, mut done) = (Pace::new(rate), Duration::ZERO, 0);
        while now < until {
            while done < pace.due(now) && now < until {
                done += 1;
                now += cost;
            }
            now += pace.wait(done, now);
        }
        done
    }

    #[test]
    fn the_rate_holds_whatever_a_send_costs() {
        let minute = Duration::from_secs(60);
        for cost_us in [0, 200, 900] {
            let n = sent(1_000.0, Duration::from_micros(cost_us), minute);
            assert!((59_990..=60_010).contains(&n), "{n} at {cost_us} us a send");
        }
        assert_eq!(sent(0.5, Duration::from_millis(300), minute), 30);
    }

    #[test]
    fn what_is_too_slow_is_never_waited_for() {
        let n = sent(1_000.0, Duration::from_millis(2), Duration::from_secs(10));
        assert_eq!(n, 5_000, "sends back to back");
    }

    #[test]
    fn no_rate_means_no_wait() {
        assert_eq!(Pace::new(0.0).due(Duration::ZERO), u64::MAX);
        assert_eq!(Pace::new(0.0).wait(1_000_000, Duration::ZERO), Duration::ZERO);
    }
}
