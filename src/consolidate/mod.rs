//! Consolidation: the four structural debts (accumulation, compression, decay, completion) and archiving.
//!
//! A pass plans purely over what changed since the last one; `space` applies the plans and then reports what they
//! changed with [`Consolidator::note_changed`]. A pass handles at most `max_items` of each kind; the rest keeps its
//! place in the queue. Nothing here scans all nodes or edges, and after a restore from its records the room behaves
//! as if it had never stopped.
//! Accumulation is paid where events are folded (a repeat becomes a REINFORCES edge); decay of weights is
//! evaluated when read. Evidence is never taken away here: only edges that completion inferred.
//! Knows graph. Must not know text, disk, clocks.

mod guards;
mod merge;
mod node_state;
mod settings;
mod signs;
mod timers;

#[cfg(test)]
mod tests;

pub use settings::Settings;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::event::Ts;
use crate::graph::{Applied, Body, Edge, EdgeKind, Graph, Node, NodeId, NodeIx, NodeKind, Plan};
use crate::state::StateRecord;
use node_state::{Counters, NodeState, Records};
use signs::SignIndex;
use timers::{EdgeTimers, NodeTimers};

/// Edges of one node that a pass reads: to see whether a concept stands alone and which edges are inferred.
const MAX_EDGES_READ: usize = 256;

/// Where a pass asks for the vector of a concept (the executive answers).
pub trait ConceptVectors {
    /// Mean vector of the concept's events; `None` when it has none.
    fn vector(&self, concept: NodeIx) -> Option<Arc<[f32]>>;
}

/// Plans consolidation for one space.
pub struct Consolidator {
    settings: Settings,
    counters: Counters,
    /// Changed nodes in order of their change.
    queue: BTreeMap<u64, NodeIx>,
    nodes: BTreeMap<NodeIx, NodeState>,
    index: SignIndex,
    idle: NodeTimers,
    floors: EdgeTimers,
    records: Records,
    /// What the guards compare of concepts that have not changed since they were read.
    profiles: BTreeMap<NodeIx, Arc<guards::Profile>>,
}

impl Consolidator {
    pub fn new(settings: Settings) -> Self {
        Consolidator {
            settings,
            counters: Counters::default(),
            queue: BTreeMap::new(),
            nodes: BTreeMap::new(),
            index: SignIndex::default(),
            idle: NodeTimers::default(),
            floors: EdgeTimers::default(),
            records: Records::default(),
            profiles: BTreeMap::new(),
        }
    }

    /// Takes back what [`Consolidator::take_records`] handed out. Records of an unknown version are skipped: what
    /// they held is found again when its node changes. Cost: linear in the records.
    pub fn restore(settings: Settings, records: impl IntoIterator<Item = StateRecord>) -> Self {
        let mut me = Self::new(settings);
        for record in records {
            match Records::read(&record) {
                Some(node_state::Read::Counters(c)) => me.counters = c,
                Some(node_state::Read::Node(ix, state)) => {
                    if let Some(ticket) = state.ticket {
                        me.queue.insert(ticket, ix);
                    }
                    if let Some(signs) = state.signs {
                        me.index.put(ix, signs);
                    }
                    if let Some(due) = state.idle_due {
                        me.idle.set(ix, None, Some(due));
                    }
                    me.nodes.insert(ix, state);
                }
                Some(node_state::Read::Edge(edge, due)) => me.floors.set(edge, due),
                None => {}
            }
        }
        me
    }

    /// One event was folded. Constant cost.
    pub fn note_event(&mut self, now: Ts) {
        self.counters.events = self.counters.events.saturating_add(1);
        self.counters.since.get_or_insert(now);
        self.records.counters();
    }

    /// A node was made, updated, linked, read or removed. Constant cost; repeated notes of a waiting node are one.
    pub fn note_changed(&mut self, ix: NodeIx) {
        self.profiles.remove(&ix);
        let state = self.nodes.entry(ix).or_default();
        if state.ticket.is_some() {
            return;
        }
        let ticket = self.counters.next_ticket;
        self.counters.next_ticket += 1;
        state.ticket = Some(ticket);
        self.queue.insert(ticket, ix);
        self.records.node(ix);
        self.records.counters();
    }

    /// A plan was applied: notes every node but events that it made, changed or removed. To be called for plans of all
    /// rooms, this one's too: a closed intent or a used concept gets its timer from here. Cost: linear in the plan.
    pub fn note_applied(&mut self, graph: &Graph, applied: &Applied) {
        for &ix in applied
            .added
            .iter()
            .chain(&applied.touched)
            .chain(&applied.removed)
        {
            let event = graph.node(ix).is_some_and(|n| n.kind == NodeKind::Event);
            let never_seen = graph.node(ix).is_none() && !self.nodes.contains_key(&ix);
            if !event && !never_seen {
                self.note_changed(ix);
            }
        }
    }

