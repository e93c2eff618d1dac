//! A sink that only remembers, for the tests of this room.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{Anomaly, RecordBatch, RecordSink, SinkClosed, SourceKind, TopicPartition};

#[derive(Default)]
pub(crate) struct MemorySink {
    batches: Mutex<Vec<RecordBatch>>,
    positions: Mutex<BTreeMap<(String, i32), i64>>,
    anomalies: Mutex<Vec<Anomaly>>,
    changed: Notify,
}

impl MemorySink {
    pub fn batches(&self) -> Vec<RecordBatch> {
        self.batches.lock().clone()
    }

    pub fn anomalies(&self) -> Vec<Anomaly> {
        self.anomalies.lock().clone()
    }

    pub fn values(&self) -> Vec<String> {
        let text = |v: &Vec<u8>| String::from_utf8_lossy(v).into_owned();
        self.batches
            .lock()
            .iter()
            .flat_map(|b| &b.records)
            .filter_map(|r| r.value.as_ref().map(text))
            .collect()
    }

    pub fn kinds(&self) -> Vec<SourceKind> {
        let mut kinds: Vec<_> = self.batches.lock().iter().map(|b| b.kind).collect();
        kinds.dedup();
        kinds
    }

    pub fn batch_sizes(&self) -> Vec<usize> {
        self.batches.lock().iter().map(|b| b.records.len()).collect()
    }

    pub fn defects(&self) -> Vec<bool> {
        self.batches
            .lock()
            .iter()
            .flat_map(|b| &b.records)
            .map(|r| r.defect.is_some())
            .collect()
    }

    /// Returns when so many records have come in all.
    pub async fn records(&self, count: usize) {
        loop {
            let changed = self.changed.notified();
            if self.batches.lock().iter().map(|b| b.records.len()).sum::<usize>() >= count {
                return;
            }
            changed.await;
        }
    }
}

#[async_trait]
impl RecordSink for MemorySink {
    fn position(&self, topic: &str, partition: i32) -> Option<i64> {
        self.positions.lock().get(&(topic.to_owned(), partition)).copied()
    }

    async fn deliver(&self, batch: RecordBatch) -> Result<(), SinkClosed> {
        if let Some(next) = batch.next_offset() {
            self.positions
                .lock()
                .insert((batch.topic.to_string(), batch.partition), next);
        }
        self.batches.lock().push(batch);
        self.changed.notify_one();
        Ok(())
    }

    fn durable(&self, topic: &str, partition: i32) -> Option<i64> {
        self.position(topic, partition)
    }

    async fn assigned(&self, _: &[TopicPartition]) -> Result<(), SinkClosed> {
        Ok(())
    }

    async fn revoked(&self, _: &[TopicPartition]) {}

    fn anomaly(&self, anomaly: &Anomaly) {
        self.anomalies.lock().push(anomaly.clone());
    }
}
