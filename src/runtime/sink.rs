//! Stream records into shards: classify, analyse, route, keep order.
//!
//! A record of a space that another shard owns is made durable there before the position of its own
//! partition passes it. So a crash repeats records and never loses one; repeats are recognised by identity.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::Daemon;
use super::shard::{Command, DeadLetter, ShardHandle, StreamInput};
use crate::event::{Event, Ts};
use crate::space::{Erase, Prepared};
use crate::stream::{
    Anomaly, ClassifyCx, Input, Record, RecordBatch, RecordSink, SinkClosed, SourceKind, Tombstone,
    TopicPartition, classify,
};

/// The daemon as a sink of sources.
pub struct StreamSink {
    daemon: Weak<Daemon>,
    feedback_topic: Option<String>,
    /// The newest things that an operator must hear of.
    anomalies: Mutex<Vec<String>>,
}

/// One record, understood. Events wait for their analysis.
enum Step {
    Event(Event),
    Other(Arc<str>, StreamInput),
    Tombstone(Tombstone),
}

impl StreamSink {
    const ANOMALIES: usize = 16;

    pub fn new(daemon: &Arc<Daemon>, feedback_topic: Option<String>) -> StreamSink {
        StreamSink {
            daemon: Arc::downgrade(daemon),
            feedback_topic,
            anomalies: Mutex::default(),
        }
    }

    pub fn anomalies(&self) -> Vec<String> {
        self.anomalies.lock().clone()
    }

    fn daemon(&self) -> Result<Arc<Daemon>, SinkClosed> {
        self.daemon.upgrade().ok_or(SinkClosed)
    }

    fn steps(&self, daemon: &Daemon, records: Vec<Record>) -> Vec<Step> {
        let cx = ClassifyCx {
            settings: &daemon.options.events,
            feedback_topic: self.feedback_topic.as_deref(),
            received: Ts(chrono::Utc::now().timestamp_millis()),
            space: None,
        };
        let dead = |record: &Record, code: &str, reason: String| {
            let letter = DeadLetter {
                record: record.clone(),
                code: code.to_string(),
                reason,
            };
            Step::Other("".into(), StreamInput::Dead(letter))
        };
        let mut steps = Vec::with_capacity(records.len());
        for record in records {
            match classify(&record, &cx) {
                Input::Events { events, rejected } => {
                    steps.extend(events.into_iter().map(Step::Event));
                    steps.extend(rejected.into_iter().map(|r| dead(&record, r.code, r.reason)));
                }
                Input::Feedback { space, feedback } => {
                    if daemon.registry.owner(&space).is_some() {
                        steps.push(Step::Other(space.into(), StreamInput::Feedback(feedback)));
                    } else {
                        steps.push(dead(
                            &record,
                            "unknown-space",
                            "feedback for a space that has no event".into(),
                        ));
                    }
                }
                Input::Tombstone(t) => steps.push(Step::Tombstone(t)),
                Input::Poison(p) => steps.push(dead(&record, p.code, p.reason)),
            }
        }
        steps
    }

    /// The shard that reads this partition.
    async fn reader(&self, daemon: &Arc<Daemon>, partition: i32) -> Result<ShardHandle, SinkClosed> {
        daemon.open_shard(partition.max(0) as u32).await.map_err(|e| {
            tracing::error!(partition, error = %e, "a shard could not be opened");
            SinkClosed
        })
    }

    /// Erases what a tombstone names, after everything before it is in place. What no space has is
    /// remembered where the tombstone says it belongs, so that the event stays out if it comes later
    /// (by another partition, or into a data directory that began after it).
    async fn tombstone(&self, daemon: &Arc<Daemon>, t: &Tombstone, own: u32) -> Result<(), SinkClosed> {
        let mut found = Vec::new();
        for shard in daemon.handles() {
            let (reply, answer) = oneshot::channel();
            shard
                .send_unchecked(Command::Find {
                    event_id: t.id.clone(),
                    reply,
                })
                .await
                .map_err(|_| SinkClosed)?;
            found.extend(answer.await.map_err(|_| SinkClosed)?);
        }
        let wanted: Vec<Arc<str>> = match &t.space {
            Some(s) => vec![s.as_str().into()],
            None if found.is_empty() => vec![t.home(&daemon.options.events.default_space).into()],
            None if found.len() == 1 => found,
            None => {
                // Several spaces have this id: the key says which, or nothing does.
                let named = t.spaces(&daemon.options.events.default_space);
                let first = named
                    .iter()
                    .find_map(|n| found.iter().find(|f| ***f == **n).cloned());
                if first.is_none() {
                    let reason =
                        "a tombstone names an event id that several spaces have; set the header ce_space";
                    self.note(format!("{reason} (id {})", t.id));
                }
                first.into_iter().collect()
            }
        };
        for space in wanted {
            daemon.registry.claim(&space, own);
            let erase = Erase {
                event_ids: vec![t.id.clone()],
                source: t.source.clone(),
                ..Erase::default()
            };
            while let Err(e) = daemon.erase(&space, erase.clone(), false).await {
                // A latched shard comes back; the erasure must not be lost meanwhile.
                tracing::warn!(error = %e, "an erasure waits for its shard");
                if matches!(e, super::IngestError::Closed | super::IngestError::UnknownSpace) {
                    return Err(SinkClosed);
                }
                tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            }
            daemon.traces.lock().forget(&space);
        }
        Ok(())
    }

