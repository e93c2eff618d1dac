//! Folding: how an event joins what is known, and which concepts emerge.
//!
//! The executive only proposes plans; `space` applies them to the graph one by one. Per-event work
//! is bounded by the configuration, never by the size of the graph.
//! Knows graph, text, embed. Must not know disk, clocks, intents or queries.

use std::sync::Arc;

use crate::event::{Event, Ts};
use crate::graph::{Graph, NodeId, NodeIx, Plan};
use crate::state::StateRecord;

mod arrive;
mod attributes;
mod compare;
pub mod context;
mod emit;
mod features;
mod general;
mod lexicon;
mod mend;
mod naming;
mod near;
mod pairs;
mod partition;
mod pass;
mod phrases;
mod records;
mod rules;
mod settings;
mod settle;
mod slot;
#[cfg(test)]
mod tests;
mod theme;
mod titles;
mod vector;
mod written;

pub use features::Features;
pub use rules::RulesExecutive;
pub use settings::Settings;

/// One event with all that was computed about it alone (in parallel, before the writer sees it).
pub struct Item<'a> {
    pub ix: NodeIx,
    pub id: &'a NodeId,
    pub event: &'a Arc<Event>,
    pub features: Arc<Features>,
}

/// Decides where an event belongs.
///
/// The caller applies every returned plan, in order, before it calls again. Concepts are named by
/// id, because an executive names a concept before the graph gives it an index.
pub trait Executive: Send {
    /// Called once for each new event, after its node is in the graph.
    fn observe(&mut self, graph: &Graph, now: Ts, item: Item<'_>) -> Vec<Plan>;
    /// Re-assigns early mistakes among what changed, if a pass is due; empty otherwise.
    fn pass(&mut self, graph: &Graph, now: Ts) -> Vec<Plan>;
    /// The event is about to be erased (its node is still in the graph): plans that rebuild or
    /// remove what came from it. The edges of the event's own node are the caller's to remove.
    fn erase(&mut self, graph: &Graph, now: Ts, event: NodeIx) -> Vec<Plan>;
    /// Consolidation merged two concepts in the graph; `absorb` now redirects to `keep`.
    fn merged(&mut self, keep: &NodeId, absorb: &NodeId);
    /// Mean vector (unit length) of a concept's events; `None` for a concept this executive did not make.
    fn concept_vector(&self, concept: &NodeId) -> Option<Arc<[f32]>>;
    /// State that changed since the last call.
    fn take_records(&mut self) -> Vec<StateRecord>;
}
