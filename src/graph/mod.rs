//! The typed multigraph: nodes, edges, the six plan operations, rank, digest.
//!
//! [`Graph`] is the writer's, on petgraph. [`GraphView`] is an immutable snapshot for readers that
//! shares structure with its predecessors, so publishing costs what changed, not what is there.
//! Knows `event`. Knows nothing of text, vectors, disk or clocks: `now` is an argument.

mod model;
mod plan;

pub use model::*;
pub use plan::*;

mod settings;
pub use settings::Settings;

/// The writer's graph of one space.
pub struct Graph {}

/// Readers' snapshot.
#[derive(Clone)]
pub struct GraphView {}
