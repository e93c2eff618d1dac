//! The writer's state of one space, and the write path through it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::clock::Moved;
use super::{Effect, Input, Prepared, Refused, SpaceMeta, SpaceSettings, SpaceView};
use crate::consolidate::{ConceptVectors, Consolidator};
use crate::distill::Ledger;
use crate::embed::Models;
use crate::event::{Receipt, ReceiptStatus};
use crate::fold::{Executive, Item, RulesExecutive};
use crate::graph::{
    Applied, Author, Body, Edge, Graph, Node, NodeId, NodeIx, NodeKind, NodePatch, Op, Plan, PlanError,
    Resolved, RestoreError,
};
use crate::index::{Index, VectorIndex};
use crate::intent::{IntentEngine, time_plans};
use crate::state::StateRecord;

/// Rooms that keep records of their own. The discriminant is on disk: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Room {
    Fold = 1,
    Consolidate = 2,
    Intent = 3,
}

/// What a restart hands back (the counterpart of [`Changes`]).
pub struct Restored {
    pub meta: SpaceMeta,
    pub nodes: Vec<(NodeIx, Node, Vec<Edge>)>,
    pub redirects: Vec<(NodeId, Option<NodeId>)>,
    pub records: BTreeMap<Room, Vec<StateRecord>>,
    pub refused: Vec<Refused>,
    /// The analysed events, by node index, in order.
    pub prepared: Vec<(NodeIx, Prepared)>,
}

/// What changed since the last call of [`SpaceState::take_changes`].
pub struct Changes {
    /// Nodes whose record (node or outgoing edges) is to be written.
    pub nodes: Vec<NodeIx>,
    pub removed: Vec<NodeIx>,
    pub redirects: Vec<(NodeId, Option<NodeId>)>,
    pub records: Vec<(Room, StateRecord)>,
    pub refused: Vec<Refused>,
}

/// Sources by event id; `None` for any source.
type Refusals = FxHashMap<Box<str>, SmallVec<[Option<Box<str>>; 1]>>;

pub struct SpaceState {
    pub(super) meta: SpaceMeta,
    pub(super) settings: SpaceSettings,
    pub(super) graph: Graph,
    pub(super) executive: RulesExecutive,
    pub(super) consolidator: Consolidator,
    pub(super) intents: IntentEngine,
    pub(super) index: Index,
    pub(super) ledger: Ledger,
    /// The producer's id -> event nodes (one a source), for erasure by id.
    pub(super) by_event_id: FxHashMap<Box<str>, SmallVec<[NodeIx; 1]>>,
    /// Ids that were erased, with the sources to which that is limited (`None`: any).
    pub(super) refused: Refusals,
    /// Of these, the ones that are not written yet.
    pub(super) new_refusals: Vec<Refused>,
    /// Plans that were refused: each is a defect of a room, counted and shown in status.
    rejected_plans: u64,
}

/// The executive answers consolidation's questions for vectors.
struct Vectors<'a> {
    executive: &'a RulesExecutive,
    graph: &'a Graph,
}

impl ConceptVectors for Vectors<'_> {
    fn vector(&self, concept: NodeIx) -> Option<Arc<[f32]>> {
        self.executive.concept_vector(&self.graph.node(concept)?.id)
    }
}

impl SpaceState {
    pub fn new(name: Arc<str>, models: Models, settings: SpaceSettings) -> SpaceState {
        SpaceState {
            graph: Graph::new(name.clone(), settings.graph.clone()),
            executive: RulesExecutive::new(name.clone(), models, settings.fold.clone()),
            consolidator: Consolidator::new(settings.consolidate.clone()),
            intents: IntentEngine::new(name.clone(), settings.intent.clone()),
            index: Index::new(settings.index.clone()),
            ledger: Ledger::new(settings.distill),
            by_event_id: Default::default(),
            refused: Default::default(),
            new_refusals: Vec::new(),
            rejected_plans: 0,
            meta: SpaceMeta::new(name),
            settings,
        }
    }

