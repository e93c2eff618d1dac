//! The partition that Kafka's own clients choose for a key.
//!
//! Murmur2 as Kafka's Java client and librdkafka's `murmur2` partitioner compute it, so a space that
//! comes in through the socket meets its own Kafka records in one shard.

/// Murmur2, 32 bits, with Kafka's seed.
fn murmur2(data: &[u8]) -> u32 {
    const SEED: u32 = 0x9747_b28c;
    const M: u32 = 0x5bd1_e995;
    const R: u32 = 24;
    let mut h = SEED ^ data.len() as u32;
    let mut words = data.chunks_exact(4);
    for w in &mut words {
        let mut k = u32::from_le_bytes([w[0], w[1], w[2], w[3]]).wrapping_mul(M);
        k ^= k >> R;
        h = h.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    let rest = words.remainder();
    if !rest.is_empty() {
        let tail = rest.iter().rev().fold(0u32, |acc, b| acc << 8 | u32::from(*b));
        h = (h ^ tail).wrapping_mul(M);
    }
    h ^= h >> 13;
    h = h.wrapping_mul(M);
    h ^ (h >> 15)
}

/// Partition of a key among `partitions`; 0 when there are none.
pub fn default_partition(key: &[u8], partitions: i32) -> i32 {
    if partitions <= 0 {
        return 0;
    }
    // The sign bit is cut, not negated: that is how Kafka makes the hash positive.
    ((murmur2(key) & 0x7fff_ffff) % partitions as u32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that Kafka's Java client gives (its public test vectors).
    #[test]
    fn agrees_with_kafkas_java_client() {
        for (key, hash) in [
            ("21", -973932308i32),
            ("foobar", -790332482),
            ("a-little-bit-long-string", -985981536),
            ("a-little-bit-longer-string", -1486304829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
            ("abc", 479470107),
        ] {
            assert_eq!(murmur2(key.as_bytes()) as i32, hash, "{key}");
        }
    }

    #[test]
    fn partitions_stay_in_range() {
        for n in [1, 3, 4, 7] {
            for key in ["", "a", "foobar", "a-little-bit-longer-string"] {
                assert!((0..n).contains(&default_partition(key.as_bytes(), n)));
            }
        }
        assert_eq!(default_partition(b"x", 0), 0);
    }
}
