//! Bounds of the socket.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Longest request line in bytes; a longer one is answered with an error and skipped.
    pub max_line_bytes: usize,
    /// Requests of one connection that may be worked on at once; more wait unread.
    pub max_in_flight: usize,
    /// Connections at once; more are refused.
    pub max_connections: usize,
    /// Recalls that run at once in the whole process; more wait.
    pub max_recalls: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_line_bytes: 16 * 1024 * 1024, max_in_flight: 64, max_connections: 256, max_recalls: 4 }
    }
}
