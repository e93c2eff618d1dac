//! Compression and completion: what the nearest concepts of a changed concept say about it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::guards::{Profile, forbids};
use super::signs::cosine;
use super::timers::EdgeKey;
use super::{ConceptVectors, Consolidator, edges, grounds, members};
use crate::event::Ts;
use crate::graph::{Author, Body, EdgeKind, Graph, Node, NodeIx, NodeKind, Op, Plan};

/// Profiles kept in memory; when they are so many, all are read anew.
const MAX_PROFILES: usize = 4_096;

impl Consolidator {
    /// Plans merges among the changed concepts and their nearest, and returns who takes part in one. A concept takes
    /// part in one merge a pass; what the budget leaves over goes back into the queue.
    pub(super) fn plan_merges(
        &mut self,
        graph: &Graph,
        vectors: &dyn ConceptVectors,
        changed: &[NodeIx],
        plans: &mut Vec<Plan>,
    ) -> BTreeSet<NodeIx> {
        let count = graph.count(NodeKind::Concept) as f32;
        let budget = ((count * self.settings.merge_share) as usize).max(1);
        let mut merged = BTreeSet::new();
        for &ix in changed {
            if merged.contains(&ix) {
                continue;
            }
            let Some((other, similarity)) = self.twin(graph, vectors, ix, &merged) else {
                continue;
            };
            if merged.len() >= 2 * budget {
                self.note_changed(ix);
                continue;
            }
            let Some((keep, absorb)) = survivor(graph, ix, other) else {
                continue;
            };
            let (Some(k), Some(a)) = (graph.node(keep), graph.node(absorb)) else {
                continue;
            };
            merged.extend([keep, absorb]);
            let mut named = grounds(graph, keep, k);
            named.extend(grounds(graph, absorb, a));
            plans.push(Plan {
                by: Author::Pass,
                reasoning: format!(
                    "merged: similarity {similarity:.2}, and no number, date, name or polarity differs"
                )
                .into(),
                grounded_in: named,
                ops: vec![Op::MergeNodes {
                    keep: k.id.clone(),
                    absorb: a.id.clone(),
                }],
            });
        }
        merged
    }

    /// The most similar concept that may be merged with `ix`.
    fn twin(
        &mut self,
        graph: &Graph,
        vectors: &dyn ConceptVectors,
        ix: NodeIx,
        taken: &BTreeSet<NodeIx>,
    ) -> Option<(NodeIx, f32)> {
        let mine = graph.node(ix)?;
        for (other, similarity) in self.nearest(graph, vectors, ix, self.settings.merge_cosine) {
            let node = graph.node(other)?;
            if taken.contains(&other) || (mine.pinned && node.pinned) || in_hierarchy(graph, ix, other) {
                continue;
            }
            let mine = self.profile(graph, ix, mine);
            if forbids(&mine, &self.profile(graph, other, node)).is_none() {
                return Some((other, similarity));
            }
        }
        None
    }

    /// Concepts with at least this cosine, nearest first, older first when equal. Entries of nodes that are gone are
    /// dropped on the way.
    fn nearest(
        &mut self,
        graph: &Graph,
        vectors: &dyn ConceptVectors,
        ix: NodeIx,
        at_least: f32,
    ) -> Vec<(NodeIx, f32)> {
        let Some(mine) = vectors.vector(ix) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for other in self.index.near(ix, at_least) {
            if graph.node(other).is_none_or(|n| n.kind != NodeKind::Concept) {
                self.forget(other);
                continue;
            }
            let similarity = vectors.vector(other).map_or(0.0, |v| cosine(&mine, &v));
            if similarity >= at_least {
                found.push((other, similarity));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// What the guards compare of a concept; read once after each change of it.
    fn profile(&mut self, graph: &Graph, ix: NodeIx, node: &Node) -> Arc<Profile> {
        if let Some(known) = self.profiles.get(&ix) {
            return known.clone();
        }
        if self.profiles.len() >= MAX_PROFILES {
            self.profiles.clear();
        }
        let mut profile = Profile::default();
        profile.head(&node.title);
        if let Body::Concept(c) = &node.body {
            for keyword in &c.keywords {
                profile.head(keyword);
            }
        }
        for member in members(graph, ix, self.settings.guard_members) {
            if let Body::Event(event) = &member.body {
                profile.event(event);
            }
        }
        let profile = Arc::new(profile);
        self.profiles.insert(ix, profile.clone());
        profile
    }

    /// Links a concept that has no edge to another concept to its nearest. The edges are RELATED_TO, marked as inferred:
    /// GROUNDS says that an event is evidence for a concept, and a likeness between two concepts is not evidence.
    pub(super) fn plan_completion(
        &mut self,
        graph: &Graph,
        vectors: &dyn ConceptVectors,
        ix: NodeIx,
        busy: &BTreeSet<NodeIx>,
        now: Ts,
        plans: &mut Vec<Plan>,
    ) {
        let Some(node) = graph.node(ix) else { return };
        if edges(graph, ix).any(|e| is_concept(graph, if e.source == ix { e.target } else { e.source })) {
            return;
        }
        let mut near = self.nearest(graph, vectors, ix, self.settings.completion_cosine);
        near.retain(|(other, _)| !busy.contains(other));
        near.truncate(self.settings.completion_k);
        if near.is_empty() {
            return;
        }
        let mut ops = Vec::new();
        for &(other, similarity) in &near {
            let Some(target) = graph.node(other) else {
                continue;
            };
            let weight = similarity.clamp(0.0, 1.0);
            ops.push(Op::AddEdge {
                source: node.id.clone(),
                target: target.id.clone(),
                kind: EdgeKind::RelatedTo,
                weight: Some(weight),
                inferred: true,
            });
            let key = EdgeKey {
                source: ix,
                target: other,
                kind: EdgeKind::RelatedTo,
            };
            let due = self.crossing(weight, now);
            self.floors.set(key, due);
            self.records.edge(key);
        }
        plans.push(Plan {
            by: Author::Pass,
            reasoning: "a concept without neighbours was linked to the most similar ones".into(),
            grounded_in: grounds(graph, ix, node),
            ops,
        });
    }
}

/// The one more often used survives, then the larger, then the older; a pinned one always does.
fn survivor(graph: &Graph, a: NodeIx, b: NodeIx) -> Option<(NodeIx, NodeIx)> {
    let rank = |ix: NodeIx| {
        let node = graph.node(ix)?;
        let size = match &node.body {
            Body::Concept(c) => c.size,
            _ => 0,
        };
        Some((node.pinned, node.access, size, std::cmp::Reverse(ix)))
    };
    Some(if rank(a)? >= rank(b)? { (a, b) } else { (b, a) })
}

/// A parent is like its children; that is no reason to merge them.
fn in_hierarchy(graph: &Graph, a: NodeIx, b: NodeIx) -> bool {
    [EdgeKind::PartOf, EdgeKind::DerivedFrom]
        .into_iter()
        .any(|kind| graph.edge(a, b, kind).is_some() || graph.edge(b, a, kind).is_some())
}

fn is_concept(graph: &Graph, ix: NodeIx) -> bool {
    graph.node(ix).is_some_and(|n| n.kind == NodeKind::Concept)
}
