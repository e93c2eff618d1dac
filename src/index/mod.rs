//! Indexes over the events of a space: lexical, vector, time, entity, actor, episode. Disposable:
//! rebuilt from the store's events.
//!
//! The writer owns [`Index`]; readers hold [`IndexView`]s that share structure with it and with one
//! another. Nothing here decides what is relevant; `recall` does.
//! Knows graph ids, text, embed. Must not know queries, modes, disk, clocks.

mod actors;
mod ann;
mod doc;
mod episodes;
mod rows;
mod segment;
mod settings;
mod vector;
mod view;
mod vocabulary;
mod writer;

#[cfg(test)]
pub(crate) mod tests;

pub use ann::{Ann, VectorIndex, build_ann};
pub use doc::{Doc, Line};
pub use settings::Settings;
pub use view::IndexView;
pub use writer::Index;

pub(crate) use actors::Actor;
pub(crate) use doc::content_words;
pub(crate) use episodes::{FAR, NEAR};
pub(crate) use rows::{Entry, NONE};
pub(crate) use vector::{Quantised, normalise, sif};
pub(crate) use view::List;
pub(crate) use vocabulary::nearest as nearest_words;
