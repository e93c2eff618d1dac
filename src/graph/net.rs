//! The writer's adjacency, on petgraph: what the rank walks.
//!
//! A `StableDiGraph` reuses the slots of removed nodes; a [`NodeIx`] is never reused, so this
//! module maps one to the other. Must not know plans.

use std::sync::Arc;

use petgraph::Direction;
use petgraph::stable_graph::{EdgeIndex, NodeIndex, StableDiGraph};
use petgraph::visit::EdgeRef;
use rustc_hash::FxHashMap;

use super::model::*;
use crate::event::Ts;

/// What the rank needs of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub target: NodeIx,
    pub kind: EdgeKind,
    pub weight: f32,
    pub at: Ts,
}

impl Link {
    pub fn of(edge: &Edge) -> Link {
        Link {
            target: edge.target,
            kind: edge.kind,
            weight: edge.weight,
            at: edge.at,
        }
    }
}

#[derive(Default)]
pub(super) struct Net {
    graph: StableDiGraph<Arc<Node>, Arc<Edge>>,
    slots: FxHashMap<NodeIx, NodeIndex>,
}

impl Net {
    /// Sets or removes a node. A node is removed after its edges. O(1).
    pub fn put_node(&mut self, ix: NodeIx, new: Option<Arc<Node>>) {
        match (self.slots.get(&ix).copied(), new) {
            (Some(slot), Some(node)) => {
                if let Some(weight) = self.graph.node_weight_mut(slot) {
                    *weight = node;
                }
            }
            (Some(slot), None) => {
                self.graph.remove_node(slot);
                self.slots.remove(&ix);
            }
            (None, Some(node)) => {
                let slot = self.graph.add_node(node);
                self.slots.insert(ix, slot);
            }
            (None, None) => (),
        }
    }

    /// Sets or removes an edge between live nodes. Adding is O(out-degree of the source); removing
    /// also walks the target's list of incoming edges, newest first (petgraph keeps linked lists).
    pub fn put_edge(&mut self, key: EdgeKey, new: Option<Arc<Edge>>) {
        let (source, target, kind) = key;
        let (Some(a), Some(b)) = (self.slots.get(&source).copied(), self.slots.get(&target).copied()) else {
            return;
        };
        match (self.find(a, b, kind), new) {
            (Some(e), Some(edge)) => {
                if let Some(weight) = self.graph.edge_weight_mut(e) {
                    *weight = edge;
                }
            }
            (Some(e), None) => {
                self.graph.remove_edge(e);
            }
            (None, Some(edge)) => {
                self.graph.add_edge(a, b, edge);
            }
            (None, None) => (),
        }
    }

    fn find(&self, a: NodeIndex, b: NodeIndex, kind: EdgeKind) -> Option<EdgeIndex> {
        self.graph
            .edges_connecting(a, b)
            .find(|e| e.weight().kind == kind)
            .map(|e| e.id())
    }

    /// Links that leave `ix`, in no fixed order; none when it is gone.
    pub fn links(&self, ix: NodeIx) -> impl Iterator<Item = Link> + '_ {
        let slot = self.slots.get(&ix).copied().unwrap_or(NodeIndex::end());
        self.graph
            .edges_directed(slot, Direction::Outgoing)
            .map(|e| Link::of(e.weight()))
    }
}
