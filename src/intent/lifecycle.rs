//! What becomes of an intent: more evidence, urgency, being met, expiring, losing its grounds.
//!
//! Every change keeps the node and takes the next position in the space's intent log. Closed intents stay closed.

use std::sync::Arc;

use super::Settings;
use super::cues::IntentCues;
use super::emerge::{LONE, MAX_EVIDENCE, by_time, edge, ids};
use super::engine::{IntentEngine, intent_of};
use super::state::Open;
use super::wording::{self, Trigger};
use crate::event::Ts;
use crate::graph::{
    Author, Body, EdgeKind, Graph, Intent, IntentStatus, Node, NodeId, NodeIx, NodePatch, Op, Plan,
};

/// Words that an event which says "done" must share with an evidence event of its concept, and rare ones among them
/// when it only says that something came to an end.
const SHARED_WORDS: usize = 2;
/// Change of urgency that is worth telling.
const URGENCY_STEP: f32 = 0.1;
/// Members of a concept read to see whether an erasure leaves any.
const MAX_EDGES_READ: usize = 64;

/// Whether an intent may go from one status to another. Closed ones never change; a repeat is no change.
pub fn may(from: IntentStatus, to: IntentStatus) -> bool {
    use IntentStatus::{ActionScheduled, Deferred, Pending};
    match (from, to) {
        (Pending, Pending) | (ActionScheduled, ActionScheduled) => false,
        // A scheduled action is not unscheduled by itself.
        (ActionScheduled, Pending) => false,
        // Deferring again moves the time.
        (Pending | ActionScheduled | Deferred, _) => true,
        _ => false,
    }
}

/// 0 to 1: .2 without a deadline or far from it, .4 when it is near, then rising linearly to 1 at the deadline.
pub fn urgency(deadline: Option<Ts>, now: Ts, s: &Settings) -> f32 {
    let Some(hours) = deadline.map(|d| d.hours_since(now)) else {
        return 0.2;
    };
    if hours <= s.urgent_hours {
        (1.0 - 0.5 * hours.max(0.0) / s.urgent_hours.max(1e-9)) as f32
    } else if hours <= s.near_hours {
        0.4
    } else {
        0.2
    }
}

/// 0 to 1: half from how far the evidence is beyond the threshold, half from urgency.
pub fn priority(strength: f32, threshold: f32, urgency: f32) -> f32 {
    let margin = (strength / (2.0 * threshold.max(1e-6))).clamp(0.0, 1.0);
    (0.5 * margin + 0.5 * urgency).clamp(0.0, 1.0)
}

/// Hours without new grounds until an intent without a deadline expires.
fn patience(intent: &Intent, s: &Settings) -> f64 {
    match Trigger::of(&intent.trigger) {
        Some(t) if t.is_stated() => s.stated_hours,
        _ => s.expire_hours,
    }
}

/// When the clock may next change this intent; always after `now`.
pub fn next_turn(intent: &Intent, now: Ts, s: &Settings) -> i64 {
    let before = |d: Ts, h: f64| d.0.saturating_sub((h * Ts::HOUR as f64) as i64);
    let mut turns: Vec<i64> = match intent.deadline {
        Some(d) => {
            vec![
                before(d, s.near_hours),
                before(d, s.urgent_hours),
                before(d, s.urgent_hours / 4.0),
                d.0,
                before(d, -s.grace_hours),
            ]
        }
        None => vec![before(intent.updated_at, -patience(intent, s))],
    };
    if intent.status == IntentStatus::Deferred {
        turns.extend(intent.deferred_until.map(|t| t.0));
    }
    turns
        .into_iter()
        .filter(|t| *t > now.0)
        .min()
        .unwrap_or(now.0.saturating_add(Ts::HOUR))
}

impl IntentEngine {
    /// The clock reached an intent's next turn.
    pub(super) fn turn(&mut self, graph: &Graph, now: Ts, id: Arc<str>) -> Option<Plan> {
        let Some((node, intent)) = intent_of(graph, &id).filter(|(_, i)| i.status.is_open()) else {
            self.state.put_open(id, None);
            return None;
        };
        let mut next = intent.clone();
        next.urgency = urgency(intent.deadline, now, &self.settings);
        let over = match intent.deadline {
            Some(d) => now.hours_since(d) >= self.settings.grace_hours,
            None => {
                now.hours_since(intent.updated_at) >= patience(intent, &self.settings)
                    && intent.status != IntentStatus::Deferred
            }
        };
        let why = if over {
            next.status = IntentStatus::Expired;
            "its time passed and nobody closed it"
        } else if intent.status == IntentStatus::Deferred && intent.deferred_until.is_none_or(|t| t <= now) {
            next.status = IntentStatus::Pending;
            next.deferred_until = None;
            "the deferral is over"
        } else if (next.urgency - intent.urgency).abs() >= URGENCY_STEP {
            "the deadline is nearer"
        } else {
            self.reschedule(&id, intent, now);
            return None;
        };
        self.reprioritise(&id, &mut next);
        Some(self.change(graph, now, node, next, NodePatch::default(), why))
    }

