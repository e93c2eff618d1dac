//! The link to Kafka: the consumer as a task, and its status.

use std::sync::Arc;

use tokio::sync::watch;

use super::sink::StreamSink;
use super::{Daemon, DaemonError};
use crate::stream::{KAFKA_SOURCE, KafkaSettings, KafkaSource, StatusCell, StreamStatus};

pub struct KafkaLink {
    sink: Arc<StreamSink>,
    status: StatusCell,
    topics: Vec<String>,
    stop: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

impl KafkaLink {
    /// Starts the consumer. Returns at once; an outage of the brokers is not an error.
    pub fn start(daemon: &Arc<Daemon>, settings: KafkaSettings) -> Result<KafkaLink, DaemonError> {
        let feedback = Some(settings.feedback_topic.clone()).filter(|t| !t.is_empty());
        let topics = settings.topics.clone();
        let sink = Arc::new(StreamSink::new(daemon, feedback));
        let source = KafkaSource::new(settings, sink.clone())?;
        let status = source.status();
        let stop = watch::Sender::new(false);
        let (done, ended) = watch::channel(false);
        let shutdown = stop.subscribe();
        let mut stopping = daemon.tasks.stopping();
        daemon.tasks.spawn(KAFKA_SOURCE, async move {
            let result = source.run(shutdown).await;
            done.send_replace(true);
            if result.is_ok() {
                // Told to stop before the others, so that the writers can finish; the task ends with them.
                let _ = stopping.wait_for(|s| *s).await;
            }
            result
        });
        Ok(KafkaLink { sink, status, topics, stop, ended })
    }

    /// Stops reading and waits until what was read is durable and committed.
    pub async fn stop(&self) {
        self.stop.send_replace(true);
        let mut ended = self.ended.clone();
        // An error means that the task is gone, which is what we wait for.
        let _ = ended.wait_for(|e| *e).await;
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
        let own = status.partitions.iter().filter(|p| self.topics.iter().any(|t| **t == *p.topic));
        own.map(|p| p.partition.max(0) as u32 + 1).max().unwrap_or(1)
    }
}
