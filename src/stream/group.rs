//! What the Kafka client calls back: rebalances, commits, statistics, errors.
//!
//! Everything here runs on the source's own thread, within a poll. A partition that comes is read
//! from the state's position; one that goes is made durable and committed first.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::types::RDKafkaRespErr;
use rdkafka::{Offset, Statistics, TopicPartitionList};
use tokio::runtime::Handle;

use super::lane::{Bounds, Lane};
use super::status::{PartitionStatus, StatusCell};
use super::{Anomaly, KafkaSettings, Record, RecordSink, Start, StreamError, TopicPartition};

/// Lanes of the assigned partitions.
#[derive(Default)]
pub(crate) struct Lanes(BTreeMap<Arc<str>, BTreeMap<i32, Lane>>);

impl Lanes {
    pub fn get_mut(&mut self, topic: &str, partition: i32) -> Option<&mut Lane> {
        self.0.get_mut(topic)?.get_mut(&partition)
    }

    pub fn insert(&mut self, lane: Lane) {
        self.0
            .entry(lane.topic.clone())
            .or_default()
            .insert(lane.partition, lane);
    }

    pub fn remove(&mut self, topic: &str, partition: i32) -> Option<Lane> {
        self.0.get_mut(topic)?.remove(&partition)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Lane> {
        self.0.values_mut().flat_map(BTreeMap::values_mut)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Lane> {
        self.0.values().flat_map(BTreeMap::values)
    }
}

pub(crate) struct Group {
    pub settings: KafkaSettings,
    pub sink: Arc<dyn RecordSink>,
    pub status: StatusCell,
    /// Where the sink's futures run.
    pub runtime: Handle,
    pub lanes: Mutex<Lanes>,
    /// What ended the source, found within a callback.
    failure: Mutex<Option<StreamError>>,
}

impl Group {
    pub fn new(
        settings: KafkaSettings,
        sink: Arc<dyn RecordSink>,
        status: StatusCell,
        runtime: Handle,
    ) -> Group {
        Group {
            settings,
            sink,
            status,
            runtime,
            lanes: Mutex::default(),
            failure: Mutex::default(),
        }
    }

    pub fn fail(&self, error: StreamError) {
        self.failure.lock().get_or_insert(error);
    }

    pub fn take_failure(&self) -> Option<StreamError> {
        self.failure.lock().take()
    }

    /// Logs, and tells the sink.
    pub fn report(&self, anomaly: Anomaly) {
        tracing::error!(target: "gyrus::stream", "{anomaly}");
        self.status.error(anomaly.to_string());
        self.sink.anomaly(&anomaly);
    }

    /// Takes a record into its lane; true when the lane is full now. Records of partitions that went meanwhile are dropped: their new
    /// owner reads them.
    pub fn accept(&self, message: &BorrowedMessage<'_>) -> bool {
        let mut lanes = self.lanes.lock();
        let Some(lane) = lanes.get_mut(message.topic(), message.partition()) else {
            return false;
        };
        let headers = message.headers().map_or_else(Vec::new, |headers| {
            headers
                .iter()
                .map(|h| (h.key.to_owned(), h.value.unwrap_or_default().to_vec()))
                .collect()
        });
        let record = Record {
            topic: lane.topic.clone(),
            partition: lane.partition,
            offset: message.offset(),
            key: message.key().map(<[u8]>::to_vec),
            value: message.payload().map(<[u8]>::to_vec),
            headers,
            timestamp_ms: message.timestamp().to_millis(),
            defect: None,
        };
        lane.push(record);
        lane.is_full()
    }

    fn on_assign(&self, consumer: &BaseConsumer<Group>, list: &TopicPartitionList) {
        let partitions = partitions_of(list);
        let mut anchored = TopicPartitionList::with_capacity(partitions.len());
        if !partitions.is_empty() {
            // A coordinator just answered; the statistics may be a while.
            self.status.set_connected(true);
            tracing::info!(target: "gyrus::stream", partitions = %joined(&partitions), "assigned");
            if let Err(closed) = self.runtime.block_on(self.sink.assigned(&partitions)) {
                self.fail(closed.into());
            }
        }
        let bounds = Bounds {
            records: self.settings.batch_records,
            bytes: self.settings.batch_bytes,
        };
        for p in partitions {
            let position = self.sink.position(&p.topic, p.partition);
            let offset = self.anchor(position);
            if let Err(e) = anchored.add_partition_offset(&p.topic, p.partition, offset) {
                self.fail(StreamError::Fatal {
                    reason: format!("{p}: position {offset:?}: {e}"),
                });
            }
            self.lanes
                .lock()
                .insert(Lane::new(p.topic, p.partition, position, bounds));
        }
        if let Err(e) = consumer.incremental_assign(&anchored) {
            self.fail(StreamError::Fatal {
                reason: format!("partitions could not be taken: {e}"),
            });
        }
    }

    /// Where reading begins: the state's position, or the configured end of the topic. Never what Kafka has committed.
    pub fn anchor(&self, position: Option<i64>) -> Offset {
        match (position, self.settings.start) {
            (Some(next), _) => Offset::Offset(next),
            (None, Start::Earliest) => Offset::Beginning,
            (None, Start::Latest) => Offset::End,
        }
    }

    fn on_revoke(&self, consumer: &BaseConsumer<Group>, list: &TopicPartitionList) {
        self.release(consumer, &partitions_of(list));
        if let Err(e) = consumer.incremental_unassign(list) {
            self.fail(StreamError::Fatal {
                reason: format!("partitions could not be given back: {e}"),
            });
        }
    }

    /// Ends the lanes of these partitions: what is on its way is dropped or awaited, what was accepted
    /// becomes durable, and Kafka learns of it. Partitions without a lane are passed over.
    pub fn release(&self, consumer: &BaseConsumer<Group>, partitions: &[TopicPartition]) {
        let mut ended = Vec::with_capacity(partitions.len());
        let mut committed = BTreeMap::new();
        for p in partitions {
            // The lock is not held while waiting.
            let Some(mut lane) = self.lanes.lock().remove(&p.topic, p.partition) else {
                continue;
            };
            if lane.paused {
                // The client keeps the mark, and would not read the partition when it comes again.
                self.unpause(consumer, &lane);
            }
            if let Some(delivery) = lane.give_up() {
                delivery.abort();
                // Aborted, delivered or panicked: the sink's position tells which records count.
                let _ = self.runtime.block_on(delivery);
            }
            committed.insert(p.clone(), lane.committed);
            ended.push(p.clone());
        }
        if ended.is_empty() {
            return;
        }
        let lost = consumer.assignment_lost();
        self.runtime.block_on(self.sink.revoked(&ended));
        tracing::info!(target: "gyrus::stream", partitions = %joined(&ended), lost, "given back");
        if lost {
            self.report(Anomaly::PartitionsLost { partitions: ended });
        } else {
            self.commit(
                consumer,
                ended.iter().map(|p| (p, committed.get(p).copied().flatten())),
                CommitMode::Sync,
            );
        }
        self.publish_status();
    }

    /// Takes the client's pause mark off a partition that is about to be given back. Only for one that
    /// is paused: on another, what was fetched ahead would be dropped and not fetched again.
    pub fn unpause(&self, consumer: &BaseConsumer<Group>, lane: &Lane) {
        let mut list = TopicPartitionList::with_capacity(1);
        list.add_partition(&lane.topic, lane.partition);
        if let Err(e) = consumer.resume(&list) {
            self.fail(StreamError::Fatal {
                reason: format!("resuming of a partition: {e}"),
            });
        }
    }

    /// Commits durable progress of these partitions (with the offset committed last). Progress
    /// display only: a failure is noted, nothing depends on it.
    fn commit<'a>(
        &self,
        consumer: &BaseConsumer<Group>,
        partitions: impl Iterator<Item = (&'a TopicPartition, Option<i64>)>,
        mode: CommitMode,
    ) {
        // A synchronous commit would wait for absent brokers.
        if !self.status.is_connected() {
            return;
        }
        let mut list = TopicPartitionList::new();
        for (p, committed) in partitions {
            let Some(durable) = self.sink.durable(&p.topic, p.partition) else {
                continue;
            };
            if committed != Some(durable) {
                let _ = list.add_partition_offset(&p.topic, p.partition, Offset::Offset(durable));
            }
        }
        if list.count() > 0
            && let Err(e) = consumer.commit(&list, mode)
        {
            tracing::debug!(target: "gyrus::stream", "progress could not be committed: {e}");
        }
    }

    /// Commits the durable progress of all lanes without waiting.
    pub fn commit_progress(&self, consumer: &BaseConsumer<Group>) {
        let lanes: Vec<_> = self
            .lanes
            .lock()
            .iter()
            .map(|l| (TopicPartition::new(l.topic.clone(), l.partition), l.committed))
            .collect();
        self.commit(consumer, lanes.iter().map(|(p, c)| (p, *c)), CommitMode::Async);
    }

    pub fn publish_status(&self) {
        let partitions = self
            .lanes
            .lock()
            .iter()
            .map(|l| PartitionStatus {
                topic: l.topic.clone(),
                partition: l.partition,
                next: l.next,
                durable: self.sink.durable(&l.topic, l.partition),
                high: None,
                lag: None,
                paused: l.paused,
                // From the end on, and nothing came yet: nothing is missing.
                from: l
                    .from
                    .or((self.settings.start == Start::Latest).then_some(i64::MAX)),
            })
            .collect();
        self.status.set_partitions(partitions);
    }
}

impl ClientContext for Group {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        log(level, facility, message);
    }

    fn stats(&self, statistics: Statistics) {
        let lanes = self.lanes.lock();
        let paused = |topic: &str, partition: i32| {
            lanes
                .0
                .get(topic)
                .and_then(|t| t.get(&partition))
                .is_some_and(|l| l.paused)
        };
        self.status.take(&statistics, paused);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        if error.rdkafka_error_code() == Some(RDKafkaErrorCode::AllBrokersDown) {
            self.status.set_connected(false);
        }
        tracing::warn!(target: "gyrus::stream", "kafka: {reason}");
        self.status.error(reason.to_owned());
    }
}

impl ConsumerContext for Group {
    fn rebalance(&self, consumer: &BaseConsumer<Self>, event: RDKafkaRespErr, list: &mut TopicPartitionList) {
        self.status.rebalanced();
        match event {
            RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS => self.on_assign(consumer, list),
            _ => self.on_revoke(consumer, list),
        }
        self.publish_status();
    }

