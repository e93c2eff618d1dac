//! Subscriptions: intent changes after a cursor, as notifications.
//!
//! The cursor is the sequence number of a change within the space. Delivery is at least once: a
//! subscriber that comes back asks from its cursor, or from the one it acknowledged. What changed
//! several times meanwhile arrives in its newest form. A subscriber that does not read holds
//! up only itself: its task waits, and later reads what is newest then.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::RpcError;
use super::feed::{Feeds, Follower};
use super::params::Params;
use crate::runtime::Daemon;

/// The subscriber whose acknowledgements count when a client does not name itself.
pub const DEFAULT_SUBSCRIBER: &str = "default";

/// Checks the parameters of a subscription and begins to follow, from `after` or else from the cursor
/// that the subscriber acknowledged.
pub fn follow(daemon: &Arc<Daemon>, feeds: &Arc<Feeds>, mut p: Params) -> Result<Follower, RpcError> {
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
    Ok(feeds.follow(space, after))
}

/// Starts the task that passes changes on as lines, and answers with the cursor it starts from.
pub fn start(
    follower: Follower,
    out: mpsc::Sender<String>,
    gone: watch::Receiver<bool>,
    stop: watch::Receiver<bool>,
) -> Value {
    let answer = json!({"subscribed": &*follower.space, "after": follower.cursor});
    tokio::spawn(run(follower, out, gone, stop));
    answer
}

async fn run(
    mut follower: Follower,
    out: mpsc::Sender<String>,
    mut gone: watch::Receiver<bool>,
    mut stop: watch::Receiver<bool>,
) {
    loop {
        let changes = tokio::select! {
            c = follower.next() => c,
            _ = gone.wait_for(|g| *g) => return,
            _ = stop.wait_for(|s| *s) => return,
        };
        for c in changes {
            let note = format!(
                r#"{{"jsonrpc":"2.0","method":"intent","params":{{"cursor":{},"intent":{}}}}}"#,
                c.seq, c.intent
            );
            if out.send(note).await.is_err() {
                return;
            }
        }
    }
}
