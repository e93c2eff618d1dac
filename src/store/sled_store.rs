//! The store on sled: one tree a shard, one `apply_batch` a commit.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;

use super::vault::Durability;
use super::{Store, StoreError, Table, Write, disk_key, seal, unseal};

/// One shard's tree. The database behind it may be exchanged by a scrub (see `vault`), which takes
/// `db` for writing; commits and reads take it for reading.
pub struct SledStore {
    pub(super) db: Arc<RwLock<sled::Db>>,
    pub(super) tree: String,
    pub(super) durability: Durability,
    pub(super) path: String,
}

impl SledStore {
    fn tree(&self, db: &sled::Db) -> Result<sled::Tree, StoreError> {
        db.open_tree(&self.tree)
            .map_err(|e| sled_error(&self.path, "opening a shard", e))
    }

    fn damaged(&self, table: Table, key: &[u8]) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            what: format!(
                "a record of table {table:?} (key {}) fails its checksum",
                hex(key)
            ),
        }
    }
}

impl Store for SledStore {
    fn commit(&self, writes: &[Write]) -> Result<(), StoreError> {
        let db = self.db.read();
        let tree = self.tree(&db)?;
        let mut batch = sled::Batch::default();
        for w in writes {
            let key = disk_key(w.table, &w.key);
            match &w.value {
                Some(v) => batch.insert(key, seal(&w.key, v)),
                None => batch.remove(key),
            }
        }
        tree.apply_batch(batch)
            .map_err(|e| sled_error(&self.path, "writing a batch", e))?;
        if self.durability == Durability::EveryBatch {
            tree.flush()
                .map_err(|e| sled_error(&self.path, "flushing a batch", e))?;
        }
        Ok(())
    }

    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let db = self.db.read();
        let found = self
            .tree(&db)?
            .get(disk_key(table, key))
            .map_err(|e| sled_error(&self.path, "reading a record", e))?;
        let Some(sealed) = found else { return Ok(None) };
        match unseal(key, &sealed) {
            Some(v) => Ok(Some(v.to_vec())),
            None => Err(self.damaged(table, key)),
        }
    }

    fn keys(&self, table: Table) -> Result<Vec<Vec<u8>>, StoreError> {
        let db = self.db.read();
        let keys = self.tree(&db)?.scan_prefix([table as u8]).keys();
        keys.map(|k| Ok(k.map_err(|e| sled_error(&self.path, "listing keys", e))?[1..].to_vec()))
            .collect()
    }

    fn last_key(&self, table: Table) -> Result<Option<Vec<u8>>, StoreError> {
        let db = self.db.read();
        let last = self.tree(&db)?.scan_prefix([table as u8]).keys().next_back();
        last.map(|k| Ok(k.map_err(|e| sled_error(&self.path, "finding the last key", e))?[1..].to_vec()))
            .transpose()
    }

    fn scan(
        &self,
        table: Table,
        prefix: &[u8],
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        let db = self.db.read();
        for item in self.tree(&db)?.scan_prefix(disk_key(table, prefix)) {
            let (k, sealed) = item.map_err(|e| sled_error(&self.path, "scanning records", e))?;
            let key = &k[1..];
            let value = unseal(key, &sealed).ok_or_else(|| self.damaged(table, key))?;
            if !visit(key, value) {
                break;
            }
        }
        Ok(())
    }
}

pub(super) fn sled_error(path: &str, doing: &'static str, e: sled::Error) -> StoreError {
    match e {
        sled::Error::Corruption { .. } => StoreError::Damaged {
            path: path.into(),
            what: format!("sled reports corruption while {doing}"),
        },
        e => StoreError::failed(doing, e),
    }
}

/// Opens a sled database, first removing the half-written snapshots that a kill can leave behind:
/// sled 0.34 takes `snap.*.generating` for a snapshot and then refuses to open. They hold nothing
/// that the log does not.
pub(super) fn open_sled(path: &Path, cache_mb: u64, durability: Durability) -> Result<sled::Db, StoreError> {
    let shown = path.display().to_string();
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|e| StoreError::failed("listing the store", e))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("snap.") && name.ends_with(".generating") {
                std::fs::remove_file(entry.path())
                    .map_err(|e| StoreError::failed("removing a half-written snapshot", e))?;
            }
        }
    }
    let interval = match durability {
        Durability::EveryBatch | Durability::Never => None,
        Durability::Interval { ms } => Some(ms),
    };
    let config = sled::Config::new()
        .path(path)
        .cache_capacity(cache_mb.max(8) * 1024 * 1024)
        .flush_every_ms(interval)
        .mode(sled::Mode::HighThroughput);
    let until = Instant::now() + LOCK_PATIENCE;
    loop {
        match config.open() {
            Err(e) if is_lock(&e) && Instant::now() < until => std::thread::park_timeout(LOCK_LOOK),
            opened => return opened.map_err(|e| sled_error(&shown, "opening the store", e)),
        }
    }
}

/// A store that was just closed in this process keeps sled's own lock until its last background
/// write is done. Another process cannot be it: the vault's lock is ours by now.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// Time between looks at that lock.
const LOCK_LOOK: Duration = Duration::from_millis(20);

fn is_lock(e: &sled::Error) -> bool {
    matches!(e, sled::Error::Io(e) if e.to_string().contains("acquire lock"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(24).map(|b| format!("{b:02x}")).collect()
}
