//! The writer's side: statements filed by slot and event time, and taken out again.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Distilled;
use super::triple::Triple;
use super::view::{DistillView, Key, Place};
use crate::event::Event;
use crate::graph::NodeIx;

/// Statements of one space.
#[derive(Default)]
pub struct Ledger {
    view: DistillView,
    /// Names and sources that no event uses any more give their numbers back.
    free: Vec<u32>,
    next: u32,
    /// Where the events stand in their sources' runs.
    runs: FxHashMap<NodeIx, (u32, i64)>,
    next_source: u32,
}

impl Ledger {
    pub fn new(settings: super::Settings) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.view.settings = settings;
        ledger
    }

    /// Files what an event states. Cost: at most [`super::MAX_TRIPLES`] entries of O(log n).
    pub fn add(&mut self, ix: NodeIx, event: &Event, distilled: Distilled) {
        self.runs_on(ix, event);
        if distilled.triples.is_empty() || self.view.of_event.contains_key(&ix.0) {
            return;
        }
        let mut keys = Vec::with_capacity(distilled.triples.len());
        for (n, t) in distilled.triples.into_iter().enumerate() {
            let subject = self.number(&t.subject.key);
            let object = self.number(&t.object.key);
            let qualifier = match &t.attribute {
                Some(a) => self.number(&a.key),
                None if t.predicate.is_set() => self.number(&t.object.key),
                None => 0,
            };
            let key = Key {
                subject,
                predicate: t.predicate as u8,
                qualifier,
                place: Place {
                    time: event.time,
                    event: ix.0,
                    n: n as u8,
                },
            };
            self.view.recent.insert((subject, key.place), key.slot());
            self.view.pointing.insert((object, key.place), key.slot());
            self.view.statements.insert(key, Arc::new(t));
            keys.push(key);
        }
        self.view.of_event.insert(ix.0, keys.into());
    }

    fn runs_on(&mut self, ix: NodeIx, event: &Event) {
        let source = match self.view.sources.get(event.source.as_str()) {
            Some(n) => *n,
            None => {
                let n = self.next_source;
                self.next_source += 1;
                self.view.sources.insert(event.source.as_str().into(), n);
                n
            }
        };
        self.view.runs.insert((source, event.time, ix.0));
        self.runs.insert(ix, (source, event.time.0));
    }

    /// Takes out all that an event stated. What it had replaced holds again. Cost: what the event stated.
    pub fn erase(&mut self, ix: NodeIx) {
        if let Some((source, time)) = self.runs.remove(&ix) {
            self.view.runs.remove(&(source, crate::event::Ts(time), ix.0));
        }
        let Some(keys) = self.view.of_event.remove(&ix.0) else {
            return;
        };
        for key in keys.iter() {
            let Some(t) = self.view.statements.remove(key) else {
                continue;
            };
            let object = self.view.names.get(&t.object.key).map(|n| n.0);
            self.view.recent.remove(&(key.subject, key.place));
            if let Some(object) = object {
                self.view.pointing.remove(&(object, key.place));
            }
            self.release(&t);
        }
    }

    /// What readers see. Cost: constant; the maps share structure.
    pub fn publish(&self) -> DistillView {
        self.view.clone()
    }

    fn number(&mut self, key: &Arc<str>) -> u32 {
        if let Some((number, uses)) = self.view.names.get_mut(key) {
            *uses += 1;
            return *number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next
        });
        self.view.names.insert(key.clone(), (number, 1));
        number
    }

    fn release(&mut self, t: &Triple) {
        let set = t.attribute.is_none() && t.predicate.is_set();
        let names = [
            Some(&t.subject),
            Some(&t.object),
            t.attribute.as_ref(),
            set.then_some(&t.object),
        ];
        for name in names.into_iter().flatten() {
            let Some((number, uses)) = self.view.names.get_mut(&name.key) else {
                continue;
            };
            *uses -= 1;
            if *uses == 0 {
                let number = *number;
                self.view.names.remove(&name.key);
                self.free.push(number);
            }
        }
    }
}
