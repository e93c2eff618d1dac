//! Streams: records in from Kafka, files and standard input; intents and dead letters out to Kafka.
//!
//! Guarantees: a partition is read from the position that the state holds, never from Kafka's
//! committed offset; a full sink pauses partitions and never leaves the group; nothing is committed
//! to Kafka before the sink calls it durable. What is delivered twice is for the sink to recognise.
//! Knows `event` (to classify records). Must not know spaces, graphs or how the sink stores.

mod config;
mod consumer;
mod error;
mod group;
mod lane;
mod partitioner;
mod record;
mod settings;
mod sink;
mod status;
mod topics;

pub use consumer::{KAFKA_SOURCE, KafkaSource};
pub use error::{PublishError, StreamError};
pub use partitioner::default_partition;
pub use record::{Record, RecordBatch, SourceKind, TopicPartition};
pub use settings::{FileSettings, KafkaSettings, OutOfRange, Start};
pub use sink::{Anomaly, RecordSink, SinkClosed};
pub use status::{PartitionStatus, StatusCell, StreamStatus};
pub use topics::ensure_topics;
