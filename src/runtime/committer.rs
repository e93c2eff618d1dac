//! The thread that makes a writer's batches durable, in order, one at a time, while the writer
//! applies the next one.
//!
//! Nothing is shown to readers, told to followers or acknowledged before its batch is on the disk.
//! A failure comes back with the batch; what the writer has applied since then is lost with it and
//! is applied again after the shard has reopened.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

use super::batch::Batch;
use super::reply::Reply;
use super::shard::Command;
use super::writer::WriterContext;
use crate::space::SpaceView;
use crate::store::{StoreError, Write};

/// A batch whose writes are worked out, with the views that show it.
pub(super) struct Job {
    pub writes: Vec<Write>,
    pub views: Vec<SpaceView>,
    pub batch: Batch,
}

/// A commit that failed, and its batch.
pub(super) type Failed = Box<(StoreError, Batch)>;

/// The writer's end.
pub(super) struct Committer {
    jobs: Option<SyncSender<Job>>,
    outcomes: Receiver<Result<(), Failed>>,
    thread: Option<JoinHandle<()>>,
    in_flight: bool,
}

impl Committer {
    pub fn start(cx: Arc<WriterContext>) -> Result<Committer, StoreError> {
        let (jobs, todo) = sync_channel::<Job>(1);
        let (done, outcomes) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name(format!("gyrus-commit-{}", cx.shard))
            .spawn(move || {
                for job in todo {
                    let outcome = commit(&cx, job);
                    let failed = outcome.is_err();
                    if done.send(outcome).is_err() {
                        return;
                    }
                    // The writer may be waiting for work and must hear of the failure now.
                    if failed && let Some(queue) = cx.queue.upgrade() {
                        let _ = queue.blocking_send(Command::CommitFailed);
                    }
                }
            })
            .map_err(|e| StoreError::failed("starting a commit thread", e))?;
        Ok(Committer {
            jobs: Some(jobs),
            outcomes,
            thread: Some(thread),
            in_flight: false,
        })
    }

    /// Waits for the batch in flight, if there is one.
    pub fn wait(&mut self) -> Result<(), Failed> {
        if !std::mem::take(&mut self.in_flight) {
            return Ok(());
        }
        match self.outcomes.recv() {
            Ok(outcome) => outcome,
            Err(_) => self.died(),
        }
    }

    /// Hands a batch over; the one before it must have been waited for.
    pub fn submit(&mut self, job: Job) {
        debug_assert!(!self.in_flight, "one batch at a time");
        self.in_flight = true;
        if self.jobs.as_ref().is_none_or(|jobs| jobs.send(job).is_err()) {
            self.died();
        }
    }

    /// The thread is gone, so it panicked: so does the writer, whose death the daemon knows how to take.
    fn died(&mut self) -> ! {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => panic!("the commit thread ended while its writer runs"),
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told when the outcome was waited for.
            let _ = thread.join();
        }
    }
}

/// Writes a batch, shows it, and only then replies.
fn commit(cx: &WriterContext, job: Job) -> Result<(), Failed> {
    let Job { writes, views, batch } = job;
    let started = Instant::now();
    if !writes.is_empty() {
        if let Err(e) = cx.store.commit(&writes) {
            return Err(Box::new((e, batch)));
        }
        cx.metrics
            .committed(batch.events, started.elapsed(), batch.intents.len());
    }
    for view in views {
        cx.registry.publish(cx.shard, view);
    }
    record_stats(cx, &batch);
    for (space, _) in &batch.intents {
        // Nobody listening is no failure.
        let _ = cx.changes.send(space.clone());
    }
    let outgoing = !batch.intents.is_empty() || !batch.dead.is_empty();
    if outgoing && let Some(outbox) = &cx.outbox {
        outbox.wake();
    }
    if !batch.erased.is_empty() {
        cx.scrub.request();
    }
    batch.replies.into_iter().for_each(Reply::confirm);
    Ok(())
}

fn record_stats(cx: &WriterContext, batch: &Batch) {
    let s = &cx.stats;
    s.rejected_plans.fetch_add(batch.refused_plans, Ordering::SeqCst);
    s.stored.fetch_add(batch.stored.len() as u64, Ordering::SeqCst);
    s.dead.fetch_add(batch.dead.len() as u64, Ordering::SeqCst);
    s.batches.fetch_add(1, Ordering::SeqCst);
    s.last_commit_ms
        .store(chrono::Utc::now().timestamp_millis(), Ordering::SeqCst);
    if !batch.positions.is_empty() {
        let mut positions = s.positions.write();
        positions.extend(batch.positions.iter().map(|(p, at)| (p.clone(), *at)));
    }
    s.done.fetch_add(batch.commands, Ordering::SeqCst);
}
