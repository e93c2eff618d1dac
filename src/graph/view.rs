//! What readers see: nodes, edges and ordered lists of one space, in maps that share structure.
//!
//! A clone is a snapshot and costs nothing; a change after it copies only the path to what changed,
//! so a hub with many edges is never copied for one more. All iteration is in a fixed order.
//! Must not know how plans are checked or applied.

use std::sync::Arc;

use imbl::shared_ptr::DefaultSharedPtr;
use imbl::{GenericHashMap, OrdMap, OrdSet};
use rustc_hash::FxBuildHasher;

use super::model::*;
use crate::event::Ts;

/// What an id that was once returned stands for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    Live(NodeIx),
    /// Merged into this live node.
    Merged(NodeIx),
    /// Erased, or merged into something that was erased.
    Erased,
    /// Never a node of this space.
    Unknown,
}

/// Readers' snapshot of one space's graph.
///
/// `n` below is the number of nodes or edges. Lookups cost O(log n); iterators are lazy, cost
/// O(log n) to start and O(1) a step, and can be walked from either end.
#[derive(Clone, Default)]
pub struct GraphView {
    ids: GenericHashMap<NodeId, Resolved, FxBuildHasher, DefaultSharedPtr>,
    nodes: OrdMap<NodeIx, Arc<Node>>,
    /// By (source, target, kind).
    out: OrdMap<EdgeKey, Arc<Edge>>,
    /// By (target, source, kind).
    incoming: OrdMap<EdgeKey, Arc<Edge>>,
    kinds: OrdSet<(NodeKind, NodeIx)>,
    counts: [usize; 4],
    /// By time of last touch. Archived nodes are in none of the lists from here on.
    recent: OrdSet<(Ts, NodeIx)>,
    open_intents: OrdSet<NodeIx>,
    /// Deadlines by their end.
    deadlines: OrdSet<(Ts, NodeIx)>,
    ranks: OrdMap<NodeIx, f64>,
    /// By the bits of a rank; those of positive numbers sort as the numbers do.
    by_rank: OrdSet<(u64, NodeIx)>,
    rank_total: f64,
}

const FIRST: (NodeIx, EdgeKind) = (NodeIx(0), EdgeKind::ALL[0]);
const LAST: (NodeIx, EdgeKind) = (NodeIx(u32::MAX), EdgeKind::ALL[EdgeKind::ALL.len() - 1]);

fn beside(map: &OrdMap<EdgeKey, Arc<Edge>>, ix: NodeIx) -> impl DoubleEndedIterator<Item = &Edge> {
    map.range((ix, FIRST.0, FIRST.1)..=(ix, LAST.0, LAST.1))
        .map(|(_, e)| &**e)
}

impl GraphView {
    pub fn node(&self, ix: NodeIx) -> Option<&Node> {
        self.nodes.get(&ix).map(|n| &**n)
    }

    /// The live node with this very id; see [`GraphView::resolve`] for merged ones.
    pub fn ix(&self, id: &str) -> Option<NodeIx> {
        match self.ids.get(id) {
            Some(Resolved::Live(ix)) => Some(*ix),
            _ => None,
        }
    }

    pub fn resolve(&self, id: &str) -> Resolved {
        self.ids.get(id).copied().unwrap_or(Resolved::Unknown)
    }

    /// Edges that leave `ix`, by target, then kind.
    pub fn out(&self, ix: NodeIx) -> impl DoubleEndedIterator<Item = &Edge> {
        beside(&self.out, ix)
    }

    /// Edges that reach `ix`, by source, then kind: walked backwards, the newest sources come first.
    pub fn incoming(&self, ix: NodeIx) -> impl DoubleEndedIterator<Item = &Edge> {
        beside(&self.incoming, ix)
    }

    pub fn edge(&self, source: NodeIx, target: NodeIx, kind: EdgeKind) -> Option<&Edge> {
        self.out.get(&(source, target, kind)).map(|e| &**e)
    }

    /// Whether the event `source` is a member of `concept` (GROUNDS or REINFORCES).
    pub fn is_member(&self, source: NodeIx, concept: NodeIx) -> bool {
        self.edge(source, concept, EdgeKind::Grounds).is_some()
            || self.edge(source, concept, EdgeKind::Reinforces).is_some()
    }

    pub fn count(&self, kind: NodeKind) -> usize {
        self.counts[kind as usize]
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub fn edge_count(&self) -> usize {
        self.out.len()
    }

    /// Nodes of a kind in order of creation.
    pub fn of_kind(&self, kind: NodeKind) -> impl DoubleEndedIterator<Item = NodeIx> + '_ {
        self.kinds
            .range((kind, NodeIx(0))..=(kind, NodeIx(u32::MAX)))
            .map(|(_, ix)| *ix)
    }

