//! Settings of this room; the values and their sources stand in `config/default.toml`.

use serde::{Deserialize, Serialize};

use super::DEFAULT_SPACE;

/// What is accepted as an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// IANA name of the zone in which times without an offset are read.
    pub zone: String,
    /// Largest event in bytes of JSON, as received.
    pub max_event_bytes: usize,
    /// Largest `id`, `source`, `actor` or `type` in bytes of UTF-8.
    pub max_id_bytes: usize,
    /// The space of events for which nobody names one.
    pub default_space: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            zone: "UTC".into(),
            max_event_bytes: 1_048_576,
            max_id_bytes: 512,
            default_space: DEFAULT_SPACE.into(),
        }
    }
}
