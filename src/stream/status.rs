//! What `status` may say of a stream, kept truthful by the client's statistics and errors.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rdkafka::Statistics;

/// One assigned partition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionStatus {
    pub topic: Arc<str>,
    pub partition: i32,
    /// Next offset to be read from the broker; `None` until it is known.
    pub next: Option<i64>,
    /// Next offset as stored with the state.
    pub durable: Option<i64>,
    /// High watermark as last seen.
    pub high: Option<i64>,
    /// Records in the topic that are not durable here yet; `None` until both ends are known.
    pub lag: Option<i64>,
    /// Reading is paused because the sink's queue is full.
    pub paused: bool,
    /// Where reading began; what lies before is not ours.
    pub(crate) from: Option<i64>,
}

/// A Kafka source as it is now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamStatus {
    /// At least one broker answers.
    pub connected: bool,
    /// The last error, also when it is over, and when it happened (milliseconds since 1970).
    pub last_error: Option<String>,
    pub last_error_ms: Option<i64>,
    pub partitions: Vec<PartitionStatus>,
    /// Rebalances seen.
    pub rebalances: u64,
    /// The source has ended.
    pub stopped: bool,
}

impl StreamStatus {
    /// Sum of the known lags.
    pub fn lag(&self) -> i64 {
        self.partitions.iter().filter_map(|p| p.lag).sum()
    }
}

/// Low and high watermark.
type Marks = (i64, i64);

#[derive(Default)]
struct Inner {
    status: StreamStatus,
    marks: BTreeMap<Arc<str>, BTreeMap<i32, Marks>>,
}

/// Shared handle: the client writes, anyone reads.
#[derive(Clone, Default)]
pub struct StatusCell(Arc<Mutex<Inner>>);

impl StatusCell {
    /// The status now. Cost: the number of assigned partitions.
    pub fn get(&self) -> StreamStatus {
        let inner = self.0.lock();
        let mut status = inner.status.clone();
        for p in &mut status.partitions {
            let marks = inner.marks.get(&p.topic).and_then(|t| t.get(&p.partition));
            p.high = marks.map(|(_, high)| *high);
            p.lag = marks.and_then(|(low, high)| {
                // Nothing durable and no beginning known: all that the topic holds is still to come.
                let at = p.durable.or(p.from).unwrap_or(*low);
                (*high >= 0).then(|| (high - at.max(*low)).max(0))
            });
        }
        status
    }

    pub(crate) fn error(&self, text: String) {
        let status = &mut self.0.lock().status;
        status.last_error = Some(text);
        status.last_error_ms = Some(now_ms());
    }

    pub(crate) fn set_connected(&self, connected: bool) {
        self.0.lock().status.connected = connected;
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.0.lock().status.connected
    }

    pub(crate) fn rebalanced(&self) {
        self.0.lock().status.rebalances += 1;
    }

    pub(crate) fn set_partitions(&self, partitions: Vec<PartitionStatus>) {
        self.0.lock().status.partitions = partitions;
    }

    pub(crate) fn stopped(&self) {
        let status = &mut self.0.lock().status;
        status.stopped = true;
        status.connected = false;
        status.partitions.clear();
    }

    pub(crate) fn mark(&self, topic: &str, partition: i32, low: i64, high: i64) {
        if high < 0 {
            return;
        }
        let mut inner = self.0.lock();
        match inner.marks.get_mut(topic) {
            Some(t) => {
                t.insert(partition, (low.max(0), high));
            }
            None => {
                inner
                    .marks
                    .insert(topic.into(), BTreeMap::from([(partition, (low.max(0), high))]));
            }
        }
    }

    /// Takes the client's periodic statistics. `paused` says which partitions are not fetched: their
    /// watermarks in the statistics are old.
    pub(crate) fn take(&self, statistics: &Statistics, paused: impl Fn(&str, i32) -> bool) {
        self.set_connected(any_broker_up(statistics));
        for (name, topic) in &statistics.topics {
            for (partition, p) in topic
                .partitions
                .iter()
                .filter(|(_, p)| p.partition >= 0 && p.desired)
            {
                if !paused(name, *partition) {
                    self.mark(name, *partition, p.lo_offset, p.hi_offset);
                }
            }
        }
    }
}

/// True when a connection to a broker works. Names of coordinators and of the first contact count
/// too: each is a connection of its own.
pub(crate) fn any_broker_up(statistics: &Statistics) -> bool {
    statistics
        .brokers
        .values()
        .any(|b| matches!(b.state.as_str(), "UP" | "UPDATE"))
}

/// Wall clock, for people to read; nothing is decided by it.
pub(crate) fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(durable: Option<i64>, next: Option<i64>) -> PartitionStatus {
        PartitionStatus {
            topic: "t".into(),
            partition: 0,
            next,
            durable,
            high: None,
            lag: None,
            paused: false,
            from: None,
        }
    }

    #[test]
    fn lag_counts_what_is_not_durable_yet() {
        let cell = StatusCell::default();
        cell.set_partitions(vec![partition(Some(7), Some(9))]);
        assert_eq!(cell.get().partitions[0].lag, None, "no watermark seen yet");
        cell.mark("t", 0, 2, 10);
        assert_eq!(cell.get().lag(), 3);
        cell.set_partitions(vec![partition(None, None)]);
        assert_eq!(cell.get().lag(), 8, "all there is");
        cell.mark("t", 0, 2, -1001);
        assert_eq!(cell.get().lag(), 8, "an unknown watermark is not a watermark");
        cell.set_partitions(vec![partition(Some(12), None)]);
        assert_eq!(cell.get().lag(), 0, "never negative");
        cell.set_partitions(vec![PartitionStatus {
            from: Some(4),
            ..partition(None, Some(9))
        }]);
        assert_eq!(cell.get().lag(), 6, "what was read is not durable");
    }
}
