//! Settings of this room; commented in `config/sections/index.toml`.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Longest silence within an episode, in seconds.
    pub episode_gap_s: i64,
    /// How many positions may stand outside the neighbour graph before a new one is due.
    pub ann_tail: usize,
    /// Neighbour graph: links of a node.
    pub ann_m: usize,
    /// Neighbour graph: breadth of the search while inserting.
    pub ann_ef_construction: usize,
    /// Neighbour graph: breadth of the search while asking.
    pub ann_ef: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            episode_gap_s: 2_700,
            ann_tail: 131_072,
            ann_m: 16,
            ann_ef_construction: 40,
            ann_ef: 32,
        }
    }
}
