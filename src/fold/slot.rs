//! What is kept of an event once it is folded. About a kilobyte and a half.

use std::sync::{Arc, OnceLock};

use super::attributes::Values;
use super::features::{Features, Rarity};
use super::lexicon::{Numbered, Term};
use super::near::Buckets;
use super::pairs::Raw;
use super::phrases::Phrases;
use super::vector::Quantised;
use crate::event::Ts;
use crate::graph::{NodeId, NodeIx};

/// A compared pair, kept with the later event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub earlier: u32,
    /// Feeds the statistics.
    pub sampled: bool,
    pub raw: Raw,
}

/// A folded event. Slots are numbered in order of arrival; numbers are never used again.
#[derive(Debug)]
pub(super) struct Slot {
    pub node: NodeIx,
    /// 0 for an event that stands alone.
    pub cluster: u32,
    pub time: Ts,
    pub content: u64,
    pub values: Values,
    pub dense: Quantised,
    pub sif: Quantised,
    /// Sorted by key.
    pub terms: Box<[Term]>,
    /// Numbers in the lexicon, in reading order.
    pub words: Box<[(u32, Rarity)]>,
    /// Candidates for the name of its concept.
    pub phrases: Arc<Phrases>,
    pub buckets: Buckets,
    /// Sorted by `earlier`.
    pub links: Box<[Link]>,
    /// Events that keep a link to this one, in order of arrival.
    pub later: Vec<u32>,
}

impl Slot {
    pub fn new(node: NodeIx, f: &Features, buckets: Buckets, numbered: Numbered) -> Self {
        Self {
            node,
            cluster: 0,
            time: f.time,
            content: f.content,
            values: f.attributes,
            dense: f.dense.clone(),
            sif: f.sif.clone(),
            terms: numbered.terms,
            words: numbered.words,
            phrases: f.phrases.clone(),
            buckets,
            links: Box::default(),
            later: Vec::new(),
        }
    }

    pub fn link(&self, earlier: u32) -> Option<&Link> {
        self.links
            .binary_search_by_key(&earlier, |l| l.earlier)
            .ok()
            .map(|i| &self.links[i])
    }
}

/// Events that belong together, and the concept node that stands for them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// Slots, ascending.
    pub members: Vec<u32>,
    /// Members by value, sorted by value, for each attribute; values that are absent not counted.
    pub counts: [Vec<(u32, u32)>; super::attributes::ATTRIBUTES],
    pub concept: NodeId,
    /// Size when its title was last made.
    pub titled_at: u32,
    /// Key of its title.
    pub title: u64,
    /// Mean vector of its members, once somebody asked.
    pub vector: Remembered,
}

/// A vector that follows from the members: forgotten when they change, and no part of what a
/// cluster is compared by.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered(OnceLock<Arc<[f32]>>);

impl Remembered {
    pub fn get(&self) -> Option<&Arc<[f32]>> {
        self.0.get()
    }

    pub fn get_or_init(&self, make: impl FnOnce() -> Arc<[f32]>) -> &Arc<[f32]> {
        self.0.get_or_init(make)
    }
}

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Cluster {
    pub fn new(concept: NodeId) -> Self {
        Self {
            members: Vec::new(),
            counts: Default::default(),
            concept,
            titled_at: 0,
            title: 0,
            vector: Remembered::default(),
        }
    }

    pub fn insert(&mut self, slot: u32, values: &Values) {
        if let Err(at) = self.members.binary_search(&slot) {
            self.members.insert(at, slot);
            self.vector = Remembered::default();
            for (list, v) in self.counts.iter_mut().zip(values).filter(|(_, v)| **v != 0) {
                match list.binary_search_by_key(v, |c| c.0) {
                    Ok(i) => list[i].1 += 1,
                    Err(i) => list.insert(i, (*v, 1)),
                }
            }
        }
    }

    pub fn remove(&mut self, slot: u32, values: &Values) {
        if let Ok(at) = self.members.binary_search(&slot) {
            self.members.remove(at);
            self.vector = Remembered::default();
            for (list, v) in self.counts.iter_mut().zip(values).filter(|(_, v)| **v != 0) {
                if let Ok(i) = list.binary_search_by_key(v, |c| c.0) {
                    list[i].1 -= 1;
                    if list[i].1 == 0 {
                        list.remove(i);
                    }
                }
            }
        }
    }

    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Sum of what an event's attributes add over all members.
    pub fn attribute_sum(&self, t: &super::attributes::Terms) -> f32 {
        let mut sum = 0.0;
        for (a, list) in self.counts.iter().enumerate() {
            if t.values[a] == 0 || t.bonus[a] == 0.0 {
                continue;
            }
            let present: u32 = list.iter().map(|c| c.1).sum();
            let equal = list
                .binary_search_by_key(&t.values[a], |c| c.0)
                .map_or(0, |i| list[i].1);
            sum += present as f32 * t.different[a] + equal as f32 * t.bonus[a];
        }
        sum
    }
}

/// The id of a concept that these two events founded.
pub(super) fn concept_id(space: &Arc<str>, first: &NodeId, second: &NodeId) -> NodeId {
    NodeId::derive(
        crate::graph::NodeKind::Concept,
        space,
        &[first.as_str(), second.as_str()],
    )
}
