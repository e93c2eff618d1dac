//! Candidates of a new event, and the comparison with them.
//!
//! Up to `compare_all` events all are compared. Beyond, candidates come from the postings of its
//! rarest terms, the vector buckets and the most recent events; their number is bounded.

use rustc_hash::FxHashMap;

use super::attributes::Sample;
use super::features::{Features, Rarity, TermKey, mix};
use super::lexicon::{Lexicon, Term};
use super::pairs::{Raw, fixed};
use super::rules::RulesExecutive;
use super::slot::{Link, Slot};

/// Terms looked up, and newest holders read of each.
const TERMS: usize = 24;
const HOLDERS: usize = 40;
/// Terms held by more than this share of the events (and by more than HOLDERS) find nobody in particular.
const COMMON_SHARE: f32 = 0.05;
/// Newest events read of each vector bucket.
const BUCKET: usize = 24;

/// Everything of the new event that comparisons need, prepared once.
struct Probe<'a> {
    features: &'a Features,
    terms: Box<[Term]>,
    /// idf squared times rarity of each of its terms, by key.
    weights: Vec<(TermKey, f32)>,
    sizes: [f32; 2],
    soft: Soft,
}

impl RulesExecutive {
    /// Links of the event in `slot` (already entered), ascending, and feeds the statistics.
    /// Cost: bounded by the constants above and the settings.
    pub(super) fn compare(&mut self, slot: u32, f: &Features) -> Vec<Link> {
        let all = self.live <= self.settings.compare_all as usize;
        let mut probe = self.probe(slot, f);
        let candidates = self.candidates(slot, &probe.terms);
        let mut links = if all {
            let every = candidates.into_iter().filter_map(|c| self.full(&mut probe, c));
            every
                .map(|(earlier, raw)| Link {
                    earlier,
                    sampled: true,
                    raw,
                })
                .collect()
        } else {
            self.best(&mut probe, &candidates)
        };
        if !all {
            for c in self.sample(slot) {
                if let Some(l) = links.iter_mut().find(|l| l.earlier == c) {
                    l.sampled = true;
                } else if let Some((earlier, raw)) = self.full(&mut probe, c) {
                    links.push(Link {
                        earlier,
                        sampled: true,
                        raw,
                    });
                }
            }
        }
        links.sort_by_key(|l| l.earlier);
        self.learn(slot, f, &links);
        links
    }

    /// The best of the candidates: by vectors and shared terms, then with exact lengths, then fully.
    fn best(&self, probe: &mut Probe<'_>, candidates: &[u32]) -> Vec<Link> {
        let s = &self.settings;
        let mut found: Vec<(f32, u32, [f32; 5])> = candidates
            .iter()
            .filter_map(|&c| {
                let raw = self.cheap(probe, self.slot(c)?);
                Some((self.content.cheap(&fixed(raw)), c, raw))
            })
            .collect();
        rank(&mut found, s.shortlist);
        for (score, c, raw) in found.iter_mut() {
            if let Some(other) = self.slot(*c) {
                self.lengths(probe, other, raw);
                *score = self.content.cheap(&fixed(*raw));
            }
        }
        rank(&mut found, s.compared);
        for (score, c, raw) in found.iter_mut() {
            if let Some(other) = self.slot(*c) {
                self.soft(probe, other, raw);
                *score = self.content.of(&fixed(*raw));
            }
        }
        rank(&mut found, s.kept);
        found
            .into_iter()
            .map(|(_, c, raw)| Link {
                earlier: c,
                sampled: false,
                raw: fixed(raw),
            })
            .collect()
    }

    fn full(&self, probe: &mut Probe<'_>, c: u32) -> Option<(u32, Raw)> {
        let other = self.slot(c)?;
        let mut raw = self.cheap(probe, other);
        self.lengths(probe, other, &mut raw);
        self.soft(probe, other, &mut raw);
        Some((c, fixed(raw)))
    }