    fn commit_callback(&self, result: KafkaResult<()>, offsets: &TopicPartitionList) {
        if let Err(e) = result {
            // Usual during a rebalance and an outage; the next commit says it again.
            tracing::debug!(target: "gyrus::stream", "progress could not be committed: {e}");
            return;
        }
        let mut lanes = self.lanes.lock();
        for element in offsets.elements() {
            if let (Ok(()), Offset::Offset(offset)) = (element.error(), element.offset())
                && let Some(lane) = lanes.get_mut(element.topic(), element.partition())
            {
                lane.committed = Some(offset);
            }
        }
    }
}

/// librdkafka's log lines, in ours. Lost connections are everyday and reported by [`Group::error`].
pub(crate) fn log(level: RDKafkaLogLevel, facility: &str, message: &str) {
    match level {
        RDKafkaLogLevel::Emerg | RDKafkaLogLevel::Alert | RDKafkaLogLevel::Critical => {
            tracing::error!(target: "gyrus::librdkafka", "{facility}: {message}");
        }
        RDKafkaLogLevel::Error | RDKafkaLogLevel::Warning if facility != "FAIL" => {
            tracing::warn!(target: "gyrus::librdkafka", "{facility}: {message}");
        }
        _ => tracing::debug!(target: "gyrus::librdkafka", "{facility}: {message}"),
    }
}

fn partitions_of(list: &TopicPartitionList) -> Vec<TopicPartition> {
    list.elements()
        .iter()
        .map(|e| TopicPartition::new(e.topic(), e.partition()))
        .collect()
}

fn joined(partitions: &[TopicPartition]) -> String {
    partitions
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
