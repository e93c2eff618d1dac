//! Events and plans: checked and applied wholly, or not at all.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::edges::Evidence;
use super::model::*;
use super::plan::*;
use super::titles::similarity;
use super::view::Resolved;
use super::writer::Graph;
use crate::event::{Event, Ts};

/// Characters of an event's text that stand in for a missing title.
const TITLE_CHARS: usize = 80;

/// A plan being applied.
pub(super) struct Run<'a> {
    pub plan: &'a Plan,
    pub now: Ts,
    /// The plan's grounds, live events, each once; oldest first.
    pub grounds: Vec<NodeIx>,
    /// The ids of the newest `MAX_GROUNDS` of them.
    pub ground_ids: Vec<NodeId>,
    /// Concepts that stand in for near-duplicates of this plan: membership edges to the new id go there.
    pub collapsed: BTreeSet<NodeId>,
    pub applied: Applied,
}

impl Run<'_> {
    pub fn provenance(&self, grounded_in: Vec<NodeId>) -> Provenance {
        Provenance {
            by: self.plan.by,
            reason: self.plan.reasoning.clone(),
            grounded_in,
        }
    }

    pub fn need_reasoning(&self, op: usize) -> Result<(), PlanError> {
        if self.plan.reasoning.trim().is_empty() {
            Err(PlanError::NoReasoning { op })
        } else {
            Ok(())
        }
    }
}

impl Graph {
    /// Adds the node of a new event. O(log n).
    ///
    /// # Errors
    /// `OtherSpace`; `IdTaken` for an event that is there; `Erased` for one that was erased (it stays erased); `Full`.
    pub fn add_event(&mut self, event: Arc<Event>, now: Ts) -> Result<NodeIx, PlanError> {
        if event.space != self.space {
            return Err(PlanError::OtherSpace);
        }
        let id = NodeId::of_event(&self.space, &event.source, &event.id);
        self.need_free(0, &id)?;
        let ix = self.new_ix()?;
        let node = Node {
            id: id.clone(),
            kind: NodeKind::Event,
            title: event_title(&event),
            text: "".into(),
            time: event.time,
            created: now,
            touched: now,
            access: 0,
            pinned: false,
            archived: false,
            provenance: Provenance {
                by: Author::Stream,
                reason: "".into(),
                grounded_in: Vec::new(),
            },
            body: Body::Event(event),
        };
        self.put_id(&id, Resolved::Live(ix));
        self.put_node(ix, Some(node));
        self.commit(Applied::default());
        Ok(ix)
    }

    /// Applies a plan wholly, or leaves the graph (and what is dirty) as it was.
    ///
    /// Ends of edges and grounds may be named by ids that were merged away; what is changed, removed or merged
    /// must be named by its live id. Each operation costs O(log n), but for: MERGE_NODES and REMOVE_NODE, which cost
    /// O(edges of the node x log n); RemoveEdge, which walks the two ends' lists; a new concept, whose title is compared with a
    /// bounded number of others; and each node whose out-edges change, whose out-degree the rank looks at.
    ///
    /// # Errors
    /// The first operation that does not hold; see [`PlanError`].
    pub fn apply(&mut self, plan: &Plan, now: Ts) -> Result<Applied, PlanError> {
        let next_ix = self.next_ix;
        match self.run(plan, now) {
            Ok(applied) => Ok(self.commit(applied)),
            Err(error) => {
                self.rollback(next_ix);
                Err(error)
            }
        }
    }

    fn run(&mut self, plan: &Plan, now: Ts) -> Result<Applied, PlanError> {
        let grounds = self.plan_grounds(plan)?;
        let ground_ids = self.newest_ids(grounds.clone());
        let mut run = Run {
            plan,
            now,
            grounds,
            ground_ids,
            collapsed: BTreeSet::new(),
            applied: Applied::default(),
        };
        for (op, what) in plan.ops.iter().enumerate() {
            match what {
                Op::AddNode(new) => self.add_node(&mut run, op, new)?,
                Op::UpdateNode { id, patch } => self.update_node(&run, op, id, patch)?,
                Op::RemoveNode { id } => self.remove_node(&mut run, op, id)?,
                Op::AddEdge {
                    source,
                    target,
                    kind,
                    weight,
                    inferred,
                } => {
                    let evidence = Evidence {
                        kind: *kind,
                        weight: *weight,
                        inferred: *inferred,
                    };
                    self.add_edge(&run, op, source, target, evidence)?;
                }
                Op::RemoveEdge { source, target, kind } => self.remove_edge(op, source, target, *kind)?,
                Op::MergeNodes { keep, absorb } => self.merge_nodes(&mut run, op, keep, absorb)?,
            }
        }
        Ok(run.applied)
    }

