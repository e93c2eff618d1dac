//! What the daemon says of itself.

use std::collections::BTreeMap;
use std::sync::Arc;

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
