//! The story of a node: why it exists, and what it stands on. Explaining changes nothing.

use serde_json::{Value, json};

use super::{RpcError, code, wire};
use crate::graph::{Author, Body, Edge, GraphView, Provenance, Resolved};
use crate::space::SpaceView;

pub fn node(view: &SpaceView, id: &str) -> Result<Value, RpcError> {
    let graph = &view.graph;
    let (ix, merged) = match graph.resolve(id) {
        Resolved::Live(ix) => (ix, false),
        Resolved::Merged(ix) => (ix, true),
        Resolved::Erased => {
            return Ok(
                json!({"id": id, "state": "erased", "why": "it was erased on request, or came only from what was"}),
            );
        }
        Resolved::Unknown => {
            return Err(RpcError::new(
                code::NOT_FOUND,
                "no node of this space has or had this id",
            ));
        }
    };
    let Some(n) = graph.node(ix) else {
        return Err(RpcError::new(
            code::NOT_FOUND,
            "no node of this space has or had this id",
        ));
    };
    let mut out = json!({
        "id": id,
        "state": if merged { "merged" } else { "live" },
        "node": wire::node(n),
        "why": provenance(graph, &n.provenance),
        "created": n.created.rfc3339(),
        "touched": n.touched.rfc3339(),
        "access": n.access,
        "rank": graph.rank(ix),
        "in": graph.incoming(ix).filter_map(|e| link(graph, e, e.source)).collect::<Vec<_>>(),
        "out": graph.out(ix).filter_map(|e| link(graph, e, e.target)).collect::<Vec<_>>(),
    });
    if let Body::Event(e) = &n.body {
        let stated = view.distill.claims_in(ix, None);
        out["claims"] = stated.iter().map(|c| super::claims::claim(graph, c)).collect();
        out["run"] = view
            .distill
            .run(&e.source, e.time, ix)
            .map_or(Value::Null, |r| super::claims::run(graph, &r));
    }
    if merged {
        out["merged_into"] = n.id.as_str().into();
    }
    if let Body::Intent(_) = &n.body
        && let Some(i) = wire::intent(&view.meta.name, Some(graph), n)
    {
        out["intent"] = i;
    }
    Ok(out)
}

fn link(graph: &GraphView, e: &Edge, other: crate::graph::NodeIx) -> Option<Value> {
    let n = graph.node(other)?;
    let title = match &n.body {
        Body::Event(e) => e.title.clone().unwrap_or_else(|| shortened(&e.text)),
        _ => n.title.to_string(),
    };
    Some(json!({
        "node": n.id.as_str(),
        "kind": n.kind.name(),
        "title": title,
        "type": e.kind.name(),
        "weight": e.weight,
        "last_reinforced": e.at.rfc3339(),
        "inferred": e.inferred,
        "why": provenance(graph, &e.provenance),
    }))
}

fn provenance(graph: &GraphView, p: &Provenance) -> Value {
    let by = match p.by {
        Author::Stream => "stream",
        Author::Fold => "fold",
        Author::Pass => "pass",
        Author::Intent => "intent",
        Author::Feedback => "feedback",
        Author::Import => "import",
    };
    let grounds: Vec<Value> = p
        .grounded_in
        .iter()
        .map(|id| match graph.ix(id.as_str()).and_then(|ix| graph.node(ix)) {
            Some(n) => match &n.body {
                Body::Event(e) => json!({"node": id.as_str(), "event_id": e.id}),
                _ => json!({"node": id.as_str()}),
            },
            None => json!({"node": id.as_str(), "state": "erased"}),
        })
        .collect();
    json!({"by": by, "reason": &*p.reason, "grounded_in": grounds})
}

fn shortened(text: &str) -> String {
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_string(),
    }
}
