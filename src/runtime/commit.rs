//! Keys, and the writes of one batch.

use std::sync::Arc;

use crate::graph::{NodeId, NodeIx};
use crate::space::{Room, SpaceState};
use crate::store::{Table, Write, record};
use crate::stream::TopicPartition;

/// Number of a space within its shard: the prefix of its keys. Never reused.
pub type SpaceNo = u32;

pub fn space_key(no: SpaceNo) -> Vec<u8> {
    let mut k = b"space/".to_vec();
    k.extend(no.to_be_bytes());
    k
}

pub fn node_key(no: SpaceNo, ix: NodeIx) -> Vec<u8> {
    let mut k = no.to_be_bytes().to_vec();
    k.extend(ix.0.to_be_bytes());
    k
}

pub fn id_key(no: SpaceNo, id: &NodeId) -> Vec<u8> {
    let mut k = no.to_be_bytes().to_vec();
    k.extend(id.as_str().as_bytes());
    k
}

/// The same refusal always has the same key; ids may be longer than a key should be.
fn refused_key(no: SpaceNo, record: &[u8]) -> Vec<u8> {
    let mut k = no.to_be_bytes().to_vec();
    k.extend(&blake3::hash(record).as_bytes()[..16]);
    k
}

pub fn state_key(no: SpaceNo, room: Room, key: &[u8]) -> Vec<u8> {
    let mut k = no.to_be_bytes().to_vec();
    k.push(room as u8);
    k.extend(key);
    k
}

pub fn offset_key(p: &TopicPartition) -> Vec<u8> {
    let mut k = p.partition.to_be_bytes().to_vec();
    k.extend(p.topic.as_bytes());
    k
}

pub fn parse_offset_key(key: &[u8]) -> Option<TopicPartition> {
    let (partition, topic) = key.split_at_checked(4)?;
    let topic: Arc<str> = std::str::from_utf8(topic).ok()?.into();
    Some(TopicPartition::new(
        topic,
        i32::from_be_bytes(partition.try_into().ok()?),
    ))
}

/// Journal batch in which each event of a space stands, by node index; 0 for derived nodes.
#[derive(Default)]
pub struct JournalPlaces(Vec<u64>);

impl JournalPlaces {
    pub fn get(&self, ix: NodeIx) -> u64 {
        self.0.get(ix.0 as usize).copied().unwrap_or(0)
    }

    pub fn set(&mut self, ix: NodeIx, seq: u64) {
        let i = ix.0 as usize;
        if self.0.len() <= i {
            self.0.resize(i + 1, 0);
        }
        self.0[i] = seq;
    }
}

/// Appends what changed in a space. Cost: what changed.
pub fn space_writes(no: SpaceNo, space: &mut SpaceState, places: &JournalPlaces, out: &mut Vec<Write>) {
    let changes = space.take_changes();
    for ix in changes.nodes {
        if let Some(node) = space.graph().node(ix) {
            let mut value = places.get(ix).to_be_bytes().to_vec();
            value.extend(record::encode_node(node, space.graph().out(ix)));
            out.push(Write::put(Table::Nodes, node_key(no, ix), value));
        }
    }
    out.extend(
        changes
            .removed
            .into_iter()
            .map(|ix| Write::delete(Table::Nodes, node_key(no, ix))),
    );
    for (id, target) in changes.redirects {
        let value = target.map(|t| t.as_str().as_bytes().to_vec()).unwrap_or_default();
        out.push(Write::put(Table::Redirects, id_key(no, &id), value));
    }
    for (room, r) in changes.records {
        out.push(Write {
            table: Table::State,
            key: state_key(no, room, &r.key),
            value: r.value,
        });
    }
    for refused in changes.refused {
        let value = record::encode_refused(&refused);
        out.push(Write::put(Table::Erased, refused_key(no, &value), value));
    }
    out.push(Write::put(
        Table::Meta,
        space_key(no),
        record::encode_meta(space.meta()),
    ));
}
