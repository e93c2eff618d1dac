//! The shapes of requests and answers, for the OpenAPI document.
//!
//! They describe what the socket's methods take and give; tests hold both against each other.
//! Events, receipts and intents are described by the files in `schemas/`.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{Ref, RefOr, Schema};

/// What stands in `schemas/`, under the names that the document gives it.
pub const CONTRACTS: [(&str, &str); 4] = [
    ("Event", include_str!("../../../schemas/event.json")),
    ("CloudEvent", include_str!("../../../schemas/cloudevent.json")),
    ("Receipt", include_str!("../../../schemas/receipt.json")),
    ("Intent", include_str!("../../../schemas/intent.json")),
];

fn intent() -> RefOr<Schema> {
    Ref::from_schema_name("Intent").into()
}

fn receipts() -> RefOr<Schema> {
    list_of("Receipt")
}

fn intents() -> RefOr<Schema> {
    list_of("Intent")
}

fn list_of(name: &str) -> RefOr<Schema> {
    utoipa::openapi::ArrayBuilder::new()
        .items(Ref::from_schema_name(name))
        .into()
}

fn texts() -> RefOr<Schema> {
    use utoipa::openapi::{ObjectBuilder, Type};
    utoipa::openapi::ArrayBuilder::new()
        .items(ObjectBuilder::new().schema_type(Type::String))
        .into()
}

/// A question.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallRequest {
    /// The question; not empty.
    #[schema(pattern = r"\S")]
    pub query: String,
    /// A mode, or `auto`: the router chooses.
    #[schema(value_type = Option<QueryMode>)]
    pub mode: Option<String>,
    /// Most o200k tokens of `context`.
    #[schema(minimum = 0)]
    pub budget_tokens: Option<u64>,
    /// The present moment of the question.
    #[schema(format = DateTime)]
    pub now: Option<String>,
    /// Answer from what was known at this time.
    #[schema(format = DateTime)]
    pub as_of: Option<String>,
    /// A fixed policy to compare with; `routed` is the default.
    #[schema(value_type = Option<PolicyName>)]
    pub policy: Option<String>,
    /// Add the trace. Such a recall does not count as a use of what it returns.
    pub explain: Option<bool>,
}

#[derive(Serialize, ToSchema)]
#[allow(non_camel_case_types, clippy::upper_case_acronyms)]
pub enum QueryMode {
    auto,
    SINGLE_FACT_LOOKUP,
    TIME_ANCHORED_LOOKUP,
    LATEST_VERSION_RESOLUTION,
    LONG_FORM_SYNTHESIS,
    MULTI_HOP,
    ICL_BROAD_CONTEXT,
    RECOMMENDATION,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PolicyName {
    Routed,
    Direct,
}

#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// Longest wait in milliseconds.
    #[schema(minimum = 0)]
    pub timeout_ms: Option<u64>,
}

#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ack {
    /// The `seq` of the last change that was dealt with.
    #[schema(minimum = 0)]
    pub cursor: u64,
    /// Whose cursor it is.
    pub subscriber: Option<String>,
}

/// A verdict on an intent.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedbackRequest {
    /// Id of the intent.
    pub intent: String,
    pub verdict: VerdictName,
    pub note: Option<String>,
    /// New title (modify).
    pub title: Option<String>,
    /// New priority (modify).
    pub priority: Option<f64>,
    /// New category (modify).
    pub category: Option<String>,
    /// When to come back (defer).
    #[schema(format = DateTime)]
    pub until: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    Accept,
    Modify,
    Defer,
    Reject,
}

/// What to erase: all that match every given field. At least one of `event_id`, `actor`, `before` and `all: true` is needed.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// The producer's id, or a list of them.
    #[schema(schema_with = texts, required = false)]
    pub event_id: Option<Vec<String>>,
    /// Limits `event_id` to one source.
    pub source: Option<String>,
    pub actor: Option<String>,
    /// Event time strictly before.
    #[schema(format = DateTime)]
    pub before: Option<String>,
    /// The whole space.
    pub all: Option<bool>,
    /// Only say what would go.
    pub dry_run: Option<bool>,
}

