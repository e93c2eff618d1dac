//! One space: the graph, folding, consolidation, intents and indexes of one tenant, joined.
//!
//! `apply(input) -> effects` is the whole write path of the core. State is a function of the
//! ordered inputs; batch boundaries, restarts and readers leave no trace in it. Knows every core
//! room; must not know disk, sockets, threads or the wall clock.

mod clock;
mod erase;
mod input;
mod state;
mod view;

pub use clock::{Clock, Settings as ClockSettings};
pub use input::{Effect, Erase, EraseReceipt, Input, JournalInput, Prepared, Refused};
pub use state::{Changes, Restored, Room, SpaceState};
pub use view::{SpaceMeta, SpaceSettings, SpaceView};
