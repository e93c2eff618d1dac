//! One feed of intent changes a space, shared by all who follow it: socket, HTTP and MCP.
//!
//! A change is found and rendered once, however many follow. A follower holds no more than a page of
//! changes: it asks for the next when it has passed on the last, so one that does not read holds up
//! and costs only itself. What it missed beyond the newest changes is read from the snapshot, in its
//! newest form.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use tokio::sync::{broadcast, watch};

use super::wire;
use crate::graph::{Body, Node, NodeId, NodeKind};
use crate::runtime::Daemon;
use crate::space::SpaceView;

/// Newest changes that a feed keeps rendered.
const KEPT: usize = 1_024;
/// Most changes that a follower takes at once.
const PAGE: usize = 32;

/// A change of an intent.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its cursor.
    pub seq: u64,
    /// The intent record as JSON text.
    pub intent: Arc<str>,
}

struct Entry {
    id: NodeId,
    change: Change,
}

struct Recent {
    /// Every change after this cursor is in `entries`, in order.
    floor: u64,
    entries: VecDeque<Entry>,
}

struct Feed {
    recent: RwLock<Recent>,
    /// Cursor of the newest change.
    head: watch::Sender<u64>,
}

/// The feeds of all spaces that somebody follows.
pub struct Feeds {
    daemon: Arc<Daemon>,
    spaces: Mutex<BTreeMap<Arc<str>, Arc<Feed>>>,
}

impl Feeds {
    /// Starts the task that fills the feeds; it ends with the daemon.
    pub fn start(daemon: &Arc<Daemon>) -> Arc<Feeds> {
        let feeds = Arc::new(Feeds {
            daemon: daemon.clone(),
            spaces: Mutex::default(),
        });
        // Heard from before the first follower comes, so that no change falls between.
        let (changes, stop) = (daemon.changes(), daemon.tasks.stopping());
        daemon.tasks.spawn("feeds", fill(feeds.clone(), changes, stop));
        feeds
    }

    /// Follows the changes of a space after `cursor`. The space may be one that has no event yet.
    pub fn follow(self: &Arc<Self>, space: Arc<str>, cursor: u64) -> Follower {
        let mut spaces = self.spaces.lock();
        let feed = spaces.entry(space.clone()).or_insert_with(|| {
            let head = self.daemon.view(&space).map_or(0, |v| v.meta.intent_seq);
            Arc::new(Feed {
                recent: RwLock::new(Recent {
                    floor: head,
                    entries: VecDeque::new(),
                }),
                head: watch::Sender::new(head),
            })
        });
        Follower {
            head: feed.head.subscribe(),
            feed: feed.clone(),
            feeds: self.clone(),
            space,
            cursor,
        }
    }

    /// Drops what is rendered of a space: it may quote what was erased.
    pub fn forget(&self, space: &str) {
        let feed = self.spaces.lock().get(space).cloned();
        if let Some(feed) = feed {
            let mut recent = feed.recent.write();
            recent.floor = recent.entries.back().map_or(recent.floor, |e| e.change.seq);
            recent.entries.clear();
        }
    }

    fn refresh(&self, space: &str) {
        let mut spaces = self.spaces.lock();
        let Some(feed) = spaces.get(space).cloned() else {
            return;
        };
        // The map's and this one: the last follower is gone, and another that went with it hid that.
        if Arc::strong_count(&feed) <= 2 {
            spaces.remove(space);
            return;
        }
        drop(spaces);
        if let Some(view) = self.daemon.view(space) {
            feed.refresh(&view);
        }
    }

    fn refresh_all(&self) {
        let names: Vec<Arc<str>> = self.spaces.lock().keys().cloned().collect();
        names.iter().for_each(|name| self.refresh(name));
    }
}

async fn fill(
    feeds: Arc<Feeds>,
    mut changes: broadcast::Receiver<Arc<str>>,
    mut stop: watch::Receiver<bool>,
) -> Result<(), std::convert::Infallible> {
    loop {
        let changed = tokio::select! {
            c = changes.recv() => c,
            _ = stop.wait_for(|s| *s) => return Ok(()),
        };
        match changed {
            Ok(name) => feeds.refresh(&name),
            Err(broadcast::error::RecvError::Lagged(_)) => feeds.refresh_all(),
            // The daemon is gone; the stop is on its way.
            Err(broadcast::error::RecvError::Closed) => {
                let _ = stop.wait_for(|s| *s).await;
                return Ok(());
            }
        }
    }
}

