//! What the daemon says of itself.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Daemon;
use super::shard::{ShardHandle, ShardStats};
use crate::graph::NodeKind;

/// One shard's part of the status.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardStatus {
    pub id: u32,
    pub source: &'static str,
    pub topic: Option<Arc<str>>,
    pub partition: Option<i32>,
    /// Next offset that is stored.
    pub offset: Option<i64>,
    pub lag: Option<i64>,
    /// Commands accepted and not durable yet.
    pub backlog: u64,
}

/// A snapshot of the daemon's own state.
#[derive(Clone, Debug)]
pub struct Status {
    pub counts: BTreeMap<&'static str, u64>,
    pub spaces: u64,
    /// Records in Kafka that are not read yet, over all partitions; `None` without Kafka.
    pub lag: i64,
    pub backlog: u64,
    /// Milliseconds since the last commit while something waits, else 0.
    pub backlog_age_ms: i64,
    pub last_pass: Option<crate::event::Ts>,
    pub degraded: Vec<String>,
    pub shards: Vec<ShardStatus>,
    pub embedder: crate::embed::EmbedderInfo,
    /// Events stored a second since the start of the process, 0 when none.
    pub rate: f64,
    pub stored: u64,
    pub dead_letters: u64,
    pub rejected_plans: u64,
    pub merges: u64,
    pub disk_bytes: u64,
    pub uptime_s: u64,
    pub digest: Option<String>,
}

impl Daemon {
    /// The state of the daemon, or of one space of it. `None` for an unknown space.
    pub fn status(&self, space: Option<&str>) -> Option<Status> {
        let views = match space {
            Some(s) => vec![self.view(s)?],
            None => self.registry.views(),
        };
        let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
        for v in &views {
            for (name, kind) in [
                ("events", NodeKind::Event),
                ("concepts", NodeKind::Concept),
                ("intents", NodeKind::Intent),
                ("times", NodeKind::Time),
            ] {
                *counts.entry(name).or_default() += v.graph.count(kind) as u64;
            }
            *counts.entry("edges").or_default() += v.graph.edge_count() as u64;
        }
        let handles = self.handles();
        let link = self.link.read();
        let stream = link.as_ref().map(|l| l.status());
        let embedder = self.options.models.embedder.info();
        let mut degraded = Vec::new();
        if embedder.degraded {
            degraded.push(format!(
                "embedder {}: a stand-in serves, the real table or model is missing",
                embedder.name
            ));
        }
        if let Some(s) = &stream
            && !s.connected
        {
            let why = s.last_error.as_deref().unwrap_or("no broker answers");
            degraded.push(format!("kafka: not connected ({why})"));
        }
        degraded.extend(link.iter().flat_map(|l| l.anomalies()));
        for h in &handles {
            if h.check().is_err() {
                degraded.push(format!(
                    "shard {}: writes refused: {}",
                    h.no,
                    h.stats.latch_reason.read()
                ));
            }
        }
        let sum = |f: fn(&ShardStats) -> u64| handles.iter().map(|h| f(&h.stats)).sum::<u64>();
        let stored = sum(|s| s.stored.load(Ordering::SeqCst));
        let backlog: u64 = handles.iter().map(ShardHandle::backlog).sum();
        let last_commit = handles
            .iter()
            .map(|h| h.stats.last_commit_ms.load(Ordering::SeqCst))
            .max()
            .unwrap_or(0);
        let now_ms = chrono::Utc::now().timestamp_millis();
        let uptime = self.started.elapsed();
        Some(Status {
            spaces: views.len() as u64,
            lag: stream.as_ref().map_or(0, |s| s.lag()),
            backlog,
            backlog_age_ms: if backlog > 0 && last_commit > 0 {
                (now_ms - last_commit).max(0)
            } else {
                0
            },
            last_pass: views.iter().filter_map(|v| v.meta.last_pass).max(),
            degraded,
            shards: self.shard_rows(&handles, stream.as_ref()),
            embedder,
            rate: stored as f64 / uptime.as_secs_f64().max(0.001),
            stored,
            dead_letters: sum(|s| s.dead.load(Ordering::SeqCst)),
            rejected_plans: sum(|s| s.rejected_plans.load(Ordering::SeqCst)),
            merges: views.iter().map(|v| v.meta.merges).sum(),
            disk_bytes: self.vault.disk_bytes(),
            uptime_s: uptime.as_secs(),
            digest: None,
            counts,
        })
    }

    fn shard_rows(
        &self,
        handles: &[ShardHandle],
        stream: Option<&crate::stream::StreamStatus>,
    ) -> Vec<ShardStatus> {
        let mut rows = Vec::new();
        for h in handles {
            let row = ShardStatus {
                id: h.no,
                source: "local",
                topic: None,
                partition: None,
                offset: None,
                lag: None,
                backlog: h.backlog(),
            };
            let positions = h.stats.positions.read();
            if positions.is_empty() {
                rows.push(row);
                continue;
            }
            for (p, at) in positions.iter() {
                let lag = stream.and_then(|s| {
                    s.partitions
                        .iter()
                        .find(|x| x.topic == p.topic && x.partition == p.partition)
                });
                rows.push(ShardStatus {
                    source: "kafka",
                    topic: Some(p.topic.clone()),
                    partition: Some(p.partition),
                    offset: Some(*at),
                    lag: lag.and_then(|l| l.lag),
                    ..row.clone()
                });
            }
        }
        rows
    }
}
