//! REMOVE_NODE: and, for an event, of all that came only from it.

use super::apply::Run;
use super::change::Dependent;
use super::model::*;
use super::plan::PlanError;
use super::view::Resolved;
use super::writer::Graph;

impl Graph {
    /// Removes a node with its edges; its id, and every id merged into it, now resolves to "erased".
    ///
    /// When an event goes, its id leaves all grounds and evidence. A derived node whose grounds run out is
    /// grounded in its remaining members (newest kept); with none left it came only from the event and is removed with it
    /// (an intent that was withdrawn stays, as a record without words).
    /// So is an edge. An event that the plan itself names as a ground stops being one. O(edges and dependents of the node x log n).
    pub(super) fn remove_node(&mut self, run: &mut Run<'_>, op: usize, id: &NodeId) -> Result<(), PlanError> {
        let (ix, node) = self.need_live(op, id)?;
        if node.kind != NodeKind::Event {
            run.need_reasoning(op)?;
        }
        self.take_out(ix, &node.id, node.kind);
        // What follows in the plan cannot be grounded in it any more.
        run.grounds.retain(|ground| *ground != ix);
        run.ground_ids = self.newest_ids(run.grounds.clone());
        Ok(())
    }

    fn take_out(&mut self, ix: NodeIx, id: &NodeId, kind: NodeKind) {
        let keys: Vec<EdgeKey> = self
            .view
            .incoming(ix)
            .chain(self.view.out(ix))
            .map(Edge::key)
            .collect();
        for key in keys {
            self.drop_edge(key);
        }
        if kind == NodeKind::Event {
            self.forget_ground(ix, id);
        }
        self.put_node(ix, None);
        self.put_id(id, Resolved::Erased);
        self.redirect_absorbed(ix, Resolved::Erased);
    }

    /// Takes an event, whose edges are gone, out of all grounds. While its id still resolves: the index needs it.
    fn forget_ground(&mut self, event: NodeIx, id: &NodeId) {
        let first = (event, Dependent::Node(NodeIx(0)));
        let dependents: Vec<Dependent> = self
            .grounded
            .range(first..)
            .take_while(|(e, _)| *e == event)
            .map(|(_, by)| *by)
            .collect();
        for by in dependents {
            match by {
                Dependent::Node(ix) => self.unground_node(ix, id),
                Dependent::Edge(key) => self.unground_edge(key, id),
            }
        }
    }

    fn unground_node(&mut self, ix: NodeIx, id: &NodeId) {
        let Some(mut node) = self.view.node(ix).cloned() else {
            return;
        };
        node.provenance.grounded_in.retain(|g| g != id);
        if let Body::Intent(i) = &mut node.body {
            i.evidence.retain(|g| g != id);
        }
        if node.provenance.grounded_in.is_empty() {
            // Sources stand by index, that is in order of creation: from the back, the newest come first.
            let events = self.view.incoming(ix).rev().map(|e| e.source);
            let is_event = |e: &NodeIx| self.view.node(*e).is_some_and(|n| n.kind == NodeKind::Event);
            let members = events.filter(is_event).take(MAX_GROUNDS).collect();
            node.provenance.grounded_in = self.newest_ids(members);
        }
        // An intent that was withdrawn and has no words left stays: whoever was told of it hears that it is gone.
        let withdrawn = match &node.body {
            Body::Intent(i) => !i.status.is_open() && node.text.is_empty(),
            _ => false,
        };
        let last = node.provenance.grounded_in.is_empty() && !withdrawn;
        let (own, kind) = (node.id.clone(), node.kind);
        self.put_node(ix, Some(node));
        if last {
            self.take_out(ix, &own, kind);
        }
    }

    fn unground_edge(&mut self, key: EdgeKey, id: &NodeId) {
        let Some(mut edge) = self.view.edge(key.0, key.1, key.2).cloned() else {
            return;
        };
        edge.provenance.grounded_in.retain(|g| g != id);
        if edge.provenance.grounded_in.is_empty() {
            self.drop_edge(key);
        } else {
            self.put_edge(key, Some(edge));
        }
    }
}
