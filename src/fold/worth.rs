//! What each word of a group is worth as part of its title.
//!
//! A word's worth is above all how near its vector lies to the middle of the group, less the middle of the stream (of all
//! single signs this one went best with what a person chose: correlation .25 within a group; repetition alone .07).

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::features::TermKey;
use super::phrases::{IN_TITLE, LOWER, NAME, NOUN_ENDING, Phrases, WEAK};
use super::theme;
use super::titles::Stream;
use crate::embed::WordVector;
use crate::text::Lang;

/// Words that may become part of a title.
pub(super) const CANDIDATES: usize = 12;
/// Weights of a word's signs; fitted on groups by hand of seven labelled streams, and round.
pub(super) const CENTRAL: f32 = 1.5;
const ENDING: f32 = 0.06;
const NOUN: f32 = 0.08;
const COVERED: f32 = 0.1;
const REPEATED: f32 = 0.05;
const CONTRAST: f32 = 0.04;
const HEADLINE: f32 = 0.03;
const COMMON: f32 = 0.15;
/// From this frequency on a word is too common to name much.
const COMMON_ZIPF: f32 = 5.2;
/// What a compound that several events say is worth beyond its words.
const COMPOUND: f32 = 0.12;
/// A word that says too little alone stands back by this much; a name by more.
const WEAK_COST: f32 = 0.5;
const NAME_COST: f32 = 3.0;
/// An English word that no table knows is a fragment of a code more often than a term.
const UNKNOWN_COST: f32 = 0.1;
/// A capitalised word below this frequency counts as a name in the lexicon.
const NAME_ZIPF: f32 = 4.4;
/// A stem, over all members.
pub(super) struct Stem<'a> {
    pub term: TermKey,
    pub members: Vec<u16>,
    pub form: &'a str,
    pub score: f32,
    pub vector: Option<&'a WordVector>,
    pub flags: u8,
}

/// A part of a title.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub form: &'a str,
    pub score: f32,
    /// Numbers of its stems.
    pub stems: Vec<usize>,
}

/// The language of most members; of equals the first.
pub(super) fn majority(members: &[Arc<Phrases>]) -> Lang {
    let mut counts: BTreeMap<Lang, usize> = BTreeMap::new();
    members
        .iter()
        .for_each(|m| *counts.entry(m.lang).or_default() += 1);
    let most = counts.into_iter().rev().max_by_key(|c| c.1);
    most.map_or(Lang::En, |c| c.0)
}

/// All stems with their scores, best first.
pub(super) fn stems<'a>(
    members: &'a [Arc<Phrases>],
    centre: &Option<WordVector>,
    stream: &Stream<'_>,
    lang: Lang,
) -> Vec<Stem<'a>> {
    let mut uses: Vec<(TermKey, u16, u16)> = Vec::new();
    for (m, p) in members.iter().enumerate() {
        uses.extend((0..p.words.len()).map(|w| (p.words[w].term, m as u16, w as u16)));
    }
    uses.sort_unstable();
    let mut out: Vec<Stem<'_>> = uses
        .chunk_by(|a, b| a.0 == b.0)
        .map(|uses| stem(uses, members, centre, stream, lang))
        .collect();
    out.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.form.cmp(b.form))
            .then(a.term.cmp(&b.term))
    });
    // Looked up for the best alone: it costs a hash.
    let mut sound = 0;
    out.retain(|s| {
        let keep = sound >= 2 * CANDIDATES || !is_actor(s, stream);
        sound += usize::from(keep);
        keep
    });
    out.truncate(2 * CANDIDATES);
    out
}

/// Middle of the group less that of the stream.
pub(super) fn centre(members: &[Arc<Phrases>], middle: &[f32]) -> Option<WordVector> {
    let mut sum: Vec<f32> = Vec::new();
    for p in members {
        let one = theme::of(p);
        if sum.len() < one.len() {
            sum.resize(one.len(), 0.0);
        }
        sum.iter_mut().zip(&one).for_each(|(s, x)| *s += x);
    }
    let n = members.len() as f32;
    sum.iter_mut().zip(middle).for_each(|(s, m)| *s -= n * m);
    WordVector::of(&sum, true)
}

