//! BM25 over windows of an episode and over whole episodes, computed from base postings when asked.
//!
//! The count of a term in an event's window is its own count plus .5 / .25 of the counts one / two
//! events away in the episode. Cost: the postings of the question's terms, or a binary search for each wanted
//! event where that is less.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::question::Term;
use crate::index::{FAR, IndexView, List, NEAR, NONE};

const K1: f32 = 1.2;
const B: f32 = 0.6;
const EPISODE_K1: f32 = 1.5;
const EPISODE_B: f32 = 0.7;

/// ln(1 + (n - df + .5) / (df + .5))
pub(crate) fn idf(n: usize, df: usize) -> f32 {
    let (n, df) = (n as f32, df as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}

/// A question term with the terms of the stream that stand for it.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub weight: f32,
    /// (discount, idf, postings); the term itself first.
    pub lists: Vec<(f32, f32, List<'a>)>,
}

impl Wanted<'_> {
    /// Events that have the term itself.
    pub fn matches(&self) -> usize {
        self.lists.first().map_or(0, |l| l.2.len())
    }
}

/// Looks the terms and their expansions up. Expansions beyond `posting_budget` postings in all are
/// left out, terms of the question never.
pub(crate) fn look_up<'a>(
    view: &'a IndexView,
    terms: &[Term],
    near: &[Vec<(f32, Arc<str>)>],
    posting_budget: usize,
) -> Vec<Wanted<'a>> {
    let n = view.len();
    let listed = |discount: f32, stem: &str| {
        let list = view.term(stem);
        (discount, idf(n, list.len()), list)
    };
    let mut out: Vec<Wanted<'a>> = terms
        .iter()
        .map(|t| Wanted {
            weight: t.weight,
            lists: vec![listed(1.0, &t.stem)],
        })
        .collect();
    let mut spent: usize = out.iter().map(Wanted::matches).sum();
    for ((wanted, term), near) in out.iter_mut().zip(terms).zip(near) {
        for (discount, stem) in near.iter().filter(|(_, s)| *s != term.stem) {
            let entry = listed(*discount, stem);
            if !entry.2.is_empty() && spent + entry.2.len() <= posting_budget {
                spent += entry.2.len();
                wanted.lists.push(entry);
            }
        }
    }
    out
}

/// The events to be scored, with their windows.
pub(crate) struct Windows {
    /// Positions, ascending.
    pub docs: Vec<u32>,
    /// All positions whose counts matter: docs and neighbours, ascending.
    needed: Vec<u32>,
    /// Position -> place in `needed`; NONE elsewhere.
    place: Vec<u32>,
    /// For each doc the places of itself and of the neighbours one and two steps away.
    around: Vec<[u32; 5]>,
    /// For each doc k1 (1 - b + b length / mean).
    saturation: Vec<f32>,
}

impl Windows {
    pub fn of(view: &IndexView, docs: Vec<u32>, visible: &dyn Fn(u32) -> bool) -> Windows {
        let neighbours: Vec<[u32; 5]> = docs
            .iter()
            .map(|d| {
                let [p1, n1, p2, n2] = view
                    .around(*d)
                    .map(|p| if p != NONE && visible(p) { p } else { NONE });
                [*d, p1, n1, p2, n2]
            })
            .collect();
        let mut needed: Vec<u32> = neighbours
            .iter()
            .flatten()
            .copied()
            .filter(|p| *p != NONE)
            .collect();
        needed.sort_unstable();
        needed.dedup();
        let mut place = vec![NONE; view.positions() as usize];
        for (i, p) in needed.iter().enumerate() {
            place[*p as usize] = i as u32;
        }
        let at = |p: u32| if p == NONE { NONE } else { place[p as usize] };
        let mean = view.mean_window_length();
        Windows {
            around: neighbours.iter().map(|a| a.map(at)).collect(),
            saturation: docs
                .iter()
                .map(|d| K1 * (1.0 - B + B * view.window_length(*d) / mean))
                .collect(),
            docs,
            needed,
            place,
        }
    }

    /// Place of a position among the docs' and neighbours' counts.
    fn gather(&self, list: &List<'_>, counts: &mut [f32]) {
        counts.fill(0.0);
        let search = self.needed.len() * 20;
        if list.len() <= search {
            for (pos, tf) in list.iter() {
                let place = self.place[pos as usize];
                if place != NONE {
                    counts[place as usize] = tf;
                }
            }
        } else {
            for (count, pos) in counts.iter_mut().zip(&self.needed) {
                *count = list.get(*pos).unwrap_or(0.0);
            }
        }
    }

    /// For each doc the weighted sum over terms of the best of the term's lists.
    pub fn bm25(&self, wanted: &[Wanted<'_>]) -> Vec<f32> {
        let mut total = vec![0f32; self.docs.len()];
        let mut best = vec![0f32; self.docs.len()];
        let mut counts = vec![0f32; self.needed.len()];
        let count = |counts: &[f32], at: u32| if at == NONE { 0.0 } else { counts[at as usize] };
        for term in wanted {
            best.fill(0.0);
            for (discount, idf, list) in term.lists.iter().filter(|l| !l.2.is_empty()) {
                self.gather(list, &mut counts);
                for (i, a) in self.around.iter().enumerate() {
                    let tf = count(&counts, a[0])
                        + NEAR * (count(&counts, a[1]) + count(&counts, a[2]))
                        + FAR * (count(&counts, a[3]) + count(&counts, a[4]));
                    if tf > 0.0 {
                        let value = discount * idf * (K1 + 1.0) * tf / (tf + self.saturation[i]);
                        best[i] = best[i].max(value);
                    }
                }
            }
            total
                .iter_mut()
                .zip(&best)
                .for_each(|(t, b)| *t += term.weight * b);
        }
        total
    }
}

/// BM25 of whole episodes for the question's own terms; terms with more than `limit` postings are
/// left out (they tell episodes apart least and cost most).
pub(crate) fn episodes(
    view: &IndexView,
    wanted: &[Wanted<'_>],
    limit: usize,
    visible: &dyn Fn(u32) -> bool,
) -> FxHashMap<u32, f32> {
    let (n, mean) = (view.episode_count(), view.mean_episode_length());
    let mut total: FxHashMap<u32, f32> = FxHashMap::default();
    let mut counts: Vec<(u32, f32)> = Vec::new();
    for term in wanted {
        let Some((_, _, list)) = term.lists.first().filter(|l| l.2.len() <= limit) else {
            continue;
        };
        counts.clear();
        for (pos, tf) in list.iter().filter(|p| visible(p.0)) {
            counts.extend(view.row(pos).map(|r| (r.episode, tf)));
        }
        counts.sort_unstable_by_key(|c| c.0);
        let runs: Vec<(u32, f32)> = counts
            .chunk_by(|a, b| a.0 == b.0)
            .map(|run| (run[0].0, run.iter().map(|c| c.1).sum()))
            .collect();
        let idf = idf(n, runs.len());
        for (episode, tf) in runs {
            let k = EPISODE_K1 * (1.0 - EPISODE_B + EPISODE_B * view.episode_length(episode) / mean);
            *total.entry(episode).or_default() += term.weight * idf * (EPISODE_K1 + 1.0) * tf / (tf + k);
        }
    }
    total
}
