//! Proactive context: the window nobody asked for.
//!
//! What an agent should have in mind now: open intents with the events that agree with them come first, then what is fresh or
//! due, then what the space is about. `Score(v) = [alpha PR(v) + beta exp(-l dt) + gamma Acc(v)] U(v)` (DESIGN, section 5).
//! Candidates come from bounded lists that the view keeps in order; nothing scans the graph.
//! Knows `graph`. Must not know text, queries, disk or clocks.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::event::Ts;
use crate::graph::{Body, EdgeKind, GraphView, Node, NodeIx, NodeKind};

#[cfg(test)]
mod tests;

/// Numbers of the context window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Weight of rank, recency and access in the score (DEFAULTS: .4, .4, .2).
    pub alpha: f32,
    pub beta: f32,
    pub gamma: f32,
    /// Nodes that score less are left out (DEFAULTS: .01).
    pub floor: f32,
    /// Exponential decay of recency, per hour since last touched (DEFAULTS: .01).
    pub decay_per_hour: f64,
    /// Urgency multiplier at a deadline (DEFAULTS: 2.0).
    pub urgency_max: f32,
    /// Hours before a deadline in which urgency rises from 1, linearly (DEFAULTS: 24).
    pub urgency_hours: f64,
    /// Shares of the window (DEFAULTS: .1, .3, .5). What they leave is for open intents and what agrees with them.
    pub immediate: f32,
    pub working: f32,
    pub background: f32,
    /// Most nodes of a window, whatever is asked for.
    pub max_nodes: usize,
    /// Candidates looked at, as a multiple of the window, from each of the two long lists (recent, top ranked).
    pub candidates: usize,
    /// Most deadlines looked at.
    pub max_deadlines: usize,
    /// Most open intents looked at, newest first.
    pub max_intents: usize,
    /// Most events that agree with one intent, newest first.
    pub congruent: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            alpha: 0.4,
            beta: 0.4,
            gamma: 0.2,
            floor: 0.01,
            decay_per_hour: 0.01,
            urgency_max: 2.0,
            urgency_hours: 24.0,
            immediate: 0.1,
            working: 0.3,
            background: 0.5,
            max_nodes: 1_000,
            candidates: 2,
            max_deadlines: 64,
            max_intents: 32,
            congruent: 4,
        }
    }
}

/// A node of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub ix: NodeIx,
    /// `Score(v)`; comparable between tiers, though each tier has an order of its own.
    pub score: f32,
}

/// The window: each node stands in one tier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Open intents and what agrees with them, then the freshest and most urgent.
    pub immediate: Vec<Scored>,
    /// Well connected, recent, and rather intents and concepts than single events.
    pub working: Vec<Scored>,
    /// What the space is about, over different concepts.
    pub background: Vec<Scored>,
}

