//! Nodes and edges.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use crate::event::{Event, Ts};
use crate::text::Granularity;

/// A public node id: `e-`, `c-`, `i-` or `t-` and 20 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub Arc<str>);

impl NodeId {
    /// Derives an id from what grounds it, so that the same grounds give the same id on a replay.
    pub fn derive(kind: NodeKind, space: &str, parts: &[&str]) -> NodeId {
        let mut h = blake3::Hasher::new();
        for p in std::iter::once(&space).chain(parts) {
            // Length first: ("ab","c") and ("a","bc") must differ.
            h.update(&(p.len() as u64).to_le_bytes());
            h.update(p.as_bytes());
        }
        let hex = h.finalize().to_hex();
        NodeId(format!("{}-{}", kind.prefix(), &hex[..20]).into())
    }

    /// The node id of the event with this identity.
    pub fn of_event(space: &str, source: &str, id: &str) -> NodeId {
        Self::derive(NodeKind::Event, space, &[source, id])
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Equal and hashed as its text, so maps keyed by ids answer for `&str`.
impl Borrow<str> for NodeId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Dense index of a node within its space, in order of creation. Never reused, also not after removal or restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIx(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    Event,
    Concept,
    Intent,
    Time,
}

impl NodeKind {
    pub const ALL: [NodeKind; 4] = [
        NodeKind::Event,
        NodeKind::Concept,
        NodeKind::Intent,
        NodeKind::Time,
    ];

    pub fn prefix(self) -> &'static str {
        match self {
            NodeKind::Event => "e",
            NodeKind::Concept => "c",
            NodeKind::Intent => "i",
            NodeKind::Time => "t",
        }
    }

    /// Whether an id has this kind's prefix.
    pub fn owns(self, id: &NodeId) -> bool {
        id.0.strip_prefix(self.prefix())
            .is_some_and(|rest| rest.starts_with('-') && rest.len() > 1)
    }

    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Event => "event",
            NodeKind::Concept => "concept",
            NodeKind::Intent => "intent",
            NodeKind::Time => "time",
        }
    }
}

/// The nine edge types, with their weights at creation (DEFAULTS, CogniFold).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    Causes,
    Grounds,
    Triggers,
    UserFeedback,
    Reinforces,
    PartOf,
    DerivedFrom,
    DeadlineFor,
    RelatedTo,
}

impl EdgeKind {
    pub const ALL: [EdgeKind; 9] = [
        EdgeKind::Causes,
        EdgeKind::Grounds,
        EdgeKind::Triggers,
        EdgeKind::UserFeedback,
        EdgeKind::Reinforces,
        EdgeKind::PartOf,
        EdgeKind::DerivedFrom,
        EdgeKind::DeadlineFor,
        EdgeKind::RelatedTo,
    ];

    pub fn default_weight(self) -> f32 {
        match self {
            EdgeKind::Causes | EdgeKind::Grounds => 0.9,
            EdgeKind::Triggers | EdgeKind::UserFeedback => 0.8,
            EdgeKind::Reinforces | EdgeKind::PartOf => 0.7,
            EdgeKind::DerivedFrom | EdgeKind::DeadlineFor => 0.6,
            EdgeKind::RelatedTo => 0.5,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Causes => "CAUSES",
            EdgeKind::Grounds => "GROUNDS",
            EdgeKind::Triggers => "TRIGGERS",
            EdgeKind::UserFeedback => "USER_FEEDBACK",
            EdgeKind::Reinforces => "REINFORCES",
            EdgeKind::PartOf => "PART_OF",
            EdgeKind::DerivedFrom => "DERIVED_FROM",
            EdgeKind::DeadlineFor => "DEADLINE_FOR",
            EdgeKind::RelatedTo => "RELATED_TO",
        }
    }

    /// Whether an edge of this kind may lead from `source` to `target` (DEFAULTS, usual ends).
    ///
    /// Beyond that table: a time is grounded by events and may be the deadline of an event or a
    /// concept before an intent exists; RELATED_TO joins anything.
    pub fn fits(self, source: NodeKind, target: NodeKind) -> bool {
        use NodeKind::{Concept, Event, Intent, Time};
        match self {
            EdgeKind::Grounds => source == Event && target != Event,
            EdgeKind::Reinforces => source == Event && target == Concept,
            EdgeKind::Causes => source == Event && target == Event,
            EdgeKind::Triggers => matches!(source, Concept | Event) && target == Intent,
            EdgeKind::PartOf => matches!(source, Event | Concept) && target == Concept,
            EdgeKind::DerivedFrom => source == Concept && target == Concept,
            EdgeKind::DeadlineFor => source == Time && target != Time,
            EdgeKind::UserFeedback => source == Event && target == Intent,
            EdgeKind::RelatedTo => true,
        }
    }

    /// GROUNDS and REINFORCES make an event a member of a concept.
    pub fn is_membership(self) -> bool {
        matches!(self, EdgeKind::Grounds | EdgeKind::Reinforces)
    }
}

