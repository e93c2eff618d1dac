//! Neighbour graphs of large spaces, built off the write path.

use std::sync::Arc;

use super::shard::Command;
use super::writer::WriterContext;
use crate::index::{IndexView, build_ann};

/// Starts the build of one graph on a thread of its own; it comes back as a command. False when no
/// thread could be started (the exact scan goes on serving).
pub fn build(view: IndexView, space: Arc<str>, cx: &WriterContext) -> bool {
    let (settings, queue) = (cx.spaces.index.clone(), cx.queue.clone());
    let spawned = std::thread::Builder::new()
        .name("gyrus-neighbours".into())
        .spawn(move || {
            let built =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build_ann(&view, &settings)));
            if built.is_err() {
                tracing::error!("building a neighbour graph panicked; vectors are scanned instead");
            }
            // A closed queue means that the shard is gone, and the graph with it.
            if let Some(queue) = queue.upgrade() {
                let _ = queue.blocking_send(Command::Neighbours {
                    space,
                    ann: built.ok(),
                });
            }
        });
    match spawned {
        Ok(_) => true,
        Err(error) => {
            tracing::warn!(%error, "no thread for a neighbour graph; vectors are scanned instead");
            false
        }
    }
}
