//! Changes and their undoing: the only way in which a graph's content changes.
//!
//! Every change goes through `put_*`, which writes the old value into the log. A commit reads from the log what
//! the store and the rank must hear of; a rollback plays it backwards. So a rejected plan leaves nothing behind.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::*;
use super::net::Link;
use super::plan::Applied;
use super::view::Resolved;
use super::writer::Graph;

/// One change, with what was there before.
pub(super) enum Change {
    Node(NodeIx, Option<Arc<Node>>),
    Edge(EdgeKey, Option<Arc<Edge>>),
    Id(NodeId, Resolved),
}

/// An edge that changed, and what was there before.
type ChangedEdge = (EdgeKey, Option<Arc<Edge>>);

/// What names an event as its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dependent {
    Node(NodeIx),
    Edge(EdgeKey),
}

/// Events of an intent that stand in its body, beside its provenance.
fn evidence(node: &Node) -> &[NodeId] {
    match &node.body {
        Body::Intent(i) => &i.evidence,
        _ => &[],
    }
}

fn concept_title(node: Option<&Arc<Node>>) -> Option<Arc<str>> {
    node.filter(|n| n.kind == NodeKind::Concept)
        .map(|n| n.title.clone())
}

impl Graph {
    pub(super) fn put_node(&mut self, ix: NodeIx, new: Option<Node>) {
        let old = self.raw_put_node(ix, new.map(Arc::new));
        self.log.push(Change::Node(ix, old));
    }

    pub(super) fn put_edge(&mut self, key: EdgeKey, new: Option<Edge>) {
        let old = self.raw_put_edge(key, new.map(Arc::new));
        self.log.push(Change::Edge(key, old));
    }

    pub(super) fn put_id(&mut self, id: &NodeId, new: Resolved) {
        let old = self.raw_put_id(id, new);
        self.log.push(Change::Id(id.clone(), old));
    }

    /// Sets a node everywhere it is kept. Returns what was there.
    pub(super) fn raw_put_node(&mut self, ix: NodeIx, new: Option<Arc<Node>>) -> Option<Arc<Node>> {
        let old = self.view.put_node(ix, new.clone());
        let (before, after) = (concept_title(old.as_ref()), concept_title(new.as_ref()));
        if before != after {
            if let Some(title) = before {
                self.titles.remove(ix, &title);
            }
            if let Some(title) = after {
                self.titles.add(ix, &title);
            }
        }
        let same = match (&old, &new) {
            (Some(a), Some(b)) => {
                a.provenance.grounded_in == b.provenance.grounded_in && evidence(a) == evidence(b)
            }
            _ => false,
        };
        if !same {
            if let Some(n) = &old {
                self.index_grounds(
                    Dependent::Node(ix),
                    n.provenance.grounded_in.iter().chain(evidence(n)),
                    false,
                );
            }
            if let Some(n) = &new {
                self.index_grounds(
                    Dependent::Node(ix),
                    n.provenance.grounded_in.iter().chain(evidence(n)),
                    true,
                );
            }
        }
        self.net.put_node(ix, new);
        old
    }

    /// Sets an edge everywhere it is kept. Returns what was there.
    pub(super) fn raw_put_edge(&mut self, key: EdgeKey, new: Option<Arc<Edge>>) -> Option<Arc<Edge>> {
        let old = self.view.put_edge(key, new.clone());
        let same = match (&old, &new) {
            (Some(a), Some(b)) => a.provenance.grounded_in == b.provenance.grounded_in,
            _ => false,
        };
        if !same {
            if let Some(e) = &old {
                self.index_grounds(Dependent::Edge(key), e.provenance.grounded_in.iter(), false);
            }
            if let Some(e) = &new {
                self.index_grounds(Dependent::Edge(key), e.provenance.grounded_in.iter(), true);
            }
        }
        self.net.put_edge(key, new);
        old
    }

    /// Sets what an id stands for, and keeps the list of what was merged into a node.
    pub(super) fn raw_put_id(&mut self, id: &NodeId, new: Resolved) -> Resolved {
        let old = self.view.put_id(id, new);
        if let Resolved::Merged(ix) = old {
            self.absorbed.remove(&(ix, id.clone()));
        }
        if let Resolved::Merged(ix) = new {
            self.absorbed.insert((ix, id.clone()));
        }
        old
    }

    fn index_grounds<'a>(&mut self, by: Dependent, ids: impl Iterator<Item = &'a NodeId>, there: bool) {
        for id in ids {
            let Some(event) = self.view.ix(id.as_str()) else {
                continue;
            };
            // An edge goes with its ends anyway.
            if matches!(by, Dependent::Edge((s, t, _)) if s == event || t == event) {
                continue;
            }
            if there {
                self.grounded.insert((event, by));
            } else {
                self.grounded.remove(&(event, by));
            }
        }
    }

    /// Plays the log backwards. O(changes x log n).
    pub(super) fn rollback(&mut self, next_ix: u32) {
        while let Some(change) = self.log.pop() {
            match change {
                Change::Node(ix, old) => {
                    self.raw_put_node(ix, old);
                }
                Change::Edge(key, old) => {
                    self.raw_put_edge(key, old);
                }
                Change::Id(id, old) => {
                    self.raw_put_id(&id, old);
                }
            }
        }
        self.next_ix = next_ix;
    }

    /// Keeps what the log holds, and tells the store and the rank. O(changes x log n + out-degrees of the sources).
    pub(super) fn commit(&mut self, mut applied: Applied) -> Applied {
        let mut nodes: BTreeMap<NodeIx, Option<Arc<Node>>> = BTreeMap::new();
        let mut edges: BTreeMap<EdgeKey, Option<Arc<Edge>>> = BTreeMap::new();
        // The first entry of a key is what was there before the plan.
        for change in std::mem::take(&mut self.log) {
            match change {
                Change::Node(ix, old) => {
                    nodes.entry(ix).or_insert(old);
                }
                Change::Edge(key, old) => {
                    edges.entry(key).or_insert(old);
                }
                Change::Id(id, _) => self.mark_redirect(id),
            }
        }
        for (ix, old) in &nodes {
            self.mark_dirty(*ix, old.is_some());
            match (old.is_some(), self.view.node(*ix).is_some()) {
                (false, true) => {
                    applied.added.push(*ix);
                    self.rank.add(*ix);
                }
                (true, false) => {
                    applied.removed.push(*ix);
                    self.rank.remove(*ix);
                }
                (true, true) => applied.touched.push(*ix),
                (false, false) => (),
            }
        }
        let mut by_source: BTreeMap<NodeIx, Vec<ChangedEdge>> = BTreeMap::new();
        for (key, old) in edges {
            for end in [key.0, key.1] {
                if !nodes.contains_key(&end) {
                    applied.touched.push(end);
                }
            }
            by_source.entry(key.0).or_default().push((key, old));
        }
        applied.touched.sort_unstable();
        applied.touched.dedup();
        for (source, changed) in by_source {
            self.mark_dirty(source, true);
            if !self.rank.is_stale(source) {
                let mut links: Vec<Link> = self
                    .net
                    .links(source)
                    .filter(|l| !changed.iter().any(|(k, _)| (k.1, k.2) == (l.target, l.kind)))
                    .collect();
                links.extend(changed.iter().filter_map(|(_, old)| old.as_deref().map(Link::of)));
                self.rank.out_changed(source, links);
            }
        }
        applied
    }
}
