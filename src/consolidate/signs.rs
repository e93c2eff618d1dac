//! Nearest-neighbour index over concept vectors by the signs of fixed projections.
//!
//! A vector is kept as 96 signs, one for each fixed hyperplane. Entries can be replaced and removed, and the
//! index depends on its present entries only, never on the order in which they came. A search costs at most
//! [`MAX_CANDIDATES`] comparisons of signs and returns at most [`MAX_RANKED`] nodes to compare exactly.
//! Must not know where vectors come from.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::NodeIx;

/// Signs of one vector, one bit a hyperplane.
pub type Signs = u128;

/// Tables times bits; both fixed, as kept signs must mean the same after an update of the program.
const TABLES: u32 = 8;
const BITS: u32 = 12;
const PLANES: u32 = TABLES * BITS;

/// Entries whose signs one search compares.
pub const MAX_CANDIDATES: usize = 2048;
/// Entries that one search hands out for exact comparison.
pub const MAX_RANKED: usize = 32;

/// See the module's head.
#[derive(Default)]
pub struct SignIndex {
    entries: BTreeMap<NodeIx, Signs>,
    buckets: BTreeMap<(u32, u32), BTreeSet<NodeIx>>,
}

impl SignIndex {
    /// Puts or replaces an entry. Cost: eight ordered insertions.
    pub fn put(&mut self, ix: NodeIx, signs: Signs) {
        if self.entries.get(&ix) == Some(&signs) {
            return;
        }
        self.remove(ix);
        self.entries.insert(ix, signs);
        for table in 0..TABLES {
            self.buckets
                .entry((table, code(signs, table)))
                .or_default()
                .insert(ix);
        }
    }

    pub fn remove(&mut self, ix: NodeIx) {
        let Some(signs) = self.entries.remove(&ix) else {
            return;
        };
        for table in 0..TABLES {
            let key = (table, code(signs, table));
            if let Some(bucket) = self.buckets.get_mut(&key) {
                bucket.remove(&ix);
                if bucket.is_empty() {
                    self.buckets.remove(&key);
                }
            }
        }
    }

    pub fn signs(&self, ix: NodeIx) -> Option<Signs> {
        self.entries.get(&ix).copied()
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Likely neighbours of `ix` with a cosine of `at_least`, fewest differing signs first, then older
    /// first; without itself. One with so many other signs that such a cosine is next to impossible
    /// (four standard deviations) is left out.
    ///
    /// With few entries all are compared. Beyond that, the entry's own bucket in each table comes first, then the
    /// buckets one bit away: at cosine .85 this misses about one neighbour in thirty.
    pub fn near(&self, ix: NodeIx, at_least: f32) -> Vec<NodeIx> {
        let Some(signs) = self.signs(ix) else {
            return Vec::new();
        };
        let mut found: Vec<(u32, NodeIx)> = if self.entries.len() <= MAX_CANDIDATES {
            self.entries
                .iter()
                .map(|(&other, &s)| ((s ^ signs).count_ones(), other))
                .collect()
        } else {
            self.probe(signs)
                .into_iter()
                .map(|other| ((self.entries[&other] ^ signs).count_ones(), other))
                .collect()
        };
        let most = most_signs(at_least);
        found.retain(|&(differing, other)| other != ix && differing <= most);
        found.sort_unstable();
        found.truncate(MAX_RANKED);
        found.into_iter().map(|(_, other)| other).collect()
    }

    fn probe(&self, signs: Signs) -> BTreeSet<NodeIx> {
        let mut found = BTreeSet::new();
        let flips = std::iter::once(0).chain((0..BITS).map(|b| 1 << b));
        for flip in flips {
            for table in 0..TABLES {
                let Some(bucket) = self.buckets.get(&(table, code(signs, table) ^ flip)) else {
                    continue;
                };
                for &other in bucket {
                    if found.len() >= MAX_CANDIDATES {
                        return found;
                    }
                    found.insert(other);
                }
            }
        }
        found
    }
}

/// Differing signs at most, of two vectors with this cosine: each plane parts them with probability
/// angle / pi.
fn most_signs(cosine: f32) -> u32 {
    let apart = cosine.clamp(-1.0, 1.0).acos() / std::f32::consts::PI;
    let planes = PLANES as f32;
    (planes * apart + 4.0 * (planes * apart * (1.0 - apart)).sqrt()).ceil() as u32
}

fn code(signs: Signs, table: u32) -> u32 {
    (signs >> (table * BITS)) as u32 & ((1 << BITS) - 1)
}

/// Signs of `vector` against the fixed hyperplanes, whose entries are +1 or -1 by a fixed mixing of plane and
/// dimension. Cost: 96 additions a dimension.
pub fn signs_of(vector: &[f32]) -> Signs {
    let mut sums = [0f32; PLANES as usize];
    for (dimension, &x) in vector.iter().enumerate() {
        // Two words of 64 mixed bits serve the 96 planes.
        let low = mix(2 * dimension as u64);
        let high = mix(2 * dimension as u64 + 1);
        for (plane, sum) in sums.iter_mut().enumerate() {
            let bit = if plane < 64 {
                low >> plane
            } else {
                high >> (plane - 64)
            } & 1;
            *sum += if bit == 1 { x } else { -x };
        }
    }
    sums.iter().enumerate().fold(
        0,
        |signs, (plane, &sum)| {
            if sum >= 0.0 { signs | 1 << plane } else { signs }
        },
    )
}

/// The finaliser of splitmix64: spreads a counter over 64 bits.
fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Cosine of two vectors; 0 when one is zero or the lengths differ.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 0.0;
    }
    let (dot, aa, bb) = (product(a, b), product(a, a), product(b, b));
    if aa > 0.0 && bb > 0.0 {
        dot / (aa * bb).sqrt()
    } else {
        0.0
    }
}

