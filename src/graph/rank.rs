//! Weighted PageRank, kept by local push.
//!
//! The score `x` solves `x = 1 + d P'x` (P' transposed): every node gives out 1 and passes on the share `d` of what it
//! holds, split by decayed edge weight; what a node without out-edges holds goes nowhere. Divided by its sum this
//! is PageRank with uniform teleport and dangling mass spread uniformly, but a new node changes nothing
//! elsewhere. All edges decay at one rate, so the shares of a node do not change as time passes.
//!
//! Kept is an estimate `p` and its residual `r = 1 + d P'p - p`. A push moves `r` of one node into `p` and passes
//! `d r` on (Andersen, Chung, Lang 2006); when out-edges of `u` change, `r` is corrected by `d p_u` times the
//! change of its shares, which keeps the equation exact. Bounds:
//! - when `|r_v| <= epsilon` for all v: `|x_v - p_v| <= epsilon x_v` for every node, since `x - p` is the sum of `d^k P'^k r`;
//! - always, with residual left over because the steps ran out: `sum |x - p| <= sum |r| / (1 - d)`.
//!
//! Serves readers alone: no plan and no digest depends on it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::model::NodeIx;
use super::net::{Link, Net};
use super::settings::Settings;
use crate::event::Ts;

/// Shares of a node's out-neighbours, by target; they sum to 1, or there are none.
type Row = Vec<(NodeIx, f64)>;

struct Cell {
    score: f64,
    residual: f64,
    queued: bool,
    /// Score as published; negative when never.
    shown: f64,
}

pub(super) struct Rank {
    damping: f64,
    epsilon: f64,
    publish: f64,
    per_hour: f64,
    steps: usize,
    steps_per_change: usize,
    cells: FxHashMap<NodeIx, Cell>,
    queue: VecDeque<NodeIx>,
    /// Nodes whose out-edges changed, with the shares that `r` still counts with.
    stale: BTreeMap<NodeIx, Row>,
    gone: Vec<NodeIx>,
    moved: BTreeSet<NodeIx>,
    total: f64,
    changes: usize,
}

impl Rank {
    pub fn new(s: &Settings) -> Rank {
        Rank {
            damping: finite(s.damping, 0.85).clamp(0.0, 0.99),
            epsilon: finite(s.rank_epsilon, 0.001).clamp(1e-9, 0.5),
            publish: finite(s.rank_publish, 0.01).clamp(0.0, 0.5),
            per_hour: finite(s.edge_decay_per_hour, 0.005).max(0.0),
            steps: s.rank_steps.max(1),
            steps_per_change: s.rank_steps_per_change,
            cells: FxHashMap::default(),
            queue: VecDeque::new(),
            stale: BTreeMap::new(),
            gone: Vec::new(),
            moved: BTreeSet::new(),
            total: 0.0,
            changes: 0,
        }
    }

    pub fn add(&mut self, ix: NodeIx) {
        self.cells.insert(
            ix,
            Cell {
                score: 0.0,
                residual: 1.0,
                queued: true,
                shown: -1.0,
            },
        );
        self.queue.push_back(ix);
        self.changes += 1;
    }

    /// The node is gone; its edges went before it, so its row is stale if it had any.
    pub fn remove(&mut self, ix: NodeIx) {
        self.gone.push(ix);
    }

    pub fn is_stale(&self, ix: NodeIx) -> bool {
        self.stale.contains_key(&ix)
    }

    /// Out-edges of `ix` changed for the first time since the last update; `before` is what they were.
    pub fn out_changed(&mut self, ix: NodeIx, before: Vec<Link>) {
        let row = shares(before, self.per_hour);
        self.stale.entry(ix).or_insert(row);
        self.changes += 1;
    }

    /// Accounts for what changed and pushes, within a number of edge visits that grows with the
    /// number of changes, not with the graph. Residual that is left stays queued for the next update.
    pub fn update(&mut self, net: &Net) {
        self.account(net);
        let budget = self
            .steps
            .saturating_add(self.changes.saturating_mul(self.steps_per_change));
        self.changes = 0;
        self.push(net, budget);
    }

