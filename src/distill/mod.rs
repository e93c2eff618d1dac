//! Distillation: dated facts, episodes, profiles. Knows graph and text.
