//! How an intent comes to be: the triggers, their strength, and what may hold it back.
//!
//! - `deadline`: an event names a time that is still ahead. Strength: .5 said as a limit (.25 merely as a time), .2 for an
//!   obligation in the same event (or .3 of the strength of what it asks or promises), .03 for each further event of the
//!   concept (three at most), .15 when another event of the concept names the same time, and up to .2 as it comes near.
//!   Looked at again 72, 36 and 12 hours before.
//! - `recurrence`: trouble that a concept tells of again and again, beyond its own history (see `trouble`).
//! - `chain`: trouble that leads on from event to event, over concepts, and whose last event still tells of it.
//! - `burst`: density alone, and high. Density = (1 - e^(-mass/3)) x cohesion x unusualness x (1/2 + share of newest events
//!   with a goal cue).
//! - `request`, `commitment`, `decision`: what somebody asked, promised or left open (see `needs`).
//!
//! The numbers are first choices; feedback moves the thresholds, for each trigger apart.

use std::sync::Arc;

use super::deadline::time_due;
use super::engine::IntentEngine;
use super::lifecycle::{self, urgency};
use super::need::Need;
use super::state::Open;
use super::track::{Seen, Track};
use super::wording::{self, Trigger};
use crate::event::Ts;
use crate::graph::{
    Author, Body, EdgeKind, Graph, Intent, IntentStatus, NewNode, NodeId, NodeIx, NodeKind, Op, Plan,
    Resolved,
};

/// Evidence kept on an intent.
pub const MAX_EVIDENCE: usize = 8;
/// Stands for "no concept" among the open intents; the graph never gives this index.
pub const LONE: NodeIx = NodeIx(u32::MAX);
/// Edges of a time or an event that are read.
const MAX_EDGES_READ: usize = 64;
/// Events that must have come since a concept last spoke.
const NEW_SINCE: u32 = 3;
/// Unusualness under which density alone says nothing.
const BURST_UNUSUAL: f64 = 1.5;
/// Events of trouble under which nothing recurs.
const LEAST_TROUBLE: usize = 3;

/// What might become an intent.
pub struct Candidate {
    pub trigger: Trigger,
    pub concept: Option<NodeIx>,
    pub evidence: Vec<NodeIx>,
    pub deadline: Option<Ts>,
    pub strength: f32,
    pub usual_gap: Option<f64>,
    /// The event whose need this speaks for.
    pub need: Option<NodeIx>,
}

impl IntentEngine {
    /// Looks at a concept that got new evidence: a stated deadline first, then density.
    pub(super) fn consider(
        &mut self,
        graph: &Graph,
        now: Ts,
        concept: NodeIx,
        event: NodeIx,
    ) -> Option<Plan> {
        let track = self.state.track(concept)?;
        let live: Vec<Seen> = track
            .fresh()
            .filter(|s| graph.edge(s.ix(), concept, EdgeKind::Grounds).is_some())
            .copied()
            .collect();
        if let Some(plan) = self.stated(graph, now, concept, &live) {
            return Some(plan);
        }
        let trigger = |id: &str| self.state.open(id).and_then(|o| Trigger::of(&o.trigger));
        let speaking = self
            .state
            .open_of(concept)
            .into_iter()
            .find(|id| trigger(id).is_some_and(Trigger::is_dense));
        let track = self.state.track(concept)?;
        if let Some(id) = speaking {
            let usual = track.usual_gap();
            return self.add_evidence(graph, now, &id, event, usual);
        }
        let told = self.cues_of(graph, event).is_some_and(|c| c.signals.recurs);
        if (track.since_spoke < NEW_SINCE && !told) || self.cools(track.spoke, now) {
            return None;
        }
        let candidate = self.dense(graph, now, concept, event, track, &live)?;
        let plan = self.emit(graph, now, candidate)?;
        if let Some(track) = self.state.track_mut(concept) {
            (track.spoke, track.since_spoke) = (Some(now.0), 0);
        }
        Some(plan)
    }

    /// An open intent of the concept that rests on half of these events or more.
    fn says(&self, concept: NodeIx, evidence: &[NodeIx]) -> Option<Arc<str>> {
        self.state.open_of(concept).into_iter().find(|id| {
            let known = self.state.open(id);
            known.is_some_and(|o| {
                let both = evidence.iter().filter(|e| o.evidence.contains(&e.0)).count();
                both * 2 >= evidence.len().max(1)
            })
        })
    }

    /// An intent speaks for a need from now on.
    pub(super) fn speaks_for(&mut self, event: NodeIx, id: &Arc<str>) {
        if let Some(need) = self.state.need(event).cloned() {
            let spoken = Need {
                next: i64::MAX,
                intent: Some(id.to_string()),
                ..need
            };
            self.state.put_need(event, Some(spoken));
        }
    }

