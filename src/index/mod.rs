//! Indexes over the events of a space: lexical, vector, time, entity. Disposable: rebuilt from the
//! store's events. The writer owns [`Index`]; readers hold [`IndexView`]s that share structure.
//! Knows graph ids, text, embed.

mod settings;
pub use settings::Settings;

use crate::embed::Models;
use crate::event::Event;
use crate::text::Analysis;

/// What the indexes keep of one event; computed alone, before the writer sees it.
#[derive(Clone, Debug, Default)]
pub struct Doc {}

impl Doc {
    pub fn of(_event: &Event, _analysis: &Analysis, _dense: &[f32], _models: &Models) -> Doc {
        Doc::default()
    }
}

/// The writer's indexes of one space.
pub struct Index {}

/// Readers' snapshot.
#[derive(Clone)]
pub struct IndexView {}
