//! Who speaks in a space, how often, and by which words a question may call them.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

/// Persistent: a clone shares structure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Actors {
    /// Name -> (number, events).
    by_name: OrdMap<Arc<str>, (u32, u32)>,
    /// (word of a name, name).
    words: OrdSet<(Arc<str>, Arc<str>)>,
    next: u32,
}

/// An actor a question may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Actor {
    pub name: Arc<str>,
    pub number: u32,
    pub events: u32,
}

impl Actors {
    pub fn add(&mut self, name: &str, words: &[Arc<str>]) -> u32 {
        if let Some((number, events)) = self.by_name.get_mut(name) {
            *events += 1;
            return *number;
        }
        let (name, number): (Arc<str>, u32) = (name.into(), self.next);
        self.next += 1;
        self.by_name.insert(name.clone(), (number, 1));
        for w in words {
            self.words.insert((w.clone(), name.clone()));
        }
        number
    }

    /// One event less; the last one takes the name along.
    pub fn remove(&mut self, name: &str, words: &[Arc<str>]) {
        let Some((_, events)) = self.by_name.get_mut(name) else {
            return;
        };
        *events -= 1;
        if *events == 0 {
            self.by_name.remove(name);
            let name: Arc<str> = name.into();
            for w in words {
                self.words.remove(&(w.clone(), name.clone()));
            }
        }
    }

    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Actors with the word in their name, by name; at most `limit`.
    pub fn called(&self, word: &str, limit: usize) -> Vec<Actor> {
        let word: Arc<str> = word.into();
        let from = (word.clone(), Arc::from(""));
        self.words
            .range(from..)
            .take_while(|(w, _)| *w == word)
            .take(limit)
            .filter_map(|(_, name)| {
                let (number, events) = *self.by_name.get(name)?;
                Some(Actor {
                    name: name.clone(),
                    number,
                    events,
                })
            })
            .collect()
    }
}
