//! The record of a node with its outgoing edges.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::EventRecord;
use super::{RecordError, decode, encode};
use crate::event::Ts;
use crate::graph::{
    Author, Body, Concept, Edge, EdgeKind, Intent, IntentStatus, Node, NodeId, NodeIx, NodeKind, Provenance,
    TimeAnchor,
};
use crate::text::Granularity;

#[derive(Serialize, Deserialize)]
struct NodeRecord {
    id: String,
    title: String,
    text: String,
    time: i64,
    created: i64,
    touched: i64,
    access: u32,
    /// Bit 0 pinned, bit 1 archived.
    flags: u8,
    provenance: ProvenanceRecord,
    body: BodyRecord,
    edges: Vec<EdgeRecord>,
}

#[derive(Serialize, Deserialize)]
enum BodyRecord {
    Event(EventRecord),
    Concept {
        keywords: Vec<String>,
        confidence: f32,
        size: u32,
    },
    Intent(Box<IntentRecord>),
    Time {
        start: i64,
        end: i64,
        granularity: u8,
        deadline: bool,
    },
}

#[derive(Serialize, Deserialize)]
struct IntentRecord {
    category: String,
    trigger: String,
    status: u8,
    seq: u64,
    urgency: f32,
    priority: f32,
    density: f32,
    threshold: f32,
    concepts: Vec<String>,
    evidence: Vec<String>,
    deadline: Option<i64>,
    reason: String,
    emitted_at: i64,
    updated_at: i64,
    deferred_until: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct ProvenanceRecord {
    by: u8,
    reason: String,
    grounds: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct EdgeRecord {
    target: u32,
    kind: u8,
    weight: f32,
    at: i64,
    created: i64,
    inferred: bool,
    provenance: ProvenanceRecord,
}

const STATUSES: [IntentStatus; 7] = [
    IntentStatus::Pending,
    IntentStatus::ActionScheduled,
    IntentStatus::Deferred,
    IntentStatus::Resolved,
    IntentStatus::Rejected,
    IntentStatus::Retracted,
    IntentStatus::Expired,
];
const AUTHORS: [Author; 6] = [
    Author::Stream,
    Author::Fold,
    Author::Pass,
    Author::Intent,
    Author::Feedback,
    Author::Import,
];
const GRANULARITIES: [Granularity; 5] = [
    Granularity::Minute,
    Granularity::Day,
    Granularity::Week,
    Granularity::Month,
    Granularity::Year,
];

/// The place of a value in its list of codes. Codes are append-only.
fn code<T: PartialEq>(list: &[T], value: &T) -> u8 {
    // Every variant stands in its list; the round-trip test holds that.
    list.iter()
        .position(|x| x == value)
        .expect("all variants are listed") as u8
}

fn value<T: Copy>(list: &[T], code: u8, what: &'static str) -> Result<T, RecordError> {
    list.get(usize::from(code)).copied().ok_or(RecordError {
        what,
        reason: format!("unknown code {code}"),
    })
}

fn strings(ids: &[NodeId]) -> Vec<String> {
    ids.iter().map(|i| i.to_string()).collect()
}

fn ids(strings: Vec<String>) -> Vec<NodeId> {
    strings.into_iter().map(|s| NodeId(s.into())).collect()
}

impl ProvenanceRecord {
    fn of(p: &Provenance) -> ProvenanceRecord {
        ProvenanceRecord {
            by: code(&AUTHORS, &p.by),
            reason: p.reason.to_string(),
            grounds: strings(&p.grounded_in),
        }
    }

    fn into_provenance(self) -> Result<Provenance, RecordError> {
        Ok(Provenance {
            by: value(&AUTHORS, self.by, "author")?,
            reason: self.reason.into(),
            grounded_in: ids(self.grounds),
        })
    }
}

/// The record of `node` and of the edges that leave it.
pub fn encode_node<'a>(node: &Node, out: impl Iterator<Item = &'a Edge>) -> Vec<u8> {
    let body = match &node.body {
        Body::Event(e) => BodyRecord::Event(EventRecord::of(e)),
        Body::Concept(c) => BodyRecord::Concept {
            keywords: c.keywords.iter().map(|k| k.to_string()).collect(),
            confidence: c.confidence,
            size: c.size,
        },
        Body::Intent(i) => BodyRecord::Intent(Box::new(intent_record(i))),
        Body::Time(t) => BodyRecord::Time {
            start: t.start.0,
            end: t.end.0,
            granularity: code(&GRANULARITIES, &t.granularity),
            deadline: t.deadline,
        },
    };
    let edges = out
        .map(|e| EdgeRecord {
            target: e.target.0,
            kind: code(&EdgeKind::ALL, &e.kind),
            weight: e.weight,
            at: e.at.0,
            created: e.created.0,
            inferred: e.inferred,
            provenance: ProvenanceRecord::of(&e.provenance),
        })
        .collect();
    encode(&NodeRecord {
        id: node.id.to_string(),
        title: node.title.to_string(),
        text: node.text.to_string(),
        time: node.time.0,
        created: node.created.0,
        touched: node.touched.0,
        access: node.access,
        flags: u8::from(node.pinned) | u8::from(node.archived) << 1,
        provenance: ProvenanceRecord::of(&node.provenance),
        body,
        edges,
    })
}

/// The node and its outgoing edges.
pub fn decode_node(ix: NodeIx, bytes: &[u8], space: &Arc<str>) -> Result<(Node, Vec<Edge>), RecordError> {
    let r: NodeRecord = decode("node", bytes)?;
    let (kind, body) = match r.body {
        BodyRecord::Event(e) => (NodeKind::Event, Body::Event(Arc::new(e.into_event(space)?))),
        BodyRecord::Concept {
            keywords,
            confidence,
            size,
        } => (
            NodeKind::Concept,
            Body::Concept(Concept {
                keywords: keywords.into_iter().map(Into::into).collect(),
                confidence,
                size,
            }),
        ),
        BodyRecord::Intent(i) => (NodeKind::Intent, Body::Intent(Box::new(intent_of(*i)?))),
        BodyRecord::Time {
            start,
            end,
            granularity,
            deadline,
        } => (
            NodeKind::Time,
            Body::Time(TimeAnchor {
                start: Ts(start),
                end: Ts(end),
                granularity: value(&GRANULARITIES, granularity, "granularity")?,
                deadline,
            }),
        ),
    };
    let edges = r
        .edges
        .into_iter()
        .map(|e| {
            Ok(Edge {
                source: ix,
                target: NodeIx(e.target),
                kind: value(&EdgeKind::ALL, e.kind, "edge kind")?,
                weight: e.weight,
                at: Ts(e.at),
                created: Ts(e.created),
                inferred: e.inferred,
                provenance: e.provenance.into_provenance()?,
            })
        })
        .collect::<Result<_, RecordError>>()?;
    let node = Node {
        id: NodeId(r.id.into()),
        kind,
        title: r.title.into(),
        text: r.text.into(),
        time: Ts(r.time),
        created: Ts(r.created),
        touched: Ts(r.touched),
        access: r.access,
        pinned: r.flags & 1 != 0,
        archived: r.flags & 2 != 0,
        provenance: r.provenance.into_provenance()?,
        body,
    };
    Ok((node, edges))
}

fn intent_record(i: &Intent) -> IntentRecord {
    IntentRecord {
        category: i.category.to_string(),
        trigger: i.trigger.to_string(),
        status: code(&STATUSES, &i.status),
        seq: i.seq,
        urgency: i.urgency,
        priority: i.priority,
        density: i.density,
        threshold: i.threshold,
        concepts: strings(&i.concepts),
        evidence: strings(&i.evidence),
        deadline: i.deadline.map(|t| t.0),
        reason: i.reason.to_string(),
        emitted_at: i.emitted_at.0,
        updated_at: i.updated_at.0,
        deferred_until: i.deferred_until.map(|t| t.0),
    }
}

fn intent_of(r: IntentRecord) -> Result<Intent, RecordError> {
    Ok(Intent {
        category: r.category.into(),
        trigger: r.trigger.into(),
        status: value(&STATUSES, r.status, "intent status")?,
        seq: r.seq,
        urgency: r.urgency,
        priority: r.priority,
        density: r.density,
        threshold: r.threshold,
        concepts: ids(r.concepts),
        evidence: ids(r.evidence),
        deadline: r.deadline.map(Ts),
        reason: r.reason.into(),
        emitted_at: Ts(r.emitted_at),
        updated_at: Ts(r.updated_at),
        deferred_until: r.deferred_until.map(Ts),
    })
}
