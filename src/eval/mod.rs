//! Evaluation: harnesses that run the core on streams of their own and tell figures.
//!
//! Knows all rooms of the core; nothing knows it but the command line. Deterministic: the same figures on every run.

pub mod calibration;
mod letters;

pub use calibration::{Taste, UserReport};
