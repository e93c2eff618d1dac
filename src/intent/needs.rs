//! What becomes of what somebody asked, promised, left open or dated: answered, taken up, repeated, or spoken for.
//!
//! A need speaks when it had its time to be answered and nothing answered it, at once when somebody comes back to it, or
//! when its date comes near. An event finds the needs it has to do with by a word, an actor or a name that they share.
//! Strength of a statement: how clearly it was said (see `cues`), more when it stayed unanswered, for reminders, and
//! when it names a time. Deadlines have a strength of their own (see `emerge`).

use super::cues::IntentCues;
use super::emerge::{Candidate, concept_of};
use super::engine::{IntentEngine, event_of, intent_of};
use super::need::{Bond, MAX_ABOUT, Need};
use super::wording::Trigger;
use crate::event::Ts;
use crate::graph::{Graph, Intent, IntentStatus, NodeIx, NodePatch, Plan};

/// Statements weaker than this are not remembered.
const LEAST_SAID: f32 = 0.35;
/// What is weaker than this does not keep an event from closing something.
const CLEARLY_SAID: f32 = 0.5;
/// Reminders that add strength, and further events that a need keeps.
const MAX_REMINDERS: u8 = 2;
const MAX_WITH: usize = 6;
/// Looks at a need without a date that is still too weak, after the first.
const MORE_LOOKS: f64 = 4.0;

/// What an event does to a need.
enum Act {
    /// It shows the need met, dropped or answered.
    Meets(&'static str),
    /// Somebody takes a request up.
    Promises,
    /// It comes back to what is still open.
    Reminds,
    /// It is about the matter, and no more: the intent that speaks for it is led to it.
    Agrees,
}

impl IntentEngine {
    /// Lets an event act on what others stated before it. True when it spoke of a known need and states no new one.
    /// Cost: bounded by the words of the event.
    pub(super) fn relate(
        &mut self,
        graph: &Graph,
        now: Ts,
        event: NodeIx,
        time: Ts,
        cues: &IntentCues,
    ) -> (Vec<Plan>, bool) {
        let (mut plans, mut told) = (Vec::new(), false);
        for ix in self.state.need_index().near(cues) {
            let Some(need) = self.state.need(ix).filter(|n| ix != event && n.since <= time.0) else {
                continue;
            };
            let alone = self.state.need_index().of(need.who).len() == 1;
            let own = self.state.counters.is_own(need.who);
            match judge(cues, need, alone, own) {
                None => {}
                Some(Act::Meets(why)) => plans.extend(self.met(graph, now, ix, why)),
                Some(Act::Promises) => {
                    let mut need = need.clone();
                    need.trigger = Trigger::Commitment;
                    need.said = need.said.max(cues.statement.map_or(0.0, |s| s.own));
                    need.since = time.0;
                    plans.extend(self.grows(graph, now, ix, need, event));
                    told = true;
                }
                Some(Act::Reminds) => {
                    let mut need = need.clone();
                    need.reminders = need.reminders.saturating_add(1);
                    if !need.has_due()
                        && let Some(date) = cues.dates.first()
                    {
                        (need.due, need.limit) = (date.end.0, date.limit);
                    }
                    plans.extend(self.grows(graph, now, ix, need, event));
                    told = true;
                }
                Some(Act::Agrees) => {
                    if let Some(id) = need.intent.clone() {
                        plans.extend(self.add_evidence(graph, now, &id.into(), event, None));
                    }
                }
            }
        }
        (plans, told)
    }

    /// Somebody closed a need: its intent is resolved, and nobody looks for it any more.
    fn met(&mut self, graph: &Graph, now: Ts, ix: NodeIx, why: &str) -> Option<Plan> {
        let id = self.state.need(ix)?.intent.clone();
        self.state.put_need(ix, None);
        let (node, intent) = intent_of(graph, &id?).filter(|(_, i)| i.status.is_open())?;
        let next = Intent {
            status: IntentStatus::Resolved,
            ..intent.clone()
        };
        Some(self.change(graph, now, node, next, NodePatch::default(), why))
    }

    /// A further event belongs to a need: the intent that speaks for it takes it as evidence, or it is looked at anew.
    fn grows(&mut self, graph: &Graph, now: Ts, ix: NodeIx, mut need: Need, event: NodeIx) -> Option<Plan> {
        if !need.with.contains(&event.0) && need.with.len() < MAX_WITH {
            need.with.push(event.0);
        }
        let id = need.intent.clone();
        if id.is_none() {
            need.next = if need.trigger == Trigger::Commitment && need.reminders == 0 {
                self.answered_by(need.since).max(now.0.saturating_add(1))
            } else {
                now.0
            };
        }
        self.state.put_need(ix, Some(need));
        self.add_evidence(graph, now, &id?.into(), event, None)
    }

    /// Remembers what an event states: a request, promise or open choice, and the nearest time ahead that it names.
    pub(super) fn note_need(&mut self, now: Ts, event: NodeIx, time: Ts, cues: &IntentCues) {
        let own = self.state.counters.is_own(cues.who);
        let statement = cues
            .statement
            .map(|s| (Trigger::from(s.kind), if own { s.own } else { s.other }))
            .filter(|(_, said)| *said >= LEAST_SAID);
        let horizon = now.0.saturating_add(hours(self.settings.horizon_hours));
        let date = cues
            .dates
            .iter()
            .find(|d| d.end > now && d.start > time && d.end.0 <= horizon);
        if statement.is_none() && date.is_none() {
            return;
        }
        let (trigger, said) = statement.unwrap_or((Trigger::Deadline, 0.0));
        let near = date.map(|d| d.end.0.saturating_sub(hours(self.settings.near_hours)));
        let answer = statement.map(|_| self.answered_by(time.0));
        let next = near.into_iter().chain(answer).min().unwrap_or(i64::MAX);
        let need = Need {
            due: date.map_or(i64::MAX, |d| d.end.0),
            limit: date.is_some_and(|d| d.limit && d.end.hours_since(time) >= super::engine::SHORTEST_LEAD),
            // A limit that somebody is told is theirs to keep.
            obligation: cues.signals.obligation || cues.signals.addressed,
            next: next.max(now.0.saturating_add(1)),
            trigger,
            said,
            who: cues.who,
            name: cues.name,
            thread: cues.thread,
            about: cues.about.iter().copied().take(MAX_ABOUT).collect(),
            since: time.0,
            ..Need::default()
        };
        self.state.put_need(event, Some(need));
        if let Some(oldest) = self.state.surplus_need(self.settings.max_needs) {
            self.state.put_need(oldest, None);
        }
    }

