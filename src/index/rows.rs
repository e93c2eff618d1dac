//! A long vector in shared chunks: what a reader holds does not change when the writer writes.

use std::sync::Arc;

use crate::event::{Event, Ts};
use crate::graph::NodeIx;
use crate::text::Cues;

use super::vector::Quantised;

const CHUNK: usize = 256;

/// No row: the end of an episode, no actor, a dead row.
pub(crate) const NONE: u32 = u32::MAX;

/// Append-only vector with copy-on-write chunks. A clone costs a pointer for each chunk; a change
/// after a clone copies one chunk.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Chunked {
            chunks: Vec::new(),
            len: 0,
        }
    }
}

impl<T: Clone> Chunked<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn push(&mut self, value: T) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(CHUNK)));
        }
        Arc::make_mut(self.chunks.last_mut().expect("a chunk was just made")).push(value);
        self.len += 1;
    }

    pub fn get(&self, i: u32) -> Option<&T> {
        self.chunks.get(i as usize / CHUNK)?.get(i as usize % CHUNK)
    }

    pub fn get_mut(&mut self, i: u32) -> Option<&mut T> {
        let chunk = self.chunks.get_mut(i as usize / CHUNK)?;
        Arc::make_mut(chunk).get_mut(i as usize % CHUNK)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|c| c.iter())
    }
}

/// One indexed event, by order of arrival.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Neighbours within the episode, by event time.
    pub prev: u32,
    pub next: u32,
    pub episode: u32,
    pub actor: u32,
    /// Weighted number of terms.
    pub length: f32,
    pub time: Ts,
    /// `None` once erased.
    pub entry: Option<Arc<Entry>>,
}

/// What never changes of an indexed event.
#[derive(Debug)]
pub(crate) struct Entry {
    pub ix: NodeIx,
    pub event: Arc<Event>,
    pub cues: Cues,
    pub entities: Box<[Arc<str>]>,
    pub vector: Quantised,
    pub dated_tokens: u32,
    pub plain_tokens: u32,
    pub content_hash: u64,
}

pub(crate) type Rows = Chunked<Row>;
