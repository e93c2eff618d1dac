//! Vectors as the indexes keep them: eight bits a component and one scale.
//!
//! A component is wrong by at most half a step of the largest one divided by 127.

/// A vector `scale * q`; empty when there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quantised {
    pub scale: f32,
    /// Length of `q`.
    pub length: f32,
    pub q: Box<[i8]>,
}

impl Quantised {
    /// The largest component becomes 127; a zero vector becomes an empty one.
    pub fn of(v: &[f32]) -> Quantised {
        let top = v.iter().fold(0f32, |m, x| m.max(x.abs()));
        if !(top.is_finite() && top > 0.0) {
            return Quantised::default();
        }
        let q: Box<[i8]> = v.iter().map(|x| (x * 127.0 / top).round() as i8).collect();
        Quantised { scale: top / 127.0, length: (dot_i8(&q, &q) as f32).sqrt(), q }
    }

    pub fn is_empty(&self) -> bool {
        self.q.is_empty()
    }

    /// Adds `weight` times this vector to `out`.
    pub fn add_to(&self, weight: f32, out: &mut [f32]) {
        let w = weight * self.scale;
        for (o, q) in out.iter_mut().zip(&self.q) {
            *o += w * f32::from(*q);
        }
    }

    /// Cosine with another; zero when either is empty.
    pub fn cosine(&self, other: &Quantised) -> f32 {
        let n = self.length * other.length;
        if n > 0.0 { dot_i8(&self.q, &other.q) as f32 / n } else { 0.0 }
    }

    /// The unit vector, for an index that wants floats.
    pub fn unit(&self) -> Vec<f32> {
        let n = self.length.max(1.0);
        self.q.iter().map(|x| f32::from(*x) / n).collect()
    }
}

/// Dot product of the common length. No overflow below 130,000 dimensions.
pub(crate) fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    // Blocks of fixed size, so that the compiler uses vector instructions.
    let (mut x, mut y) = (a.chunks_exact(16), b.chunks_exact(16));
    let mut lanes = [0i32; 16];
    for (p, q) in x.by_ref().zip(y.by_ref()) {
        for k in 0..16 {
            lanes[k] += i32::from(i16::from(p[k]) * i16::from(q[k]));
        }
    }
    let done = a.len().min(b.len()) / 16 * 16;
    let rest = a[done..].iter().zip(&b[done..]).map(|(x, y)| i32::from(i16::from(*x) * i16::from(*y)));
    lanes.iter().sum::<i32>() + rest.sum::<i32>()
}

/// Scales to unit length; a vector shorter than 1e-6 stays near zero.
pub(crate) fn normalise(v: &mut [f32]) {
    let n = v.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    v.iter_mut().for_each(|x| *x /= n);
}

/// Mean of word vectors where rare words count more: a word of probability p weighs a / (a + p)
/// with a = .001 (SIF). Words no table piece covers are skipped. `words` are (lower, zipf).
pub(crate) fn sif<'a>(words: impl Iterator<Item = (&'a str, f32)>, table: &dyn crate::embed::WordTable) -> Vec<f32> {
    let mut sum = vec![0f32; table.dim()];
    let mut one = vec![0f32; table.dim()];
    for (word, zipf) in words {
        one.fill(0.0);
        if table.vector(word, &mut one) {
            normalise(&mut one);
            let weight = 1e-3 / (1e-3 + 10f32.powf(zipf - 9.0));
            sum.iter_mut().zip(&one).for_each(|(s, x)| *s += weight * x);
        }
    }
    sum
}
