//! The arithmetic of vectors that the embedders share.

pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Adds `weight * b` to `a`.
pub(super) fn add_scaled(a: &mut [f32], weight: f32, b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x += weight * y);
}

/// Scales a vector to length 1. All zeros stay zeros, so that a cosine with nothing is 0.
pub(super) fn to_unit(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > f32::MIN_POSITIVE {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_vectors_have_length_one_and_zeros_stay() {
        let (mut vector, mut zeros) = ([3.0, 4.0], [0.0; 2]);
        to_unit(&mut vector);
        to_unit(&mut zeros);
        assert_eq!((vector, zeros), ([0.6, 0.8], [0.0; 2]));
    }

    #[test]
    fn sums_are_weighted() {
        let mut sum = [1.0, 2.0];
        add_scaled(&mut sum, 0.5, &[4.0, -2.0]);
        assert_eq!(sum, [3.0, 1.0]);
    }
}