impl Feed {
    fn refresh(&self, view: &SpaceView) {
        let mut recent = self.recent.write();
        let head = recent.entries.back().map_or(recent.floor, |e| e.change.seq);
        for (seq, id) in after(view, head, usize::MAX) {
            if let Some(change) = render(view, seq, &id) {
                // Only the newest form of an intent is of use.
                recent.entries.retain(|e| e.id != id);
                recent.entries.push_back(Entry { id, change });
            }
        }
        while recent.entries.len() > KEPT {
            if let Some(old) = recent.entries.pop_front() {
                recent.floor = old.change.seq;
            }
        }
        let newest = recent.entries.back().map_or(recent.floor, |e| e.change.seq);
        drop(recent);
        self.head
            .send_if_modified(|h| std::mem::replace(h, newest.max(*h)) < newest);
    }
}

/// One who follows a space.
pub struct Follower {
    feeds: Arc<Feeds>,
    feed: Arc<Feed>,
    head: watch::Receiver<u64>,
    pub space: Arc<str>,
    /// The last change that was taken.
    pub cursor: u64,
}

impl Follower {
    /// The next changes, in order of their cursor; waits until there are some. Safe to drop while it waits.
    pub async fn next(&mut self) -> Vec<Change> {
        loop {
            let page = self.page();
            if let Some(last) = page.last() {
                self.cursor = last.seq;
                return page;
            }
            let cursor = self.cursor;
            let head = self.head.wait_for(|h| *h > cursor).await.map(|h| *h);
            match head {
                // Nothing may be left of what changed, such as after an erasure: go past it.
                Ok(head) if self.page().is_empty() => self.cursor = self.cursor.max(head),
                Ok(_) => {}
                // The sender lives in `feed`, which this holds.
                Err(_) => return Vec::new(),
            }
        }
    }

    fn page(&self) -> Vec<Change> {
        let Some(view) = self.feeds.daemon.view(&self.space) else {
            return Vec::new();
        };
        let recent = self.feed.recent.read();
        if self.cursor >= recent.floor {
            let from = recent.entries.partition_point(|e| e.change.seq <= self.cursor);
            let fresh = recent.entries.range(from..);
            // What was erased meanwhile must not go out; what changed again comes in its newest form.
            return fresh
                .filter(|e| is_newest(&view, &e.id, e.change.seq))
                .take(PAGE)
                .map(|e| e.change.clone())
                .collect();
        }
        drop(recent);
        let seqs = after(&view, self.cursor, PAGE);
        seqs.into_iter()
            .filter_map(|(seq, id)| render(&view, seq, &id))
            .collect()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut spaces = self.feeds.spaces.lock();
        // The map's and this one: the last follower goes.
        if Arc::strong_count(&self.feed) <= 2 {
            spaces.remove(&self.space);
        }
    }
}

fn intent<'a>(view: &'a SpaceView, id: &NodeId) -> Option<&'a Node> {
    view.graph.node(view.graph.ix(id.as_str())?)
}

fn is_newest(view: &SpaceView, id: &NodeId, seq: u64) -> bool {
    intent(view, id).is_some_and(|n| matches!(&n.body, Body::Intent(i) if i.seq == seq))
}

fn render(view: &SpaceView, seq: u64, id: &NodeId) -> Option<Change> {
    let value = wire::intent(&view.meta.name, Some(&view.graph), intent(view, id)?)?;
    Some(Change {
        seq,
        intent: value.to_string().into(),
    })
}

/// The first `max` intents whose newest change is after `cursor`, in order of it. Cost: the intents of the space.
pub fn after(view: &SpaceView, cursor: u64, max: usize) -> BTreeSet<(u64, NodeId)> {
    let mut out = BTreeSet::new();
    for ix in view.graph.of_kind(NodeKind::Intent) {
        let Some(node) = view.graph.node(ix) else { continue };
        if let Body::Intent(i) = &node.body
            && i.seq > cursor
        {
            out.insert((i.seq, node.id.clone()));
            if out.len() > max {
                out.pop_last();
            }
        }
    }
    out
}
