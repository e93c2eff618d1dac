//! What the words of one event state, read once on the thread that prepares it.
//!
//! These are statements, not moods: trouble, an obligation, a question to somebody, a promise, an open choice, that
//! something is done, denied or only imagined. Each is read within its own sentence, so "do not restart pump 3" asks for
//! nothing. The lists hold general words of seven languages (and a few of Japanese and Chinese); in other languages
//! question marks, dates and density carry alone. Must not know graph, state or other events.

mod lists;
mod lists_de_nl;
mod lists_romance;
mod phrases;
mod sentence;
mod statement;
#[cfg(test)]
mod tests;

pub use statement::{Kind, Statement};

use lists::*;
use sentence::Sentence;

use crate::event::{Event, Ts};
use crate::text::{self, Analysis, Granularity, Section};

/// Words kept of what an event is about.
const MAX_ABOUT: usize = 32;
/// Words more frequent than this (log10 in 10^9) say nothing about a matter.
const COMMON: f32 = 5.4;
/// Words rarer than this, and those with a digit, tell one matter from another.
const RARE: f32 = 4.6;
/// Dates kept of an event.
const MAX_DATES: usize = 4;
/// How a title says that it answers another.
const REPLIES: &[&str] = &["re:", "aw:", "sv:", "rv:", "antw:", "réf:", "ré:", "res:", "r:"];

/// What an event states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Something failed, broke, was late, was complained about.
    pub trouble: bool,
    /// Said to have happened before.
    pub again: bool,
    /// Said to have happened too often: the event tells its own history.
    pub recurs: bool,
    /// Somebody has to do something, or is asked to.
    pub obligation: bool,
    /// Something was done, paid, sent, called off.
    pub done: bool,
    /// Weaker: something came to its end, or somebody gives thanks. Counts for what it clearly speaks of.
    pub closing: bool,
    /// Something is not wanted any more.
    pub withdrawn: bool,
    /// Something is said to be open still.
    pub open: bool,
    /// Somebody is spoken to.
    pub addressed: bool,
    /// The text addresses the reading machine. Nothing it says counts.
    pub injected: bool,
}

/// A date of the event that may be somebody's limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DateCue {
    pub start: Ts,
    pub end: Ts,
    /// Said as a limit, of a week at most.
    pub limit: bool,
}

/// Everything that intents need of one event; made from its words alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntentCues {
    pub signals: Signals,
    /// A number for the wording without its digits: equal for readings that differ in their figures only.
    pub shape: u64,
    /// What the event is about: numbers of its words, ascending. The lowest bit marks a rare one.
    pub about: Box<[u32]>,
    /// Dates that count, limits first, then by their end.
    pub dates: Vec<DateCue>,
    pub statement: Option<Statement>,
    /// Number of the actor; 0 for none.
    pub who: u32,
    /// The actor's name as `about` would hold it; 0 for none.
    pub name: u32,
    /// Number of the title without its sign of a reply; 0 for none.
    pub thread: u32,
    pub reply: bool,
}

impl IntentCues {
    /// Reads an event. Cost: linear in its text.
    pub fn of(event: &Event, analysis: &Analysis) -> IntentCues {
        let lower = |t: &str| t.to_lowercase().replace('’', "'");
        let (title, body) = (
            lower(event.title.as_deref().unwrap_or_default()),
            lower(&event.text),
        );
        let mut sentences = Vec::new();
        sentence::read(&title, analysis.lang, &mut sentences);
        let titles = sentences.len();
        sentence::read(&body, analysis.lang, &mut sentences);
        let actor = event.actor.as_deref().unwrap_or_default();
        let (thread, reply) = thread(&title);
        let mut out = IntentCues {
            shape: shape(&sentences),
            who: number(actor.trim()),
            name: name(actor, analysis),
            thread,
            reply,
            ..IntentCues::default()
        };
        out.signals = signals(&sentences, titles);
        if out.signals.injected {
            return out;
        }
        out.about = about(analysis);
        out.statement = statement::read(&sentences, titles, out.signals);
        if !out.signals.done {
            out.dates = dates(event, analysis, &sentences);
        }
        out
    }

    /// Words that both are about, and how many of them are rare. Cost: linear in both.
    pub fn shared(a: &[u32], b: &[u32]) -> (usize, usize) {
        let (mut i, mut j, mut all, mut rare) = (0, 0, 0, 0);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            match (x & !1).cmp(&(y & !1)) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    (i, j, all) = (i + 1, j + 1, all + 1);
                    rare += ((x | y) & 1) as usize;
                }
            }
        }
        (all, rare)
    }
}