    /// Adds an event to an intent that stands; told when the grounds grew materially.
    pub(super) fn add_evidence(
        &mut self,
        graph: &Graph,
        now: Ts,
        id: &Arc<str>,
        event: NodeIx,
        usual_gap: Option<f64>,
    ) -> Option<Plan> {
        let Some((node, intent)) = intent_of(graph, id) else {
            self.state.put_open(id.clone(), None);
            return None;
        };
        let mut open = self.state.open(id)?.clone();
        if open.evidence.contains(&event.0) {
            return None;
        }
        open.unshown += 1;
        let known = open.evidence.len();
        open.evidence.push(event.0);
        let extra = open.evidence.len().saturating_sub(MAX_EVIDENCE);
        open.evidence.drain(..extra);
        let material = open.unshown as usize * 2 >= known.max(2);
        if !material {
            self.state.put_open(id.clone(), Some(open));
            return None;
        }
        open.unshown = 0;
        let evidence = by_time(graph, open.evidence.iter().map(|&x| NodeIx(x)).collect());
        open.evidence = evidence.iter().map(|x| x.0).collect();
        let mut next = intent.clone();
        next.evidence = ids(graph, &evidence);
        let title_set = open.title_set;
        self.state.put_open(id.clone(), Some(open));
        let patch = self.reword(graph, node, &mut next, &evidence, usual_gap, title_set);
        let old = &intent.evidence;
        let added: Vec<NodeId> = next
            .evidence
            .iter()
            .filter(|e| !old.contains(e))
            .cloned()
            .collect();
        let mut plan = self.change(graph, now, node, next, patch, "its grounds grew");
        plan.ops
            .extend(added.iter().map(|e| edge(e, &node.id, EdgeKind::Triggers)));
        Some(plan)
    }

    /// An event says that something is done: resolves open intents of its concept whose evidence it clearly speaks of.
    /// Intents that speak for a need are resolved through it (see `needs`). Deliberately careful: an intent that
    /// stays open is a smaller harm than one closed by mistake.
    pub(super) fn meet(
        &mut self,
        graph: &Graph,
        now: Ts,
        concept: NodeIx,
        event: NodeIx,
        said: &IntentCues,
    ) -> Vec<Plan> {
        let mut plans = Vec::new();
        for id in self.state.open_of(concept) {
            if self.state.open(&id).is_some_and(|o| o.need.is_some()) {
                continue;
            }
            let Some((node, intent)) = intent_of(graph, &id).filter(|(_, i)| i.status.is_open()) else {
                self.state.put_open(id, None);
                continue;
            };
            let speaks_of = |e: &NodeId| {
                let known = graph.ix(e.as_str()).filter(|ix| *ix != event);
                known.and_then(|ix| self.cues_of(graph, ix)).is_some_and(|k| {
                    let (shared, rare) = IntentCues::shared(&k.about, &said.about);
                    shared >= SHARED_WORDS && (said.signals.done || rare > 0) && !said.signals.trouble
                })
            };
            if intent.evidence.iter().any(speaks_of) {
                let next = Intent {
                    status: IntentStatus::Resolved,
                    ..intent.clone()
                };
                let why = "an event says that it is done";
                plans.push(self.change(graph, now, node, next, NodePatch::default(), why));
            }
        }
        plans
    }

    /// An event is about to be erased (its node and edges are still there, and what folding rebuilds of its concepts has been
    /// applied): intents that rest on it are worded anew without it, or retracted when fewer than two grounds are left.
    pub fn erase(&mut self, graph: &Graph, now: Ts, event: NodeIx) -> Vec<Plan> {
        self.state.put_need(event, None);
        let mut plans = Vec::new();
        for e in graph.out(event) {
            if e.kind.is_membership()
                && let Some(mut track) = self.state.track(e.target).cloned()
            {
                track.remove(event, &self.settings);
                self.state.put_track(e.target, Some(track));
            }
            let Some(target) = graph.node(e.target) else {
                continue;
            };
            if let (EdgeKind::Triggers, Body::Intent(intent)) = (e.kind, &target.body) {
                plans.push(self.lose_ground(graph, now, target, intent, event));
            }
        }
        plans
    }

