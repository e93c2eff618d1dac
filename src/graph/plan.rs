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
    UpdateNode {
        id: NodeId,
        patch: NodePatch,
    },
    RemoveNode {
        id: NodeId,
    },
    /// Adding an edge that is there reinforces it: weight rises towards 1 with diminishing returns, `at` moves.
    AddEdge {
        source: NodeId,
        target: NodeId,
        kind: EdgeKind,
        weight: Option<f32>,
        inferred: bool,
    },
    RemoveEdge {
        source: NodeId,
        target: NodeId,
        kind: EdgeKind,
    },
    /// `absorb` disappears into `keep`: all edges move, the old id redirects.
    MergeNodes {
        keep: NodeId,
        absorb: NodeId,
    },
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

/// What a plan did. Every list is sorted and names a node once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    pub added: Vec<NodeIx>,
    /// Nodes that were there before and changed, or gained, lost or strengthened an edge.
    pub touched: Vec<NodeIx>,
    /// Nodes that are gone, absorbed ones among them.
    pub removed: Vec<NodeIx>,
    /// (keep, absorb), in order of the plan.
    pub merged: Vec<(NodeIx, NodeIx)>,
    /// New concepts that were near-duplicates: the id that was asked for, and the concept that was
    /// reinforced instead. The id now redirects to it.
    pub collapsed: Vec<(NodeId, NodeIx)>,
}

/// Why a plan was rejected; `op` counts from 0. The graph is as before. Retrying cannot help.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error("operation {op}: needs a reasoning")]
    NoReasoning { op: usize },
    #[error("operation {op}: a derived node needs at least one event in grounded_in")]
    NoGrounds { op: usize },
    #[error("grounded_in names {id}, which is not an event of this space")]
    UnknownGround { id: NodeId },
    #[error("operation {op}: no node {id} in this space")]
    UnknownNode { op: usize, id: NodeId },
    #[error("operation {op}: node {id} was erased")]
    Erased { op: usize, id: NodeId },
    #[error(
        "operation {op}: node {id} was merged into another and cannot be changed or removed under this id"
    )]
    Merged { op: usize, id: NodeId },
    #[error("operation {op}: id {id} is taken")]
    IdTaken { op: usize, id: NodeId },
    #[error("operation {op}: id {id} does not name a node of type {}", kind.name())]
    IdKind { op: usize, id: NodeId, kind: NodeKind },
    #[error("operation {op}: event nodes come from the stream and do not change ({id})")]
    EventImmutable { op: usize, id: NodeId },
    #[error("operation {op}: {what} of {id} is not valid")]
    Invalid {
        op: usize,
        id: NodeId,
        what: &'static str,
    },
    #[error("operation {op}: an edge from {id} to itself")]
    SelfEdge { op: usize, id: NodeId },
    #[error("operation {op}: {} does not lead from {} to {}", kind.name(), from.name(), to.name())]
    Ends {
        op: usize,
        kind: EdgeKind,
        from: NodeKind,
        to: NodeKind,
    },
    #[error("operation {op}: weight {weight} is not above 0 and at most 1")]
    Weight { op: usize, weight: f32 },
    #[error("operation {op}: no edge {} from {from} to {to}", kind.name())]
    UnknownEdge {
        op: usize,
        kind: EdgeKind,
        from: NodeId,
        to: NodeId,
    },
    #[error("operation {op}: cannot merge {absorb} into {keep}: {why}")]
    Merge {
        op: usize,
        keep: NodeId,
        absorb: NodeId,
        why: &'static str,
    },
    #[error("the event belongs to another space")]
    OtherSpace,
    #[error("the space has no node index left")]
    Full,
}
