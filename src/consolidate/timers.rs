//! Decay and archiving: what happens to edges and nodes merely because time passes.
//!
//! Both wait in ordered maps by due time, so a pass reads only what is due. A timer is a reason to look, not a
//! verdict: what was reinforced or used meanwhile gets a new one.

use std::collections::{BTreeMap, BTreeSet};

use super::node_state::{NodeState, Seen};
use super::{Consolidator, grounds};
use crate::event::Ts;
use crate::graph::{Author, Body, Edge, EdgeKind, Graph, Node, NodeIx, NodeKind, NodePatch, Op, Plan};

/// One edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeKey {
    pub source: NodeIx,
    pub target: NodeIx,
    pub kind: EdgeKind,
}

/// Inferred edges by the time at which they will have decayed to the floor.
#[derive(Default)]
pub struct EdgeTimers {
    due: BTreeMap<EdgeKey, Ts>,
    queue: BTreeSet<(Ts, EdgeKey)>,
}

impl EdgeTimers {
    pub fn set(&mut self, edge: EdgeKey, due: Ts) {
        if let Some(old) = self.due.insert(edge, due) {
            self.queue.remove(&(old, edge));
        }
        self.queue.insert((due, edge));
    }

    pub fn due_of(&self, edge: &EdgeKey) -> Option<Ts> {
        self.due.get(edge).copied()
    }

    pub fn any_due(&self, now: Ts) -> bool {
        self.queue.first().is_some_and(|(due, _)| *due <= now)
    }

    fn pop(&mut self, now: Ts) -> Option<EdgeKey> {
        let (due, edge) = *self.queue.first().filter(|(due, _)| *due <= now)?;
        self.queue.remove(&(due, edge));
        self.due.remove(&edge);
        Some(edge)
    }
}

/// Nodes by the time at which they will have been idle long enough.
#[derive(Default)]
pub struct NodeTimers {
    queue: BTreeSet<(Ts, NodeIx)>,
}

impl NodeTimers {
    pub fn set(&mut self, ix: NodeIx, old: Option<Ts>, new: Option<Ts>) {
        if let Some(due) = old {
            self.queue.remove(&(due, ix));
        }
        if let Some(due) = new {
            self.queue.insert((due, ix));
        }
    }

    pub fn any_due(&self, now: Ts) -> bool {
        self.queue.first().is_some_and(|(due, _)| *due <= now)
    }
}

impl Consolidator {
    /// Sets the timer of an inferred edge. A timer that stands is kept: reinforcement only moves the crossing later.
    pub(super) fn watch_floor(&mut self, edge: &Edge) {
        let key = EdgeKey {
            source: edge.source,
            target: edge.target,
            kind: edge.kind,
        };
        if self.floors.due_of(&key).is_none() {
            let due = self.crossing(edge.weight, edge.at);
            self.floors.set(key, due);
            self.records.edge(key);
        }
    }

    /// When a weight that stood at `at` reaches the floor.
    pub(super) fn crossing(&self, weight: f32, at: Ts) -> Ts {
        let floor = f64::from(self.settings.edge_floor).max(1e-6);
        let rate = self.settings.edge_decay_per_hour.max(1e-9);
        let hours = ((f64::from(weight) / floor).ln() / rate).max(0.0);
        after(at, hours)
    }

    /// Takes away inferred edges that decayed to the floor. Evidence only ranks lower as it decays.
    /// Edges of concepts that merge in this pass wait: they are about to move.
    pub(super) fn plan_floors(
        &mut self,
        graph: &Graph,
        now: Ts,
        busy: &BTreeSet<NodeIx>,
        plans: &mut Vec<Plan>,
    ) {
        for _ in 0..self.settings.max_items {
            let Some(key) = self.floors.pop(now) else {
                break;
            };
            self.records.edge(key);
            if busy.contains(&key.source) || busy.contains(&key.target) {
                self.floors.set(key, after(now, 1.0));
                continue;
            }
            let Some(edge) = graph
                .edge(key.source, key.target, key.kind)
                .filter(|e| e.inferred)
            else {
                continue;
            };
            if edge.effective(now, self.settings.edge_decay_per_hour) > self.settings.edge_floor {
                // At least a minute ahead, or rounding could bring the same edge back within this loop.
                let due = self.crossing(edge.weight, edge.at).max(after(now, 1.0 / 60.0));
                self.floors.set(key, due);
                continue;
            }
            let (Some(source), Some(target)) = (graph.node(key.source), graph.node(key.target)) else {
                continue;
            };
            plans.push(Plan {
                by: Author::Pass,
                reasoning: "an inferred link that nothing confirmed decayed to the floor".into(),
                grounded_in: grounds(graph, key.source, source),
                ops: vec![Op::RemoveEdge {
                    source: source.id.clone(),
                    target: target.id.clone(),
                    kind: key.kind,
                }],
            });
        }
    }

