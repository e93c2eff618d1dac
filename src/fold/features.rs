//! What concept formation keeps of one event.

use crate::embed::Models;
use crate::event::Event;
use crate::text::Analysis;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {}

impl Features {
    /// Pure; cost linear in the event's words. `dense` is the embedder's vector of the event.
    pub fn of(_event: &Event, _analysis: &Analysis, _dense: &[f32], _models: &Models) -> Features {
        Features::default()
    }
}
