//! What readers see of a space: an immutable snapshot.

use std::sync::Arc;

use super::Clock;
use crate::distill::DistillView;
use crate::event::Ts;
use crate::graph::GraphView;
use crate::index::IndexView;
use crate::intent::CategoryState;

/// Counters of a space that outlive a restart.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceMeta {
    pub name: Arc<str>,
    /// Next node index.
    pub next_ix: u32,
    /// Sequence number of the last intent change.
    pub intent_seq: u64,
    pub clock: Clock,
    /// Events stored so far, erased ones included.
    pub folded: u64,
    pub duplicates: u64,
    /// Stream clock of the last consolidation pass.
    pub last_pass: Option<Ts>,
    /// Concepts merged away so far.
    pub merges: u64,
}

impl SpaceMeta {
    pub fn new(name: Arc<str>) -> SpaceMeta {
        SpaceMeta {
            name,
            next_ix: 0,
            intent_seq: 0,
            clock: Clock::default(),
            folded: 0,
            duplicates: 0,
            last_pass: None,
            merges: 0,
        }
    }
}

/// Settings of the rooms that a space joins.
#[derive(Clone, Debug, Default)]
pub struct SpaceSettings {
    pub clock: super::ClockSettings,
    pub graph: crate::graph::Settings,
    pub fold: crate::fold::Settings,
    pub consolidate: crate::consolidate::Settings,
    pub intent: crate::intent::Settings,
    pub index: crate::index::Settings,
    pub distill: crate::distill::Settings,
}

/// A snapshot of one space after some commit.
#[derive(Clone)]
pub struct SpaceView {
    pub meta: SpaceMeta,
    pub graph: GraphView,
    pub index: IndexView,
    /// What the events state.
    pub distill: DistillView,
    /// Weights and thresholds of the intent categories.
    pub calibration: Arc<Vec<CategoryState>>,
}

impl SpaceView {
    /// The stream clock.
    pub fn now(&self) -> Ts {
        self.meta.clock.now()
    }
}
