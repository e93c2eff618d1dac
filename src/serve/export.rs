//! The whole of a space as JSON: what `export` returns and `import` takes.

use serde_json::{Value, json};

use super::wire;
use crate::space::SpaceView;

/// Nodes and edges in order of creation. Cost: linear in the space.
pub fn space(view: &SpaceView, edge_decay_per_hour: f64) -> Value {
    let now = view.now();
    let nodes: Vec<Value> = view.graph.nodes().map(|(_, n)| wire::node(n)).collect();
    let edges: Vec<Value> = view
        .graph
        .edges()
        .filter_map(|e| wire::edge(&view.graph, e, now, edge_decay_per_hour))
        .collect();
    json!({"space": &*view.meta.name, "clock": now.rfc3339(), "nodes": nodes, "edges": edges})
}
