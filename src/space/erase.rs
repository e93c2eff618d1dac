//! Erasure: an event goes, and with it all that came only from it.

use super::input::{Erase, EraseReceipt, Refused};
use super::state::SpaceState;
use crate::event::Event;
use crate::fold::Executive;
use crate::graph::{Author, Body, Node, NodeId, NodeIx, NodeKind, Op, Plan};

impl Erase {
    fn selects(&self, event: &Event) -> bool {
        let given = self.all || !self.event_ids.is_empty() || self.actor.is_some() || self.before.is_some();
        given
            && (self.event_ids.is_empty() || self.event_ids.contains(&event.id))
            && self.source.as_ref().is_none_or(|s| *s == event.source)
            && self
                .actor
                .as_ref()
                .is_none_or(|a| event.actor.as_ref() == Some(a))
            && self.before.is_none_or(|t| event.time < t)
    }
}

impl SpaceState {
    /// The events that an erasure would remove, oldest node first. Cost: constant for each id;
    /// a scan of the space's events when no id is given.
    pub fn selected(&self, erase: &Erase) -> Vec<NodeIx> {
        let matches = |ix: &NodeIx| match self.graph.node(*ix).map(|n| &n.body) {
            Some(Body::Event(e)) => erase.selects(e),
            _ => false,
        };
        let mut out: Vec<NodeIx> = if erase.event_ids.is_empty() {
            self.graph.of_kind(NodeKind::Event).filter(matches).collect()
        } else {
            let known = erase
                .event_ids
                .iter()
                .filter_map(|id| self.by_event_id.get(id.as_str()));
            known.flatten().copied().filter(|ix| matches(ix)).collect()
        };
        out.sort_unstable();
        out.dedup();
        out
    }

    /// True when some source has an event with this producer id.
    pub fn has_event_id(&self, id: &str) -> bool {
        self.by_event_id.contains_key(id)
    }

    /// Notes that these ids are not to be taken in, whether they were here or not.
    fn refuse(&mut self, erase: &Erase) {
        let source: Option<Box<str>> = erase.source.as_deref().map(Into::into);
        for id in &erase.event_ids {
            let known = self.refused.entry(id.as_str().into()).or_default();
            if !known.contains(&source) {
                known.push(source.clone());
                self.new_refusals.push(Refused {
                    id: id.as_str().into(),
                    source: source.clone(),
                });
            }
        }
    }

    pub(super) fn is_refused(&self, event: &Event) -> bool {
        self.refused.get(event.id.as_str()).is_some_and(|sources| {
            sources
                .iter()
                .any(|s| s.as_deref().is_none_or(|s| s == event.source))
        })
    }

    pub(super) fn erase(&mut self, erase: &Erase, changed: &mut Vec<NodeIx>) -> EraseReceipt {
        let mut receipt = EraseReceipt::default();
        if erase.is_lasting() {
            self.refuse(erase);
        }
        for ix in self.selected(erase) {
            self.erase_one(ix, changed, &mut receipt);
        }
        receipt.derived.retain(|id| self.graph.ix(id.as_str()).is_none());
        receipt.rebuilt.retain(|id| self.graph.ix(id.as_str()).is_some());
        for list in [&mut receipt.derived, &mut receipt.rebuilt] {
            list.sort();
            list.dedup();
        }
        receipt
    }

    fn erase_one(&mut self, ix: NodeIx, changed: &mut Vec<NodeIx>, receipt: &mut EraseReceipt) {
        let now = self.meta.clock.now();
        let Some(node) = self.graph.node(ix) else { return };
        let id = node.id.clone();
        let producer_id = match &node.body {
            Body::Event(e) => e.id.clone(),
            _ => return,
        };
        let near: Vec<NodeId> = self.derived_neighbours(ix);
        receipt.derived.extend(near.iter().cloned());

        let plans = self.executive.erase(&self.graph, now, ix);
        self.run(plans, changed);
        let plans = self.intents.erase(&self.graph, now, ix);
        self.run(plans, changed);
        self.index.erase(ix);
        if let Some(list) = self.by_event_id.get_mut(producer_id.as_str()) {
            list.retain(|x| *x != ix);
            if list.is_empty() {
                self.by_event_id.remove(producer_id.as_str());
            }
        }
        self.remove(&id, "erased on request", changed);
        // What stood only on this event goes too; what else stood on it was rebuilt above.
        for derived in &near {
            let orphaned = match self.graph.ix(derived.as_str()).and_then(|d| self.graph.node(d)) {
                Some(n) => self.is_orphan(n),
                None => false,
            };
            if orphaned {
                self.remove(derived, "came only from an erased event", changed);
            }
        }
        receipt.rebuilt.extend(near);
        receipt.events.push(id);
    }

    /// Nodes beside an event that were derived from it (all but other events).
    fn derived_neighbours(&self, ix: NodeIx) -> Vec<NodeId> {
        let around = self
            .graph
            .out(ix)
            .map(|e| e.target)
            .chain(self.graph.incoming(ix).map(|e| e.source));
        let mut ids: Vec<NodeId> = around
            .filter_map(|n| self.graph.node(n))
            .filter(|n| n.kind != NodeKind::Event)
            .map(|n| n.id.clone())
            .collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// No event stands behind it any more. Intents stay as retracted records of what was said.
    fn is_orphan(&self, node: &Node) -> bool {
        node.kind != NodeKind::Intent
            && !node
                .provenance
                .grounded_in
                .iter()
                .any(|g| self.graph.ix(g.as_str()).is_some())
    }

    fn remove(&mut self, id: &NodeId, why: &str, changed: &mut Vec<NodeIx>) {
        let plan = Plan {
            by: Author::Stream,
            reasoning: why.into(),
            grounded_in: vec![id.clone()],
            ops: vec![Op::RemoveNode { id: id.clone() }],
        };
        self.run(vec![plan], changed);
    }
}
