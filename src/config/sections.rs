//! The sections that belong to no other room: server, store, embedder, log.
//!
//! An empty text means "off" or "the default place"; there are no optional keys, so every key has a
//! line in `config/default.toml`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where agents and operators connect (`[server]`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Path of the Unix socket; empty: `gyrus.sock` in the data directory.
    pub socket: PathBuf,
    /// Longest request line or body, in bytes.
    pub max_line_bytes: usize,
    /// Requests of one connection that are worked on at once; more wait unread.
    pub max_in_flight: usize,
    /// Connections at once; more are told so and closed.
    pub max_connections: usize,
    /// Recalls that run at once in the whole process; more wait.
    pub max_recalls: usize,
}

impl Default for Server {
    fn default() -> Self {
        Server {
            socket: PathBuf::new(),
            max_line_bytes: 16 << 20,
            max_in_flight: 64,
            max_connections: 256,
            max_recalls: 4,
        }
    }
}

/// When a commit is on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// Before it is acknowledged. The only one under which an acknowledged event survives a power cut.
    #[default]
    EveryBatch,
    /// Every `interval_ms`.
    Interval,
    /// When the operating system pleases.
    Never,
}

/// What is kept and how (`[store]`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Store {
    pub dir: PathBuf,
    pub durability: Durability,
    /// For `durability = "interval"`.
    pub interval_ms: u64,
    /// Memory for pages of the store, over all shards.
    pub cache_mb: u64,
}

impl Default for Store {
    fn default() -> Self {
        Store {
            dir: "data".into(),
            durability: Durability::EveryBatch,
            interval_ms: 100,
            cache_mb: 256,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbedderKind {
    /// Word vectors that are part of Gyrus.
    #[default]
    Static,
    /// Hashed features: no table, no meaning; for tests and as a last resort.
    Hashed,
    /// An OpenAI-compatible `/embeddings` endpoint.
    Http,
}

/// Where vectors come from (`[embedder]`). All keys but `kind` are for `http`, `dim` also for `hashed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Embedder {
    pub kind: EmbedderKind,
    /// Base address; `/embeddings` is appended.
    pub url: String,
    pub model: String,
    /// Dimensions of the model's vectors.
    pub dim: usize,
    /// Name of the environment variable that holds the key; empty: no key is sent.
    pub key_env: String,
    /// Most texts in one request.
    pub batch: usize,
    /// Longer texts are cut here, in characters.
    pub max_chars: usize,
    /// For a whole request.
    pub timeout_ms: u64,
}

impl Default for Embedder {
    fn default() -> Self {
        Embedder {
            kind: EmbedderKind::Static,
            url: String::new(),
            model: String::new(),
            dim: 0,
            key_env: String::new(),
            batch: 64,
            max_chars: 8_000,
            timeout_ms: 20_000,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}

impl LogLevel {
    pub fn name(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// What is told on standard error (`[log]`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    pub level: LogLevel,
    pub format: LogFormat,
}
