//! The naive model: plain maps by id, plans on a copy. Slow, and too simple to hide a mistake.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::graph::titles::similarity;

#[derive(Clone, Debug, PartialEq)]
pub struct MNode {
    pub kind: NodeKind,
    pub title: String,
    pub born: usize,
    pub access: u32,
    pub grounds: BTreeSet<NodeId>,
    pub evidence: BTreeSet<NodeId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MEdge {
    pub weight: f64,
    pub at: Ts,
    pub inferred: bool,
    pub grounds: BTreeSet<NodeId>,
}

type Key = (NodeId, NodeId, EdgeKind);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub nodes: BTreeMap<NodeId, MNode>,
    pub edges: BTreeMap<Key, MEdge>,
    /// Not compressed.
    pub redirects: BTreeMap<NodeId, Option<NodeId>>,
    born: usize,
}

impl Model {
    /// `None`: erased or unknown.
    pub fn resolve(&self, id: &NodeId) -> Option<NodeId> {
        match self.redirects.get(id) {
            Some(Some(to)) => self.resolve(to),
            Some(None) => None,
            None => self.nodes.contains_key(id).then(|| id.clone()),
        }
    }

    fn insert(
        &mut self,
        id: NodeId,
        kind: NodeKind,
        title: &str,
        grounds: BTreeSet<NodeId>,
        evidence: &[NodeId],
    ) {
        let evidence = evidence.iter().cloned().collect();
        self.born += 1;
        let node = MNode {
            kind,
            title: title.into(),
            born: self.born,
            access: 0,
            grounds,
            evidence,
        };
        self.nodes.insert(id, node);
    }

    pub fn add_event(&mut self, id: NodeId) -> bool {
        let free = !self.nodes.contains_key(&id) && !self.redirects.contains_key(&id);
        if free {
            self.insert(id, NodeKind::Event, "", BTreeSet::new(), &[]);
        }
        free
    }

    pub fn apply(&mut self, plan: &Plan, now: Ts) -> bool {
        let mut copy = self.clone();
        let done = copy.run(plan, now).is_some();
        if done {
            *self = copy;
        }
        done
    }

    pub fn members(&self, concept: &NodeId) -> BTreeSet<NodeId> {
        self.edges
            .keys()
            .filter(|k| k.1 == *concept && k.2.is_membership())
            .map(|k| k.0.clone())
            .collect()
    }

    fn run(&mut self, plan: &Plan, now: Ts) -> Option<()> {
        let event = |m: &Model, id: &NodeId| m.nodes.get(id).is_some_and(|n| n.kind == NodeKind::Event);
        if !plan.grounded_in.iter().all(|g| event(self, g)) {
            return None;
        }
        let mut grounds: BTreeSet<NodeId> = plan.grounded_in.iter().cloned().collect();
        let said = !plan.reasoning.trim().is_empty();
        let mut collapsed = BTreeSet::new();
        for op in &plan.ops {
            match op {
                Op::AddNode(n) => {
                    let taken = self.nodes.contains_key(&n.id) || self.redirects.contains_key(&n.id);
                    if taken || !said || grounds.is_empty() {
                        return None;
                    }
                    match self.near(n) {
                        Some(there) => {
                            self.redirects.insert(n.id.clone(), Some(there.clone()));
                            collapsed.insert(n.id.clone());
                            for g in &grounds {
                                let has =
                                    self.edges
                                        .contains_key(&(g.clone(), there.clone(), EdgeKind::Grounds));
                                let kind = if has {
                                    EdgeKind::Grounds
                                } else {
                                    EdgeKind::Reinforces
                                };
                                self.strengthen((g.clone(), there.clone(), kind), None, false, &grounds, now);
                            }
                        }
                        None => {
                            let evidence = match &n.body {
                                Body::Intent(i) => &i.evidence[..],
                                _ => &[],
                            };
                            self.insert(n.id.clone(), n.body.kind(), &n.title, grounds.clone(), evidence);
                        }
                    }
                }
                Op::UpdateNode { id, patch } => {
                    let node = self.nodes.get_mut(id)?;
                    node.access += patch.accessed;
                    if let Some(title) = &patch.title {
                        if node.kind == NodeKind::Event || !said {
                            return None;
                        }
                        node.title = title.to_string();
                        node.grounds.extend(grounds.iter().cloned());
                    }
                }
                Op::RemoveNode { id } => {
                    if self.nodes.get(id)?.kind != NodeKind::Event && !said {
                        return None;
                    }
                    self.remove(id);
                    grounds.remove(id);
                }
                Op::AddEdge {
                    source,
                    target,
                    kind,
                    weight,
                    inferred,
                } => {
                    let (s, t) = (self.resolve(source)?, self.resolve(target)?);
                    if s == t || !kind.fits(self.nodes[&s].kind, self.nodes[&t].kind) {
                        return None;
                    }
                    let mut key = (s, t, *kind);
                    if *kind == EdgeKind::Grounds && collapsed.contains(target) {
                        if self.members(&key.1).contains(&key.0) {
                            continue;
                        }
                        key.2 = EdgeKind::Reinforces;
                    }
                    if !said && !self.edges.contains_key(&key) {
                        return None;
                    }
                    self.strengthen(key, *weight, *inferred, &grounds, now);
                }
                Op::RemoveEdge { source, target, kind } => {
                    let key = (self.resolve(source)?, self.resolve(target)?, *kind);
                    self.edges.remove(&key)?;
                }
                Op::MergeNodes { keep, absorb } => {
                    let (a, b) = (self.nodes.get(keep)?.clone(), self.nodes.get(absorb)?.clone());
                    if keep == absorb || a.kind != b.kind || a.kind == NodeKind::Event || !said {
                        return None;
                    }
                    self.merge(keep, absorb, b, &grounds);
                }
            }
        }
        Some(())
    }

