//! Durable storage behind one narrow trait: atomic batches of keyed records.
//!
//! Knows event and graph (to convert them to records, in [`record`]). The core never sees this
//! room. [`vault`] opens a data directory; [`sled_store`], [`memory`] and [`faulty`] implement the
//! trait. Every value carries a checksum, so damage is found when it is read, not believed.

pub mod faulty;
pub mod memory;
pub mod record;
mod sled_store;
pub mod vault;

pub use faulty::FaultyStore;
pub use memory::MemoryStore;
pub use vault::{Durability, SCRUB_OWED, Vault};

/// Tables of a shard. The discriminant is the first byte of a key on disk: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Table {
    /// Space names, clocks, counters.
    Meta = 1,
    /// Inputs in order: what state is a function of.
    Journal = 2,
    /// Nodes with their outgoing edges, by (space, node index).
    Nodes = 3,
    /// Merged and erased ids.
    Redirects = 4,
    /// Opaque records of the rooms, by (space, room, key).
    State = 5,
    /// Next offset by (topic, partition).
    Offsets = 6,
    /// Records to publish, by sequence.
    Outbox = 7,
    /// Which events are not to be taken in, should they come: erased by id.
    Erased = 8,
}

/// One change of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub table: Table,
    pub key: Vec<u8>,
    /// `None` deletes.
    pub value: Option<Vec<u8>>,
}

impl Write {
    pub fn put(table: Table, key: Vec<u8>, value: Vec<u8>) -> Write {
        Write {
            table,
            key,
            value: Some(value),
        }
    }

    pub fn delete(table: Table, key: Vec<u8>) -> Write {
        Write {
            table,
            key,
            value: None,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "the data directory {path} is in use by another process (lock held); stop that process or choose another --data"
    )]
    Locked { path: String },
    #[error(
        "the data in {path} has format {found}, newer than {known} which this version knows; use a newer gyrus"
    )]
    Newer { path: String, found: u32, known: u32 },
    #[error("the data in {path} is damaged: {what}")]
    Damaged { path: String, what: String },
    #[error("the store failed while {doing}: {reason}")]
    Failed { doing: &'static str, reason: String },
}

impl StoreError {
    pub fn failed(doing: &'static str, reason: impl std::fmt::Display) -> StoreError {
        StoreError::Failed {
            doing,
            reason: reason.to_string(),
        }
    }
}

/// One shard's storage.
pub trait Store: Send + Sync {
    /// Applies all writes or none, and makes them durable as configured before it returns.
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError>;

    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Keys of a table, in order; values are not looked at, so damaged records are named too.
    fn keys(&self, table: Table) -> Result<Vec<Vec<u8>>, StoreError>;

    /// The highest key of a table. O(log n).
    fn last_key(&self, table: Table) -> Result<Option<Vec<u8>>, StoreError>;

    /// Visits the records of a table whose key starts with `prefix`, in key order; `visit` returns
    /// false to stop.
    fn scan(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError>;
}

const CHECK_BYTES: usize = 4;

/// The value with its checksum behind it. The key is part of the sum, so a value that ends up
/// under another key is noticed too.
fn seal(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len() + CHECK_BYTES);
    out.extend_from_slice(value);
    out.extend_from_slice(&checksum(key, value));
    out
}

/// The value without its checksum, or `None` when they disagree.
fn unseal<'a>(key: &[u8], sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (value, sum) = sealed.split_at_checked(sealed.len().checked_sub(CHECK_BYTES)?)?;
    (checksum(key, value) == sum).then_some(value)
}

fn checksum(key: &[u8], value: &[u8]) -> [u8; CHECK_BYTES] {
    let mut h = blake3::Hasher::new();
    h.update(&(key.len() as u64).to_le_bytes());
    h.update(key);
    h.update(value);
    let mut out = [0; CHECK_BYTES];
    out.copy_from_slice(&h.finalize().as_bytes()[..CHECK_BYTES]);
    out
}

/// The full key on disk: table, then key.
fn disk_key(table: Table, key: &[u8]) -> Vec<u8> {
    let mut k = Vec::with_capacity(key.len() + 1);
    k.push(table as u8);
    k.extend_from_slice(key);
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_or_a_moved_value_is_noticed() {
        let sealed = seal(b"k", b"value");
        assert_eq!(unseal(b"k", &sealed), Some(&b"value"[..]));
        assert_eq!(unseal(b"other", &sealed), None);
        for i in 0..sealed.len() {
            let mut bad = sealed.clone();
            bad[i] ^= 1;
            assert_eq!(unseal(b"k", &bad), None, "byte {i}");
        }
        assert_eq!(unseal(b"k", b"ab"), None);
    }
}
