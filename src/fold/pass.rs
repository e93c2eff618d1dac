//! The pass: what changed lately is clustered anew, together with what it touches.
//!
//! A small space is considered whole. In a larger one the active events are those that changed,
//! the newest members of their clusters, and their nearest; other members of the clusters they
//! know are fixed. An event with exact repeats never moves, so its repeats need not follow it.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::ATTRIBUTES;
use super::partition::{Active, Fixed, Problem, Solution};
use super::rules::RulesExecutive;
use crate::graph::{Graph, Plan};

/// Nearest earlier events that a changed one makes active.
const NEAREST: usize = 3;
/// Newest members that a touched cluster makes active.
const MEMBERS: usize = 8;
/// Newest later neighbours that count in a large space.
const LATER: usize = 16;

/// Active slots, ascending, and fixed clusters, ascending, with the local numbers of a [`Problem`].
#[derive(Default)]
struct Scope {
    active: Vec<u32>,
    /// Of each active slot, with the content logits.
    neighbours: Vec<Vec<(u32, f32)>>,
    fixed: Vec<u32>,
}

/// Local numbers of active events and of fixed groups.
struct Numbers {
    active: BTreeMap<u32, u32>,
    fixed: BTreeMap<u32, u32>,
}

/// One group after a pass.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub members: Vec<u32>,
    /// Clusters whose unmoved members are in this group.
    pub fixed: Vec<u32>,
}

impl RulesExecutive {
    /// Runs one pass and proposes what follows from it.
    pub(super) fn consolidate(&mut self, graph: &Graph) -> Vec<Plan> {
        let scope = self.scope();
        self.changed.clear();
        if scope.active.is_empty() {
            return Vec::new();
        }
        let (problem, start) = self.problem(&scope);
        let solution = problem.solve(&start);
        let outcomes = outcomes(&scope, &solution);
        self.settle(graph, outcomes)
    }

    fn scope(&self) -> Scope {
        let movable = |s: &u32| self.slot(*s).is_some() && !self.is_founder(*s);
        let active: BTreeSet<u32> = if self.live <= self.settings.pass_all as usize {
            (0..self.slots.len() as u32).filter(movable).collect()
        } else {
            self.active().into_iter().filter(movable).collect()
        };
        let mut fixed = BTreeSet::new();
        let mut neighbours = Vec::with_capacity(active.len());
        for &s in &active {
            let near = self.neighbours(s);
            fixed.insert(self.cluster_of(s));
            fixed.extend(near.iter().map(|n| self.cluster_of(n.0)));
            neighbours.push(near);
        }
        let outside = |c: &u32| {
            let members = self.clusters.get(c).map_or(&[][..], |c| c.members.as_slice());
            members.iter().any(|m| !active.contains(m))
        };
        let fixed = fixed.into_iter().filter(|c| *c != 0 && outside(c)).collect();
        Scope {
            active: active.into_iter().collect(),
            neighbours,
            fixed,
        }
    }

    fn active(&self) -> BTreeSet<u32> {
        let most = self.settings.pass_active as usize;
        let mut active: BTreeSet<u32> = self.changed.iter().rev().take(most).copied().collect();
        let changed: Vec<u32> = active.iter().rev().copied().collect();
        for &s in &changed {
            let Some(slot) = self.slot(s) else { continue };
            let mut near: Vec<(f32, u32)> = slot
                .links
                .iter()
                .map(|l| (self.content.of(&l.raw), l.earlier))
                .collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (_, n) in near.into_iter().take(NEAREST) {
                if active.len() < most {
                    active.insert(n);
                }
            }
        }
        let clusters: BTreeSet<u32> = changed.iter().map(|s| self.cluster_of(*s)).collect();
        for c in clusters.iter().filter_map(|c| self.clusters.get(c)) {
            for m in c.members.iter().rev().take(MEMBERS) {
                if active.len() < most {
                    active.insert(*m);
                }
            }
        }
        active
    }

    /// Compared events of `slot`: those it was compared with, and the newest compared with it.
    fn neighbours(&self, slot: u32) -> Vec<(u32, f32)> {
        let Some(s) = self.slot(slot) else {
            return Vec::new();
        };
        let most = match self.live > self.settings.pass_all as usize {
            true => LATER,
            false => LATER.max(self.settings.compare_all as usize),
        };
        let earlier = s.links.iter().map(|l| (l.earlier, self.content.of(&l.raw)));
        let later = s.later.iter().rev().take(most);
        earlier
            .chain(later.filter_map(|&l| Some((l, self.known(l, slot)?))))
            .collect()
    }