/// An export, or the part of it that is taken: nodes of type `event`.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Import {
    pub nodes: Vec<Value>,
    /// Not needed.
    pub edges: Option<Vec<Value>>,
    /// Not needed: the space of the path counts.
    pub clock: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Receipts {
    /// One for each event, in order.
    #[schema(schema_with = receipts)]
    pub receipts: Vec<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct Settled {
    pub settled: bool,
    /// Commands that are not durable yet.
    pub backlog: u64,
}

#[derive(Serialize, ToSchema)]
pub struct Recalled {
    pub mode: String,
    pub procedure: String,
    /// Memory does not cover the question.
    pub abstain: bool,
    pub note: Option<String>,
    /// The packed text.
    pub context: String,
    /// o200k tokens of `context`.
    pub tokens: u64,
    /// Best first.
    pub items: Vec<RecalledItem>,
    /// For `explain`.
    pub trace_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct RecalledItem {
    pub node: String,
    pub event_id: Option<String>,
    pub time: String,
    pub lane: String,
    pub score: f64,
    pub text: String,
}

#[derive(Serialize, ToSchema)]
pub struct Answered {
    #[serde(flatten)]
    pub recalled: Recalled,
    pub answer: String,
    /// The producers' ids of the events that the answer stands on.
    pub citations: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Window {
    pub immediate: Vec<WindowNode>,
    pub working: Vec<WindowNode>,
    pub background: Vec<WindowNode>,
}

#[derive(Serialize, ToSchema)]
pub struct WindowNode {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub text: String,
    pub time: String,
    pub score: f64,
}

#[derive(Serialize, ToSchema)]
pub struct Intents {
    #[schema(schema_with = intents)]
    pub intents: Vec<Value>,
    /// The cursor after which the next page begins.
    pub next: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct Acknowledged {
    pub cursor: u64,
}

#[derive(Serialize, ToSchema)]
pub struct FeedbackDone {
    #[schema(schema_with = intent)]
    pub intent: Value,
}

/// The story of a node, or the trace of a recall.
#[derive(Serialize, ToSchema)]
pub struct Story {
    pub id: String,
    /// live, merged or erased; for nodes.
    pub state: Option<String>,
    pub node: Option<Value>,
    pub why: Option<Value>,
    pub trace: Option<Value>,
}

#[derive(Serialize, ToSchema)]
pub struct Forgotten {
    pub dry_run: bool,
    /// Event nodes.
    pub erased: Vec<String>,
    /// Derived nodes that went with them.
    pub derived: Vec<String>,
    /// Derived nodes that were rebuilt without them.
    pub rebuilt: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Export {
    pub space: String,
    /// The stream clock.
    pub clock: String,
    pub nodes: Vec<ExportNode>,
    pub edges: Vec<ExportEdge>,
}

#[derive(Serialize, ToSchema)]
pub struct ExportNode {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub text: String,
    pub time: String,
}

#[derive(Serialize, ToSchema)]
pub struct ExportEdge {
    pub source: String,
    pub target: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub weight: f64,
}

#[derive(Serialize, ToSchema)]
pub struct Status {
    pub version: String,
    pub counts: Counts,
    pub spaces: u64,
    /// Records in Kafka that are not read yet.
    pub lag: i64,
    pub backlog: u64,
    pub backlog_age_ms: i64,
    pub last_pass: Option<String>,
    pub degraded: Vec<String>,
    pub shards: Vec<Value>,
    pub embedder: Value,
    /// Events stored since the start of the process.
    pub stored: u64,
    pub dead_letters: u64,
    pub uptime_s: u64,
    pub digest: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Counts {
    pub events: u64,
    pub concepts: u64,
    pub intents: u64,
    pub times: u64,
    pub edges: u64,
}

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
pub struct ProblemDetails {
    /// `urn:gyrus:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub status: u16,
    /// What is wrong, in a sentence.
    pub detail: String,
    /// Stable; programs may match on it.
    pub code: String,
}
