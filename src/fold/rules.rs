//! The executive that needs no model: calibrated pair evidence, online clustering, plain titles.
//!
//! What it knows of an event (`Slot`), how events are compared (`compare`), how they join
//! (`arrive`), how mistakes are mended (`pass`), what is proposed (`emit`) and how it survives a
//! restart (`records`) stand in files of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::attributes::{Attributes, Window};
use super::general::General;
use super::lexicon::Lexicon;
use super::near::Near;
use super::pairs::{Content, Statistics};
use super::settings::Settings;
use super::slot::{Cluster, Slot};
use super::theme::Themes;
use super::{Executive, Features, Item};
use crate::embed::Models;
use crate::event::Ts;
use crate::graph::{Graph, NodeId, NodeIx, Plan};
use crate::state::StateRecord;

/// Up to this many events the attributes are calibrated at every event, beyond at every pass.
const CALIBRATE_EACH: usize = 128;
/// Members at most that a concept's vector is the mean of, spread over all.
const VECTOR_MEMBERS: usize = 16;

/// Concept formation of one space.
pub struct RulesExecutive {
    pub(super) space: Arc<str>,
    pub(super) settings: Settings,
    pub(super) slots: Vec<Option<Box<Slot>>>,
    /// Events in slots; exact repeats have none.
    pub(super) live: usize,
    pub(super) by_node: FxHashMap<u32, u32>,
    /// (slot, node) of exact repeats of the event in a slot.
    pub(super) repeats: BTreeSet<(u32, u32)>,
    pub(super) repeat_of: FxHashMap<u32, u32>,
    pub(super) founders: FxHashMap<u64, u32>,
    pub(super) lexicon: Lexicon,
    pub(super) near: Near,
    pub(super) statistics: Statistics,
    /// Follows from `statistics`.
    pub(super) content: Content,
    pub(super) attributes: Attributes,
    pub(super) window: Window,
    /// Middle of what the events are about.
    pub(super) themes: Themes,
    /// Events by key of each word of their actor's name.
    pub(super) actors: FxHashMap<u32, u32>,
    pub(super) general: Option<&'static General>,
    pub(super) clusters: BTreeMap<u32, Cluster>,
    pub(super) by_concept: FxHashMap<NodeId, u32>,
    /// (key of its title, cluster).
    pub(super) titles: BTreeSet<(u64, u32)>,
    /// Clusters whose concept was proposed and not yet looked for in the graph.
    pub(super) unconfirmed: BTreeSet<u32>,
    pub(super) next_cluster: u32,
    /// Slots that changed since the last pass.
    pub(super) changed: BTreeSet<u32>,
    pub(super) since_pass: u32,
    pub(super) dirty: Dirty,
    /// Zero between calls.
    pub(super) scratch: Vec<f32>,
}

/// What must be written at the next `take_records`.
#[derive(Debug, Default)]
pub(super) struct Dirty {
    pub meta: bool,
    pub slots: BTreeSet<u32>,
    pub labels: BTreeSet<u32>,
    pub clusters: BTreeSet<u32>,
    pub repeats: BTreeSet<u32>,
}

