//! Figures for operators, in the form that Prometheus reads.
//!
//! Histograms and counters are written where things happen; gauges are set from the status when somebody
//! asks. No label holds the name of a space: there may be many, and names tell.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::Daemon;

type Real = Gauge<f64, AtomicU64>;
type Timed<L> = Family<L, Histogram, fn() -> Histogram>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Recall {
    mode: &'static str,
    procedure: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    operation: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Operation {
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Shard {
    shard: u32,
}

/// From one event's fold to a long pass.
const SECONDS: [f64; 14] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0,
];

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

/// All figures of a daemon.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Events in one commit.
    batch: Histogram,
    /// One commit of the store.
    commit: Histogram,
    /// One event: graph, concepts, intents, index.
    fold: Histogram,
    /// One event or tick during which a consolidation pass ran.
    pass: Histogram,
    recalls: Timed<Recall>,
    abstained: Counter,
    intent_changes: Counter,
    requests: Family<Request, Counter>,
    request_seconds: Timed<Operation>,
    streams: Gauge,
    stored: Counter,
    batches: Counter,
    dead_letters: Counter,
    rejected_plans: Counter,
    merges: Counter,
    published: Counter,
    lag: Gauge,
    backlog: Family<Shard, Gauge>,
    backlog_age: Real,
    latched: Gauge,
    nodes: Family<Kind, Gauge>,
    edges: Gauge,
    spaces: Gauge,
    disk: Gauge,
    memory: Gauge,
    uptime: Real,
    ready: Gauge,
    /// Gauges are set and written by one at a time.
    writing: Mutex<()>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut m = Metrics {
            registry: Registry::with_prefix("gyrus"),
            batch: Histogram::new(exponential_buckets(1.0, 2.0, 11)),
            commit: seconds(),
            fold: seconds(),
            pass: seconds(),
            recalls: Family::new_with_constructor(seconds),
            abstained: Counter::default(),
            intent_changes: Counter::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            streams: Gauge::default(),
            stored: Counter::default(),
            batches: Counter::default(),
            dead_letters: Counter::default(),
            rejected_plans: Counter::default(),
            merges: Counter::default(),
            published: Counter::default(),
            lag: Gauge::default(),
            backlog: Family::default(),
            backlog_age: Real::default(),
            latched: Gauge::default(),
            nodes: Family::default(),
            edges: Gauge::default(),
            spaces: Gauge::default(),
            disk: Gauge::default(),
            memory: Gauge::default(),
            uptime: Real::default(),
            ready: Gauge::default(),
            writing: Mutex::new(()),
        };
        m.register();
        m
    }
}

impl Metrics {
    fn register(&mut self) {
        let r = &mut self.registry;
        r.register("batch_events", "Events in one commit", self.batch.clone());
        let timed = [
            ("commit", "One commit of the store", &self.commit),
            (
                "fold",
                "One event folded: graph, concepts, intents, index",
                &self.fold,
            ),
            ("pass", "One event or tick with a consolidation pass", &self.pass),
        ];
        for (name, help, metric) in timed {
            r.register_with_unit(name, help, Unit::Seconds, metric.clone());
        }
        r.register_with_unit(
            "recall",
            "One recall, by the mode and procedure that served it",
            Unit::Seconds,
            self.recalls.clone(),
        );
        r.register_with_unit(
            "http_request",
            "One request by operation, streams until they open",
            Unit::Seconds,
            self.request_seconds.clone(),
        );
        r.register(
            "http_requests",
            "Requests by operation and status",
            self.requests.clone(),
        );
        let counters = [
            (
                "recall_abstained",
                "Recalls that said that memory does not cover the question",
                &self.abstained,
            ),
            (
                "intent_changes",
                "Intents emitted, changed or withdrawn",
                &self.intent_changes,
            ),
            ("events_stored", "Events stored since the start", &self.stored),
            ("batches", "Commits since the start", &self.batches),
            (
                "dead_letters",
                "Records refused since the start",
                &self.dead_letters,
            ),
            (
                "rejected_plans",
                "Plans refused since the start",
                &self.rejected_plans,
            ),
            (
                "merges",
                "Concepts merged, over the life of the store",
                &self.merges,
            ),
            (
                "published",
                "Records published to Kafka since the start",
                &self.published,
            ),
        ];
        for (name, help, metric) in counters {
            r.register(name, help, metric.clone());
        }
        let gauges = [
            ("lag_records", "Records in Kafka that are not read yet", &self.lag),
            (
                "shards_latched",
                "Shards that refuse writes since one failed",
                &self.latched,
            ),
            ("edges", "Edges of all spaces", &self.edges),
            ("spaces", "Spaces", &self.spaces),
            ("store_bytes", "Bytes of the store on the disk", &self.disk),
            ("resident_memory_bytes", "Memory of the process", &self.memory),
            ("http_streams", "Open event streams", &self.streams),
            ("ready", "1 when /readyz is green", &self.ready),
        ];
        for (name, help, metric) in gauges {
            r.register(name, help, metric.clone());
        }
        r.register("nodes", "Nodes of all spaces by kind", self.nodes.clone());
        r.register(
            "queue_commands",
            "Commands accepted and not durable yet, by shard",
            self.backlog.clone(),
        );
        r.register_with_unit(
            "backlog_age",
            "Time since the last commit while something waits",
            Unit::Seconds,
            self.backlog_age.clone(),
        );
        r.register_with_unit(
            "uptime",
            "Time since the start",
            Unit::Seconds,
            self.uptime.clone(),
        );
    }

