//! Correlation clustering of a bounded set of events: local moves and merges.
//!
//! The problem is self-contained: active events with their known content logits, fixed groups
//! that they may join, and attribute terms by counts. Unknown pairs count as the floor, but a
//! group of more than `voices` members speaks with as many as are known, at least `voices`: so a
//! large group is judged by the neighbours an event has in it, and small ones by all members.
//! Labels below the number of fixed groups mean those groups. Deterministic.
//!
//! Where the floor and the best attributes together stay below the threshold, an event gains
//! nothing from a group in which it knows nobody, so only groups with known pairs are looked at.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::ATTRIBUTES;

/// Steps of one in the fixed-point sums: moving an event back and forth leaves no trace.
const STEPS: f32 = 65_536.0;
/// Gains below this are none.
const EPSILON: f32 = 1e-6;

/// A group that the active events may join but whose own members stay.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    pub members: u32,
    /// Members by local attribute code.
    pub counts: [Vec<u32>; ATTRIBUTES],
    /// Members that have the attribute at all.
    pub present: [u32; ATTRIBUTES],
}

/// An event that may move.
#[derive(Clone, Debug, Default)]
pub(super) struct Active {
    /// (other active event, content logit), both ways.
    pub links: Vec<(u32, f32)>,
    /// (fixed group, content logit of one of its members).
    pub fixed: Vec<(u32, f32)>,
    /// Local code of each attribute; `None` when absent.
    pub codes: [Option<u32>; ATTRIBUTES],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub active: Vec<Active>,
    pub fixed: Vec<Fixed>,
    /// What an equal value adds beyond a different one, by attribute and code.
    pub bonus: [Vec<f32>; ATTRIBUTES],
    pub different: [f32; ATTRIBUTES],
    pub floor: f32,
    pub theta: f32,
    pub voices: u32,
    pub crowd: f32,
    /// What two single events must agree by beyond the threshold.
    pub birth: f32,
    pub rounds: u32,
}

/// Known pairs of one event with one group: how many and their sum.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    count: i32,
    sum: i64,
    /// The group stands in the event's list of near groups.
    near: bool,
}

/// One group while the search runs.
#[derive(Clone, Debug, Default)]
struct Group {
    members: u32,
    counts: [Vec<u32>; ATTRIBUTES],
    present: [u32; ATTRIBUTES],
}

/// What a large group must make up for: the nearest of many members are near by chance.
pub(super) fn crowd(weight: f32, members: u32, voices: u32) -> f32 {
    weight * (members as f32 / voices.max(1) as f32).max(1.0).ln()
}

/// Where everything went.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    /// Label of each active event.
    pub active: Vec<usize>,
    /// Label of each fixed group; its own unless it merged into another.
    pub fixed: Vec<usize>,
}

struct Search<'a> {
    p: &'a Problem,
    label: Vec<usize>,
    home: Vec<usize>,
    groups: Vec<Group>,
    /// Events times groups.
    known: Vec<Known>,
    /// For each event the groups with which it had known pairs at some time, ascending.
    near: Vec<Vec<u32>>,
    /// All groups, for a problem in which strangers may meet.
    every: Vec<u32>,
    strangers: bool,
}

impl Problem {
    /// The better of two searches, from `start` (labels by active event) and from single events.
    pub fn solve(&self, start: &[usize]) -> Solution {
        let f = self.fixed.len();
        let singles: Vec<usize> = (0..self.active.len()).map(|i| f + i).collect();
        let mut kept = Search::new(self, start);
        kept.run();
        let mut fresh = Search::new(self, &singles);
        fresh.run();
        let best = if fresh.worth() > kept.worth() + 1e-3 {
            fresh
        } else {
            kept
        };
        Solution {
            active: best.label,
            fixed: best.home,
        }
    }

    /// Whether an event may gain from a group of which it knows no member.
    fn strangers_meet(&self) -> bool {
        let best = |a: usize| {
            let top = self.bonus[a].iter().fold(0f32, |m, b| m.max(*b));
            (self.different[a] + top).max(0.0)
        };
        self.floor + (0..ATTRIBUTES).map(best).sum::<f32>() > self.theta
    }

    fn mean(&self, known: Known, members: u32) -> f32 {
        let voices = members.min(self.voices).max(known.count as u32).max(1);
        let missing = voices as i32 - known.count;
        let mean = (known.sum as f32 / STEPS + missing as f32 * self.floor) / voices as f32;
        mean - crowd(self.crowd, members, self.voices)
    }
}

