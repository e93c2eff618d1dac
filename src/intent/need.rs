//! A need that one event states, from then until somebody closes it, and how later events find it.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::cues::{IntentCues, Kind};
use super::wording::Trigger;
use crate::graph::NodeIx;

/// Words kept of what a need is about.
pub const MAX_ABOUT: usize = 24;
/// Needs looked at for one word or actor, newest first.
const MAX_POSTINGS: usize = 16;
/// Needs that one event is compared with.
const MAX_FOUND: usize = 24;

/// What an event states and nobody has closed yet. Field order is that of the records; new ones go last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Need {
    /// End of the time that it names, the last moment that counts; `i64::MAX` for none.
    pub due: i64,
    /// Said as a limit, not merely as a date.
    pub limit: bool,
    pub obligation: bool,
    /// When to look at it next; `i64::MAX` when only another event can change it.
    pub next: i64,
    pub trigger: Trigger,
    /// How clearly it was stated, 0 to 1; 0 when the event only names a time.
    pub said: f32,
    pub who: u32,
    /// The actor's name as other events would write it.
    pub name: u32,
    pub thread: u32,
    pub about: Vec<u32>,
    /// Event time of the statement.
    pub since: i64,
    /// Events that came back to it without closing it.
    pub reminders: u8,
    /// Further events it rests on, by node index.
    pub with: Vec<u32>,
    /// Node id of the intent that speaks for it.
    pub intent: Option<String>,
}

impl Need {
    pub fn has_due(&self) -> bool {
        self.due < i64::MAX
    }
}

/// Needs by the words they are about, and by whom they concern.
#[derive(Default)]
pub struct NeedIndex {
    words: FxHashMap<u32, SmallVec<[NodeIx; 2]>>,
    people: FxHashMap<u32, SmallVec<[NodeIx; 2]>>,
}

impl NeedIndex {
    pub fn add(&mut self, ix: NodeIx, need: &Need) {
        for word in need.about.iter().chain([&need.name]).filter(|w| **w != 0) {
            put(self.words.entry(word & !1).or_default(), ix);
        }
        if need.who != 0 {
            put(self.people.entry(need.who).or_default(), ix);
        }
    }

    pub fn remove(&mut self, ix: NodeIx, need: &Need) {
        for word in need.about.iter().chain([&need.name]).filter(|w| **w != 0) {
            take(&mut self.words, word & !1, ix);
        }
        take(&mut self.people, need.who, ix);
    }

    /// Needs of one actor.
    pub fn of(&self, who: u32) -> &[NodeIx] {
        self.people.get(&who).map_or(&[], |l| l.as_slice())
    }

    /// Needs that an event may have to do with: a shared word, its actor, or a name it mentions; oldest first. Bounded.
    pub fn near(&self, cues: &IntentCues) -> SmallVec<[NodeIx; 8]> {
        let mut found: SmallVec<[NodeIx; 8]> = SmallVec::new();
        if self.words.is_empty() && self.people.is_empty() {
            return found;
        }
        let words = cues.about.iter().filter_map(|w| self.words.get(&(w & !1)));
        for list in words.chain(self.people.get(&cues.who)) {
            for ix in list.iter().rev().take(MAX_POSTINGS) {
                if found.len() < MAX_FOUND && !found.contains(ix) {
                    found.push(*ix);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// Keeps the list in order, so that it is the same after a restart.
fn put(list: &mut SmallVec<[NodeIx; 2]>, ix: NodeIx) {
    if let Err(at) = list.binary_search(&ix) {
        list.insert(at, ix);
    }
}

fn take(map: &mut FxHashMap<u32, SmallVec<[NodeIx; 2]>>, key: u32, ix: NodeIx) {
    if let Some(list) = map.get_mut(&key) {
        list.retain(|x| *x != ix);
        if list.is_empty() {
            map.remove(&key);
        }
    }
}

/// How an event has to do with a need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// Words that both are about, and the rare ones among them.
    pub shared: usize,
    pub rare: usize,
    /// The same actor spoke.
    pub same: bool,
    /// The event names the need's actor.
    pub named: bool,
    /// The event answers the need's event by title.
    pub thread: bool,
}

impl Bond {
    pub fn of(cues: &IntentCues, need: &Need) -> Bond {
        let (shared, rare) = IntentCues::shared(&cues.about, &need.about);
        let name = need.name & !1;
        Bond {
            shared,
            rare,
            same: cues.who != 0 && cues.who == need.who,
            named: name != 0 && cues.about.iter().any(|w| w & !1 == name),
            thread: cues.reply && cues.thread != 0 && cues.thread == need.thread,
        }
    }

    /// Surely about the same matter, by the words alone.
    pub fn matter(&self) -> bool {
        self.thread || (self.rare >= 1 && self.shared >= 2) || self.shared >= 4
    }
}

impl From<Kind> for Trigger {
    fn from(kind: Kind) -> Trigger {
        match kind {
            Kind::Request => Trigger::Request,
            Kind::Commitment => Trigger::Commitment,
            Kind::Decision => Trigger::Decision,
        }
    }
}
