//! Bounds of the runtime.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Most events in one commit.
    pub batch_events: usize,
    /// Most commands waiting in a shard's queue; beyond, producers wait (back-pressure).
    pub queue_commands: usize,
    /// Seconds between looks at what became due while nothing came in. 0 switches ticks off.
    pub tick_seconds: u64,
    /// Seconds between notes to the writer of what recalls returned.
    pub access_seconds: f64,
    /// Most recall traces kept for `explain`.
    pub traces: usize,
    /// Seconds between attempts to reopen a shard after a failed write.
    pub reopen_seconds: f64,
    /// Seconds without any progress while something waits, after which the daemon is not ready.
    pub stall_seconds: f64,
    /// Most seconds that a clean stop may take before the process gives up.
    pub shutdown_seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            batch_events: 512,
            queue_commands: 256,
            tick_seconds: 60,
            access_seconds: 10.0,
            traces: 1_000,
            reopen_seconds: 2.0,
            stall_seconds: 30.0,
            shutdown_seconds: 60,
        }
    }
}
