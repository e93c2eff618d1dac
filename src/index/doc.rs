//! What the indexes take from one event, computed from that event alone (on any thread).

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::vector::{Quantised, sif};
use crate::embed::{Models, WordTable, WordVector};
use crate::event::Event;
use crate::text::{self, Analysis, Cues, Lang, Section, Word, count_tokens};

/// Weight of a word in a caption or transcript; words of title and text weigh 1 (research).
const MEDIA_WEIGHT: f32 = 0.7;
/// Names as common as this are words, not names (research: zipf 5.3).
const COMMON_NAME_ZIPF: f32 = 5.3;

/// What the indexes keep of one event; computed alone, before the writer sees it.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    /// Weighted term counts, sorted by term.
    pub(crate) terms: Vec<(Arc<str>, f32)>,
    /// Sum of the counts.
    pub(crate) length: f32,
    /// Names with 1 where the event shows that it is a name, else 0; sorted.
    pub(crate) entities: Vec<(Arc<str>, f32)>,
    /// Content words which the word table knows.
    pub(crate) words: Vec<DocWord>,
    /// SIF vector, not of unit length: rare words make it longer.
    pub(crate) vector: Quantised,
    /// Dimensions of the word table.
    pub(crate) dim: usize,
    pub(crate) cues: Cues,
    pub(crate) lang: Lang,
    /// Words of the actor's name by which a question may call him.
    pub(crate) actor_words: Vec<Arc<str>>,
    /// Tokens of the event in a pack, with and without a date on the line.
    pub(crate) dated_tokens: u32,
    pub(crate) plain_tokens: u32,
    /// Same for events whose visible content is the same.
    pub(crate) content_hash: u64,
}

/// A word a query term may be expanded to.
#[derive(Clone, Debug)]
pub(crate) struct DocWord {
    pub lower: Box<str>,
    pub stem: Arc<str>,
    pub vector: Arc<WordVector>,
}

impl Doc {
    /// Pure; linear in the event's text. `dense` is not used: the static word vectors measured as
    /// well as whole-text ones in this ranker and need no model.
    pub fn of(event: &Event, analysis: &Analysis, _dense: &[f32], models: &Models) -> Doc {
        let table = models.words.as_ref();
        let mut terms: BTreeMap<&str, f32> = BTreeMap::new();
        for w in analysis.words.iter().filter(|w| !w.stop && !w.stem.is_empty()) {
            *terms.entry(&w.stem).or_default() += if w.section == Section::Media {
                MEDIA_WEIGHT
            } else {
                1.0
            };
        }
        let content = content_words(&analysis.words);
        let sif_vector = sif(content.iter().map(|w| (&*w.lower, w.zipf)), table);
        let line = Line::of(event);
        let length = terms.values().sum();
        let terms: Vec<(Arc<str>, f32)> = terms.into_iter().map(|(t, tf)| (t.into(), tf)).collect();
        Doc {
            length,
            entities: entities(analysis),
            words: content
                .iter()
                .filter_map(|w| doc_word(w, &terms, table))
                .collect(),
            terms,
            vector: Quantised::of(&sif_vector),
            dim: table.dim(),
            cues: analysis.cues,
            lang: analysis.lang,
            actor_words: event.actor.as_deref().map(name_words).unwrap_or_default(),
            dated_tokens: count_tokens(&format!("28 Sep {}\n", line.text)) as u32,
            plain_tokens: count_tokens(&format!("{}\n", line.text)) as u32,
            content_hash: line.hash(),
        }
    }
}

/// Words without a stem are no terms either.
fn doc_word(w: &Word, terms: &[(Arc<str>, f32)], table: &dyn WordTable) -> Option<DocWord> {
    let at = terms.binary_search_by(|t| (*t.0).cmp(&w.stem)).ok()?;
    let vector = table.word(&w.lower).filter(|v| v.whole)?;
    Some(DocWord {
        lower: w.lower.clone(),
        stem: terms[at].0.clone(),
        vector,
    })
}

/// Distinct words that are not stop words, in reading order.
pub(crate) fn content_words(words: &[Word]) -> Vec<&Word> {
    let mut seen = FxHashSet::default();
    words
        .iter()
        .filter(|w| !w.stop && seen.insert(&*w.lower))
        .collect()
}

/// Names that may link events: not everyday words, not numbers of one or two digits.
fn entities(analysis: &Analysis) -> Vec<(Arc<str>, f32)> {
    let mut out: BTreeMap<&str, bool> = BTreeMap::new();
    for e in analysis.entities.iter().filter(|e| !is_small_number(&e.name)) {
        if text::zipf(&e.name) < COMMON_NAME_ZIPF {
            *out.entry(&e.name).or_default() |= e.sure;
        }
    }
    out.into_iter()
        .map(|(name, sure)| (name.into(), f32::from(u8::from(sure))))
        .collect()
}

pub(crate) fn is_small_number(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
        && !name.contains('.')
        && name.chars().filter(char::is_ascii_digit).count() < 3
}

/// The words by which a question may call an actor: three letters or more (one of a script
/// without capitals), not stop words.
pub(crate) fn name_words(actor: &str) -> Vec<Arc<str>> {
    let mut out: Vec<Arc<str>> = text::words(actor, Section::Text)
        .iter()
        .filter(|w| !w.stop && (w.lower.chars().count() > 2 || !w.lower.is_ascii()))
        .map(|w| (&*w.lower).into())
        .collect();
    out.sort();
    out.dedup();
    out
}

/// One event as a pack shows it, without its date: `actor: title. text [image: caption]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub text: String,
    /// Where the event's own text stands in `text`.
    pub body: std::ops::Range<usize>,
}

impl Line {
    pub fn of(event: &Event) -> Line {
        let body = event.text.trim();
        let body = if body.is_empty() {
            event.data.as_ref().map(ToString::to_string).unwrap_or_default()
        } else {
            body.into()
        };
        Line::with_body(event, &body)
    }

    /// The same line with `body` (an excerpt) in place of the whole text.
    pub fn with_body(event: &Event, body: &str) -> Line {
        let mut text = String::with_capacity(body.len() + 48);
        if let Some(actor) = event.actor.as_deref().map(str::trim).filter(|a| !a.is_empty()) {
            text.push_str(actor);
            text.push_str(": ");
        }
        if let Some(title) = event.title.as_deref().map(str::trim).filter(|t| !t.is_empty()) {
            text.push_str(title);
            text.push_str(if title.ends_with(['.', '!', '?', ':']) {
                " "
            } else {
                ". "
            });
        }
        let start = text.len();
        text.push_str(body);
        let body = start..text.len();
        if let Some(media) = event
            .media_text()
            .map(str::trim)
            .filter(|m| !m.is_empty() && event.text.trim() != "")
        {
            text.push_str(" [image: ");
            text.push_str(media);
            text.push(']');
        }
        Line { text, body }
    }

    fn hash(&self) -> u64 {
        let h = blake3::hash(self.text.as_bytes());
        u64::from_le_bytes(h.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
    }
}
