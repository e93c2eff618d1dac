//! Consolidation: the four structural debts (accumulation, compression, decay, completion) and archiving.
//!
//! A pass plans purely over what changed since the last one; `space` applies the plans.
//! Knows graph. Must not know text, disk, clocks.

mod settings;
pub use settings::Settings;
