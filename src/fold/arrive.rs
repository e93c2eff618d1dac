//! How one event finds its place: it repeats another, joins a cluster, founds one, or stands alone.

use std::collections::BTreeMap;

use super::Item;
use super::attributes::Terms;
use super::features::TermKey;
use super::partition::crowd;
use super::rules::RulesExecutive;
use super::slot::Cluster;
use crate::graph::{Author, EdgeKind, Graph, Op, Plan};

/// Lone events at most that a birth gathers from.
const POOL: usize = 64;
/// Best links at most in a larger space through which lone events are found.
const POOL_LINKS: usize = 12;

impl RulesExecutive {
    /// Content logit of two events; `None` when they were never compared.
    pub(super) fn known(&self, a: u32, b: u32) -> Option<f32> {
        let (late, early) = (a.max(b), a.min(b));
        self.slot(late)?.link(early).map(|l| self.content.of(&l.raw))
    }

    fn logit(&self, a: u32, terms: &Terms, b: u32) -> f32 {
        let content = self.known(a, b).unwrap_or(self.settings.floor());
        content + self.slot(b).map_or(0.0, |b| terms.pair(&b.values))
    }

    /// Assigns the event in `slot` (its links are known).
    pub(super) fn arrive(&mut self, graph: &Graph, slot: u32, item: &Item<'_>) -> Vec<Plan> {
        let terms = self.attributes.terms(&item.features.attributes);
        let theta = self.settings.theta(self.live);
        if let Some((cluster, mean)) = self.best_cluster(slot, &terms)
            && mean >= theta
        {
            self.relabel(slot, cluster);
            return self.plan_joined(graph, cluster, slot, item.id);
        }
        let group = self.gather(slot, &terms, theta);
        if group.len() < 2 {
            return Vec::new();
        }
        self.plan_born(graph, &group, None).into_iter().collect()
    }

    /// The cluster with the highest mean logit. A cluster speaks with `voices` members: what
    /// was not compared counts as the floor up to that number.
    fn best_cluster(&self, slot: u32, terms: &Terms) -> Option<(u32, f32)> {
        let mut known: BTreeMap<u32, (u32, f32)> = BTreeMap::new();
        if self.live <= self.settings.compare_all as usize {
            known.extend(self.clusters.keys().map(|c| (*c, (0, 0.0))));
        }
        for l in &self.slot(slot)?.links {
            let cluster = self.cluster_of(l.earlier);
            if cluster != 0 {
                let k = known.entry(cluster).or_default();
                k.0 += 1;
                k.1 += self.content.of(&l.raw);
            }
        }
        let mut best: Option<(u32, f32)> = None;
        for (cluster, (count, sum)) in known {
            let Some(c) = self.clusters.get(&cluster).filter(|c| c.size() > 0) else {
                continue;
            };
            let mean = self.mean(count, sum, c.size() as u32) + c.attribute_sum(terms) / c.size() as f32;
            if best.is_none_or(|b| mean > b.1) {
                best = Some((cluster, mean));
            }
        }
        best
    }

    /// Mean content logit towards `size` events of which `count` are known with this `sum`.
    pub(super) fn mean(&self, count: u32, sum: f32, size: u32) -> f32 {
        let voices = size.min(self.settings.voices).max(count).max(1);
        let mean = (sum + (voices - count.min(voices)) as f32 * self.settings.floor()) / voices as f32;
        mean - crowd(self.settings.crowd, size, self.settings.voices)
    }

    /// Lone events that agree with this one and with each other, best first.
    fn gather(&self, slot: u32, terms: &Terms, theta: f32) -> Vec<u32> {
        let mut group = vec![slot];
        let birth = self.settings.birth(self.live);
        let mut pool: Vec<(u32, f32)> = self
            .pool(slot)
            .into_iter()
            .map(|p| (p, self.logit(slot, terms, p)))
            .collect();
        while !pool.is_empty() {
            let (mut at, mut top) = (0, f32::NEG_INFINITY);
            for (i, p) in pool.iter().enumerate() {
                if p.1 > top {
                    (at, top) = (i, p.1);
                }
            }
            // The first two found the concept; more only join it.
            let birth = if group.len() == 1 { birth } else { 0.0 };
            if top / group.len() as f32 <= theta + birth {
                break;
            }
            let (new, _) = pool.remove(at);
            group.push(new);
            let Some(values) = self.slot(new).map(|s| s.values) else {
                break;
            };
            let terms = self.attributes.terms(&values);
            pool.iter_mut().for_each(|p| p.1 += self.logit(new, &terms, p.0));
        }
        group
    }

