//! Plans: what the executive proposes to the graph.
//!
//! Every plan names the events it rests on. Edges that are taken away are looked up first, so that
//! a plan never fails on an edge that is not there.

use super::Item;
use super::rules::RulesExecutive;
use super::settle::Changes;
use super::slot::concept_id;
use crate::graph::{
    Author, Body, Concept, EdgeKind, Graph, MAX_GROUNDS, NewNode, NodeId, NodePatch, Op, Plan,
};

impl RulesExecutive {
    pub(super) fn id_of(&self, graph: &Graph, slot: u32) -> Option<NodeId> {
        Some(graph.node(self.slot(slot)?.node)?.id.clone())
    }

    pub(super) fn ids_of(&self, graph: &Graph, slots: &[u32]) -> Vec<NodeId> {
        slots.iter().filter_map(|s| self.id_of(graph, *s)).collect()
    }

    pub(super) fn concept_of(&self, cluster: u32) -> Option<&NodeId> {
        self.clusters.get(&cluster).map(|c| &c.concept)
    }

    pub(super) fn ground(&self, event: NodeId, concept: NodeId) -> Op {
        Op::AddEdge {
            source: event,
            target: concept,
            kind: EdgeKind::Grounds,
            weight: Some(self.settings.grounds_weight),
            inferred: false,
        }
    }

    /// Takes away what binds an event to a concept.
    pub(super) fn unground(&self, graph: &Graph, slot: u32, cluster: u32, ops: &mut Vec<Op>) {
        let (Some(s), Some(concept)) = (self.slot(slot), self.concept_of(cluster)) else {
            return;
        };
        let (Some(ix), Some(node)) = (graph.ix(concept.as_str()), graph.node(s.node)) else {
            return;
        };
        for kind in [EdgeKind::Grounds, EdgeKind::Reinforces] {
            if graph.edge(s.node, ix, kind).is_some() {
                ops.push(Op::RemoveEdge {
                    source: node.id.clone(),
                    target: concept.clone(),
                    kind,
                });
            }
        }
    }

    /// An event joined a concept.
    pub(super) fn plan_joined(&mut self, graph: &Graph, cluster: u32, slot: u32, id: &NodeId) -> Vec<Plan> {
        let Some(concept) = self.concept_of(cluster).cloned() else {
            return Vec::new();
        };
        if graph.ix(concept.as_str()).is_none() {
            // A retention policy took the node: its events found a new one.
            let members = self
                .clusters
                .get(&cluster)
                .map_or(Vec::new(), |c| c.members.clone());
            members.iter().for_each(|m| self.relabel(*m, 0));
            self.drop_cluster(cluster);
            return self.plan_born(graph, &members, None).into_iter().collect();
        }
        let mut ops = vec![self.ground(id.clone(), concept.clone())];
        if let (Some(ix), Some(s)) = (graph.ix(concept.as_str()), self.slot(slot))
            && graph.node(ix).is_some_and(|n| n.time < s.time)
        {
            let patch = NodePatch {
                time: Some(s.time),
                ..NodePatch::default()
            };
            ops.push(Op::UpdateNode { id: concept, patch });
        }
        vec![plan(
            "the event agrees with this concept's events",
            vec![id.clone()],
            ops,
        )]
    }

    /// A concept is born from these events (and an exact repeat of the first).
    pub(super) fn plan_born(
        &mut self,
        graph: &Graph,
        group: &[u32],
        repeat: Option<&NodeId>,
    ) -> Option<Plan> {
        let mut slots = group.to_vec();
        slots.sort_unstable();
        let mut ids = self.ids_of(graph, &slots);
        ids.extend(repeat.cloned());
        let concept = self.fresh_id(graph, ids.first()?, ids.get(1)?);
        let mut ops = Vec::new();
        for &s in &slots {
            let from = self.cluster_of(s);
            if from != 0 {
                self.unground(graph, s, from, &mut ops);
            }
        }
        let cluster = self.found(concept.clone());
        slots.iter().for_each(|s| self.relabel(*s, cluster));
        self.unconfirmed.insert(cluster);
        let named = self.name(graph, cluster, None);
        let node = NewNode {
            id: concept.clone(),
            title: named.title.as_str().into(),
            text: named.text.as_str().into(),
            time: self.newest(cluster),
            body: Body::Concept(Concept {
                keywords: named.keywords,
                confidence: named.confidence,
                size: slots.len() as u32,
            }),
        };
        ops.push(Op::AddNode(node));
        for id in self.ids_of(graph, &slots) {
            ops.push(self.ground(id, concept.clone()));
        }
        let reason = format!("{} events agree with each other", ids.len());
        Some(plan(&reason, newest_grounds(ids), ops))
    }

    fn fresh_id(&self, graph: &Graph, first: &NodeId, second: &NodeId) -> NodeId {
        let id = concept_id(&self.space, first, second);
        if !self.by_concept.contains_key(&id) && is_unknown(graph, &id) {
            return id;
        }
        // The same two founded a concept before that is gone: the cluster's number tells them apart.
        let again = NodeId(format!("{first}+{}", self.next_cluster).into());
        concept_id(&self.space, &again, second)
    }