/// Summed in eight lanes: a fixed order that the compiler can do side by side.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; 8];
    let (mut x, mut y) = (a.chunks_exact(8), b.chunks_exact(8));
    for (p, q) in x.by_ref().zip(y.by_ref()) {
        for (lane, (p, q)) in lanes.iter_mut().zip(p.iter().zip(q)) {
            *lane += p * q;
        }
    }
    let rest = x.remainder().iter().zip(y.remainder()).map(|(p, q)| p * q);
    lanes.iter().sum::<f32>() + rest.sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(seed: u64) -> Vec<f32> {
        (0..64)
            .map(|d| (mix(seed * 1000 + d) % 2001) as f32 / 1000.0 - 1.0)
            .collect()
    }

    fn near_to(seed: u64, other: u64, share: f32) -> Vec<f32> {
        vector(seed)
            .iter()
            .zip(vector(other))
            .map(|(a, b)| a + share * b)
            .collect()
    }

    #[test]
    fn close_vectors_share_most_signs() {
        let a = vector(1);
        let b = near_to(1, 2, 0.4);
        assert!(cosine(&a, &b) > 0.85);
        assert!((signs_of(&a) ^ signs_of(&b)).count_ones() < 30);
        assert!((signs_of(&a) ^ signs_of(&vector(3))).count_ones() > 30);
    }

    #[test]
    fn finds_close_entries_among_many() {
        let mut index = SignIndex::default();
        for i in 0..4000u32 {
            index.put(NodeIx(i), signs_of(&vector(u64::from(i) + 10)));
        }
        let mut missed = 0;
        for i in 0..100u32 {
            let twin = NodeIx(10_000 + i);
            index.put(
                twin,
                signs_of(&near_to(u64::from(i) + 10, 90_000 + u64::from(i), 0.4)),
            );
            if index.near(twin, 0.8).first() != Some(&NodeIx(i)) {
                missed += 1;
            }
        }
        assert!(missed <= 8, "missed {missed} of 100");
    }

    #[test]
    fn replaced_and_removed_entries_leave_nothing() {
        let mut index = SignIndex::default();
        index.put(NodeIx(1), signs_of(&vector(1)));
        index.put(NodeIx(1), signs_of(&vector(2)));
        index.put(NodeIx(2), signs_of(&vector(1)));
        assert_eq!(index.len(), 2);
        index.remove(NodeIx(1));
        index.remove(NodeIx(2));
        assert!(index.buckets.is_empty() && index.entries.is_empty());
    }
}