    /// Lone events that may be gathered: all in a small space, else those linked with this event
    /// or with a lone event that is.
    fn pool(&self, slot: u32) -> Vec<u32> {
        let lone = |s: &u32| *s != slot && self.slot(*s).is_some_and(|s| s.cluster == 0);
        if self.live <= self.settings.compare_all as usize {
            return (0..slot).filter(lone).collect();
        }
        let mut pool: Vec<u32> = Vec::new();
        let direct: Vec<u32> = self.slot(slot).map_or(Vec::new(), |s| {
            s.links.iter().map(|l| l.earlier).filter(lone).collect()
        });
        for &d in direct.iter().rev().take(POOL_LINKS) {
            if let Some(s) = self.slot(d) {
                pool.extend(s.links.iter().map(|l| l.earlier).filter(lone));
                pool.extend(s.later.iter().rev().take(POOL_LINKS).copied().filter(lone));
            }
        }
        pool.truncate(POOL);
        pool.extend(direct);
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    /// An exact repeat: no comparison, one REINFORCES edge to the concept of its first occurrence.
    pub(super) fn repeat(&mut self, graph: &Graph, item: &Item<'_>, slot: u32) -> Vec<Plan> {
        self.repeats.insert((slot, item.ix.0));
        self.repeat_of.insert(item.ix.0, slot);
        self.dirty.repeats.insert(item.ix.0);
        let mut plans = Vec::new();
        if self.cluster_of(slot) == 0 {
            plans.extend(self.plan_born(graph, &[slot], Some(item.id)));
        }
        plans.extend(self.plan_repeated(graph, slot, item));
        plans
    }

    /// CAUSES edges from the newest earlier event that shares a rare name, for at most
    /// `chain_links` names. Cost: the event's names.
    pub(super) fn chain(&self, graph: &Graph, slot: u32, item: &Item<'_>) -> Vec<Plan> {
        let most = self.settings.chain_holders as usize;
        let mut ops = Vec::new();
        let mut sources: Vec<u32> = Vec::new();
        for &name in &item.features.names {
            if ops.len() == self.settings.chain_links as usize {
                break;
            }
            let Some((before, strength)) = self.predecessor(slot, name, most) else {
                continue;
            };
            if sources.contains(&before) {
                continue;
            }
            let Some(other) = self.slot(before) else {
                continue;
            };
            let Some(node) = graph.node(other.node) else {
                continue;
            };
            sources.push(before);
            // A late event may be older than what it joins: cause comes before effect.
            let (source, target) = if other.time <= item.features.time {
                (node.id.clone(), item.id.clone())
            } else {
                (item.id.clone(), node.id.clone())
            };
            ops.push(Op::AddEdge {
                source,
                target,
                kind: EdgeKind::Causes,
                weight: Some(EdgeKind::Causes.default_weight() * strength),
                inferred: false,
            });
        }
        if ops.is_empty() {
            return Vec::new();
        }
        vec![Plan {
            by: Author::Fold,
            reasoning: "the event takes up a rare name of an earlier one".into(),
            grounded_in: vec![item.id.clone()],
            ops,
        }]
    }

    /// The newest earlier holder of a name that few events hold, and how telling the name is.
    fn predecessor(&self, slot: u32, name: TermKey, most: usize) -> Option<(u32, f32)> {
        let holders = self.lexicon.holders(name);
        if holders.len() < 2 || holders.len() > most {
            return None;
        }
        let before = *holders.iter().rev().find(|h| **h != slot)?;
        Some((before, 1.0 - 0.5 * (holders.len() - 2) as f32 / most as f32))
    }

    /// A new cluster with this concept, without members.
    pub(super) fn found(&mut self, concept: crate::graph::NodeId) -> u32 {
        let id = self.next_cluster;
        self.next_cluster += 1;
        self.by_concept.insert(concept.clone(), id);
        self.clusters.insert(id, Cluster::new(concept));
        self.dirty.clusters.insert(id);
        self.dirty.meta = true;
        id
    }
}
