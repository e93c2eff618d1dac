//! Settings of this room; the values and their sources stand in `config/default.toml`.

use serde::{Deserialize, Serialize};

/// Numbers of the graph. Values outside a field's range are brought to its nearest end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Exponential decay of an edge's weight, per hour of stream time (DEFAULTS: .005).
    pub edge_decay_per_hour: f64,
    /// Exponential decay of a node's recency, per hour of stream time (DEFAULTS: .01).
    pub node_decay_per_hour: f64,
    /// Share of the missing weight (1 minus weight) that one more piece of evidence of weight 1 adds.
    pub reinforce_gain: f32,
    /// Titles at least this similar (0 to 1) name the same concept (DEFAULTS: .85).
    pub near_duplicate: f32,
    /// How many concepts a word the title shares may bring up for comparison, newest first.
    pub near_duplicate_candidates: usize,
    /// PageRank damping, 0 to .99 (DEFAULTS: .85).
    pub damping: f64,
    /// Greatest relative error of a node's rank once no residual is left over.
    pub rank_epsilon: f64,
    /// A rank that moved by less than this share is not published again.
    pub rank_publish: f64,
    /// Edge visits of one rank update, whatever changed.
    pub rank_steps: usize,
    /// Further edge visits of one rank update for each node that was added or whose out-edges changed.
    pub rank_steps_per_change: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            edge_decay_per_hour: 0.005,
            node_decay_per_hour: 0.01,
            reinforce_gain: 0.25,
            near_duplicate: 0.85,
            near_duplicate_candidates: 32,
            damping: 0.85,
            rank_epsilon: 0.001,
            rank_publish: 0.01,
            rank_steps: 512,
            rank_steps_per_change: 64,
        }
    }
}
