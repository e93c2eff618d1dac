//! Time nodes: the dates that an event names, shared by all events that name the same span.
//!
//! The edge runs from the event to the time (RELATED_TO): an event's edges are written once, with the event,
//! while the record of a time that many events name would grow with each. When the last event that names a time is
//! erased, the graph removes the time with it.

use crate::event::Ts;
use crate::graph::{
    Author, Body, EdgeKind, Graph, NewNode, NodeId, NodeIx, NodeKind, NodePatch, Op, Plan, TimeAnchor,
};
use crate::text::{Analysis, DateMention, Granularity};

/// Times that one event may name; more are lists, not anchors.
pub const MAX_TIMES: usize = 4;
/// Edges of an event that are read to find its times.
const MAX_EDGES_READ: usize = 64;

/// Id of the time node of a span.
pub fn time_id(space: &str, mention: &DateMention) -> NodeId {
    let (start, end) = (mention.start.0.to_string(), mention.end.0.to_string());
    NodeId::derive(NodeKind::Time, space, &[&start, &end, name(mention.granularity)])
}

/// Plans the time nodes of an event's dates and links the event to them. Deadlines come first when there are more
/// than [`MAX_TIMES`]. Cost: constant for each date.
pub fn time_plans(graph: &Graph, _now: Ts, event: NodeIx, analysis: &Analysis) -> Vec<Plan> {
    let Some(node) = graph.node(event) else {
        return Vec::new();
    };
    let Body::Event(e) = &node.body else {
        return Vec::new();
    };
    let mut mentions: Vec<&DateMention> = analysis.dates.iter().filter(|m| m.start < m.end).collect();
    mentions.sort_by_key(|m| !m.deadline);
    let mut plans: Vec<Plan> = Vec::new();
    let mut named: Vec<NodeId> = Vec::new();
    for mention in mentions {
        let id = time_id(&e.space, mention);
        if named.contains(&id) {
            continue;
        }
        if named.len() == MAX_TIMES {
            break;
        }
        let mut ops = Vec::new();
        match graph.ix(id.as_str()).and_then(|ix| graph.node(ix)) {
            None => ops.push(Op::AddNode(new_time(&id, mention, node.time))),
            Some(known) => {
                if let Body::Time(anchor) = &known.body
                    && mention.deadline
                    && !anchor.deadline
                {
                    let body = Body::Time(TimeAnchor {
                        deadline: true,
                        ..anchor.clone()
                    });
                    ops.push(Op::UpdateNode {
                        id: id.clone(),
                        patch: NodePatch {
                            body: Some(body),
                            ..Default::default()
                        },
                    });
                }
            }
        }
        ops.push(Op::AddEdge {
            source: node.id.clone(),
            target: id.clone(),
            kind: EdgeKind::RelatedTo,
            weight: None,
            inferred: false,
        });
        plans.push(Plan {
            by: Author::Fold,
            reasoning: format!("the event names {}", title(mention)).into(),
            grounded_in: vec![node.id.clone()],
            ops,
        });
        named.push(id);
    }
    plans
}

/// Times that an event names.
pub fn times_of(graph: &Graph, event: NodeIx) -> Vec<(NodeIx, TimeAnchor)> {
    graph
        .out(event)
        .take(MAX_EDGES_READ)
        .filter(|e| e.kind == EdgeKind::RelatedTo)
        .filter_map(|e| match &graph.node(e.target)?.body {
            Body::Time(anchor) => Some((e.target, anchor.clone())),
            _ => None,
        })
        .collect()
}

fn new_time(id: &NodeId, mention: &DateMention, time: Ts) -> NewNode {
    NewNode {
        id: id.clone(),
        title: title(mention).into(),
        text: "".into(),
        time,
        body: Body::Time(TimeAnchor {
            start: mention.start,
            end: mention.end,
            granularity: mention.granularity,
            deadline: mention.deadline,
        }),
    }
}

/// The span as ISO writes it, as exactly as it is known.
fn title(mention: &DateMention) -> String {
    let Some(start) = mention.start.datetime() else {
        return mention.start.rfc3339();
    };
    let form = match mention.granularity {
        Granularity::Minute => "%Y-%m-%d %H:%M",
        Granularity::Day => "%Y-%m-%d",
        Granularity::Week => "%G-W%V",
        Granularity::Month => "%Y-%m",
        Granularity::Year => "%Y",
    };
    start.format(form).to_string()
}

fn name(granularity: Granularity) -> &'static str {
    match granularity {
        Granularity::Minute => "minute",
        Granularity::Day => "day",
        Granularity::Week => "week",
        Granularity::Month => "month",
        Granularity::Year => "year",
    }
}
