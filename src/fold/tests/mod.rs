//! The executive against a real graph.

mod behaviour;
mod restart;
mod scenarios;
mod world;
