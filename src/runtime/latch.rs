//! What a writer does after a failed commit: it refuses, holds, and starts over from what is stored.
//!
//! Nothing of the failed batch is acknowledged. Socket writes are refused by name, stream records wait in order, the
//! state is loaded anew, and only then the held records are applied again (DESIGN invariant 13).

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::batch::{Batch, Redo};
use super::load::{self, LoadError};
use super::reply::Reply;
use super::shard::{Command, IngestError, StreamInput};
use super::writer::Writer;
use crate::event::Event;
use crate::space::Prepared;
use crate::store::{StoreError, Table, Write};

impl Writer {
    /// After a failed commit: refuse, hold stream records, load anew, apply the held ones again. True
    /// when told to stop while the store still refused.
    pub(super) fn latched(
        &mut self,
        error: StoreError,
        batch: Batch,
        held: &mut VecDeque<Command>,
    ) -> Result<bool, LoadError> {
        let reason = error.to_string();
        tracing::error!(shard = self.cx.shard, %reason, "a commit failed: the shard refuses writes until it has reopened");
        *self.cx.stats.latch_reason.write() = reason.clone();
        self.cx.stats.latched.store(true, Ordering::SeqCst);
        let refusal = IngestError::WriteFailed { reason };
        let mut waiting = Vec::new();
        for r in batch.replies {
            match r {
                Reply::Records(tx) => waiting.push(tx),
                r => r.refuse(&refusal),
            }
        }
        let mut stop = batch.stop;
        loop {
            if self.reopen() {
                break;
            }
            if stop {
                // Nothing held was acknowledged; the stream delivers it again after the restart.
                return Ok(true);
            }
            stop = self.wait_refusing(&refusal, held);
        }
        self.cx.stats.latched.store(false, Ordering::SeqCst);
        tracing::info!(
            shard = self.cx.shard,
            "the shard has reopened and verified its state"
        );
        self.cx.stats.done.fetch_add(batch.commands, Ordering::SeqCst);
        let redo = self.redo_command(batch.redo, waiting);
        held.push_front(redo);
        self.cx.stats.accepted.fetch_add(1, Ordering::SeqCst);
        if stop {
            held.push_back(Command::Stop);
        }
        Ok(false)
    }

    /// Loads everything from the store and proves that it can be written to.
    fn reopen(&mut self) -> bool {
        let probe = Write::put(Table::Meta, b"probe".to_vec(), b"reopened".to_vec());
        if let Err(e) = self.cx.store.commit(&[probe]) {
            tracing::warn!(shard = self.cx.shard, error = %e, "the store still refuses");
            return false;
        }
        match load::load(
            self.cx.shard,
            self.cx.store.as_ref(),
            &self.cx.models,
            &self.cx.spaces,
        ) {
            Ok(state) => {
                self.state = state;
                self.publish_all();
                true
            }
            Err(e) => {
                tracing::error!(shard = self.cx.shard, error = %e, "the stored state cannot be loaded");
                false
            }
        }
    }

    /// Refuses what comes for a while, holding stream records. True when told to stop.
    fn wait_refusing(&mut self, refusal: &IngestError, held: &mut VecDeque<Command>) -> bool {
        let pause = Duration::from_secs_f64(self.cx.settings.reopen_seconds.max(0.05));
        let until = std::time::Instant::now() + pause;
        while std::time::Instant::now() < until {
            match self.queue.try_recv() {
                Ok(Command::Stop) => return true,
                Ok(c @ Command::Records { .. }) => held.push_back(c),
                // What comes from the background was not counted as accepted.
                Ok(Command::CommitFailed) => {}
                Ok(Command::Neighbours { .. }) => self.building = false,
                Ok(c) => {
                    self.cx.stats.done.fetch_add(1, Ordering::SeqCst);
                    refuse(c, refusal);
                }
                Err(mpsc::error::TryRecvError::Empty) => std::thread::park_timeout(Duration::from_millis(20)),
                Err(mpsc::error::TryRecvError::Disconnected) => return true,
            }
            if held.len() >= self.cx.settings.queue_commands {
                // Full: let the queue push back instead.
                std::thread::park_timeout(pause);
            }
        }
        false
    }

    fn redo_command(&self, redo: Vec<Redo>, replies: Vec<oneshot::Sender<()>>) -> Command {
        let mut inputs = Vec::new();
        let mut positions = Vec::new();
        for r in redo {
            match r {
                Redo::Event(space, event) => {
                    inputs.push((space, StreamInput::Event(Box::new(self.prepare_again(event)))))
                }
                Redo::Feedback(space, f) => inputs.push((space, StreamInput::Feedback(f))),
                Redo::Dead(d) => inputs.push(("".into(), StreamInput::Dead(d))),
                Redo::Position(p, at) => positions.push((p, at)),
            }
        }
        Command::Records {
            inputs,
            positions,
            replies,
        }
    }

    /// Analyses an event once more; waits for an embedder that is away, since the event must not be lost.
    fn prepare_again(&self, event: Arc<Event>) -> Prepared {
        loop {
            match Prepared::of(vec![event.clone()], &self.cx.models) {
                Ok(mut one) => {
                    if let Some(p) = one.pop() {
                        return p;
                    }
                }
                Err(e) => tracing::warn!(error = %e, "waiting for the embedder"),
            }
            std::thread::park_timeout(Duration::from_secs(1));
        }
    }
}

fn refuse(command: Command, error: &IngestError) {
    match command {
        Command::Ingest { reply, .. } => drop(reply.send(Err(error.clone()))),
        Command::Feedback { reply, .. } => drop(reply.send(Err(error.clone()))),
        Command::Erase { reply, .. } => drop(reply.send(Err(error.clone()))),
        Command::Find { reply, .. } => drop(reply.send(Vec::new())),
        // The rest have no one to tell, or are told by the dropped sender.
        Command::Records { .. }
        | Command::Access { .. }
        | Command::Tick { .. }
        | Command::Neighbours { .. }
        | Command::CommitFailed
        | Command::Barrier { .. }
        | Command::Digest { .. }
        | Command::Stop => {}
    }
}
