//! One space: the graph, folding, consolidation, intents and indexes of one tenant, joined.
//!
//! `apply(input) -> effects` is the whole write path of the core. State is a function of the
//! ordered inputs; batch boundaries, restarts and readers leave no trace in it.
