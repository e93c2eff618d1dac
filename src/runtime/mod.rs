//! The runtime: shards and their writers, the directory of spaces, delivery, clock, shutdown.
//!
//! Every shard has one writer thread that owns its state. All else talks to it through a bounded
//! queue and reads published snapshots. A task that ends unexpectedly stops the daemon with its
//! name and reason (`tasks`). This is the only room that joins the core with disk, time and network.

mod accesses;
mod batch;
mod commit;
mod committer;
mod daemon;
mod kafka;
mod latch;
mod load;
mod metrics;
mod neighbours;
mod options;
mod outbox;
mod registry;
mod repair;
mod reply;
mod scrub;
mod settings;
mod shard;
mod sink;
mod source;
mod status;
mod tasks;
mod traces;
mod writer;

pub use daemon::{AroundStore, Daemon, DaemonError};
pub use metrics::Metrics;
pub use options::DaemonOptions;
pub use registry::Registry;
pub use settings::Settings;
pub use shard::{Command, IngestError, ShardHandle, ShardStats};
pub use sink::StreamSink;
pub use status::{ShardStatus, Status};
pub use tasks::Tasks;