    /// Rebuilds the state from its records. Behaves from then on exactly as if it had never
    /// stopped. Cost: linear in what is there.
    pub fn restore(
        models: Models,
        settings: SpaceSettings,
        mut from: Restored,
    ) -> Result<SpaceState, RestoreError> {
        let name = from.meta.name.clone();
        let mut take = |room| from.records.remove(&room).unwrap_or_default();
        let (fold, consolidate, intent) = (take(Room::Fold), take(Room::Consolidate), take(Room::Intent));
        let graph = Graph::restore(
            name.clone(),
            settings.graph.clone(),
            from.nodes,
            from.redirects,
            from.meta.next_ix,
        )?;
        let mut index = Index::new(settings.index.clone());
        let mut ledger = Ledger::new(settings.distill);
        let mut by_event_id: FxHashMap<Box<str>, SmallVec<[NodeIx; 1]>> = Default::default();
        let mut items = Vec::with_capacity(from.prepared.len());
        for (ix, p) in from.prepared {
            by_event_id
                .entry(p.event.id.as_str().into())
                .or_default()
                .push(ix);
            items.push((
                ix,
                NodeId::of_event(&name, &p.event.source, &p.event.id),
                p.features,
            ));
            ledger.add(ix, &p.event, p.distilled);
            index.add(ix, &p.event, p.doc);
        }
        let executive = RulesExecutive::restore(
            name.clone(),
            models,
            settings.fold.clone(),
            fold,
            items.into_iter(),
        );
        let consolidator = Consolidator::restore(settings.consolidate.clone(), consolidate);
        let intents = IntentEngine::restore(name, settings.intent.clone(), intent);
        let mut refused = Refusals::default();
        for r in from.refused {
            refused.entry(r.id).or_default().push(r.source);
        }
        Ok(SpaceState {
            meta: from.meta,
            graph,
            executive,
            consolidator,
            intents,
            index,
            ledger,
            by_event_id,
            refused,
            new_refusals: Vec::new(),
            rejected_plans: 0,
            settings,
        })
    }