    fn lose_ground(&mut self, graph: &Graph, now: Ts, node: &Node, intent: &Intent, event: NodeIx) -> Plan {
        let left: Vec<NodeIx> = intent
            .evidence
            .iter()
            .filter_map(|id| graph.ix(id.as_str()))
            .filter(|&ix| ix != event)
            .collect();
        let stands = |c: NodeIx| {
            graph
                .incoming(c)
                .rev()
                .take(MAX_EDGES_READ)
                .any(|e| e.kind.is_membership() && e.source != event)
        };
        let concepts = intent
            .concepts
            .iter()
            .filter_map(|id| graph.ix(id.as_str()))
            .filter(|&c| stands(c))
            .count();
        let mut next = intent.clone();
        next.evidence = ids(graph, &left);
        if left.is_empty() || left.len() + concepts < 2 {
            if intent.status.is_open() {
                next.status = IntentStatus::Retracted;
            }
            next.reason = "Its grounds were erased.".into();
            let patch = NodePatch {
                title: Some("Retracted intent".into()),
                text: Some("".into()),
                ..NodePatch::default()
            };
            return self.change(graph, now, node, next, patch, "its grounds were erased");
        }
        let mut title_set = false;
        if let Some(mut open) = self.state.open(node.id.as_str()).cloned() {
            open.evidence.retain(|&x| x != event.0);
            title_set = open.title_set;
            self.state.put_open(node.id.0.clone(), Some(open));
        }
        let patch = self.reword(graph, node, &mut next, &left, None, title_set);
        self.change(graph, now, node, next, patch, "one of its grounds was erased")
    }

    /// New words from the evidence as it is now.
    fn reword(
        &self,
        graph: &Graph,
        node: &Node,
        next: &mut Intent,
        evidence: &[NodeIx],
        usual_gap: Option<f64>,
        title_set: bool,
    ) -> NodePatch {
        let trigger = Trigger::of(&next.trigger).unwrap_or(Trigger::Burst);
        let concept = next.concepts.first().and_then(|id| live(graph, id));
        let words = wording::words(graph, trigger, concept, evidence, next.deadline, usual_gap);
        next.reason = words.reason.into();
        NodePatch {
            title: (!title_set).then(|| words.title.into()),
            text: Some(wording::reworded(&node.text, words.text).into()),
            ..NodePatch::default()
        }
    }

    /// Priority after a change of urgency, unless a subscriber set it.
    fn reprioritise(&self, id: &str, intent: &mut Intent) {
        if self.state.open(id).is_none_or(|o| !o.priority_set) {
            intent.priority = priority(intent.density, intent.threshold, intent.urgency);
        }
    }

    fn reschedule(&mut self, id: &Arc<str>, intent: &Intent, now: Ts) {
        let next = next_turn(intent, now, &self.settings);
        if let Some(open) = self.state.open(id).cloned() {
            self.state.put_open(id.clone(), Some(Open { next, ..open }));
        }
    }

    /// The plan that changes an intent's node, at the next position of the log; keeps the agenda in step.
    pub(super) fn change(
        &mut self,
        graph: &Graph,
        now: Ts,
        node: &Node,
        mut next: Intent,
        mut patch: NodePatch,
        why: &str,
    ) -> Plan {
        debug_assert!(match &node.body {
            Body::Intent(old) => old.status == next.status || may(old.status, next.status),
            _ => false,
        });
        next.seq = self.next_seq();
        next.updated_at = now;
        let id = node.id.0.clone();
        if next.status.is_open() {
            let open = self
                .state
                .open(&id)
                .cloned()
                .unwrap_or_else(|| self.adopt(graph, &next));
            let open = Open {
                pending: next.status == IntentStatus::Pending,
                next: next_turn(&next, now, &self.settings),
                ..open
            };
            self.state.put_open(id, Some(open));
        } else {
            let need = self.state.open(&id).and_then(|o| o.need);
            if let Some(event) = need {
                self.state.put_need(NodeIx(event), None);
            }
            self.state.put_open(id, None);
        }
        let grounded_in = next
            .evidence
            .iter()
            .filter(|e| graph.ix(e.as_str()).is_some())
            .cloned()
            .collect();
        patch.body = Some(Body::Intent(Box::new(next)));
        Plan {
            by: Author::Intent,
            reasoning: why.into(),
            grounded_in,
            ops: vec![Op::UpdateNode {
                id: node.id.clone(),
                patch,
            }],
        }
    }

    /// State for an open intent that the engine did not make (an import).
    fn adopt(&self, graph: &Graph, intent: &Intent) -> Open {
        Open {
            category: Trigger::of(&intent.trigger)
                .map_or_else(|| intent.category.to_string(), |t| t.category().into()),
            trigger: intent.trigger.as_ref().into(),
            pending: intent.status == IntentStatus::Pending,
            concept: Some(
                intent
                    .concepts
                    .first()
                    .and_then(|id| live(graph, id))
                    .unwrap_or(LONE)
                    .0,
            ),
            deadline: intent.deadline.map(|d| d.0),
            evidence: intent
                .evidence
                .iter()
                .filter_map(|id| graph.ix(id.as_str()))
                .map(|ix| ix.0)
                .collect(),
            next: i64::MAX,
            priority_set: false,
            title_set: false,
            unshown: 0,
            need: None,
        }
    }
}

/// The live node that an id leads to, through merges.
pub(super) fn live(graph: &Graph, id: &NodeId) -> Option<NodeIx> {
    match graph.resolve(id.as_str()) {
        crate::graph::Resolved::Live(ix) | crate::graph::Resolved::Merged(ix) => Some(ix),
        _ => None,
    }
}
