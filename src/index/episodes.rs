//! Episodes: runs of one source without a long silence, kept right under late and interleaved events.
//!
//! Neighbours are neighbours in event time within a source, whatever arrived in between. For a
//! stream in order from one source this is the run of arrival. An insertion costs O(log n), a
//! bridge between two episodes the smaller of them, a split by erasure the part behind it.

use std::collections::BTreeSet;

use imbl::OrdMap;
use rustc_hash::FxHashMap;

use super::rows::{NONE, Rows};
use crate::event::Ts;

/// Weight of the terms of the neighbours one and two steps away (research).
pub(crate) const NEAR: f32 = 0.5;
pub(crate) const FAR: f32 = 0.25;

/// Events of an episode and the sum of their lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub events: u32,
    pub length: f32,
}

#[derive(Debug, Default)]
pub(crate) struct Episodes {
    by_source: FxHashMap<Box<str>, BTreeSet<(Ts, u32)>>,
    /// Episode -> its size; readers share it.
    pub sizes: OrdMap<u32, Size>,
    next_id: u32,
    /// Sum over events of the length of event and weighted neighbours.
    pub window_sum: f64,
    /// Sum of the events' own lengths.
    pub length_sum: f64,
}

/// The two neighbours on each side, nearest first, and whether they are there.
pub(crate) fn around(rows: &Rows, pos: u32) -> [u32; 4] {
    let prev = |p: u32| rows.get(p).map_or(NONE, |r| r.prev);
    let next = |p: u32| rows.get(p).map_or(NONE, |r| r.next);
    let (p1, n1) = (prev(pos), next(pos));
    [p1, n1, prev(p1), next(n1)]
}

/// Length of an event with its weighted neighbours.
pub(crate) fn window_length(rows: &Rows, pos: u32) -> f32 {
    let len = |p: u32| rows.get(p).map_or(0.0, |r| r.length);
    let [p1, n1, p2, n2] = around(rows, pos);
    len(pos) + NEAR * (len(p1) + len(n1)) + FAR * (len(p2) + len(n2))
}

impl Episodes {
    /// Links the last row, whose time and length are set, into its source's order.
    pub fn insert(&mut self, rows: &mut Rows, pos: u32, source: &str, gap: i64) {
        let Some(time) = rows.get(pos).map(|r| r.time) else {
            return;
        };
        if !self.by_source.contains_key(source) {
            self.by_source.insert(source.into(), BTreeSet::new());
        }
        let order = self.by_source.get_mut(source).expect("just inserted");
        let before = order
            .range(..(time, pos))
            .next_back()
            .filter(|b| time.0.saturating_sub(b.0.0) <= gap);
        let after = order
            .range((time, pos)..)
            .next()
            .filter(|a| a.0.0.saturating_sub(time.0) <= gap);
        let (before, after) = (before.map_or(NONE, |b| b.1), after.map_or(NONE, |a| a.1));
        order.insert((time, pos));

        let touched = self.touched(rows, before, after);
        self.window_sum -= sum_windows(rows, &touched);
        let episode = self.join(rows, before, after);
        let row = rows.get_mut(pos).expect("the row is there");
        (row.prev, row.next, row.episode) = (before, after, episode);
        self.grow(
            episode,
            Size {
                events: 1,
                length: row.length,
            },
        );
        self.length_sum += f64::from(row.length);
        set_next(rows, before, pos);
        set_prev(rows, after, pos);
        self.window_sum += sum_windows(rows, &touched) + f64::from(window_length(rows, pos));
    }