    /// All nodes in order of creation.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeIx, &Node)> {
        self.nodes.iter().map(|(ix, n)| (*ix, &**n))
    }

    /// All edges by source, target, kind.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = &Edge> {
        self.out.iter().map(|(_, e)| &**e)
    }

    /// Ids that no longer name a live node, in no fixed order.
    pub(super) fn redirects(&self) -> impl Iterator<Item = (&NodeId, Resolved)> {
        self.ids
            .iter()
            .filter(|(_, r)| !matches!(r, Resolved::Live(_)))
            .map(|(id, r)| (id, *r))
    }

    /// The `n` nodes touched last, newest first; archived ones are left out.
    pub fn recent(&self, n: usize) -> impl Iterator<Item = NodeIx> + '_ {
        self.recent.iter().rev().take(n).map(|(_, ix)| *ix)
    }

    /// PageRank as published: the sum over all nodes is 1 (within the error that `rank` states);
    /// 0 for a node that was not published yet.
    pub fn rank(&self, ix: NodeIx) -> f64 {
        match self.ranks.get(&ix) {
            Some(r) if self.rank_total > 0.0 => r / self.rank_total,
            _ => 0.0,
        }
    }

    /// The `n` nodes of highest rank, best first, newer before older among equals; archived ones are left out.
    pub fn top_ranked(&self, n: usize) -> impl Iterator<Item = NodeIx> + '_ {
        self.by_rank.iter().rev().take(n).map(|(_, ix)| *ix)
    }

    /// Intents that are pending, scheduled or deferred, newest first; archived ones are left out.
    pub fn open_intents(&self) -> impl Iterator<Item = NodeIx> + '_ {
        self.open_intents.iter().rev().copied()
    }

    /// Time nodes that are deadlines and end from `from` to `to`, soonest first; archived ones are left out.
    pub fn deadlines(&self, from: Ts, to: Ts) -> impl Iterator<Item = NodeIx> + '_ {
        let to = to.max(from);
        self.deadlines
            .range((from, NodeIx(0))..=(to, NodeIx(u32::MAX)))
            .map(|(_, ix)| *ix)
    }

    pub(super) fn shared(&self, ix: NodeIx) -> Option<&Arc<Node>> {
        self.nodes.get(&ix)
    }

    pub(super) fn shared_edge(&self, key: EdgeKey) -> Option<&Arc<Edge>> {
        self.out.get(&key)
    }

    /// Sets or removes a node and keeps every list in step; returns what was there. O(log n).
    pub(super) fn put_node(&mut self, ix: NodeIx, new: Option<Arc<Node>>) -> Option<Arc<Node>> {
        let old = self.nodes.get(&ix).cloned();
        if let Some(node) = &old {
            self.unlist(ix, node);
        }
        match new {
            Some(node) => {
                self.list(ix, &node);
                self.nodes.insert(ix, node);
            }
            None => {
                self.nodes.remove(&ix);
                self.ranks.remove(&ix);
            }
        }
        old
    }

    fn list(&mut self, ix: NodeIx, node: &Node) {
        if self.kinds.insert((node.kind, ix)).is_none() {
            self.counts[node.kind as usize] += 1;
        }
        if node.archived {
            return;
        }
        self.recent.insert((node.touched, ix));
        if let Some(r) = self.ranks.get(&ix) {
            self.by_rank.insert((r.to_bits(), ix));
        }
        match &node.body {
            Body::Intent(i) if i.status.is_open() => {
                self.open_intents.insert(ix);
            }
            Body::Time(t) if t.deadline => {
                self.deadlines.insert((t.end, ix));
            }
            _ => (),
        }
    }

    fn unlist(&mut self, ix: NodeIx, node: &Node) {
        if self.kinds.remove(&(node.kind, ix)).is_some() {
            self.counts[node.kind as usize] -= 1;
        }
        self.recent.remove(&(node.touched, ix));
        if let Some(r) = self.ranks.get(&ix) {
            self.by_rank.remove(&(r.to_bits(), ix));
        }
        match &node.body {
            Body::Intent(_) => {
                self.open_intents.remove(&ix);
            }
            Body::Time(t) => {
                self.deadlines.remove(&(t.end, ix));
            }
            _ => (),
        }
    }

    /// Sets or removes an edge; returns what was there. O(log n).
    pub(super) fn put_edge(&mut self, key: EdgeKey, new: Option<Arc<Edge>>) -> Option<Arc<Edge>> {
        let back = (key.1, key.0, key.2);
        match new {
            Some(edge) => {
                self.incoming.insert(back, edge.clone());
                self.out.insert(key, edge)
            }
            None => {
                self.incoming.remove(&back);
                self.out.remove(&key)
            }
        }
    }

    /// Sets what an id stands for; `Unknown` forgets it. Returns what it stood for. O(log n).
    pub(super) fn put_id(&mut self, id: &NodeId, new: Resolved) -> Resolved {
        let old = match new {
            Resolved::Unknown => self.ids.remove(id.as_str()),
            _ => self.ids.insert(id.clone(), new),
        };
        old.unwrap_or(Resolved::Unknown)
    }

    /// Publishes the unnormalised rank of a live node. O(log n).
    pub(super) fn put_rank(&mut self, ix: NodeIx, score: f64) {
        let Some(node) = self.nodes.get(&ix) else {
            return;
        };
        let score = score.max(0.0);
        if let Some(old) = self.ranks.insert(ix, score) {
            self.by_rank.remove(&(old.to_bits(), ix));
        }
        if !node.archived {
            self.by_rank.insert((score.to_bits(), ix));
        }
    }

    pub(super) fn put_rank_total(&mut self, total: f64) {
        self.rank_total = total;
    }
}