    /// What the concept's evidence gives: trouble that recurs, a chain of trouble, or mere density.
    fn dense(
        &self,
        graph: &Graph,
        now: Ts,
        concept: NodeIx,
        event: NodeIx,
        track: &Track,
        live: &[Seen],
    ) -> Option<Candidate> {
        let stated = self.cues_of(graph, event)?.signals.recurs.then_some(event);
        let enough = if stated.is_some() { 2 } else { 3 };
        if !live.iter().any(|s| s.ix() == event) || live.len() < enough || track.is_habit(&self.settings) {
            return None;
        }
        let of = |trigger, evidence, strength| Candidate {
            trigger,
            concept: Some(concept),
            evidence,
            deadline: None,
            strength,
            usual_gap: track.usual_gap(),
            need: None,
        };
        let (mut trouble, strength) = track.recurring(live, stated, now, &self.settings);
        if stated.is_some() && trouble.len() < LEAST_TROUBLE {
            // It tells of earlier ones without words of trouble: the newest of the concept stand for them.
            let newest = live.iter().rev().map(Seen::ix).filter(|ix| !trouble.contains(ix));
            let wanted: Vec<NodeIx> = newest.take(LEAST_TROUBLE - trouble.len()).collect();
            trouble.extend(wanted);
        }
        if (trouble.len() >= LEAST_TROUBLE || stated.is_some())
            && strength >= self.threshold(Trigger::Recurrence)
        {
            return Some(of(Trigger::Recurrence, trouble, strength));
        }
        let unusual = track.unusual(self.usual_rate(), &self.settings);
        if unusual < BURST_UNUSUAL {
            return None;
        }
        let newest = &live[live.len().saturating_sub(6)..];
        let goal = newest.iter().filter(|s| s.goal).count() as f64 / newest.len() as f64;
        let mass = 1.0 - (-track.mass_at(now, &self.settings) / 3.0).exp();
        let strength = (mass * cohesion(graph, concept, live) * unusual * (0.5 + goal)) as f32;
        let evidence = live.iter().rev().take(4).rev().map(Seen::ix).collect();
        Some(of(Trigger::Burst, evidence, strength))
    }

    /// Looks whether trouble has led up to this event of trouble. A chain that is told already takes the event as evidence.
    pub(super) fn consider_chain(&mut self, graph: &Graph, now: Ts, event: NodeIx) -> Option<Plan> {
        let (evidence, strength) = self.chain_of(graph, now, event)?;
        let concept = concept_of(graph, event);
        for at in evidence.iter().filter_map(|&e| concept_of(graph, e)) {
            let told = self.state.open_of(at).into_iter().find(|id| {
                let trigger = self.state.open(id).and_then(|o| Trigger::of(&o.trigger));
                trigger.is_some_and(Trigger::is_dense)
            });
            if let Some(id) = told {
                return self.add_evidence(graph, now, &id, event, None);
            }
        }
        let candidate = Candidate {
            trigger: Trigger::Chain,
            concept,
            evidence,
            deadline: None,
            strength,
            usual_gap: None,
            need: None,
        };
        self.emit(graph, now, candidate)
    }

    /// What a candidate of this trigger must reach now.
    pub(super) fn threshold(&self, trigger: Trigger) -> f32 {
        let category = trigger.category();
        let calibration = self.state.category(category);
        calibration.threshold(self.base(category), &self.settings)
    }

    fn cools(&self, spoke: Option<i64>, now: Ts) -> bool {
        spoke.is_some_and(|t| now.hours_since(Ts(t)) < self.settings.cooldown_hours)
    }

