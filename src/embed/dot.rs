//! Dot products of vectors in one byte a dimension.
//!
//! Whole numbers, so the result is the same on every machine, in every order and at every width.

/// Dot product of the common length. No component may be -128 (quantised vectors run from -127 to
/// 127). No overflow below 130,000 dimensions.
pub(crate) fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the one feature that the function is compiled for.
        return unsafe { dot_i8_avx2(a, b) };
    }
    dot_i8_plain(a, b)
}

/// The same arithmetic on whole numbers, so the same result; many times as fast.
///
/// Products of |a| with b under a's sign: two of them fit into sixteen bits, since no component of a
/// quantised vector is below -127.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_i8_avx2(a: &[i8], b: &[i8]) -> i32 {
    use std::arch::x86_64::*;
    let (mut x, mut y) = (a.chunks_exact(32), b.chunks_exact(32));
    let ones = _mm256_set1_epi16(1);
    let mut sum = _mm256_setzero_si256();
    for (p, q) in x.by_ref().zip(y.by_ref()) {
        // SAFETY: both chunks hold 32 bytes, and the loads need no alignment.
        let (p, q) = unsafe {
            (
                _mm256_loadu_si256(p.as_ptr().cast()),
                _mm256_loadu_si256(q.as_ptr().cast()),
            )
        };
        let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(p), _mm256_sign_epi8(q, p));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
    }
    let mut lanes = [0i32; 8];
    // SAFETY: `lanes` has room for eight whole numbers, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
    let done = a.len().min(b.len()) / 32 * 32;
    lanes.iter().sum::<i32>() + dot_i8_plain(&a[done..], &b[done..])
}

#[inline(always)]
fn dot_i8_plain(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_components_do_not_overflow() {
        let (low, high) = ([-127i8; 64], [127i8; 64]);
        for (a, b) in [(low, low), (low, high), (high, high)] {
            assert_eq!(dot_i8(&a, &b), dot_i8_plain(&a, &b));
        }
    }

    #[test]
    fn wide_and_plain_agree_to_the_bit() {
        for len in [0, 1, 31, 32, 33, 128, 256, 300] {
            let a: Vec<i8> = (0..len).map(|i| ((i * 89 + 7) % 255 - 127) as i8).collect();
            let b: Vec<i8> = (0..len).map(|i| ((i * 57 + 3) % 255 - 127) as i8).collect();
            let sum: i32 = (0..len as usize).map(|i| i32::from(a[i]) * i32::from(b[i])).sum();
            assert_eq!(dot_i8(&a, &b), sum, "{len}");
        }
    }
}
