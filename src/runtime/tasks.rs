//! Named tasks with a death policy.
//!
//! Every long-lived task has a name and ends only when told to. One that ends by itself, by an
//! error or by a panic, stops the whole daemon with that name and reason: a memory that quietly
//! lost a limb is worse than one that is down.

use std::future::Future;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A task's name and handle.
type Running = (String, JoinHandle<()>);

/// Starts tasks and remembers them for the shutdown.
#[derive(Clone)]
pub struct Tasks {
    running: Arc<Mutex<Vec<Running>>>,
    stop: watch::Sender<bool>,
    death: watch::Sender<Option<String>>,
}

impl Default for Tasks {
    fn default() -> Self {
        Tasks {
            running: Default::default(),
            stop: watch::Sender::new(false),
            death: watch::Sender::new(None),
        }
    }
}

impl Tasks {
    /// Becomes true when the daemon stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Holds the first death: task and reason.
    pub fn deaths(&self) -> watch::Receiver<Option<String>> {
        self.death.subscribe()
    }

    /// Reports a death from outside a task (a writer thread).
    pub fn died(&self, name: &str, reason: &str) {
        tracing::error!(task = name, reason, "a task died");
        self.death.send_if_modified(|d| {
            let first = d.is_none();
            d.get_or_insert_with(|| format!("task {name} died: {reason}"));
            first
        });
    }

    /// Runs `task` under `name`. Ending before the stop is a death, whatever it returns.
    pub fn spawn<E>(
        &self,
        name: impl Into<String>,
        task: impl Future<Output = Result<(), E>> + Send + 'static,
    ) where
        E: std::fmt::Display + 'static,
    {
        let name = name.into();
        let (tasks, label) = (self.clone(), name.clone());
        let guarded = async move {
            match tokio::spawn(async move { task.await.map_err(|e| e.to_string()) }).await {
                Ok(Ok(())) if *tasks.stop.borrow() => {}
                Ok(Ok(())) => tasks.died(&label, "it ended before the daemon was told to stop"),
                Ok(Err(e)) => tasks.died(&label, &e),
                Err(e) if e.is_cancelled() => {}
                Err(e) => tasks.died(&label, &format!("panic: {e}")),
            }
        };
        self.running.lock().push((name, tokio::spawn(guarded)));
    }

    /// Tells all tasks to stop and waits for them.
    pub async fn shutdown(&self) {
        self.stop.send_replace(true);
        loop {
            let next = self.running.lock().pop();
            let Some((name, handle)) = next else { return };
            if let Err(e) = handle.await {
                tracing::warn!(task = name, error = %e, "a task did not stop cleanly");
            }
        }
    }
}
