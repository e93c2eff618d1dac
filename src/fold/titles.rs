//! A readable title for a group of events: a phrase of their own words.
//!
//! A plausible wrong title is worse than a plain phrase from the events (research, naming), so
//! nothing is taken from a catalogue. Words of actors, names of persons as far as they show, dates and stop words
//! are left out; what the group says oftener than the stream comes first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::features::TermKey;
use crate::event::Event;
use crate::text::{Analysis, Lang, Section, Word, is_calendar_word, is_weak};

const MAX_KEYWORDS: usize = 8;
/// A capitalised word within sentences is a topic only when this share of the events holds it.
const NAME_COVERAGE: f32 = 0.6;
/// Such a word weighs this much of another: it may be a person, and a title should say what, not who.
const NAME_WEIGHT: f32 = 0.35;
/// English number words: they count, and name nothing.
const NUMBERS: [&str; 24] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "half",
    "quarter",
    "dozen",
];
/// Below this share of events that hold a word of the title, a second phrase joins it.
const THIN_COVERAGE: f32 = 0.6;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Title {
    pub title: String,
    pub text: String,
    pub keywords: Vec<Arc<str>>,
    pub confidence: f32,
}

/// What the stream knows about a term.
pub(super) struct Stream<'a> {
    /// ln(1 + events / holders).
    pub idf: &'a dyn Fn(TermKey) -> f32,
    /// Is this word (as written) an actor of the stream?
    pub is_actor: &'a dyn Fn(&str) -> bool,
    /// Does another concept carry this title?
    pub is_taken: &'a dyn Fn(&str) -> bool,
}

#[derive(Default)]
struct Stem {
    events: BTreeSet<usize>,
    in_titles: BTreeSet<usize>,
    /// Uses by form.
    forms: BTreeMap<String, u32>,
    weight: f32,
    inner_capitals: u32,
    lower: u32,
}

#[derive(Default)]
struct Phrase {
    events: BTreeSet<usize>,
    in_titles: u32,
    form: Vec<String>,
}

/// Titles a group. Cost: linear in the words of the given events. `None` without any usable word.
pub(super) fn title(members: &[(Arc<Event>, Analysis)], stream: &Stream<'_>) -> Title {
    let actors: BTreeSet<String> = members
        .iter()
        .filter_map(|m| m.0.actor.as_deref())
        .flat_map(|a| {
            a.split(|c: char| !c.is_alphanumeric())
                .map(str::to_lowercase)
                .collect::<Vec<_>>()
        })
        .collect();
    let usable = |w: &Word, lang: Lang| {
        !w.stop
            && !w.has_digit
            && w.lower.chars().count() > 1
            && w.lower.chars().any(char::is_alphabetic)
            && !is_calendar_word(&w.lower, lang)
            && !is_weak(&w.lower)
            && !NUMBERS.contains(&&*w.lower)
            && !actors.contains(&*w.lower)
            && !(stream.is_actor)(&w.surface)
    };
    let mut stems: BTreeMap<&str, Stem> = BTreeMap::new();
    for (i, (_, a)) in members.iter().enumerate() {
        for w in a.words.iter().filter(|w| usable(w, a.lang)) {
            let s = stems.entry(&w.stem).or_default();
            s.events.insert(i);
            if w.section == Section::Title {
                s.in_titles.insert(i);
            }
            *s.forms.entry(w.lower.to_string()).or_default() += 1;
            let inner = w.capitalised
                && !w.sentence_start
                && w.section == Section::Text
                && !a.lang.capitalises_nouns();
            s.inner_capitals += u32::from(inner);
            s.lower += u32::from(!w.capitalised);
            let idf = (stream.idf)(TermKey::word(&w.stem)).min((stream.idf)(TermKey::entity(&w.stem)));
            s.weight = s
                .weight
                .max((7.2 - w.zipf.max(3.0)).max(0.2) * idf * form_factor(&w.lower, a.lang));
        }
    }
    let n = members.len().max(1) as f32;
    stems.retain(|_, s| {
        let name = s.inner_capitals > 0 && s.lower == 0;
        if name {
            s.weight *= NAME_WEIGHT;
        }
        !name || (s.events.len() > 1 && s.events.len() as f32 >= NAME_COVERAGE * n)
    });
    let score = |s: &Stem| {
        // Coverage counts more than linearly: a word of one event is about that event.
        let covered = s.events.len() as f32 + 0.5 * s.in_titles.len() as f32;
        covered.powf(1.4) * s.weight
    };
    let mut ranked: Vec<(f32, &str)> = stems.iter().map(|(k, s)| (score(s), *k)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let keywords: Vec<Arc<str>> = ranked
        .iter()
        .take(MAX_KEYWORDS)
        .map(|(_, k)| main_form(&stems[k]).into())
        .collect();

    let mut candidates: Vec<(f32, Vec<String>, BTreeSet<usize>)> = Vec::new();
    for (key, p) in phrases(members, &stems) {
        let parts: Vec<&Stem> = key.iter().map(|k| &stems[k]).collect();
        let mean = parts.iter().map(|s| score(s)).sum::<f32>() / parts.len() as f32;
        let least = parts.iter().map(|s| score(s)).fold(f32::MAX, f32::min);
        let repeated = if p.events.len() > 1 { 1.5 } else { 1.0 };
        let headline = if p.in_titles > 0 { 1.15 } else { 1.0 };
        let events = parts.iter().flat_map(|s| s.events.iter().copied()).collect();
        candidates.push(((mean + least) * 0.75 * repeated * headline, p.form, events));
    }
    for (score, key) in ranked.iter().take(12) {
        candidates.push((
            0.9 * score,
            vec![main_form(&stems[key])],
            stems[key].events.clone(),
        ));
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));

    let (title, covered) = choose(&candidates, n, stream);
    let title = if title.is_empty() {
        fallback(members)
    } else {
        title
    };
    let size = (members.len() as f32 / 6.0).min(1.0);
    Title {
        text: describe(&keywords, members),
        confidence: (covered * (0.4 + 0.6 * size)).clamp(0.05, 1.0),
        keywords,
        title,
    }
}

