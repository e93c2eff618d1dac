//! The room `stream`.
