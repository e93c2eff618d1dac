//! The writer's graph of one space: making, restoring, publishing, and what the store must write.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use super::change::{Change, Dependent};
use super::model::*;
use super::net::Net;
use super::rank::Rank;
use super::settings::Settings;
use super::titles::Titles;
use super::view::{GraphView, Resolved};

/// The writer's graph of one space. Lookups are those of [`GraphView`], on the newest state.
pub struct Graph {
    pub(super) space: Arc<str>,
    pub(super) settings: Settings,
    /// The working state; a clone of it is what readers get.
    pub(super) view: GraphView,
    pub(super) net: Net,
    pub(super) titles: Titles,
    /// (live node, id that was merged into it).
    pub(super) absorbed: BTreeSet<(NodeIx, NodeId)>,
    /// (event, what names it as a ground), apart from edges that end at it.
    pub(super) grounded: BTreeSet<(NodeIx, Dependent)>,
    pub(super) next_ix: u32,
    /// What the running plan changed so far; empty between plans.
    pub(super) log: Vec<Change>,
    pub(super) rank: Rank,
    /// Nodes whose record changed since `take_dirty`; true when the store knows them.
    dirty: BTreeMap<NodeIx, bool>,
    dirty_redirects: BTreeSet<NodeId>,
}

/// What changed since the last call of [`Graph::take_dirty`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dirty {
    /// Live nodes that changed, or one of whose out-edges did; sorted. A node record is the node and its out-edges.
    pub nodes: Vec<NodeIx>,
    /// Nodes whose record must go; sorted.
    pub removed: Vec<NodeIx>,
    /// Ids that redirect: to the id of a live node, or to nothing (erased). Replaces earlier entries.
    pub redirects: Vec<(NodeId, Option<NodeId>)>,
}

/// Why records do not make a graph: they are damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    #[error("two records for node {0:?} or for its id {1}")]
    Twice(NodeIx, NodeId),
    #[error(
        "the record of node {0:?} holds an edge that is not its own, is there twice, or leads to a missing node {1:?}"
    )]
    Edge(NodeIx, NodeIx),
    #[error("the redirect of {0} leads nowhere or in a circle")]
    Redirect(NodeId),
    #[error("the record of node {0:?} is inconsistent: type, body and id disagree")]
    Kind(NodeIx),
}

impl Deref for Graph {
    type Target = GraphView;

    fn deref(&self) -> &GraphView {
        &self.view
    }
}

impl Graph {
    pub fn new(space: Arc<str>, settings: Settings) -> Graph {
        let rank = Rank::new(&settings);
        Graph {
            space,
            settings,
            view: GraphView::default(),
            net: Net::default(),
            titles: Titles::default(),
            absorbed: BTreeSet::new(),
            grounded: BTreeSet::new(),
            next_ix: 0,
            log: Vec::new(),
            rank,
            dirty: BTreeMap::new(),
            dirty_redirects: BTreeSet::new(),
        }
    }

