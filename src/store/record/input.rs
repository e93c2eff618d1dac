//! The journal: inputs in the order in which they were applied.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::EventRecord;
use super::{RecordError, decode, encode};
use crate::event::{Event, Ts};
use crate::graph::NodeId;
use crate::intent::{Feedback, Verdict};
use crate::space::{Erase, JournalInput};

/// One committed batch: inputs with the space each belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalBatch {
    pub inputs: Vec<(Arc<str>, JournalInput)>,
}

#[derive(Serialize, Deserialize)]
struct BatchRecord {
    spaces: Vec<String>,
    inputs: Vec<(u32, InputRecord)>,
}

#[derive(Serialize, Deserialize)]
enum InputRecord {
    Event(EventRecord),
    /// An event that was erased later: its node id alone is left.
    Gone {
        node: String,
    },
    Feedback(FeedbackRecord),
    Erase {
        event_ids: Vec<String>,
        source: Option<String>,
        actor: Option<String>,
        before: Option<i64>,
        all: bool,
    },
    Tick {
        elapsed_ms: i64,
    },
    Access {
        nodes: Vec<String>,
    },
}

#[derive(Serialize, Deserialize)]
struct FeedbackRecord {
    intent: String,
    verdict: u8,
    note: Option<String>,
    title: Option<String>,
    priority: Option<f32>,
    category: Option<String>,
    until: Option<i64>,
}

pub fn encode_journal(batch: &JournalBatch) -> Vec<u8> {
    let mut spaces: Vec<String> = Vec::new();
    let mut inputs = Vec::with_capacity(batch.inputs.len());
    for (space, input) in &batch.inputs {
        let n = match spaces.iter().position(|s| **s == **space) {
            Some(n) => n,
            None => {
                spaces.push(space.to_string());
                spaces.len() - 1
            }
        };
        inputs.push((n as u32, input_record(input)));
    }
    encode(&BatchRecord { spaces, inputs })
}

pub fn decode_journal(bytes: &[u8]) -> Result<JournalBatch, RecordError> {
    let r: BatchRecord = decode("journal", bytes)?;
    let spaces: Vec<Arc<str>> = r.spaces.into_iter().map(Into::into).collect();
    let inputs = r
        .inputs
        .into_iter()
        .map(|(n, i)| {
            let space = spaces.get(n as usize).cloned().ok_or(RecordError {
                what: "journal",
                reason: format!("space number {n} is unknown"),
            })?;
            let input = input_of(i, &space)?;
            Ok((space, input))
        })
        .collect::<Result<_, RecordError>>()?;
    Ok(JournalBatch { inputs })
}

fn input_record(input: &JournalInput) -> InputRecord {
    match input {
        JournalInput::Event(e) => InputRecord::Event(EventRecord::of(e)),
        JournalInput::Gone(node) => InputRecord::Gone {
            node: node.to_string(),
        },
        JournalInput::Feedback(f) => InputRecord::Feedback(FeedbackRecord {
            intent: f.intent.to_string(),
            verdict: match f.verdict {
                Verdict::Accept => 0,
                Verdict::Modify => 1,
                Verdict::Defer => 2,
                Verdict::Reject => 3,
            },
            note: f.note.clone(),
            title: f.title.clone(),
            priority: f.priority,
            category: f.category.clone(),
            until: f.until.map(|t| t.0),
        }),
        JournalInput::Erase(e) => InputRecord::Erase {
            event_ids: e.event_ids.clone(),
            source: e.source.clone(),
            actor: e.actor.clone(),
            before: e.before.map(|t| t.0),
            all: e.all,
        },
        JournalInput::Tick { elapsed_ms } => InputRecord::Tick {
            elapsed_ms: *elapsed_ms,
        },
        JournalInput::Access(nodes) => InputRecord::Access {
            nodes: nodes.iter().map(|n| n.to_string()).collect(),
        },
    }
}

fn input_of(r: InputRecord, space: &Arc<str>) -> Result<JournalInput, RecordError> {
    Ok(match r {
        InputRecord::Event(e) => JournalInput::Event(Arc::<Event>::new(e.into_event(space)?)),
        InputRecord::Gone { node } => JournalInput::Gone(NodeId(node.into())),
        InputRecord::Feedback(f) => JournalInput::Feedback(Feedback {
            intent: f.intent.into(),
            verdict: match f.verdict {
                0 => Verdict::Accept,
                1 => Verdict::Modify,
                2 => Verdict::Defer,
                3 => Verdict::Reject,
                v => {
                    return Err(RecordError {
                        what: "feedback",
                        reason: format!("unknown verdict {v}"),
                    });
                }
            },
            note: f.note,
            title: f.title,
            priority: f.priority,
            category: f.category,
            until: f.until.map(Ts),
        }),
        InputRecord::Erase {
            event_ids,
            source,
            actor,
            before,
            all,
        } => JournalInput::Erase(Erase {
            event_ids,
            source,
            actor,
            before: before.map(Ts),
            all,
        }),
        InputRecord::Tick { elapsed_ms } => JournalInput::Tick { elapsed_ms },
        InputRecord::Access { nodes } => {
            JournalInput::Access(nodes.into_iter().map(|n| NodeId(n.into())).collect())
        }
    })
}
