//! State across restarts: what changed as small records, and back.
//!
//! One record for each folded event (its links, written once), one for its cluster, one for each
//! cluster, one for each exact repeat, and one for the running sums. Features are not written:
//! they follow from the event. What is rebuilt here equals what was there bit for bit.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::attributes::{Coherence, Sample, Window};
use super::features::Features;
use super::pairs::{Raw, Statistics};
use super::rules::{Dirty, RulesExecutive};
use super::settings::Settings;
use super::slot::{Cluster, Link};
use crate::embed::Models;
use crate::graph::{NodeId, NodeIx};
use crate::state::StateRecord;

const VERSION: u8 = 1;
const META: u8 = b'm';
const SLOT: u8 = b'e';
const LABEL: u8 = b'l';
const CLUSTER: u8 = b'c';
const REPEAT: u8 = b'r';

#[derive(Serialize, Deserialize)]
struct MetaRecord {
    version: u8,
    slots: u32,
    next_cluster: u32,
    statistics: Statistics,
    coherence: Coherence,
    window_from: u32,
    changed: Vec<u32>,
    since_pass: u32,
    unconfirmed: Vec<u32>,
}

/// Links as (twice the distance to the slot before, plus one when sampled; raw features).
#[derive(Serialize, Deserialize)]
struct SlotRecord {
    node: u32,
    links: Vec<(u32, Raw)>,
}

#[derive(Serialize, Deserialize)]
struct ClusterRecord {
    concept: String,
    titled_at: u32,
    title: u64,
}

fn key(kind: u8, n: u32) -> Vec<u8> {
    let mut k = vec![kind];
    k.extend(n.to_be_bytes());
    k
}

fn encode<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    // Plain structs of numbers and strings: writing to a vector cannot fail.
    postcard::to_allocvec(value).ok()
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

impl RulesExecutive {
    /// Records that changed since the last call. Cost: what changed.
    pub(super) fn write_records(&mut self) -> Vec<StateRecord> {
        let dirty = std::mem::take(&mut self.dirty);
        let mut out = Vec::new();
        let mut put = |key: Vec<u8>, value: Option<Vec<u8>>| out.push(StateRecord { key, value });
        for s in dirty.slots {
            put(
                key(SLOT, s),
                self.slot(s).and_then(|x| encode(&slot_record(x.node, &x.links))),
            );
        }
        for s in dirty.labels {
            let label = self.cluster_of(s);
            put(key(LABEL, s), (label != 0).then(|| encode(&label)).flatten());
        }
        for c in dirty.clusters {
            let record = self.clusters.get(&c).map(|c| ClusterRecord {
                concept: c.concept.as_str().to_owned(),
                titled_at: c.titled_at,
                title: c.title,
            });
            put(key(CLUSTER, c), record.and_then(|r| encode(&r)));
        }
        for r in dirty.repeats {
            put(key(REPEAT, r), self.repeat_of.get(&r).and_then(encode));
        }
        if dirty.meta {
            let meta = MetaRecord {
                version: VERSION,
                slots: self.slots.len() as u32,
                next_cluster: self.next_cluster,
                statistics: self.statistics.clone(),
                coherence: self.attributes.coherence(),
                window_from: self.window.from(),
                changed: self.changed.iter().copied().collect(),
                since_pass: self.since_pass,
                unconfirmed: self.unconfirmed.iter().copied().collect(),
            };
            put(vec![META], encode(&meta));
        }
        out
    }

