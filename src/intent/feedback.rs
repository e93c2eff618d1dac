//! What subscribers say of an intent, and what follows.
//!
//! Accepting schedules it, rejecting closes it, deferring puts it to sleep, modifying changes its words. Each verdict
//! teaches the category once; a verdict that changes nothing is a repeat, succeeds and teaches nothing. The
//! verdict is told in the intent's text, so it can be explained later.

use super::calibration::CATEGORIES;
use super::engine::IntentEngine;
use super::lifecycle::{live, may};
use super::state::Open;
use super::track::Taught;
use super::wording::{Trigger, quote, with_feedback};
use super::{Feedback, Verdict};
use crate::event::Ts;
use crate::graph::{Author, Body, Graph, Intent, IntentStatus, Node, NodeId, NodePatch, Plan, Resolved};

/// Why feedback was not taken. Never worth a retry.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FeedbackError {
    #[error("no intent {id} in this space")]
    Unknown { id: String },
    #[error("{id} was erased")]
    Erased { id: String },
    #[error("{id} is not an intent")]
    NotAnIntent { id: String },
    #[error("the intent is {}, which no feedback changes", status.name())]
    Closed { status: IntentStatus },
    #[error("`until` must be later than now ({now})")]
    Until { now: String },
    #[error("priority {priority} is not from 0 to 1")]
    Priority { priority: f32 },
    #[error("no category {category}; there are {}", CATEGORIES.join(", "))]
    Category { category: String },
    #[error("a modification changes title, priority or category, and a title is not empty")]
    Nothing,
}

impl IntentEngine {
    /// Takes a verdict. Constant cost.
    ///
    /// # Errors
    /// See [`FeedbackError`]; nothing changed then.
    pub fn feedback(&mut self, graph: &Graph, now: Ts, said: &Feedback) -> Result<Vec<Plan>, FeedbackError> {
        let (node, intent) = find(graph, &said.intent)?;
        let Some((next, patch)) = self.outcome(now, node, intent, said)? else {
            return Ok(Vec::new());
        };
        // The trigger learns, whatever category a subscriber put the intent into: it is what will speak again.
        if let Some(category) = Trigger::of(&intent.trigger).map(Trigger::category) {
            let mut calibration = self.state.category(category);
            calibration.learn(said.verdict, &self.settings);
            self.state.put_category(category, calibration);
        }
        if said.verdict == Verdict::Modify {
            self.teach(graph, intent, said);
        }
        let told = with_feedback(&node.text, now, word(said.verdict), said.note.as_deref());
        let patch = NodePatch {
            text: Some(told.into()),
            ..patch
        };
        let mut plan = self.change(
            graph,
            now,
            node,
            next,
            patch,
            &format!("a subscriber {} it", word(said.verdict)),
        );
        plan.by = Author::Feedback;
        if said.verdict == Verdict::Modify
            && let Some(open) = self.state.open(node.id.as_str()).cloned()
        {
            let open = Open {
                priority_set: open.priority_set || said.priority.is_some(),
                title_set: open.title_set || said.title.is_some(),
                ..open
            };
            self.state.put_open(node.id.0.clone(), Some(open));
        }
        Ok(vec![plan])
    }

    /// A modification holds for the next intents of the same concept and trigger, too.
    fn teach(&mut self, graph: &Graph, intent: &Intent, said: &Feedback) {
        let concept = intent.concepts.first().and_then(|id| live(graph, id));
        if let (Some(concept), Some(trigger)) = (concept, Trigger::of(&intent.trigger))
            && let Some(track) = self.state.track_mut(concept)
        {
            track.teach(Taught {
                trigger,
                title: said.title.as_deref().map(quote),
                category: said.category.clone(),
                priority: said.priority,
            });
        }
    }

    /// The intent after the verdict; `None` when it says what is so already.
    fn outcome(
        &self,
        now: Ts,
        node: &Node,
        intent: &Intent,
        said: &Feedback,
    ) -> Result<Option<(Intent, NodePatch)>, FeedbackError> {
        let mut next = intent.clone();
        let mut patch = NodePatch::default();
        match said.verdict {
            Verdict::Accept => next.status = IntentStatus::ActionScheduled,
            Verdict::Reject => next.status = IntentStatus::Rejected,
            Verdict::Defer => {
                let default = Ts(now
                    .0
                    .saturating_add((self.settings.defer_hours * Ts::HOUR as f64) as i64));
                let repeat = intent.status == IntentStatus::Deferred
                    && said.until.is_none_or(|t| intent.deferred_until == Some(t));
                if repeat {
                    return Ok(None);
                }
                next.status = IntentStatus::Deferred;
                next.deferred_until = Some(said.until.unwrap_or(default));
                if next.deferred_until <= Some(now) {
                    return Err(FeedbackError::Until { now: now.rfc3339() });
                }
            }
            Verdict::Modify => modify(node, &mut next, &mut patch, said)?,
        }
        if said.verdict != Verdict::Defer {
            next.deferred_until = next
                .deferred_until
                .filter(|_| next.status == IntentStatus::Deferred);
        }
        if next == *intent && patch == NodePatch::default() {
            return Ok(None);
        }
        let legal = if next.status == intent.status && next.status != IntentStatus::Deferred {
            intent.status.is_open()
        } else {
            may(intent.status, next.status)
        };
        if legal {
            Ok(Some((next, patch)))
        } else {
            Err(FeedbackError::Closed {
                status: intent.status,
            })
        }
    }
}

fn modify(
    node: &Node,
    next: &mut Intent,
    patch: &mut NodePatch,
    said: &Feedback,
) -> Result<(), FeedbackError> {
    let title = said.title.as_deref().map(quote);
    if title.as_deref() == Some("") || (title.is_none() && said.priority.is_none() && said.category.is_none())
    {
        return Err(FeedbackError::Nothing);
    }
    if let Some(priority) = said.priority {
        if !(0.0..=1.0).contains(&priority) {
            return Err(FeedbackError::Priority { priority });
        }
        next.priority = priority;
    }
    if let Some(category) = &said.category {
        if !CATEGORIES.contains(&category.as_str()) {
            return Err(FeedbackError::Category {
                category: category.clone(),
            });
        }
        next.category = category.as_str().into();
    }
    patch.title = title.filter(|t| *t != *node.title).map(Into::into);
    Ok(())
}

fn find<'a>(graph: &'a Graph, id: &str) -> Result<(&'a Node, &'a Intent), FeedbackError> {
    let unknown = || FeedbackError::Unknown { id: id.to_owned() };
    if graph.resolve(id) == Resolved::Erased {
        return Err(FeedbackError::Erased { id: id.to_owned() });
    }
    let node = live(graph, &NodeId(id.into()))
        .and_then(|ix| graph.node(ix))
        .ok_or_else(unknown)?;
    match &node.body {
        Body::Intent(intent) => Ok((node, intent)),
        _ => Err(FeedbackError::NotAnIntent { id: id.to_owned() }),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "accepted",
        Verdict::Modify => "modified",
        Verdict::Defer => "deferred",
        Verdict::Reject => "rejected",
    }
}