/// Who derived something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// The stream itself (event nodes).
    Stream,
    /// The executive, when an event was folded.
    Fold,
    /// A consolidation pass.
    Pass,
    /// The intent engine.
    Intent,
    /// Feedback of a subscriber.
    Feedback,
    /// An import of an exported graph.
    Import,
}

/// Why something exists.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    pub by: Author,
    /// One sentence for a person.
    pub reason: Arc<str>,
    /// Event nodes it was derived from; bounded, newest kept (see `MAX_GROUNDS`).
    pub grounded_in: Vec<NodeId>,
}

/// At most this many grounds are kept on a node or an edge; GROUNDS edges hold the full membership.
pub const MAX_GROUNDS: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: NodeId,
    pub kind: NodeKind,
    pub title: Arc<str>,
    /// Description of a derived node; empty for events, whose text stands in the body.
    pub text: Arc<str>,
    /// Event time; for derived nodes the event time of the newest ground.
    pub time: Ts,
    /// Stream clock when the node was made.
    pub created: Ts,
    /// Stream clock when it was last reinforced, updated or read.
    pub touched: Ts,
    pub access: u32,
    pub pinned: bool,
    pub archived: bool,
    pub provenance: Provenance,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Event(Arc<Event>),
    Concept(Concept),
    Intent(Box<Intent>),
    Time(TimeAnchor),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concept {
    pub keywords: Vec<Arc<str>>,
    /// Confidence in the title, 0 to 1.
    pub confidence: f32,
    /// Distinct members by GROUNDS or REINFORCES. Kept by the graph; what a plan says is ignored.
    pub size: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TimeAnchor {
    pub start: Ts,
    pub end: Ts,
    pub granularity: Granularity,
    pub deadline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntentStatus {
    Pending,
    ActionScheduled,
    Deferred,
    Resolved,
    Rejected,
    Retracted,
    Expired,
}

impl Body {
    /// The kind of node that carries this body.
    pub fn kind(&self) -> NodeKind {
        match self {
            Body::Event(_) => NodeKind::Event,
            Body::Concept(_) => NodeKind::Concept,
            Body::Intent(_) => NodeKind::Intent,
            Body::Time(_) => NodeKind::Time,
        }
    }
}

impl IntentStatus {
    pub const ALL: [IntentStatus; 7] = [
        IntentStatus::Pending,
        IntentStatus::ActionScheduled,
        IntentStatus::Deferred,
        IntentStatus::Resolved,
        IntentStatus::Rejected,
        IntentStatus::Retracted,
        IntentStatus::Expired,
    ];

    pub fn name(self) -> &'static str {
        match self {
            IntentStatus::Pending => "pending",
            IntentStatus::ActionScheduled => "action_scheduled",
            IntentStatus::Deferred => "deferred",
            IntentStatus::Resolved => "resolved",
            IntentStatus::Rejected => "rejected",
            IntentStatus::Retracted => "retracted",
            IntentStatus::Expired => "expired",
        }
    }

    pub fn is_open(self) -> bool {
        matches!(
            self,
            IntentStatus::Pending | IntentStatus::ActionScheduled | IntentStatus::Deferred
        )
    }
}

/// The goal an intent node stands for (DESIGN section 4, intent record).
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// Category under which thresholds are calibrated.
    pub category: Arc<str>,
    /// Named trigger: `deadline`, `recurrence`, `burst`, ...
    pub trigger: Arc<str>,
    pub status: IntentStatus,
    /// Position in the space's intent log of the newest change; 1 is the first.
    pub seq: u64,
    pub urgency: f32,
    pub priority: f32,
    pub density: f32,
    pub threshold: f32,
    pub concepts: Vec<NodeId>,
    /// Event nodes.
    pub evidence: Vec<NodeId>,
    pub deadline: Option<Ts>,
    pub reason: Arc<str>,
    /// Stream clock at emission.
    pub emitted_at: Ts,
    pub updated_at: Ts,
    pub deferred_until: Option<Ts>,
}

/// Identity of an edge: source, target, kind.
pub type EdgeKey = (NodeIx, NodeIx, EdgeKind);

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub source: NodeIx,
    pub target: NodeIx,
    pub kind: EdgeKind,
    /// Weight at `at`; see [`Edge::effective`].
    pub weight: f32,
    /// Last reinforced, on the stream clock.
    pub at: Ts,
    pub created: Ts,
    /// Made by completion, not by evidence: may be taken away again.
    pub inferred: bool,
    pub provenance: Provenance,
}

impl Edge {
    /// Source, target and kind: no two edges share it.
    pub fn key(&self) -> EdgeKey {
        (self.source, self.target, self.kind)
    }

    /// Weight decayed to `now` (exponential, `per_hour`), never below zero; before `at` it is `weight`.
    pub fn effective(&self, now: Ts, per_hour: f64) -> f32 {
        // Saturating: an instant at the end of the range must not overflow the difference.
        let hours = now.0.saturating_sub(self.at.0).max(0) as f64 / Ts::HOUR as f64;
        (f64::from(self.weight) * (-per_hour * hours).exp()) as f32
    }
}
