//! The executive against a real graph.

mod behaviour;
mod names;
mod restart;
mod scenarios;
mod world;
