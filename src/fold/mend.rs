//! Following what others did to the graph: erased events, merged concepts, refused plans.

use super::emit::plan;
use super::rules::RulesExecutive;
use crate::graph::{EdgeKind, Graph, NodeId, NodeIx, Op, Plan, Resolved};

impl RulesExecutive {
    /// Forgets an event: features, pairs, its share of the statistics, its place among the
    /// grounds. Cost: its links in both directions, its terms, and one new title.
    pub(super) fn forget(&mut self, graph: &Graph, event: NodeIx) -> Vec<Plan> {
        if let Some(slot) = self.repeat_of.remove(&event.0) {
            self.repeats.remove(&(slot, event.0));
            self.dirty.repeats.insert(event.0);
            return self.plan_shrunk(graph, self.cluster_of(slot), None);
        }
        let Some(slot) = self.by_node.remove(&event.0) else {
            return Vec::new();
        };
        let id = self.id_of(graph, slot);
        let cluster = self.cluster_of(slot);
        let heir = self.repeats.range((slot, 0)..=(slot, u32::MAX)).next().copied();
        match heir {
            Some((_, heir)) => {
                let mut plans = self.inherit(graph, slot, NodeIx(heir));
                plans.extend(self.plan_shrunk(graph, cluster, id.as_ref()));
                plans
            }
            None => {
                self.relabel(slot, 0);
                self.take_out(slot);
                self.plan_shrunk(graph, cluster, id.as_ref())
            }
        }
    }

    /// The first exact repeat stands in for the erased event: it says the same, so its features are the same.
    fn inherit(&mut self, graph: &Graph, slot: u32, heir: NodeIx) -> Vec<Plan> {
        self.repeats.remove(&(slot, heir.0));
        self.repeat_of.remove(&heir.0);
        self.by_node.insert(heir.0, slot);
        self.dirty.repeats.insert(heir.0);
        self.dirty.slots.insert(slot);
        let Some(node) = graph.node(heir) else {
            return Vec::new();
        };
        if let Some(s) = self.slots[slot as usize].as_mut() {
            s.node = heir;
            s.time = node.time;
        }
        let Some(concept) = self.concept_of(self.cluster_of(slot)).cloned() else {
            return Vec::new();
        };
        let mut ops = vec![self.ground(node.id.clone(), concept.clone())];
        if let Some(ix) = graph.ix(concept.as_str())
            && graph.edge(heir, ix, EdgeKind::Reinforces).is_some()
        {
            ops.push(Op::RemoveEdge {
                source: node.id.clone(),
                target: concept,
                kind: EdgeKind::Reinforces,
            });
        }
        vec![plan(
            "it says the same as an erased event",
            vec![node.id.clone()],
            ops,
        )]
    }

    /// A concept lost an event: it goes when nothing agrees any more, else it gets a new title.
    fn plan_shrunk(&mut self, graph: &Graph, cluster: u32, erased: Option<&NodeId>) -> Vec<Plan> {
        let Some(c) = self.clusters.get(&cluster) else {
            return Vec::new();
        };
        let repeated = c.members.first().is_some_and(|m| self.is_founder(*m));
        if c.size() < 2 && !repeated {
            return self.plan_dissolve(graph, cluster, erased).into_iter().collect();
        }
        let concept = c.concept.clone();
        if erased.is_none() || graph.ix(concept.as_str()).is_none() {
            return Vec::new();
        }
        let (patch, grounds) = self.fresh_title(graph, cluster);
        let ops = vec![Op::UpdateNode { id: concept, patch }];
        vec![plan("one of its events was erased", grounds, ops)]
    }

    fn take_out(&mut self, slot: u32) {
        let Some(s) = self.slots[slot as usize].take() else {
            return;
        };
        self.live -= 1;
        if self.founders.get(&s.content) == Some(&slot) {
            self.founders.remove(&s.content);
        }
        self.lexicon.remove(slot, &s);
        self.near.remove(slot, &s.buckets);
        self.attributes.remove(&s.values);
        self.themes.remove(&s.phrases);
        for word in &s.phrases.actor {
            if let Some(n) = self.actors.get_mut(word) {
                *n -= 1;
                if *n == 0 {
                    self.actors.remove(word);
                }
            }
        }
        self.window.forget(slot);
        for l in &s.links {
            if l.sampled {
                self.statistics.remove(&l.raw);
            }
            if let Some(e) = self.slots[l.earlier as usize].as_mut() {
                e.later.retain(|x| *x != slot);
            }
        }
        for later in &s.later {
            let Some(l) = self.slots[*later as usize].as_mut() else {
                continue;
            };
            if let Some(link) = l.link(slot).copied() {
                if link.sampled {
                    self.statistics.remove(&link.raw);
                }
                l.links = l.links.iter().filter(|x| x.earlier != slot).copied().collect();
                self.dirty.slots.insert(*later);
            }
        }
        self.content = self.statistics.content(&self.settings);
        self.changed.remove(&slot);
        self.dirty.slots.insert(slot);
        self.dirty.labels.insert(slot);
    }

    /// Two concepts became one in the graph.
    pub(super) fn follow_merge(&mut self, keep: &NodeId, absorb: &NodeId) {
        let Some(&gone) = self.by_concept.get(absorb) else {
            return;
        };
        self.unconfirmed.remove(&gone);
        match self.by_concept.get(keep).copied() {
            Some(kept) if kept == gone => {}
            Some(kept) => self.absorb(kept, gone),
            None => {
                // Made by someone else: from now on it stands for our cluster.
                self.by_concept.remove(absorb);
                self.by_concept.insert(keep.clone(), gone);
                if let Some(c) = self.clusters.get_mut(&gone) {
                    c.concept = keep.clone();
                }
                self.dirty.clusters.insert(gone);
            }
        }
    }

    /// Looks whether proposed concepts are in the graph: one may have been taken for a concept of
    /// nearly the same title, or its plan may have been refused.
    pub(super) fn confirm(&mut self, graph: &Graph) {
        for cluster in std::mem::take(&mut self.unconfirmed) {
            let Some(concept) = self.concept_of(cluster).cloned() else {
                continue;
            };
            match graph.resolve(concept.as_str()) {
                Resolved::Live(_) => {}
                Resolved::Merged(ix) => {
                    if let Some(node) = graph.node(ix) {
                        self.follow_merge(&node.id.clone(), &concept);
                    }
                }
                Resolved::Unknown | Resolved::Erased => {
                    let members = self
                        .clusters
                        .get(&cluster)
                        .map_or(Vec::new(), |c| c.members.clone());
                    members.iter().for_each(|m| self.relabel(*m, 0));
                    self.drop_cluster(cluster);
                    self.changed.extend(members);
                }
            }
        }
    }
}
