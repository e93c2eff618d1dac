//! The engine of one space: what enters it, and in which order things happen.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cues::IntentCues;
use super::state::{Open, State, Turn};
use super::track::{RECENT, Seen, Track};
use super::{CATEGORIES, CategoryState, Settings};
use crate::event::{Event, Ts};
use crate::graph::{Body, EdgeKind, Graph, Intent, Node, NodeIx, Plan};
use crate::state::StateRecord;

/// Concepts of one event that are looked at.
const MAX_TOUCHED: usize = 4;
/// Events whose cues are kept in memory; those of older ones are read again when they are wanted.
const MAX_CUES: usize = 32_768;
/// Hours from an event to a limit that is worth watching: "within ten minutes" is over before anyone reads it.
pub(super) const SHORTEST_LEAD: f64 = 1.0;
/// New intents that a space may give before its events have earned any.
const FIRST_ALLOWANCE: f32 = 1.0;
/// Newest members read of a concept that a pass changed.
const MAX_CAUGHT_UP: usize = 8;
/// Turns taken in one tick; the rest waits for the next.
const MAX_TURNS: usize = 64;

/// Plans the intents of one space.
pub struct IntentEngine {
    pub(super) space: Arc<str>,
    pub(super) settings: Settings,
    pub(super) state: State,
    /// What the newest events state: made from their words alone, so losing it loses nothing.
    cues: FxHashMap<NodeIx, Arc<IntentCues>>,
    cued: VecDeque<NodeIx>,
}

impl IntentEngine {
    pub fn new(space: Arc<str>, settings: Settings) -> Self {
        let mut state = State::default();
        state.counters_mut().allowance = FIRST_ALLOWANCE.min(settings.allowance_max);
        IntentEngine {
            space,
            settings,
            state,
            cues: FxHashMap::default(),
            cued: VecDeque::new(),
        }
    }

    /// Takes back what [`IntentEngine::take_records`] handed out. Cost: linear in the records.
    pub fn restore(
        space: Arc<str>,
        settings: Settings,
        records: impl IntoIterator<Item = StateRecord>,
    ) -> Self {
        let mut engine = Self::new(space, settings);
        let records: Vec<StateRecord> = records.into_iter().collect();
        if !records.is_empty() {
            engine.state = State::restore(records);
        }
        engine
    }

    /// State that changed since the last call, in key order.
    pub fn take_records(&mut self) -> Vec<StateRecord> {
        self.state.take_records()
    }

    /// What feedback taught each category, in fixed order.
    pub fn calibration(&self) -> Vec<CategoryState> {
        CATEGORIES
            .iter()
            .map(|&category| {
                let c = self.state.category(category);
                CategoryState {
                    category,
                    weight: c.weight,
                    threshold: c.threshold(self.base(category), &self.settings),
                    acceptance: c.acceptance(),
                    verdicts: c.verdicts,
                }
            })
            .collect()
    }

    /// When [`IntentEngine::tick`] next has something to do.
    pub fn next_due(&self) -> Option<Ts> {
        self.state.next_due()
    }

    /// One event was folded: its node, its times ([`super::time_plans`]) and its edges to concepts are in the graph.
    /// `touched` are the concepts that folding changed, those that the event joined among them. At most one new intent a
    /// concept. Cost: bounded by the words of the event, the needs that share them, its concepts (at most four) and
    /// their newest sixteen events; nothing is read from text.
    pub fn observe(
        &mut self,
        graph: &Graph,
        now: Ts,
        event: NodeIx,
        cues: &Arc<IntentCues>,
        touched: &[NodeIx],
    ) -> Vec<Plan> {
        let Some((_, body)) = event_of(graph, event) else {
            return Vec::new();
        };
        let time = body.time;
        self.keep_cues(event, cues.clone());
        self.count(time, cues);
        if cues.signals.injected {
            return Vec::new();
        }
        let (mut plans, told) = self.relate(graph, now, event, time, cues);
        if !told {
            self.note_need(now, event, time, cues);
        }
        let (mut looked, mut caught) = (0, 0);
        for &concept in touched {
            if !graph.is_member(event, concept) {
                // It changed without this event, so it got or lost older ones: brought up to date, no more.
                if caught < MAX_TOUCHED {
                    caught += 1;
                    self.catch_up(graph, concept);
                }
            } else if looked < MAX_TOUCHED {
                looked += 1;
                let new = self.track(graph, concept, event, seen(event, time, cues));
                if cues.signals.closing && plans.is_empty() {
                    plans.extend(self.meet(graph, now, concept, event, cues));
                }
                if new && plans.is_empty() {
                    plans.extend(self.consider(graph, now, concept, event));
                }
            }
        }
        if cues.signals.trouble && plans.is_empty() {
            plans.extend(self.consider_chain(graph, now, event));
        }
        plans
    }

