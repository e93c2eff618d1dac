//! Folding: how an event joins what is known, and which concepts emerge.
//!
//! The executive only proposes plans; `space` applies them to the graph one by one. Per-event work
//! is bounded by the configuration, never by the size of the graph.
//! Knows graph, text, embed. Must not know disk, clocks, intents or queries.

use std::sync::Arc;

use crate::event::{Event, Ts};
use crate::graph::{Graph, NodeId, NodeIx, Plan};
use crate::state::StateRecord;

mod features;
mod settings;
pub use features::Features;
pub use settings::Settings;

/// One event with all that was computed about it alone (in parallel, before the writer sees it).
pub struct Item<'a> {
    pub ix: NodeIx,
    pub id: &'a NodeId,
    pub event: &'a Arc<Event>,
    pub features: Arc<Features>,
}

/// Decides where an event belongs.
pub trait Executive: Send {
    /// Called once for each new event, after its node is in the graph.
    fn observe(&mut self, graph: &Graph, now: Ts, item: Item<'_>) -> Vec<Plan>;
    /// Re-assigns early mistakes among what changed, if a pass is due; empty otherwise.
    fn pass(&mut self, graph: &Graph, now: Ts) -> Vec<Plan>;
    /// The event is about to be erased: plans that rebuild or remove what came from it.
    fn erase(&mut self, graph: &Graph, now: Ts, event: NodeIx) -> Vec<Plan>;
    /// Consolidation merged two concepts in the graph.
    fn merged(&mut self, keep: NodeIx, absorb: NodeIx);
    /// Mean vector (unit length) of a concept's events.
    fn concept_vector(&self, concept: NodeIx) -> Option<Vec<f32>>;
    /// State that changed since the last call.
    fn take_records(&mut self) -> Vec<StateRecord>;
}
