//! Opening a shard: from records back to living state.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::commit::{JournalPlaces, SpaceNo, parse_offset_key};
use crate::embed::Models;
use crate::event::Event;
use crate::graph::{Body, NodeId, NodeIx};
use crate::space::{Prepared, Restored, Room, SpaceMeta, SpaceSettings, SpaceState};
use crate::state::StateRecord;
use crate::store::record::RecordError;
use crate::store::{Store, StoreError, Table, record};
use crate::stream::TopicPartition;

/// Why a shard could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("shard {shard}: {source}")]
    Record { shard: u32, source: RecordError },
    #[error("shard {shard}: {what}")]
    Broken { shard: u32, what: String },
    #[error("the embedder is not available: {0}")]
    Embedder(#[from] crate::embed::EmbedError),
    #[error(
        "shard {shard} was built with the embedder {found}, not with {configured}; it is built anew from its journal"
    )]
    Embedding {
        shard: u32,
        found: String,
        configured: String,
    },
}

impl LoadError {
    /// True when derived records are damaged or of another embedder: the journal holds what is needed to build them anew.
    pub fn is_repairable(&self) -> bool {
        matches!(
            self,
            LoadError::Store(StoreError::Damaged { .. })
                | LoadError::Record { .. }
                | LoadError::Broken { .. }
                | LoadError::Embedding { .. }
        )
    }
}

/// A space within a shard.
pub struct Held {
    pub no: SpaceNo,
    pub state: SpaceState,
    pub places: JournalPlaces,
    /// Refused plans that the shard's status counts already.
    pub counted_refusals: u64,
}

/// The opened state of a shard.
#[derive(Default)]
pub struct Loaded {
    pub spaces: BTreeMap<Arc<str>, Held>,
    pub next_space: SpaceNo,
    pub next_journal: u64,
    pub next_outbox: u64,
    pub positions: BTreeMap<TopicPartition, i64>,
}

/// Loads everything of a shard. Cost: linear in what is stored; events are analysed on all cores.
pub fn load(
    shard: u32,
    store: &dyn Store,
    models: &Models,
    settings: &SpaceSettings,
) -> Result<Loaded, LoadError> {
    let broken = |what: &str| LoadError::Broken {
        shard,
        what: what.to_string(),
    };
    let mut out = Loaded {
        next_journal: 1,
        next_outbox: 1,
        ..Loaded::default()
    };
    check_embedder(shard, store, models)?;
    let mut metas: Vec<(SpaceNo, SpaceMeta)> = Vec::new();
    for (key, value) in collect(store, Table::Meta, b"space/")? {
        let no = key
            .get(b"space/".len()..)
            .and_then(|b| Some(u32::from_be_bytes(b.try_into().ok()?)))
            .ok_or_else(|| broken("a space has a malformed key"))?;
        let meta = record::decode_meta(&value).map_err(|source| LoadError::Record { shard, source })?;
        out.next_space = out.next_space.max(no + 1);
        metas.push((no, meta));
    }
    for (no, meta) in metas {
        let name = meta.name.clone();
        let held = load_space(shard, store, no, meta, models, settings)?;
        out.spaces.insert(name, held);
    }
    for (key, value) in collect(store, Table::Offsets, b"")? {
        let p = parse_offset_key(&key).ok_or_else(|| broken("an offset has a malformed key"))?;
        let at = <[u8; 8]>::try_from(value.as_slice()).map_err(|_| broken("an offset is not a number"))?;
        out.positions.insert(p, i64::from_be_bytes(at));
    }
    if let Some(last) = store.last_key(Table::Journal)? {
        let last =
            <[u8; 8]>::try_from(last.as_slice()).map_err(|_| broken("a journal entry has a malformed key"))?;
        out.next_journal = u64::from_be_bytes(last) + 1;
    }
    // Published outbox records are deleted, so their numbers must be remembered apart.
    out.next_outbox = match store.get(Table::Meta, b"outbox")? {
        Some(v) => u64::from_be_bytes(
            v.as_slice()
                .try_into()
                .map_err(|_| broken("outbox counter is not a number"))?,
        ),
        None => 1,
    };
    Ok(out)
}

/// Vectors of different embedders are never mixed: concept formation keeps comparisons of them.
fn check_embedder(shard: u32, store: &dyn Store, models: &Models) -> Result<(), LoadError> {
    let configured = embedder_name(models);
    match store.get(Table::Meta, EMBEDDER_KEY)? {
        Some(found) if found != configured.as_bytes() => Err(LoadError::Embedding {
            shard,
            found: String::from_utf8_lossy(&found).into_owned(),
            configured,
        }),
        _ => Ok(()),
    }
}

/// Key of the embedder's name in the table of meta records.
pub(super) const EMBEDDER_KEY: &[u8] = b"embedder";