    /// The stream clock moved: deferred intents wake, deadlines come near or pass, stale intents expire. Bounded; call
    /// again while it returns plans.
    pub fn tick(&mut self, graph: &Graph, now: Ts) -> Vec<Plan> {
        let mut plans = Vec::new();
        for _ in 0..MAX_TURNS {
            match self.state.next_turn(now) {
                Some(Turn::Intent(id)) => plans.extend(self.turn(graph, now, id)),
                Some(Turn::Need(event)) => plans.extend(self.need_turn(graph, now, event)),
                None => break,
            }
        }
        plans
    }

    /// Two concepts were merged in the graph: what was known of one goes to the other.
    pub fn concept_merged(&mut self, keep: NodeIx, absorb: NodeIx) {
        if let Some(gone) = self.state.track(absorb).cloned() {
            let mut kept = self.state.track(keep).cloned().unwrap_or_default();
            kept.absorb(gone, &self.settings);
            self.state.put_track(keep, Some(kept));
            self.state.put_track(absorb, None);
        }
        for id in self.state.open_of(absorb) {
            if let Some(open) = self.state.open(&id).cloned() {
                self.state.put_open(
                    id,
                    Some(Open {
                        concept: Some(keep.0),
                        ..open
                    }),
                );
            }
        }
    }

    /// A node is gone from the graph: what was known of it goes too. Constant cost.
    pub fn removed(&mut self, ix: NodeIx) {
        if self.state.track(ix).is_some() {
            self.state.put_track(ix, None);
        }
        self.state.put_need(ix, None);
        self.cues.remove(&ix);
    }

    /// Counts an event and what it adds to the allowances.
    fn count(&mut self, time: Ts, cues: &IntentCues) {
        let s = &self.settings;
        let (step, most) = (s.allowance_per_event, s.allowance_max);
        // Where nobody writes to anybody, that nothing answers says nothing.
        let spoken = if cues.signals.addressed {
            s.stated_per_address
        } else {
            0.0
        };
        let (stated_step, stated_most) = (s.stated_per_event + spoken, s.stated_max);
        let c = self.state.counters_mut();
        c.events += 1;
        c.first = Some(c.first.map_or(time.0, |t| t.min(time.0)));
        c.last = c.last.max(time.0);
        c.allowance = (c.allowance + step).min(most);
        c.stated = (c.stated + stated_step).min(stated_most);
        c.count_actor(cues.who);
    }

    fn keep_cues(&mut self, event: NodeIx, cues: Arc<IntentCues>) {
        if self.cues.insert(event, cues).is_none() {
            self.cued.push_back(event);
        }
        if self.cued.len() > MAX_CUES
            && let Some(oldest) = self.cued.pop_front()
        {
            self.cues.remove(&oldest);
        }
    }

    /// What an event states: as it was kept, else read from its words again.
    pub(super) fn cues_of(&self, graph: &Graph, event: NodeIx) -> Option<Arc<IntentCues>> {
        if let Some(known) = self.cues.get(&event) {
            return Some(known.clone());
        }
        let (_, body) = event_of(graph, event)?;
        Some(Arc::new(IntentCues::of(body, &crate::text::analyse(body))))
    }

