//! What concept formation keeps of one event.
//!
//! A pure function of the event, its analysis and the models, so any thread may compute it and a
//! restart computes it again. Knows no other event.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::phrases::Phrases;
use super::vector::Quantised;
use crate::embed::{Models, WordVector};
use crate::event::{Event, Ts};
use crate::text::{Analysis, Section, Word};

/// a of the SIF weight a / (a + p) (Arora et al. 2017; value from the research reference).
const SIF_A: f32 = 1e-4;
/// Words at or below this rarity take no part in the soft overlap.
const SOFT_RARITY: f32 = 1.2;
/// Distinct terms at most, the rarest kept: bounds the work on a very long event.
const MAX_TERMS: usize = 96;
/// Distinct words at most in the soft overlap, the rarest kept.
const MAX_WORDS: usize = 32;
/// Names at most by which an event links to earlier ones.
const MAX_NAMES: usize = 6;
/// Steps of a rarity in a byte; the largest rarity is 5.2.
const RARITY_STEPS: f32 = 48.0;
/// From this share of capitals within sentences on, a capital letter says nothing (German nouns).
const CAPITALS_MEAN_NOTHING: f32 = 0.3;

/// A capitalised word below this frequency is a name (measured with o200k frequencies, whose floor is 3.88).
const NAME_ZIPF: f32 = 4.4;

/// Rarity in steps of 1/48.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rarity(u8);

impl Rarity {
    fn of(zipf: f32) -> Self {
        Self(((7.2 - zipf.max(2.0)).max(0.0) * RARITY_STEPS).round() as u8)
    }

    pub fn get(self) -> f32 {
        f32::from(self.0) / RARITY_STEPS
    }
}

/// Key of a stem in the bag of words (even) or of entities (odd).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermKey(pub u32);

impl TermKey {
    pub fn word(stem: &str) -> Self {
        Self(key(stem) & !1)
    }

    pub fn entity(stem: &str) -> Self {
        Self(key(stem) | 1)
    }

    pub fn is_entity(self) -> bool {
        self.0 & 1 == 1
    }
}

/// 32-bit key of a string. Two strings with one key are taken for one; at 100,000 distinct
/// strings about one pair is.
pub(super) fn key(text: &str) -> u32 {
    let h = hash64(text.as_bytes(), 0);
    (h ^ (h >> 32)) as u32
}

/// FNV-1a with a final mix; stable across versions and machines.
pub(super) fn hash64(bytes: &[u8], seed: u64) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325 ^ seed;
    for b in bytes {
        h = (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mix(h)
}

/// SplitMix64's finaliser.
pub(super) fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// A word of the soft overlap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SoftWord {
    pub key: u32,
    pub rarity: Rarity,
    /// `None` for a word that the table knows nothing of.
    pub vector: Option<Arc<WordVector>>,
}

/// Vectors, terms and attributes of one event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    pub(super) dense: Quantised,
    pub(super) sif: Quantised,
    /// Sorted by key.
    pub(super) terms: Vec<(TermKey, Rarity)>,
    /// In reading order.
    pub(super) words: Vec<SoftWord>,
    /// Entity terms that may link this event to earlier ones, rarest first.
    pub(super) names: Vec<TermKey>,
    /// Type, actor, source; 0 for none.
    pub(super) attributes: [u32; 3],
    /// Hash of everything the producer said except id and time: equal only for exact repeats.
    pub(super) content: u64,
    /// What it offers to the name of a concept.
    pub(super) phrases: Arc<Phrases>,
    pub(super) time: Ts,
}

impl Features {
    /// Pure; cost linear in the event's words. `dense` is the embedder's vector of the event.
    pub fn of(event: &Event, analysis: &Analysis, dense: &[f32], models: &Models) -> Features {
        let capitals = !analysis.lang.capitalises_nouns() && capitals_count(&analysis.words);
        let attribute = |v: Option<&str>| v.filter(|v| !v.is_empty()).map_or(0, |v| key(v).max(1));
        Features {
            dense: Quantised::of(dense),
            sif: sif(&analysis.words, models),
            terms: terms(&analysis.words, capitals),
            words: soft_words(&analysis.words, models),
            names: names(event, &analysis.words, capitals),
            attributes: [
                attribute(event.kind.as_deref()),
                attribute(event.actor.as_deref()),
                attribute(Some(&event.source)),
            ],
            content: content(event),
            phrases: Arc::new(Phrases::of(event, analysis, models)),
            time: event.time,
        }
    }
}

