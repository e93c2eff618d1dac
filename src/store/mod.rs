//! Durable storage behind one narrow trait: atomic batches of keyed records.
//!
//! Knows event and graph (to convert them to records). The core never sees this room.

/// Tables of a shard. The discriminant is the first byte of a key on disk: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Table {
    /// Format version, shard identity, space names, clocks, counters.
    Meta = 1,
    /// Inputs in order: what state is a function of.
    Journal = 2,
    /// Nodes with their outgoing edges, by (space, node index).
    Nodes = 3,
    /// Merged and erased ids.
    Redirects = 4,
    /// Opaque records of the rooms, by (space, room, key).
    State = 5,
    /// Next offset by (source, topic, partition).
    Offsets = 6,
    /// Records to publish, by sequence.
    Outbox = 7,
    /// What was erased: survives replay and restore.
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

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the data directory {path} is in use by another process (lock held); stop that process or choose another --data")]
    Locked { path: String },
    #[error("the data in {path} has format {found}, newer than {known} which this version knows; use a newer gyrus")]
    Newer { path: String, found: u32, known: u32 },
    #[error("the data in {path} is damaged: {what}")]
    Damaged { path: String, what: String },
    #[error("the store failed while {doing}: {reason}")]
    Failed { doing: &'static str, reason: String },
}

/// One shard's storage. Implementations: sled, memory, and a fault-injecting wrapper for tests.
pub trait Store: Send + Sync {
    /// Applies all writes or none, and makes them durable as configured before it returns.
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError>;
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;
    /// Visits the records of a table whose key starts with `prefix`, in key order; `visit` returns false to stop.
    fn scan(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError>;
    /// Bytes on disk, for status.
    fn disk_bytes(&self) -> u64;
}
