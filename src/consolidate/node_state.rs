//! What consolidation keeps of nodes and edges, and its form as records.
//!
//! Keys: `g` the counters, `n` + node index one node, `e` + source + target + kind one inferred edge. The first byte of
//! a value is its version.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::timers::{EdgeKey, EdgeTimers};
use crate::event::Ts;
use crate::graph::{EdgeKind, NodeIx};
use crate::state::StateRecord;

const VERSION: u8 = 1;

/// Counters of a space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counters {
    /// Events since the last pass.
    pub events: u32,
    /// Stream time of the last pass, or of the first event before any.
    pub since: Option<Ts>,
    /// Place that the next changed node gets in the queue.
    pub next_ticket: u64,
}

/// What is kept of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeState {
    /// Place in the queue of changed nodes.
    pub ticket: Option<u64>,
    /// Signs of the concept's vector when a pass last looked.
    pub signs: Option<u128>,
    /// When to look whether it is idle.
    pub idle_due: Option<Ts>,
    /// What an archived node looked like; when that changes it comes back.
    pub archived: Option<Seen>,
}

/// What tells whether an archived node got new evidence or use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub time: Ts,
    pub size: u32,
    pub access: u32,
}

/// One record, read.
pub enum Read {
    Counters(Counters),
    Node(NodeIx, NodeState),
    Edge(EdgeKey, Ts),
}

#[derive(Serialize, Deserialize)]
struct StoredCounters(u32, Option<i64>, u64);

#[derive(Serialize, Deserialize)]
struct StoredNode(Option<u64>, Option<u128>, Option<i64>, Option<(i64, u32, u32)>);

/// Keys of the records that changed.
#[derive(Default)]
pub struct Records {
    counters: bool,
    nodes: BTreeSet<NodeIx>,
    edges: BTreeSet<EdgeKey>,
}

impl Records {
    pub fn counters(&mut self) {
        self.counters = true;
    }

    pub fn node(&mut self, ix: NodeIx) {
        self.nodes.insert(ix);
    }

    pub fn edge(&mut self, edge: EdgeKey) {
        self.edges.insert(edge);
    }

    pub fn take(
        &mut self,
        counters: &Counters,
        nodes: &BTreeMap<NodeIx, NodeState>,
        floors: &EdgeTimers,
    ) -> Vec<StateRecord> {
        let mut out = Vec::new();
        for edge in std::mem::take(&mut self.edges) {
            let value = floors.due_of(&edge).map(|due| encode(&due.0));
            out.push(StateRecord {
                key: edge_key(edge),
                value,
            });
        }
        if std::mem::take(&mut self.counters) {
            let c = StoredCounters(counters.events, counters.since.map(|t| t.0), counters.next_ticket);
            out.push(StateRecord {
                key: b"g".to_vec(),
                value: Some(encode(&c)),
            });
        }
        for ix in std::mem::take(&mut self.nodes) {
            let value = nodes.get(&ix).map(|n| {
                let seen = n.archived.map(|s| (s.time.0, s.size, s.access));
                encode(&StoredNode(n.ticket, n.signs, n.idle_due.map(|t| t.0), seen))
            });
            let key = [b"n".as_slice(), &ix.0.to_be_bytes()].concat();
            out.push(StateRecord { key, value });
        }
        out
    }

    /// Reads a record back; `None` when it is deleted, damaged or of another version.
    pub fn read(record: &StateRecord) -> Option<Read> {
        let value = record.value.as_deref()?;
        let (kind, key) = record.key.split_first()?;
        match kind {
            b'g' => {
                let c: StoredCounters = decode(value)?;
                Some(Read::Counters(Counters {
                    events: c.0,
                    since: c.1.map(Ts),
                    next_ticket: c.2,
                }))
            }
            b'n' => {
                let n: StoredNode = decode(value)?;
                let archived = n.3.map(|(time, size, access)| Seen {
                    time: Ts(time),
                    size,
                    access,
                });
                let state = NodeState {
                    ticket: n.0,
                    signs: n.1,
                    idle_due: n.2.map(Ts),
                    archived,
                };
                Some(Read::Node(
                    NodeIx(u32::from_be_bytes(key.try_into().ok()?)),
                    state,
                ))
            }
            b'e' if key.len() == 9 => {
                let source = u32::from_be_bytes(key[..4].try_into().ok()?);
                let target = u32::from_be_bytes(key[4..8].try_into().ok()?);
                let kind = *EdgeKind::ALL.get(usize::from(key[8]))?;
                Some(Read::Edge(
                    EdgeKey {
                        source: NodeIx(source),
                        target: NodeIx(target),
                        kind,
                    },
                    Ts(decode(value)?),
                ))
            }
            _ => None,
        }
    }
}

fn edge_key(edge: EdgeKey) -> Vec<u8> {
    let kind = EdgeKind::ALL
        .iter()
        .position(|k| *k == edge.kind)
        .unwrap_or_default() as u8;
    [
        b"e".as_slice(),
        &edge.source.0.to_be_bytes(),
        &edge.target.0.to_be_bytes(),
        &[kind],
    ]
    .concat()
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain numbers: postcard has no way to refuse them.
    postcard::to_extend(value, vec![VERSION]).unwrap_or_default()
}

fn decode<T: for<'a> Deserialize<'a>>(value: &[u8]) -> Option<T> {
    let (version, rest) = value.split_first()?;
    (*version == VERSION).then(|| postcard::from_bytes(rest).ok())?
}
