//! The readers' side: an immutable snapshot of all statements, and what is true of a slot.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::triple::{Name, Predicate, Triple};
use super::truth::{Claim, Standing, Statement, versions};
use super::{Profile, Settings};
use crate::event::Ts;
use crate::graph::NodeIx;

/// Where a statement stands in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub time: Ts,
    pub event: u32,
    pub n: u8,
}

impl Place {
    const FIRST: Place = Place {
        time: Ts(i64::MIN),
        event: 0,
        n: 0,
    };

    /// Behind every statement up to an instant.
    fn until(at: Option<Ts>) -> Place {
        Place {
            time: at.unwrap_or(Ts(i64::MAX)),
            event: u32::MAX,
            n: u8::MAX,
        }
    }
}

/// (subject, predicate, attribute or object): what has one truth at a time. The names are numbers of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    pub(super) subject: u32,
    pub(super) predicate: u8,
    pub(super) qualifier: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub subject: u32,
    pub predicate: u8,
    pub qualifier: u32,
    pub place: Place,
}

impl Key {
    pub fn slot(&self) -> Slot {
        Slot {
            subject: self.subject,
            predicate: self.predicate,
            qualifier: self.qualifier,
        }
    }

    fn of(slot: Slot, place: Place) -> Key {
        Key {
            subject: slot.subject,
            predicate: slot.predicate,
            qualifier: slot.qualifier,
            place,
        }
    }
}

/// A bounded run of related events: one source, no long silence within.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub from: Ts,
    pub to: Ts,
    /// By time.
    pub events: Vec<NodeIx>,
    /// The run goes on before or after what is shown.
    pub cut: bool,
}

/// Statements of a space after some commit. A clone costs a few pointers.
#[derive(Clone, Default)]
pub struct DistillView {
    pub(super) statements: OrdMap<Key, Arc<Triple>>,
    /// (subject, place) -> slot: what was said about it, by time.
    pub(super) recent: OrdMap<(u32, Place), Slot>,
    /// (object, place) -> slot.
    pub(super) pointing: OrdMap<(u32, Place), Slot>,
    pub(super) of_event: OrdMap<u32, Arc<[Key]>>,
    /// Key -> (number, uses).
    pub(super) names: OrdMap<Arc<str>, (u32, u32)>,
    pub(super) sources: OrdMap<Arc<str>, u32>,
    pub(super) runs: OrdSet<(u32, Ts, u32)>,
    pub(super) settings: Settings,
}