fn content(event: &Event) -> u64 {
    let data = event.data.as_ref().map(|d| d.to_string());
    let extra = (!event.extra.is_empty()).then(|| serde_json::to_string(&event.extra).unwrap_or_default());
    let parts = [
        Some(event.text.as_str()),
        event.title.as_deref(),
        event.kind.as_deref(),
        event.actor.as_deref(),
        Some(event.source.as_str()),
        data.as_deref(),
        extra.as_deref(),
    ];
    // Seeds chain the parts, so that text moved from one field to the next changes the hash.
    parts.iter().fold(1, |h, p| match p {
        Some(p) => hash64(p.as_bytes(), h),
        None => mix(h ^ 0x9e37_79b9),
    })
}

/// Whether a capital letter tells a name from another word in this text.
fn capitals_count(words: &[Word]) -> bool {
    let inner = words
        .iter()
        .filter(|w| w.section == Section::Text && !w.sentence_start && !w.has_digit);
    let (mut all, mut capital) = (0u32, 0u32);
    for w in inner {
        all += 1;
        capital += u32::from(w.capitalised);
    }
    all < 6 || (capital as f32) < CAPITALS_MEAN_NOTHING * all as f32
}

fn is_entity(w: &Word, capitals: bool) -> bool {
    w.has_digit || (capitals && w.capitalised && w.zipf < NAME_ZIPF)
}

fn sif(words: &[Word], models: &Models) -> Quantised {
    let mut sum = vec![0f32; models.words.dim()];
    for w in words {
        if let Some(v) = models.words.word(&w.lower) {
            v.add_to(&mut sum, SIF_A / (SIF_A + 10f32.powf(w.zipf - 9.0)));
        }
    }
    Quantised::of(&sum)
}

fn terms(words: &[Word], capitals: bool) -> Vec<(TermKey, Rarity)> {
    let mut bag: BTreeMap<TermKey, Rarity> = BTreeMap::new();
    for w in words.iter().filter(|w| !w.stop) {
        let term = if is_entity(w, capitals) {
            TermKey::entity(&w.stem)
        } else {
            TermKey::word(&w.stem)
        };
        let rarity = Rarity::of(w.zipf);
        let slot = bag.entry(term).or_default();
        if rarity.0 > slot.0 {
            *slot = rarity;
        }
    }
    let mut out: Vec<_> = bag.into_iter().collect();
    if out.len() > MAX_TERMS {
        out.sort_by_key(|(k, r)| (std::cmp::Reverse(r.0), *k));
        out.truncate(MAX_TERMS);
        out.sort_by_key(|(k, _)| *k);
    }
    out
}

fn soft_words(words: &[Word], models: &Models) -> Vec<SoftWord> {
    let mut seen: BTreeMap<&str, Rarity> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for w in words.iter().filter(|w| !w.stop) {
        let rarity = Rarity::of(w.zipf);
        if rarity.get() > SOFT_RARITY && seen.insert(&w.lower, rarity).is_none() {
            order.push(&w.lower);
        }
    }
    if order.len() > MAX_WORDS {
        let mut by_rarity: Vec<u8> = order.iter().map(|w| seen[w].0).collect();
        by_rarity.sort_unstable_by(|a, b| b.cmp(a));
        let least = by_rarity[MAX_WORDS - 1];
        order.retain(|w| seen[w].0 >= least);
        order.truncate(MAX_WORDS);
    }
    order
        .into_iter()
        .map(|w| SoftWord {
            key: key(w),
            rarity: seen[w],
            vector: models.words.word(w),
        })
        .collect()
}

/// Codes and names within sentences that are rare enough to be about one thing.
fn names(event: &Event, words: &[Word], capitals: bool) -> Vec<TermKey> {
    let actor = event.actor.as_deref().unwrap_or_default().to_lowercase();
    let mut found: Vec<(Rarity, TermKey)> = Vec::new();
    for w in words.iter().filter(|w| !w.stop) {
        let digits = w.lower.chars().filter(char::is_ascii_digit).count();
        let letters = w.lower.chars().any(char::is_alphabetic);
        let code = w.has_digit && ((letters && w.lower.chars().count() > 3) || digits >= 4);
        let name = capitals && w.capitalised && !w.has_digit && w.zipf < NAME_ZIPF;
        let own = actor.split_whitespace().any(|a| a == &*w.lower);
        let term = TermKey::entity(&w.stem);
        if (code || name) && !own && !found.iter().any(|(_, t)| *t == term) {
            found.push((Rarity::of(w.zipf), term));
        }
    }
    found.sort_by_key(|(r, t)| (std::cmp::Reverse(r.0), *t));
    found.truncate(MAX_NAMES);
    found.into_iter().map(|(_, t)| t).collect()
}