/// What tells one embedder from another.
pub(super) fn embedder_name(models: &Models) -> String {
    let info = models.embedder.info();
    format!("{} {}+{}", info.name, info.dim, models.words.dim())
}

fn load_space(
    shard: u32,
    store: &dyn Store,
    no: SpaceNo,
    meta: SpaceMeta,
    models: &Models,
    settings: &SpaceSettings,
) -> Result<Held, LoadError> {
    let prefix = no.to_be_bytes();
    let broken = |what: &str| LoadError::Broken {
        shard,
        what: what.to_string(),
    };
    let mut places = JournalPlaces::default();
    let (mut nodes, mut events): (Vec<_>, Vec<(NodeIx, Arc<Event>)>) = Default::default();
    let mut failed = None;
    store.scan(Table::Nodes, &prefix, &mut |key, value| {
        let parsed = (|| {
            let ix = NodeIx(u32::from_be_bytes(key.get(4..)?.try_into().ok()?));
            let (place, bytes) = value.split_at_checked(8)?;
            Some((ix, u64::from_be_bytes(place.try_into().ok()?), bytes))
        })();
        let Some((ix, place, bytes)) = parsed else {
            failed = Some(broken("a node record is malformed"));
            return false;
        };
        match record::decode_node(ix, bytes, &meta.name) {
            Ok((node, edges)) => {
                if let Body::Event(e) = &node.body {
                    events.push((ix, e.clone()));
                }
                places.set(ix, place);
                nodes.push((ix, node, edges));
                true
            }
            Err(source) => {
                failed = Some(LoadError::Record { shard, source });
                false
            }
        }
    })?;
    if let Some(e) = failed {
        return Err(e);
    }
    let mut redirects = Vec::new();
    for (key, value) in collect(store, Table::Redirects, &prefix)? {
        let id = |b: &[u8]| std::str::from_utf8(b).ok().map(|s| NodeId(s.into()));
        let from = id(&key[4..]).ok_or_else(|| broken("a redirect is malformed"))?;
        let to = if value.is_empty() {
            None
        } else {
            Some(id(&value).ok_or_else(|| broken("a redirect is malformed"))?)
        };
        redirects.push((from, to));
    }
    let mut records: BTreeMap<Room, Vec<StateRecord>> = BTreeMap::new();
    for (key, value) in collect(store, Table::State, &prefix)? {
        let room = match key.get(4) {
            Some(1) => Room::Fold,
            Some(2) => Room::Consolidate,
            Some(3) => Room::Intent,
            _ => return Err(broken("a state record names an unknown room")),
        };
        records.entry(room).or_default().push(StateRecord {
            key: key[5..].to_vec(),
            value: Some(value),
        });
    }
    let mut refused = Vec::new();
    for (_, value) in collect(store, Table::Erased, &prefix)? {
        refused.extend(record::decode_refused(&value).map_err(|source| LoadError::Record { shard, source })?);
    }
    let prepared = prepare_all(events, models)?;
    let restored = Restored {
        meta,
        nodes,
        redirects,
        records,
        refused,
        prepared,
    };
    let state = SpaceState::restore(models.clone(), settings.clone(), restored)
        .map_err(|e| broken(&e.to_string()))?;
    Ok(Held {
        no,
        state,
        places,
        counted_refusals: 0,
    })
}

/// Analyses events on all cores, keeping their order.
fn prepare_all(
    events: Vec<(NodeIx, Arc<Event>)>,
    models: &Models,
) -> Result<Vec<(NodeIx, Prepared)>, LoadError> {
    const CHUNK: usize = 1_024;
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    if events.len() < 2 * CHUNK || workers == 1 {
        return prepare_chunk(events, models);
    }
    let per_worker = events.len().div_ceil(workers);
    let results: Vec<Result<Vec<_>, LoadError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = events
            .chunks(per_worker)
            .map(|part| scope.spawn(move || prepare_chunk(part.to_vec(), models)))
            .collect();
        handles
            .into_iter()
            .map(|h| h.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut out = Vec::with_capacity(events.len());
    for r in results {
        out.extend(r?);
    }
    Ok(out)
}

fn prepare_chunk(
    events: Vec<(NodeIx, Arc<Event>)>,
    models: &Models,
) -> Result<Vec<(NodeIx, Prepared)>, LoadError> {
    let (ixs, events): (Vec<_>, Vec<_>) = events.into_iter().unzip();
    Ok(ixs.into_iter().zip(Prepared::of(events, models)?).collect())
}

/// A key and its value.
pub(super) type Pair = (Vec<u8>, Vec<u8>);

pub(super) fn collect(store: &dyn Store, table: Table, prefix: &[u8]) -> Result<Vec<Pair>, StoreError> {
    let mut out = Vec::new();
    store.scan(table, prefix, &mut |k, v| {
        out.push((k.to_vec(), v.to_vec()));
        true
    })?;
    Ok(out)
}

