//! A readable title for a group of events: a phrase of their own words.
//!
//! A plausible wrong title is worse than a plain phrase from the events (research, naming), so
//! nothing is taken from a catalogue. The words' worth stands in `worth`. Where nearly all events of a type are in one
//! group, the producer's own word for it stands before, else a general noun where one clearly fits, never alone. Actors,
//! names, dates and numbers are left out.
//!
//! Cost: linear in the candidate words of at most `title_members` members. In a profile of the writer over 20,000
//! synthetic events naming took about 3 % of its time.

use std::sync::Arc;

use super::features::TermKey;
use super::general::General;
use super::phrases::{NAME, Phrases, WEAK, title_key};
use super::worth::{CANDIDATES, CENTRAL, Part, Stem, centre, majority, parts, stems};
use crate::embed::WordVector;
use crate::text::{Lang, Role, has_role};

const MAX_KEYWORDS: usize = 8;
/// Two words this near to each other say the same.
const SAME: f32 = 0.8;
/// From this cosine with the middle of the group on, a general noun clearly fits; one that stands may lie lower.
const GENERAL_FITS: f32 = 0.42;
const GENERAL_STAYS: f32 = 0.37;
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
        let (found, worth) = again(old, group, &stems, lang, stays)?;
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
    // Nothing tells it from another concept: better the same name twice than the opening words of an event.
    alone.or_else(|| {
        let own = |t: &str| group.members.iter().any(|m| m.headline == title_key(t));
        let one = parts.iter().take(CANDIDATES).map(|a| (cased(a.form, lang), a));
        let first = one.into_iter().find(|(t, _)| !own(t));
        first.map(|(t, a)| (t, a.score, a.stems.clone()))
    })
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
    lang: Lang,
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
            None if joins(&lower, lang) => {}
            _ => above = Some(CENTRAL * stays(&lower)?),
        }
    }
    if !group.category.is_empty() && above.is_none() || count == 0 {
        return None;
    }
    let own = sum / count as f32;
    Some((found, above.map_or(own, |a| (a + own) / 2.0)))
}

/// May the word stand within a compound?
fn joins(lower: &str, lang: Lang) -> bool {
    has_role(lower, Role::Joins, lang) || has_role(lower, Role::BeforeNoun, lang)
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
