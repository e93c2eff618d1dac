//! The outbox: what has to be published, written in the batch that caused it.
//!
//! A record is deleted only after the broker has confirmed it, so it is published at least once,
//! in order within its shard, whatever dies in between. Each intent change carries the same ids on a repeat.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{Notify, watch};

use crate::graph::{Body, GraphView, IntentStatus, Node};
use crate::serve::wire;
use crate::store::{Store, StoreError, Table, Write};
use crate::stream::{Outgoing, Publisher, intent_cloudevent};

/// Where records go, and the bell that says there are some.
#[derive(Clone)]
pub struct OutboxHandle {
    pub intents_topic: Arc<str>,
    pub dead_letters_topic: Arc<str>,
    bell: Arc<Notify>,
    /// Records published since the start.
    pub published: Arc<AtomicU64>,
}

impl OutboxHandle {
    pub fn new(intents_topic: &str, dead_letters_topic: &str) -> OutboxHandle {
        OutboxHandle {
            intents_topic: intents_topic.into(),
            dead_letters_topic: dead_letters_topic.into(),
            bell: Arc::new(Notify::new()),
            published: Arc::new(AtomicU64::new(0)),
        }
    }

    /// The handle for one more shard: same topics and counter, a bell of its own.
    pub fn for_shard(&self) -> OutboxHandle {
        OutboxHandle {
            bell: Arc::new(Notify::new()),
            ..self.clone()
        }
    }

    pub fn wake(&self) {
        self.bell.notify_one();
    }
}

/// How a record to publish stands in the store.
#[derive(Serialize, Deserialize)]
struct OutboxRecord {
    topic: String,
    key: Option<Vec<u8>>,
    payload: Option<Vec<u8>>,
    headers: Vec<(String, Vec<u8>)>,
}

pub fn encode(r: Outgoing) -> Vec<u8> {
    let record = OutboxRecord {
        topic: r.topic,
        key: r.key,
        payload: r.payload,
        headers: r.headers,
    };
    // postcard fails only on maps of unknown length and on a full fixed buffer; neither occurs.
    postcard::to_stdvec(&record).expect("an outbox record is a plain struct")
}

fn decode(bytes: &[u8]) -> Result<Outgoing, StoreError> {
    let r: OutboxRecord =
        postcard::from_bytes(bytes).map_err(|e| StoreError::failed("decoding an outbox record", e))?;
    Ok(Outgoing {
        topic: r.topic,
        key: r.key,
        payload: r.payload,
        headers: r.headers,
    })
}

/// The record of one intent change; `view` is the graph right after it. The CloudEvent id is the
/// intent's id and sequence, so that a repeated delivery is recognised.
pub fn intent_record(to: &OutboxHandle, space: &str, node: &Node, view: &GraphView) -> Option<Outgoing> {
    let Body::Intent(i) = &node.body else { return None };
    let kind = match i.status {
        IntentStatus::Retracted => "io.gyrus.intent.retracted.v1",
        IntentStatus::Pending if i.emitted_at == i.updated_at => "io.gyrus.intent.emitted.v1",
        _ => "io.gyrus.intent.updated.v1",
    };
    let id = format!("{}:{}", node.id, i.seq);
    let data = wire::intent(space, Some(view), node)?;
    Some(intent_cloudevent(
        &to.intents_topic,
        kind,
        &id,
        space,
        &i.updated_at.rfc3339(),
        data,
    ))
}

/// Keys of records that wait and tell of one of these intents: after an erasure they may hold words that are gone, and a
/// newer record of the same intent follows. Cost: linear in what waits.
pub fn superseded(
    store: &dyn Store,
    topic: &str,
    ids: &BTreeSet<Arc<str>>,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut keys = Vec::new();
    let mut failed = None;
    store.scan(Table::Outbox, b"", &mut |key, value| {
        match decode(value) {
            Ok(r) if r.topic == topic => {
                let told = r
                    .payload
                    .as_deref()
                    .and_then(|p| serde_json::from_slice::<Value>(p).ok());
                let id = told.as_ref().and_then(|t| t["data"]["id"].as_str());
                if id.is_some_and(|id| ids.contains(id)) {
                    keys.push(key.to_vec());
                }
            }
            Ok(_) => {}
            Err(e) => failed = Some(e),
        }
        failed.is_none()
    })?;
    failed.map_or(Ok(keys), Err)
}

/// Publishes a shard's outbox until `stop` is set. What is left then is published after the restart.
pub async fn run(
    store: Arc<dyn Store>,
    publisher: Publisher,
    handle: OutboxHandle,
    mut stop: watch::Receiver<bool>,
) -> Result<(), StoreError> {
    loop {
        // Armed before the scan, so that a record written after it rings.
        let bell = handle.bell.notified();
        let pending = pending(store.clone()).await?;
        if pending.is_empty() {
            tokio::select! {
                _ = bell => continue,
                _ = stop.wait_for(|s| *s) => return Ok(()),
            }
        }
        let (keys, records): (Vec<_>, Vec<_>) = pending.into_iter().unzip();
        let mut done = 0;
        let result = {
            let count = &mut done;
            tokio::select! {
                r = publisher.publish_all(&records, |n, _| *count = n + 1) => Some(r),
                _ = stop.wait_for(|s| *s) => None,
            }
        };
        let stopped = result.is_none();
        if let Some(Err((n, e))) = result {
            // The broker will never take it: out of the way, but not silently.
            tracing::error!(topic = %records[n].topic, error = %e, "a record was refused for good and left the outbox");
            done = n + 1;
        }
        handle.published.fetch_add(done as u64, Ordering::SeqCst);
        let delivered: Vec<Write> = keys
            .into_iter()
            .take(done)
            .map(|key| Write::delete(Table::Outbox, key))
            .collect();
        // While the store refuses, the shard is latched and comes back. Records that are published and
        // not deleted would be published again, so this waits here.
        while let Err(e) = delete(store.clone(), &delivered).await {
            tracing::warn!(error = %e, "published records cannot be taken out of the outbox yet");
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                _ = stop.wait_for(|s| *s) => return Ok(()),
            }
        }
        if stopped {
            return Ok(());
        }
    }
}

/// Pause between attempts to delete what is published.
const RETRY: std::time::Duration = std::time::Duration::from_secs(1);

async fn delete(store: Arc<dyn Store>, delivered: &[Write]) -> Result<(), StoreError> {
    let writes = delivered.to_vec();
    blocking(move || store.commit(&writes)).await
}

/// The oldest records that wait, at most a few hundred.
async fn pending(store: Arc<dyn Store>) -> Result<Vec<(Vec<u8>, Outgoing)>, StoreError> {
    const MAX: usize = 256;
    blocking(move || {
        let mut out = Vec::new();
        let mut failed = None;
        store.scan(Table::Outbox, b"", &mut |k, v| {
            match decode(v) {
                Ok(r) => out.push((k.to_vec(), r)),
                Err(e) => failed = Some(e),
            }
            failed.is_none() && out.len() < MAX
        })?;
        failed.map_or(Ok(out), Err)
    })
    .await
}

async fn blocking<T: Send + 'static>(
    f: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(f).await {
        Ok(r) => r,
        Err(e) => Err(StoreError::failed("working on the outbox", e)),
    }
}
