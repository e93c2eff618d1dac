//! Distillation: what events state, as claims with versions and validity; who is who; what happened in one go.
//!
//! [`Distilled`] is what one event states, read from that event alone on any thread. [`Ledger`] is the writer's: it
//! only files statements by slot and event time. What is true of a slot (now, or as of an instant) follows from the
//! order of its statements by event time and is worked out when read ([`truth`]), so a late old fact changes history
//! and not the present, and an erased statement leaves no trace: what it had replaced holds again. All of it is a
//! function of the events that are there, whatever order they came in; it is filed anew at a restart and not stored.
//! Knows event, text, graph. Must not know vectors, indexes, disk, clocks.

pub mod ask;
mod clause;
mod languages;
mod ledger;
mod object;
mod profile;
mod sentence;
mod settings;
mod subject;
mod text_view;
mod triple;
pub mod truth;
mod unspaced;
mod view;
mod words;

#[cfg(test)]
mod tests;

use crate::event::Event;
use crate::text::{self, Analysis, Lang, Section, Word};

pub use ask::{Asked, Fit};
pub use ledger::Ledger;
pub use profile::Profile;
pub use settings::Settings;
pub use triple::{Name, Predicate, Shape, Triple, push_key};
pub use truth::{Claim, Standing};
pub use view::{DistillView, Run, Slot};

use sentence::Reader;
use text_view::View;

/// Statements kept of one event: bounds what the writer does for it.
pub const MAX_TRIPLES: usize = 6;

/// What one event states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distilled {
    pub triples: Vec<Triple>,
}

impl Distilled {
    /// Reads title and text. Cost: linear in the first 600 words of each; about .1 us a word.
    pub fn of(event: &Event, analysis: &Analysis) -> Distilled {
        let teller = event.actor.as_deref().and_then(Name::of_actor);
        let mut triples = Vec::new();
        let title = event.title.as_deref().unwrap_or_default();
        for (section, text) in [(Section::Title, title), (Section::Text, event.text.as_str())] {
            let room = MAX_TRIPLES - triples.len();
            if text.is_empty() || room == 0 {
                continue;
            }
            let text = text::nfc(text);
            match analysis.lang {
                Lang::Ja | Lang::Zh => {
                    triples.extend(unspaced::read(&text, analysis.lang, teller.as_ref(), room));
                }
                lang if lang.is_latin() => {
                    // Short texts may be taken for a language that has no table.
                    let lang = if words::is_known(lang) { lang } else { Lang::En };
                    let words = section_of(&analysis.words, section);
                    let view = View::new(&text, words, lang, &analysis.dates);
                    triples.extend(Reader::new(view, teller.clone(), room).read());
                }
                _ => {}
            }
        }
        Distilled { triples }
    }
}

/// Words stand in the order of their sections.
fn section_of(words: &[Word], section: Section) -> &[Word] {
    let from = words
        .iter()
        .position(|w| w.section == section)
        .unwrap_or(words.len());
    let len = words[from..].iter().take_while(|w| w.section == section).count();
    &words[from..from + len]
}