impl RulesExecutive {
    /// An executive that has seen nothing. All vectors come with the features; `models` only says whether they are
    /// those that general nouns can be compared with.
    pub fn new(space: Arc<str>, models: Models, settings: Settings) -> Self {
        let statistics = Statistics::default();
        Self {
            space,
            content: statistics.content(&settings),
            settings,
            slots: Vec::new(),
            live: 0,
            by_node: FxHashMap::default(),
            repeats: BTreeSet::new(),
            repeat_of: FxHashMap::default(),
            founders: FxHashMap::default(),
            lexicon: Lexicon::default(),
            near: Near::default(),
            statistics,
            attributes: Attributes::default(),
            window: Window::default(),
            themes: Themes::default(),
            actors: FxHashMap::default(),
            general: General::for_words(&*models.words),
            clusters: BTreeMap::new(),
            by_concept: FxHashMap::default(),
            titles: BTreeSet::new(),
            unconfirmed: BTreeSet::new(),
            next_cluster: 1,
            changed: BTreeSet::new(),
            since_pass: 0,
            dirty: Dirty::default(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn slot(&self, slot: u32) -> Option<&Slot> {
        self.slots.get(slot as usize)?.as_deref()
    }

    pub(super) fn cluster_of(&self, slot: u32) -> u32 {
        self.slot(slot).map_or(0, |s| s.cluster)
    }

    /// Registers an event's features under a new slot, without links.
    pub(super) fn enter(&mut self, slot: u32, node: NodeIx, f: &Features) {
        let buckets = self.near.buckets(&f.dense, &f.sif);
        if self.slots.len() <= slot as usize {
            self.slots.resize_with(slot as usize + 1, || None);
        }
        let numbered = self.lexicon.add(slot, f);
        self.slots[slot as usize] = Some(Box::new(Slot::new(node, f, buckets, numbered)));
        self.live += 1;
        self.by_node.insert(node.0, slot);
        self.founders.insert(f.content, slot);
        self.attributes.add(&f.attributes);
        self.themes.add(&f.phrases);
        for word in &f.phrases.actor {
            *self.actors.entry(*word).or_default() += 1;
        }
        self.near.add(slot, &buckets);
    }

    /// Registers the links of a slot with the events they lead to.
    pub(super) fn connect(&mut self, slot: u32, links: Vec<super::slot::Link>) {
        for l in &links {
            if let Some(s) = self.slots[l.earlier as usize].as_mut() {
                s.later.push(slot);
            }
        }
        if let Some(s) = self.slots[slot as usize].as_mut() {
            s.links = links.into();
        }
    }

    /// Moves a slot to a cluster (0: to none); the concept is not told.
    pub(super) fn relabel(&mut self, slot: u32, to: u32) {
        let Some(s) = self.slots[slot as usize].as_mut() else {
            return;
        };
        let (from, values) = (s.cluster, s.values);
        if from == to {
            return;
        }
        s.cluster = to;
        self.dirty.labels.insert(slot);
        if let Some(c) = self.clusters.get_mut(&from) {
            c.remove(slot, &values);
        }
        if let Some(c) = self.clusters.get_mut(&to) {
            c.insert(slot, &values);
        }
    }

    pub(super) fn calibrate(&mut self) {
        self.attributes
            .calibrate(&self.window, &self.content, &self.settings);
    }

    pub(super) fn is_founder(&self, slot: u32) -> bool {
        self.repeats.range((slot, 0)..=(slot, u32::MAX)).next().is_some()
    }
}

impl Executive for RulesExecutive {
    /// Cost: the event's own words, up to some hundred vector products, 32 full comparisons.
    fn observe(&mut self, graph: &Graph, _now: Ts, item: Item<'_>) -> Vec<Plan> {
        if self.by_node.contains_key(&item.ix.0) || self.repeat_of.contains_key(&item.ix.0) {
            return Vec::new();
        }
        self.dirty.meta = true;
        self.confirm(graph);
        if let Some(&slot) = self.founders.get(&item.features.content) {
            return self.repeat(graph, &item, slot);
        }
        let slot = self.slots.len() as u32;
        self.enter(slot, item.ix, &item.features);
        let links = self.compare(slot, &item.features);
        self.connect(slot, links);
        if self.live <= CALIBRATE_EACH {
            self.calibrate();
        }
        self.dirty.slots.insert(slot);
        self.changed.insert(slot);
        self.since_pass += 1;
        let mut plans = self.arrive(graph, slot, &item);
        plans.extend(self.chain(graph, slot, &item));
        plans
    }

    /// Cost: bounded by `pass_active` (a space of up to `pass_all` events is considered whole).
    fn pass(&mut self, graph: &Graph, _now: Ts) -> Vec<Plan> {
        // A large space gains little from a pass right after each few events: half as many cost half.
        let large = self.live > self.settings.pass_all as usize;
        let period = self.settings.period.max(1) * if large { 2 } else { 1 };
        if self.since_pass < period {
            return Vec::new();
        }
        self.since_pass = 0;
        self.dirty.meta = true;
        self.confirm(graph);
        self.calibrate();
        // Asked before the pass forgets what changed; titles come after it, when it is clear who belongs where.
        let grown = self.changed.iter().map(|s| self.cluster_of(*s)).collect();
        let mut plans = self.consolidate(graph);
        plans.extend(self.plan_retitled(graph, grown));
        plans
    }

    /// Cost: the event's links in both directions and its terms.
    fn erase(&mut self, graph: &Graph, _now: Ts, event: NodeIx) -> Vec<Plan> {
        self.dirty.meta = true;
        self.confirm(graph);
        self.forget(graph, event)
    }

    fn merged(&mut self, keep: &NodeId, absorb: &NodeId) {
        self.dirty.meta = true;
        self.follow_merge(keep, absorb);
    }

    /// Cost: up to `VECTOR_MEMBERS` vectors, once after each change of the concept's members.
    fn concept_vector(&self, concept: &NodeId) -> Option<Arc<[f32]>> {
        let c = self.clusters.get(self.by_concept.get(concept)?)?;
        if let Some(known) = c.vector.get() {
            return Some(known.clone());
        }
        let step = c.size().div_ceil(VECTOR_MEMBERS).max(1);
        let members = c.members.iter().step_by(step);
        let members: Vec<&Slot> = members.filter_map(|&m| self.slot(m)).collect();
        let mut sum = vec![0f32; members.first()?.dense.values().len()];
        members.iter().for_each(|m| m.dense.add_to(&mut sum));
        let norm = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if norm > 0.0 {
            sum.iter_mut().for_each(|x| *x /= norm);
        }
        Some(c.vector.get_or_init(|| sum.into()).clone())
    }

    fn take_records(&mut self) -> Vec<StateRecord> {
        self.write_records()
    }
}