    fn learn(&mut self, slot: u32, f: &Features, links: &[Link]) {
        for l in links.iter().filter(|l| l.sampled) {
            let Some(earlier) = self.slots[l.earlier as usize].as_ref() else {
                continue;
            };
            self.statistics.add(&l.raw);
            self.window.push(Sample::new(
                (slot, &f.attributes),
                (l.earlier, &earlier.values),
                l.raw,
            ));
        }
        self.window.trim();
        self.content = self.statistics.content(&self.settings);
    }

    fn candidates(&mut self, slot: u32, mine: &[Term]) -> Vec<u32> {
        if self.live <= self.settings.compare_all as usize {
            return (0..slot).filter(|&s| self.slots[s as usize].is_some()).collect();
        }
        let mut terms: Vec<(f32, Term)> = Vec::with_capacity(mine.len());
        for t in mine {
            let df = self.lexicon.holders_of(t.no).len();
            if df <= HOLDERS || (df as f32) < COMMON_SHARE * self.live as f32 {
                terms.push((t.rarity.get() * self.lexicon.idf_of(t.no), *t));
            }
        }
        terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.key.cmp(&b.1.key)));
        terms.truncate(TERMS);
        self.scratch.resize(slot as usize + 1, 0.0);
        let mut touched: Vec<u32> = Vec::new();
        for (w, t) in terms {
            for &s in self
                .lexicon
                .holders_of(t.no)
                .iter()
                .rev()
                .take(HOLDERS)
                .filter(|s| **s != slot)
            {
                let score = &mut self.scratch[s as usize];
                if *score == 0.0 {
                    touched.push(s);
                }
                *score += w * w + f32::MIN_POSITIVE;
            }
        }
        let mut scored: Vec<(f32, u32)> = touched.iter().map(|&s| (self.scratch[s as usize], s)).collect();
        keep_best(&mut scored, self.settings.from_terms as usize);
        touched.iter().for_each(|&s| self.scratch[s as usize] = 0.0);
        let mut out: Vec<u32> = scored.into_iter().map(|x| x.1).collect();

        touched.clear();
        let Some(at) = self.slot(slot).map(|s| s.buckets) else {
            return out;
        };
        let scratch = &mut self.scratch;
        self.near.visit(&at, BUCKET, |s| {
            if s == slot {
                return;
            }
            if scratch[s as usize] == 0.0 {
                touched.push(s);
            }
            scratch[s as usize] += 1.0;
        });
        let mut met: Vec<(f32, u32)> = touched.iter().map(|&s| (scratch[s as usize], s)).collect();
        touched.iter().for_each(|&s| scratch[s as usize] = 0.0);
        keep_best(&mut met, self.settings.from_vectors as usize);
        out.extend(met.into_iter().map(|x| x.1));

        let recent = self.settings.from_recent as usize;
        let latest = (0..slot)
            .rev()
            .take(4 * recent)
            .filter(|&s| self.slots[s as usize].is_some());
        out.extend(latest.take(recent));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Partners by hash of the slot: they stand for all pairs.
    fn sample(&self, slot: u32) -> Vec<u32> {
        let many = self.live > self.settings.sampled_until as usize;
        let wanted = self.settings.sampled.min(if many { 1 } else { u32::MAX });
        let mut out: Vec<u32> = (0..u64::from(wanted))
            .map(|k| (mix(u64::from(slot) << 8 | k) % u64::from(slot.max(1))) as u32)
            .filter(|&s| s != slot && self.slot(s).is_some())
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn probe<'a>(&self, slot: u32, f: &'a Features) -> Probe<'a> {
        let (terms, words) = self
            .slot(slot)
            .map_or_else(Default::default, |s| (s.terms.clone(), s.words.clone()));
        let weight = |t: &Term| {
            let idf = self.lexicon.idf_of(t.no);
            (t.key, idf * idf * t.rarity.get())
        };
        Probe {
            features: f,
            weights: terms.iter().map(weight).collect(),
            sizes: self.sizes(&terms),
            terms,
            soft: Soft::new(words),
        }
    }

    /// Damped lengths of the two bags.
    fn sizes(&self, terms: &[Term]) -> [f32; 2] {
        let mut square = [0f32; 2];
        for t in terms {
            let w = t.rarity.get() * self.lexicon.idf_of(t.no);
            square[usize::from(t.key.is_entity())] += w * w;
        }
        let s = &self.settings;
        [
            0.5 * (square[0].sqrt() + s.damp_words),
            0.5 * (square[1].sqrt() + s.damp_entities),
        ]
    }

    /// The vector features, and the overlaps as if the other event were as long as this one.
    fn cheap(&self, p: &Probe<'_>, other: &Slot) -> [f32; 5] {
        let mut both = [0f32; 2];
        let (mut i, mut j) = (0, 0);
        while i < p.weights.len() && j < other.terms.len() {
            match p.weights[i].0.cmp(&other.terms[j].key) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    let bag = usize::from(p.weights[i].0.is_entity());
                    both[bag] += p.weights[i].1 * other.terms[j].rarity.get();
                    i += 1;
                    j += 1;
                }
            }
        }
        let f = p.features;
        let [words, entities] = [0, 1].map(|bag| both[bag] / (p.sizes[bag] * p.sizes[bag]));
        [
            f.dense.dot(&other.dense),
            f.sif.dot(&other.sif),
            words,
            entities,
            0.0,
        ]
    }

    /// Sets the overlaps right for the length of the other event.
    fn lengths(&self, p: &Probe<'_>, other: &Slot, raw: &mut [f32; 5]) {
        let sizes = self.sizes(&other.terms);
        raw[2] *= p.sizes[0] / sizes[0];
        raw[3] *= p.sizes[1] / sizes[1];
    }

    fn soft(&self, p: &mut Probe<'_>, other: &Slot, raw: &mut [f32; 5]) {
        raw[4] = p
            .soft
            .overlap(&other.words, &self.lexicon)
            .unwrap_or(self.settings.prior_mean[4]);
    }
}

