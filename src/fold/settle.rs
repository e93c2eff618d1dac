//! After a pass: which group goes on as which concept.
//!
//! A group keeps the concept with which it shares most events; ties go to the older concept.

use std::collections::{BTreeMap, BTreeSet};

use super::pass::Outcome;
use super::rules::RulesExecutive;
use crate::graph::{Graph, Plan};

/// What one pass changed, for the plans.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Groups without a concept so far.
    pub born: Vec<Vec<u32>>,
    /// (event, from, to): to another concept or, with 0, to none.
    pub moved: Vec<(u32, u32, u32)>,
    /// (surviving, absorbed) concepts.
    pub merged: Vec<(u32, u32)>,
    /// Concepts that lost their members.
    pub dissolved: Vec<u32>,
    /// Surviving concepts whose membership changed.
    pub touched: BTreeSet<u32>,
    /// Those of them that lost an event: what they say must not come from it any longer.
    pub lost: BTreeSet<u32>,
}

impl RulesExecutive {
    pub(super) fn settle(&mut self, graph: &Graph, outcomes: Vec<Outcome>) -> Vec<Plan> {
        let heir = self.heirs(&outcomes);
        let mut changes = Changes::default();
        for (o, keep) in outcomes.iter().zip(&heir) {
            if let Some(keep) = keep {
                for f in o.fixed.iter().filter(|f| *f != keep) {
                    changes.merged.push((*keep, *f));
                }
            }
        }
        let claimed: BTreeSet<u32> = heir.iter().flatten().copied().collect();
        let before: BTreeSet<u32> = outcomes
            .iter()
            .flat_map(|o| o.members.iter().map(|m| self.cluster_of(*m)))
            .filter(|c| *c != 0 && !claimed.contains(c) && !changes.merged.iter().any(|m| m.1 == *c))
            .collect();
        for lost in before {
            match self.successor(lost, &outcomes, &heir) {
                Some(keep) => changes.merged.push((keep, lost)),
                None => changes.dissolved.push(lost),
            }
        }
        for (o, keep) in outcomes.iter().zip(&heir) {
            let to = keep.unwrap_or(0);
            if keep.is_none() && o.members.len() >= 2 {
                changes.born.push(o.members.clone());
                continue;
            }
            for &m in &o.members {
                let from = self.cluster_of(m);
                if from != to {
                    changes.moved.push((m, from, to));
                }
            }
        }
        self.plan_changes(graph, changes)
    }

    /// The cluster as which each group goes on.
    fn heirs(&self, outcomes: &[Outcome]) -> Vec<Option<u32>> {
        let size = |c: &u32| self.clusters.get(c).map_or(0, |c| c.size());
        let mut heir: Vec<Option<u32>> = vec![None; outcomes.len()];
        let mut taken: BTreeSet<u32> = BTreeSet::new();
        let mut claims: Vec<(usize, u32, usize)> = Vec::new();
        for (g, o) in outcomes.iter().enumerate() {
            taken.extend(&o.fixed);
            heir[g] = o
                .fixed
                .iter()
                .copied()
                .max_by_key(|c| (size(c), std::cmp::Reverse(*c)));
            if o.fixed.is_empty() && o.members.len() >= 2 {
                let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
                for c in o.members.iter().map(|m| self.cluster_of(*m)).filter(|c| *c != 0) {
                    *shared.entry(c).or_default() += 1;
                }
                claims.extend(shared.into_iter().map(|(c, n)| (n, c, g)));
            }
        }
        claims.sort_by_key(|(n, c, g)| (std::cmp::Reverse(*n), *c, *g));
        for (_, c, g) in claims {
            if heir[g].is_none() && taken.insert(c) {
                heir[g] = Some(c);
            }
        }
        heir
    }

    /// The concept into which at least half of a lost cluster's events went together.
    fn successor(&self, lost: u32, outcomes: &[Outcome], heir: &[Option<u32>]) -> Option<u32> {
        let size = self.clusters.get(&lost)?.size();
        outcomes.iter().zip(heir).find_map(|(o, keep)| {
            let went = o.members.iter().filter(|m| self.cluster_of(**m) == lost).count();
            keep.filter(|_| 2 * went > size)
        })
    }
}
