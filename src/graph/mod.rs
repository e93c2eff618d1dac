//! The typed multigraph: nodes, edges, the six plan operations, rank, digest.
//!
//! [`Graph`] is the writer's, on petgraph. [`GraphView`] is an immutable snapshot for readers that
//! shares structure with its predecessors, so publishing costs what changed, not what is there.
//! `Graph` dereferences to the view it is working on: all lookups are the view's.
//!
//! Guarantees: a plan is applied wholly or leaves no trace; every id ever returned resolves; event
//! nodes do not change; nothing derived outlives the last event it came from; iteration is ordered.
//! Knows `event`. Knows nothing of text, vectors, disk or clocks: `now` is an argument.

mod apply;
mod change;
mod digest;
mod erase;
mod merge;
mod model;
mod net;
mod plan;
mod rank;
mod settings;
mod titles;
mod view;
mod writer;

#[cfg(test)]
mod tests;

pub use model::*;
pub use plan::*;
pub use settings::Settings;
pub use view::{GraphView, Resolved};
pub use writer::{Dirty, Graph, RestoreError};