impl<'a> Search<'a> {
    fn new(p: &'a Problem, start: &[usize]) -> Self {
        let width = p.fixed.len() + p.active.len() + 1;
        let group = |i: usize| match p.fixed.get(i) {
            Some(f) => Group {
                members: f.members,
                counts: f.counts.clone(),
                present: f.present,
            },
            None => Group {
                members: 0,
                counts: std::array::from_fn(|a| vec![0; p.bonus[a].len()]),
                present: [0; ATTRIBUTES],
            },
        };
        let mut s = Self {
            p,
            label: start.to_vec(),
            home: (0..p.fixed.len()).collect(),
            groups: (0..width).map(group).collect(),
            known: vec![Known::default(); width * p.active.len()],
            near: vec![Vec::new(); p.active.len()],
            every: (0..width as u32).collect(),
            strangers: p.strangers_meet(),
        };
        for (i, group) in start.iter().enumerate() {
            s.count(i, *group, 1);
            for &(g, content) in &p.active[i].fixed {
                s.note(i, g as usize, content, 1);
            }
        }
        s
    }

    fn width(&self) -> usize {
        self.groups.len()
    }

    fn note(&mut self, i: usize, group: usize, content: f32, sign: i32) {
        let at = i * self.width() + group;
        let known = &mut self.known[at];
        known.count += sign;
        known.sum += i64::from(sign) * (content * STEPS).round() as i64;
        self.list(i, group);
    }

    fn list(&mut self, i: usize, group: usize) {
        let at = i * self.width() + group;
        if !self.known[at].near {
            self.known[at].near = true;
            let to = self.near[i].partition_point(|g| (*g as usize) < group);
            self.near[i].insert(to, group as u32);
        }
    }

    /// Groups from which event `i` may gain, ascending.
    fn groups_of(&self, i: usize) -> &[u32] {
        if self.strangers {
            &self.every
        } else {
            &self.near[i]
        }
    }

    /// Counts event `i` in (or out of) a group, also in what its neighbours know.
    fn count(&mut self, i: usize, group: usize, sign: i32) {
        let p = self.p;
        let g = &mut self.groups[group];
        g.members = g.members.wrapping_add_signed(sign);
        for a in 0..ATTRIBUTES {
            if let Some(c) = p.active[i].codes[a] {
                let n = &mut g.counts[a][c as usize];
                *n = n.wrapping_add_signed(sign);
                g.present[a] = g.present[a].wrapping_add_signed(sign);
            }
        }
        for &(j, content) in &p.active[i].links {
            self.note(j as usize, group, content, sign);
        }
    }

    fn shift(&mut self, i: usize, to: usize) {
        let from = self.label[i];
        self.count(i, from, -1);
        self.count(i, to, 1);
        self.label[i] = to;
    }

    fn attributes(&self, i: usize, g: &Group) -> f32 {
        let mut sum = 0.0;
        for a in 0..ATTRIBUTES {
            if let Some(c) = self.p.active[i].codes[a] {
                sum += g.present[a] as f32 * self.p.different[a]
                    + g.counts[a][c as usize] as f32 * self.p.bonus[a][c as usize];
            }
        }
        sum
    }

    /// What event `i` gains from being with a group of which it is no member.
    fn gain(&self, i: usize, group: usize) -> f32 {
        let g = &self.groups[group];
        if g.members == 0 {
            return 0.0;
        }
        let mean = self.p.mean(self.known[i * self.width() + group], g.members);
        let birth = if g.members == 1 { self.p.birth } else { 0.0 };
        g.members as f32 * (mean - self.p.theta) + self.attributes(i, g) - birth
    }

    fn run(&mut self) {
        for _ in 0..self.p.rounds {
            let before = self.label.clone();
            self.moves();
            self.merges();
            if before == self.label {
                break;
            }
        }
    }

    fn moves(&mut self) {
        for i in 0..self.label.len() {
            let own = self.label[i];
            // Out of its own group, so that `gain` sees the others only.
            self.count(i, own, -1);
            let stay = self.gain(i, own);
            let empty = (self.p.fixed.len()..self.width()).find(|&g| self.groups[g].members == 0);
            let (mut best, mut top) = (own, stay);
            for g in self.groups_of(i).iter().map(|g| *g as usize) {
                if self.groups[g].members == 0 {
                    continue;
                }
                let gain = self.gain(i, g);
                if gain > top + EPSILON {
                    (best, top) = (g, gain);
                }
            }
            if let Some(e) = empty
                && self.groups[own].members > 0
                && 0.0 > top + EPSILON
            {
                best = e;
            }
            self.count(i, best, 1);
            self.label[i] = best;
        }
    }