fn stem<'a>(
    uses: &[(TermKey, u16, u16)],
    members: &'a [Arc<Phrases>],
    centre: &Option<WordVector>,
    stream: &Stream<'_>,
    lang: Lang,
) -> Stem<'a> {
    let term = uses[0].0;
    let (mut noun, mut flags, mut names, mut heads, mut zipf) = (0.0, 0u8, 0, 0, 0f32);
    let mut forms: Vec<(&str, usize)> = Vec::new();
    let mut vector = None;
    for (_, m, w) in uses {
        let p = &members[usize::from(*m)];
        let word = &p.words[usize::from(*w)];
        noun += (f32::from(word.noun) / 4.0).clamp(-1.0, 1.0);
        flags |= word.flags & !NAME;
        names += usize::from(word.is(NAME));
        heads += usize::from(word.is(IN_TITLE));
        zipf = zipf.max(word.zipf());
        vector = vector.or(word.vector.as_deref());
        let form = p.form(word);
        match forms.iter_mut().find(|f| f.0 == form) {
            Some(f) => f.1 += 1,
            None => forms.push((form, 1)),
        }
    }
    let (as_word, as_name) = (stream.holders)(term);
    // Where capitals tell, a rare word that the stream never writes small is a name, and so is one that stands with a
    // capital within a sentence and never without.
    let rare = zipf < NAME_ZIPF;
    let small = flags & (LOWER | NOUN_ENDING) != 0 || rare && as_word > as_name;
    let capitals_tell = lang.is_latin() && !lang.capitalises_nouns();
    let name = if capitals_tell {
        !small && (names > 0 || rare)
    } else {
        2 * names > uses.len()
    };
    if name {
        flags |= NAME;
    }
    forms.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.len().cmp(&b.0.len())).then(a.0.cmp(b.0)));
    let n = members.len() as f32;
    let count = uses.len() as f32;
    let central = match (vector, centre) {
        (Some(v), Some(c)) => v.cosine(c),
        _ => 0.0,
    };
    let mut score = CENTRAL * central
        + if flags & NOUN_ENDING != 0 { ENDING } else { 0.0 }
        + NOUN * (noun / 2.0).clamp(-1.0, 1.0)
        + 0.03 * (zipf.min(5.0) - zipf_best(zipf))
        - COMMON * (zipf - COMMON_ZIPF).max(0.0)
        + COVERED * count / n
        + if uses.len() > 1 { REPEATED } else { 0.0 }
        + CONTRAST * (count / (as_word + as_name).max(uses.len()) as f32)
        + HEADLINE * heads as f32 / n;
    if lang == Lang::En && vector.is_none_or(|v| !v.whole) {
        score -= UNKNOWN_COST;
    }
    if flags & WEAK != 0 {
        score -= WEAK_COST;
    }
    if flags & NAME != 0 {
        score -= NAME_COST;
    }
    Stem {
        term,
        members: uses.iter().map(|u| u.1).collect(),
        form: forms[0].0,
        score,
        vector,
        flags,
    }
}

/// Distance from the frequency that names best, in the same scale.
fn zipf_best(zipf: f32) -> f32 {
    4.3 + (zipf - 4.3).abs()
}

/// An actor's name is no topic, unless the same word is in common use in small letters ("billing" of `billing-service`).
fn is_actor(s: &Stem<'_>, stream: &Stream<'_>) -> bool {
    (stream.is_actor)(s.form)
        && (s.flags & (LOWER | NOUN_ENDING) != LOWER | NOUN_ENDING || (stream.holders)(s.term).0 < 2)
}

/// Words and compounds that may stand in a title, best first. A compound that several events say replaces its words.
pub(super) fn parts<'a>(members: &'a [Arc<Phrases>], stems: &[Stem<'a>]) -> Vec<Part<'a>> {
    let at: FxHashMap<TermKey, usize> = stems.iter().enumerate().map(|(i, s)| (s.term, i)).collect();
    let mut said: BTreeMap<u32, (usize, &str, [usize; 2])> = BTreeMap::new();
    for p in members {
        for c in &p.compounds {
            let (Some(&a), Some(&b)) = (at.get(&c.parts[0]), at.get(&c.parts[1])) else {
                continue;
            };
            let entry = said.entry(c.key).or_insert((0, p.compound(c), [a, b]));
            entry.0 += 1;
        }
    }
    let single = members.len() == 1;
    let mut out: Vec<Part<'_>> = said
        .into_values()
        .filter(|(n, ..)| *n > 1 || single)
        .map(|(n, form, [a, b])| Part {
            form,
            score: stems[a]
                .score
                .max(stems[b].score)
                .min((stems[a].score + stems[b].score) / 2.0 + COMPOUND)
                + 0.02 * n.min(4) as f32,
            stems: vec![a, b],
        })
        .collect();
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.form.cmp(b.form)));
    let mut used = vec![false; stems.len()];
    out.retain(|p| {
        let free = p.stems.iter().all(|s| !used[*s]);
        if free {
            p.stems.iter().for_each(|s| used[*s] = true);
        }
        free
    });
    for (i, s) in stems.iter().enumerate().filter(|(i, _)| !used[*i]) {
        out.push(Part {
            form: s.form,
            score: s.score,
            stems: vec![i],
        });
    }
    out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.form.cmp(b.form)));
    out
}
