//! The sections of the network surfaces: HTTP and MCP.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The HTTP server (`[http]`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Http {
    /// `host:port`; empty: no HTTP.
    pub listen: String,
    /// File of access tokens; empty: none, which only a loopback address allows.
    pub tokens: PathBuf,
    /// Names by which a server without tokens may be called, besides those of loopback.
    pub allowed_hosts: Vec<String>,
    /// Largest request body, in bytes.
    pub max_body_bytes: usize,
    /// Connections at once; more wait until one closes.
    pub max_connections: usize,
    /// Requests at work at once, streams aside; more are refused.
    pub max_concurrent: usize,
    /// Open event streams at once (subscriptions and MCP); more are refused.
    pub max_streams: usize,
    /// Requests a second of one token; 0: no limit.
    pub requests_per_second: f64,
    /// Requests that a token may save up.
    pub burst: f64,
    /// Longest time for a request to be sent, and to be answered.
    pub timeout_seconds: f64,
    /// Seconds between signs of life on a stream on which nothing happens.
    pub keep_alive_seconds: f64,
}

impl Default for Http {
    fn default() -> Self {
        Http {
            listen: String::new(),
            tokens: PathBuf::new(),
            allowed_hosts: Vec::new(),
            max_body_bytes: 4 << 20,
            max_connections: 4_096,
            max_concurrent: 64,
            max_streams: 2_048,
            requests_per_second: 500.0,
            burst: 1_000.0,
            timeout_seconds: 120.0,
            keep_alive_seconds: 15.0,
        }
    }
}

/// The tools for language models (`[mcp]`), served at `/mcp` of the HTTP server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mcp {
    pub enabled: bool,
    /// The space of calls that name none.
    pub space: String,
    /// Most o200k tokens of one answer, unless the call asks for another budget.
    pub budget_tokens: usize,
    /// Largest budget that a call may ask for.
    pub max_budget_tokens: usize,
    /// Offer `forget`, which destroys.
    pub forget: bool,
}

impl Default for Mcp {
    fn default() -> Self {
        Mcp {
            enabled: true,
            space: crate::event::DEFAULT_SPACE.into(),
            budget_tokens: 2_000,
            max_budget_tokens: 16_000,
            forget: false,
        }
    }
}
