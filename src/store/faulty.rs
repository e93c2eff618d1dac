//! A store that fails on command, for tests of the write-failure latch and of recovery.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::{Store, StoreError, Table, Write};

/// Says of a batch whether it fails.
type Fault = Box<dyn Fn(&[Write]) -> bool + Send + Sync>;

/// Wraps a store; chosen commits fail, leaving the inner store as it was, as a full disk would.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: Mutex<Option<Fault>>,
    refused: AtomicU64,
}

impl FaultyStore {
    pub fn new(inner: Arc<dyn Store>) -> FaultyStore {
        FaultyStore {
            inner,
            fault: Mutex::new(None),
            refused: AtomicU64::new(0),
        }
    }

    /// `commits` more succeed, then every one fails until [`FaultyStore::heal`].
    pub fn fail_after(&self, commits: u32) {
        let left = AtomicU32::new(commits);
        self.fail_when(move |_| {
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                .is_err()
        });
    }

    /// Every batch of which `fault` is true fails until [`FaultyStore::heal`].
    pub fn fail_when(&self, fault: impl Fn(&[Write]) -> bool + Send + Sync + 'static) {
        *self.fault.lock() = Some(Box::new(fault));
    }

    pub fn heal(&self) {
        *self.fault.lock() = None;
    }

    /// Commits that failed so far.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::SeqCst)
    }
}

impl Store for FaultyStore {
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError> {
        if self.fault.lock().as_ref().is_some_and(|fault| fault(writes)) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::failed(
                "writing a batch",
                "injected fault: no space left on device",
            ));
        }
        self.inner.commit(writes)
    }

    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.get(table, key)
    }

    fn keys(&self, table: Table) -> Result<Vec<Vec<u8>>, StoreError> {
        self.inner.keys(table)
    }

    fn last_key(&self, table: Table) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.last_key(table)
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
