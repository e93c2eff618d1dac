//! Plans: ordered operations, applied wholly or not at all.

use std::sync::Arc;

use super::model::*;
use crate::event::Ts;

/// A node to be made. Event nodes come only from the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    pub id: NodeId,
    pub title: Arc<str>,
    pub text: Arc<str>,
    pub time: Ts,
    pub body: Body,
}

/// What an update changes; `None` leaves a field as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePatch {
    pub title: Option<Arc<str>>,
    pub text: Option<Arc<str>>,
    pub time: Option<Ts>,
    pub body: Option<Body>,
    pub pinned: Option<bool>,
    pub archived: Option<bool>,
    /// Added to the access count; also touches the node.
    pub accessed: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    AddNode(NewNode),
    UpdateNode { id: NodeId, patch: NodePatch },
    RemoveNode { id: NodeId },
    /// Adding an edge that is there reinforces it: weight rises towards 1 with diminishing returns, `at` moves.
    AddEdge { source: NodeId, target: NodeId, kind: EdgeKind, weight: Option<f32>, inferred: bool },
    RemoveEdge { source: NodeId, target: NodeId, kind: EdgeKind },
    /// `absorb` disappears into `keep`: all edges move, the old id redirects.
    MergeNodes { keep: NodeId, absorb: NodeId },
}

/// An UpdatePlan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub by: Author,
    pub reasoning: Arc<str>,
    /// Event nodes; needed for every plan that makes or changes a derived node.
    pub grounded_in: Vec<NodeId>,
    pub ops: Vec<Op>,
}
