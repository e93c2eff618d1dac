//! Gyrus, an always-on memory: events in, a typed graph, intents out, queries answered.
//!
//! The rooms stand in the order in which data walks through them. Everything from [`event`] to
//! [`recall`], and [`space`] which joins them, is plain synchronous Rust: no async runtime, no
//! sockets, no disk, no wall clock, no randomness. `tests/architecture.rs` defends that border.
//! `ARCHITECTURE.md` holds the map.

pub mod consolidate;
pub mod distill;
pub mod embed;
pub mod event;
pub mod fold;
pub mod graph;
pub mod index;
pub mod intent;
pub mod recall;
pub mod space;
pub mod state;
pub mod text;

pub mod cli;
pub mod config;
pub mod eval;
pub mod runtime;
pub mod serve;
pub mod store;
pub mod stream;
