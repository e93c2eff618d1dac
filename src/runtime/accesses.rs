//! What recalls returned, gathered so that a busy reader does not make a busy writer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::graph::NodeId;

/// Most nodes kept for one space between two flushes; more are dropped, since access counts rank and prove nothing.
const MAX_NODES: usize = 4_096;

/// Nodes returned since the last flush, by space. A node counts once a flush.
#[derive(Default)]
pub struct Accesses(Mutex<BTreeMap<Arc<str>, BTreeSet<NodeId>>>);

impl Accesses {
    pub fn note(&self, space: &Arc<str>, ids: Vec<NodeId>) {
        let mut all = self.0.lock();
        let nodes = all.entry(space.clone()).or_default();
        for id in ids {
            if nodes.len() >= MAX_NODES {
                return;
            }
            nodes.insert(id);
        }
    }

    pub fn take(&self) -> BTreeMap<Arc<str>, BTreeSet<NodeId>> {
        std::mem::take(&mut self.0.lock())
    }
}
