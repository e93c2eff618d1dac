//! Recall: question in, evidence out: router (mode, payload, gates), ranking, lanes, packing,
//! abstention, trace. Reads snapshots only; ranking does not depend on the mode.
//! Knows graph, index, distill. Must not know disk, sockets, clocks.

mod settings;
pub use settings::Settings;
