//! ADD_EDGE and REMOVE_EDGE, and what hangs on an edge: membership, size, time, touch.

use super::apply::Run;
use super::model::*;
use super::plan::PlanError;
use super::writer::Graph;
use crate::event::Ts;

/// What an edge is added with.
#[derive(Clone, Copy)]
pub(super) struct Evidence {
    pub kind: EdgeKind,
    /// The kind's own weight when none is given.
    pub weight: Option<f32>,
    pub inferred: bool,
}

impl Graph {
    pub(super) fn add_edge(
        &mut self,
        run: &Run<'_>,
        op: usize,
        source: &NodeId,
        target: &NodeId,
        evidence: Evidence,
    ) -> Result<(), PlanError> {
        let Evidence { kind, weight, .. } = evidence;
        let (s, from) = self.need_end(op, source)?;
        let (t, to) = self.need_end(op, target)?;
        if s == t {
            return Err(PlanError::SelfEdge {
                op,
                id: source.clone(),
            });
        }
        if !kind.fits(from.kind, to.kind) {
            return Err(PlanError::Ends {
                op,
                kind,
                from: from.kind,
                to: to.kind,
            });
        }
        if let Some(weight) = weight.filter(|w| !(*w > 0.0 && *w <= 1.0)) {
            return Err(PlanError::Weight { op, weight });
        }
        // The concept was there already: its grounds reinforce it, once for each plan.
        if kind == EdgeKind::Grounds && run.collapsed.contains(target) {
            if self.view.is_member(s, t) {
                return Ok(());
            }
            let evidence = Evidence {
                kind: EdgeKind::Reinforces,
                ..evidence
            };
            return self.strengthen(run, op, s, t, evidence);
        }
        self.strengthen(run, op, s, t, evidence)
    }

    /// Adds an edge, or reinforces the one that is there.
    pub(super) fn strengthen(
        &mut self,
        run: &Run<'_>,
        op: usize,
        s: NodeIx,
        t: NodeIx,
        evidence: Evidence,
    ) -> Result<(), PlanError> {
        let Evidence {
            kind,
            weight,
            inferred,
        } = evidence;
        let given = weight.unwrap_or(kind.default_weight());
        let key = (s, t, kind);
        let grounds = self.edge_grounds(run, s, t);
        let edge = match self.view.edge(s, t, kind) {
            Some(old) => {
                let now = run.now.max(old.at);
                let weight = old.effective(now, self.settings.edge_decay_per_hour);
                let weight = weight + (1.0 - weight) * self.settings.reinforce_gain.clamp(0.0, 1.0) * given;
                let mut edge = old.clone();
                edge.provenance.grounded_in = self.join_grounds(&edge.provenance.grounded_in, &grounds);
                Edge {
                    weight: weight.clamp(0.0, 1.0),
                    at: now,
                    inferred: edge.inferred && inferred,
                    ..edge
                }
            }
            None => {
                run.need_reasoning(op)?;
                let provenance = run.provenance(grounds);
                Edge {
                    source: s,
                    target: t,
                    kind,
                    weight: given,
                    at: run.now,
                    created: run.now,
                    inferred,
                    provenance,
                }
            }
        };
        let joins = kind.is_membership() && !self.view.is_member(s, t);
        self.put_edge(key, Some(edge));
        if !inferred {
            self.touch(s, run.now);
            self.touch(t, run.now);
        }
        if joins {
            self.member_joined(s, t);
        }
        Ok(())
    }

    /// What grounds an edge: the events at its ends; else the plan's; else those of its source.
    fn edge_grounds(&self, run: &Run<'_>, s: NodeIx, t: NodeIx) -> Vec<NodeId> {
        let event = |ix: &NodeIx| self.view.node(*ix).is_some_and(|n| n.kind == NodeKind::Event);
        let ends: Vec<NodeIx> = [s, t].into_iter().filter(event).collect();
        if !ends.is_empty() {
            return self.newest_ids(ends);
        }
        if !run.ground_ids.is_empty() {
            return run.ground_ids.clone();
        }
        self.view
            .node(s)
            .map(|n| n.provenance.grounded_in.clone())
            .unwrap_or_default()
    }

    /// Notes new evidence on a derived node; event nodes do not change.
    fn touch(&mut self, ix: NodeIx, now: Ts) {
        if let Some(node) = self
            .view
            .node(ix)
            .filter(|n| n.kind != NodeKind::Event && n.touched < now)
            .cloned()
        {
            self.put_node(ix, Some(Node { touched: now, ..node }));
        }
    }

    fn member_joined(&mut self, event: NodeIx, concept: NodeIx) {
        let Some(time) = self.view.node(event).map(|n| n.time) else {
            return;
        };
        self.change_size(concept, |size| size.saturating_add(1), Some(time));
    }

    pub(super) fn member_left(&mut self, concept: NodeIx) {
        self.change_size(concept, |size| size.saturating_sub(1), None);
    }

    fn change_size(&mut self, ix: NodeIx, change: impl Fn(u32) -> u32, time: Option<Ts>) {
        let Some(mut node) = self.view.node(ix).cloned() else {
            return;
        };
        if let Body::Concept(c) = &mut node.body {
            c.size = change(c.size);
        }
        if let Some(time) = time {
            node.time = node.time.max(time);
        }
        self.put_node(ix, Some(node));
    }

    pub(super) fn remove_edge(
        &mut self,
        op: usize,
        source: &NodeId,
        target: &NodeId,
        kind: EdgeKind,
    ) -> Result<(), PlanError> {
        let (s, _) = self.need_end(op, source)?;
        let (t, _) = self.need_end(op, target)?;
        if self.view.edge(s, t, kind).is_none() {
            return Err(PlanError::UnknownEdge {
                op,
                kind,
                from: source.clone(),
                to: target.clone(),
            });
        }
        self.drop_edge((s, t, kind));
        Ok(())
    }

    /// Removes an edge and the membership that hangs on it.
    pub(super) fn drop_edge(&mut self, key: EdgeKey) {
        self.put_edge(key, None);
        if key.2.is_membership() && !self.view.is_member(key.0, key.1) {
            self.member_left(key.1);
        }
    }
}
