//! Receipts: what became of one event.

use serde_json::{Map, Value};

use super::Rejection;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiptStatus {
    /// New, and durable.
    Stored,
    /// An event with this identity is there; nothing changed.
    Duplicate,
    /// Not taken; `reason` says why.
    Rejected,
    /// This identity was erased on request and stays erased.
    Erased,
}

impl ReceiptStatus {
    pub const ALL: [ReceiptStatus; 4] = [
        ReceiptStatus::Stored,
        ReceiptStatus::Duplicate,
        ReceiptStatus::Rejected,
        ReceiptStatus::Erased,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ReceiptStatus::Stored => "stored",
            ReceiptStatus::Duplicate => "duplicate",
            ReceiptStatus::Rejected => "rejected",
            ReceiptStatus::Erased => "erased",
        }
    }
}

/// The answer for one event. Receipts of a batch stand in the order of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The producer's id; empty when none could be read.
    pub id: String,
    pub status: ReceiptStatus,
    /// Node id, for what is or was in the graph.
    pub node: Option<String>,
    /// For rejections.
    pub reason: Option<String>,
}

impl Receipt {
    pub fn stored(id: impl Into<String>, node: impl Into<String>) -> Receipt {
        Receipt::of_node(id, ReceiptStatus::Stored, node)
    }

    pub fn duplicate(id: impl Into<String>, node: impl Into<String>) -> Receipt {
        Receipt::of_node(id, ReceiptStatus::Duplicate, node)
    }

    pub fn erased(id: impl Into<String>, node: impl Into<String>) -> Receipt {
        Receipt::of_node(id, ReceiptStatus::Erased, node)
    }

    pub fn rejected(rejection: &Rejection) -> Receipt {
        Receipt {
            id: rejection.id.clone().unwrap_or_default(),
            status: ReceiptStatus::Rejected,
            node: None,
            reason: Some(rejection.reason.clone()),
        }
    }

    fn of_node(id: impl Into<String>, status: ReceiptStatus, node: impl Into<String>) -> Receipt {
        Receipt {
            id: id.into(),
            status,
            node: Some(node.into()),
            reason: None,
        }
    }

    /// As `schemas/receipt.json` describes it.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("id".into(), self.id.as_str().into());
        out.insert("status".into(), self.status.name().into());
        if let Some(node) = &self.node {
            out.insert("node".into(), node.as_str().into());
        }
        if let Some(reason) = &self.reason {
            out.insert("reason".into(), reason.as_str().into());
        }
        Value::Object(out)
    }
}
