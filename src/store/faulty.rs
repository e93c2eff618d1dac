//! A store that fails on command, for tests of the write-failure latch and of recovery.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::{Store, StoreError, Table, Write};

/// Wraps a store; after a set number of commits the next ones fail, leaving the inner store as it
/// was, as a full disk would.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    /// Commits that still succeed; negative means no fault is armed.
    left: AtomicI64,
    refused: AtomicU64,
}

impl FaultyStore {
    pub fn new(inner: Arc<dyn Store>) -> FaultyStore {
        FaultyStore {
            inner,
            left: AtomicI64::new(-1),
            refused: AtomicU64::new(0),
        }
    }

    /// `commits` more succeed, then every one fails until [`FaultyStore::heal`].
    pub fn fail_after(&self, commits: u32) {
        self.left.store(i64::from(commits), Ordering::SeqCst);
    }

    pub fn heal(&self) {
        self.left.store(-1, Ordering::SeqCst);
    }

    /// Commits that failed so far.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::SeqCst)
    }
}

impl Store for FaultyStore {
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError> {
        let left = self.left.load(Ordering::SeqCst);
        if left == 0 {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::failed(
                "writing a batch",
                "injected fault: no space left on device",
            ));
        }
        if left > 0 {
            self.left.store(left - 1, Ordering::SeqCst);
        }
        self.inner.commit(writes)
    }

    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.get(table, key)
    }

    fn keys(&self, table: Table) -> Result<Vec<Vec<u8>>, StoreError> {
        self.inner.keys(table)
    }

    fn scan(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        self.inner.scan(table, prefix, visit)
    }
}
