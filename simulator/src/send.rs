//! Sends a stream into a target by a schedule, and sums up.

use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::outgoing::Outgoing;
use crate::pace::Pace;
use crate::target::{Tally, Target};

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Sent {
    pub events: u64,
    pub bytes: u64,
    pub took: Duration,
    pub tally: Tally,
}

/// Sends all events. Each goes out when the schedule says so; what is late goes out at once.
pub fn send(
    events: impl Iterator<Item = Outgoing>,
    pace: Pace,
    target: &mut dyn Target,
    bar: &ProgressBar,
) -> Result<Sent> {
    let started = Instant::now();
    send_by(
        events,
        pace,
        target,
        bar,
        &|| started.elapsed(),
        &std::thread::sleep,
    )
}

/// The same with a clock of the caller's: time since the start, and how to wait.
fn send_by(
    events: impl Iterator<Item = Outgoing>,
    pace: Pace,
    target: &mut dyn Target,
    bar: &ProgressBar,
    now: &dyn Fn() -> Duration,
    wait: &dyn Fn(Duration),
) -> Result<Sent> {
    let (mut done, mut due, mut bytes) = (0, 0, 0);
    for event in events {
        while done >= due {
            due = pace.due(now());
            if done >= due {
                // Nothing may lie in a batch while we wait.
                target.flush()?;
                wait(pace.wait(done, now()));
            }
        }
        bytes += event.line().len() as u64;
        target.send(event)?;
        done += 1;
        bar.inc(1);
    }
    let tally = target.finish()?;
    bar.finish_and_clear();
    Ok(Sent {
        events: done,
        bytes,
        took: now(),
        tally,
    })
}

impl Sent {
    pub fn rate(&self) -> f64 {
        self.events as f64 / self.took.as_secs_f64().max(1e-6)
    }

    /// Events that a daemon or broker refused.
    pub fn refused(&self) -> u64 {
        self.tally.count("rejected") + self.tally.count("failed")
    }

    pub fn json(&self, to: &str) -> Value {
        json!({
            "to": to,
            "events": self.events,
            "bytes": self.bytes,
            "seconds": (self.took.as_secs_f64() * 1e3).round() / 1e3,
            "rate": self.rate().round(),
            "counts": self.tally.counts,
            "reasons": self.tally.reasons,
        })
    }

    pub fn summary(&self, to: &str) -> String {
        let counts: Vec<String> = self
            .tally
            .counts
            .iter()
            .map(|(status, n)| format!("{n} {status}"))
            .collect();
        format!(
            "{} events ({} KiB) to {to} in {:.1} s, {:.0}/s: {}",
            self.events,
            self.bytes.div_ceil(1024),
            self.took.as_secs_f64(),
            self.rate(),
            if counts.is_empty() {
                "nothing sent".into()
            } else {
                counts.join(", ")
            }
        )
    }
}

/// Progress on a terminal's standard error; elsewhere, or when `quiet`, nothing.
pub fn progress(total: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} events, {per_sec} ({eta} left) {msg}")
    {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remembers the order of calls.
    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Target for Seen {
        fn send(&mut self, event: Outgoing) -> Result<()> {
            self.0.push(event.body["id"].to_string());
            Ok(())
        }
        fn flush(&mut self) -> Result<()> {
            self.0.push("flush".into());
            Ok(())
        }
        fn finish(&mut self) -> Result<Tally> {
            self.0.push("finish".into());
            Ok(Tally::default())
        }
    }

    fn events(n: u64) -> impl Iterator<Item = Outgoing> {
        (0..n).map(|i| Outgoing {
            space: "s".into(),
            body: serde_json::Map::from_iter([("id".to_owned(), i.into())]),
        })
    }

    #[test]
    fn all_events_go_out_in_order_and_batches_are_emptied_before_a_wait() {
        let mut seen = Seen::default();
        let sent = send(events(3), Pace::new(0.0), &mut seen, &ProgressBar::hidden()).unwrap();
        assert_eq!((sent.events, seen.0.join(" ").as_str()), (3, "0 1 2 finish"));
        let (mut seen, clock) = (Seen::default(), std::cell::Cell::new(Duration::ZERO));
        let wait = |d: Duration| clock.set(clock.get() + d);
        let (pace, bar) = (Pace::new(50.0), ProgressBar::hidden());
        let sent = send_by(events(3), pace, &mut seen, &bar, &|| clock.get(), &wait).unwrap();
        assert_eq!(seen.0.join(" "), "0 flush 1 flush 2 finish");
        assert_eq!(sent.took, Duration::from_millis(40));
    }

    #[test]
    fn the_summary_says_what_became_of_the_events() {
        let mut tally = Tally::default();
        tally.add("stored", None);
        tally.add("rejected", Some("e2: no text".into()));
        let sent = Sent {
            events: 2,
            bytes: 600,
            took: Duration::from_secs(2),
            tally,
        };
        assert_eq!(
            sent.summary("socket"),
            "2 events (1 KiB) to socket in 2.0 s, 1/s: 1 rejected, 1 stored"
        );
        assert_eq!(sent.refused(), 1);
        assert_eq!(sent.json("socket")["reasons"][0], "e2: no text");
    }
}