    /// As [`Rank::update`], until no residual exceeds epsilon. O(edges x log(1/epsilon)), for restarts.
    pub fn settle(&mut self, net: &Net) {
        self.account(net);
        self.changes = 0;
        // Ends: each push takes at least (1 - d) epsilon off the sum of |r|.
        self.push(net, usize::MAX);
    }

    fn account(&mut self, net: &Net) {
        for (ix, before) in std::mem::take(&mut self.stale) {
            let Some(score) = self.cells.get(&ix).map(|c| c.score) else {
                continue;
            };
            if score == 0.0 {
                continue;
            }
            for (target, share) in before {
                self.receive(target, -self.damping * score * share);
            }
            for (target, share) in shares(net.links(ix).collect(), self.per_hour) {
                self.receive(target, self.damping * score * share);
            }
        }
        for ix in std::mem::take(&mut self.gone) {
            if let Some(cell) = self.cells.remove(&ix) {
                self.total -= cell.score;
            }
            self.moved.remove(&ix);
        }
    }

    fn receive(&mut self, ix: NodeIx, amount: f64) {
        if let Some(cell) = self.cells.get_mut(&ix) {
            cell.residual += amount;
            if !cell.queued && cell.residual.abs() > self.epsilon {
                cell.queued = true;
                self.queue.push_back(ix);
            }
        }
    }

    fn push(&mut self, net: &Net, mut budget: usize) {
        while budget > 0 {
            let Some(ix) = self.queue.pop_front() else {
                break;
            };
            let Some(cell) = self.cells.get_mut(&ix) else {
                continue;
            };
            cell.queued = false;
            let residual = cell.residual;
            if residual.abs() <= self.epsilon {
                continue;
            }
            cell.score += residual;
            cell.residual = 0.0;
            self.total += residual;
            self.moved.insert(ix);
            let row = shares(net.links(ix).collect(), self.per_hour);
            budget = budget.saturating_sub(1 + row.len());
            for (target, share) in row {
                self.receive(target, self.damping * residual * share);
            }
        }
    }

    /// Calls `show` with each score that moved far enough since it was last shown.
    pub fn publish(&mut self, mut show: impl FnMut(NodeIx, f64)) {
        for ix in std::mem::take(&mut self.moved) {
            let Some(cell) = self.cells.get_mut(&ix) else {
                continue;
            };
            if cell.shown < 0.0 || (cell.score - cell.shown).abs() > self.publish * cell.shown {
                cell.shown = cell.score.max(0.0);
                show(ix, cell.shown);
            }
        }
    }

    pub fn total(&self) -> f64 {
        self.total
    }

    /// Nodes whose residual waits for the next update.
    pub fn backlog(&self) -> usize {
        self.queue.len()
    }

    #[cfg(test)]
    pub fn score(&self, ix: NodeIx) -> f64 {
        self.cells.get(&ix).map_or(0.0, |c| c.score)
    }

    #[cfg(test)]
    pub fn residual_sum(&self) -> f64 {
        self.cells.values().map(|c| c.residual.abs()).sum()
    }
}

fn finite(x: f64, otherwise: f64) -> f64 {
    if x.is_finite() { x } else { otherwise }
}

/// How a node splits what it passes on: by weight, each decayed from its own last reinforcement.
/// Relative to the newest link, so that nothing underflows but what no longer counts.
pub(super) fn shares(mut links: Vec<Link>, per_hour: f64) -> Row {
    let Some(newest) = links.iter().map(|l| l.at).max() else {
        return Vec::new();
    };
    // Sums of floats depend on their order; petgraph's is that of insertion.
    links.sort_unstable_by_key(|l| (l.target, l.kind));
    let mut row: Row = Vec::with_capacity(links.len());
    let mut sum = 0.0;
    for link in links {
        let hours = newest.0.saturating_sub(link.at.0) as f64 / Ts::HOUR as f64;
        let mass = f64::from(link.weight) * (-per_hour * hours).exp();
        sum += mass;
        match row.last_mut() {
            Some((target, m)) if *target == link.target => *m += mass,
            _ => row.push((link.target, mass)),
        }
    }
    if sum <= 0.0 {
        return Vec::new();
    }
    for (_, mass) in &mut row {
        *mass /= sum;
    }
    row
}