    pub fn meta(&self) -> &SpaceMeta {
        &self.meta
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn rejected_plans(&self) -> u64 {
        self.rejected_plans
    }

    /// Hash of the logical state that inputs determine. Equal for equal inputs, whatever restarts
    /// and batches lay between. Cost: linear in the graph.
    pub fn digest(&self) -> [u8; 32] {
        self.graph.digest()
    }

    /// Applies one input. Cost: bounded by settings, except for an erasure, which costs what it erases
    /// (and a scan of the space's events when it goes by actor or date).
    pub fn apply(&mut self, input: Input) -> Vec<Effect> {
        let seq_before = self.meta.intent_seq;
        let mut changed = Vec::new();
        let mut effects = match input {
            Input::Event(p) => vec![Effect::Receipt(self.fold(*p, &mut changed))],
            Input::Tick { elapsed_ms } => {
                self.meta.clock.tick(elapsed_ms);
                self.time_passed(&mut changed);
                Vec::new()
            }
            Input::Feedback(f) => {
                let now = self.meta.clock.now();
                let result = match self.intents.feedback(&self.graph, now, &f) {
                    Ok(plans) => {
                        self.run(plans, &mut changed);
                        match self.graph.resolve(&f.intent) {
                            Resolved::Live(ix) | Resolved::Merged(ix) => self
                                .graph
                                .node(ix)
                                .map(|n| Arc::new(n.clone()))
                                .ok_or("intent is gone".to_string()),
                            _ => Err("intent is gone".to_string()),
                        }
                    }
                    Err(e) => Err(e.to_string()),
                };
                vec![Effect::FeedbackDone(result)]
            }
            Input::Erase(e) => vec![Effect::Erased(self.erase(&e, &mut changed))],
            Input::Access(ids) => {
                self.access(ids);
                Vec::new()
            }
        };
        self.report_intents(seq_before, &changed, &mut effects);
        effects
    }

    fn fold(&mut self, p: Prepared, changed: &mut Vec<NodeIx>) -> Receipt {
        let event = p.event.clone();
        let id = NodeId::of_event(&self.meta.name, &event.source, &event.id);
        let receipt = |status, reason: Option<String>| Receipt {
            id: event.id.clone(),
            status,
            node: Some(id.to_string()),
            reason,
        };
        match self.graph.resolve(id.as_str()) {
            Resolved::Live(_) | Resolved::Merged(_) => {
                self.meta.duplicates += 1;
                return receipt(ReceiptStatus::Duplicate, None);
            }
            Resolved::Erased => {
                return receipt(
                    ReceiptStatus::Erased,
                    Some("this event was erased and stays erased".into()),
                );
            }
            Resolved::Unknown if self.is_refused(&event) => {
                return receipt(
                    ReceiptStatus::Erased,
                    Some("this id was erased before the event came".into()),
                );
            }
            Resolved::Unknown => {}
        }
        let moved = self.meta.clock.observe(&event, &self.settings.clock);
        let now = self.meta.clock.now();
        let ix = match self.graph.add_event(event.clone(), now) {
            Ok(ix) => ix,
            Err(e) => return receipt(ReceiptStatus::Rejected, Some(e.to_string())),
        };
        self.meta.folded += 1;
        self.by_event_id
            .entry(event.id.as_str().into())
            .or_default()
            .push(ix);
        self.index.add(ix, &event, p.doc);
        self.ledger.add(ix, &event, p.distilled);

        let before = changed.len();
        let plans = self.executive.observe(
            &self.graph,
            now,
            Item {
                ix,
                id: &id,
                event: &event,
                features: p.features,
            },
        );
        self.run(plans, changed);
        let plans = self.executive.pass(&self.graph, now);
        self.run(plans, changed);
        let plans = time_plans(&self.graph, now, ix, &p.analysis);
        self.run(plans, changed);

        let mut concepts: Vec<NodeIx> = changed[before..]
            .iter()
            .copied()
            .filter(|c| self.graph.node(*c).is_some_and(|n| n.kind == NodeKind::Concept))
            .collect();
        concepts.sort_unstable();
        concepts.dedup();
        self.consolidator.note_event(now);
        let plans = self.intents.observe(&self.graph, now, ix, &p.cues, &concepts);
        self.run(plans, changed);
        self.time_passed(changed);
        let mark = (moved == Moved::FarAhead)
            .then(|| "dated far ahead of the stream; stored, but the clock did not follow".to_string());
        receipt(ReceiptStatus::Stored, mark)
    }

    /// Milliseconds that passed since the last input, if something becomes due within them.
    pub fn elapsed_to_due(&self, wall_ms: i64) -> Option<i64> {
        let elapsed = wall_ms.checked_sub(self.meta.clock.last_received?.0)?;
        let due = self.intents.next_due()?;
        (elapsed > 0 && self.meta.clock.now().0.saturating_add(elapsed) >= due.0).then_some(elapsed)
    }

    /// Runs what is due at the present stream clock.
    fn time_passed(&mut self, changed: &mut Vec<NodeIx>) {
        let now = self.meta.clock.now();
        let plans = self.intents.tick(&self.graph, now);
        self.run(plans, changed);
        let nodes = self.graph.node_count();
        if self.consolidator.due(now, nodes) {
            let vectors = Vectors {
                executive: &self.executive,
                graph: &self.graph,
            };
            let plans = self.consolidator.pass(&self.graph, &vectors, now);
            self.run(plans, changed);
            self.meta.last_pass = Some(now);
        }
    }

    /// Applies plans one by one, each wholly or not at all, and tells the other rooms of merges.
    pub(super) fn run(&mut self, plans: Vec<Plan>, changed: &mut Vec<NodeIx>) {
        let now = self.meta.clock.now();
        for plan in plans {
            match self.graph.apply(&plan, now) {
                Ok(applied) => self.follow(&plan, &applied, changed),
                Err(e) => self.reject(&plan, &e),
            }
        }
        self.meta.next_ix = self.graph.next_ix();
    }

    fn follow(&mut self, plan: &Plan, applied: &Applied, changed: &mut Vec<NodeIx>) {
        changed.extend(applied.added.iter().chain(&applied.touched));
        // Concept formation knows the merges that it made itself.
        for op in plan.ops.iter().filter(|_| plan.by != Author::Fold) {
            if let Op::MergeNodes { keep, absorb } = op {
                self.executive.merged(keep, absorb);
            }
        }
        for (keep, absorb) in &applied.merged {
            self.meta.merges += 1;
            self.intents.concept_merged(*keep, *absorb);
            changed.push(*keep);
        }
        for ix in &applied.removed {
            self.intents.removed(*ix);
        }
        self.consolidator.note_applied(&self.graph, applied);
    }

    fn reject(&mut self, plan: &Plan, error: &PlanError) {
        self.rejected_plans += 1;
        tracing::warn!(by = ?plan.by, reasoning = %plan.reasoning, %error, "a plan was refused");
    }

    fn access(&mut self, ids: Vec<NodeId>) {
        let ops: Vec<Op> = ids
            .iter()
            .filter(|id| self.graph.ix(id.as_str()).is_some())
            .map(|id| Op::UpdateNode {
                id: id.clone(),
                patch: NodePatch {
                    accessed: 1,
                    ..NodePatch::default()
                },
            })
            .collect();
        if !ops.is_empty() {
            let plan = Plan {
                by: Author::Stream,
                reasoning: "returned by a recall".into(),
                grounded_in: ids,
                ops,
            };
            self.run(vec![plan], &mut Vec::new());
        }
    }

    /// Turns intent nodes that got a new sequence number into effects, in that order.
    fn report_intents(&mut self, seq_before: u64, changed: &[NodeIx], effects: &mut Vec<Effect>) {
        let mut out: BTreeMap<u64, Arc<Node>> = BTreeMap::new();
        for ix in changed {
            let Some(node) = self.graph.node(*ix) else {
                continue;
            };
            if let Body::Intent(i) = &node.body
                && i.seq > seq_before
            {
                out.insert(i.seq, Arc::new(node.clone()));
            }
        }
        if let Some((last, _)) = out.last_key_value() {
            self.meta.intent_seq = *last;
        }
        effects.extend(out.into_values().map(Effect::Intent));
    }

    /// Puts a neighbour graph behind the next snapshots; one that an erasure has overtaken is refused.
    pub fn set_neighbours(&mut self, ann: Arc<dyn VectorIndex>) -> bool {
        self.index.set_ann(ann)
    }

    /// What has to be written since the last call. Cost: what changed.
    pub fn take_changes(&mut self) -> Changes {
        let dirty = self.graph.take_dirty();
        let mut records = Vec::new();
        records.extend(self.executive.take_records().into_iter().map(|r| (Room::Fold, r)));
        records.extend(
            self.consolidator
                .take_records()
                .into_iter()
                .map(|r| (Room::Consolidate, r)),
        );
        records.extend(self.intents.take_records().into_iter().map(|r| (Room::Intent, r)));
        self.meta.next_ix = self.graph.next_ix();
        Changes {
            nodes: dirty.nodes,
            removed: dirty.removed,
            redirects: dirty.redirects,
            records,
            refused: std::mem::take(&mut self.new_refusals),
        }
    }

    /// The snapshot for readers. Cost: what changed since the last one, times a logarithm.
    pub fn publish(&mut self) -> SpaceView {
        SpaceView {
            meta: self.meta.clone(),
            graph: self.graph.publish(),
            index: self.index.publish(),
            distill: self.ledger.publish(),
            calibration: Arc::new(self.intents.calibration()),
        }
    }
}
