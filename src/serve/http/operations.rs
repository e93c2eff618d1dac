//! Every operation over HTTP, in one table: the routes and the OpenAPI document are both made of it.
//!
//! Names, parameters and answers are those of the socket's methods (DESIGN section 4).

use crate::serve::access::Scope;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
}

/// What a value of the query string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number from 0.
    Count,
    Bool,
    Text,
    /// RFC 3339 with an offset.
    Time,
    /// Status of an intent.
    Status,
}

/// A parameter in the query string.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub about: &'static str,
}

/// What a request carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    Nothing,
    /// A JSON object of parameters: the schema's name. The flag: it may be left out.
    Object(&'static str, bool),
    /// Events, in any of their forms.
    Events,
}

/// What the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// JSON: the schema's name.
    Json(&'static str),
    /// Server-sent events.
    Stream,
}

#[derive(Debug)]
pub struct Operation {
    /// The socket's method, and the operation id.
    pub name: &'static str,
    pub verb: Verb,
    pub path: &'static str,
    pub scope: Scope,
    pub query: &'static [Param],
    pub carries: Carries,
    pub answers: Answers,
    pub summary: &'static str,
    pub about: &'static str,
    /// Codes of errors besides those that every operation may give.
    pub errors: &'static [&'static str],
}

impl Operation {
    pub fn of_a_space(&self) -> bool {
        self.path.contains("{space}")
    }
}

const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Param {
    Param {
        name,
        kind,
        required: false,
        about,
    }
}

const DIGEST: Param = optional(
    "digest",
    Kind::Bool,
    "Add a hash of the whole logical state. Costs a walk over it.",
);

const AFTER: Param = optional("after", Kind::Count, "Only changes after this cursor (`seq`).");

pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "ingest",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/ingest",
        scope: Scope::Write,
        query: &[],
        carries: Carries::Events,
        answers: Answers::Json("Receipts"),
        summary: "Store events",
        about: "Takes one native event or a list of them, NDJSON, or CloudEvents 1.0 in structured, batched or \
                binary form. Answers when they are durable, with one receipt for each event in its order: a refused \
                event costs only itself. The same identity (space, source, id) again is a duplicate, so a request \
                may safely be repeated.",
        errors: &["write_failed", "embedder_unavailable"],
    },
    Operation {
        name: "settle",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/settle",
        scope: Scope::Read,
        query: &[],
        carries: Carries::Object("Settle", true),
        answers: Answers::Json("Settled"),
        summary: "Wait until all accepted events are folded, indexed and durable",
        about: "`settled` is false when the time ran out.",
        errors: &[],
    },
    Operation {
        name: "recall",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/recall",
        scope: Scope::Read,
        query: &[],
        carries: Carries::Object("RecallRequest", false),
        answers: Answers::Json("Recalled"),
        summary: "Evidence for a question, in a token budget",
        about: "`context` is the packed text, dated and chronological; `items` stand in order of relevance.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "answer",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/answer",
        scope: Scope::Read,
        query: &[],
        carries: Carries::Object("RecallRequest", false),
        answers: Answers::Json("Answered"),
        summary: "An answer and its sources",
        about: "As `recall`, with the answer and the events that it stands on.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "context",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/context",
        scope: Scope::Read,
        query: &[
            optional("max_nodes", Kind::Count, "Most nodes."),
            optional("now", Kind::Time, "The present moment."),
        ],
        carries: Carries::Nothing,
        answers: Answers::Json("Window"),
        summary: "The window nobody asked for: what matters now",
        about: "Three tiers of nodes, best first.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "intents",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/intents",
        scope: Scope::Read,
        query: &[
            optional("status", Kind::Status, "Only this status."),
            AFTER,
            optional(
                "limit",
                Kind::Count,
                "Most intents in one page; `next` is there when more follow.",
            ),
        ],
        carries: Carries::Nothing,
        answers: Answers::Json("Intents"),
        summary: "What needs attention, and why",
        about: "In order of the newest change. The next page begins `after` the cursor in `next`.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "subscribe",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/subscribe",
        scope: Scope::Read,
        query: &[
            AFTER,
            optional(
                "subscriber",
                Kind::Text,
                "Whose acknowledged cursor to begin from when neither `after` nor Last-Event-ID is there.",
            ),
        ],
        carries: Carries::Nothing,
        answers: Answers::Stream,
        summary: "Intent changes as server-sent events",
        about: "Each event is named `intent`, its data is the intent record and its id the cursor. A client that \
                comes back sends the last id as Last-Event-ID and misses nothing. What changed several times \
                meanwhile comes in its newest form.",
        errors: &["overloaded"],
    },
    Operation {
        name: "ack",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/ack",
        scope: Scope::Read,
        query: &[],
        carries: Carries::Object("Ack", false),
        answers: Answers::Json("Acknowledged"),
        summary: "Keep a subscriber's cursor",
        about: "Durable when it answers. A later subscription without a cursor begins from it.",
        errors: &["unknown_space", "write_failed"],
    },
    Operation {
        name: "feedback",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/feedback",
        scope: Scope::Feedback,
        query: &[],
        carries: Carries::Object("FeedbackRequest", false),
        answers: Answers::Json("FeedbackDone"),
        summary: "A verdict on an intent; thresholds learn from it",
        about: "Refused when the intent is unknown or closed.",
        errors: &["unknown_space", "refused", "write_failed"],
    },
    Operation {
        name: "explain",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/explain",
        scope: Scope::Read,
        query: &[Param {
            name: "id",
            kind: Kind::Text,
            required: true,
            about: "Id of a node (e-, c-, i-, t-) or of a trace (q-).",
        }],
        carries: Carries::Nothing,
        answers: Answers::Json("Story"),
        summary: "Why a node exists, or why a recall returned what it did",
        about: "Explaining changes nothing.",
        errors: &["unknown_space", "not_found"],
    },
    Operation {
        name: "forget",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/forget",
        scope: Scope::Admin,
        query: &[],
        carries: Carries::Object("Forget", false),
        answers: Answers::Json("Forgotten"),
        summary: "Erase events and all that came only from them",
        about: "What is given must all match. With `dry_run` it only says what would go.",
        errors: &["unknown_space", "write_failed"],
    },
    Operation {
        name: "export",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/export",
        scope: Scope::Read,
        query: &[],
        carries: Carries::Nothing,
        answers: Answers::Json("Export"),
        summary: "The whole space as JSON",
        about: "Nodes and edges in order of creation.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "import",
        verb: Verb::Post,
        path: "/v1/spaces/{space}/import",
        scope: Scope::Write,
        query: &[],
        carries: Carries::Object("Import", false),
        answers: Answers::Json("Receipts"),
        summary: "Take the events of an export",
        about: "Concepts and intents form anew from them.",
        errors: &["write_failed", "embedder_unavailable"],
    },
    Operation {
        name: "status",
        verb: Verb::Get,
        path: "/v1/spaces/{space}/status",
        scope: Scope::Read,
        query: &[DIGEST],
        carries: Carries::Nothing,
        answers: Answers::Json("Status"),
        summary: "How a space is doing",
        about: "Counts are of the space; lag, backlog and shards are of the daemon.",
        errors: &["unknown_space"],
    },
    Operation {
        name: "status",
        verb: Verb::Get,
        path: "/v1/status",
        scope: Scope::Admin,
        query: &[DIGEST],
        carries: Carries::Nothing,
        answers: Answers::Json("Status"),
        summary: "How the daemon is doing",
        about: "Counts are of all spaces.",
        errors: &[],
    },
];
