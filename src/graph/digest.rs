//! The digest: one hash of the whole logical state.
//!
//! The same nodes, edges and redirects give the same digest, in whatever order they came, whatever their
//! indexes, before and after a restart. Floats count by their bits. Ranks do not count.

use blake3::Hasher;
use serde_json::Value;

use super::model::*;
use super::view::Resolved;
use super::writer::Graph;
use crate::event::{Event, TimeMark, Ts};
use crate::text::Granularity;

impl Graph {
    /// Each item is hashed alone and the hashes are summed, which makes order irrelevant. O(n).
    pub fn digest(&self) -> [u8; 32] {
        let mut sum = Sum::default();
        for (_, node) in self.view.nodes() {
            let mut h = Item::new(b"node");
            h.node(node);
            sum.add(h);
        }
        for edge in self.view.edges() {
            let mut h = Item::new(b"edge");
            h.edge(edge, |ix| self.view.node(ix).map_or("", |n| n.id.as_str()));
            sum.add(h);
        }
        for (id, to) in self.view.redirects() {
            let mut h = Item::new(b"redirect");
            h.text(id.as_str());
            if let Resolved::Merged(ix) = to {
                h.text(self.view.node(ix).map_or("", |n| n.id.as_str()));
            }
            sum.add(h);
        }
        sum.finish(&self.space)
    }
}

/// Sum of hashes in four lanes, each modulo 2^64; and how many.
#[derive(Default)]
struct Sum {
    lanes: [u64; 4],
    items: u64,
}

impl Sum {
    fn add(&mut self, item: Item) {
        let hash = item.0.finalize();
        for (lane, bytes) in self.lanes.iter_mut().zip(hash.as_bytes().chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            *lane = lane.wrapping_add(u64::from_le_bytes(word));
        }
        self.items += 1;
    }

    fn finish(self, space: &str) -> [u8; 32] {
        let mut h = Item::new(b"graph");
        h.text(space);
        h.number(self.items);
        for lane in self.lanes {
            h.number(lane);
        }
        *h.0.finalize().as_bytes()
    }
}

/// Hasher of one item. Every part has a fixed length or is preceded by its length, so no two items run together.
struct Item(Hasher);

impl Item {
    fn new(kind: &[u8]) -> Item {
        let mut h = Item(Hasher::new());
        h.bytes(kind);
        h
    }

    fn bytes(&mut self, b: &[u8]) {
        self.number(b.len() as u64);
        self.0.update(b);
    }

    fn text(&mut self, s: &str) {
        self.bytes(s.as_bytes());
    }

    fn number(&mut self, n: u64) {
        self.0.update(&n.to_le_bytes());
    }

    fn flag(&mut self, b: bool) {
        self.number(u64::from(b));
    }

    fn float(&mut self, f: f32) {
        self.number(u64::from(f.to_bits()));
    }

    fn time(&mut self, t: Ts) {
        self.number(t.0 as u64);
    }

    fn maybe<T>(&mut self, value: Option<T>, put: impl Fn(&mut Item, T)) {
        self.flag(value.is_some());
        if let Some(v) = value {
            put(self, v);
        }
    }

    fn list<T>(&mut self, values: &[T], put: impl Fn(&mut Item, &T)) {
        self.number(values.len() as u64);
        for v in values {
            put(self, v);
        }
    }

    fn ids(&mut self, ids: &[NodeId]) {
        self.list(ids, |h, id| h.text(id.as_str()));
    }

    fn provenance(&mut self, p: &Provenance) {
        self.number(match p.by {
            Author::Stream => 0,
            Author::Fold => 1,
            Author::Pass => 2,
            Author::Intent => 3,
            Author::Feedback => 4,
            Author::Import => 5,
        });
        self.text(&p.reason);
        self.ids(&p.grounded_in);
    }

    fn node(&mut self, n: &Node) {
        self.text(n.id.as_str());
        self.text(n.kind.name());
        self.text(&n.title);
        self.text(&n.text);
        self.time(n.time);
        self.time(n.created);
        self.time(n.touched);
        self.number(u64::from(n.access));
        self.flag(n.pinned);
        self.flag(n.archived);
        self.provenance(&n.provenance);
        match &n.body {
            Body::Event(e) => self.event(e),
            Body::Concept(c) => {
                self.list(&c.keywords, |h, k| h.text(k));
                self.float(c.confidence);
                self.number(u64::from(c.size));
            }
            Body::Intent(i) => self.intent(i),
            Body::Time(t) => {
                self.time(t.start);
                self.time(t.end);
                self.number(match t.granularity {
                    Granularity::Minute => 0,
                    Granularity::Day => 1,
                    Granularity::Week => 2,
                    Granularity::Month => 3,
                    Granularity::Year => 4,
                });
                self.flag(t.deadline);
            }
        }
    }

    fn event(&mut self, e: &Event) {
        self.text(&e.space);
        self.text(&e.source);
        self.text(&e.id);
        self.time(e.time);
        self.number(match e.time_mark {
            TimeMark::Given => 0,
            TimeMark::AssumedZone => 1,
            TimeMark::Received => 2,
        });
        self.time(e.received);
        self.maybe(e.kind.as_deref(), Item::text);
        self.maybe(e.actor.as_deref(), Item::text);
        self.maybe(e.title.as_deref(), Item::text);
        self.text(&e.text);
        self.maybe(e.data.as_ref(), Item::json);
        self.object(&e.extra);
    }

    /// As JSON compares: the order of an object's fields does not count. Depth is bounded where events are decoded.
    fn json(&mut self, v: &Value) {
        match v {
            Value::Null => self.number(0),
            Value::Bool(b) => self.number(1 + u64::from(*b)),
            Value::Number(n) => {
                self.number(3);
                self.text(&n.to_string());
            }
            Value::String(s) => {
                self.number(4);
                self.text(s);
            }
            Value::Array(a) => {
                self.number(5);
                self.list(a, Item::json);
            }
            Value::Object(o) => {
                self.number(6);
                self.object(o);
            }
        }
    }

    fn object(&mut self, o: &serde_json::Map<String, Value>) {
        let mut fields: Vec<(&String, &Value)> = o.iter().collect();
        fields.sort_unstable_by_key(|(k, _)| *k);
        self.list(&fields, |h, (k, v)| {
            h.text(k);
            h.json(v);
        });
    }

    fn intent(&mut self, i: &Intent) {
        self.text(&i.category);
        self.text(&i.trigger);
        self.text(i.status.name());
        self.number(i.seq);
        for f in [i.urgency, i.priority, i.density, i.threshold] {
            self.float(f);
        }
        self.ids(&i.concepts);
        self.ids(&i.evidence);
        self.maybe(i.deadline, Item::time);
        self.text(&i.reason);
        self.time(i.emitted_at);
        self.time(i.updated_at);
        self.maybe(i.deferred_until, Item::time);
    }

    fn edge<'a>(&mut self, e: &Edge, id: impl Fn(NodeIx) -> &'a str) {
        self.text(id(e.source));
        self.text(id(e.target));
        self.text(e.kind.name());
        self.float(e.weight);
        self.time(e.at);
        self.time(e.created);
        self.flag(e.inferred);
        self.provenance(&e.provenance);
    }
}
