//! One batch of a writer: what it did, and who waits for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::reply::Reply;
use super::shard::DeadLetter;
use crate::event::Event;
use crate::graph::{Node, NodeId};
use crate::intent::Feedback;
use crate::space::JournalInput;
use crate::stream::TopicPartition;

/// A stream record's effect, kept until it is durable so that it can be applied again after a
/// failed commit.
pub(super) enum Redo {
    Event(Arc<str>, Arc<Event>),
    Feedback(Arc<str>, Feedback),
    Dead(DeadLetter),
    Position(TopicPartition, i64),
}

/// One batch in the making.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) events: usize,
    pub(super) commands: u64,
    pub(super) journal: Vec<(Arc<str>, JournalInput)>,
    /// Events stored in this batch: their node gets this batch's journal number.
    pub(super) stored: Vec<(Arc<str>, NodeId)>,
    pub(super) touched: BTreeSet<Arc<str>>,
    pub(super) intents: Vec<(Arc<str>, Arc<Node>)>,
    pub(super) dead: Vec<DeadLetter>,
    pub(super) positions: BTreeMap<TopicPartition, i64>,
    /// Erased events with the journal entry that each stood in (0: this batch's own).
    pub(super) erased: Vec<(Arc<str>, NodeId, u64)>,
    pub(super) replies: Vec<Reply>,
    pub(super) redo: Vec<Redo>,
    /// Plans that the graph refused.
    pub(super) refused_plans: u64,
    pub(super) stop: bool,
}

impl Batch {
    /// This batch failed, and `later` was applied on top of it: both are to be taken again, in order.
    pub(super) fn followed_by(mut self, later: Batch) -> Batch {
        self.commands += later.commands;
        self.replies.extend(later.replies);
        self.redo.extend(later.redo);
        self.stop |= later.stop;
        self
    }
}
