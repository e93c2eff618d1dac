//! The outbox: what has to be published, written in the batch that caused it.
//!
//! A record is deleted only after the broker has confirmed it, so it is published at least once,
//! in order within its shard, whatever dies in between. Each intent change carries the same ids on a repeat.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, watch};

use super::shard::DeadLetter;
use crate::graph::{Body, GraphView, IntentStatus, Node};
use crate::serve::wire;
use crate::store::{Store, StoreError, Table, Write};
use crate::stream::{PublishError, Publisher};

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
        OutboxHandle { bell: Arc::new(Notify::new()), ..self.clone() }
    }

    pub fn wake(&self) {
        self.bell.notify_one();
    }
}

/// A record to publish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutboxRecord {
    pub topic: String,
    pub key: Option<Vec<u8>>,
    pub payload: Option<Vec<u8>>,
    pub headers: Vec<(String, Vec<u8>)>,
}

pub fn encode(r: &OutboxRecord) -> Vec<u8> {
    // postcard fails only on maps of unknown length and on a full fixed buffer; neither occurs.
    postcard::to_stdvec(r).expect("an outbox record is a plain struct")
}

pub fn decode(bytes: &[u8]) -> Result<OutboxRecord, StoreError> {
    postcard::from_bytes(bytes).map_err(|e| StoreError::failed("decoding an outbox record", e))
}

/// The record of one intent change; `view` is the graph right after it.
pub fn intent_record(to: &OutboxHandle, space: &str, node: &Node, view: &GraphView) -> OutboxRecord {
    let change = match &node.body {
        Body::Intent(i) if i.status == IntentStatus::Retracted => "retracted",
        Body::Intent(i) if i.emitted_at == i.updated_at && i.status == IntentStatus::Pending => "emitted",
        _ => "updated",
    };
    let data = wire::intent(space, Some(view), node).unwrap_or_default();
    OutboxRecord {
        topic: to.intents_topic.to_string(),
        key: Some(space.as_bytes().to_vec()),
        payload: Some(wire::intent_cloudevent(space, node, change, data).to_string().into_bytes()),
        headers: vec![("content-type".into(), b"application/cloudevents+json; charset=UTF-8".to_vec())],
    }
}

/// The record of a refused stream record: its bytes as they came, and why.
pub fn dead_record(to: &OutboxHandle, d: &DeadLetter) -> OutboxRecord {
    let header = |k: &str, v: &str| (k.to_string(), v.as_bytes().to_vec());
    OutboxRecord {
        topic: to.dead_letters_topic.to_string(),
        key: d.key.clone(),
        payload: d.value.clone(),
        headers: vec![
            header("gyrus_topic", &d.topic),
            header("gyrus_partition", &d.partition.to_string()),
            header("gyrus_offset", &d.offset.to_string()),
            header("gyrus_code", &d.code),
            header("gyrus_reason", &d.reason),
        ],
    }
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
        let mut delivered = Vec::with_capacity(pending.len());
        let mut stopped = false;
        for (key, record) in pending {
            let sent = tokio::select! {
                d = publisher.publish(&record.topic, record.key.as_deref(), record.payload.as_deref(), &record.headers) => d,
                _ = stop.wait_for(|s| *s) => Err(PublishError::Closed { topic: record.topic.clone() }),
            };
            match sent {
                Ok(_) => {}
                Err(PublishError::Closed { .. }) => {
                    stopped = true;
                    break;
                }
                Err(e) => {
                    // The broker will never take it: kept out of the way, not silently.
                    tracing::error!(topic = %record.topic, error = %e, "a record was refused by the broker and dropped from the outbox");
                }
            }
            handle.published.fetch_add(1, Ordering::SeqCst);
            delivered.push(Write::delete(Table::Outbox, key));
        }
        let store = store.clone();
        blocking(move || store.commit(&delivered)).await?;
        if stopped {
            return Ok(());
        }
    }
}

/// The oldest records that wait, at most a few hundred.
async fn pending(store: Arc<dyn Store>) -> Result<Vec<(Vec<u8>, OutboxRecord)>, StoreError> {
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