    /// While some two groups have a positive mean between them, the pair with the largest merges.
    fn merges(&mut self) {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.width()];
        for (i, g) in self.label.iter().enumerate() {
            members[*g].push(i as u32);
        }
        let mut means: BTreeMap<(u32, u32), f32> = BTreeMap::new();
        for (a, b) in self.pairs() {
            means.insert((a, b), self.between(&members, a as usize, b as usize));
        }
        loop {
            let mut best: Option<(f32, (u32, u32))> = None;
            for (pair, mean) in &means {
                if *mean > EPSILON && best.is_none_or(|m| *mean > m.0) {
                    best = Some((*mean, *pair));
                }
            }
            let Some((_, (a, b))) = best else { return };
            let mut others: BTreeSet<u32> = BTreeSet::new();
            means.retain(|&(x, y), _| {
                let touched = [x, y].iter().any(|g| *g == a || *g == b);
                if touched {
                    others.extend([x, y].iter().filter(|g| **g != a && **g != b));
                }
                !touched
            });
            self.join(a as usize, b as usize);
            let moved = std::mem::take(&mut members[b as usize]);
            members[a as usize].extend(moved);
            for o in others {
                let pair = (a.min(o), a.max(o));
                means.insert(pair, self.between(&members, pair.0 as usize, pair.1 as usize));
            }
        }
    }

    /// Pairs of groups, lower number first, of which one holds an event that may gain from the other.
    fn pairs(&self) -> BTreeSet<(u32, u32)> {
        let live = |g: u32| self.groups[g as usize].members > 0;
        let mut out = BTreeSet::new();
        for (i, own) in self.label.iter().enumerate() {
            let own = *own as u32;
            for &g in self.groups_of(i).iter().filter(|g| **g != own && live(**g)) {
                let known = self.known[i * self.width() + g as usize].count > 0;
                if known || self.strangers {
                    out.insert((own.min(g), own.max(g)));
                }
            }
        }
        out
    }

    /// Moves all of group `b` into `a`; a fixed `b` becomes part of `a`.
    fn join(&mut self, a: usize, b: usize) {
        for i in 0..self.label.len() {
            if self.label[i] == b {
                self.shift(i, a);
            }
        }
        let rest = std::mem::take(&mut self.groups[b]);
        if rest.members > 0 {
            let width = self.width();
            for i in 0..self.label.len() {
                let from = &mut self.known[i * width + b];
                let (count, sum) = (std::mem::take(&mut from.count), std::mem::take(&mut from.sum));
                if count > 0 {
                    self.known[i * width + a].count += count;
                    self.known[i * width + a].sum += sum;
                    self.list(i, a);
                }
            }
            let g = &mut self.groups[a];
            g.members += rest.members;
            for x in 0..ATTRIBUTES {
                g.present[x] += rest.present[x];
                g.counts[x]
                    .iter_mut()
                    .zip(&rest.counts[x])
                    .for_each(|(n, m)| *n += m);
            }
        }
        self.groups[b] = Group {
            counts: std::array::from_fn(|x| vec![0; self.p.bonus[x].len()]),
            ..Group::default()
        };
        self.home.iter_mut().filter(|h| **h == b).for_each(|h| *h = a);
    }

    fn voice(&self, i: usize, g: usize) -> (f32, f32) {
        let known = self.known[i * self.width() + g];
        let members = self.groups[g].members;
        let voices = members.min(self.p.voices).max(known.count as u32).max(1) as f32;
        (voices, self.p.mean(known, members) * voices)
    }

    /// Mean of w over the pairs of two groups.
    fn between(&self, members: &[Vec<u32>], a: usize, b: usize) -> f32 {
        let (mut voices, mut sum) = (0.0, 0.0);
        for (from, to) in [(a, b), (b, a)] {
            for i in &members[from] {
                let voice = self.voice(*i as usize, to);
                voices += voice.0;
                sum += voice.1;
            }
        }
        if voices == 0.0 {
            // Two fixed groups without active events: nothing was looked at.
            return f32::NEG_INFINITY;
        }
        let (ga, gb) = (&self.groups[a], &self.groups[b]);
        // Two large groups do not merge on the word of a few: voices that are missing count as the floor.
        let speakers = |g: &Group| g.members.min(self.p.voices) as f32;
        let missing = (2.0 * speakers(ga) * speakers(gb) - voices).max(0.0);
        let content = (sum + missing * self.p.floor) / (voices + missing);
        let mut attributes = 0.0;
        for x in 0..ATTRIBUTES {
            attributes += ga.present[x] as f32 * gb.present[x] as f32 * self.p.different[x];
            for ((n, m), bonus) in ga.counts[x].iter().zip(&gb.counts[x]).zip(&self.p.bonus[x]) {
                attributes += (n * m) as f32 * bonus;
            }
        }
        let birth = if ga.members + gb.members == 2 {
            self.p.birth
        } else {
            0.0
        };
        content - self.p.theta - birth + attributes / (ga.members as f32 * gb.members as f32)
    }

    fn worth(&self) -> f32 {
        let mut sum = 0.0;
        for i in 0..self.label.len() {
            let own = self.label[i];
            let members = self.groups[own].members - 1;
            if members == 0 {
                continue;
            }
            let mut attributes = self.attributes(i, &self.groups[own]);
            for a in 0..ATTRIBUTES {
                if let Some(c) = self.p.active[i].codes[a] {
                    attributes -= self.p.different[a] + self.p.bonus[a][c as usize];
                }
            }
            let mean = self.p.mean(self.known[i * self.width() + own], members);
            sum += members as f32 * (mean - self.p.theta) + attributes;
            if own >= self.p.fixed.len() {
                // Each pair counts twice here, so does what a group costs; its members share it.
                sum -= 2.0 * self.p.birth / (members + 1) as f32;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs known: `w` is the content logit.
    fn problem(n: usize, w: impl Fn(usize, usize) -> f32) -> Problem {
        let active = (0..n)
            .map(|i| Active {
                links: (0..n).filter(|&j| j != i).map(|j| (j as u32, w(i, j))).collect(),
                ..Active::default()
            })
            .collect();
        Problem {
            active,
            floor: -3.4,
            theta: -2.0,
            voices: 12,
            rounds: 8,
            ..Problem::default()
        }
    }

    #[test]
    fn finds_planted_groups_from_any_start() {
        let p = problem(12, |i, j| if i % 3 == j % 3 { 0.0 } else { -4.0 });
        for start in [vec![0; 12], (0..12).collect(), (0..12).map(|i| i / 4).collect()] {
            let s = p.solve(&start);
            for i in 0..12 {
                for j in 0..12 {
                    assert_eq!(s.active[i] == s.active[j], i % 3 == j % 3, "{s:?}");
                }
            }
        }
    }

    #[test]
    fn joins_fixed_groups_and_merges_them_through_active_events() {
        let mut p = problem(3, |_, _| 1.0);
        p.fixed = vec![
            Fixed {
                members: 4,
                ..Fixed::default()
            },
            Fixed {
                members: 3,
                ..Fixed::default()
            },
        ];
        for a in &mut p.active {
            a.fixed = [0, 0, 0, 0, 1, 1, 1].iter().map(|g| (*g, 3.5)).collect();
        }
        let s = p.solve(&[2, 3, 4]);
        assert_eq!(s.fixed, vec![0, 0]);
        assert_eq!(s.active, vec![0, 0, 0]);
    }

    #[test]
    fn one_event_does_not_merge_two_large_groups() {
        let mut p = problem(1, |_, _| 0.0);
        p.fixed = vec![
            Fixed {
                members: 300,
                ..Fixed::default()
            },
            Fixed {
                members: 200,
                ..Fixed::default()
            },
        ];
        p.active[0].fixed = (0..12).map(|i| (i % 2, 3.0)).collect();
        assert_eq!(p.solve(&[0]).fixed, vec![0, 1]);
    }

    #[test]
    fn a_large_group_is_judged_by_the_neighbours_known_in_it() {
        let mut p = problem(1, |_, _| 0.0);
        p.fixed = vec![Fixed {
            members: 500,
            ..Fixed::default()
        }];
        p.active[0].fixed = vec![(0, 0.5); 12];
        assert_eq!(p.solve(&[1]).active, vec![0]);
        p.active[0].fixed.truncate(3);
        assert_eq!(p.solve(&[0]).active, vec![1]);
    }

    #[test]
    fn equal_values_tip_the_balance() {
        let mut p = problem(4, |_, _| -2.5);
        p.bonus[0] = vec![2.0, 2.0];
        p.different[0] = -1.0;
        for (i, a) in p.active.iter_mut().enumerate() {
            a.codes[0] = Some(i as u32 % 2);
        }
        let s = p.solve(&[0, 1, 2, 3]);
        assert_eq!(
            (s.active[0] == s.active[2], s.active[0] == s.active[1]),
            (true, false)
        );
    }
}
