//! Settings of this room; the values and their sources stand in `config/default.toml`.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A pass is due after this many events.
    pub pass_events: u32,
    /// A pass is due after this much stream time, in minutes.
    pub pass_minutes: f64,
    /// In a large space a pass waits for this share of its nodes in events, and for longer in stream time alike.
    pub pass_share: f32,
    /// No pass below this many nodes.
    pub min_nodes: usize,
    /// Items of each kind a pass looks at; the rest waits for the next pass.
    pub max_items: usize,
    /// Cosine of concept vectors from which two concepts may be merged.
    pub merge_cosine: f32,
    /// Share of all concepts that one pass may merge; one is always allowed.
    pub merge_share: f32,
    /// Member events of a concept that the merge guards read.
    pub guard_members: usize,
    /// Neighbours that completion gives to a concept without edges.
    pub completion_k: usize,
    /// Cosine from which completion links.
    pub completion_cosine: f32,
    /// Effective weight under which an inferred edge is taken away.
    pub edge_floor: f32,
    /// Exponential decay of edge weights, per hour of stream time.
    pub edge_decay_per_hour: f64,
    /// Idle hours after which a little-used derived node is archived.
    pub archive_idle_hours: f64,
    /// From this many accesses on a node is never archived for idleness.
    pub archive_access: u32,
    /// Hours after which a closed intent is archived.
    pub archive_closed_hours: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            pass_events: 50,
            pass_minutes: 10.0,
            pass_share: 0.02,
            min_nodes: 30,
            max_items: 256,
            merge_cosine: 0.85,
            merge_share: 0.10,
            guard_members: 24,
            completion_k: 3,
            completion_cosine: 0.30,
            edge_floor: 0.05,
            edge_decay_per_hour: 0.005,
            archive_idle_hours: 168.0,
            archive_access: 3,
            archive_closed_hours: 48.0,
        }
    }
}
