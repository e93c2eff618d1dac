//! Records: the shapes in which core types stand on disk.
//!
//! Core types are not serialised themselves: a record is a promise to every data directory out
//! there, a core type is not. A change of shape here needs a new format number in `vault`.

mod event;
mod input;
mod node;

pub use event::{decode_event, encode_event};
pub use input::{JournalBatch, decode_journal, encode_journal};
pub use node::{decode_node, encode_node};

use serde::{Deserialize, Serialize};

use crate::event::Ts;
use crate::space::{Clock, Refused, SpaceMeta};

/// A record could not be read back.
#[derive(Debug, thiserror::Error)]
#[error("a {what} record cannot be decoded: {reason}")]
pub struct RecordError {
    pub what: &'static str,
    pub reason: String,
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // postcard fails only on maps of unknown length and on a full fixed buffer; neither occurs.
    postcard::to_stdvec(value).expect("records are plain structs over a growing buffer")
}

fn decode<'a, T: Deserialize<'a>>(what: &'static str, bytes: &'a [u8]) -> Result<T, RecordError> {
    postcard::from_bytes(bytes).map_err(|e| RecordError {
        what,
        reason: e.to_string(),
    })
}

#[derive(Serialize, Deserialize)]
struct MetaRecord {
    name: String,
    next_ix: u32,
    intent_seq: u64,
    clock: Option<i64>,
    jump: Option<i64>,
    last_received: Option<i64>,
    folded: u64,
    duplicates: u64,
    last_pass: Option<i64>,
    merges: u64,
}

/// An erased id, and the source to which the erasure is limited.
pub fn encode_refused(refused: &Refused) -> Vec<u8> {
    encode(&(&*refused.id, refused.source.as_deref()))
}

/// `None` for the empty record of an early version, which held nothing.
pub fn decode_refused(bytes: &[u8]) -> Result<Option<Refused>, RecordError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let (id, source): (&str, Option<&str>) = decode("erased id", bytes)?;
    Ok(Some(Refused {
        id: id.into(),
        source: source.map(Into::into),
    }))
}

pub fn encode_meta(m: &SpaceMeta) -> Vec<u8> {
    encode(&MetaRecord {
        name: m.name.to_string(),
        next_ix: m.next_ix,
        intent_seq: m.intent_seq,
        clock: m.clock.now.map(|t| t.0),
        jump: m.clock.pending_jump.map(|t| t.0),
        last_received: m.clock.last_received.map(|t| t.0),
        folded: m.folded,
        duplicates: m.duplicates,
        last_pass: m.last_pass.map(|t| t.0),
        merges: m.merges,
    })
}

pub fn decode_meta(bytes: &[u8]) -> Result<SpaceMeta, RecordError> {
    let r: MetaRecord = decode("space", bytes)?;
    Ok(SpaceMeta {
        name: r.name.into(),
        next_ix: r.next_ix,
        intent_seq: r.intent_seq,
        clock: Clock {
            now: r.clock.map(Ts),
            pending_jump: r.jump.map(Ts),
            last_received: r.last_received.map(Ts),
        },
        folded: r.folded,
        duplicates: r.duplicates,
        last_pass: r.last_pass.map(Ts),
        merges: r.merges,
    })
}
