//! A sink whose queue and durability the test controls.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gyrus::stream::{Anomaly, Record, RecordBatch, RecordSink, SinkClosed, TopicPartition};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

/// What outlives a crash and can be handed to another sink: positions.
#[derive(Clone, Default)]
pub struct Disk(Arc<Mutex<BTreeMap<(String, i32), i64>>>);

impl Disk {
    pub fn set(&self, topic: &str, partition: i32, next: i64) {
        self.0.lock().insert((topic.to_owned(), partition), next);
    }

    pub fn get(&self, topic: &str, partition: i32) -> Option<i64> {
        self.0.lock().get(&(topic.to_owned(), partition)).copied()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    Assigned(Vec<(String, i32)>),
    Revoked(Vec<(String, i32)>),
}

pub struct TestSink {
    pub disk: Disk,
    /// Positions at or above this are accepted but not made durable.
    durable_below: Mutex<i64>,
    /// One permit a batch while `gated`.
    gate: Semaphore,
    records: Mutex<Vec<Record>>,
    rewound: Mutex<usize>,
    calls: Mutex<Vec<Call>>,
    anomalies: Mutex<Vec<Anomaly>>,
}

/// More permits than batches can come.
const OPEN: usize = 1 << 20;

impl TestSink {
    pub fn new(disk: &Disk) -> Arc<TestSink> {
        let sink = TestSink::closed(disk);
        sink.open();
        sink
    }

    /// A sink whose queue is full until it is opened.
    pub fn closed(disk: &Disk) -> Arc<TestSink> {
        Arc::new(TestSink {
            disk: disk.clone(),
            durable_below: Mutex::new(i64::MAX),
            gate: Semaphore::new(0),
            records: Mutex::default(),
            rewound: Mutex::default(),
            calls: Mutex::default(),
            anomalies: Mutex::default(),
        })
    }

    pub fn open(&self) {
        self.gate.add_permits(OPEN);
    }

    /// The disk stops taking positions at and above `next`.
    pub fn durable_below(&self, next: i64) {
        *self.durable_below.lock() = next;
    }

    pub fn records(&self) -> Vec<Record> {
        self.records.lock().clone()
    }

    pub fn count(&self) -> usize {
        self.records.lock().len()
    }

    /// Offsets of one topic, as they came.
    pub fn offsets(&self, topic: &str) -> Vec<i64> {
        self.records
            .lock()
            .iter()
            .filter(|r| &*r.topic == topic)
            .map(|r| r.offset)
            .collect()
    }

    pub fn rewound(&self) -> usize {
        *self.rewound.lock()
    }

    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().clone()
    }

    pub fn anomalies(&self) -> Vec<Anomaly> {
        self.anomalies.lock().clone()
    }
}

fn named(partitions: &[TopicPartition]) -> Vec<(String, i32)> {
    partitions
        .iter()
        .map(|p| (p.topic.to_string(), p.partition))
        .collect()
}

#[async_trait]
impl RecordSink for TestSink {
    fn position(&self, topic: &str, partition: i32) -> Option<i64> {
        self.disk.get(topic, partition)
    }

    async fn deliver(&self, batch: RecordBatch) -> Result<(), SinkClosed> {
        let permit = self.gate.acquire().await.map_err(|_| SinkClosed)?;
        permit.forget();
        let next = batch.next_offset().expect("a batch is never empty");
        let durable = next.min(*self.durable_below.lock());
        if self
            .disk
            .get(&batch.topic, batch.partition)
            .is_none_or(|at| batch.rewound || at < durable)
        {
            self.disk.set(&batch.topic, batch.partition, durable);
        }
        *self.rewound.lock() += usize::from(batch.rewound);
        self.records.lock().extend(batch.records);
        Ok(())
    }

    fn durable(&self, topic: &str, partition: i32) -> Option<i64> {
        self.disk.get(topic, partition)
    }

    async fn assigned(&self, partitions: &[TopicPartition]) -> Result<(), SinkClosed> {
        self.calls.lock().push(Call::Assigned(named(partitions)));
        Ok(())
    }

    async fn revoked(&self, partitions: &[TopicPartition]) {
        self.calls.lock().push(Call::Revoked(named(partitions)));
    }

    fn anomaly(&self, anomaly: &Anomaly) {
        self.anomalies.lock().push(anomaly.clone());
    }
}
