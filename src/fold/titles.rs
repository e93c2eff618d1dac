//! A readable title for a group of events: a phrase of their own words.
//!
//! A plausible wrong title is worse than a plain phrase from the events (research, naming), so
//! nothing is taken from a catalogue. A word's worth is above all how near its vector lies to the
//! middle of the group, less the middle of the stream (of all single signs this one went best with
//! what a person chose: correlation .25 within a group; repetition alone .07). Where nearly all events of a
//! type are in one group, the producer's own word for it stands before. Actors, names, dates and numbers are left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::features::TermKey;
use super::general::General;
use super::phrases::{IN_TITLE, LOWER, NAME, NOUN_ENDING, Phrases, WEAK, title_key};
use super::theme;
use crate::embed::WordVector;
use crate::text::Lang;

const MAX_KEYWORDS: usize = 8;
/// Words that may become part of a title.
const CANDIDATES: usize = 12;
/// Weights of a word's signs; fitted on groups by hand of seven labelled streams, and round.
const CENTRAL: f32 = 1.5;
const ENDING: f32 = 0.06;
const NOUN: f32 = 0.05;
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
/// Two words this near to each other say the same.
const SAME: f32 = 0.8;
/// From this cosine with the middle of the group on, a general noun clearly fits; one that stands may lie lower.
const GENERAL_FITS: f32 = 0.44;
const GENERAL_STAYS: f32 = 0.38;
/// Worth of the producer's own word.
const CATEGORY: f32 = 0.8;
/// A title is replaced only by one that is worth this much more.
const CLEARLY: f32 = 0.15;
/// Words of a title at most.
const MAX_TITLE: usize = 5;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Title {
    pub title: String,
    pub text: String,
    pub keywords: Vec<Arc<str>>,
    pub confidence: f32,
}

/// What the stream knows.
pub(super) struct Stream<'a> {
    /// Events that hold a stem as a word, and as a name.
    pub holders: &'a dyn Fn(TermKey) -> (usize, usize),
    /// Is this word part of an actor's name?
    pub is_actor: &'a dyn Fn(&str) -> bool,
    /// Does another concept carry this title?
    pub is_taken: &'a dyn Fn(&str) -> bool,
    /// Middle of all events, to be taken away from that of a group.
    pub middle: &'a [f32],
    /// General nouns, where the word vectors allow to compare with them.
    pub general: Option<&'static General>,
}

/// What is known of the group beside its words.
pub(super) struct Group<'a> {
    pub members: &'a [Arc<Phrases>],
    /// The producer's word for the group, if it fits.
    pub category: &'a str,
    /// The title it has.
    pub old: Option<&'a str>,
    /// Opening words of its newest event.
    pub example: &'a str,
    /// Stands in when no word is usable.
    pub fallback: &'a str,
}

/// A stem, over all members.
struct Stem<'a> {
    term: TermKey,
    members: Vec<u16>,
    form: &'a str,
    score: f32,
    vector: Option<&'a WordVector>,
    flags: u8,
}

/// A part of a title.
#[derive(Clone)]
struct Part<'a> {
    form: &'a str,
    score: f32,
    /// Numbers of its stems.
    stems: Vec<usize>,
}

/// Titles a group. Cost: linear in its members' candidate words.
pub(super) fn title(group: &Group<'_>, stream: &Stream<'_>) -> Title {
    let lang = majority(group.members);
    let centre = centre(group.members, stream.middle);
    let stems = stems(group.members, &centre, stream, lang);
    let parts = parts(group.members, &stems);
    let n = group.members.len().max(1) as f32;
    let covered = |found: &[usize]| {
        let mut held = vec![false; group.members.len()];
        let members = found.iter().flat_map(|s| &stems[*s].members);
        members.for_each(|m| held[usize::from(*m)] = true);
        held.iter().filter(|h| **h).count() as f32 / n
    };
    let above = above(group, &centre, stream, lang);
    let chosen = choose(&parts, &stems, group, &above, stream, lang);
    let stays = |word: &str| {
        stream
            .general?
            .fit(word, centre.as_ref()?)
            .filter(|f| *f >= GENERAL_STAYS)
    };
    let kept = group.old.and_then(|old| {
        let (found, worth) = again(old, group, &stems, stays)?;
        let better = chosen.as_ref().is_some_and(|c| c.1 > worth + CLEARLY);
        (!better && !(stream.is_taken)(old)).then(|| (old.to_owned(), found))
    });
    let keywords: Vec<Arc<str>> = keywords(&parts, &stems);
    let (title, found) = kept.or(chosen.map(|c| (c.0, c.2))).unwrap_or_default();
    let share = if group.category.is_empty() {
        covered(&found)
    } else {
        1.0
    };
    Title {
        text: describe(&keywords, group.example, lang),
        confidence: (share * (0.4 + 0.6 * (n / 6.0).min(1.0))).clamp(0.05, 1.0),
        keywords,
        title: if title.is_empty() {
            group.fallback.to_owned()
        } else {
            title
        },
    }
}

