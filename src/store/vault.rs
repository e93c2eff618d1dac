//! A data directory: who may open it, which format it has, and where its shards are.
//!
//! Layout: `LOCK` (held while open), `FORMAT` (format number), `CURRENT` (name of the live store
//! folder), `store-N/` (sled). A scrub copies all live records into `store-(N+1)`, switches
//! `CURRENT` with an atomic rename and deletes the old folder, so that nothing erased stays on disk.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs4::fs_std::FileExt;
use parking_lot::{Mutex, RwLock};

use super::sled_store::{SledStore, open_sled, sled_error};
use super::{Store, StoreError, Table, disk_key};

/// Format of the records; raised when they change shape.
pub const FORMAT: u32 = 1;

/// Key in [`Table::Meta`] of a shard: an erasure left bytes that a scrub must take away. Written in the batch of the
/// erasure; a scrub copies everything but this.
pub const SCRUB_OWED: &[u8] = b"scrub-owed";

/// When a commit counts as durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// fsync before a batch is acknowledged.
    EveryBatch,
    /// fsync every so many milliseconds: a crash of the machine may lose that much.
    Interval { ms: u64 },
    /// The operating system decides.
    Never,
}

/// An open data directory. Closing (dropping) it flushes and releases the lock.
pub struct Vault {
    dir: PathBuf,
    /// Held for its lock.
    _lock: File,
    db: Arc<RwLock<sled::Db>>,
    cache_mb: u64,
    durability: Durability,
    /// Number of the live store folder; also serialises scrubs.
    generation: Mutex<u64>,
}

impl Vault {
    /// Opens or creates `dir`. Errors: `Locked`, `Newer`, `Damaged`, `Failed`; on each the
    /// directory is left as it was.
    pub fn open(dir: &Path, cache_mb: u64, durability: Durability) -> Result<Vault, StoreError> {
        let shown = dir.display().to_string();
        // What agents know is for their owner alone. A directory that is there keeps the mode it was given.
        use std::os::unix::fs::DirBuilderExt;
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir)
            .map_err(|e| StoreError::failed("creating the data directory", format!("{shown}: {e}")))?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(dir.join("LOCK"))
            .map_err(|e| StoreError::failed("opening the lock file", format!("{shown}: {e}")))?;
        match lock.try_lock_exclusive() {
            Ok(true) => {}
            Ok(false) => return Err(StoreError::Locked { path: shown }),
            Err(e) => return Err(StoreError::failed("locking the data directory", e)),
        }
        let fresh = !dir.join("CURRENT").exists();
        match read_format(dir)? {
            Some(found) if found > FORMAT => {
                return Err(StoreError::Newer {
                    path: shown,
                    found,
                    known: FORMAT,
                });
            }
            Some(_) => {}
            None if fresh => write_atomically(&dir.join("FORMAT"), &format!("{FORMAT}\n"))?,
            None => {
                return Err(StoreError::Damaged {
                    path: shown,
                    what: "FORMAT is missing beside CURRENT".into(),
                });
            }
        }
        let generation = if fresh {
            write_atomically(&dir.join("CURRENT"), "store-1\n")?;
            1
        } else {
            read_current(dir)?
        };
        let path = dir.join(format!("store-{generation}"));
        if !fresh && !path.is_dir() {
            return Err(StoreError::Damaged {
                path: shown,
                what: format!("store-{generation} is named but missing"),
            });
        }
        let db = open_sled(&path, cache_mb, durability)?;
        let vault = Vault {
            dir: dir.to_path_buf(),
            _lock: lock,
            db: Arc::new(RwLock::new(db)),
            cache_mb,
            durability,
            generation: Mutex::new(generation),
        };
        vault.remove_stale(generation)?;
        Ok(vault)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The storage of shard `n`, made when missing.
    pub fn shard(&self, n: u32) -> Arc<dyn Store> {
        Arc::new(SledStore {
            db: self.db.clone(),
            tree: tree_name(n),
            durability: self.durability,
            path: self.dir.display().to_string(),
        })
    }

    /// The shards that have data, in order.
    pub fn shards(&self) -> Vec<u32> {
        let db = self.db.read();
        let mut out: Vec<u32> = db
            .tree_names()
            .iter()
            .filter_map(|n| std::str::from_utf8(n).ok()?.strip_prefix("shard-")?.parse().ok())
            .collect();
        out.sort_unstable();
        out
    }

