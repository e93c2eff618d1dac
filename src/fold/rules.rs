//! The executive that needs no model: calibrated pair evidence, online clustering, plain titles.

use std::sync::Arc;

use super::{Executive, Features, Item, Settings};
use crate::embed::Models;
use crate::event::Ts;
use crate::graph::{Graph, NodeId, NodeIx, Plan};
use crate::state::StateRecord;

/// Concept formation of one space.
pub struct RulesExecutive {
    _space: Arc<str>,
    _models: Models,
    _settings: Settings,
}

impl RulesExecutive {
    pub fn new(space: Arc<str>, models: Models, settings: Settings) -> Self {
        Self { _space: space, _models: models, _settings: settings }
    }

    /// Brings back the state that `take_records` handed out. `items` are all event nodes of the space.
    pub fn restore(
        space: Arc<str>,
        models: Models,
        settings: Settings,
        _records: Vec<StateRecord>,
        _items: impl Iterator<Item = (NodeIx, NodeId, Arc<Features>)>,
    ) -> Self {
        Self::new(space, models, settings)
    }
}

impl Executive for RulesExecutive {
    fn observe(&mut self, _graph: &Graph, _now: Ts, _item: Item<'_>) -> Vec<Plan> {
        Vec::new()
    }
    fn pass(&mut self, _graph: &Graph, _now: Ts) -> Vec<Plan> {
        Vec::new()
    }
    fn erase(&mut self, _graph: &Graph, _now: Ts, _event: NodeIx) -> Vec<Plan> {
        Vec::new()
    }
    fn merged(&mut self, _keep: &NodeId, _absorb: &NodeId) {}
    fn concept_vector(&self, _concept: &NodeId) -> Option<Vec<f32>> {
        None
    }
    fn take_records(&mut self) -> Vec<StateRecord> {
        Vec::new()
    }
}