    /// Events an hour that a concept of this space usually sees. A day is added, so a young stream does not look fast.
    pub(super) fn usual_rate(&self) -> f64 {
        let c = &self.state.counters;
        let hours = Ts(c.last).hours_since(Ts(c.first.unwrap_or(c.last))).max(0.0) + 24.0;
        c.events as f64 / hours / self.state.track_count().max(1) as f64
    }

    /// Brings a concept's track up to date; true when the event is new evidence for it.
    fn track(&mut self, graph: &Graph, concept: NodeIx, event: NodeIx, mut seen: Seen) -> bool {
        seen.repeat = graph.edge(event, concept, EdgeKind::Grounds).is_none();
        if let Some(track) = self.state.track_mut(concept) {
            return track.add(seen, &self.settings);
        }
        // It is met for the first time: it was born of events that were seen before.
        let mut track = Track::default();
        for member in self.members(graph, concept, RECENT, |ix| ix != event) {
            track.add(member, &self.settings);
        }
        let new = track.add(seen, &self.settings);
        self.state.put_track(concept, Some(track));
        new
    }

    /// A pass moved events: takes in the newest members that are not known yet.
    fn catch_up(&mut self, graph: &Graph, concept: NodeIx) {
        let Some(track) = self.state.track(concept) else {
            return;
        };
        if graph.node(concept).is_none() {
            return self.state.put_track(concept, None);
        }
        let unknown = self.members(graph, concept, MAX_CAUGHT_UP, |ix| !track.knows(ix));
        if unknown.is_empty() {
            return;
        }
        if let Some(track) = self.state.track_mut(concept) {
            for member in unknown {
                track.add(member, &self.settings);
            }
        }
    }

    /// The newest members of a concept, at most `limit` of them read, that are `wanted`; by time.
    fn members(
        &self,
        graph: &Graph,
        concept: NodeIx,
        limit: usize,
        wanted: impl Fn(NodeIx) -> bool,
    ) -> Vec<Seen> {
        let mut members: Vec<Seen> = graph
            .incoming(concept)
            .rev()
            .take(limit)
            .filter(|e| e.kind.is_membership() && wanted(e.source))
            .filter_map(|e| {
                let (_, body) = event_of(graph, e.source)?;
                let cues = self.cues_of(graph, e.source)?;
                let mut seen = seen(e.source, body.time, &cues);
                seen.repeat = e.kind == EdgeKind::Reinforces || cues.signals.injected;
                Some(seen)
            })
            .collect();
        members.sort_by_key(|s| (s.time, s.ix));
        members
    }

    /// Threshold of a category before calibration.
    pub(super) fn base(&self, category: &str) -> f32 {
        let s = &self.settings;
        match category {
            "deadline" => s.base_deadline,
            "problem" => s.base_recurrence,
            "request" => s.base_request,
            "commitment" => s.base_commitment,
            "decision" => s.base_decision,
            "cause" => s.base_chain,
            _ => s.base_burst,
        }
    }

    pub(super) fn next_seq(&mut self) -> u64 {
        let c = self.state.counters_mut();
        c.seq += 1;
        c.seq
    }
}

fn seen(ix: NodeIx, time: Ts, cues: &IntentCues) -> Seen {
    let s = cues.signals;
    Seen {
        time: time.0,
        ix: ix.0,
        shape: cues.shape,
        trouble: s.trouble,
        goal: !s.done && (s.trouble || s.obligation || s.again),
        repeat: false,
    }
}

pub(super) fn event_of(graph: &Graph, ix: NodeIx) -> Option<(&Node, &Event)> {
    let node = graph.node(ix)?;
    match &node.body {
        Body::Event(event) => Some((node, event)),
        _ => None,
    }
}

pub(super) fn intent_of<'a>(graph: &'a Graph, id: &str) -> Option<(&'a Node, &'a Intent)> {
    let node = graph.node(graph.ix(id)?)?;
    match &node.body {
        Body::Intent(intent) => Some((node, intent)),
        _ => None,
    }
}
