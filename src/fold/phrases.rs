//! What one event offers to the name of its concept: a few words and compounds of its own.
//!
//! A pure function of the event, its analysis and the word table, so it is made on the worker and
//! naming never reads a text again. Bounded: [`MAX_WORDS`] words, [`MAX_COMPOUNDS`] compounds, about
//! 500 bytes an event. Knows no other event.

use std::sync::Arc;

use super::candidates::{Candidate, Found};
use super::features::{TermKey, hash64, key};
use crate::embed::{Models, WordVector};
use crate::event::Event;
use crate::text::{Analysis, Lang, Section};

/// Words kept of an event.
pub(super) const MAX_WORDS: usize = 12;
/// Compounds kept of an event.
const MAX_COMPOUNDS: usize = 6;
/// Words of an event that are looked at: its opening says what it is about.
pub(super) const LOOKED_AT: usize = 300;
/// Stands in the event's title.
pub(super) const IN_TITLE: u8 = 1;
/// Written with a small first letter (or in a script that has none).
pub(super) const LOWER: u8 = 2;
/// A name or a code: who or which one, not what.
pub(super) const NAME: u8 = 4;
/// Says too little alone.
pub(super) const WEAK: u8 = 8;
/// Ends as nouns do.
pub(super) const NOUN_ENDING: u8 = 16;

/// Bytes of `Phrases::forms`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Span {
    start: u16,
    len: u8,
}

/// A word that might stand in a title.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NameWord {
    /// Its stem.
    pub term: TermKey,
    form: Span,
    /// log10 of its frequency, in steps of 1/32.
    zipf: u8,
    /// Evidence of its neighbours that it is a noun, in quarters.
    pub noun: i8,
    pub flags: u8,
    pub vector: Option<Arc<WordVector>>,
}

impl NameWord {
    pub fn zipf(&self) -> f32 {
        f32::from(self.zipf) / 32.0
    }

    pub fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Two words that stand side by side, or are bound by a function word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compound {
    /// Of the stems, in order.
    pub key: u32,
    pub parts: [TermKey; 2],
    form: Span,
}

/// Words, compounds and what must not be repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Phrases {
    pub lang: Lang,
    forms: Box<str>,
    pub words: Box<[NameWord]>,
    pub compounds: Box<[Compound]>,
    /// Keys of the lower-case words of the actor.
    pub actor: Box<[u32]>,
    /// [`title_key`] of the event's own title; 0 without one.
    pub headline: u64,
}

impl Phrases {
    /// Cost: linear in the first [`LOOKED_AT`] words.
    pub fn of(event: &Event, analysis: &Analysis, models: &Models) -> Self {
        let mut found = Found::new(analysis);
        for section in [Section::Title, Section::Text, Section::Media] {
            let text = match section {
                Section::Title => event.title.as_deref().unwrap_or_default(),
                Section::Text => &event.text,
                Section::Media => event.media_text().unwrap_or_default(),
            };
            let from = analysis
                .words
                .partition_point(|w| (w.section as u8) < section as u8);
            let until = analysis
                .words
                .partition_point(|w| w.section as u8 <= section as u8);
            let words = &analysis.words[from..until.min(from + LOOKED_AT)];
            found.spaced(text, words);
            found.unspaced(text, section, words);
        }
        packed(&found, event, models)
    }

    pub fn form(&self, w: &NameWord) -> &str {
        self.at(w.form)
    }

    pub fn compound(&self, c: &Compound) -> &str {
        self.at(c.form)
    }

    fn at(&self, s: Span) -> &str {
        let from = usize::from(s.start);
        self.forms
            .get(from..from + usize::from(s.len))
            .unwrap_or_default()
    }
}

/// Words of a title in any order, up to their endings: what the graph would take for the same title.
pub(super) fn title_key(title: &str) -> u64 {
    let mut words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(|w| w.chars().flat_map(char::to_lowercase).take(5).collect())
        .collect();
    words.sort_unstable();
    hash64(words.join(" ").as_bytes(), 0)
}

/// The best of what was found, with their forms in one string.
fn packed(found: &Found<'_>, event: &Event, models: &Models) -> Phrases {
    let mut order: Vec<usize> = (0..found.words.len()).collect();
    let worth: Vec<f32> = found.words.iter().map(Candidate::worth).collect();
    order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
    order.truncate(MAX_WORDS);
    let mut forms = String::new();
    let mut span = |text: &str| {
        let (start, len) = (u16::try_from(forms.len()).ok()?, u8::try_from(text.len()).ok()?);
        forms.push_str(text);
        Some(Span { start, len })
    };
    let mut words = Vec::with_capacity(order.len());
    for c in order.iter().map(|i| &found.words[*i]) {
        let Some(form) = span(&c.form) else { continue };
        words.push(NameWord {
            term: TermKey::word(&c.stem),
            form,
            zipf: (c.zipf.clamp(0.0, 7.9) * 32.0) as u8,
            noun: (c.noun.clamp(-4.0, 4.0) * 4.0) as i8,
            flags: c.flags,
            vector: models.words.word(&c.lower),
        });
    }
    let mut pairs: Vec<&([usize; 2], String)> = found.compounds.iter().collect();
    pairs.sort_by(|a, b| {
        let sum = |p: &[usize; 2]| worth[p[0]] + worth[p[1]];
        sum(&b.0).total_cmp(&sum(&a.0)).then(a.0.cmp(&b.0))
    });
    let kept = pairs
        .into_iter()
        .filter(|p| p.0.iter().all(|i| order.contains(i)));
    let mut compounds = Vec::new();
    for ([a, b], text) in kept.take(MAX_COMPOUNDS) {
        let Some(form) = span(text) else { continue };
        let parts = [*a, *b].map(|i| TermKey::word(&found.words[i].stem));
        compounds.push(Compound {
            key: key(&format!("{} {}", found.words[*a].stem, found.words[*b].stem)),
            parts,
            form,
        });
    }
    Phrases {
        lang: found.lang,
        forms: forms.into(),
        words: words.into(),
        compounds: compounds.into(),
        actor: actor_keys(event.actor.as_deref().unwrap_or_default()),
        headline: event
            .title
            .as_deref()
            .filter(|t| !t.trim().is_empty())
            .map_or(0, title_key),
    }
}

/// Keys of the words of an actor's name.
fn actor_keys(actor: &str) -> Box<[u32]> {
    actor
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.chars().nth(1).is_some())
        .take(4)
        .map(|w| key(&w.to_lowercase()))
        .collect()
}
