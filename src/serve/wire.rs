//! The JSON forms of what goes out (DESIGN section 4).

use serde_json::{Value, json};

use crate::event::{Ts, to_json};
use crate::graph::{Body, Edge, GraphView, Intent, Node, NodeId, Resolved};

/// Weights go out with four digits: more would only be noise in diffs of exports.
fn rounded(x: f32) -> f64 {
    (f64::from(x) * 10_000.0).round() / 10_000.0
}

fn time(t: Option<Ts>) -> Value {
    t.map_or(Value::Null, |t| t.rfc3339().into())
}

/// A node of an export: `id, type, title, text, time, event_id?, status?` and what its type adds.
pub fn node(n: &Node) -> Value {
    let mut out = json!({
        "id": n.id.as_str(),
        "type": n.kind.name(),
        "title": &*n.title,
        "text": &*n.text,
        "time": n.time.rfc3339(),
    });
    if n.archived {
        out["archived"] = true.into();
    }
    if n.pinned {
        out["pinned"] = true.into();
    }
    match &n.body {
        Body::Event(e) => {
            out["event_id"] = e.id.as_str().into();
            out["title"] = e.title.as_deref().unwrap_or_default().into();
            out["text"] = e.text.as_str().into();
            out["event"] = to_json(e);
            if !n.text.is_empty() {
                out["mark"] = (*n.text).into();
            }
        }
        Body::Concept(c) => {
            out["keywords"] = c.keywords.iter().map(|k| Value::from(&**k)).collect();
            out["confidence"] = rounded(c.confidence).into();
            out["size"] = c.size.into();
        }
        Body::Intent(i) => {
            out["status"] = i.status.name().into();
            out["category"] = (*i.category).into();
            out["reason"] = (*i.reason).into();
        }
        Body::Time(t) => {
            out["start"] = t.start.rfc3339().into();
            out["end"] = t.end.rfc3339().into();
            out["deadline"] = t.deadline.into();
        }
    }
    out
}

/// An edge of an export; the weight is the decayed one at `now`.
pub fn edge(view: &GraphView, e: &Edge, now: Ts, decay_per_hour: f64) -> Option<Value> {
    let (source, target) = (view.node(e.source)?, view.node(e.target)?);
    let mut out = json!({
        "source": source.id.as_str(),
        "target": target.id.as_str(),
        "type": e.kind.name(),
        "weight": rounded(e.effective(now, decay_per_hour)),
    });
    if e.inferred {
        out["inferred"] = true.into();
    }
    Some(out)
}

/// The intent record (DESIGN section 4). `view` turns evidence into the producer's event ids and
/// concepts into titles; what is not there any more is left out.
pub fn intent(space: &str, view: Option<&GraphView>, n: &Node) -> Option<Value> {
    let Body::Intent(i) = &n.body else { return None };
    let find = |id: &NodeId| view.and_then(|v| v.node(v.ix(id.as_str())?));
    // A concept that was merged away stands as the one that took it in.
    let mut grounds: Vec<&Node> = Vec::new();
    for id in &i.concepts {
        let node = view.and_then(|v| match v.resolve(id.as_str()) {
            Resolved::Live(ix) | Resolved::Merged(ix) => v.node(ix),
            Resolved::Erased | Resolved::Unknown => None,
        });
        if let Some(node) = node.filter(|n| grounds.iter().all(|g| g.id != n.id)) {
            grounds.push(node);
        }
    }
    let concepts = grounds
        .iter()
        .map(|n| json!({"id": n.id.as_str(), "title": &*n.title}))
        .collect();
    let evidence: Vec<Value> = i
        .evidence
        .iter()
        .filter_map(|id| match &find(id)?.body {
            Body::Event(e) => Some(e.id.as_str().into()),
            _ => None,
        })
        .collect();
    Some(intent_value(space, n, i, concepts, evidence))
}

fn intent_value(space: &str, n: &Node, i: &Intent, concepts: Vec<Value>, evidence: Vec<Value>) -> Value {
    json!({
        "id": n.id.as_str(),
        "space": space,
        "seq": i.seq,
        "title": &*n.title,
        "description": &*n.text,
        "category": &*i.category,
        "trigger": &*i.trigger,
        "status": i.status.name(),
        "urgency": rounded(i.urgency),
        "priority": rounded(i.priority),
        "density": rounded(i.density),
        "threshold": rounded(i.threshold),
        "concepts": concepts,
        "evidence": evidence,
        "deadline": time(i.deadline),
        "reason": &*i.reason,
        "emitted_at": i.emitted_at.rfc3339(),
        "updated_at": i.updated_at.rfc3339(),
        "deferred_until": time(i.deferred_until),
    })
}

/// Weight and threshold of one intent category.
pub fn category(c: &crate::intent::CategoryState) -> Value {
    json!({
        "category": c.category,
        "weight": rounded(c.weight),
        "threshold": rounded(c.threshold),
        "acceptance": c.acceptance.map(rounded),
    })
}
