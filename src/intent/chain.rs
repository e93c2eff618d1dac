//! Chains of trouble: one event leads to the next by a rare name that they share (CAUSES), over concepts, and the last
//! one still tells of trouble. Walked backwards from the newest event, along the strongest link of each step; bounded.

use super::engine::IntentEngine;
use crate::event::Ts;
use crate::graph::{EdgeKind, Graph, NodeIx};

/// Steps walked back.
const MAX_STEPS: usize = 8;
/// Links of one event that are read.
const MAX_EDGES_READ: usize = 32;
/// Links weaker than this (half-forgotten, or by a name that many share) are not followed.
const WEAKEST: f32 = 0.5;

impl IntentEngine {
    /// Events of trouble on the chain that ends in this event, oldest first, and how strong it is: 1 - e^(-n/2). Nothing
    /// when it stays within one concept: then it is a matter of recurrence.
    pub(super) fn chain_of(&self, graph: &Graph, now: Ts, event: NodeIx) -> Option<(Vec<NodeIx>, f32)> {
        let window = self.settings.recurrence_hours;
        let mut trouble = Vec::new();
        let mut at = event;
        for _ in 0..MAX_STEPS {
            let time = graph.node(at)?.time;
            if now.hours_since(time) > window {
                break;
            }
            if self.cues_of(graph, at)?.signals.trouble {
                trouble.push(at);
            }
            let link = graph
                .incoming(at)
                .rev()
                .take(MAX_EDGES_READ)
                .filter(|e| e.kind == EdgeKind::Causes && e.weight >= WEAKEST && !trouble.contains(&e.source))
                .max_by(|a, b| a.weight.total_cmp(&b.weight).then(a.source.cmp(&b.source)));
            match link {
                Some(e) => at = e.source,
                None => break,
            }
        }
        let mut concepts: Vec<Option<NodeIx>> = trouble
            .iter()
            .map(|&x| super::emerge::concept_of(graph, x))
            .collect();
        concepts.sort_unstable();
        concepts.dedup();
        let n = trouble.len();
        (n >= 3 && concepts.len() >= 2).then(|| {
            trouble.reverse();
            (trouble, (1.0 - (-(n as f64) / 2.0).exp()) as f32)
        })
    }
}
