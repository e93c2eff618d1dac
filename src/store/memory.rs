//! A store in memory: the plain model that the others are compared with, and the default of tests.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::{Store, StoreError, Table, Write};

/// Records by table and key.
type Records = BTreeMap<(Table, Vec<u8>), Vec<u8>>;

/// Holds every record in one ordered map. Nothing survives it.
#[derive(Default)]
pub struct MemoryStore {
    records: Mutex<Records>,
}

impl MemoryStore {
    /// All records, for comparing two stores.
    pub fn dump(&self) -> BTreeMap<(Table, Vec<u8>), Vec<u8>> {
        self.records.lock().clone()
    }
}

impl Store for MemoryStore {
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError> {
        let mut records = self.records.lock();
        for w in writes {
            let key = (w.table, w.key.clone());
            match &w.value {
                Some(v) => records.insert(key, v.clone()),
                None => records.remove(&key),
            };
        }
        Ok(())
    }

    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.records.lock().get(&(table, key.to_vec())).cloned())
    }

    fn keys(&self, table: Table) -> Result<Vec<Vec<u8>>, StoreError> {
        Ok(self
            .records
            .lock()
            .keys()
            .filter(|(t, _)| *t == table)
            .map(|(_, k)| k.clone())
            .collect())
    }

    fn last_key(&self, table: Table) -> Result<Option<Vec<u8>>, StoreError> {
        let records = self.records.lock();
        let last = records.keys().rev().find(|(t, _)| *t <= table);
        Ok(last.filter(|(t, _)| *t == table).map(|(_, k)| k.clone()))
    }

    fn scan(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        // A copy, so that `visit` may use the store.
        let hits: Vec<_> = self
            .records
            .lock()
            .range((table, prefix.to_vec())..)
            .take_while(|((t, k), _)| *t == table && k.starts_with(prefix))
            .map(|((_, k), v)| (k.clone(), v.clone()))
            .collect();
        for (k, v) in hits {
            if !visit(&k, &v) {
                break;
            }
        }
        Ok(())
    }
}
