//! A shard as others see it: a bounded queue of commands, and figures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use parking_lot::RwLock;
use tokio::sync::{mpsc, oneshot};

use crate::event::{Receipt, Ts};
use crate::graph::{Node, NodeId};
use crate::index::VectorIndex;
use crate::intent::Feedback;
use crate::space::{Erase, EraseReceipt, Prepared};
use crate::stream::{Outgoing, Record, TopicPartition};

/// Why a write was not taken. Nothing of it is stored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IngestError {
    #[error("the shard refuses writes since a write failed: {reason}; it is retried every few seconds")]
    WriteFailed { reason: String },
    #[error("the daemon is shutting down")]
    Closed,
    #[error("the embedder is not available: {reason}; nothing was stored, try again")]
    Embedder { reason: String },
    #[error("unknown space")]
    UnknownSpace,
}

/// One event of an ingest call: analysed, or refused before it reached the writer.
pub enum Slot {
    Event(Box<Prepared>),
    Refused(Receipt),
}

/// One record of a stream, decoded, for the space that it names.
pub enum StreamInput {
    Event(Box<Prepared>),
    Feedback(Feedback),
    /// A record that cannot be taken: it goes to the dead letters in the batch that passes its offset.
    Dead(DeadLetter),
}

/// A refused record, verbatim, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadLetter {
    pub record: Record,
    pub code: String,
    pub reason: String,
}

impl DeadLetter {
    pub fn outgoing(&self, topic: &str) -> Outgoing {
        let at = Ts(self.record.timestamp_ms.unwrap_or_default()).rfc3339();
        crate::stream::dead_letter(topic, &self.record, &self.code, &self.reason, &at)
    }
}

/// What a shard's writer is asked to do. Replies are sent when the effect is durable.
pub enum Command {
    Ingest {
        space: Arc<str>,
        items: Vec<Slot>,
        reply: oneshot::Sender<Result<Vec<Receipt>, IngestError>>,
    },
    Records {
        inputs: Vec<(Arc<str>, StreamInput)>,
        /// Positions to store with the effect; none when another shard stores them.
        positions: Vec<(TopicPartition, i64)>,
        replies: Vec<oneshot::Sender<()>>,
    },
    Feedback {
        space: Arc<str>,
        feedback: Feedback,
        reply: oneshot::Sender<Result<Result<Arc<Node>, String>, IngestError>>,
    },
    Erase {
        space: Arc<str>,
        erase: Erase,
        dry_run: bool,
        reply: oneshot::Sender<Result<EraseReceipt, IngestError>>,
    },
    /// Which spaces of this shard have an event with this producer id?
    Find {
        event_id: String,
        reply: oneshot::Sender<Vec<Arc<str>>>,
    },
    Access {
        space: Arc<str>,
        ids: Vec<NodeId>,
    },
    Tick {
        wall_ms: i64,
    },
    /// A neighbour graph that was built in the background; `None` when the build failed.
    Neighbours {
        space: Arc<str>,
        ann: Option<Arc<dyn VectorIndex>>,
    },
    /// A batch could not be made durable.
    CommitFailed,
    /// Replied to when everything before it is durable and visible.
    Barrier {
        reply: oneshot::Sender<()>,
    },
    /// Digest of one space, or of all of the shard.
    Digest {
        space: Option<Arc<str>>,
        reply: oneshot::Sender<Vec<(Arc<str>, [u8; 32])>>,
    },
    Stop,
}

/// Figures of a shard, written by its writer, read by anyone.
#[derive(Default)]
pub struct ShardStats {
    /// Events stored since the start of the process.
    pub stored: AtomicU64,
    pub batches: AtomicU64,
    pub dead: AtomicU64,
    /// Commands accepted and commands whose effect is durable.
    pub accepted: AtomicU64,
    pub done: AtomicU64,
    pub rejected_plans: AtomicU64,
    /// Wall time of the last commit, milliseconds; 0 for none.
    pub last_commit_ms: AtomicI64,
    pub latched: AtomicBool,
    pub latch_reason: RwLock<String>,
    /// Positions as stored.
    pub positions: RwLock<std::collections::BTreeMap<TopicPartition, i64>>,
}

/// A cheap handle to a shard.
#[derive(Clone)]
pub struct ShardHandle {
    pub no: u32,
    pub(super) queue: mpsc::Sender<Command>,
    pub stats: Arc<ShardStats>,
}

impl ShardHandle {
    /// Waits for a place in the queue. A latched shard refuses at once.
    pub async fn send(&self, command: Command) -> Result<(), IngestError> {
        self.check()?;
        self.send_unchecked(command).await
    }

    /// As `send`, also while the shard is latched (stream records are held, not refused).
    pub async fn send_unchecked(&self, command: Command) -> Result<(), IngestError> {
        let permit = self.queue.reserve().await.map_err(|_| IngestError::Closed)?;
        self.stats.accepted.fetch_add(1, Ordering::SeqCst);
        permit.send(command);
        Ok(())
    }

    /// Sends if there is room; for what may be dropped under load.
    pub fn offer(&self, command: Command) {
        if let Ok(permit) = self.queue.try_reserve() {
            self.stats.accepted.fetch_add(1, Ordering::SeqCst);
            permit.send(command);
        }
    }

    /// Commands accepted whose effect is not durable yet.
    pub fn backlog(&self) -> u64 {
        let done = self.stats.done.load(Ordering::SeqCst);
        self.stats.accepted.load(Ordering::SeqCst).saturating_sub(done)
    }

    pub fn check(&self) -> Result<(), IngestError> {
        if self.stats.latched.load(Ordering::SeqCst) {
            return Err(IngestError::WriteFailed {
                reason: self.stats.latch_reason.read().clone(),
            });
        }
        Ok(())
    }
}
