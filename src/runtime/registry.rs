//! The directory of spaces: which shard owns each, and its newest snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use parking_lot::RwLock;

use crate::space::SpaceView;

struct Entry {
    shard: u32,
    /// `None` until the first commit of the space.
    view: Option<Arc<ArcSwap<SpaceView>>>,
}

/// Shared by all shards and all readers. The lock is held for a look-up only; a reader then holds
/// the snapshot itself.
#[derive(Default)]
pub struct Registry {
    spaces: RwLock<BTreeMap<Arc<str>, Entry>>,
}

impl Registry {
    pub fn view(&self, space: &str) -> Option<Arc<SpaceView>> {
        let spaces = self.spaces.read();
        let cell = spaces.get(space)?.view.as_ref()?;
        Some(cell.load_full())
    }

    pub fn owner(&self, space: &str) -> Option<u32> {
        self.spaces.read().get(space).map(|e| e.shard)
    }

    /// The owner of a space; `shard` becomes it when there is none.
    pub fn claim(&self, space: &Arc<str>, shard: u32) -> u32 {
        if let Some(owner) = self.owner(space) {
            return owner;
        }
        self.spaces
            .write()
            .entry(space.clone())
            .or_insert(Entry { shard, view: None })
            .shard
    }

    pub fn publish(&self, shard: u32, view: SpaceView) {
        let name = view.meta.name.clone();
        {
            let spaces = self.spaces.read();
            if let Some(Entry { view: Some(cell), .. }) = spaces.get(&name) {
                cell.store(Arc::new(view));
                return;
            }
        }
        let cell = Arc::new(ArcSwap::from_pointee(view));
        self.spaces.write().insert(
            name,
            Entry {
                shard,
                view: Some(cell),
            },
        );
    }

    /// Names in order.
    pub fn names(&self) -> Vec<Arc<str>> {
        self.spaces.read().keys().cloned().collect()
    }

    pub fn views(&self) -> Vec<Arc<SpaceView>> {
        self.spaces
            .read()
            .values()
            .filter_map(|e| Some(e.view.as_ref()?.load_full()))
            .collect()
    }

    /// Forgets what a shard owned (its partition went to another process).
    pub fn drop_shard(&self, shard: u32) {
        self.spaces.write().retain(|_, e| e.shard != shard);
    }
}
