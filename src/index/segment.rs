//! Immutable posting lists of a run of positions.
//!
//! A publish makes one small segment; neighbours of like size merge, so there are about log2(n) of
//! them and a posting is copied about log2(n) times in its life.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sorted names, each with the positions that have it, ascending, and a value for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Postings {
    names: Vec<Arc<str>>,
    /// `starts[i]..starts[i + 1]` are the postings of name i.
    starts: Vec<u32>,
    docs: Vec<u32>,
    values: Vec<f32>,
}

/// Positions and values of one name in one segment.
pub(crate) type Posting<'a> = (&'a [u32], &'a [f32]);

impl Postings {
    /// From (position, sorted names with values), positions ascending.
    pub fn build<'a>(docs: impl Iterator<Item = (u32, &'a [(Arc<str>, f32)])>) -> Postings {
        let mut by_name: BTreeMap<&Arc<str>, Vec<(u32, f32)>> = BTreeMap::new();
        for (doc, names) in docs {
            for (name, value) in names {
                by_name.entry(name).or_default().push((doc, *value));
            }
        }
        let mut out = Postings {
            starts: vec![0],
            ..Postings::default()
        };
        for (name, list) in by_name {
            out.docs.extend(list.iter().map(|p| p.0));
            out.values.extend(list.iter().map(|p| p.1));
            out.close(name.clone());
        }
        out
    }

    fn close(&mut self, name: Arc<str>) {
        if self
            .starts
            .last()
            .is_some_and(|s| (*s as usize) < self.docs.len())
        {
            self.names.push(name);
            self.starts.push(self.docs.len() as u32);
        }
    }

    fn list(&self, i: usize) -> Posting<'_> {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        (&self.docs[range.clone()], &self.values[range])
    }

    fn take(&mut self, list: Posting<'_>) {
        self.docs.extend_from_slice(list.0);
        self.values.extend_from_slice(list.1);
    }

    pub fn get(&self, name: &str) -> Option<Posting<'_>> {
        let i = self.names.binary_search_by(|n| (**n).cmp(name)).ok()?;
        Some(self.list(i))
    }

    /// All positions of `b` stand after those of `a`.
    fn merge(a: &Postings, b: &Postings) -> Postings {
        let mut out = Postings {
            names: Vec::with_capacity(a.names.len().max(b.names.len())),
            starts: vec![0],
            docs: Vec::with_capacity(a.docs.len() + b.docs.len()),
            values: Vec::with_capacity(a.docs.len() + b.docs.len()),
        };
        let (mut i, mut j) = (0, 0);
        while i < a.names.len() || j < b.names.len() {
            let order = match (a.names.get(i), b.names.get(j)) {
                (Some(x), Some(y)) => x.cmp(y),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let name = if order == Ordering::Greater {
                &b.names[j]
            } else {
                &a.names[i]
            };
            if order != Ordering::Greater {
                out.take(a.list(i));
                i += 1;
            }
            if order != Ordering::Less {
                out.take(b.list(j));
                j += 1;
            }
            out.close(name.clone());
        }
        out
    }

    /// Without the postings of `gone` (sorted); a name nobody has any more disappears.
    fn without(&self, gone: &[u32]) -> Postings {
        let mut out = Postings {
            starts: vec![0],
            ..Postings::default()
        };
        for (i, name) in self.names.iter().enumerate() {
            let (docs, values) = self.list(i);
            for (d, v) in docs
                .iter()
                .zip(values)
                .filter(|(d, _)| gone.binary_search(d).is_err())
            {
                out.docs.push(*d);
                out.values.push(*v);
            }
            out.close(name.clone());
        }
        out
    }

    #[cfg(test)]
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }
}

/// Posting lists of the positions `first..end`.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub first: u32,
    pub end: u32,
    pub terms: Postings,
    pub entities: Postings,
}

impl Segment {
    fn size(&self) -> u32 {
        self.end - self.first
    }

    fn merge(a: &Segment, b: &Segment) -> Segment {
        Segment {
            first: a.first,
            end: b.end,
            terms: Postings::merge(&a.terms, &b.terms),
            entities: Postings::merge(&a.entities, &b.entities),
        }
    }

    fn without(&self, gone: &[u32]) -> Segment {
        Segment {
            first: self.first,
            end: self.end,
            terms: self.terms.without(gone),
            entities: self.entities.without(gone),
        }
    }
}

/// Adds the newest segment and merges from the end while the older one is not larger.
pub(crate) fn push(segments: &mut Vec<Arc<Segment>>, mut newest: Segment) {
    while let Some(last) = segments.last() {
        if last.size() > newest.size() {
            break;
        }
        newest = Segment::merge(last, &newest);
        segments.pop();
    }
    segments.push(Arc::new(newest));
}

/// Rewrites the segments that hold one of `gone` (sorted). Cost: the size of those segments.
pub(crate) fn erase(segments: &mut [Arc<Segment>], gone: &[u32]) {
    for s in segments {
        let from = gone.partition_point(|p| *p < s.first);
        let to = gone.partition_point(|p| *p < s.end);
        if from < to {
            *s = Arc::new(s.without(&gone[from..to]));
        }
    }
}
