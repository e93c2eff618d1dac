//! What the engine keeps across restarts, and its form as records.
//!
//! Keys: `g` counters, `c` + node index a concept's track, `w` + node index a need that an event states, `i` + node id an
//! open intent, `k` + name a category. The first byte of a value is its version. Agendas and indexes are rebuilt from
//! these. Version 1 lacks the newest fields; they stand last in each record, and their absence reads as zero.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::calibration::Calibration;
use super::need::{Need, NeedIndex};
use super::track::Track;
use crate::event::Ts;
use crate::graph::NodeIx;
use crate::state::StateRecord;

const VERSION: u8 = 2;
/// Zeros that stand for the fields which a record of version 1 lacks.
const LACKING: [u8; 32] = [0; 32];
/// Actors counted to know the stream's own voice.
const MAX_ACTORS: usize = 8;
/// Share of the events above which the most frequent actor is the stream's own voice.
const OWN_SHARE: f64 = 0.2;

/// Counters of a space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Changes of intents so far: the position in the space's intent log.
    pub seq: u64,
    pub events: u64,
    /// Event time of the first event, to know the usual pace.
    pub first: Option<i64>,
    pub last: i64,
    /// New intents from deadlines and density the space may still give.
    pub allowance: f32,
    /// New intents from what somebody asked, promised or left open the space may still give.
    pub stated: f32,
    /// Commonest actors with how many of their events were seen (a Misra-Gries summary).
    pub actors: Vec<(u32, u32)>,
}

impl Counters {
    /// Counts an event's actor. Cost: constant.
    pub fn count_actor(&mut self, who: u32) {
        if who == 0 {
            return;
        }
        if let Some(known) = self.actors.iter_mut().find(|(a, _)| *a == who) {
            known.1 += 1;
        } else if self.actors.len() < MAX_ACTORS {
            self.actors.push((who, 1));
        } else {
            self.actors.iter_mut().for_each(|a| a.1 -= 1);
            self.actors.retain(|a| a.1 > 0);
        }
    }

    /// Whether this actor is the stream's own voice: the one that writes most of it.
    pub fn is_own(&self, who: u32) -> bool {
        let most = self.actors.iter().map(|a| a.1).max().unwrap_or(0);
        let count = self.actors.iter().find(|(a, _)| *a == who).map_or(0, |a| a.1);
        count == most && f64::from(count) >= OWN_SHARE * self.events as f64 && count > 1
    }
}

/// An intent that is pending, scheduled or deferred. Its node in the graph holds the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    pub category: String,
    pub trigger: String,
    pub pending: bool,
    pub concept: Option<u32>,
    pub deadline: Option<i64>,
    /// Evidence events by node index, by time.
    pub evidence: Vec<u32>,
    /// When the clock may change it.
    pub next: i64,
    /// A subscriber set the priority; the engine leaves it.
    pub priority_set: bool,
    /// A subscriber set the title; the engine leaves it.
    pub title_set: bool,
    /// New evidence that was not yet shown.
    pub unshown: u32,
    /// The event whose statement it speaks for.
    pub need: Option<u32>,
}

/// Whose turn it is when the clock moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    Intent(Arc<str>),
    Need(NodeIx),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Counters,
    Track(NodeIx),
    Need(NodeIx),
    Open(Arc<str>),
    Category(&'static str),
}

/// The state with its agenda and what of it changed.
#[derive(Default)]
pub struct State {
    pub counters: Counters,
    tracks: BTreeMap<NodeIx, Track>,
    needs: BTreeMap<NodeIx, Need>,
    index: NeedIndex,
    open: BTreeMap<Arc<str>, Open>,
    categories: BTreeMap<&'static str, Calibration>,
    by_concept: BTreeMap<NodeIx, BTreeSet<Arc<str>>>,
    pending: BTreeMap<String, usize>,
    agenda: BTreeSet<(i64, Turn)>,
    dirty: BTreeSet<Key>,
}

impl State {
    pub fn restore(records: impl IntoIterator<Item = StateRecord>) -> State {
        let mut state = State::default();
        for record in records {
            state.read(&record);
        }
        state.dirty.clear();
        state
    }

    /// Reads one record; damaged ones and those of another version are skipped.
    fn read(&mut self, record: &StateRecord) -> Option<()> {
        let value = record.value.as_deref()?;
        let (kind, key) = record.key.split_first()?;
        let ix = || Some(NodeIx(u32::from_be_bytes(key.try_into().ok()?)));
        match kind {
            b'g' => self.counters = decode(value)?,
            b'c' => self.put_track(ix()?, Some(decode(value)?)),
            b'w' => self.put_need(ix()?, Some(decode(value)?)),
            b'i' => self.put_open(std::str::from_utf8(key).ok()?.into(), Some(decode(value)?)),
            b'k' => {
                let name = super::calibration::CATEGORIES
                    .iter()
                    .find(|c| c.as_bytes() == key)?;
                self.categories.insert(name, decode(value)?);
            }
            _ => {}
        }
        Some(())
    }

    /// Records that changed since the last call, in key order.
    pub fn take_records(&mut self) -> Vec<StateRecord> {
        let dirty = std::mem::take(&mut self.dirty);
        dirty.into_iter().map(|key| self.record(&key)).collect()
    }

