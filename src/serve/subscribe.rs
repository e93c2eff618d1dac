//! Subscriptions: intent changes after a cursor, as notifications.
//!
//! The cursor is the sequence number of a change within the space. Delivery is at least once: a
//! subscriber that comes back asks from its cursor, or from the one it acknowledged. What changed
//! several times meanwhile arrives once, in its newest form. A subscriber that does not read holds
//! up only itself: its task waits, and later reads the newest state.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::params::Params;
use super::{RpcError, wire};
use crate::graph::{Body, NodeKind};
use crate::runtime::Daemon;

/// The subscriber whose acknowledgements count when a client does not name itself.
pub const DEFAULT_SUBSCRIBER: &str = "default";

/// Checks the parameters, starts the task and answers with the cursor it starts from.
pub fn start(
    daemon: &Arc<Daemon>,
    params: Option<Value>,
    out: mpsc::Sender<String>,
    gone: watch::Receiver<bool>,
) -> Result<Value, RpcError> {
    let mut p = Params::of(params)?;
    let space = p.space()?;
    let subscriber = p
        .string("subscriber")?
        .unwrap_or_else(|| DEFAULT_SUBSCRIBER.into());
    let after = p.count("after")?;
    p.finish()?;
    // A space that has no event yet may be subscribed to: its first intent will come.
    let after = match after {
        Some(a) => a,
        None if daemon.view(&space).is_some() => daemon.acknowledged(&space, &subscriber)?,
        None => 0,
    };
    tokio::spawn(run(
        daemon.clone(),
        space.clone(),
        after,
        out,
        gone,
        daemon.tasks.stopping(),
    ));
    Ok(json!({"subscribed": &*space, "after": after}))
}

async fn run(
    daemon: Arc<Daemon>,
    space: Arc<str>,
    mut cursor: u64,
    out: mpsc::Sender<String>,
    mut gone: watch::Receiver<bool>,
    mut stop: watch::Receiver<bool>,
) {
    // Before the first look, so that no change falls between the two.
    let mut changes = daemon.changes();
    loop {
        for (seq, intent) in newer(&daemon, &space, cursor) {
            let note =
                json!({"jsonrpc": "2.0", "method": "intent", "params": {"cursor": seq, "intent": intent}});
            if out.send(note.to_string()).await.is_err() {
                return;
            }
            cursor = seq;
        }
        loop {
            let changed = tokio::select! {
                c = changes.recv() => c,
                _ = gone.wait_for(|g| *g) => return,
                _ = stop.wait_for(|s| *s) => return,
            };
            match changed {
                Ok(name) if *name == *space => break,
                Ok(_) => {}
                // Missed some: look anew.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => break,
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
            }
        }
    }
}

/// Intents whose newest change is after `cursor`, in order of it. Cost: the intents of the space.
pub fn newer(daemon: &Daemon, space: &str, cursor: u64) -> BTreeMap<u64, Value> {
    let Some(view) = daemon.view(space) else {
        return BTreeMap::new();
    };
    let mut out = BTreeMap::new();
    for ix in view.graph.of_kind(NodeKind::Intent) {
        let Some(node) = view.graph.node(ix) else { continue };
        if let Body::Intent(i) = &node.body
            && i.seq > cursor
            && let Some(v) = wire::intent(space, Some(&view.graph), node)
        {
            out.insert(i.seq, v);
        }
    }
    out
}
