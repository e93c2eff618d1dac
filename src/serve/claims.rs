//! The JSON forms of claims, profile cards and runs of events.

use serde_json::{Value, json};

use crate::distill::{Claim, Profile, Run};
use crate::graph::{Body, GraphView, NodeIx};

fn event_id(graph: &GraphView, ix: NodeIx) -> Option<Value> {
    match &graph.node(ix)?.body {
        Body::Event(e) => Some(e.id.as_str().into()),
        _ => None,
    }
}

/// One version of a fact, with its validity and the events it stands on.
pub fn claim(graph: &GraphView, c: &Claim) -> Value {
    let evidence: Vec<Value> = c.evidence.iter().filter_map(|e| event_id(graph, e.1)).collect();
    json!({
        "subject": &*c.subject.shown,
        "predicate": c.predicate.name(),
        "attribute": c.attribute.as_ref().map(|a| &*a.shown),
        "object": &*c.object.shown,
        "negated": c.negated,
        "version": c.version,
        "standing": c.standing.name(),
        "valid_from": c.from.rfc3339(),
        "valid_to": c.to.map(|t| t.rfc3339()),
        "evidence": evidence,
        "count": c.count,
        "reported_by": c.speakers.iter().map(|s| &*s.shown).collect::<Vec<_>>(),
        "replaced_by": c.closed_by.and_then(|e| event_id(graph, e.1)),
    })
}

pub fn profile(graph: &GraphView, p: &Profile) -> Value {
    json!({
        "name": &*p.name.shown,
        "claims": p.claims.iter().map(|c| claim(graph, c)).collect::<Vec<_>>(),
    })
}

pub fn run(graph: &GraphView, r: &Run) -> Value {
    json!({
        "from": r.from.rfc3339(),
        "to": r.to.rfc3339(),
        "events": r.events.iter().filter_map(|ix| event_id(graph, *ix)).collect::<Vec<_>>(),
        "goes_on": r.cut,
    })
}
