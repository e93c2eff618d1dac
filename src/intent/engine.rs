//! The engine of one space: what enters it, and in which order things happen.

use std::sync::Arc;

use super::cues::{self, Signals};
use super::state::{Open, State, Turn, Watch};
use super::track::{Seen, Track};
use super::{CATEGORIES, CategoryState, Settings};
use crate::event::{Event, Ts};
use crate::graph::{Body, EdgeKind, Graph, Intent, Node, NodeIx, Plan};
use crate::state::StateRecord;
use crate::text::{Analysis, Granularity};

/// Concepts of one event that are looked at.
const MAX_TOUCHED: usize = 4;
/// Members read when a concept is met for the first time.
const MAX_MEMBERS: usize = 64;
/// Hours from an event to a limit that is worth watching: "within ten minutes" is over before anyone reads it.
const SHORTEST_LEAD: f64 = 1.0;
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
}

impl IntentEngine {
    pub fn new(space: Arc<str>, settings: Settings) -> Self {
        let mut state = State::default();
        state.counters_mut().allowance = FIRST_ALLOWANCE.min(settings.allowance_max);
        IntentEngine {
            space,
            settings,
            state,
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
    /// `touched` are the concepts that folding changed, those that the event joined among them. At most one new intent a concept. Cost: bounded by the event's text, its concepts (at most four) and their
    /// newest sixteen events.
    pub fn observe(
        &mut self,
        graph: &Graph,
        now: Ts,
        event: NodeIx,
        analysis: &Analysis,
        touched: &[NodeIx],
    ) -> Vec<Plan> {
        let Some((_, body)) = event_of(graph, event) else {
            return Vec::new();
        };
        let signals = cues::read(body);
        self.count(body.time);
        if signals.injected {
            return Vec::new();
        }
        self.watch_dates(now, event, body, analysis, signals);
        let mut plans = Vec::new();
        let (joined, others): (Vec<NodeIx>, Vec<NodeIx>) = touched
            .iter()
            .partition(|&&concept| graph.is_member(event, concept));
        // Concepts that changed without this event got or lost older ones: they are brought up to date, no more.
        for &concept in others.iter().take(MAX_TOUCHED) {
            self.catch_up(graph, concept);
        }
        for &concept in joined.iter().take(MAX_TOUCHED) {
            let new = self.track(graph, concept, event, seen(event, body, signals));
            if signals.done {
                plans.extend(self.meet(graph, now, concept, body));
            }
            if new && plans.is_empty() {
                plans.extend(self.consider(graph, now, concept, event));
            }
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
                Some(Turn::Watch(event)) => plans.extend(self.look_again(graph, now, event)),
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
        if self.state.watch(ix).is_some() {
            self.state.put_watch(ix, None);
        }
    }

    /// Counts an event and what it adds to the allowance.
    fn count(&mut self, time: Ts) {
        let (step, most) = (self.settings.allowance_per_event, self.settings.allowance_max);
        let c = self.state.counters_mut();
        c.events += 1;
        c.first = Some(c.first.map_or(time.0, |t| t.min(time.0)));
        c.last = c.last.max(time.0);
        c.allowance = (c.allowance + step).min(most);
    }

    /// Events an hour that a concept of this space usually sees. A day is added, so a young stream does not look fast.
    pub(super) fn usual_rate(&self) -> f64 {
        let c = &self.state.counters;
        let hours = Ts(c.last).hours_since(Ts(c.first.unwrap_or(c.last))).max(0.0) + 24.0;
        c.events as f64 / hours / self.state.track_count().max(1) as f64
    }

    /// Remembers the nearest date ahead that the event states as a limit, or else as a time.
    fn watch_dates(&mut self, now: Ts, event: NodeIx, body: &Event, analysis: &Analysis, signals: Signals) {
        if signals.done {
            return;
        }
        let horizon = now
            .0
            .saturating_add((self.settings.horizon_hours * Ts::HOUR as f64) as i64);
        let ahead = |m: &&crate::text::DateMention| {
            !m.recurring
                && m.end > now
                && m.start > body.time
                && m.end.0 <= horizon
                && cues::date_counts(body, &m.surface)
        };
        let Some(mention) = analysis
            .dates
            .iter()
            .filter(ahead)
            .min_by_key(|m| (!m.deadline, m.end, m.start))
        else {
            return;
        };
        let near = mention
            .end
            .0
            .saturating_sub((self.settings.near_hours * Ts::HOUR as f64) as i64);
        let watch = Watch {
            due: mention.end.0,
            limit: mention.deadline
                && mention.granularity <= Granularity::Week
                && mention.end.hours_since(body.time) >= SHORTEST_LEAD
                && !cues::is_duration(body, &mention.surface),
            obligation: signals.obligation,
            next: near.max(now.0.saturating_add(1)),
        };
        self.state.put_watch(event, Some(watch));
    }

    /// Brings a concept's track up to date; true when the event is new evidence for it.
    fn track(&mut self, graph: &Graph, concept: NodeIx, event: NodeIx, mut seen: Seen) -> bool {
        seen.repeat = graph.edge(event, concept, EdgeKind::Grounds).is_none();
        let mut track = match self.state.track(concept) {
            Some(track) => track.clone(),
            None => self.known_members(graph, concept, event),
        };
        let new = track.add(seen, &self.settings);
        self.state.put_track(concept, Some(track));
        new
    }

    /// A pass moved events: takes in the newest members that are not known yet.
    fn catch_up(&mut self, graph: &Graph, concept: NodeIx) {
        let Some(mut track) = self.state.track(concept).cloned() else {
            return;
        };
        if graph.node(concept).is_none() {
            return self.state.put_track(concept, None);
        }
        let mut changed = false;
        for member in self.members(graph, concept, MAX_CAUGHT_UP) {
            changed |= track.add(member, &self.settings);
        }
        if changed {
            self.state.put_track(concept, Some(track));
        }
    }

    /// A concept is met for the first time: it was born of events that were seen before.
    fn known_members(&self, graph: &Graph, concept: NodeIx, except: NodeIx) -> Track {
        let mut track = Track::default();
        for member in self.members(graph, concept, MAX_MEMBERS) {
            if member.ix() != except {
                track.add(member, &self.settings);
            }
        }
        track
    }

    /// The newest members of a concept, at most `limit`, by time.
    fn members(&self, graph: &Graph, concept: NodeIx, limit: usize) -> Vec<Seen> {
        let mut members: Vec<Seen> = graph
            .incoming(concept)
            .rev()
            .take(limit)
            .filter(|e| e.kind.is_membership())
            .filter_map(|e| {
                let (_, body) = event_of(graph, e.source)?;
                let signals = cues::read(body);
                let mut seen = seen(e.source, body, signals);
                seen.repeat = e.kind == EdgeKind::Reinforces || signals.injected;
                Some(seen)
            })
            .collect();
        members.sort_by_key(|s| (s.time, s.ix));
        members
    }

    /// Threshold of a category before calibration.
    pub(super) fn base(&self, category: &str) -> f32 {
        match category {
            "deadline" => self.settings.base_deadline,
            "problem" => self.settings.base_recurrence,
            _ => self.settings.base_burst,
        }
    }

    pub(super) fn next_seq(&mut self) -> u64 {
        let c = self.state.counters_mut();
        c.seq += 1;
        c.seq
    }
}

fn seen(ix: NodeIx, body: &Event, signals: Signals) -> Seen {
    Seen {
        time: body.time.0,
        ix: ix.0,
        shape: cues::shape(body),
        trouble: signals.trouble,
        goal: !signals.done && (signals.trouble || signals.obligation || signals.again),
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