    fn record(&self, key: &Key) -> StateRecord {
        let at = |kind: u8, rest: &[u8]| [&[kind], rest].concat();
        let (key, value) = match key {
            Key::Counters => (at(b'g', b""), Some(encode(&self.counters))),
            Key::Track(ix) => (at(b'c', &ix.0.to_be_bytes()), self.tracks.get(ix).map(encode)),
            Key::Need(ix) => (at(b'w', &ix.0.to_be_bytes()), self.needs.get(ix).map(encode)),
            Key::Open(id) => (at(b'i', id.as_bytes()), self.open.get(id).map(encode)),
            Key::Category(name) => (at(b'k', name.as_bytes()), self.categories.get(name).map(encode)),
        };
        StateRecord { key, value }
    }

    pub fn counters_mut(&mut self) -> &mut Counters {
        self.dirty.insert(Key::Counters);
        &mut self.counters
    }

    pub fn track(&self, ix: NodeIx) -> Option<&Track> {
        self.tracks.get(&ix)
    }

    pub fn track_count(&self) -> usize {
        self.tracks.len()
    }

    pub fn put_track(&mut self, ix: NodeIx, track: Option<Track>) {
        match track {
            Some(t) => self.tracks.insert(ix, t),
            None => self.tracks.remove(&ix),
        };
        self.dirty.insert(Key::Track(ix));
    }

    /// The track to change in place, or `None` when the concept has none.
    pub fn track_mut(&mut self, ix: NodeIx) -> Option<&mut Track> {
        let track = self.tracks.get_mut(&ix)?;
        self.dirty.insert(Key::Track(ix));
        Some(track)
    }

    pub fn need(&self, ix: NodeIx) -> Option<&Need> {
        self.needs.get(&ix)
    }

    /// Puts the need that an event states; `None` when it is over.
    pub fn put_need(&mut self, ix: NodeIx, need: Option<Need>) {
        if let Some(old) = self.needs.remove(&ix) {
            self.agenda.remove(&(old.next, Turn::Need(ix)));
            self.index.remove(ix, &old);
        } else if need.is_none() {
            return;
        }
        if let Some(n) = need {
            if n.next < i64::MAX {
                self.agenda.insert((n.next, Turn::Need(ix)));
            }
            self.index.add(ix, &n);
            self.needs.insert(ix, n);
        }
        self.dirty.insert(Key::Need(ix));
    }

    /// The oldest need, when there are more than `most`.
    pub fn surplus_need(&self, most: usize) -> Option<NodeIx> {
        let oldest = self.needs.first_key_value().map(|(ix, _)| *ix);
        oldest.filter(|_| self.needs.len() > most)
    }

    /// Where needs are found by what they are about and by whom they concern.
    pub fn need_index(&self) -> &NeedIndex {
        &self.index
    }

    pub fn open(&self, id: &str) -> Option<&Open> {
        self.open.get(id)
    }

    /// Open intents of a concept.
    pub fn open_of(&self, concept: NodeIx) -> Vec<Arc<str>> {
        self.by_concept
            .get(&concept)
            .map(|ids| ids.iter().cloned().collect())
            .unwrap_or_default()
    }

    pub fn pending_in(&self, category: &str) -> usize {
        self.pending.get(category).copied().unwrap_or(0)
    }

    /// Puts an open intent; `None` when it is closed.
    pub fn put_open(&mut self, id: Arc<str>, open: Option<Open>) {
        if let Some(old) = self.open.remove(&id) {
            self.agenda.remove(&(old.next, Turn::Intent(id.clone())));
            if let Some(concept) = old.concept.map(NodeIx)
                && let Some(ids) = self.by_concept.get_mut(&concept)
            {
                ids.remove(&id);
                if ids.is_empty() {
                    self.by_concept.remove(&concept);
                }
            }
            if let Some(n) = self.pending.get_mut(&old.category).filter(|_| old.pending) {
                *n = n.saturating_sub(1);
            }
        }
        if let Some(o) = open {
            self.agenda.insert((o.next, Turn::Intent(id.clone())));
            if let Some(c) = o.concept {
                self.by_concept.entry(NodeIx(c)).or_default().insert(id.clone());
            }
            if o.pending {
                *self.pending.entry(o.category.clone()).or_default() += 1;
            }
            self.open.insert(id.clone(), o);
        }
        self.dirty.insert(Key::Open(id));
    }

    pub fn category(&self, name: &str) -> Calibration {
        self.categories.get(name).copied().unwrap_or_default()
    }

    pub fn put_category(&mut self, name: &'static str, calibration: Calibration) {
        self.categories.insert(name, calibration);
        self.dirty.insert(Key::Category(name));
    }

    /// When the next turn is.
    pub fn next_due(&self) -> Option<Ts> {
        self.agenda.first().map(|(due, _)| Ts(*due))
    }

    /// The first whose turn it is.
    pub fn next_turn(&self, now: Ts) -> Option<Turn> {
        self.agenda
            .first()
            .filter(|(due, _)| *due <= now.0)
            .map(|(_, turn)| turn.clone())
    }
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain numbers and strings: postcard has no way to refuse them.
    postcard::to_extend(value, vec![VERSION]).unwrap_or_default()
}

fn decode<T: DeserializeOwned>(value: &[u8]) -> Option<T> {
    let (version, rest) = value.split_first()?;
    match *version {
        VERSION => postcard::from_bytes(rest).ok(),
        1 => postcard::take_from_bytes(&[rest, &LACKING].concat())
            .ok()
            .map(|(v, _)| v),
        _ => None,
    }
}
