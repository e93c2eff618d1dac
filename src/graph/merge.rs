//! MERGE_NODES: one node disappears into another.

use super::apply::{Run, concept_size};
use super::model::*;
use super::plan::PlanError;
use super::view::Resolved;
use super::writer::Graph;

impl Graph {
    /// Moves all edges of `absorb` to `keep` (parallel ones combine, loops drop), joins grounds, access and size,
    /// and redirects the absorbed id, and every id that led to it, to `keep`.
    /// O(edges of `absorb` and ids merged into it, x log n).
    pub(super) fn merge_nodes(
        &mut self,
        run: &mut Run<'_>,
        op: usize,
        keep: &NodeId,
        absorb: &NodeId,
    ) -> Result<(), PlanError> {
        let refuse = |why| {
            Err(PlanError::Merge {
                op,
                keep: keep.clone(),
                absorb: absorb.clone(),
                why,
            })
        };
        let (to, kept) = self.need_live(op, keep)?;
        let (from, gone) = self.need_live(op, absorb)?;
        if to == from {
            return refuse("they are the same node");
        }
        if kept.kind != gone.kind {
            return refuse("they differ in type");
        }
        if kept.kind == NodeKind::Event {
            return refuse("events do not merge");
        }
        run.need_reasoning(op)?;
        let shared = self.move_edges(from, to);
        self.put_node(from, None);
        self.put_id(&gone.id, Resolved::Merged(to));
        self.redirect_absorbed(from, Resolved::Merged(to));

        let mut node = Node::clone(&kept);
        node.access = node.access.saturating_add(gone.access);
        node.pinned |= gone.pinned;
        node.archived &= gone.archived;
        node.time = node.time.max(gone.time);
        node.touched = node.touched.max(gone.touched).max(run.now);
        let grounds = self.join_grounds(&node.provenance.grounded_in, &gone.provenance.grounded_in);
        node.provenance.grounded_in = self.join_grounds(&grounds, &run.ground_ids);
        let size = concept_size(&kept)
            .saturating_add(concept_size(&gone))
            .saturating_sub(shared);
        match (&mut node.body, &gone.body) {
            (Body::Concept(c), _) => c.size = size,
            (Body::Intent(i), Body::Intent(other)) => {
                i.evidence = self.join_grounds(&i.evidence, &other.evidence);
                for concept in &other.concepts {
                    if !i.concepts.contains(concept) {
                        i.concepts.push(concept.clone());
                    }
                }
            }
            _ => (),
        }
        self.put_node(to, Some(node));
        run.applied.merged.push((to, from));
        Ok(())
    }

    /// Returns how many members the two nodes had in common.
    fn move_edges(&mut self, from: NodeIx, to: NodeIx) -> u32 {
        let mut shared = 0;
        let mut last = None;
        let edges: Vec<Edge> = self
            .view
            .incoming(from)
            .chain(self.view.out(from))
            .cloned()
            .collect();
        for edge in &edges {
            // Incoming edges stand by source, so the two kinds of membership are neighbours.
            if edge.kind.is_membership() && edge.target == from && last != Some(edge.source) {
                last = Some(edge.source);
                shared += u32::from(self.view.is_member(edge.source, to));
            }
        }
        for edge in edges {
            self.put_edge(edge.key(), None);
            let source = if edge.source == from { to } else { edge.source };
            let target = if edge.target == from { to } else { edge.target };
            if source == target {
                continue;
            }
            let moved = Edge {
                source,
                target,
                ..edge
            };
            let joined = match self.view.edge(source, target, moved.kind) {
                Some(there) => self.combine(there, &moved),
                None => moved,
            };
            self.put_edge(joined.key(), Some(joined));
        }
        shared
    }

    /// Two edges as one: independent evidence, so the doubts multiply, at the later of their two times.
    fn combine(&self, a: &Edge, b: &Edge) -> Edge {
        let at = a.at.max(b.at);
        let per_hour = self.settings.edge_decay_per_hour;
        let (x, y) = (a.effective(at, per_hour), b.effective(at, per_hour));
        let mut edge = a.clone();
        edge.weight = (x + y - x * y).clamp(0.0, 1.0);
        edge.at = at;
        edge.created = a.created.min(b.created);
        edge.inferred = a.inferred && b.inferred;
        edge.provenance.grounded_in = self.join_grounds(&a.provenance.grounded_in, &b.provenance.grounded_in);
        edge
    }

    /// Points every id that was merged into `ix` elsewhere, so that no redirect is more than one step.
    pub(super) fn redirect_absorbed(&mut self, ix: NodeIx, to: Resolved) {
        let start = (ix, NodeId("".into()));
        let ids: Vec<NodeId> = self
            .absorbed
            .range(start..)
            .take_while(|(at, _)| *at == ix)
            .map(|(_, id)| id.clone())
            .collect();
        for id in ids {
            self.put_id(&id, to);
        }
    }
}
