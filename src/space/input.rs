//! What goes into a space and what comes out.

use std::sync::Arc;

use crate::distill::Distilled;
use crate::embed::{EmbedError, Models};
use crate::event::{Event, Receipt, Ts};
use crate::fold::Features;
use crate::graph::{Node, NodeId};
use crate::index::Doc;
use crate::intent::{Feedback, IntentCues};
use crate::text::{self, Analysis};

/// An event with everything that can be computed about it alone. Made on any thread.
pub struct Prepared {
    pub event: Arc<Event>,
    pub analysis: Arc<Analysis>,
    pub features: Arc<Features>,
    pub doc: Doc,
    pub distilled: Distilled,
    /// What its words ask, promise, report or leave open.
    pub cues: Arc<IntentCues>,
}

impl Prepared {
    /// Analyses events. Cost: linear in their text, plus one call of the embedder for all.
    pub fn of(events: Vec<Arc<Event>>, models: &Models) -> Result<Vec<Prepared>, EmbedError> {
        let texts: Vec<String> = events.iter().map(|e| embedding_text(e)).collect();
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let dense = models.embedder.embed(&refs)?;
        Ok(events
            .into_iter()
            .zip(dense)
            .map(|(event, dense)| {
                let analysis = text::analyse(&event);
                let features = Features::of(&event, &analysis, &dense, models);
                let doc = Doc::of(&event, &analysis, &dense, models);
                let distilled = Distilled::of(&event, &analysis);
                let cues = IntentCues::of(&event, &analysis);
                Prepared {
                    event,
                    cues: Arc::new(cues),
                    analysis: Arc::new(analysis),
                    features: Arc::new(features),
                    doc,
                    distilled,
                }
            })
            .collect())
    }
}

/// Title, text and media words in one: what an embedder sees of an event. Bounded, since models
/// cut long input anyway.
fn embedding_text(e: &Event) -> String {
    const MAX_CHARS: usize = 8_000;
    let parts = [e.title.as_deref(), Some(e.text.as_str()), e.media_text()];
    let joined = parts
        .into_iter()
        .flatten()
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(". ");
    match joined.char_indices().nth(MAX_CHARS) {
        Some((cut, _)) => joined[..cut].to_string(),
        None => joined,
    }
}

/// One input of a space, in order.
pub enum Input {
    Event(Box<Prepared>),
    Feedback(Feedback),
    Erase(Erase),
    /// Time passed without events.
    Tick {
        elapsed_ms: i64,
    },
    /// Nodes that recall returned.
    Access(Vec<NodeId>),
}

/// An input as the journal keeps it: without what can be computed again.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalInput {
    Event(Arc<Event>),
    /// An event that was erased later.
    Gone(NodeId),
    Feedback(Feedback),
    Erase(Erase),
    Tick {
        elapsed_ms: i64,
    },
    Access(Vec<NodeId>),
}

/// Which events to erase: all that match every given field. Nothing given matches nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Erase {
    /// The producer's ids.
    pub event_ids: Vec<String>,
    /// Limits `event_ids` to one source.
    pub source: Option<String>,
    pub actor: Option<String>,
    /// Event time strictly before.
    pub before: Option<Ts>,
    pub all: bool,
}

impl Erase {
    /// Erases by id alone: events of these ids that come later are refused.
    pub fn is_lasting(&self) -> bool {
        !self.event_ids.is_empty() && self.actor.is_none() && self.before.is_none() && !self.all
    }
}

/// An event id that was erased: no event of that id (and source, if one is named) is taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub id: Box<str>,
    pub source: Option<Box<str>>,
}

/// What an erasure removed (or would remove, in a dry run).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EraseReceipt {
    pub events: Vec<NodeId>,
    /// Derived nodes that came only from them.
    pub derived: Vec<NodeId>,
    /// Derived nodes that were rebuilt without them.
    pub rebuilt: Vec<NodeId>,
}

/// What the edge has to do, in order.
#[derive(Clone, Debug)]
pub enum Effect {
    Receipt(Receipt),
    /// An intent was emitted, changed or withdrawn: publish it.
    Intent(Arc<Node>),
    FeedbackDone(Result<Arc<Node>, String>),
    Erased(EraseReceipt),
}
