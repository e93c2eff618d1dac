//! The JSON form of a recall's trace.

use serde_json::{Value, json};

use crate::recall::{ModeSource, Recalled};

/// Everything that decided what a recall returned; `total_ms` is measured by the caller.
pub fn trace(r: &Recalled, query: &str, total_ms: f64) -> Value {
    let t = &r.trace;
    let scores: serde_json::Map<String, Value> = t
        .mode_scores
        .iter()
        .map(|(m, s)| (m.name().to_string(), (*s).into()))
        .collect();
    let gates: Vec<Value> = t
        .gates
        .iter()
        .map(|g| json!({"gate": g.name, "fired": g.fired, "before": g.before, "after": g.after}))
        .collect();
    let terms: Vec<Value> = t
        .terms
        .iter()
        .map(|(term, weight, df)| json!({"term": &**term, "weight": weight, "events": df}))
        .collect();
    let items: Vec<Value> = r
        .items
        .iter()
        .map(|i| json!({"node": i.node.as_str(), "event_id": i.event_id.as_deref(), "score": i.score}))
        .collect();
    json!({
        "query": query,
        "mode": r.mode.name(),
        "mode_source": match t.mode_source {
            ModeSource::Explicit => "explicit",
            ModeSource::Classifier => "classifier",
        },
        "mode_scores": scores,
        "payload": {"id": t.payload, "hash": &*t.payload_hash},
        "policy": t.policy,
        "gates": gates,
        "procedure": t.procedure.map(|p| p.name()),
        "fallbacks": t.fallbacks,
        "terms": terms,
        "names": t.names.iter().map(|n| Value::from(&**n)).collect::<Vec<_>>(),
        "sizes": {"events": t.events, "scored": t.scored, "packed": t.packed, "skipped": t.skipped, "repeats": t.repeats},
        "best_lexical": t.best_lexical,
        "tokens": t.tokens,
        "model_usage": Value::Null,
        "timings_ms": {"total": total_ms},
        "items": items,
    })
}