impl Window {
    pub fn len(&self) -> usize {
        self.immediate.len() + self.working.len() + self.background.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What the formulas use of one candidate; each part is 0 to 1.
#[derive(Clone, Copy)]
struct Parts {
    ix: NodeIx,
    rank: f32,
    recency: f32,
    /// 0 with no deadline near, 1 at one.
    urgency: f32,
    kind: f32,
    score: f32,
    /// The concept it belongs to, or itself: what diversity counts.
    group: NodeIx,
}

/// Assembles the window at `now`: at most `max_nodes` nodes (and at most the setting of that name).
/// Cost: O(m log n) for a window of m nodes and a graph of n; some hundred lookups by default.
pub fn assemble(view: &GraphView, now: Ts, max_nodes: usize, settings: &Settings) -> Window {
    let size = max_nodes.min(settings.max_nodes);
    if size == 0 {
        return Window::default();
    }
    let urgent = urgencies(view, now, settings);
    let led = led_by_intents(view, &urgent, settings);
    let mut candidates: Vec<NodeIx> = led.clone();
    candidates.extend(urgent.keys());
    let each = size.saturating_mul(settings.candidates.max(1));
    candidates.extend(view.recent(each));
    candidates.extend(view.top_ranked(each));
    candidates.sort_unstable();
    candidates.dedup();
    let mut pool = parts(view, now, &candidates, &urgent, settings);

    // Shares of the whole; at least one node at the front, and never more than was asked for.
    let share = |part: f32| (size as f32 * part.clamp(0.0, 1.0)).round() as usize;
    let front = share(settings.immediate).max(1);
    let (middle, back) = (share(settings.working), share(settings.background));
    let spare = size.saturating_sub(front + middle + back);

    let mut window = Window::default();
    for ix in led {
        if window.immediate.len() >= spare.max(1) {
            break;
        }
        // What intents lead to enters by right: the floor does not apply to it.
        if let Some(at) = pool.iter().position(|p| p.ix == ix) {
            let p = pool.swap_remove(at);
            window.immediate.push(Scored { ix, score: p.score });
        }
    }
    pool.retain(|p| p.score >= settings.floor);
    let mut left = size - window.immediate.len();
    let mut fill =
        |tier: &mut Vec<Scored>, pool: &mut Vec<Parts>, want: usize, value: &dyn Fn(&Parts) -> f32| {
            let taken = take_best(pool, want.min(left), value);
            left -= taken.len();
            tier.extend(taken);
        };
    fill(&mut window.immediate, &mut pool, front, &|p| {
        0.7 * p.recency + 0.3 * p.urgency
    });
    fill(&mut window.working, &mut pool, middle, &|p| {
        0.5 * p.rank + 0.3 * p.recency + 0.2 * p.kind
    });
    window.background = take_diverse(pool, back.min(left));
    window
}

/// Urgency of deadlines ahead and of what they are deadlines for; the sooner one counts.
fn urgencies(view: &GraphView, now: Ts, s: &Settings) -> BTreeMap<NodeIx, f32> {
    let mut urgent: BTreeMap<NodeIx, f32> = BTreeMap::new();
    let span = s.urgency_hours.clamp(0.0, 24.0 * 366.0);
    let until = Ts(now.0.saturating_add((span * Ts::HOUR as f64) as i64));
    let mut note = |ix: NodeIx, deadline: Ts| {
        let value = urgency(now, deadline, span);
        if value > 0.0 {
            let entry = urgent.entry(ix).or_insert(value);
            *entry = entry.max(value);
        }
    };
    for time in view.deadlines(now, until).take(s.max_deadlines) {
        let Some(Body::Time(anchor)) = view.node(time).map(|n| &n.body) else {
            continue;
        };
        note(time, anchor.end);
        for edge in view
            .out(time)
            .filter(|e| e.kind == EdgeKind::DeadlineFor)
            .take(s.max_deadlines)
        {
            note(edge.target, anchor.end);
        }
    }
    for intent in view.open_intents().take(s.max_intents) {
        if let Some(Body::Intent(i)) = view.node(intent).map(|n| &n.body)
            && let Some(deadline) = i.deadline
        {
            note(intent, deadline);
        }
    }
    urgent
}

/// 0 at `span` hours before the deadline, 1 at it, linear between; 0 after it.
fn urgency(now: Ts, deadline: Ts, span: f64) -> f32 {
    let left = deadline.0.saturating_sub(now.0) as f64 / Ts::HOUR as f64;
    if left < 0.0 || left > span || span <= 0.0 {
        0.0
    } else {
        (1.0 - left / span) as f32
    }
}

/// Open intents, most urgent first, each followed by the events that agree with it: its own grounds, then the newest of its concepts.
fn led_by_intents(view: &GraphView, urgent: &BTreeMap<NodeIx, f32>, s: &Settings) -> Vec<NodeIx> {
    let mut intents: Vec<(f32, NodeIx)> = Vec::new();
    for ix in view.open_intents().take(s.max_intents) {
        if let Some(Body::Intent(i)) = view.node(ix).map(|n| &n.body) {
            let own = i.urgency.max(urgent.get(&ix).copied().unwrap_or(0.0));
            intents.push((own, ix));
        }
    }
    // Newest first among equally urgent ones.
    intents.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let mut led = Vec::new();
    for (_, intent) in intents {
        led.push(intent);
        let mut events: Vec<NodeIx> = Vec::new();
        let mut concepts = Vec::new();
        for edge in view.incoming(intent).rev().take(4 * s.congruent) {
            match view.node(edge.source).map(|n| n.kind) {
                Some(NodeKind::Event) => events.push(edge.source),
                Some(NodeKind::Concept) => concepts.push(edge.source),
                _ => (),
            }
        }
        for concept in concepts.into_iter().take(s.congruent) {
            let members = view.incoming(concept).rev().take(s.congruent);
            events.extend(members.filter(|e| e.kind.is_membership()).map(|e| e.source));
        }
        let mut taken = 0;
        for event in events {
            if taken < s.congruent && !led.contains(&event) {
                led.push(event);
                taken += 1;
            }
        }
    }
    led
}

fn parts(
    view: &GraphView,
    now: Ts,
    candidates: &[NodeIx],
    urgent: &BTreeMap<NodeIx, f32>,
    s: &Settings,
) -> Vec<Parts> {
    let nodes: Vec<(NodeIx, &Node)> = candidates
        .iter()
        .filter_map(|ix| Some((*ix, view.node(*ix)?)))
        .filter(|(_, n)| !n.archived)
        .collect();
    // Rank is a share of the whole and shrinks as the graph grows; access is open-ended. Both count relative to the best here.
    let best_rank = nodes.iter().map(|(ix, _)| view.rank(*ix)).fold(0.0, f64::max);
    let access = |n: &Node| f64::from(n.access).ln_1p();
    let best_access = nodes.iter().map(|(_, n)| access(n)).fold(0.0, f64::max);
    let relative = |value: f64, best: f64| {
        if best > 0.0 { (value / best) as f32 } else { 0.0 }
    };
    nodes
        .iter()
        .map(|(ix, n)| {
            let rank = relative(view.rank(*ix), best_rank);
            let hours = now.0.saturating_sub(n.touched.0).max(0) as f64 / Ts::HOUR as f64;
            let recency = (-s.decay_per_hour.max(0.0) * hours).exp() as f32;
            let urgency = urgent.get(ix).copied().unwrap_or(0.0);
            let base = s.alpha * rank + s.beta * recency + s.gamma * relative(access(n), best_access);
            Parts {
                ix: *ix,
                rank,
                recency,
                urgency,
                kind: kind_weight(n.kind),
                score: base * (1.0 + (s.urgency_max - 1.0).max(0.0) * urgency),
                group: group(view, *ix),
            }
        })
        .collect()
}

/// How much a type of node says at once; own choice, in the order of abstraction.
fn kind_weight(kind: NodeKind) -> f32 {
    match kind {
        NodeKind::Intent => 1.0,
        NodeKind::Concept => 0.8,
        NodeKind::Time => 0.5,
        NodeKind::Event => 0.3,
    }
}

/// The first concept that a node is a member or part of; else itself.
fn group(view: &GraphView, ix: NodeIx) -> NodeIx {
    let part = |k: EdgeKind| k.is_membership() || k == EdgeKind::PartOf;
    let is_concept = |ix: NodeIx| view.node(ix).is_some_and(|n| n.kind == NodeKind::Concept);
    // A few edges tell; a node with hundreds is a hub and its own group.
    view.out(ix)
        .take(16)
        .find(|e| part(e.kind) && is_concept(e.target))
        .map_or(ix, |e| e.target)
}

fn take_best(pool: &mut Vec<Parts>, want: usize, value: &dyn Fn(&Parts) -> f32) -> Vec<Scored> {
    // The newer node first among equals.
    pool.sort_by(|a, b| value(b).total_cmp(&value(a)).then(b.ix.cmp(&a.ix)));
    let n = want.min(pool.len());
    pool.drain(..n)
        .map(|p| Scored {
            ix: p.ix,
            score: p.score,
        })
        .collect()
}

/// Best first by .8 rank + .2 diversity, which falls with each node of the same group that was taken.
fn take_diverse(mut pool: Vec<Parts>, want: usize) -> Vec<Scored> {
    let mut seen: FxHashMap<NodeIx, u32> = FxHashMap::default();
    let mut taken = Vec::new();
    pool.sort_by(|a, b| b.rank.total_cmp(&a.rank).then(b.ix.cmp(&a.ix)));
    while taken.len() < want {
        let value = |p: &Parts| 0.8 * p.rank + 0.2 / (1.0 + seen.get(&p.group).copied().unwrap_or(0) as f32);
        // The first of the best: pool order decides between equals.
        let mut best: Option<(usize, f32)> = None;
        for (at, p) in pool.iter().enumerate() {
            let v = value(p);
            if best.is_none_or(|(_, b)| v > b) {
                best = Some((at, v));
            }
            // No later node has more rank, so none can beat what is found.
            if best.is_some_and(|(_, b)| b >= 0.8 * p.rank + 0.2) {
                break;
            }
        }
        let Some((at, _)) = best else { break };
        let p = pool.remove(at);
        *seen.entry(p.group).or_insert(0) += 1;
        taken.push(Scored {
            ix: p.ix,
            score: p.score,
        });
    }
    taken
}