/// The best phrase; a second one when it speaks for few events or the title is taken.
fn choose(candidates: &[(f32, Vec<String>, BTreeSet<usize>)], n: f32, stream: &Stream<'_>) -> (String, f32) {
    let Some((_, first, events)) = candidates.first() else {
        return (String::new(), 0.0);
    };
    let covered = events.len() as f32 / n;
    let alone = cased(first);
    let second = |need_new: bool| {
        candidates.iter().skip(1).take(24).find(|(_, form, more)| {
            form.iter().all(|f| !first.contains(f))
                && form.len() + first.len() <= 4
                && (!need_new || more.difference(events).count() > 0)
        })
    };
    if covered < THIN_COVERAGE
        && let Some((_, form, more)) = second(true)
    {
        let both = format!("{alone} & {}", cased(form));
        if !(stream.is_taken)(&both) {
            return (both, events.union(more).count() as f32 / n);
        }
    }
    if !(stream.is_taken)(&alone) {
        return (alone, covered);
    }
    for (_, form, more) in candidates.iter().skip(1).take(24) {
        if form.iter().any(|f| first.contains(f)) || form.len() + first.len() > 4 {
            continue;
        }
        let both = format!("{alone} & {}", cased(form));
        if !(stream.is_taken)(&both) {
            return (both, events.union(more).count() as f32 / n);
        }
    }
    (alone, covered)
}

/// Runs of two or three usable words that stand side by side.
fn phrases<'a>(
    members: &'a [(Arc<Event>, Analysis)],
    stems: &BTreeMap<&'a str, Stem>,
) -> BTreeMap<Vec<&'a str>, Phrase> {
    let mut found: BTreeMap<Vec<&str>, Phrase> = BTreeMap::new();
    for (i, (event, a)) in members.iter().enumerate() {
        for len in 2..=3 {
            for run in a.words.windows(len) {
                let one_sentence = run
                    .iter()
                    .skip(1)
                    .all(|w| !w.sentence_start && w.section == run[0].section);
                let known = run
                    .iter()
                    .all(|w| stems.contains_key(&*w.stem) && !w.stop && !w.has_digit);
                if !one_sentence || !known || !adjacent(event, run) {
                    continue;
                }
                let key: Vec<&str> = run.iter().map(|w| &*w.stem).collect();
                if key[0] == key[len - 1] {
                    continue;
                }
                let p = found.entry(key).or_default();
                p.events.insert(i);
                p.in_titles += u32::from(run[0].section == Section::Title);
                if p.form.is_empty() {
                    p.form = run.iter().map(written).collect();
                }
            }
        }
    }
    found.retain(|key, p| {
        p.events.len() > 1
            || (key.len() == 2 && key.iter().all(|k| stems[k].events.len() > 1 || members.len() < 2))
            || (key.len() == 2 && p.in_titles > 0)
    });
    found
}

