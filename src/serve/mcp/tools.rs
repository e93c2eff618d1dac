//! The tools: what a model is told of each, and which method each calls.
//!
//! Schemas are plain: objects of strings, numbers and booleans, no unions, since many models and clients
//! stumble over them.

use serde_json::{Map, Value, json};

use crate::recall::Mode;
use crate::serve::RpcError;
use crate::serve::access::Scope;

/// A tool and what it needs.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    /// The method that it calls.
    pub method: &'static str,
    pub scope: Scope,
    pub reads_only: bool,
    pub destroys: bool,
    /// The same call again changes nothing.
    pub repeatable: bool,
    /// Fields and which of them are needed; `space` and `budget_tokens` come to all.
    fields: fn() -> Value,
    needed: &'static [&'static str],
}

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "remember",
        title: "Remember",
        about: "Store something that happened or was said, verbatim. Say who and when if you know. \
                The same text again is recognised and stored once.",
        method: "ingest",
        scope: Scope::Write,
        reads_only: false,
        destroys: false,
        repeatable: true,
        fields: || {
            json!({
                "text": {"type": "string", "description": "What happened or was said, in full sentences"},
                "title": {"type": "string", "description": "A short heading"},
                "actor": {"type": "string", "description": "Who did or said it"},
                "time": {"type": "string", "description": "When it happened, RFC 3339 such as 2026-03-02T08:10:00Z; left out: now"},
                "type": {"type": "string", "description": "Kind of event, such as message, note or ticket"},
                "id": {"type": "string", "description": "Your own id for it; left out: made from the content"}
            })
        },
        needed: &["text"],
    },
    Tool {
        name: "recall",
        title: "Recall",
        about: "Search memory for a question. Returns dated excerpts that fit the token budget and the ids of the \
                events they come from. When memory does not cover the question it says so: then do not guess.",
        method: "recall",
        scope: Scope::Read,
        reads_only: true,
        destroys: false,
        repeatable: true,
        fields: || {
            let modes: Vec<&str> = ["auto"]
                .into_iter()
                .chain(Mode::ALL.iter().map(|m| m.name()))
                .collect();
            json!({
                "query": {"type": "string", "description": "The question, in natural language"},
                "mode": {"type": "string", "enum": modes, "description": "How to look; auto is right unless you know better"},
                "now": {"type": "string", "description": "The present moment of the question, RFC 3339"},
                "as_of": {"type": "string", "description": "Answer from what was known at this time, RFC 3339"}
            })
        },
        needed: &["query"],
    },
    Tool {
        name: "context",
        title: "What matters now",
        about: "What memory holds to be important at this moment, unasked: open intents, active concepts, recent \
                events. Good at the start of a session.",
        method: "context",
        scope: Scope::Read,
        reads_only: true,
        destroys: false,
        repeatable: true,
        fields: || json!({"max_nodes": {"type": "integer", "minimum": 1, "description": "Most things to show"}}),
        needed: &[],
    },
    Tool {
        name: "list_intents",
        title: "Intents",
        about: "What memory thinks needs attention, with the reason, evidence and deadline of each. \
                By default the pending ones, newest change last.",
        method: "intents",
        scope: Scope::Read,
        reads_only: true,
        destroys: false,
        repeatable: true,
        fields: || {
            let statuses: Vec<&str> = ["any"]
                .into_iter()
                .chain(crate::graph::IntentStatus::ALL.iter().map(|s| s.name()))
                .collect();
            json!({
                "status": {"type": "string", "enum": statuses, "description": "Which ones; default pending"},
                "after": {"type": "integer", "minimum": 0, "description": "Only those changed after this cursor (the seq of one you saw)"}
            })
        },
        needed: &[],
    },
    Tool {
        name: "give_feedback",
        title: "Give feedback",
        about: "Say what became of an intent: accept (it is being done), reject (it was not useful), defer (until a \
                time) or modify (title, priority, category). Memory learns from it what to raise.",
        method: "feedback",
        scope: Scope::Feedback,
        reads_only: false,
        destroys: false,
        repeatable: false,
        fields: || {
            json!({
                "intent": {"type": "string", "description": "Id of the intent, i-…"},
                "verdict": {"type": "string", "enum": ["accept", "modify", "defer", "reject"], "description": "What became of it"},
                "note": {"type": "string", "description": "Why"},
                "until": {"type": "string", "description": "For defer: when to come back, RFC 3339"},
                "title": {"type": "string", "description": "For modify: new title"},
                "priority": {"type": "number", "minimum": 0, "maximum": 1, "description": "For modify: new priority"},
                "category": {"type": "string", "description": "For modify: new category"}
            })
        },
        needed: &["intent", "verdict"],
    },
    Tool {
        name: "explain",
        title: "Explain",
        about: "Why something is in memory, or why a recall returned what it did. Takes the id of an event (e-), \
                concept (c-), intent (i-), time (t-) or recall trace (q-).",
        method: "explain",
        scope: Scope::Read,
        reads_only: true,
        destroys: false,
        repeatable: true,
        fields: || json!({"id": {"type": "string", "description": "The id, such as i-0123…"}}),
        needed: &["id"],
    },
    Tool {
        name: "forget",
        title: "Forget",
        about: "Erase events for good, and all that came only from them. Cannot be undone. Call it with dry_run \
                first and ask the user.",
        method: "forget",
        scope: Scope::Admin,
        reads_only: false,
        destroys: true,
        repeatable: true,
        fields: || {
            json!({
                "event_id": {"type": "string", "description": "The producer's id of the event"},
                "actor": {"type": "string", "description": "All events of this actor"},
                "before": {"type": "string", "description": "All events dated before this time, RFC 3339"},
                "dry_run": {"type": "boolean", "description": "Only say what would go"}
            })
        },
        needed: &[],
    },
    Tool {
        name: "status",
        title: "Status",
        about: "How much memory holds of this space, and whether it keeps up with its input.",
        method: "status",
        scope: Scope::Read,
        reads_only: true,
        destroys: false,
        repeatable: true,
        fields: || json!({}),
        needed: &[],
    },
];