    /// Brings back the state that `take_records` handed out. `items` are all event nodes of the
    /// space, in any order, with the features that [`Features::of`] gives for them. Without
    /// readable records the executive starts afresh. Cost: linear in the events.
    pub fn restore(
        space: Arc<str>,
        models: Models,
        settings: Settings,
        records: Vec<StateRecord>,
        items: impl Iterator<Item = (NodeIx, NodeId, Arc<Features>)>,
    ) -> Self {
        let mut x = Self::new(space, models, settings);
        let mut read = Read::of(&records);
        let Some(meta) = read.meta.take().filter(|m| m.version == VERSION) else {
            return x;
        };
        x.slots.resize_with(meta.slots as usize, || None);
        x.next_cluster = meta.next_cluster;
        let slot_of: FxHashMap<u32, u32> = read.slots.iter().map(|(s, r)| (r.node, *s)).collect();
        let mut entering: BTreeMap<u32, (NodeIx, Arc<Features>)> = BTreeMap::new();
        for (node, _, features) in items {
            if let Some(slot) = slot_of.get(&node.0).filter(|s| **s < meta.slots) {
                entering.insert(*slot, (node, features));
            }
        }
        for (slot, (node, f)) in entering {
            x.enter(slot, node, &f);
            let links = read.slots.get(&slot).map_or(Vec::new(), |r| links(slot, r));
            let links = links
                .into_iter()
                .filter(|l| x.slot(l.earlier).is_some())
                .collect();
            x.connect(slot, links);
        }
        for (id, c) in read.clusters {
            let concept = NodeId(c.concept.as_str().into());
            x.by_concept.insert(concept.clone(), id);
            x.titles.insert((c.title, id));
            x.clusters.insert(
                id,
                Cluster {
                    titled_at: c.titled_at,
                    title: c.title,
                    ..Cluster::new(concept)
                },
            );
        }
        for (slot, cluster) in read.labels {
            if x.slot(slot).is_some() && x.clusters.contains_key(&cluster) {
                x.relabel(slot, cluster);
            }
        }
        for (node, slot) in read.repeats.into_iter().filter(|r| r.1 < meta.slots) {
            x.repeat_of.insert(node, slot);
            x.repeats.insert((slot, node));
        }
        x.statistics = meta.statistics;
        x.content = x.statistics.content(&x.settings);
        x.attributes.set_coherence(meta.coherence);
        x.window = x.window_since(meta.window_from);
        x.changed = meta.changed.into_iter().collect();
        x.since_pass = meta.since_pass;
        x.unconfirmed = meta.unconfirmed.into_iter().collect();
        x.dirty = Dirty::default();
        x
    }

    fn window_since(&self, from: u32) -> Window {
        let mut w = Window::starting(from);
        for slot in from..self.slots.len() as u32 {
            let Some(s) = self.slot(slot) else { continue };
            for l in s.links.iter().filter(|l| l.sampled) {
                if let Some(e) = self.slot(l.earlier) {
                    w.push(Sample::new((slot, &s.values), (l.earlier, &e.values), l.raw));
                }
            }
        }
        w
    }
}

fn slot_record(node: NodeIx, links: &[Link]) -> SlotRecord {
    let mut last = 0;
    let pack = |l: &Link| {
        let gap = l.earlier - last;
        last = l.earlier;
        (gap << 1 | u32::from(l.sampled), l.raw)
    };
    SlotRecord {
        node: node.0,
        links: links.iter().map(pack).collect(),
    }
}

fn links(slot: u32, record: &SlotRecord) -> Vec<Link> {
    let mut last = 0u32;
    let mut out = Vec::with_capacity(record.links.len());
    for (packed, raw) in &record.links {
        last = last.saturating_add(packed >> 1);
        if last < slot {
            out.push(Link {
                earlier: last,
                sampled: packed & 1 == 1,
                raw: *raw,
            });
        }
    }
    out
}

/// Records sorted by what they are.
#[derive(Default)]
struct Read {
    meta: Option<MetaRecord>,
    slots: BTreeMap<u32, SlotRecord>,
    labels: BTreeMap<u32, u32>,
    clusters: BTreeMap<u32, ClusterRecord>,
    repeats: BTreeMap<u32, u32>,
}

impl Read {
    /// Later records replace earlier ones of the same key; what cannot be read is left out.
    fn of(records: &[StateRecord]) -> Self {
        let mut latest: BTreeMap<&[u8], Option<&[u8]>> = BTreeMap::new();
        for r in records {
            latest.insert(&r.key, r.value.as_deref());
        }
        let mut read = Self::default();
        for (key, value) in latest.into_iter().filter_map(|(k, v)| Some((k, v?))) {
            let Some((kind, rest)) = key.split_first() else {
                continue;
            };
            let n = rest.try_into().map(u32::from_be_bytes);
            match (*kind, n) {
                (META, _) => read.meta = decode(value),
                (SLOT, Ok(n)) => read.slots.extend(decode(value).map(|r| (n, r))),
                (LABEL, Ok(n)) => read.labels.extend(decode(value).map(|r| (n, r))),
                (CLUSTER, Ok(n)) => read.clusters.extend(decode(value).map(|r| (n, r))),
                (REPEAT, Ok(n)) => read.repeats.extend(decode(value).map(|r| (n, r))),
                _ => {}
            }
        }
        read
    }
}