    fn near(&self, n: &NewNode) -> Option<NodeId> {
        let mut concepts: Vec<_> = self
            .nodes
            .iter()
            .filter(|(_, c)| c.kind == NodeKind::Concept)
            .collect();
        concepts.sort_by_key(|(_, c)| c.born);
        let mut best: Option<(f32, &NodeId)> = None;
        for (id, c) in concepts {
            let alike = similarity(&n.title, &c.title);
            if n.body.kind() == NodeKind::Concept && alike >= 0.85 && best.is_none_or(|(b, _)| alike > b) {
                best = Some((alike, id));
            }
        }
        best.map(|(_, id)| id.clone())
    }

    fn strengthen(
        &mut self,
        key: Key,
        weight: Option<f32>,
        inferred: bool,
        grounds: &BTreeSet<NodeId>,
        now: Ts,
    ) {
        let given = f64::from(weight.unwrap_or(key.2.default_weight()));
        let ends: BTreeSet<NodeId> = [&key.0, &key.1]
            .into_iter()
            .filter(|e| self.nodes[*e].kind == NodeKind::Event)
            .cloned()
            .collect();
        let grounds = match (ends.is_empty(), grounds.is_empty()) {
            (false, _) => ends,
            (true, false) => grounds.clone(),
            (true, true) => self.nodes[&key.0].grounds.clone(),
        };
        match self.edges.get_mut(&key) {
            Some(e) => {
                let w = e.weight * (-0.005 * now.hours_since(e.at)).exp();
                e.weight = w + (1.0 - w) * 0.25 * given;
                e.at = now;
                e.inferred &= inferred;
                e.grounds.extend(grounds);
            }
            None => {
                self.edges.insert(
                    key,
                    MEdge {
                        weight: given,
                        at: now,
                        inferred,
                        grounds,
                    },
                );
            }
        }
    }

    fn remove(&mut self, id: &NodeId) {
        self.nodes.remove(id);
        self.redirects.insert(id.clone(), None);
        self.edges.retain(|k, _| k.0 != *id && k.1 != *id);
        let mut lost = Vec::new();
        for (other, node) in &mut self.nodes {
            node.evidence.remove(id);
            if node.grounds.remove(id) && node.grounds.is_empty() {
                lost.push(other.clone());
            }
        }
        self.edges
            .retain(|_, e| !(e.grounds.remove(id) && e.grounds.is_empty()));
        for other in lost {
            let from: BTreeSet<NodeId> = self
                .edges
                .keys()
                .filter(|k| k.1 == other && self.nodes[&k.0].kind == NodeKind::Event)
                .map(|k| k.0.clone())
                .collect();
            if from.is_empty() {
                self.remove(&other);
            } else if let Some(node) = self.nodes.get_mut(&other) {
                node.grounds = from;
            }
        }
    }

    fn merge(&mut self, keep: &NodeId, absorb: &NodeId, gone: MNode, grounds: &BTreeSet<NodeId>) {
        self.nodes.remove(absorb);
        self.redirects.insert(absorb.clone(), Some(keep.clone()));
        if let Some(node) = self.nodes.get_mut(keep) {
            node.access += gone.access;
            node.grounds.extend(gone.grounds);
            node.grounds.extend(grounds.iter().cloned());
            node.evidence.extend(gone.evidence);
        }
        for (key, b) in std::mem::take(&mut self.edges) {
            let swap = |id: &NodeId| {
                if id == absorb { keep.clone() } else { id.clone() }
            };
            let new = (swap(&key.0), swap(&key.1), key.2);
            if new.0 == new.1 {
                continue;
            }
            match self.edges.get_mut(&new) {
                Some(a) => {
                    let at = a.at.max(b.at);
                    let decay = |e: &MEdge| e.weight * (-0.005 * at.hours_since(e.at)).exp();
                    let (x, y) = (decay(a), decay(&b));
                    a.weight = x + y - x * y;
                    a.at = at;
                    a.inferred &= b.inferred;
                    a.grounds.extend(b.grounds);
                }
                None => {
                    self.edges.insert(new, b);
                }
            }
        }
    }
}