    /// An exact repeat came in.
    pub(super) fn plan_repeated(&mut self, graph: &Graph, slot: u32, item: &Item<'_>) -> Option<Plan> {
        let concept = self.concept_of(self.cluster_of(slot))?.clone();
        let mut ops = vec![Op::AddEdge {
            source: item.id.clone(),
            target: concept.clone(),
            kind: EdgeKind::Reinforces,
            weight: None,
            inferred: false,
        }];
        let time = item.features.time;
        if graph
            .ix(concept.as_str())
            .and_then(|ix| graph.node(ix))
            .is_some_and(|n| n.time < time)
        {
            let patch = NodePatch {
                time: Some(time),
                ..NodePatch::default()
            };
            ops.push(Op::UpdateNode { id: concept, patch });
        }
        Some(plan(
            "the event repeats an earlier one word for word",
            vec![item.id.clone()],
            ops,
        ))
    }

    /// Plans of a pass; the clusters are changed along the way.
    pub(super) fn plan_changes(&mut self, graph: &Graph, mut changes: Changes) -> Vec<Plan> {
        let mut plans = Vec::new();
        for group in std::mem::take(&mut changes.born) {
            let from: Vec<u32> = group
                .iter()
                .map(|s| self.cluster_of(*s))
                .filter(|c| *c != 0)
                .collect();
            changes.touched.extend(from);
            plans.extend(self.plan_born(graph, &group, None));
        }
        plans.extend(self.plan_moves(graph, &mut changes));
        for (keep, absorb) in std::mem::take(&mut changes.merged) {
            plans.extend(self.plan_merge(graph, keep, absorb));
            changes.touched.insert(keep);
        }
        for lost in std::mem::take(&mut changes.dissolved) {
            plans.extend(self.plan_dissolve(graph, lost, None));
        }
        plans.extend(self.plan_retitled(graph, changes.touched));
        plans
    }

    fn plan_moves(&mut self, graph: &Graph, changes: &mut Changes) -> Option<Plan> {
        let (mut ops, mut grounds) = (Vec::new(), Vec::new());
        for (slot, from, to) in std::mem::take(&mut changes.moved) {
            // What goes into a merge moves with it.
            let carried = changes.merged.contains(&(to, from));
            if !carried {
                if from != 0 {
                    self.unground(graph, slot, from, &mut ops);
                }
                if let (Some(id), Some(concept)) = (self.id_of(graph, slot), self.concept_of(to).cloned()) {
                    ops.push(self.ground(id, concept));
                }
            }
            grounds.extend(self.id_of(graph, slot));
            self.relabel(slot, to);
            changes.touched.extend([from, to]);
        }
        let reason = "later evidence puts these events with others";
        (!ops.is_empty()).then(|| plan(reason, newest_grounds(grounds), ops))
    }

    fn plan_merge(&mut self, graph: &Graph, keep: u32, absorb: u32) -> Option<Plan> {
        let (kept, gone) = (self.concept_of(keep)?.clone(), self.concept_of(absorb)?.clone());
        self.absorb(keep, absorb);
        let ids = self.ids_of(graph, &self.spread(keep));
        let ops = vec![Op::MergeNodes {
            keep: kept,
            absorb: gone,
        }];
        Some(plan(
            "their events agree with each other",
            newest_grounds(ids),
            ops,
        ))
    }

    /// All members of a cluster become part of another; the graph is not told.
    pub(super) fn absorb(&mut self, keep: u32, absorb: u32) {
        let members = self
            .clusters
            .get(&absorb)
            .map_or(Vec::new(), |c| c.members.clone());
        members.into_iter().for_each(|m| self.relabel(m, keep));
        self.drop_cluster(absorb);
    }

    /// A concept without members goes.
    pub(super) fn plan_dissolve(
        &mut self,
        graph: &Graph,
        cluster: u32,
        without: Option<&NodeId>,
    ) -> Option<Plan> {
        let concept = self.concept_of(cluster)?.clone();
        let members = self
            .clusters
            .get(&cluster)
            .map_or(Vec::new(), |c| c.members.clone());
        members.iter().for_each(|m| self.relabel(*m, 0));
        self.drop_cluster(cluster);
        let node = graph.node(graph.ix(concept.as_str())?)?;
        if node.id != concept || node.pinned {
            return None;
        }
        let grounds = node
            .provenance
            .grounded_in
            .iter()
            .filter(|g| Some(*g) != without)
            .cloned()
            .collect();
        let ops = vec![Op::RemoveNode { id: concept }];
        Some(plan("its events no longer belong together", grounds, ops))
    }

    pub(super) fn drop_cluster(&mut self, cluster: u32) {
        if let Some(c) = self.clusters.remove(&cluster) {
            self.by_concept.remove(&c.concept);
            self.titles.remove(&(c.title, cluster));
            self.unconfirmed.remove(&cluster);
            self.dirty.clusters.insert(cluster);
        }
    }
}

fn is_unknown(graph: &Graph, id: &NodeId) -> bool {
    matches!(graph.resolve(id.as_str()), crate::graph::Resolved::Unknown)
}

pub(super) fn newest_grounds(mut ids: Vec<NodeId>) -> Vec<NodeId> {
    let from = ids.len().saturating_sub(MAX_GROUNDS);
    ids.drain(..from);
    ids
}

pub(super) fn plan(reasoning: &str, grounded_in: Vec<NodeId>, ops: Vec<Op>) -> Plan {
    Plan {
        by: Author::Fold,
        reasoning: reasoning.into(),
        grounded_in,
        ops,
    }
}