    /// Turns a candidate into the plan of an intent, unless something holds it back: too weak, too early in the
    /// space, too many pending, no allowance, or said before.
    pub(super) fn emit(&mut self, graph: &Graph, now: Ts, c: Candidate) -> Option<Plan> {
        let category = c.trigger.category();
        let threshold = self.threshold(c.trigger);
        let counters = &self.state.counters;
        if c.strength < threshold
            || counters.events < self.settings.min_events
            || (if c.trigger.is_stated() {
                counters.stated
            } else {
                counters.allowance
            }) < 1.0
            || self.state.pending_in(category) >= self.settings.max_pending
        {
            return None;
        }
        let evidence = by_time(graph, c.evidence);
        // One need, one intent: what rests on the same events for the most part is said already.
        if let Some(id) = c.concept.and_then(|at| self.says(at, &evidence)) {
            if let Some(event) = c.need {
                self.speaks_for(event, &id);
            }
            return None;
        }
        let ids: Vec<NodeId> = ids(graph, &evidence);
        let concept_id = c.concept.and_then(|x| graph.node(x)).map(|n| n.id.clone());
        let mut parts = vec![c.trigger.name(), concept_id.as_ref().map_or("", NodeId::as_str)];
        parts.extend(ids.iter().map(NodeId::as_str));
        let id = NodeId::derive(NodeKind::Intent, &self.space, &parts);
        if ids.is_empty() || graph.resolve(id.as_str()) != Resolved::Unknown {
            return None;
        }
        let words = wording::words(graph, c.trigger, c.concept, &evidence, c.deadline, c.usual_gap);
        let taught = c
            .concept
            .and_then(|x| self.state.track(x))
            .and_then(|t| t.taught(c.trigger))
            .cloned()
            .unwrap_or_default();
        let shown = taught.category.as_deref().unwrap_or(category);
        let urgency = urgency(c.deadline, now, &self.settings);
        let intent = Intent {
            category: shown.into(),
            trigger: c.trigger.name().into(),
            status: IntentStatus::Pending,
            seq: self.next_seq(),
            urgency,
            priority: taught
                .priority
                .unwrap_or_else(|| lifecycle::priority(c.strength, threshold, urgency)),
            density: c.strength,
            threshold,
            concepts: concept_id.iter().cloned().collect(),
            evidence: ids.clone(),
            deadline: c.deadline,
            reason: words.reason.as_str().into(),
            emitted_at: now,
            updated_at: now,
            deferred_until: None,
        };
        let counters = self.state.counters_mut();
        *(if c.trigger.is_stated() {
            &mut counters.stated
        } else {
            &mut counters.allowance
        }) -= 1.0;
        let open = Open {
            category: category.into(),
            trigger: c.trigger.name().into(),
            pending: true,
            concept: Some(c.concept.unwrap_or(LONE).0),
            deadline: c.deadline.map(|d| d.0),
            evidence: evidence.iter().map(|x| x.0).collect(),
            next: lifecycle::next_turn(&intent, now, &self.settings),
            priority_set: taught.priority.is_some(),
            title_set: taught.title.is_some(),
            unshown: 0,
            need: c.need.map(|x| x.0),
        };
        self.state.put_open(id.0.clone(), Some(open));
        if let Some(event) = c.need {
            self.speaks_for(event, &id.0);
        }
        let mut ops = vec![Op::AddNode(NewNode {
            id: id.clone(),
            title: taught.title.unwrap_or(words.title).into(),
            text: words.text.into(),
            time: evidence
                .iter()
                .filter_map(|&x| graph.node(x))
                .map(|n| n.time)
                .max()
                .unwrap_or(now),
            body: Body::Intent(Box::new(intent)),
        })];
        for source in concept_id.iter().chain(&ids) {
            ops.push(edge(source, &id, EdgeKind::Triggers));
        }
        let times = c
            .deadline
            .and_then(|d| evidence.iter().find_map(|&e| time_due(graph, e, d.0)));
        if let Some(time) = times.and_then(|t| graph.node(t)) {
            ops.push(edge(&time.id, &id, EdgeKind::DeadlineFor));
        }
        Some(Plan {
            by: Author::Intent,
            // Kept as long as the node, past any rewording: no word of an event may stand in it.
            reasoning: format!(
                "{}: strength {:.2}, threshold {threshold:.2}",
                c.trigger.name(),
                c.strength
            )
            .into(),
            grounded_in: ids,
            ops,
        })
    }
}

/// Mean weight of the membership of the newest events, over the weight that GROUNDS is made with: 1 is a tight concept.
fn cohesion(graph: &Graph, concept: NodeIx, live: &[Seen]) -> f64 {
    let weights: Vec<f64> = live
        .iter()
        .rev()
        .take(8)
        .filter_map(|s| graph.edge(s.ix(), concept, EdgeKind::Grounds))
        .map(|e| f64::from(e.weight))
        .collect();
    let mean = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
    (mean / f64::from(EdgeKind::Grounds.default_weight())).min(1.0)
}

/// The concept that an event grounds most, the older of equals.
pub(super) fn concept_of(graph: &Graph, event: NodeIx) -> Option<NodeIx> {
    let mut best: Option<(f32, NodeIx)> = None;
    for e in graph
        .out(event)
        .take(MAX_EDGES_READ)
        .filter(|e| e.kind == EdgeKind::Grounds)
    {
        let concept = graph.node(e.target).is_some_and(|n| n.kind == NodeKind::Concept);
        if concept && best.is_none_or(|(w, _)| e.weight > w) {
            best = Some((e.weight, e.target));
        }
    }
    best.map(|(_, ix)| ix)
}

/// Events by their time, then age; each once, the newest [`MAX_EVIDENCE`].
pub(super) fn by_time(graph: &Graph, mut events: Vec<NodeIx>) -> Vec<NodeIx> {
    events.sort_by_key(|&x| (graph.node(x).map(|n| n.time), x));
    events.dedup();
    let extra = events.len().saturating_sub(MAX_EVIDENCE);
    events.drain(..extra);
    events
}

pub(super) fn ids(graph: &Graph, events: &[NodeIx]) -> Vec<NodeId> {
    events
        .iter()
        .filter_map(|&x| graph.node(x))
        .map(|n| n.id.clone())
        .collect()
}

pub(super) fn edge(source: &NodeId, target: &NodeId, kind: EdgeKind) -> Op {
    Op::AddEdge {
        source: source.clone(),
        target: target.clone(),
        kind,
        weight: None,
        inferred: false,
    }
}
