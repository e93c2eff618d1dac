//! Settings of this room; commented in `config/sections/distill.toml`.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Newest statements of a slot that are looked at to tell what is true of it.
    pub history: usize,
    /// Newest statements about a subject that are looked at for a profile or a hop.
    pub recent: usize,
    /// Claims on a profile card.
    pub profile_claims: usize,
    /// Longest silence within a run of events, in seconds.
    pub run_gap_s: i64,
    /// Events of a run.
    pub run_events: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            history: 64,
            recent: 64,
            profile_claims: 12,
            run_gap_s: 2_700,
            run_events: 64,
        }
    }
}
