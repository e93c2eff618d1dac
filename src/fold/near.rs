//! Approximate nearest events by vectors: sign patterns on fixed hyperplanes.
//!
//! Every table gives an event one bucket, by the signs of some projections. Near vectors share
//! buckets in some tables. Adding and removing is exact, order is arrival, cost does not grow: a
//! look-up reads the newest of each bucket only.

use rustc_hash::FxHashMap;

use super::features::mix;
use super::vector::Quantised;
use crate::embed::dot_i8;

const TABLES: usize = 6;
const BITS: usize = 11;

/// Buckets of one space.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// One row of +1/-1 for each projection, over the dimensions of both vectors; made at first use.
    planes: Vec<Vec<i8>>,
    buckets: FxHashMap<u32, Vec<u32>>,
}

/// The bucket of an event in each table.
pub(super) type Buckets = [u16; TABLES];

impl Near {
    /// Deterministic: the planes are a fixed function of their position.
    pub fn buckets(&mut self, dense: &Quantised, sif: &Quantised) -> Buckets {
        let dim = dense.values().len() + sif.values().len();
        if self.planes.first().is_none_or(|p| p.len() != dim) {
            self.planes = planes(dim);
        }
        let mut out = [0u16; TABLES];
        for (i, plane) in self.planes.iter().enumerate() {
            let (a, b) = plane.split_at(dense.values().len());
            // Each vector by its own largest component: both weigh about the same.
            if dot_i8(a, dense.values()) + dot_i8(b, sif.values()) > 0 {
                out[i / BITS] |= 1 << (i % BITS);
            }
        }
        out
    }

    pub fn add(&mut self, slot: u32, at: &Buckets) {
        for (t, b) in at.iter().enumerate() {
            self.buckets.entry(bucket(t, *b)).or_default().push(slot);
        }
    }

    pub fn remove(&mut self, slot: u32, at: &Buckets) {
        for (t, b) in at.iter().enumerate() {
            let key = bucket(t, *b);
            let Some(list) = self.buckets.get_mut(&key) else {
                continue;
            };
            if let Ok(i) = list.binary_search(&slot) {
                list.remove(i);
            }
            if list.is_empty() {
                self.buckets.remove(&key);
            }
        }
    }

    /// The newest `most` events of each of the event's buckets.
    pub fn visit(&self, at: &Buckets, most: usize, mut found: impl FnMut(u32)) {
        for (t, b) in at.iter().enumerate() {
            if let Some(list) = self.buckets.get(&bucket(t, *b)) {
                list.iter().rev().take(most).for_each(|s| found(*s));
            }
        }
    }
}

fn bucket(table: usize, code: u16) -> u32 {
    (table as u32) << 16 | u32::from(code)
}

fn planes(dim: usize) -> Vec<Vec<i8>> {
    (0..TABLES * BITS)
        .map(|p| {
            (0..dim)
                .map(|d| {
                    if mix((p << 32 | d) as u64 + 1) & 1 == 0 {
                        1
                    } else {
                        -1
                    }
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(seed: u64, jitter: f32) -> Quantised {
        let v: Vec<f32> = (0..64u64)
            .map(|d| {
                (mix(seed << 8 | d) % 1000) as f32 / 500.0 - 1.0 + jitter * (mix(d) % 100) as f32 / 100.0
            })
            .collect();
        Quantised::of(&v)
    }

    #[test]
    fn near_vectors_meet_and_removed_ones_do_not() {
        let mut near = Near::default();
        let mut at = Vec::new();
        for i in 0..200u32 {
            let v = vector(u64::from(i) + 1, 0.0);
            at.push(near.buckets(&v, &v));
            near.add(i, &at[i as usize]);
        }
        let probe = vector(51, 0.1);
        let at_probe = near.buckets(&probe, &probe);
        let mut found = Vec::new();
        near.visit(&at_probe, 24, |s| found.push(s));
        assert!(found.contains(&50), "{found:?}");
        near.remove(50, &at[50]);
        found.clear();
        near.visit(&at_probe, 24, |s| found.push(s));
        assert!(!found.contains(&50));
        assert!(found.len() < 60, "far vectors seldom meet: {}", found.len());
    }
}