    /// Sets the idle timer of a changed node, and brings an archived one back when it has new evidence or use.
    pub(super) fn watch_idle(&mut self, graph: &Graph, ix: NodeIx, plans: &mut Vec<Plan>) {
        let Some(node) = graph.node(ix) else { return };
        let state = self.nodes.entry(ix).or_default();
        let mut due = idle_due(node, &self.settings);
        if node.archived {
            due = None;
            let seen = seen(node);
            match state.archived {
                Some(before) if before != seen && !is_closed(node) => {
                    state.archived = None;
                    due = idle_due(node, &self.settings);
                    plans.push(flag(
                        graph,
                        ix,
                        node,
                        false,
                        "it has new evidence or was used again",
                    ));
                }
                // Archived by someone else (an import): remember how it looked.
                None => state.archived = Some(seen),
                Some(_) => {}
            }
        } else {
            state.archived = None;
        }
        self.set_idle(ix, due);
    }

    /// Archives what has been idle long enough. Events are never archived (they are the record itself), nor are
    /// pinned nodes and open intents.
    pub(super) fn plan_archiving(
        &mut self,
        graph: &Graph,
        now: Ts,
        busy: &BTreeSet<NodeIx>,
        plans: &mut Vec<Plan>,
    ) {
        let due: Vec<NodeIx> = self
            .idle
            .queue
            .iter()
            .take_while(|(due, _)| *due <= now)
            .take(self.settings.max_items)
            .map(|(_, ix)| *ix)
            .collect();
        for ix in due {
            let Some(node) = graph.node(ix) else {
                self.forget(ix);
                continue;
            };
            if busy.contains(&ix) {
                self.set_idle(ix, Some(after(now, 1.0)));
                continue;
            }
            match idle_due(node, &self.settings) {
                Some(later) if later > now => self.set_idle(ix, Some(later)),
                Some(_) if !node.archived => {
                    self.set_idle(ix, None);
                    self.nodes.entry(ix).or_default().archived = Some(seen(node));
                    let why = if is_closed(node) {
                        "it was closed some time ago"
                    } else {
                        "nothing touched it for long"
                    };
                    plans.push(flag(graph, ix, node, true, why));
                }
                _ => self.set_idle(ix, None),
            }
        }
    }

    fn set_idle(&mut self, ix: NodeIx, due: Option<Ts>) {
        let state: &mut NodeState = self.nodes.entry(ix).or_default();
        self.idle.set(ix, state.idle_due, due);
        state.idle_due = due;
        self.records.node(ix);
    }
}

fn seen(node: &Node) -> Seen {
    let size = match &node.body {
        Body::Concept(c) => c.size,
        _ => 0,
    };
    Seen {
        time: node.time,
        size,
        access: node.access,
    }
}

fn is_closed(node: &Node) -> bool {
    matches!(&node.body, Body::Intent(i) if !i.status.is_open())
}

/// When `node` would be idle; `None` when it never is.
fn idle_due(node: &Node, settings: &super::Settings) -> Option<Ts> {
    if node.pinned {
        return None;
    }
    match &node.body {
        Body::Event(_) => None,
        Body::Intent(i) if i.status.is_open() => None,
        Body::Intent(i) => Some(after(i.updated_at, settings.archive_closed_hours)),
        Body::Time(t) => (node.access < settings.archive_access)
            .then(|| after(node.touched.max(t.end), settings.archive_idle_hours)),
        Body::Concept(_) => {
            (node.access < settings.archive_access).then(|| after(node.touched, settings.archive_idle_hours))
        }
    }
}

fn flag(graph: &Graph, ix: NodeIx, node: &Node, archived: bool, why: &str) -> Plan {
    debug_assert_ne!(node.kind, NodeKind::Event);
    let verb = if archived {
        "archived"
    } else {
        "taken out of the archive"
    };
    Plan {
        by: Author::Pass,
        reasoning: format!("{verb}: {why}").into(),
        grounded_in: grounds(graph, ix, node),
        ops: vec![Op::UpdateNode {
            id: node.id.clone(),
            patch: NodePatch {
                archived: Some(archived),
                ..NodePatch::default()
            },
        }],
    }
}

/// `hours` after `t`, rounded up to a millisecond, clamped instead of overflowing.
fn after(t: Ts, hours: f64) -> Ts {
    let ms = (hours * Ts::HOUR as f64).ceil().clamp(0.0, 1e17) as i64;
    Ts(t.0.saturating_add(ms))
}