/// Do these words stand side by side in the event, with nothing but a space (or nothing) between them?
fn adjacent(event: &Event, run: &[Word]) -> bool {
    let joined = |gap: &str| run.iter().map(|w| &*w.surface).collect::<Vec<_>>().join(gap);
    let text = match run[0].section {
        Section::Title => event.title.as_deref().unwrap_or_default(),
        Section::Text => &event.text,
        Section::Media => event.media_text().unwrap_or_default(),
    };
    text.contains(&joined(" ")) || unspaced(&run[0].surface) || text.contains(&joined("-"))
}

fn unspaced(word: &str) -> bool {
    word.chars().next().is_some_and(crate::text::is_unspaced)
}

/// Lower case unless the word holds capitals of its own ("API", "GitHub").
fn written(w: &Word) -> String {
    if w.surface.chars().skip(1).any(char::is_uppercase) {
        w.surface.to_string()
    } else {
        w.lower.to_string()
    }
}

fn main_form(s: &Stem) -> String {
    let best = s
        .forms
        .iter()
        .max_by(|a, b| a.1.cmp(b.1).then(b.0.len().cmp(&a.0.len())).then(b.0.cmp(a.0)));
    best.map_or(String::new(), |b| b.0.clone())
}

fn cased(words: &[String]) -> String {
    if words.iter().all(|w| unspaced(w)) {
        // Overlapping pairs of characters grow together again.
        let mut out = String::new();
        for w in words {
            let rest = match (out.chars().last(), w.chars().next()) {
                (Some(a), Some(b)) if a == b => w.chars().skip(1).collect(),
                _ => w.clone(),
            };
            out.push_str(&rest);
        }
        return out;
    }
    words.iter().map(|w| capital(w)).collect::<Vec<_>>().join(" ")
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// English verb forms and adverbs seldom name a topic.
fn form_factor(lower: &str, lang: Lang) -> f32 {
    let ends = |e: &str| lower.len() > e.len() + 2 && lower.ends_with(e);
    match lang {
        Lang::En if ends("ly") || ends("ed") => 0.5,
        Lang::En if ends("ing") => 0.8,
        _ => 1.0,
    }
}

fn describe(keywords: &[Arc<str>], members: &[(Arc<Event>, Analysis)]) -> String {
    let about = match keywords {
        [] => "Events that repeat each other".to_owned(),
        [one] => format!("Events about {one}"),
        [first, second] => format!("Events about {first} and {second}"),
        [first, second, third, ..] => format!("Events about {first}, {second} and {third}"),
    };
    match members.last().map(|m| head(&m.0)) {
        Some(h) if !h.is_empty() => format!("{about}, such as \u{201c}{h}\u{201d}."),
        _ => format!("{about}."),
    }
}

/// Title or opening words of an event.
fn head(event: &Event) -> String {
    let text = event
        .title
        .as_deref()
        .filter(|t| !t.trim().is_empty())
        .unwrap_or(&event.text);
    let line = text.trim().lines().next().unwrap_or_default();
    if line.chars().count() <= 60 {
        return line.to_owned();
    }
    let cut: String = line.chars().take(60).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |c| c.0))
}

/// When no word is usable: the opening words of the first event, or its type.
fn fallback(members: &[(Arc<Event>, Analysis)]) -> String {
    let first = members.first().map(|m| head(&m.0)).unwrap_or_default();
    let kind = || {
        members
            .first()
            .and_then(|m| m.0.kind.clone())
            .filter(|k| !k.trim().is_empty())
    };
    match first.trim() {
        "" => kind().unwrap_or_else(|| "Untitled".into()),
        text => text.to_owned(),
    }
}