/// Best first; the earlier event on equal scores.
fn rank(found: &mut Vec<(f32, u32, [f32; 5])>, most: u32) {
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(most as usize);
}

fn keep_best(scored: &mut Vec<(f32, u32)>, most: usize) {
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1));
    if scored.len() > most {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
    }
}

/// Soft alignment of the words of one event with those of others; cosines are kept, since
/// candidates share words.
struct Soft {
    /// Numbers of the event's words.
    mine: Box<[(u32, Rarity)]>,
    my_weight: f32,
    columns: FxHashMap<u32, usize>,
    cosines: Vec<f32>,
    best: Vec<f32>,
}

impl Soft {
    fn new(mine: Box<[(u32, Rarity)]>) -> Self {
        Self {
            my_weight: mine.iter().map(|w| w.1.get()).sum(),
            best: vec![0.0; mine.len()],
            mine,
            columns: FxHashMap::default(),
            cosines: Vec::new(),
        }
    }

    fn column(&mut self, word: u32, lexicon: &Lexicon) -> usize {
        if let Some(c) = self.columns.get(&word) {
            return *c;
        }
        let at = self.cosines.len();
        let v = lexicon.vector(word);
        for (no, _) in &self.mine {
            let cos = match (lexicon.vector(*no), v) {
                _ if *no == word => 1.0,
                (Some(w), Some(v)) => w.cosine(v),
                _ => 0.0,
            };
            self.cosines.push(cos.max(0.0));
        }
        self.columns.insert(word, at);
        at
    }

    /// Mean over both directions of the best cosines, weighted by rarity; `None` without words.
    fn overlap(&mut self, other: &[(u32, Rarity)], lexicon: &Lexicon) -> Option<f32> {
        if self.mine.is_empty() || other.is_empty() {
            return None;
        }
        self.best.fill(0.0);
        let (mut theirs, mut weight) = (0f32, 0f32);
        for (word, rarity) in other {
            let at = self.column(*word, lexicon);
            let column = &self.cosines[at..at + self.best.len()];
            let mut top = 0f32;
            for (b, c) in self.best.iter_mut().zip(column) {
                *b = b.max(*c);
                top = top.max(*c);
            }
            theirs += rarity.get() * top;
            weight += rarity.get();
        }
        let mine: f32 = self.mine.iter().zip(&self.best).map(|(w, b)| w.1.get() * b).sum();
        Some((mine / self.my_weight + theirs / weight) / 2.0)
    }
}
