//! The link to Kafka: the consumer as a task, and its status.

use std::sync::Arc;

use super::sink::StreamSink;
use super::source::SourceTask;
use super::{Daemon, DaemonError};
use crate::stream::{KAFKA_SOURCE, KafkaSettings, KafkaSource, StatusCell, StreamStatus};

pub struct KafkaLink {
    sink: Arc<StreamSink>,
    status: StatusCell,
    topics: Vec<String>,
    task: SourceTask,
}

impl KafkaLink {
    /// Starts the consumer. Returns at once; an outage of the brokers is not an error.
    pub fn start(daemon: &Arc<Daemon>, settings: KafkaSettings) -> Result<KafkaLink, DaemonError> {
        let feedback = Some(settings.feedback_topic.clone()).filter(|t| !t.is_empty());
        let topics = settings.topics.clone();
        let sink = Arc::new(StreamSink::new(daemon, feedback));
        let source = KafkaSource::new(settings, sink.clone())?;
        let status = source.status();
        let task = SourceTask::start(daemon, KAFKA_SOURCE, |shutdown| source.run(shutdown));
        Ok(KafkaLink {
            sink,
            status,
            topics,
            task,
        })
    }

    /// Stops reading and waits until what was read is durable and committed.
    pub async fn stop(&self) {
        self.task.stop().await;
    }

    pub fn status(&self) -> StreamStatus {
        self.status.get()
    }

    pub fn anomalies(&self) -> Vec<String> {
        self.sink.anomalies()
    }

    /// Partitions of the event topics, as far as this process knows: one more than the highest assigned.
    pub fn partitions(&self) -> u32 {
        let status = self.status.get();
        let own = status
            .partitions
            .iter()
            .filter(|p| self.topics.iter().any(|t| **t == *p.topic));
        own.map(|p| p.partition.max(0) as u32 + 1).max().unwrap_or(1)
    }
}