    fn plan_grounds(&self, plan: &Plan) -> Result<Vec<NodeIx>, PlanError> {
        let mut grounds = Vec::with_capacity(plan.grounded_in.len());
        for id in &plan.grounded_in {
            match self
                .view
                .ix(id.as_str())
                .and_then(|ix| self.view.node(ix).map(|n| (ix, n)))
            {
                Some((ix, node)) if node.kind == NodeKind::Event => grounds.push((node.time, ix)),
                _ => return Err(PlanError::UnknownGround { id: id.clone() }),
            }
        }
        grounds.sort_unstable();
        grounds.dedup();
        Ok(grounds.into_iter().map(|(_, ix)| ix).collect())
    }

    /// Ids of the newest `MAX_GROUNDS` of these events, oldest first.
    pub(super) fn newest_ids(&self, events: Vec<NodeIx>) -> Vec<NodeId> {
        let mut nodes: Vec<&Node> = events.iter().filter_map(|ix| self.view.node(*ix)).collect();
        // By id among equals: indexes are not part of the logical state.
        nodes.sort_unstable_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        nodes.dedup_by(|a, b| a.id == b.id);
        let from = nodes.len().saturating_sub(MAX_GROUNDS);
        nodes[from..].iter().map(|n| n.id.clone()).collect()
    }

    /// The union of two lists of grounds, bounded; ids that are no live events drop out.
    pub(super) fn join_grounds(&self, a: &[NodeId], b: &[NodeId]) -> Vec<NodeId> {
        if b.iter().all(|id| a.contains(id)) {
            return a.to_vec();
        }
        self.newest_ids(
            a.iter()
                .chain(b)
                .filter_map(|id| self.view.ix(id.as_str()))
                .collect(),
        )
    }

    fn need_free(&self, op: usize, id: &NodeId) -> Result<(), PlanError> {
        match self.view.resolve(id.as_str()) {
            Resolved::Unknown => Ok(()),
            Resolved::Erased => Err(PlanError::Erased { op, id: id.clone() }),
            Resolved::Live(_) | Resolved::Merged(_) => Err(PlanError::IdTaken { op, id: id.clone() }),
        }
    }

    /// The live node with this very id.
    pub(super) fn need_live(&self, op: usize, id: &NodeId) -> Result<(NodeIx, Arc<Node>), PlanError> {
        match self.view.resolve(id.as_str()) {
            Resolved::Live(ix) => match self.view.shared(ix) {
                Some(node) => Ok((ix, node.clone())),
                None => Err(PlanError::UnknownNode { op, id: id.clone() }),
            },
            Resolved::Merged(_) => Err(PlanError::Merged { op, id: id.clone() }),
            Resolved::Erased => Err(PlanError::Erased { op, id: id.clone() }),
            Resolved::Unknown => Err(PlanError::UnknownNode { op, id: id.clone() }),
        }
    }

    /// The live node that this id leads to, through merges.
    pub(super) fn need_end(&self, op: usize, id: &NodeId) -> Result<(NodeIx, Arc<Node>), PlanError> {
        match self.view.resolve(id.as_str()) {
            Resolved::Merged(ix) => match self.view.shared(ix) {
                Some(node) => Ok((ix, node.clone())),
                None => Err(PlanError::UnknownNode { op, id: id.clone() }),
            },
            _ => self.need_live(op, id),
        }
    }

    fn new_ix(&mut self) -> Result<NodeIx, PlanError> {
        // The last index is kept free: lists end with it.
        if self.next_ix == u32::MAX {
            return Err(PlanError::Full);
        }
        self.next_ix += 1;
        Ok(NodeIx(self.next_ix - 1))
    }

    fn add_node(&mut self, run: &mut Run<'_>, op: usize, new: &NewNode) -> Result<(), PlanError> {
        let kind = new.body.kind();
        if kind == NodeKind::Event {
            return Err(PlanError::EventImmutable {
                op,
                id: new.id.clone(),
            });
        }
        if !kind.owns(&new.id) {
            return Err(PlanError::IdKind {
                op,
                id: new.id.clone(),
                kind,
            });
        }
        self.need_free(op, &new.id)?;
        run.need_reasoning(op)?;
        if run.grounds.is_empty() {
            return Err(PlanError::NoGrounds { op });
        }
        check_content(op, &new.id, &new.title, &new.body)?;
        if kind == NodeKind::Concept
            && let Some(existing) = self.near_duplicate(&new.title)
        {
            return self.collapse(run, op, new, existing);
        }
        let ix = self.new_ix()?;
        let mut body = new.body.clone();
        if let Body::Concept(c) = &mut body {
            c.size = 0;
        }
        let node = Node {
            id: new.id.clone(),
            kind,
            title: new.title.clone(),
            text: new.text.clone(),
            time: new.time,
            created: run.now,
            touched: run.now,
            access: 0,
            pinned: false,
            archived: false,
            provenance: run.provenance(run.ground_ids.clone()),
            body,
        };
        self.put_id(&new.id, Resolved::Live(ix));
        self.put_node(ix, Some(node));
        Ok(())
    }

