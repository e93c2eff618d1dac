//! The writer's side: adding, erasing, publishing.

use std::sync::Arc;

use imbl::OrdSet;
use rustc_hash::FxHashMap;

use super::Settings;
use super::actors::Actors;
use super::ann::VectorIndex;
use super::doc::{Doc, content_words, name_words};
use super::episodes::Episodes;
use super::rows::{Entry, NONE, Row, Rows};
use super::segment::{self, Postings, Segment};
use super::vector::Matrix;
use super::view::IndexView;
use super::vocabulary::Vocabulary;
use crate::event::{Event, Ts};
use crate::graph::NodeIx;
use crate::text::{Lang, analyse};

/// The writer's indexes of one space.
pub struct Index {
    settings: Settings,
    rows: Rows,
    matrix: Matrix,
    position: FxHashMap<NodeIx, u32>,
    segments: Vec<Arc<Segment>>,
    /// Terms and names of the rows since the last publish.
    pending: Vec<(u32, Doc)>,
    gone: Vec<u32>,
    episodes: Episodes,
    actors: Actors,
    vocabulary: Vocabulary,
    by_time: OrdSet<(Ts, u32)>,
    langs: [u32; Lang::COUNT],
    ann: Option<Arc<dyn VectorIndex>>,
}

impl Index {
    pub fn new(settings: Settings) -> Index {
        Index {
            settings,
            rows: Rows::default(),
            matrix: Matrix::default(),
            position: FxHashMap::default(),
            segments: Vec::new(),
            pending: Vec::new(),
            gone: Vec::new(),
            episodes: Episodes::default(),
            actors: Actors::default(),
            vocabulary: Vocabulary::default(),
            by_time: OrdSet::new(),
            langs: [0; Lang::COUNT],
            ann: None,
        }
    }

    /// Indexes an event; readers see it from the next publish on. An event that is already there is
    /// left alone. Cost: the event's terms, plus O(log n).
    pub fn add(&mut self, ix: NodeIx, event: &Arc<Event>, mut doc: Doc) {
        let pos = self.rows.len() as u32;
        if self.position.contains_key(&ix) || pos == NONE {
            return;
        }
        self.position.insert(ix, pos);
        let actor = event.actor.as_deref().filter(|a| !a.is_empty());
        let actor = actor.map_or(NONE, |a| self.actors.add(a, &doc.actor_words));
        for word in std::mem::take(&mut doc.words) {
            self.vocabulary.add(word);
        }
        self.by_time.insert((event.time, pos));
        self.langs[doc.lang as usize] += 1;
        self.matrix.push(&doc.vector, doc.dim);
        let entry = Entry {
            ix,
            event: event.clone(),
            cues: doc.cues,
            entities: doc.entities.iter().map(|e| e.0.clone()).collect(),
            vector: std::mem::take(&mut doc.vector),
            dated_tokens: doc.dated_tokens,
            plain_tokens: doc.plain_tokens,
            content_hash: doc.content_hash,
        };
        self.rows.push(Row {
            prev: NONE,
            next: NONE,
            episode: NONE,
            actor,
            length: doc.length,
            time: event.time,
            entry: Some(Arc::new(entry)),
        });
        let gap = self.gap();
        self.episodes.insert(&mut self.rows, pos, &event.source, gap);
        self.pending.push((pos, doc));
    }

    fn gap(&self) -> i64 {
        self.settings.episode_gap_s.saturating_mul(Ts::SECOND)
    }

    /// Takes an event out; its text is gone from every structure of this room when `publish`
    /// returns (readers that still hold an older view keep it until they drop it).
    pub fn erase(&mut self, ix: NodeIx) {
        let Some(pos) = self.position.remove(&ix) else {
            return;
        };
        let Some(entry) = self.rows.get_mut(pos).and_then(|r| r.entry.take()) else {
            return;
        };
        let event = &entry.event;
        self.by_time.remove(&(event.time, pos));
        self.matrix.clear(pos);
        let gap = self.gap();
        self.episodes.remove(&mut self.rows, pos, &event.source, gap);
        if let Some(actor) = event.actor.as_deref().filter(|a| !a.is_empty()) {
            self.actors.remove(actor, &name_words(actor));
        }
        let analysis = analyse(event);
        let lang = &mut self.langs[analysis.lang as usize];
        *lang = lang.saturating_sub(1);
        for word in content_words(&analysis.words) {
            self.vocabulary.remove(&word.lower);
        }
        match self.pending.iter().position(|(p, _)| *p == pos) {
            Some(i) => drop(self.pending.remove(i)),
            None => self.gone.push(pos),
        }
        if let Some(ann) = &self.ann
            && pos < ann.covered()
        {
            // The graph of vectors cannot forget; it goes, and a new one is built in the background.
            self.ann = None;
        }
    }

    /// Hands readers what is there now. Cost: what changed since the last publish, amortised
    /// O(log n) a posting, a pointer for each 256 rows, and the segments with erased events.
    pub fn publish(&mut self) -> IndexView {
        self.gone.sort_unstable();
        segment::erase(&mut self.segments, &self.gone);
        self.gone.clear();
        let first = self.segments.last().map_or(0, |s| s.end);
        let end = self.rows.len() as u32;
        if first < end {
            let docs = || self.pending.iter().map(|(pos, d)| (*pos, d));
            let terms = Postings::build(docs().map(|(pos, d)| (pos, d.terms.as_slice())));
            let entities = Postings::build(docs().map(|(pos, d)| (pos, d.entities.as_slice())));
            segment::push(
                &mut self.segments,
                Segment {
                    first,
                    end,
                    terms,
                    entities,
                },
            );
            self.pending.clear();
        }
        IndexView {
            rows: self.rows.clone(),
            matrix: self.matrix.clone(),
            segments: self.segments.clone(),
            actors: self.actors.clone(),
            words: self.vocabulary.words.clone(),
            by_time: self.by_time.clone(),
            episodes: self.episodes.sizes.clone(),
            window_sum: self.episodes.window_sum,
            length_sum: self.episodes.length_sum,
            live: self.position.len(),
            lang: main_language(&self.langs),
            ann: self.ann.clone(),
            ann_tail: self.settings.ann_tail,
        }
    }

    /// Puts a neighbour graph that was built in the background behind the next views. One that was
    /// built before an erasure it does not know of is refused.
    pub fn set_ann(&mut self, ann: Arc<dyn VectorIndex>) -> bool {
        let fits = ann.live()
            == self
                .rows
                .iter()
                .take(ann.covered() as usize)
                .filter(|r| r.entry.is_some())
                .count();
        if fits {
            self.ann = Some(ann);
        }
        fits
    }
}

/// The language of most events; English when nothing is there.
fn main_language(counts: &[u32; Lang::COUNT]) -> Lang {
    let best = (0..Lang::COUNT).rev().max_by_key(|i| counts[*i]).unwrap_or(0);
    Lang::ALL[best]
}
