//! Replies of a writer, which wait until the commit is durable.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::shard::IngestError;
use crate::event::Receipt;
use crate::graph::Node;
use crate::space::EraseReceipt;

/// A reply that waits for the commit.
pub(super) enum Reply {
    Ingest(oneshot::Sender<Result<Vec<Receipt>, IngestError>>, Vec<Receipt>),
    Feedback(
        oneshot::Sender<Result<Result<Arc<Node>, String>, IngestError>>,
        Result<Arc<Node>, String>,
    ),
    Erase(oneshot::Sender<Result<EraseReceipt, IngestError>>, EraseReceipt),
    Records(oneshot::Sender<()>),
    Barrier(oneshot::Sender<()>),
}

impl Reply {
    pub(super) fn confirm(self) {
        // A caller that went away does not wait for its reply.
        match self {
            Reply::Ingest(tx, v) => drop(tx.send(Ok(v))),
            Reply::Feedback(tx, v) => drop(tx.send(Ok(v))),
            Reply::Erase(tx, v) => drop(tx.send(Ok(v))),
            Reply::Records(tx) | Reply::Barrier(tx) => drop(tx.send(())),
        }
    }

    pub(super) fn refuse(self, error: &IngestError) {
        match self {
            Reply::Ingest(tx, _) => drop(tx.send(Err(error.clone()))),
            Reply::Feedback(tx, _) => drop(tx.send(Err(error.clone()))),
            Reply::Erase(tx, _) => drop(tx.send(Err(error.clone()))),
            // Dropping the sender tells the waiter that nothing became durable.
            Reply::Records(_) | Reply::Barrier(_) => {}
        }
    }
}
