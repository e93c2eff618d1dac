//! Building a shard's derived records anew from its journal.
//!
//! The journal holds every input, so it can replace damaged nodes and state, and it can fold all
//! events again when the embedder has changed. An erased event is not in it any more, so groups may
//! differ from before the erasure; nothing else may. If the journal itself is damaged, nothing is touched.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::commit::{JournalPlaces, id_key, space_writes};
use super::load::{EMBEDDER_KEY, Held, LoadError, collect, embedder_name};
use crate::embed::Models;
use crate::event::Event;
use crate::graph::NodeId;
use crate::space::{Input, JournalInput, Prepared, SpaceSettings, SpaceState};
use crate::store::{Store, Table, Write, record};

/// Spaces as the journal makes them, numbered in order of their first input, as the writer did.
pub type Replayed = BTreeMap<Arc<str>, Held>;

/// An erased event, by the name of its space.
pub type Gone = (Arc<str>, NodeId);

/// Plays a shard's journal into fresh state. Reads only. Cost: all inputs.
pub fn replay(
    shard: u32,
    store: &dyn Store,
    models: &Models,
    settings: &SpaceSettings,
) -> Result<(Replayed, Vec<Gone>), LoadError> {
    let mut spaces = Replayed::new();
    let mut gone = Vec::new();
    for (key, value) in collect(store, Table::Journal, b"")? {
        let seq = <[u8; 8]>::try_from(key.as_slice())
            .map(u64::from_be_bytes)
            .map_err(|_| LoadError::Broken {
                shard,
                what: "a journal entry has a malformed key".into(),
            })?;
        let batch = record::decode_journal(&value).map_err(|source| LoadError::Record { shard, source })?;
        for (name, input) in batch.inputs {
            let no = spaces.len() as u32;
            let held = spaces.entry(name.clone()).or_insert_with(|| Held {
                no,
                state: SpaceState::new(name.clone(), models.clone(), settings.clone()),
                places: JournalPlaces::default(),
                counted_refusals: 0,
            });
            match input {
                JournalInput::Event(e) => event(held, e, seq, models)?,
                JournalInput::Gone(id) => gone.push((name, id)),
                JournalInput::Feedback(f) => drop(held.state.apply(Input::Feedback(f))),
                JournalInput::Erase(e) => drop(held.state.apply(Input::Erase(e))),
                JournalInput::Tick { elapsed_ms } => drop(held.state.apply(Input::Tick { elapsed_ms })),
                JournalInput::Access(ids) => drop(held.state.apply(Input::Access(ids))),
            }
        }
    }
    Ok((spaces, gone))
}

fn event(held: &mut Held, e: Arc<Event>, seq: u64, models: &Models) -> Result<(), LoadError> {
    let id = NodeId::of_event(&held.state.meta().name, &e.source, &e.id);
    for p in Prepared::of(vec![e], models)? {
        held.state.apply(Input::Event(Box::new(p)));
    }
    if let Some(ix) = held.state.graph().ix(id.as_str()) {
        held.places.set(ix, seq);
    }
    Ok(())
}

/// Replaces a shard's derived records by what its journal makes, in one batch. Offsets, outbox,
/// acknowledgements and the ledger of erasures stay.
pub fn rebuild(
    shard: u32,
    store: &dyn Store,
    models: &Models,
    settings: &SpaceSettings,
) -> Result<(), LoadError> {
    let (mut spaces, gone) = replay(shard, store, models, settings)?;
    let mut writes = Vec::new();
    for table in [Table::Nodes, Table::Redirects, Table::State] {
        writes.extend(
            store
                .keys(table)?
                .into_iter()
                .map(|key| Write::delete(table, key)),
        );
    }
    for (name, id) in gone {
        if let Some(held) = spaces.get(&name) {
            writes.push(Write::put(Table::Redirects, id_key(held.no, &id), Vec::new()));
        }
    }
    for held in spaces.values_mut() {
        space_writes(held.no, &mut held.state, &held.places, &mut writes);
    }
    let name = embedder_name(models).into_bytes();
    writes.push(Write::put(Table::Meta, EMBEDDER_KEY.to_vec(), name));
    store.commit(&writes)?;
    tracing::warn!(
        shard,
        spaces = spaces.len(),
        "the shard was rebuilt from its journal"
    );
    Ok(())
}