    /// Takes a row out; its neighbours become neighbours, or two episodes if the gap is too long.
    pub fn remove(&mut self, rows: &mut Rows, pos: u32, source: &str, gap: i64) {
        let Some(row) = rows.get(pos).cloned() else {
            return;
        };
        if let Some(order) = self.by_source.get_mut(source) {
            order.remove(&(row.time, pos));
            if order.is_empty() {
                self.by_source.remove(source);
            }
        }
        let touched = self.touched(rows, row.prev, row.next);
        self.window_sum -= sum_windows(rows, &touched) + f64::from(window_length(rows, pos));
        self.length_sum -= f64::from(row.length);
        self.shrink(
            row.episode,
            Size {
                events: 1,
                length: row.length,
            },
        );
        let time_of = |p: u32| rows.get(p).map(|r| r.time.0);
        let stays = match (time_of(row.prev), time_of(row.next)) {
            (Some(a), Some(b)) => b.saturating_sub(a) <= gap,
            _ => false,
        };
        set_next(rows, row.prev, if stays { row.next } else { NONE });
        set_prev(rows, row.next, if stays { row.prev } else { NONE });
        if !stays && row.prev != NONE && row.next != NONE {
            let fresh = self.fresh();
            let moved = relabel(rows, row.next, fresh, false);
            self.shrink(row.episode, moved);
            self.grow(fresh, moved);
        }
        let dead = rows.get_mut(pos).expect("the row is there");
        (dead.prev, dead.next, dead.episode, dead.length) = (NONE, NONE, NONE, 0.0);
        self.window_sum += sum_windows(rows, &touched);
    }

    /// The rows whose window changes when something is put between or taken from between two.
    fn touched(&self, rows: &Rows, before: u32, after: u32) -> Vec<u32> {
        let far_before = rows.get(before).map_or(NONE, |r| r.prev);
        let far_after = rows.get(after).map_or(NONE, |r| r.next);
        [far_before, before, after, far_after]
            .into_iter()
            .filter(|p| *p != NONE)
            .collect()
    }

    fn join(&mut self, rows: &mut Rows, before: u32, after: u32) -> u32 {
        let episode_of = |rows: &Rows, p: u32| rows.get(p).map(|r| r.episode);
        match (episode_of(rows, before), episode_of(rows, after)) {
            (Some(a), Some(b)) if a != b => self.bridge(rows, before, a, after, b),
            (Some(a), _) => a,
            (None, Some(b)) => b,
            (None, None) => self.fresh(),
        }
    }

    fn bridge(&mut self, rows: &mut Rows, before: u32, a: u32, after: u32, b: u32) -> u32 {
        let size = |s: &Self, e: u32| s.sizes.get(&e).map_or(0, |s| s.events);
        let (keep, drop, from, backwards) = if size(self, a) >= size(self, b) {
            (a, b, after, false)
        } else {
            (b, a, before, true)
        };
        let moved = relabel(rows, from, keep, backwards);
        self.shrink(drop, moved);
        self.grow(keep, moved);
        keep
    }

    fn grow(&mut self, episode: u32, by: Size) {
        let size = self.sizes.entry(episode).or_default();
        size.events += by.events;
        size.length += by.length;
    }

    fn shrink(&mut self, episode: u32, by: Size) {
        if let Some(size) = self.sizes.get_mut(&episode) {
            size.events = size.events.saturating_sub(by.events);
            size.length -= by.length;
            if size.events == 0 {
                self.sizes.remove(&episode);
            }
        }
    }

    fn fresh(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }
}

fn sum_windows(rows: &Rows, positions: &[u32]) -> f64 {
    positions.iter().map(|p| f64::from(window_length(rows, *p))).sum()
}

fn set_next(rows: &mut Rows, pos: u32, to: u32) {
    if pos != NONE
        && let Some(r) = rows.get_mut(pos)
    {
        r.next = to;
    }
}

fn set_prev(rows: &mut Rows, pos: u32, to: u32) {
    if pos != NONE
        && let Some(r) = rows.get_mut(pos)
    {
        r.prev = to;
    }
}

/// Gives `from` and all behind it (or before it) another episode; returns their size.
fn relabel(rows: &mut Rows, mut from: u32, episode: u32, backwards: bool) -> Size {
    let mut moved = Size::default();
    while from != NONE
        && let Some(r) = rows.get_mut(from)
    {
        r.episode = episode;
        from = if backwards { r.prev } else { r.next };
        moved.events += 1;
        moved.length += r.length;
    }
    moved
}