fn signals(sentences: &[Sentence<'_>], titles: usize) -> Signals {
    let mut all = Signals::default();
    for (i, s) in sentences.iter().enumerate() {
        all.injected |= s.is(INJECTS);
        all.withdrawn |= s.is(WITHDRAWN);
        if s.denied() {
            continue;
        }
        let real = !s.is(IMAGINED);
        all.done |= s.done() || s.is(WITHDRAWN);
        all.closing |= s.closes() || (s.is(THANKS) && i >= titles);
        all.trouble |= real && s.is(TROUBLE) && !s.is(NO_TROUBLE);
        all.again |= real && s.is(AGAIN);
        all.recurs |= real && s.is(RECURS) && !s.question;
        all.obligation |= real && !s.is(POLITE) && s.is(OBLIGE);
        all.open |= real && s.is(OPEN);
        all.addressed |= s.is(YOU) || (s.question && s.is(ASK));
    }
    if all.injected {
        return Signals {
            injected: true,
            ..Signals::default()
        };
    }
    all.closing |= all.done;
    all
}

/// Dates ahead of the event whose sentence asks for something, or at least does not forbid or imagine it.
fn dates(event: &Event, analysis: &Analysis, sentences: &[Sentence<'_>]) -> Vec<DateCue> {
    let mut out: Vec<DateCue> = Vec::new();
    for m in &analysis.dates {
        if m.recurring || m.start <= event.time {
            continue;
        }
        let surface = m.surface.to_lowercase().replace('’', "'");
        let words = sentence::words(&surface);
        let mut within = sentences
            .iter()
            .filter(|s| s.text.contains(surface.as_str()))
            .peekable();
        let counts = within.peek().is_none() || within.any(|s| s.counts());
        if !counts {
            continue;
        }
        let around = || sentences.iter().filter(|s| s.text.contains(surface.as_str()));
        let ends = around().any(|s| s.is(ENDS) && !s.is(HABIT));
        let until = around().any(|s| s.until(&words) && !s.is(GIVEN));
        let given = around().any(|s| s.is(UNTIL) && s.is(GIVEN));
        out.push(DateCue {
            start: m.start,
            end: m.end,
            limit: (m.deadline || ends || given) && m.granularity <= Granularity::Week && !until,
        });
    }
    out.sort_by_key(|d| (!d.limit, d.end, d.start));
    out.truncate(MAX_DATES);
    out
}

/// What the words are about: names, figures and words that are not everyday ones.
fn about(analysis: &Analysis) -> Box<[u32]> {
    let mut words: Vec<(f32, u32)> = analysis
        .words
        .iter()
        .filter(|w| w.section != Section::Media && !w.stop && (w.zipf < COMMON || w.has_digit))
        // That two events name Thursday joins nothing.
        .filter(|w| !text::is_calendar_word(&w.lower, analysis.lang))
        .map(|w| {
            (
                if w.has_digit { 0.0 } else { w.zipf },
                mark(number(&w.stem), w.zipf < RARE || w.has_digit),
            )
        })
        .collect();
    words.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    words.dedup_by_key(|w| w.1);
    words.truncate(MAX_ABOUT);
    let mut out: Vec<u32> = words.into_iter().map(|w| w.1).collect();
    out.sort_unstable();
    out.dedup_by_key(|w| *w & !1);
    out.into_boxed_slice()
}

/// The telling word of an actor's name, as it would stand in another event's text: the rarest.
fn name(actor: &str, analysis: &Analysis) -> u32 {
    let head = actor.split('(').next().unwrap_or_default();
    let words = text::words_in(head, Section::Text, analysis.lang);
    let telling = words
        .iter()
        .filter(|w| !w.stop && w.lower.chars().count() > 2)
        .min_by(|a, b| a.zipf.total_cmp(&b.zipf));
    telling.map_or(0, |w| mark(number(&w.stem), w.zipf < RARE || w.has_digit))
}

fn mark(number: u32, rare: bool) -> u32 {
    number & !1 | u32::from(rare)
}

fn thread(title: &str) -> (u32, bool) {
    let mut rest = title.trim();
    let mut reply = false;
    while let Some(r) = REPLIES.iter().find_map(|p| rest.strip_prefix(p)) {
        (rest, reply) = (r.trim_start(), true);
    }
    (number(rest), reply)
}

fn shape(sentences: &[Sentence<'_>]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for word in sentences.iter().flat_map(|s| &s.words) {
        if word.chars().any(char::is_numeric) {
            let bare: String = word.chars().filter(|c| !c.is_numeric()).collect();
            hasher.update(bare.as_bytes());
        } else {
            hasher.update(word.as_bytes());
        }
        hasher.update(b" ");
    }
    let bytes = hasher.finalize();
    u64::from_le_bytes(bytes.as_bytes()[..8].try_into().expect("a hash has 32 bytes"))
}

/// A stable number for a word or name, FNV-1a; 0 for none. Kept on disk: must not change.
fn number(text: &str) -> u32 {
    if text.is_empty() {
        return 0;
    }
    text.bytes()
        .fold(0x811c_9dc5_u32, |h, b| {
            (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
        })
        .max(2)
}