impl DistillView {
    /// Statements in it.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    pub(crate) fn number(&self, key: &str) -> Option<u32> {
        self.names.get(key).map(|n| n.0)
    }

    /// Slots about a subject, those with the newest statements first.
    pub(crate) fn slots_of(&self, subject: u32, as_of: Option<Ts>, most: usize) -> Vec<Slot> {
        newest(&self.recent, subject, as_of, most)
    }

    /// Slots with a statement whose object it is.
    pub(crate) fn slots_to(&self, object: u32, as_of: Option<Ts>, most: usize) -> Vec<Slot> {
        newest(&self.pointing, object, as_of, most)
    }

    /// Slots that an event speaks of.
    pub fn slots_in(&self, event: NodeIx) -> Vec<Slot> {
        let mut out = Vec::new();
        for k in self.of_event.get(&event.0).into_iter().flat_map(|k| k.iter()) {
            if !out.contains(&k.slot()) {
                out.push(k.slot());
            }
        }
        out
    }

    /// The newest statement of a slot.
    pub(crate) fn newest(&self, slot: Slot, as_of: Option<Ts>) -> Option<&Triple> {
        let range = Key::of(slot, Place::FIRST)..=Key::of(slot, Place::until(as_of));
        self.statements.range(range).next_back().map(|(_, t)| &**t)
    }

    /// Versions of a slot, oldest first, as they stood at an instant. Looks at the newest `history` statements.
    pub fn history(&self, slot: Slot, as_of: Option<Ts>) -> Vec<Claim> {
        let range = Key::of(slot, Place::FIRST)..=Key::of(slot, Place::until(as_of));
        let mut statements: Vec<Statement> = self
            .statements
            .range(range)
            .rev()
            .take(self.settings.history)
            .map(|(k, t)| Statement {
                triple: t.clone(),
                time: k.place.time,
                event: NodeIx(k.place.event),
            })
            .collect();
        statements.reverse();
        versions(&statements)
    }

    /// All versions of what an event speaks of.
    pub fn claims_in(&self, event: NodeIx, as_of: Option<Ts>) -> Vec<Claim> {
        let slots = self.slots_in(event);
        slots.into_iter().flat_map(|s| self.history(s, as_of)).collect()
    }

    /// The card of somebody or something: what holds of it, newest first. `None` when nothing is stated.
    pub fn profile(&self, name: &Name, as_of: Option<Ts>) -> Option<Profile> {
        let number = self.number(&name.key)?;
        let mut claims: Vec<Claim> = Vec::new();
        let about = self.slots_of(number, as_of, self.settings.recent);
        // What somebody answers for or is to others stands with them as objects.
        let of =
            |s: &Slot| s.predicate == Predicate::Attribute as u8 || s.predicate == Predicate::HandledBy as u8;
        let borne = self.slots_to(number, as_of, self.settings.recent / 2);
        for slot in about.into_iter().chain(borne.into_iter().filter(of)) {
            let versions = self.history(slot, as_of);
            let holds = |c: &Claim| {
                c.standing == Standing::Current && (c.subject.key == name.key || c.object.key == name.key)
            };
            claims.extend(versions.into_iter().rev().filter(holds));
        }
        claims.sort_by_key(|c| std::cmp::Reverse(c.last));
        claims.truncate(self.settings.profile_claims);
        (!claims.is_empty()).then(|| Profile {
            name: name.clone(),
            claims,
        })
    }

    /// The run of events around one, of its own source. Cost: O(log n) and at most `run_events` events.
    pub fn run(&self, source: &str, time: Ts, event: NodeIx) -> Option<Run> {
        let source = *self.sources.get(source)?;
        let here = (source, time, event.0);
        self.runs.get(&here)?;
        let gap = self.settings.run_gap_s.saturating_mul(Ts::SECOND);
        let half = (self.settings.run_events / 2).max(1);
        let near = |a: Ts, b: Ts| (a.0 - b.0).abs() <= gap;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let (mut last, mut cut) = (time, false);
        for (s, t, ix) in self.runs.range(..here).rev() {
            if *s != source || !near(*t, last) {
                break;
            }
            if before.len() == half {
                cut = true;
                break;
            }
            before.push((*t, NodeIx(*ix)));
            last = *t;
        }
        last = time;
        for (s, t, ix) in self.runs.range(here..).skip(1) {
            if *s != source || !near(*t, last) {
                break;
            }
            if after.len() == half {
                cut = true;
                break;
            }
            after.push((*t, NodeIx(*ix)));
            last = *t;
        }
        before.reverse();
        let from = before.first().map_or(time, |b| b.0);
        let events = before
            .into_iter()
            .map(|b| b.1)
            .chain([event])
            .chain(after.into_iter().map(|a| a.1));
        Some(Run {
            from,
            to: last,
            events: events.collect(),
            cut,
        })
    }
}

fn newest(map: &OrdMap<(u32, Place), Slot>, name: u32, as_of: Option<Ts>, most: usize) -> Vec<Slot> {
    let mut out: Vec<Slot> = Vec::new();
    for (_, slot) in map
        .range((name, Place::FIRST)..=(name, Place::until(as_of)))
        .rev()
        .take(most)
    {
        if !out.contains(slot) {
            out.push(*slot);
        }
    }
    out
}
