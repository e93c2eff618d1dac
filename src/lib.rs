//! Gyrus, an always-on memory: events in, a typed graph, intents out, queries answered.
//!
//! The rooms stand in the order in which data walks through them. Everything from [`event`] to
//! [`recall`], and [`space`] which joins them, is plain synchronous Rust: no async runtime, no
//! sockets, no disk, no wall clock, no randomness. `tests/architecture.rs` defends that border.
//! `ARCHITECTURE.md` holds the map.

pub mod event;
pub mod text;
pub mod embed;
pub mod graph;
pub mod fold;
pub mod distill;
pub mod consolidate;
pub mod intent;
pub mod index;
pub mod recall;
pub mod space;
pub mod state;

pub mod store;
pub mod stream;
pub mod config;
pub mod runtime;
pub mod serve;
pub mod cli;