    fn note(&self, what: String) {
        tracing::error!("{what}");
        let mut kept = self.anomalies.lock();
        if kept.len() == Self::ANOMALIES {
            kept.remove(0);
        }
        kept.push(what);
    }
}

/// Inputs by owning shard, in order within each.
#[derive(Default)]
struct Groups(BTreeMap<u32, Vec<(Arc<str>, StreamInput)>>);

impl Groups {
    /// Sends all groups but `own` and waits until they are durable.
    async fn flush_foreign(&mut self, daemon: &Arc<Daemon>, own: u32) -> Result<(), SinkClosed> {
        let mine = self.0.remove(&own);
        let mut waiting = Vec::new();
        for (no, inputs) in std::mem::take(&mut self.0) {
            let shard = daemon.open_shard(no).await.map_err(|_| SinkClosed)?;
            let (reply, answer) = oneshot::channel();
            let command = Command::Records {
                inputs,
                positions: Vec::new(),
                replies: vec![reply],
            };
            shard.send_unchecked(command).await.map_err(|_| SinkClosed)?;
            waiting.push(answer);
        }
        for w in waiting {
            w.await.map_err(|_| SinkClosed)?;
        }
        self.0.extend(mine.map(|m| (own, m)));
        Ok(())
    }

    /// Sends everything and waits until it is durable.
    async fn flush_all(&mut self, daemon: &Arc<Daemon>) -> Result<(), SinkClosed> {
        self.flush_foreign(daemon, u32::MAX).await
    }
}

#[async_trait]
impl RecordSink for StreamSink {
    fn position(&self, topic: &str, partition: i32) -> Option<i64> {
        let shard = self.daemon.upgrade()?.shard(partition.max(0) as u32)?;
        let positions = shard.stats.positions.read();
        positions.get(&TopicPartition::new(topic, partition)).copied()
    }

    async fn deliver(&self, batch: RecordBatch) -> Result<(), SinkClosed> {
        let daemon = self.daemon()?;
        let own = self.reader(&daemon, batch.partition).await?;
        // Offsets of standard input mean nothing to the next run.
        let position = match batch.kind {
            SourceKind::Stdin => None,
            _ => batch.next_offset().map(|at| (batch.topic_partition(), at)),
        };
        let steps = self.steps(&daemon, batch.records);
        let mut prepared = prepare(&daemon, &steps).await?.into_iter();
        let mut groups = Groups::default();
        for step in steps {
            match step {
                Step::Event(e) => {
                    let Some(p) = prepared.next() else {
                        return Err(SinkClosed);
                    };
                    let owner = daemon.registry.claim(&e.space, own.no);
                    groups
                        .0
                        .entry(owner)
                        .or_default()
                        .push((e.space.clone(), StreamInput::Event(Box::new(p))));
                }
                Step::Other(space, input) => {
                    let owner = daemon.registry.owner(&space).unwrap_or(own.no);
                    groups.0.entry(owner).or_default().push((space, input));
                }
                Step::Tombstone(t) => {
                    groups.flush_all(&daemon).await?;
                    self.tombstone(&daemon, &t, own.no).await?;
                }
            }
        }
        groups.flush_foreign(&daemon, own.no).await?;
        let inputs = groups.0.remove(&own.no).unwrap_or_default();
        let command = Command::Records {
            inputs,
            positions: position.into_iter().collect(),
            replies: Vec::new(),
        };
        own.send_unchecked(command).await.map_err(|_| SinkClosed)
    }

    fn durable(&self, topic: &str, partition: i32) -> Option<i64> {
        self.position(topic, partition)
    }

    async fn assigned(&self, partitions: &[TopicPartition]) -> Result<(), SinkClosed> {
        let daemon = self.daemon()?;
        for p in partitions {
            self.reader(&daemon, p.partition).await?;
        }
        Ok(())
    }

    async fn revoked(&self, partitions: &[TopicPartition]) {
        let Ok(daemon) = self.daemon() else { return };
        for p in partitions {
            let Some(shard) = daemon.shard(p.partition.max(0) as u32) else {
                continue;
            };
            let (reply, answer) = oneshot::channel();
            if shard.send_unchecked(Command::Barrier { reply }).await.is_ok() {
                // An error means that the writer is gone; what it took is in Kafka still.
                let _ = answer.await;
            }
        }
    }

    fn anomaly(&self, anomaly: &Anomaly) {
        self.note(anomaly.to_string());
    }
}

/// Analyses the events among the steps; waits for an embedder that is away, since the records are not lost by waiting.
async fn prepare(daemon: &Arc<Daemon>, steps: &[Step]) -> Result<Vec<Prepared>, SinkClosed> {
    let events: Vec<Arc<Event>> = steps
        .iter()
        .filter_map(|s| match s {
            Step::Event(e) => Some(Arc::new(e.clone())),
            _ => None,
        })
        .collect();
    loop {
        let (models, batch) = (daemon.options.models.clone(), events.clone());
        let done = tokio::task::spawn_blocking(move || Prepared::of(batch, &models)).await;
        match done.map_err(|_| SinkClosed)? {
            Ok(p) => return Ok(p),
            Err(e) => {
                tracing::warn!(error = %e, "waiting for the embedder");
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            }
        }
    }
}