/// The language of most members; of equals the first.
fn majority(members: &[Arc<Phrases>]) -> Lang {
    let mut counts: BTreeMap<Lang, usize> = BTreeMap::new();
    members
        .iter()
        .for_each(|m| *counts.entry(m.lang).or_default() += 1);
    let most = counts.into_iter().rev().max_by_key(|c| c.1);
    most.map_or(Lang::En, |c| c.0)
}

/// All stems with their scores, best first.
fn stems<'a>(
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
fn centre(members: &[Arc<Phrases>], middle: &[f32]) -> Option<WordVector> {
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
fn parts<'a>(members: &'a [Arc<Phrases>], stems: &[Stem<'a>]) -> Vec<Part<'a>> {
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

/// What stands before the group's own word, with its worth: the producer's word, else a general noun that clearly fits.
fn above(group: &Group<'_>, centre: &Option<WordVector>, stream: &Stream<'_>, lang: Lang) -> (String, f32) {
    if !group.category.is_empty() {
        return (group.category.to_owned(), CATEGORY);
    }
    let general = match (stream.general, centre) {
        (Some(general), Some(centre)) if lang == Lang::En && group.members.len() > 1 => {
            general.nearest(centre)
        }
        _ => None,
    };
    match general.filter(|g| g.1 >= GENERAL_FITS && !(stream.is_actor)(g.0)) {
        Some((word, cosine)) => (word.to_owned(), CENTRAL * cosine),
        None => (String::new(), 0.0),
    }
}

/// A title with its worth and its stems: the best part with the next that says something else, or the
/// producer's word with the best part. The first combination that is neither taken nor an event's own title.
fn choose(
    parts: &[Part<'_>],
    stems: &[Stem<'_>],
    group: &Group<'_>,
    (above, worth): &(String, f32),
    stream: &Stream<'_>,
    lang: Lang,
) -> Option<(String, f32, Vec<usize>)> {
    let sound = parts
        .iter()
        .filter(|p| p.stems.iter().all(|s| stems[*s].flags & NAME == 0))
        .count();
    // Names serve only where there is nothing else.
    let parts = if sound > 0 {
        &parts[..sound.min(parts.len())]
    } else {
        parts
    };
    let free = |t: &str| {
        let key = title_key(t);
        !(stream.is_taken)(t) && !group.members.iter().any(|m| m.headline == key)
    };
    let words = |t: &str| t.split(' ').count();
    if !above.is_empty() {
        for p in parts.iter().take(CANDIDATES) {
            if shares_word(above, p.form) || words(above) + words(p.form) > MAX_TITLE {
                continue;
            }
            let t = both(above, p.form, lang);
            if free(&t) {
                return Some((t, (worth + p.score) / 2.0, p.stems.clone()));
            }
        }
    }
    let mut alone = None;
    for (i, a) in parts.iter().enumerate().take(CANDIDATES) {
        for b in parts.iter().skip(i + 1).take(CANDIDATES) {
            let same = a
                .stems
                .iter()
                .any(|x| b.stems.iter().any(|y| near(&stems[*x], &stems[*y])));
            let weak = b.stems.iter().any(|s| stems[*s].flags & WEAK != 0);
            if same || weak || shares_word(a.form, b.form) || words(a.form) + words(b.form) > MAX_TITLE {
                continue;
            }
            let t = both(a.form, b.form, lang);
            if free(&t) {
                return Some((t, (a.score + b.score) / 2.0, [&a.stems[..], &b.stems].concat()));
            }
        }
        let t = cased(a.form, lang);
        if alone.is_none() && free(&t) {
            alone = Some((t, a.score, a.stems.clone()));
        }
    }
    alone
}

fn near(a: &Stem<'_>, b: &Stem<'_>) -> bool {
    a.form.starts_with(b.form)
        || b.form.starts_with(a.form)
        || matches!((a.vector, b.vector), (Some(x), Some(y)) if x.cosine(y) > SAME)
}

fn shares_word(a: &str, b: &str) -> bool {
    let low = |t: &str| -> Vec<String> { t.split([' ', '-']).map(str::to_lowercase).collect() };
    let (a, b) = (low(a), low(b));
    let same = |x: &str, y: &str| {
        x.starts_with(y) || y.starts_with(x) || x.trim_end_matches('s') == y.trim_end_matches('s')
    };
    a.iter().any(|x| b.iter().any(|y| same(x, y)))
}

/// The title that the group has: its stems and its worth now. `None` when a word of it is no longer among the group's.
fn again(
    old: &str,
    group: &Group<'_>,
    stems: &[Stem<'_>],
    stays: impl Fn(&str) -> Option<f32>,
) -> Option<(Vec<usize>, f32)> {
    let key = title_key(old);
    if group.members.iter().any(|m| m.headline == key) {
        return None;
    }
    let (mut found, mut sum, mut count) = (Vec::new(), 0.0, 0);
    let category: Vec<String> = group.category.split(' ').map(str::to_lowercase).collect();
    let mut above = None;
    for word in old
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
    {
        let lower = word.to_lowercase();
        if category.contains(&lower) {
            above = Some(CATEGORY);
            continue;
        }
        // A compound's joining word is no candidate, and an ending may have changed.
        let like = |s: &&Stem<'_>| {
            let form = s.form.to_lowercase();
            let common = form
                .chars()
                .zip(lower.chars())
                .take_while(|(a, b)| a == b)
                .count();
            form == lower
                || (common >= 4 && 4 * common >= 3 * form.chars().count().max(lower.chars().count()))
        };
        match stems.iter().position(|s| like(&s)) {
            Some(i) if stems[i].flags & NAME == 0 => {
                found.push(i);
                sum += stems[i].score;
                count += 1;
            }
            None if lower.chars().count() <= 3 => {}
            _ => above = Some(CENTRAL * stays(&lower)?),
        }
    }
    if !group.category.is_empty() && above.is_none() || count == 0 {
        return None;
    }
    let own = sum / count as f32;
    Some((found, above.map_or(own, |a| (a + own) / 2.0)))
}

/// The best parts; names of things may be among them, weak words may not.
fn keywords(parts: &[Part<'_>], stems: &[Stem<'_>]) -> Vec<Arc<str>> {
    let weak = |p: &&Part<'_>| p.stems.iter().any(|s| stems[*s].flags & WEAK != 0);
    let sound = parts.iter().filter(|p| !weak(p));
    sound.take(MAX_KEYWORDS).map(|p| p.form.into()).collect()
}

fn both(a: &str, b: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja | Lang::Zh => format!("{a}・{b}"),
        _ => format!("{} & {}", cased(a, lang), cased(b, lang)),
    }
}

/// English writes titles with capitals; elsewhere the first letter is enough.
fn cased(form: &str, lang: Lang) -> String {
    if lang != Lang::En {
        return capital(form);
    }
    let words = form
        .split(' ')
        .map(|w| if w == "of" { w.to_owned() } else { capital(w) });
    words.collect::<Vec<_>>().join(" ")
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// One sentence: the keywords, and an event as an example.
fn describe(keywords: &[Arc<str>], example: &str, lang: Lang) -> String {
    let (about, and, such) = match lang {
        Lang::En => ("Events about ", " and ", ", such as "),
        Lang::De => ("Ereignisse um ", " und ", ", etwa "),
        Lang::Es => ("Sucesos sobre ", " y ", ", como "),
        Lang::Fr => ("Événements sur ", " et ", ", comme "),
        Lang::It => ("Eventi su ", " e ", ", come "),
        Lang::Pt => ("Eventos sobre ", " e ", ", como "),
        Lang::Nl => ("Gebeurtenissen over ", " en ", ", zoals "),
        _ => ("", ", ", ": "),
    };
    let list = match keywords {
        [] => String::new(),
        [one] => format!("{about}{one}"),
        [first, second] => format!("{about}{first}{and}{second}"),
        [first, second, third, ..] => format!("{about}{first}, {second}{and}{third}"),
    };
    match (list.is_empty(), example.is_empty()) {
        (true, true) => "…".into(),
        (true, false) => format!("\u{201c}{example}\u{201d}"),
        (false, true) => format!("{list}."),
        (false, false) => format!("{list}{such}\u{201c}{example}\u{201d}."),
    }
}