    pub(super) fn committed(&self, events: usize, took: Duration, intents: usize) {
        self.batch.observe(events as f64);
        self.commit.observe(took.as_secs_f64());
        self.intent_changes.inc_by(intents as u64);
    }

    pub(super) fn folded(&self, took: Duration, with_pass: bool) {
        let to = if with_pass { &self.pass } else { &self.fold };
        to.observe(took.as_secs_f64());
    }

    pub fn recalled(&self, mode: &'static str, procedure: &'static str, abstained: bool, took: Duration) {
        let labels = Recall { mode, procedure };
        self.recalls.get_or_create(&labels).observe(took.as_secs_f64());
        if abstained {
            self.abstained.inc();
        }
    }

    pub fn request(&self, operation: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Request { operation, status }).inc();
        let labels = Operation { operation };
        self.request_seconds
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }

    /// Counts a stream as open until the guard is dropped.
    pub fn streaming(&self) -> Streaming {
        self.streams.inc();
        Streaming(self.streams.clone())
    }
}

/// An open stream.
pub struct Streaming(Gauge);

impl Drop for Streaming {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Where the work stood when it was last seen to move.
#[derive(Debug)]
pub(super) struct Progress {
    mark: (u64, i64),
    since: Instant,
}

impl Default for Progress {
    fn default() -> Self {
        Progress {
            mark: (0, 0),
            since: Instant::now(),
        }
    }
}

fn set(counter: &Counter, value: u64) {
    counter.inner().store(value, Ordering::Relaxed);
}

fn whole(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl Daemon {
    /// Why the daemon should get no traffic; nothing when it is well. Says no names of spaces.
    pub fn not_ready(&self) -> Vec<String> {
        let handles = self.handles();
        let mut reasons = Vec::new();
        for h in &handles {
            if h.check().is_err() {
                reasons.push(format!("shard {} refuses writes since one failed", h.no));
            }
        }
        let waiting: u64 = handles.iter().map(|h| h.backlog()).sum();
        let lag = self.link.read().as_ref().map_or(0, |l| l.status().lag());
        let done: u64 = handles.iter().map(|h| h.stats.done.load(Ordering::SeqCst)).sum();
        let at: i64 = handles
            .iter()
            .map(|h| h.stats.positions.read().values().sum::<i64>())
            .sum();
        let mut progress = self.progress.lock();
        if progress.mark != (done, at) || (waiting == 0 && lag == 0) {
            *progress = Progress {
                mark: (done, at),
                since: Instant::now(),
            };
        }
        let still = progress.since.elapsed().as_secs_f64();
        if still > self.options.runtime.stall_seconds {
            reasons.push(format!(
                "{waiting} commands and {lag} records wait and nothing has moved for {still:.0} s"
            ));
        }
        reasons
    }

    /// # Errors
    /// When the text cannot be written, which would be a fault of this program.
    pub fn render_metrics(&self) -> Result<String, std::fmt::Error> {
        let m = &self.metrics;
        let _alone = m.writing.lock();
        m.ready.set(i64::from(self.not_ready().is_empty()));
        if let Some(s) = self.status(None) {
            set(&m.stored, s.stored);
            set(&m.dead_letters, s.dead_letters);
            set(&m.rejected_plans, s.rejected_plans);
            set(&m.merges, s.merges);
            m.lag.set(s.lag);
            m.backlog_age.set(s.backlog_age_ms as f64 / 1e3);
            for (kind, count) in &s.counts {
                match *kind {
                    "edges" => drop(m.edges.set(whole(*count))),
                    kind => drop(m.nodes.get_or_create(&Kind { kind }).set(whole(*count))),
                }
            }
            m.spaces.set(whole(s.spaces));
            m.disk.set(whole(s.disk_bytes));
        }
        let handles = self.handles();
        m.backlog.clear();
        for h in &handles {
            m.backlog
                .get_or_create(&Shard { shard: h.no })
                .set(whole(h.backlog()));
        }
        m.latched
            .set(handles.iter().filter(|h| h.check().is_err()).count() as i64);
        set(
            &m.batches,
            handles
                .iter()
                .map(|h| h.stats.batches.load(Ordering::SeqCst))
                .sum(),
        );
        if let Some((outbox, _)) = &self.outbox {
            set(&m.published, outbox.published.load(Ordering::SeqCst));
        }
        m.memory.set(resident_bytes());
        m.uptime.set(self.started.elapsed().as_secs_f64());
        let mut out = String::new();
        text::encode(&mut out, &m.registry)?;
        Ok(out)
    }
}

/// 0 where the system does not say.
fn resident_bytes() -> i64 {
    const PAGE: i64 = 4_096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|n| n.parse::<i64>().ok());
    pages.unwrap_or(0) * PAGE
}
