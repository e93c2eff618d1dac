//! The figures of a run, and how they are printed.

use serde::Serialize;

/// Median, 99th percentile and worst of some times, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
    pub count: usize,
}

impl Latency {
    /// By nearest rank: every figure is one that was measured.
    pub fn of(mut ms: Vec<f64>) -> Latency {
        ms.sort_by(f64::total_cmp);
        let rank = |p: f64| {
            ms.get(((p * ms.len() as f64).ceil() as usize).saturating_sub(1))
                .copied()
                .unwrap_or(0.0)
        };
        Latency {
            p50: rank(0.5),
            p99: rank(0.99),
            max: rank(1.0),
            count: ms.len(),
        }
    }
}

/// How fast events became durable, from how many were at what time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Fill {
    pub seconds: f64,
    /// Events a second, over all.
    pub rate: f64,
    /// The same of the first `window` events and of the last; none when a few commits hold a window.
    pub first: Option<f64>,
    pub last: Option<f64>,
    pub window: u64,
}

/// Largest window; smaller fills take a third, so that first and last do not overlap.
const WINDOW: u64 = 10_000;
/// A commit holds up to about a thousand events, so a smaller window would measure where commits fall.
const LEAST_WINDOW: u64 = 1_000;

impl Fill {
    /// `samples` are (seconds, events durable by then), both ascending. Measuring begins with the first of them.
    /// `None` when they do not reach `events`.
    pub fn of(samples: &[(f64, u64)], events: u64) -> Option<Fill> {
        let window = WINDOW.min(events / 3).max(1);
        let &(from, there) = samples.first()?;
        let to = when(samples, events)?;
        let rate = |n: u64, seconds: f64| n as f64 / seconds.max(1e-9);
        Some(Fill {
            seconds: to - from,
            rate: rate(events - there, to - from),
            first: (window >= LEAST_WINDOW)
                .then(|| Some(rate(window.checked_sub(there)?, when(samples, window)? - from)))
                .flatten(),
            last: (window >= LEAST_WINDOW)
                .then(|| Some(rate(window, to - when(samples, events - window)?)))
                .flatten(),
            window,
        })
    }
}

/// When the count reached `n`; between two samples in proportion.
fn when(samples: &[(f64, u64)], n: u64) -> Option<f64> {
    let at = samples.iter().position(|s| s.1 >= n)?;
    let (t, count) = samples[at];
    let Some(&(t0, count0)) = at.checked_sub(1).and_then(|i| samples.get(i)) else {
        return Some(t);
    };
    Some(t0 + (t - t0) * (n - count0) as f64 / (count - count0).max(1) as f64)
}

/// Everything measured with one number of events.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Run {
    pub events: u64,
    /// Mean bytes of an event as JSON.
    pub event_bytes: f64,
    pub fill: Option<Fill>,
    /// From the last durable event until folded and indexed.
    pub settle_s: f64,
    pub concepts: u64,
    pub intents: u64,
    /// Socket: until the receipt, and until a recall returns it.
    pub durable_ms: Latency,
    pub queryable_ms: Latency,
    pub recall_ms: Latency,
    /// The same while events come in.
    pub busy_queryable_ms: Latency,
    pub busy_recall_ms: Latency,
    /// Events a second that really became durable meanwhile.
    pub busy_rate: f64,
    pub disk_bytes_per_event: f64,
    /// After the fill, and the highest of the process.
    pub rss_bytes: Option<u64>,
    pub peak_bytes: Option<u64>,
    pub start_empty_s: f64,
    pub stop_s: f64,
    pub restart_s: f64,
    pub kill_restart_s: f64,
    /// Acknowledged just before the kill; all of them were there afterwards.
    pub acked_before_kill: u64,
}