    /// Whether a pass is due: enough events, or enough stream time with something to do. Constant cost.
    pub fn due(&self, now: Ts, node_count: usize) -> bool {
        if node_count < self.settings.min_nodes {
            return false;
        }
        // In a large space a pass touches more concepts, so it comes after more events: its cost an event stays level.
        let large = node_count as f64 * f64::from(self.settings.pass_share)
            / f64::from(self.settings.pass_events.max(1));
        let stretch = large.max(1.0);
        if f64::from(self.counters.events) >= f64::from(self.settings.pass_events) * stretch {
            return true;
        }
        let Some(since) = self.counters.since else {
            return false;
        };
        let work = !self.queue.is_empty() || self.idle.any_due(now) || self.floors.any_due(now);
        work && now.hours_since(since) * 60.0 >= self.settings.pass_minutes * stretch
    }

    /// Plans one pass. Cost: bounded by `max_items`, each item by constants (see `signs` and the guards' settings).
    /// Each plan stands alone, so one that the graph rejects leaves the others valid.
    pub fn pass(&mut self, graph: &Graph, vectors: &dyn ConceptVectors, now: Ts) -> Vec<Plan> {
        self.counters.events = 0;
        self.counters.since = Some(now);
        self.records.counters();
        let changed = self.take_changed(graph, vectors);
        let mut plans = Vec::new();
        let concepts: Vec<NodeIx> = changed
            .iter()
            .copied()
            .filter(|&ix| self.index.signs(ix).is_some())
            .collect();
        let merged = self.plan_merges(graph, vectors, &concepts, &mut plans);
        for &ix in concepts.iter().filter(|ix| !merged.contains(ix)) {
            self.plan_completion(graph, vectors, ix, &merged, now, &mut plans);
        }
        self.plan_floors(graph, now, &merged, &mut plans);
        for &ix in changed.iter().filter(|ix| !merged.contains(ix)) {
            self.watch_idle(graph, ix, &mut plans);
        }
        self.plan_archiving(graph, now, &merged, &mut plans);
        plans
    }

    /// State that changed since the last call, in key order.
    pub fn take_records(&mut self) -> Vec<StateRecord> {
        self.records.take(&self.counters, &self.nodes, &self.floors)
    }

    /// The next changed nodes, with their index entries brought up to date; nodes that are gone are forgotten.
    fn take_changed(&mut self, graph: &Graph, vectors: &dyn ConceptVectors) -> Vec<NodeIx> {
        let mut changed = Vec::new();
        for _ in 0..self.settings.max_items {
            let Some((_, ix)) = self.queue.pop_first() else {
                break;
            };
            let Some(node) = graph.node(ix).filter(|n| n.kind != NodeKind::Event) else {
                self.forget(ix);
                continue;
            };
            let signs = match node.kind {
                NodeKind::Concept => vectors.vector(ix).map(|v| signs::signs_of(&v)),
                _ => None,
            };
            match signs {
                Some(s) => self.index.put(ix, s),
                None => self.index.remove(ix),
            }
            let state = self.nodes.entry(ix).or_default();
            state.ticket = None;
            state.signs = signs;
            self.records.node(ix);
            for edge in edges(graph, ix) {
                if edge.inferred {
                    self.watch_floor(edge);
                }
            }
            changed.push(ix);
        }
        changed
    }

    fn forget(&mut self, ix: NodeIx) {
        self.index.remove(ix);
        self.profiles.remove(&ix);
        if let Some(state) = self.nodes.remove(&ix) {
            if let Some(ticket) = state.ticket {
                self.queue.remove(&ticket);
            }
            self.idle.set(ix, state.idle_due, None);
        }
        self.records.node(ix);
    }
}

/// Outgoing and incoming edges, at most [`MAX_EDGES_READ`] each.
fn edges(graph: &Graph, ix: NodeIx) -> impl Iterator<Item = &Edge> {
    graph
        .out(ix)
        .take(MAX_EDGES_READ)
        .chain(graph.incoming(ix).take(MAX_EDGES_READ))
}

/// Event nodes that ground a concept, at most `limit`, with their edges in the graph's order.
fn members(graph: &Graph, concept: NodeIx, limit: usize) -> Vec<&Node> {
    graph
        .incoming(concept)
        .take(MAX_EDGES_READ)
        .filter(|e| matches!(e.kind, EdgeKind::Grounds | EdgeKind::Reinforces))
        .filter_map(|e| graph.node(e.source))
        .filter(|n| matches!(n.body, Body::Event(_)))
        .take(limit)
        .collect()
}

/// Some events that a plan about `ix` can name as its grounds.
fn grounds(graph: &Graph, ix: NodeIx, node: &Node) -> Vec<NodeId> {
    const NAMED: usize = 4;
    let mut named: Vec<NodeId> = members(graph, ix, NAMED)
        .into_iter()
        .map(|n| n.id.clone())
        .collect();
    if named.is_empty() {
        named.extend(node.provenance.grounded_in.iter().rev().take(NAMED).cloned());
    }
    named
}
