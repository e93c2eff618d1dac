//! Streams: records in from Kafka, files and standard input; intents and dead letters out to Kafka.
//!
//! Guarantees: a partition is read from the position that the state holds, never from Kafka's
//! committed offset; a full sink pauses partitions and never leaves the group; nothing is committed
//! to Kafka before the sink calls it durable. What is delivered twice is for the sink to recognise.
//! Knows `event` (to classify records). Must not know spaces, graphs or how the sink stores.

mod config;
mod consumer;
pub mod decode;
mod error;
mod feedback;
mod file;
mod group;
mod lane;
mod lines;
mod outgoing;
mod partitioner;
mod publisher;
mod reanchor;
mod record;
mod settings;
mod sink;
mod status;
mod stdin;
#[cfg(test)]
mod testing;
mod topics;

pub use consumer::{KAFKA_SOURCE, KafkaSource};
pub use decode::{ClassifyCx, Input, Poison, Tombstone, classify};
pub use error::{PublishError, StreamError};
pub use file::{FILE_SOURCE, FileSource};
pub use outgoing::{Outgoing, dead_letter, intent_cloudevent};
pub use partitioner::default_partition;
pub use publisher::{Delivered, Publisher};
pub use record::{Record, RecordBatch, SourceKind, TopicPartition};
pub use settings::{FileSettings, KafkaSettings, OutOfRange, Start};
pub use sink::{Anomaly, RecordSink, SinkClosed};
pub use status::{PartitionStatus, StatusCell, StreamStatus};
pub use stdin::{STDIN_SOURCE, StdinSource};
pub use topics::{ensure_topics, topics_at};