/// One row a figure, one column a run.
pub fn table(runs: &[Run]) -> String {
    let latency = |l: &Latency| format!("{} / {}", number(l.p50), number(l.p99));
    let mib = |b: Option<u64>| b.map_or("-".into(), |b| format!("{:.0}", b as f64 / 1048576.0));
    let part = |x: Option<f64>| x.map_or("-".into(), thousands);
    let fill = |r: &Run, of: &dyn Fn(&Fill) -> String| r.fill.as_ref().map_or("-".into(), of);
    type Cell<'a> = Box<dyn Fn(&Run) -> String + 'a>;
    let rows: Vec<(&str, Cell<'_>)> = vec![
        ("events", Box::new(|r| thousands(r.events as f64))),
        ("durable, events/s", Box::new(|r| fill(r, &|f| thousands(f.rate)))),
        (
            "  first / last part",
            Box::new(|r| fill(r, &|f| format!("{} / {}", part(f.first), part(f.last)))),
        ),
        (
            "  a part is, events",
            Box::new(|r| fill(r, &|f| thousands(f.window as f64))),
        ),
        ("settled after, s", Box::new(|r| number(r.settle_s))),
        ("concepts", Box::new(|r| thousands(r.concepts as f64))),
        ("event to receipt, ms", Box::new(|r| latency(&r.durable_ms))),
        ("event to queryable, ms", Box::new(|r| latency(&r.queryable_ms))),
        ("recall, ms", Box::new(|r| latency(&r.recall_ms))),
        ("under load: recall, ms", Box::new(|r| latency(&r.busy_recall_ms))),
        ("  to queryable, ms", Box::new(|r| latency(&r.busy_queryable_ms))),
        ("  load, events/s", Box::new(|r| number(r.busy_rate))),
        (
            "disk, bytes an event",
            Box::new(|r| thousands(r.disk_bytes_per_event)),
        ),
        ("  event as JSON, bytes", Box::new(|r| thousands(r.event_bytes))),
        (
            "memory / highest, MiB",
            Box::new(|r| format!("{} / {}", mib(r.rss_bytes), mib(r.peak_bytes))),
        ),
        ("start, empty, s", Box::new(|r| number(r.start_empty_s))),
        ("stop (SIGTERM), s", Box::new(|r| number(r.stop_s))),
        ("start again, s", Box::new(|r| number(r.restart_s))),
        ("start after kill -9, s", Box::new(|r| number(r.kill_restart_s))),
    ];
    let mut out = String::new();
    for (name, cell) in rows {
        out.push_str(&format!("{name:24}"));
        runs.iter()
            .for_each(|r| out.push_str(&format!("{:>18}", cell(r))));
        out.push('\n');
    }
    out
}

/// Three digits are enough.
fn number(x: f64) -> String {
    match x {
        x if x < 1.0 => format!("{x:.2}"),
        x if x < 100.0 => format!("{x:.1}"),
        x => thousands(x),
    }
}

fn thousands(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measured_values() {
        let l = Latency::of((1..=200).rev().map(f64::from).collect());
        assert_eq!((l.p50, l.p99, l.max, l.count), (100.0, 198.0, 200.0, 200));
        assert_eq!(
            Latency::of(vec![7.0]),
            Latency {
                p50: 7.0,
                p99: 7.0,
                max: 7.0,
                count: 1
            }
        );
        // A rank between two values goes to the higher one.
        assert_eq!(Latency::of((1..=150).map(f64::from).collect()).p99, 149.0);
        assert_eq!(Latency::of(Vec::new()).count, 0);
    }

    #[test]
    fn rates_come_from_the_moments_at_which_counts_were_reached() {
        // 100 events/s for 30 s, then 50 events/s for 60 s.
        let mut samples = vec![(2.0, 0)];
        samples.extend((1..=30).map(|s| (2.0 + f64::from(s), 100 * s as u64)));
        samples.extend((1..=60).map(|s| (32.0 + f64::from(s), 3_000 + 50 * s as u64)));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let fill = Fill::of(&samples, 6_000).unwrap();
        assert_eq!((fill.window, fill.seconds), (2_000, 90.0));
        assert!(
            near(fill.first.unwrap(), 100.0)
                && near(fill.last.unwrap(), 50.0)
                && near(fill.rate, 6_000.0 / 90.0),
            "{fill:?}"
        );
        // What was there when measuring began does not count.
        let later = Fill::of(&samples[5..], 6_000).unwrap();
        assert!(
            near(later.first.unwrap(), 100.0)
                && near(later.seconds, 85.0)
                && near(later.rate, 5_500.0 / 85.0),
            "{later:?}"
        );
        assert_eq!(Fill::of(&samples, 7_000), None, "it never came that far");
        let small = Fill::of(&[(0.0, 0), (1.0, 512), (2.0, 900)], 900).unwrap();
        assert_eq!((small.rate, small.first, small.last), (450.0, None, None));
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            (thousands(1_234_567.4).as_str(), thousands(999.0).as_str()),
            ("1,234,567", "999")
        );
        assert_eq!(
            (
                number(0.123).as_str(),
                number(12.34).as_str(),
                number(1234.5).as_str()
            ),
            ("0.12", "12.3", "1,234")
        );
        let runs = [
            Run {
                events: 10_000,
                ..Run::default()
            },
            Run {
                events: 100_000,
                ..Run::default()
            },
        ];
        let text = table(&runs);
        assert!(
            text.lines().next().unwrap().ends_with("10,000           100,000"),
            "{text}"
        );
        assert!(text.lines().all(|l| l.chars().count() == 24 + 36), "{text}");
    }
}
