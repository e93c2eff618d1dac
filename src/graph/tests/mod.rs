//! Tests of the graph: plans one by one, random plans against a naive model, ranks against power iteration.

mod model;
mod plans;
mod random;
mod rank;
mod restore;
mod views;

use std::sync::Arc;

use super::*;
use crate::event::{Event, TimeMark, Ts};

pub(super) const HOUR: i64 = Ts::HOUR;

pub(super) fn hours(h: i64) -> Ts {
    Ts(1_700_000_000_000 + h * HOUR)
}

pub(super) fn event(n: usize, h: i64) -> Arc<Event> {
    Arc::new(Event {
        space: "s".into(),
        source: "test".into(),
        id: n.to_string(),
        time: hours(h),
        time_mark: TimeMark::Given,
        received: hours(h),
        kind: None,
        actor: Some("ann".into()),
        title: None,
        text: format!("the pump in hall {n} stopped"),
        data: Some(serde_json::json!({"b": n, "a": [1.5, null, "x"]})),
        extra: serde_json::Map::new(),
    })
}

pub(super) fn event_id(n: usize) -> NodeId {
    NodeId::of_event("s", "test", &n.to_string())
}

pub(super) fn id(s: &str) -> NodeId {
    NodeId(s.into())
}

/// A graph with events 0 to n - 1, one an hour.
pub(super) fn with_events(n: usize) -> Graph {
    let mut g = Graph::new("s".into(), Settings::default());
    for k in 0..n {
        g.add_event(event(k, k as i64), hours(k as i64)).unwrap();
    }
    g
}

pub(super) fn plan(grounds: &[usize], ops: Vec<Op>) -> Plan {
    Plan {
        by: Author::Fold,
        reasoning: "they agree".into(),
        grounded_in: grounds.iter().map(|n| event_id(*n)).collect(),
        ops,
    }
}

pub(super) fn new_node(name: &str, title: &str, body: Body) -> Op {
    Op::AddNode(NewNode {
        id: id(name),
        title: title.into(),
        text: "".into(),
        time: hours(0),
        body,
    })
}

pub(super) fn concept(name: &str, title: &str) -> Op {
    new_node(name, title, Body::Concept(Concept::default()))
}

pub(super) fn intent(name: &str, title: &str, evidence: Vec<NodeId>) -> Op {
    new_node(name, title, Body::Intent(Box::new(intent_body(evidence))))
}

pub(super) fn intent_body(evidence: Vec<NodeId>) -> Intent {
    Intent {
        category: "repair".into(),
        trigger: "recurrence".into(),
        status: IntentStatus::Pending,
        seq: 1,
        urgency: 0.0,
        priority: 0.5,
        density: 1.0,
        threshold: 0.5,
        concepts: Vec::new(),
        evidence,
        deadline: None,
        reason: "again".into(),
        emitted_at: hours(0),
        updated_at: hours(0),
        deferred_until: None,
    }
}

pub(super) fn anchor(end: Ts) -> Body {
    Body::Time(TimeAnchor {
        start: hours(0),
        end,
        granularity: crate::text::Granularity::Day,
        deadline: true,
    })
}

pub(super) fn link(source: &NodeId, kind: EdgeKind, target: &str) -> Op {
    Op::AddEdge {
        source: source.clone(),
        target: id(target),
        kind,
        weight: None,
        inferred: false,
    }
}

/// The records the store would hold, read back.
pub(super) fn reopen(g: &Graph) -> Graph {
    let nodes = g
        .nodes()
        .map(|(ix, n)| (ix, n.clone(), g.out(ix).cloned().collect()))
        .collect();
    let redirects = g
        .view
        .redirects()
        .map(|(id, to)| match to {
            Resolved::Merged(ix) => (id.clone(), Some(g.node(ix).unwrap().id.clone())),
            _ => (id.clone(), None),
        })
        .collect();
    Graph::restore("s".into(), g.settings().clone(), nodes, redirects, g.next_ix()).unwrap()
}
