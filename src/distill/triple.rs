//! One statement of one event: subject, predicate, object, and how it was said.

use std::sync::Arc;

use crate::event::Ts;
use crate::text::{self, Word};

/// The closed vocabulary of relations. The number is the order in keys; it is not on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Predicate {
    /// Identity or state: "the gate is open".
    Is = 1,
    /// An attribute that the text names: "the port of the kiln is 7410".
    Attribute,
    /// A value at the end of a statement with a verb of its own: "the kiln listens on port 7410".
    Value,
    LivesIn,
    LocatedAt,
    ScheduledFor,
    Costs,
    /// Who answers for a thing; the thing is the subject.
    HandledBy,
    WorksAt,
    From,
    Likes,
    Has,
    Uses,
    Wants,
    Can,
    Causes,
}

impl Predicate {
    pub const ALL: [Predicate; 16] = [
        Predicate::Is,
        Predicate::Attribute,
        Predicate::Value,
        Predicate::LivesIn,
        Predicate::LocatedAt,
        Predicate::ScheduledFor,
        Predicate::Costs,
        Predicate::HandledBy,
        Predicate::WorksAt,
        Predicate::From,
        Predicate::Likes,
        Predicate::Has,
        Predicate::Uses,
        Predicate::Wants,
        Predicate::Can,
        Predicate::Causes,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Predicate::Is => "is",
            Predicate::Attribute => "attribute",
            Predicate::Value => "value",
            Predicate::LivesIn => "lives_in",
            Predicate::LocatedAt => "located_at",
            Predicate::ScheduledFor => "scheduled_for",
            Predicate::Costs => "costs",
            Predicate::HandledBy => "handled_by",
            Predicate::WorksAt => "works_at",
            Predicate::From => "from",
            Predicate::Likes => "likes",
            Predicate::Has => "has",
            Predicate::Uses => "uses",
            Predicate::Wants => "wants",
            Predicate::Can => "can",
            Predicate::Causes => "causes",
        }
    }

    /// Objects stand side by side: the object is part of the slot, and only its polarity can change.
    pub fn is_set(self) -> bool {
        self >= Predicate::Likes
    }
}

/// A noun phrase: the key under which mentions meet, and the words as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    pub key: Arc<str>,
    pub shown: Arc<str>,
}

impl Name {
    /// `None` when no word of it carries content.
    pub fn of<'w>(words: impl Iterator<Item = &'w Word>, shown: &str) -> Option<Name> {
        let mut key = String::new();
        for w in words {
            if !key.is_empty() {
                key.push(' ');
            }
            push_key(&mut key, w);
        }
        (!key.is_empty()).then(|| Name {
            key: key.into(),
            shown: shown.trim().into(),
        })
    }

    /// The name of an actor, as the stream writes it.
    pub fn of_actor(actor: &str) -> Option<Name> {
        let words = text::words(actor, text::Section::Text);
        Name::of(words.iter(), actor)
    }
}

/// The part of a key that one word gives: the same in every language, with or without a plural -s.
pub fn push_key(key: &mut String, w: &Word) {
    if w.has_digit {
        key.push_str(&w.stem);
        return;
    }
    let low = &*w.lower;
    let bare = low
        .strip_suffix('s')
        .filter(|b| b.chars().count() > 2 && !b.ends_with('s'));
    key.push_str(bare.unwrap_or(low));
}

/// What sort of thing an object is: only things of one sort replace one another without a word of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    Number,
    Date,
    Name,
    Phrase,
}

/// How many objects a slot may have at a time, as far as the statement tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holds {
    /// A newer object of the same shape replaces an older one.
    One,
    /// It does so when it is said with a word of change.
    OneIfChanged,
    Many,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Triple {
    pub subject: Name,
    pub predicate: Predicate,
    /// For [`Predicate::Attribute`]: which one ("port").
    pub attribute: Option<Name>,
    pub object: Name,
    pub shape: Shape,
    /// The statement says that it is not so.
    pub negated: bool,
    /// The statement says that it was so once.
    pub past: bool,
    pub holds: Holds,
    /// Said with a word of change ("now", "moved"): replaces whatever the slot held.
    pub change: bool,
    /// Said as a correction: what it replaces was never so.
    pub correction: bool,
    /// Who said it, when the teller only passed it on.
    pub speaker: Option<Name>,
    /// Since when, when the statement says so.
    pub from: Option<Ts>,
    pub until: Option<Ts>,
    /// Equal for statements in the same words.
    pub wording: u64,
}