    /// Rebuilds a graph from its records, in any order. Nothing is dirty afterwards; ranks are computed anew.
    /// O(n log n).
    ///
    /// # Errors
    /// When the records contradict each other; the graph is not usable then.
    pub fn restore(
        space: Arc<str>,
        settings: Settings,
        nodes: Vec<(NodeIx, Node, Vec<Edge>)>,
        redirects: Vec<(NodeId, Option<NodeId>)>,
        next_ix: u32,
    ) -> Result<Graph, RestoreError> {
        let mut graph = Graph::new(space, settings);
        graph.next_ix = next_ix;
        let mut nodes = nodes;
        nodes.sort_unstable_by_key(|(ix, ..)| *ix);
        // All ids first: a node's grounds are indexed when it is put, and may come after it.
        for (at, (ix, node, _)) in nodes.iter().enumerate() {
            if node.body.kind() != node.kind || !node.kind.owns(&node.id) {
                return Err(RestoreError::Kind(*ix));
            }
            let again = at > 0 && nodes[at - 1].0 == *ix;
            if again || graph.raw_put_id(&node.id, Resolved::Live(*ix)) != Resolved::Unknown {
                return Err(RestoreError::Twice(*ix, node.id.clone()));
            }
            graph.next_ix = graph.next_ix.max(ix.0.saturating_add(1));
        }
        let mut edges = Vec::with_capacity(nodes.len());
        for (ix, node, out) in nodes {
            graph.raw_put_node(ix, Some(Arc::new(node)));
            edges.push((ix, out));
        }
        for (ix, out) in edges {
            for edge in out {
                let key = edge.key();
                let whole = edge.source == ix && edge.target != ix && graph.view.node(edge.target).is_some();
                if !whole || graph.view.shared_edge(key).is_some() {
                    return Err(RestoreError::Edge(ix, edge.target));
                }
                graph.raw_put_edge(key, Some(Arc::new(edge)));
            }
        }
        graph.restore_redirects(redirects)?;
        let live: Vec<NodeIx> = graph.view.nodes().map(|(ix, _)| ix).collect();
        for ix in live {
            graph.rank.add(ix);
        }
        graph.rank.settle(&graph.net);
        Ok(graph)
    }

    fn restore_redirects(&mut self, redirects: Vec<(NodeId, Option<NodeId>)>) -> Result<(), RestoreError> {
        let next: BTreeMap<NodeId, Option<NodeId>> = redirects.into_iter().collect();
        for id in next.keys() {
            if self.view.ix(id.as_str()).is_some() {
                return Err(RestoreError::Redirect(id.clone()));
            }
            let mut at = id;
            let mut end = None;
            // A chain longer than there are redirects is a circle.
            for _ in 0..=next.len() {
                match next.get(at) {
                    Some(Some(to)) => at = to,
                    Some(None) => end = Some(Resolved::Erased),
                    None => end = self.view.ix(at.as_str()).map(Resolved::Merged),
                }
                if end.is_some() || !next.contains_key(at) && self.view.ix(at.as_str()).is_none() {
                    break;
                }
            }
            let Some(end) = end else {
                return Err(RestoreError::Redirect(id.clone()));
            };
            self.raw_put_id(id, end);
        }
        Ok(())
    }

    pub fn space(&self) -> &Arc<str> {
        &self.space
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The index the next node will get. The store keeps it, so that indexes are not reused after a restart.
    pub fn next_ix(&self) -> u32 {
        self.next_ix
    }

    /// Brings ranks up to date within bounded work and hands out a snapshot. O(changed x log n).
    pub fn publish(&mut self) -> GraphView {
        self.rank.update(&self.net);
        let view = &mut self.view;
        self.rank.publish(|ix, score| view.put_rank(ix, score));
        self.view.put_rank_total(self.rank.total());
        self.view.clone()
    }

    /// Nodes whose rank waits for the next publish because the last one's work was bounded.
    pub fn rank_backlog(&self) -> usize {
        self.rank.backlog()
    }

    /// What the store must write. O(changed).
    pub fn take_dirty(&mut self) -> Dirty {
        let mut dirty = Dirty::default();
        for (ix, known) in std::mem::take(&mut self.dirty) {
            if self.view.node(ix).is_some() {
                dirty.nodes.push(ix);
            } else if known {
                dirty.removed.push(ix);
            }
        }
        for id in std::mem::take(&mut self.dirty_redirects) {
            match self.view.resolve(id.as_str()) {
                Resolved::Merged(ix) => {
                    if let Some(node) = self.view.node(ix) {
                        dirty.redirects.push((id, Some(node.id.clone())));
                    }
                }
                Resolved::Erased => dirty.redirects.push((id, None)),
                Resolved::Live(_) | Resolved::Unknown => (),
            }
        }
        dirty
    }

    pub(super) fn mark_dirty(&mut self, ix: NodeIx, known: bool) {
        self.dirty.entry(ix).or_insert(known);
    }

    pub(super) fn mark_redirect(&mut self, id: NodeId) {
        self.dirty_redirects.insert(id);
    }
}
