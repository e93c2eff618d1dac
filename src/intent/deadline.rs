//! Deadlines: dates that events state as limits, how strong they are, and when they are said.

use std::sync::Arc;

use super::emerge::Candidate;
use super::engine::IntentEngine;
use super::need::Need;
use super::times;
use super::track::Seen;
use super::wording::Trigger;
use crate::event::Ts;
use crate::graph::{Graph, NodeIx, Plan};

/// Strength that other events of the concept add which name the same time.
const COMPANIONS: f32 = 0.15;
/// Edges of a time that are read.
const MAX_EDGES_READ: usize = 16;
/// Dates of a concept looked at when an event joins it, newest first.
const MAX_DATED: usize = 3;

impl IntentEngine {
    /// A need's date is nearer: the deadline as it stands now, unless it is said already.
    pub(super) fn near(
        &mut self,
        graph: &Graph,
        now: Ts,
        concept: Option<NodeIx>,
        event: NodeIx,
        need: &Need,
    ) -> Option<Plan> {
        let lone = concept.is_none() && self.settings.lone_deadlines && need.limit;
        if concept.is_none() && !lone {
            return None;
        }
        if concept.is_some_and(|c| self.standing(c, need.due).is_some()) {
            return None;
        }
        // A lone event's second ground is the time itself.
        if concept.is_none() && time_due(graph, event, need.due).is_none() {
            return None;
        }
        let candidate = self.deadline(graph, now, concept, event, need);
        self.emit(graph, now, candidate)
    }

    /// An open intent of the concept for this very deadline. From the state and not from the graph: the plan that makes
    /// it may be of this same tick.
    fn standing(&self, concept: NodeIx, due: i64) -> Option<Arc<str>> {
        self.state.open_of(concept).into_iter().find(|id| {
            let known = self.state.open(id);
            known.is_some_and(|o| o.trigger == Trigger::Deadline.name() && o.deadline == Some(due))
        })
    }

    /// The strongest deadline that the concept's events state, as a new intent or as evidence for one that stands.
    pub(super) fn stated(&mut self, graph: &Graph, now: Ts, concept: NodeIx, live: &[Seen]) -> Option<Plan> {
        let enough = self.threshold(Trigger::Deadline);
        let mut best: Option<Candidate> = None;
        let mut looked = 0;
        for event in live.iter().rev().map(Seen::ix) {
            let open = |n: &&Need| n.has_due() && n.due > now.0 && n.intent.is_none();
            let Some(need) = self.state.need(event).filter(open) else {
                continue;
            };
            looked += 1;
            if looked > MAX_DATED {
                break;
            }
            // Companions are looked up only where they could matter.
            if self.dated(now, Some(concept), need) + COMPANIONS < enough {
                continue;
            }
            let candidate = self.deadline(graph, now, Some(concept), event, need);
            if best.as_ref().is_none_or(|b| candidate.strength > b.strength) {
                best = Some(candidate);
            }
        }
        let best = best?;
        let event = *best.evidence.first()?;
        match self.standing(concept, best.deadline.map_or(0, |d| d.0)) {
            Some(id) => {
                self.speaks_for(event, &id);
                self.add_evidence(graph, now, &id, event, None)
            }
            None => self.emit(graph, now, best),
        }
    }

    /// Strength of a need's date, without the events that name the same.
    fn dated(&self, now: Ts, concept: Option<NodeIx>, need: &Need) -> f32 {
        let others = concept
            .and_then(|c| self.state.track(c))
            .map_or(0, |t| t.count.saturating_sub(1))
            .min(3);
        let near = 1.0 - Ts(need.due).hours_since(now) / self.settings.near_hours.max(1.0);
        let obliged = if need.obligation { 0.2_f32 } else { 0.0 };
        let stated = if need.limit { 0.5 } else { 0.25 } + obliged.max(0.3 * need.said);
        let lone = if concept.is_none() {
            self.settings.lone_deadline
        } else {
            0.0
        };
        stated + 0.03 * others as f32 + 0.2 * near.clamp(0.0, 1.0) as f32 - lone
    }

    fn deadline(
        &self,
        graph: &Graph,
        now: Ts,
        concept: Option<NodeIx>,
        event: NodeIx,
        need: &Need,
    ) -> Candidate {
        // Only events of the same concept: two strangers that name one day have nothing to do with each other.
        let companions: Vec<NodeIx> = match (concept, time_due(graph, event, need.due)) {
            (Some(concept), Some(time)) => {
                let sources = graph.incoming(time).rev().take(MAX_EDGES_READ).map(|e| e.source);
                sources
                    .filter(|&s| s != event && graph.is_member(s, concept))
                    .take(2)
                    .collect()
            }
            _ => Vec::new(),
        };
        let strength = self.dated(now, concept, need) + if companions.is_empty() { 0.0 } else { COMPANIONS };
        Candidate {
            trigger: Trigger::Deadline,
            concept,
            evidence: std::iter::once(event)
                .chain(need.with.iter().map(|x| NodeIx(*x)))
                .chain(companions)
                .collect(),
            deadline: Some(Ts(need.due)),
            strength,
            usual_gap: None,
            need: Some(event),
        }
    }
}

/// The time node that an event names and that ends at `due`.
pub(super) fn time_due(graph: &Graph, event: NodeIx, due: i64) -> Option<NodeIx> {
    times::times_of(graph, event)
        .into_iter()
        .find(|(_, t)| t.end.0 == due)
        .map(|(ix, _)| ix)
}