    /// A need's turn: it had its time to be answered, or its date is near or past.
    pub(super) fn need_turn(&mut self, graph: &Graph, now: Ts, event: NodeIx) -> Option<Plan> {
        let need = self.state.need(event)?.clone();
        // A date that is no limit takes nothing away from what was asked.
        let late = now.0 >= need.due && (need.limit || need.said == 0.0);
        let over = late || now.hours_since(Ts(need.since)) >= self.settings.stated_hours;
        if event_of(graph, event).is_none() || (over && need.intent.is_none()) {
            self.state.put_need(event, None);
            return None;
        }
        let next = self.next_look(&need, now);
        self.state.put_need(event, Some(Need { next, ..need.clone() }));
        if need.intent.is_some() || over {
            return None;
        }
        let concept = concept_of(graph, event);
        if need.has_due()
            && now.0 < need.due
            && let Some(plan) = self.near(graph, now, concept, event, &need)
        {
            return Some(plan);
        }
        if !need.trigger.is_stated() {
            return None;
        }
        let candidate = self.stated_need(now, concept, event, &need);
        self.emit(graph, now, candidate)
    }

    fn stated_need(&self, now: Ts, concept: Option<NodeIx>, event: NodeIx, need: &Need) -> Candidate {
        let s = &self.settings;
        let waited = now.0 >= self.answered_by(need.since);
        let strength = need.said
            + if waited { s.unanswered } else { 0.0 }
            + s.reminder * f32::from(need.reminders.min(MAX_REMINDERS))
            + if need.limit { s.dated } else { 0.0 }
            - if concept.is_none() { s.lone } else { 0.0 };
        Candidate {
            trigger: need.trigger,
            concept,
            evidence: std::iter::once(event)
                .chain(need.with.iter().map(|x| NodeIx(*x)))
                .collect(),
            deadline: need.limit.then_some(Ts(need.due)),
            strength,
            usual_gap: None,
            need: Some(event),
        }
    }

    /// When what was said at `since` has had its time to be answered.
    fn answered_by(&self, since: i64) -> i64 {
        since.saturating_add(hours(self.settings.answer_hours))
    }

    /// The next moment after `now` at which a need may speak.
    fn next_look(&self, need: &Need, now: Ts) -> i64 {
        let near = self.settings.near_hours;
        let before = |h: f64| need.due.saturating_sub(hours(h));
        let dated = [before(near), before(near / 2.0), before(near / 6.0), need.due];
        let answer = self.settings.answer_hours;
        let looks = (1..=MORE_LOOKS as i64 + 1).map(|k| need.since.saturating_add(hours(answer * k as f64)));
        let looks = looks.chain([need.since.saturating_add(hours(self.settings.stated_hours))]);
        dated
            .into_iter()
            .filter(|_| need.has_due())
            .chain(looks.filter(|_| need.said > 0.0))
            .filter(|t| *t > now.0)
            .min()
            .unwrap_or(i64::MAX)
    }
}

fn judge(cues: &IntentCues, need: &Need, alone: bool, own: bool) -> Option<Act> {
    let bond = Bond::of(cues, need);
    let signals = cues.signals;
    let clear = cues.statement.is_some_and(|s| s.other >= CLEARLY_SAID) || signals.trouble || signals.open;
    let sure = signals.done || signals.withdrawn;
    let ends = signals.withdrawn || (signals.closing && !clear);
    // That the stream's own voice speaks again says nothing: it speaks all the time.
    let same = bond.same && !own;
    let person = same || bond.named;
    // What is surely done needs to be about the matter; what merely came to an end must come from whom it concerns.
    let about = sure && (bond.matter() || bond.shared > 1);
    let ended = ends && (about || (person && (alone || bond.shared > 0)));
    // Who asked comes back to the matter and asks no more.
    let content = same && bond.rare > 0 && !clear && cues.statement.is_none();
    if ended || content {
        return Some(Act::Meets("an event shows that it is done or dropped"));
    }
    let asked = matches!(need.trigger, Trigger::Request | Trigger::Decision) && need.said > 0.0;
    if bond.thread && asked && !bond.same && cues.statement.is_none() && !signals.open {
        return Some(Act::Meets("it was answered"));
    }
    let near = bond.matter() || (bond.same && bond.shared > 0);
    if !near {
        return None;
    }
    let promises = cues
        .statement
        .is_some_and(|s| s.kind == super::cues::Kind::Commitment);
    if asked && promises && !bond.same {
        return Some(Act::Promises);
    }
    let back = cues.statement.is_some() || signals.open || signals.trouble;
    if back && need.said > 0.0 && (bond.thread || (bond.rare > 0 && (person || bond.shared > 2))) {
        return Some(Act::Reminds);
    }
    bond.matter().then_some(Act::Agrees)
}

fn hours(h: f64) -> i64 {
    (h * Ts::HOUR as f64) as i64
}