    /// True when an erasure was not followed by a scrub, by this process or one that was killed.
    pub fn scrub_owed(&self) -> Result<bool, StoreError> {
        let db = self.db.read();
        let shown = self.dir.display().to_string();
        for name in db.tree_names() {
            let tree = db
                .open_tree(&name)
                .map_err(|e| sled_error(&shown, "opening a shard", e))?;
            let found = tree.contains_key(disk_key(Table::Meta, SCRUB_OWED));
            if found.map_err(|e| sled_error(&shown, "looking for an erasure", e))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bytes on disk.
    pub fn disk_bytes(&self) -> u64 {
        self.db.read().size_on_disk().unwrap_or(0)
    }

    /// Makes everything durable now.
    pub fn flush(&self) -> Result<(), StoreError> {
        let shown = self.dir.display().to_string();
        self.db
            .read()
            .flush()
            .map(|_| ())
            .map_err(|e| sled_error(&shown, "flushing the store", e))
    }

    /// Rewrites the live records into a new folder and deletes the old one. Blocks commits and
    /// store reads meanwhile; queries read memory and go on. Cost: all live records.
    pub fn scrub(&self) -> Result<(), StoreError> {
        let mut generation = self.generation.lock();
        let next = *generation + 1;
        let path = self.dir.join(format!("store-{next}"));
        let shown = self.dir.display().to_string();
        let mut db = self.db.write();
        if path.exists() {
            fs::remove_dir_all(&path).map_err(|e| StoreError::failed("clearing a stale store folder", e))?;
        }
        let fresh = open_sled(&path, self.cache_mb, self.durability)?;
        copy_trees(&db, &fresh).map_err(|e| sled_error(&shown, "copying live records", e))?;
        fresh
            .flush()
            .map_err(|e| sled_error(&shown, "flushing the new store", e))?;
        write_atomically(&self.dir.join("CURRENT"), &format!("store-{next}\n"))?;
        *db = fresh;
        *generation = next;
        drop(db);
        self.remove_stale(next)
    }

    /// Deletes store folders other than the live one (a scrub that was cut short leaves one).
    fn remove_stale(&self, live: u64) -> Result<(), StoreError> {
        let keep = format!("store-{live}");
        let entries =
            fs::read_dir(&self.dir).map_err(|e| StoreError::failed("listing the data directory", e))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("store-") && name != keep {
                fs::remove_dir_all(entry.path())
                    .map_err(|e| StoreError::failed("removing an old store folder", e))?;
            }
        }
        Ok(())
    }
}

fn tree_name(shard: u32) -> String {
    format!("shard-{shard}")
}

fn copy_trees(from: &sled::Db, to: &sled::Db) -> Result<(), sled::Error> {
    const CHUNK: usize = 512;
    let paid = disk_key(Table::Meta, SCRUB_OWED);
    for name in from.tree_names() {
        let (source, target) = (from.open_tree(&name)?, to.open_tree(&name)?);
        let mut batch = sled::Batch::default();
        for (n, item) in source.iter().enumerate() {
            let (k, v) = item?;
            if k != paid {
                batch.insert(k, v);
            }
            if n % CHUNK == CHUNK - 1 {
                target.apply_batch(std::mem::take(&mut batch))?;
            }
        }
        target.apply_batch(batch)?;
    }
    Ok(())
}

fn read_format(dir: &Path) -> Result<Option<u32>, StoreError> {
    match fs::read_to_string(dir.join("FORMAT")) {
        Ok(s) => s.trim().parse().map(Some).map_err(|_| StoreError::Damaged {
            path: dir.display().to_string(),
            what: "FORMAT does not hold a number".into(),
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(StoreError::failed("reading FORMAT", e)),
    }
}

fn read_current(dir: &Path) -> Result<u64, StoreError> {
    let s = fs::read_to_string(dir.join("CURRENT")).map_err(|e| StoreError::failed("reading CURRENT", e))?;
    s.trim()
        .strip_prefix("store-")
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| StoreError::Damaged {
            path: dir.display().to_string(),
            what: "CURRENT does not name a store folder".into(),
        })
}

/// Writes a small file so that a crash leaves the old content or the new, never a part.
fn write_atomically(path: &Path, content: &str) -> Result<(), StoreError> {
    let run = || -> std::io::Result<()> {
        let tmp = path.with_extension("tmp");
        let mut f = File::create(&tmp)?;
        f.write_all(content.as_bytes())?;
        f.sync_all()?;
        fs::rename(&tmp, path)?;
        // The rename is durable once the folder is.
        if let Some(parent) = path.parent() {
            File::open(parent)?.sync_all()?;
        }
        Ok(())
    };
    run().map_err(|e| StoreError::failed("writing a control file", format!("{}: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Write;

    fn open(dir: &Path) -> Result<Vault, StoreError> {
        Vault::open(dir, 8, Durability::EveryBatch)
    }

    #[test]
    fn what_was_committed_is_there_after_reopening() {
        let dir = tempfile::tempdir().unwrap();
        {
            let v = open(dir.path()).unwrap();
            v.shard(3)
                .commit(&[Write::put(Table::Meta, b"k".to_vec(), b"v".to_vec())])
                .unwrap();
        }
        let v = open(dir.path()).unwrap();
        assert_eq!(
            v.shard(3).get(Table::Meta, b"k").unwrap().as_deref(),
            Some(&b"v"[..])
        );
        assert_eq!(v.shards(), [3]);
    }

    #[test]
    fn a_second_opener_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let _held = open(dir.path()).unwrap();
        assert!(matches!(open(dir.path()), Err(StoreError::Locked { .. })));
    }

    #[test]
    fn a_newer_format_is_refused_untouched() {
        let dir = tempfile::tempdir().unwrap();
        drop(open(dir.path()).unwrap());
        fs::write(dir.path().join("FORMAT"), "99\n").unwrap();
        assert!(matches!(
            open(dir.path()),
            Err(StoreError::Newer { found: 99, .. })
        ));
        assert_eq!(fs::read_to_string(dir.path().join("FORMAT")).unwrap(), "99\n");
    }

    #[test]
    fn a_half_written_snapshot_does_not_stop_the_opening() {
        let dir = tempfile::tempdir().unwrap();
        {
            let v = open(dir.path()).unwrap();
            v.shard(0)
                .commit(&[Write::put(Table::Meta, b"k".to_vec(), b"v".to_vec())])
                .unwrap();
        }
        fs::write(
            dir.path().join("store-1/snap.00000000000000FF.generating"),
            b"torn",
        )
        .unwrap();
        let v = open(dir.path()).unwrap();
        assert_eq!(
            v.shard(0).get(Table::Meta, b"k").unwrap().as_deref(),
            Some(&b"v"[..])
        );
    }

    #[test]
    fn a_scrub_keeps_the_live_and_leaves_no_byte_of_the_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let v = open(dir.path()).unwrap();
        let s = v.shard(0);
        s.commit(&[
            Write::put(Table::Nodes, b"gone".to_vec(), b"the heron sleeps".to_vec()),
            Write::put(Table::Nodes, b"kept".to_vec(), b"still here".to_vec()),
        ])
        .unwrap();
        s.commit(&[Write::delete(Table::Nodes, b"gone".to_vec())])
            .unwrap();
        assert!(
            folder_contains(dir.path(), b"heron sleeps"),
            "the test must be able to see the bytes"
        );
        v.scrub().unwrap();
        assert!(!folder_contains(dir.path(), b"heron sleeps"));
        assert_eq!(
            s.get(Table::Nodes, b"kept").unwrap().as_deref(),
            Some(&b"still here"[..])
        );
        s.commit(&[Write::put(Table::Nodes, b"new".to_vec(), b"n".to_vec())])
            .unwrap();
        drop((s, v));
        let v = open(dir.path()).unwrap();
        assert!(v.shard(0).get(Table::Nodes, b"new").unwrap().is_some());
        assert!(v.shard(0).get(Table::Nodes, b"gone").unwrap().is_none());
    }

    #[test]
    fn a_scrub_that_is_owed_is_owed_until_it_is_done() {
        let dir = tempfile::tempdir().unwrap();
        let v = open(dir.path()).unwrap();
        let s = v.shard(2);
        s.commit(&[Write::put(Table::Meta, b"other".to_vec(), Vec::new())])
            .unwrap();
        assert!(!v.scrub_owed().unwrap());
        s.commit(&[Write::put(Table::Meta, SCRUB_OWED.to_vec(), Vec::new())])
            .unwrap();
        drop((s, v));
        let v = open(dir.path()).unwrap();
        assert!(v.scrub_owed().unwrap());
        v.scrub().unwrap();
        assert!(!v.scrub_owed().unwrap());
        assert!(v.shard(2).get(Table::Meta, b"other").unwrap().is_some());
    }

    fn folder_contains(dir: &Path, needle: &[u8]) -> bool {
        fs::read_dir(dir).unwrap().flatten().any(|e| {
            let path = e.path();
            if path.is_dir() {
                return folder_contains(&path, needle);
            }
            fs::read(path).is_ok_and(|bytes| bytes.windows(needle.len()).any(|w| w == needle))
        })
    }
}