impl Tool {
    /// JSON Schema of the arguments.
    pub fn schema(&self, space: &str, budget: usize, max_budget: usize) -> Map<String, Value> {
        let mut fields = (self.fields)();
        fields["space"] = json!({
            "type": "string",
            "description": format!("The memory space; left out: {space}"),
        });
        fields["budget_tokens"] = json!({
            "type": "integer",
            "minimum": 100,
            "maximum": max_budget,
            "description": format!("Most tokens of the answer; left out: {budget}"),
        });
        let schema = json!({
            "type": "object",
            "properties": fields,
            "required": self.needed,
            "additionalProperties": false,
        });
        match schema {
            Value::Object(m) => m,
            _ => Map::new(),
        }
    }

    /// The parameters of the method, out of the arguments without `space` and `budget_tokens`.
    ///
    /// # Errors
    /// `invalid_params` for arguments that the tool does not have.
    pub fn params(&self, space: &str, args: Map<String, Value>) -> Result<Value, RpcError> {
        let known = (self.fields)();
        if let Some(name) = args.keys().find(|k| known.get(k.as_str()).is_none()) {
            return Err(RpcError::params(format!(
                "`{}` has no argument `{name}`",
                self.name
            )));
        }
        if let Some(name) = self
            .needed
            .iter()
            .find(|n| args.get(**n).is_none_or(Value::is_null))
        {
            return Err(RpcError::params(format!("`{name}` is needed")));
        }
        let mut out = args;
        match self.name {
            "remember" => {
                return Ok(json!({"space": space, "events": [event(out)]}));
            }
            "list_intents" => match out.get("status").and_then(Value::as_str) {
                None => drop(out.insert("status".into(), "pending".into())),
                Some("any") => drop(out.remove("status")),
                Some(_) => {}
            },
            _ => {}
        }
        out.insert("space".into(), space.into());
        Ok(Value::Object(out))
    }
}

/// An event out of the arguments of `remember`. Without an id it gets one of its content, so that the same again,
/// such as after a lost answer, is stored once.
fn event(mut args: Map<String, Value>) -> Value {
    args.retain(|_, v| !v.is_null());
    if !args.contains_key("id") {
        let mut h = blake3::Hasher::new();
        for name in ["text", "title", "actor", "time", "type"] {
            let part = args.get(name).map(Value::to_string).unwrap_or_default();
            h.update(&(part.len() as u64).to_le_bytes());
            h.update(part.as_bytes());
        }
        args.insert("id".into(), format!("m-{}", &h.finalize().to_hex()[..20]).into());
    }
    args.insert("source".into(), "mcp".into());
    Value::Object(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_plain() {
        fn walk(tool: &str, v: &Value) {
            match v {
                Value::Object(m) => {
                    for key in ["anyOf", "oneOf", "allOf", "$ref", "not", "if"] {
                        assert!(!m.contains_key(key), "{tool}: {key}");
                    }
                    if let Some(t) = m.get("type") {
                        // A field may be called `type`; then it is described by an object.
                        assert!(t.is_string() || t.is_object(), "{tool}: {t}");
                    }
                    m.values().for_each(|v| walk(tool, v));
                }
                Value::Array(a) => a.iter().for_each(|v| walk(tool, v)),
                _ => {}
            }
        }
        for t in TOOLS {
            let schema = Value::Object(t.schema("default", 2_000, 16_000));
            walk(t.name, &schema);
            for (name, field) in schema["properties"].as_object().unwrap() {
                assert!(
                    field["description"].is_string() && field["type"].is_string(),
                    "{}.{name}",
                    t.name
                );
            }
        }
        assert_eq!(TOOLS.iter().filter(|t| t.destroys).count(), 1);
    }

    #[test]
    fn the_same_memory_gets_the_same_id() {
        let remember = &TOOLS[0];
        let params = |args: Value| remember.params("s", args.as_object().unwrap().clone());
        let id = |args: Value| params(args).unwrap()["events"][0]["id"].clone();
        assert_eq!(id(json!({"text": "a"})), id(json!({"text": "a", "title": null})));
        assert_ne!(
            id(json!({"text": "a"})),
            id(json!({"text": "a", "time": "2026-01-01T00:00:00Z"}))
        );
        assert_ne!(
            id(json!({"text": "ab", "title": "c"})),
            id(json!({"text": "a", "title": "bc"}))
        );
        assert!(
            params(json!({"text": "a", "tekst": "b"}))
                .unwrap_err()
                .message
                .contains("tekst")
        );
        assert!(params(json!({})).unwrap_err().message.contains("text"));
    }
}
