//! A source as a task that can be stopped before the writers.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

use super::Daemon;
use super::sink::StreamSink;
use crate::stream::{FILE_SOURCE, FileSettings, FileSource, STDIN_SOURCE, StdinSource, StreamError};

/// A running source.
pub struct SourceTask {
    stop: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
}

impl SourceTask {
    /// Runs a source under `name`. One that ends by itself without an error (standard input is at
    /// its end) is not a death.
    pub fn start<F>(
        daemon: &Arc<Daemon>,
        name: &str,
        run: impl FnOnce(watch::Receiver<bool>) -> F,
    ) -> SourceTask
    where
        F: Future<Output = Result<(), StreamError>> + Send + 'static,
    {
        let stop = watch::Sender::new(false);
        let (done, ended) = watch::channel(false);
        let running = run(stop.subscribe());
        let mut stopping = daemon.tasks.stopping();
        daemon.tasks.spawn(name, async move {
            let result = running.await;
            done.send_replace(true);
            if result.is_ok() {
                // The task itself ends with the others.
                let _ = stopping.wait_for(|s| *s).await;
            }
            result
        });
        SourceTask { stop, ended }
    }

    /// Stops it and waits until everything it read is with the writers.
    pub async fn stop(&self) {
        self.stop.send_replace(true);
        // An error means that the task is gone, which is what we wait for.
        let _ = self.ended.clone().wait_for(|e| *e).await;
    }
}

/// Follows a file of NDJSON events from where the last run stopped.
pub fn follow(daemon: &Arc<Daemon>, path: &Path, settings: FileSettings) -> SourceTask {
    let source = FileSource::new(path, settings, Arc::new(StreamSink::new(daemon, None)));
    SourceTask::start(daemon, FILE_SOURCE, |shutdown| source.run(shutdown))
}

/// Reads NDJSON events from standard input until it ends.
pub fn standard_input(daemon: &Arc<Daemon>, settings: FileSettings) -> SourceTask {
    let source = StdinSource::new(settings, Arc::new(StreamSink::new(daemon, None)));
    SourceTask::start(daemon, STDIN_SOURCE, |shutdown| source.run(shutdown))
}
