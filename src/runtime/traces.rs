//! The bounded log of recall traces, read by `explain`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde_json::Value;

/// Keeps the newest traces; the oldest goes when it is full.
pub struct Traces {
    max: usize,
    order: VecDeque<String>,
    by_id: BTreeMap<String, (Arc<str>, Value)>,
    made: u64,
}

impl Traces {
    pub fn new(max: usize) -> Traces {
        Traces {
            max: max.max(1),
            order: VecDeque::new(),
            by_id: BTreeMap::new(),
            made: 0,
        }
    }

    /// Stores a trace of a space under a new id. Ids are unique within a run of the process.
    pub fn add(&mut self, space: Arc<str>, trace: Value) -> String {
        self.made += 1;
        let id = format!("q-{:08x}-{}", std::process::id(), self.made);
        if self.order.len() == self.max
            && let Some(old) = self.order.pop_front()
        {
            self.by_id.remove(&old);
        }
        self.order.push_back(id.clone());
        self.by_id.insert(id.clone(), (space, trace));
        id
    }

    /// The trace, if it is one of this space.
    pub fn get(&self, space: &str, id: &str) -> Option<&Value> {
        self.by_id.get(id).filter(|(s, _)| &**s == space).map(|(_, t)| t)
    }

    /// Drops the traces of a space: they may quote what was erased.
    pub fn forget(&mut self, space: &str) {
        self.by_id.retain(|_, (s, _)| &**s != space);
        self.order.retain(|id| self.by_id.contains_key(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_and_crosses_no_space() {
        let mut t = Traces::new(2);
        let (a, b) = (t.add("x".into(), 1.into()), t.add("x".into(), 2.into()));
        let c = t.add("y".into(), 3.into());
        assert_eq!(t.get("x", &a), None);
        assert_eq!(t.get("x", &b), Some(&2.into()));
        assert_eq!(t.get("x", &c), None);
        t.forget("x");
        assert_eq!(t.get("x", &b), None);
        assert_eq!(t.get("y", &c), Some(&3.into()));
    }
}