    /// The concept whose title is most like this one, if alike enough; the oldest among equals.
    fn near_duplicate(&self, title: &str) -> Option<NodeIx> {
        let mut best: Option<(f32, NodeIx)> = None;
        for ix in self
            .titles
            .candidates(title, self.settings.near_duplicate_candidates)
        {
            let Some(node) = self.view.node(ix) else {
                continue;
            };
            let alike = similarity(title, &node.title);
            if alike >= self.settings.near_duplicate && best.is_none_or(|(b, _)| alike > b) {
                best = Some((alike, ix));
            }
        }
        best.map(|(_, ix)| ix)
    }

    /// Reinforces `existing` from the grounds instead of making a near-duplicate.
    fn collapse(
        &mut self,
        run: &mut Run<'_>,
        op: usize,
        new: &NewNode,
        existing: NodeIx,
    ) -> Result<(), PlanError> {
        self.put_id(&new.id, Resolved::Merged(existing));
        run.collapsed.insert(new.id.clone());
        run.applied.collapsed.push((new.id.clone(), existing));
        if let Some(node) = self.view.node(existing).filter(|n| n.archived).cloned() {
            self.put_node(
                existing,
                Some(Node {
                    archived: false,
                    ..node
                }),
            );
        }
        for event in run.grounds.clone() {
            let kind = match self.view.edge(event, existing, EdgeKind::Grounds) {
                Some(_) => EdgeKind::Grounds,
                None => EdgeKind::Reinforces,
            };
            let evidence = Evidence {
                kind,
                weight: None,
                inferred: false,
            };
            self.strengthen(run, op, event, existing, evidence)?;
        }
        Ok(())
    }

    fn update_node(
        &mut self,
        run: &Run<'_>,
        op: usize,
        id: &NodeId,
        patch: &NodePatch,
    ) -> Result<(), PlanError> {
        let (ix, old) = self.need_live(op, id)?;
        let content =
            patch.title.is_some() || patch.text.is_some() || patch.time.is_some() || patch.body.is_some();
        if content {
            if old.kind == NodeKind::Event {
                return Err(PlanError::EventImmutable { op, id: id.clone() });
            }
            run.need_reasoning(op)?;
        }
        let mut node = Node::clone(&old);
        if let Some(body) = &patch.body {
            if body.kind() != node.kind {
                return Err(PlanError::Invalid {
                    op,
                    id: id.clone(),
                    what: "the type of the body",
                });
            }
            let size = concept_size(&node);
            node.body = body.clone();
            if let Body::Concept(c) = &mut node.body {
                c.size = size;
            }
        }
        if let Some(title) = &patch.title {
            node.title = title.clone();
        }
        if let Some(text) = &patch.text {
            node.text = text.clone();
        }
        if let Some(time) = patch.time {
            node.time = time;
        }
        node.pinned = patch.pinned.unwrap_or(node.pinned);
        node.archived = patch.archived.unwrap_or(node.archived);
        node.access = node.access.saturating_add(patch.accessed);
        if content {
            check_content(op, id, &node.title, &node.body)?;
            node.provenance.grounded_in = self.join_grounds(&node.provenance.grounded_in, &run.ground_ids);
        }
        if content || patch.accessed > 0 {
            node.touched = node.touched.max(run.now);
        }
        if node != *old {
            self.put_node(ix, Some(node));
        }
        Ok(())
    }
}

pub(super) fn concept_size(node: &Node) -> u32 {
    match &node.body {
        Body::Concept(c) => c.size,
        _ => 0,
    }
}

fn event_title(event: &Event) -> Arc<str> {
    match event.title.as_deref().map(str::trim) {
        Some(title) if !title.is_empty() => title.into(),
        _ => {
            let line = event.text.trim_start().lines().next().unwrap_or("");
            line.chars()
                .take(TITLE_CHARS)
                .collect::<String>()
                .trim_end()
                .into()
        }
    }
}

/// Checks what a derived node says of itself. Numbers must be finite: NaN would not equal itself after a restart.
fn check_content(op: usize, id: &NodeId, title: &str, body: &Body) -> Result<(), PlanError> {
    let bad = |what| {
        Err(PlanError::Invalid {
            op,
            id: id.clone(),
            what,
        })
    };
    if title.trim().is_empty() {
        return bad("the title");
    }
    match body {
        Body::Concept(c) if !(0.0..=1.0).contains(&c.confidence) => bad("the confidence"),
        Body::Intent(i)
            if ![i.urgency, i.priority, i.density, i.threshold]
                .iter()
                .all(|x| x.is_finite()) =>
        {
            bad("a number")
        }
        Body::Time(t) if t.end < t.start => bad("the span"),
        _ => Ok(()),
    }
}
