//! Unit vectors in one byte a dimension.
//!
//! Integer arithmetic, so a dot product is the same on every machine and in every order.

/// A vector of unit length, quantised; all zero when the input was.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Quantised {
    scale: f32,
    values: Box<[i8]>,
}

impl Quantised {
    /// Scales `v` to unit length and rounds each component to 1/127 of the largest.
    pub fn of(v: &[f32]) -> Self {
        let norm = v.iter().map(|x| x * x).sum::<f32>().sqrt();
        let max = v.iter().fold(0f32, |m, x| m.max(x.abs()));
        if norm <= 0.0 || max <= 0.0 || !norm.is_finite() || !max.is_finite() {
            return Self {
                scale: 0.0,
                values: vec![0; v.len()].into(),
            };
        }
        let values = v.iter().map(|x| (x * 127.0 / max).round() as i8).collect();
        let mut q = Self { scale: 1.0, values };
        let square = q.product(&q);
        q.scale = 1.0 / (square as f32).sqrt().max(1.0);
        q
    }

    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// Adds `self` to `sum`.
    pub fn add_to(&self, sum: &mut [f32]) {
        for (s, v) in sum.iter_mut().zip(&self.values) {
            *s += f32::from(*v) * self.scale;
        }
    }

    fn product(&self, other: &Self) -> i32 {
        crate::embed::dot_i8(&self.values, &other.values)
    }

    /// Cosine; 0 when one side is the zero vector.
    pub fn dot(&self, other: &Self) -> f32 {
        self.product(other) as f32 * (self.scale * other.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_cosines_within_a_hundredth() {
        let a: Vec<f32> = (0..64).map(|i| ((i * 37 % 19) as f32 - 9.0) / 7.0).collect();
        let b: Vec<f32> = (0..64).map(|i| ((i * 11 % 23) as f32 - 8.0) / 5.0).collect();
        let norm = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
        let cos = a.iter().zip(&b).map(|(x, y)| x * y).sum::<f32>() / (norm(&a) * norm(&b));
        let got = Quantised::of(&a).dot(&Quantised::of(&b));
        assert!((got - cos).abs() < 0.01, "{got} {cos}");
        assert!((Quantised::of(&a).dot(&Quantised::of(&a)) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn zero_and_broken_vectors_are_silent() {
        let a = Quantised::of(&[1.0, 0.0]);
        assert_eq!(a.dot(&Quantised::of(&[0.0, 0.0])), 0.0);
        assert_eq!(a.dot(&Quantised::of(&[f32::NAN, 1.0])), 0.0);
        assert_eq!(a.dot(&Quantised::of(&[])), 0.0);
    }
}
