//! The readers' side: an immutable snapshot.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::actors::Actors;
use super::ann::VectorIndex;
use super::episodes::{self, Size};
use super::rows::{Row, Rows};
use super::segment::{Posting, Segment};
use super::vector::Matrix;
use super::vocabulary::Words;
use crate::event::{Event, Ts};
use crate::graph::NodeIx;
use crate::text::Lang;

/// Readers' snapshot. A clone costs a pointer for each 256 events.
#[derive(Clone)]
pub struct IndexView {
    pub(super) rows: Rows,
    pub(super) matrix: Matrix,
    pub(super) segments: Vec<Arc<Segment>>,
    pub(super) actors: Actors,
    pub(super) words: Words,
    pub(super) by_time: OrdSet<(Ts, u32)>,
    pub(super) episodes: OrdMap<u32, Size>,
    pub(super) window_sum: f64,
    pub(super) length_sum: f64,
    pub(super) live: usize,
    pub(super) lang: Lang,
    pub(super) ann: Option<Arc<dyn VectorIndex>>,
    pub(super) ann_tail: usize,
}

impl IndexView {
    /// Events in it.
    pub fn len(&self) -> usize {
        self.live
    }

    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The same view with a neighbour graph.
    pub fn with_ann(mut self, ann: Arc<dyn VectorIndex>) -> IndexView {
        self.ann = Some(ann);
        self
    }

    /// True when so many events stand outside the neighbour graph that a new one pays.
    pub fn ann_due(&self) -> bool {
        let covered = self.ann.as_ref().map_or(0, |a| a.covered() as usize);
        self.rows.len().saturating_sub(covered) > self.ann_tail.max(covered / 4)
    }

    /// Events by order of arrival.
    pub fn events(&self) -> impl Iterator<Item = (NodeIx, &Arc<Event>)> {
        self.rows
            .iter()
            .filter_map(|r| r.entry.as_ref())
            .map(|e| (e.ix, &e.event))
    }

    /// Positions, erased ones included: the bound of every position.
    pub(crate) fn positions(&self) -> u32 {
        self.rows.len() as u32
    }

    pub(crate) fn row(&self, pos: u32) -> Option<&Row> {
        self.rows.get(pos)
    }

    pub(crate) fn around(&self, pos: u32) -> [u32; 4] {
        episodes::around(&self.rows, pos)
    }

    pub(crate) fn window_length(&self, pos: u32) -> f32 {
        episodes::window_length(&self.rows, pos)
    }

    pub(crate) fn mean_window_length(&self) -> f32 {
        (self.window_sum / self.live.max(1) as f64).max(1e-9) as f32
    }

    pub(crate) fn episode_count(&self) -> usize {
        self.episodes.len()
    }

    /// Sum of the lengths of an episode's events.
    pub(crate) fn episode_length(&self, episode: u32) -> f32 {
        self.episodes.get(&episode).map_or(0.0, |s| s.length)
    }

    pub(crate) fn mean_episode_length(&self) -> f32 {
        (self.length_sum / self.episodes.len().max(1) as f64).max(1e-9) as f32
    }

    /// How much of a conversation the stream is: 0 when every event is its own episode, near 1
    /// when they come in long runs.
    pub(crate) fn chat(&self) -> f32 {
        if self.live == 0 {
            0.0
        } else {
            1.0 - self.episodes.len() as f32 / self.live as f32
        }
    }

    /// The language of most events.
    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    pub(crate) fn actors(&self) -> &Actors {
        &self.actors
    }

    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    pub(crate) fn by_time(&self) -> &OrdSet<(Ts, u32)> {
        &self.by_time
    }

    pub(crate) fn ann(&self) -> Option<&Arc<dyn VectorIndex>> {
        self.ann.as_ref()
    }

    /// Posting lists of a term, by position. At most one for each segment.
    pub(crate) fn term(&self, term: &str) -> List<'_> {
        List(self.segments.iter().filter_map(|s| s.terms.get(term)).collect())
    }

    pub(crate) fn entity(&self, name: &str) -> List<'_> {
        List(
            self.segments
                .iter()
                .filter_map(|s| s.entities.get(name))
                .collect(),
        )
    }

    #[cfg(test)]
    pub(crate) fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }
}

/// The postings of one name over all segments, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct List<'a>(pub smallvec::SmallVec<[Posting<'a>; 8]>);

impl List<'_> {
    pub fn len(&self) -> usize {
        self.0.iter().map(|p| p.0.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, f32)> {
        self.0
            .iter()
            .flat_map(|(d, v)| d.iter().copied().zip(v.iter().copied()))
    }

    /// Value of one position. O(log df).
    pub fn get(&self, pos: u32) -> Option<f32> {
        let (docs, values) = self
            .0
            .iter()
            .find(|(d, _)| d.last().is_some_and(|last| *last >= pos))?;
        docs.binary_search(&pos).ok().map(|i| values[i])
    }
}
