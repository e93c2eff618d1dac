//! What a source asks of whoever takes its records.

use async_trait::async_trait;

use super::{RecordBatch, TopicPartition};

/// The sink takes no more records: it is shutting down or refuses after a failed write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the sink of the stream is closed")]
pub struct SinkClosed;

/// What went wrong with a partition's data and must not pass in silence.
#[derive(Clone, Debug, PartialEq)]
pub enum Anomaly {
    /// The stored position is not in the topic any more (expired, or the topic was made anew).
    OutOfRange {
        partition: TopicPartition,
        position: i64,
        low: i64,
        high: i64,
        /// Where reading goes on; `None`: it does not (policy `fail`).
        resumed_at: Option<i64>,
    },
    /// A file became shorter than the position, was replaced, or does not have a line end there.
    FileRestarted {
        partition: TopicPartition,
        position: i64,
        reason: &'static str,
    },
    /// The group took the partition away without waiting for us (missed heartbeats).
    PartitionsLost { partitions: Vec<TopicPartition> },
}

impl std::fmt::Display for Anomaly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Anomaly::OutOfRange {
                partition,
                position,
                low,
                high,
                resumed_at,
            } => {
                write!(
                    f,
                    "{partition}: position {position} is outside of the topic ({low} to {high}); "
                )?;
                match resumed_at {
                    Some(at) if at > position => write!(
                        f,
                        "resumed at {at}, {} records are lost to this state",
                        at - position
                    ),
                    Some(at) => {
                        write!(f, "resumed at {at}, the topic seems to have been made anew")
                    }
                    None => f.write_str("stopped, as `out_of_range = \"fail\"` says"),
                }
            }
            Anomaly::FileRestarted {
                partition,
                position,
                reason,
            } => {
                write!(
                    f,
                    "{}: read again from its beginning (was at byte {position}): {reason}",
                    partition.topic
                )
            }
            Anomaly::PartitionsLost { partitions } => {
                write!(f, "lost without notice:")?;
                partitions.iter().try_for_each(|p| write!(f, " {p}"))
            }
        }
    }
}

/// Takes records. The runtime implements it; a source calls it.
///
/// Order of calls for a partition: `assigned`, then `position`, then `deliver` (one call at a time
/// for each partition, several partitions at once), then `revoked`. After a rebalance it may be
/// assigned again.
#[async_trait]
pub trait RecordSink: Send + Sync {
    /// Next offset to read, as stored with the state in one atomic batch; `None`: never read.
    /// Called after `assigned` returned, from a thread that may not block for long.
    fn position(&self, topic: &str, partition: i32) -> Option<i64>;

    /// Returns when the batch is in the bounded queue of the partition's shard: waiting here is the
    /// back-pressure. The future may be dropped; the batch must then be accepted wholly or not at all.
    async fn deliver(&self, batch: RecordBatch) -> Result<(), SinkClosed>;

    /// Next offset that may be committed to Kafka: all before it is durable. Called about once a second.
    fn durable(&self, topic: &str, partition: i32) -> Option<i64>;

    /// These partitions are ours now: open or restore their shards.
    async fn assigned(&self, partitions: &[TopicPartition]) -> Result<(), SinkClosed>;

    /// These partitions go. Returns when all that was accepted of them is durable (or given up).
    /// Must end well within `max.poll.interval.ms` (5 minutes unless set otherwise).
    async fn revoked(&self, partitions: &[TopicPartition]);

    /// Something that an operator must hear of; it has been logged as an error already.
    fn anomaly(&self, _anomaly: &Anomaly) {}
}
