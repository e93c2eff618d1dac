//! Vectors as the indexes keep them: eight bits a component and one scale.
//!
//! A component is wrong by at most half a step of the largest one divided by 127.

use crate::embed::dot_i8;

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
        Quantised {
            scale: top / 127.0,
            length: (dot_i8(&q, &q) as f32).sqrt(),
            q,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.q.is_empty()
    }

    /// Cosine with another; zero when either is empty.
    pub fn cosine(&self, other: &Quantised) -> f32 {
        let n = self.length * other.length;
        if n > 0.0 {
            dot_i8(&self.q, &other.q) as f32 / n
        } else {
            0.0
        }
    }

    /// The unit vector times 127, each component rounded.
    pub fn unit_i8(&self) -> Vec<i8> {
        self.q
            .iter()
            .map(|x| (f32::from(*x) * 127.0 / self.length.max(1.0)).round() as i8)
            .collect()
    }

    /// The unit vector, for an index that wants floats.
    pub fn unit(&self) -> Vec<f32> {
        let n = self.length.max(1.0);
        self.q.iter().map(|x| f32::from(*x) / n).collect()
    }
}

/// Dot product of the common length, summed in eight lanes: a fixed order that vectorises.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; 8];
    let (mut x, mut y) = (a.chunks_exact(8), b.chunks_exact(8));
    for (p, q) in x.by_ref().zip(y.by_ref()) {
        for k in 0..8 {
            lanes[k] += p[k] * q[k];
        }
    }
    let done = a.len().min(b.len()) / 8 * 8;
    let rest: f32 = a[done..].iter().zip(&b[done..]).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

/// Scales to unit length; a vector shorter than 1e-6 stays near zero.
pub(crate) fn normalise(v: &mut [f32]) {
    let n = dot(v, v).sqrt().max(1e-6);
    v.iter_mut().for_each(|x| *x /= n);
}

/// Mean of word vectors where rare words count more: a word of probability p weighs a / (a + p)
/// with a = .001 (SIF). Words no table piece covers are skipped. `words` are (lower, zipf).
pub(crate) fn sif<'a>(
    words: impl Iterator<Item = (&'a str, f32)>,
    table: &dyn crate::embed::WordTable,
) -> Vec<f32> {
    let mut sum = vec![0f32; table.dim()];
    for (word, zipf) in words {
        if let Some(v) = table.word(word) {
            v.add_unit_to(&mut sum, 1e-3 / (1e-3 + 10f32.powf(zipf - 9.0)));
        }
    }
    sum
}

/// Unit vectors times 127 side by side, in shared chunks: for a scan, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    dim: usize,
    len: usize,
    chunks: Vec<std::sync::Arc<Vec<i8>>>,
}

impl Matrix {
    const ROWS: usize = 256;

    /// Appends a row; one of zeros for an empty vector, or one of another dimension than the first.
    pub fn push(&mut self, vector: &Quantised, dim: usize) {
        if self.len == 0 {
            self.dim = dim;
        }
        if self.len.is_multiple_of(Self::ROWS) {
            self.chunks
                .push(std::sync::Arc::new(Vec::with_capacity(Self::ROWS * self.dim)));
        }
        self.len += 1;
        let mut row = vector.unit_i8();
        if row.len() != self.dim {
            row = vec![0; self.dim];
        }
        std::sync::Arc::make_mut(self.chunks.last_mut().expect("a chunk was just made")).extend(row);
    }

    /// Overwrites a row with zeros.
    pub fn clear(&mut self, pos: u32) {
        let at = pos as usize % Self::ROWS * self.dim;
        if let Some(chunk) = self.chunks.get_mut(pos as usize / Self::ROWS)
            && let Some(row) = std::sync::Arc::make_mut(chunk).get_mut(at..at + self.dim)
        {
            row.fill(0);
        }
    }

    /// Dot products of the rows from `first` on with a unit vector times 127.
    pub fn dots(&self, first: u32, query: &[i8]) -> Vec<(i32, u32)> {
        let mut out = Vec::with_capacity(self.len.saturating_sub(first as usize));
        if self.dim == 0 || query.len() != self.dim {
            return out;
        }
        for (c, chunk) in self.chunks.iter().enumerate().skip(first as usize / Self::ROWS) {
            for (r, row) in chunk.chunks_exact(self.dim).enumerate() {
                let pos = (c * Self::ROWS + r) as u32;
                if pos >= first {
                    out.push((dot_i8(query, row), pos));
                }
            }
        }
        out
    }
}