    fn problem(&self, scope: &Scope) -> (Problem, Vec<usize>) {
        let s = &self.settings;
        let number = |all: &[u32]| (0..).zip(all).map(|(i, x)| (*x, i)).collect();
        let numbers = Numbers {
            active: number(&scope.active),
            fixed: number(&scope.fixed),
        };
        let mut p = Problem {
            floor: s.floor(),
            theta: s.theta(self.live),
            voices: s.voices,
            crowd: s.crowd,
            birth: s.birth(self.live),
            rounds: s.rounds,
            ..Problem::default()
        };
        let mut codes: [BTreeMap<u32, u32>; ATTRIBUTES] = Default::default();
        for (&slot, near) in scope.active.iter().zip(&scope.neighbours) {
            p.active.push(self.active_event(
                slot,
                near,
                &numbers,
                &mut codes,
                &mut p.bonus,
                &mut p.different,
            ));
        }
        p.fixed = scope
            .fixed
            .iter()
            .map(|c| self.fixed_group(*c, &numbers.active, &codes))
            .collect();
        let mut start_of: BTreeMap<u32, usize> = BTreeMap::new();
        let start = scope.active.iter().enumerate().map(|(i, s)| {
            let alone = scope.fixed.len() + i;
            match self.cluster_of(*s) {
                0 => alone,
                c => numbers
                    .fixed
                    .get(&c)
                    .map_or_else(|| *start_of.entry(c).or_insert(alone), |g| *g as usize),
            }
        });
        let start = start.collect();
        (p, start)
    }

    fn active_event(
        &self,
        slot: u32,
        neighbours: &[(u32, f32)],
        numbers: &Numbers,
        codes: &mut [BTreeMap<u32, u32>; ATTRIBUTES],
        bonus: &mut [Vec<f32>; ATTRIBUTES],
        different: &mut [f32; ATTRIBUTES],
    ) -> Active {
        let mut e = Active::default();
        let Some(s) = self.slot(slot) else { return e };
        let terms = self.attributes.terms(&s.values);
        // An attribute that adds nothing is left out of the problem.
        for a in (0..ATTRIBUTES).filter(|&a| terms.bonus[a] != 0.0) {
            let next = codes[a].len() as u32;
            let code = *codes[a].entry(s.values[a]).or_insert(next);
            if code == next {
                bonus[a].push(terms.bonus[a]);
            }
            different[a] = terms.different[a];
            e.codes[a] = Some(code);
        }
        for (other, content) in neighbours {
            if let Some(i) = numbers.active.get(other) {
                e.links.push((*i, *content));
            } else if let Some(g) = numbers.fixed.get(&self.cluster_of(*other)) {
                e.fixed.push((*g, *content));
            }
        }
        e
    }

    fn fixed_group(
        &self,
        cluster: u32,
        local: &BTreeMap<u32, u32>,
        codes: &[BTreeMap<u32, u32>; ATTRIBUTES],
    ) -> Fixed {
        let mut f = Fixed {
            counts: std::array::from_fn(|a| vec![0; codes[a].len()]),
            ..Fixed::default()
        };
        let Some(c) = self.clusters.get(&cluster) else {
            return f;
        };
        f.members = c.size() as u32;
        for (a, codes) in codes.iter().enumerate() {
            f.present[a] = c.counts[a].iter().map(|v| v.1).sum();
            for (value, n) in &c.counts[a] {
                if let Some(code) = codes.get(value) {
                    f.counts[a][*code as usize] = *n;
                }
            }
        }
        // The active members are not fixed; at most a pass's worth of them.
        for m in local.keys().filter(|m| self.cluster_of(**m) == cluster) {
            let Some(s) = self.slot(*m) else { continue };
            f.members -= 1;
            for a in (0..ATTRIBUTES).filter(|&a| s.values[a] != 0) {
                f.present[a] -= 1;
                if let Some(code) = codes[a].get(&s.values[a]) {
                    f.counts[a][*code as usize] -= 1;
                }
            }
        }
        f
    }
}

fn outcomes(scope: &Scope, solution: &Solution) -> Vec<Outcome> {
    let mut by_label: BTreeMap<usize, Outcome> = BTreeMap::new();
    for (slot, label) in scope.active.iter().zip(&solution.active) {
        by_label.entry(*label).or_default().members.push(*slot);
    }
    for (cluster, label) in scope.fixed.iter().zip(&solution.fixed) {
        by_label.entry(*label).or_default().fixed.push(*cluster);
    }
    by_label.into_values().collect()
}
