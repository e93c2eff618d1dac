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
        self.spaces.write().entry(space.clone()).or_insert(Entry { shard, view: None }).shard
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
        self.spaces.write().insert(name, Entry { shard, view: Some(cell) });
    }

    /// Names in order.
    pub fn names(&self) -> Vec<Arc<str>> {
        self.spaces.read().keys().cloned().collect()
    }

    pub fn views(&self) -> Vec<Arc<SpaceView>> {
        self.spaces.read().values().filter_map(|e| Some(e.view.as_ref()?.load_full())).collect()
    }

    /// Forgets what a shard owned (its partition went to another process).
    pub fn drop_shard(&self, shard: u32) {
        self.spaces.write().retain(|_, e| e.shard != shard);
    }
}

/// The partition that Kafka's default partitioner gives to a key: murmur2, as in the Java client,
/// so that a space that comes in through the socket lives where its Kafka records will arrive.
pub fn home_partition(space: &str, partitions: u32) -> u32 {
    (murmur2(space.as_bytes()) & 0x7fff_ffff) % partitions.max(1)
}

/// MurmurHash2, 32 bits, with the seed that Kafka uses.
fn murmur2(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    const R: u32 = 24;
    let mut h: u32 = 0x9747_b28c ^ data.len() as u32;
    let mut chunks = data.chunks_exact(4);
    for c in &mut chunks {
        let mut k = u32::from_le_bytes([c[0], c[1], c[2], c[3]]).wrapping_mul(M);
        k ^= k >> R;
        h = h.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    let rest = chunks.remainder();
    for (i, b) in rest.iter().enumerate().rev() {
        h ^= u32::from(*b) << (8 * i);
    }
    if !rest.is_empty() {
        h = h.wrapping_mul(M);
    }
    h ^= h >> 13;
    h = h.wrapping_mul(M);
    h ^ (h >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_the_java_client_does() {
        // Values of org.apache.kafka.common.utils.Utils.murmur2 (its own unit test).
        let known: [(&str, i32); 5] = [
            ("21", -973932308),
            ("foobar", -790332482),
            ("a-little-bit-long-string", -985981536),
            ("a-little-bit-longer-string", -1486304829),
            ("abc", 479470107),
        ];
        for (key, hash) in known {
            assert_eq!(murmur2(key.as_bytes()) as i32, hash, "{key}");
        }
    }
}
