//! Recall: question in, evidence out: router (mode, payload, gates), ranking, lanes, packing,
//! abstention, trace.
//!
//! Reads snapshots only, so it never waits for the writer. Ranking does not depend on the mode: a
//! wrong mode may cost order or rendering, not the evidence. Same query on the same snapshot, same answer.
//! Knows graph, index, distill. Must not know disk, sockets, clocks.

mod abstain;
mod answer;
mod candidates;
mod claims;
mod excerpt;
mod lexical;
mod mode;
mod pack;
mod procedure;
mod question;
mod rank;
mod settings;
mod trace;
mod versions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashSet;

pub use answer::{Answer, answer};
pub use mode::{Mode, Payload, Procedure};
pub use settings::{Settings, Weights};
pub use trace::{Gate, ModeSource, Trace};

use crate::distill::{Claim, DistillView, Profile};
use crate::embed::Models;
use crate::event::Ts;
use crate::graph::{GraphView, NodeId, NodeIx};
use crate::index::IndexView;
use mode::Signals;
use rank::{Ranker, Ranking};

/// What a recall reads.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    pub graph: &'a GraphView,
    pub index: &'a IndexView,
    /// What the events state.
    pub distill: &'a DistillView,
    /// Stream clock of the space; stands in when the query has no `now`.
    pub now: Ts,
}

/// How much the router may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Mode, payload and gates as DESIGN section 8 has them.
    #[default]
    Routed,
    /// Always the direct procedure, no gates: the baseline to compare with.
    Direct,
}

impl Policy {
    pub fn name(self) -> &'static str {
        match self {
            Policy::Routed => "routed",
            Policy::Direct => "direct",
        }
    }

    pub fn parse(name: &str) -> Option<Policy> {
        [Policy::Routed, Policy::Direct]
            .into_iter()
            .find(|p| p.name().eq_ignore_ascii_case(name))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Query {
    pub text: String,
    /// `None`: the classifier chooses.
    pub mode: Option<Mode>,
    /// `None`: the setting.
    pub budget_tokens: Option<usize>,
    /// Against which relative dates of the question are resolved.
    pub now: Option<Ts>,
    /// Hides events after it.
    pub as_of: Option<Ts>,
    pub policy: Policy,
    /// Keeps the question's terms in the trace.
    pub explain: bool,
}

/// One section of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Events by relevance.
    Evidence,
    /// Events a newer one replaces.
    Superseded,
}

impl Lane {
    pub fn name(self) -> &'static str {
        match self {
            Lane::Evidence => "evidence",
            Lane::Superseded => "superseded",
        }
    }
}

/// A piece of evidence; its text stands in the context.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub ix: NodeIx,
    pub node: NodeId,
    pub event_id: Option<Arc<str>>,
    pub time: Ts,
    pub lane: Lane,
    /// Standard deviations above the mean event, after the second stage.
    pub score: f32,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Recalled {
    pub mode: Mode,
    pub procedure: Procedure,
    /// Memory holds no answer; `note` says why, and the pack still holds what came nearest.
    pub abstain: bool,
    pub note: Option<String>,
    pub context: String,
    /// o200k tokens of `context`, exact; never above the budget.
    pub tokens: usize,
    /// Best first.
    pub items: Vec<Item>,
    /// Claims that the question asks for (when `asked`), best first, older versions behind the one that holds; then
    /// what the best hits state.
    pub claims: Vec<Claim>,
    /// The first claims are asked for.
    pub asked: bool,
    /// Cards of those whom the question names.
    pub profiles: Vec<Profile>,
    pub trace: Trace,
}

/// Answers a query from a snapshot. Cost: the postings of its words up to the budget of the
/// settings, and at most `candidates` events scored (all in a small space).
pub fn recall(snap: &Snapshot<'_>, query: &Query, settings: &Settings, models: &Models) -> Recalled {
    let now = query.now.unwrap_or(snap.now);
    let mut trace = Trace {
        policy: query.policy.name(),
        events: snap.index.len(),
        ..Trace::default()
    };
    let rank = |widen| {
        let ranker = Ranker::new(snap.index, settings, models, &query.text, now, query.as_of, widen);
        let ranking = ranker.rank();
        (ranker, ranking)
    };
    let (mut ranker, mut ranking) = rank(false);
    let weak = !abstain::leads_anywhere(&ranker);
    if weak && query.policy == Policy::Routed {
        trace.fallbacks.push("widened");
        (ranker, ranking) = rank(true);
    }
    let grounds = claims::Grounds::of(snap, &ranker, query.as_of);
    let mut changes = versions::changes(snap.index, &ranking.order, settings.version_closeness_cued);
    changes.extend(grounds.changes(&ranking));

    let signals = Signals {
        asks_when: ranker.question.asks_when,
        names_period: !ranker.question.periods.is_empty(),
        superseded: procedure::leads(&ranking, &changes),
        labelled: procedure::labelled(snap.index, &ranking),
    };
    let mode = match query.mode {
        Some(mode) => {
            trace.mode_source = ModeSource::Explicit;
            mode
        }
        None => {
            let (mode, scores) = mode::classify(&query.text, signals);
            trace.mode_scores = scores;
            mode
        }
    };
    let mut payload = Payload::of(mode);
    (trace.payload, trace.payload_hash) = (payload.id, payload.hash.clone());
    if query.policy == Policy::Routed {
        trace.gates = procedure::gates(&mut payload, query, weak);
    } else {
        payload.tier = Procedure::Direct;
    }
    ranking = procedure::run(&payload, &ranker, ranking);
    if query.policy == Policy::Routed {
        grounds.lift(&payload, settings, &mut ranking);
    }
    if !mode::asks_newest(&query.text) && query.mode != Some(Mode::LatestVersionResolution) {
        // Only a question that says so is about the newest of two events that may be of two things.
        changes.retain(|c| c.closeness > settings.version_closeness);
    }
    if payload.newest_first {
        versions::newest_first(&mut ranking.order, &changes);
    }
    let superseded: FxHashSet<u32> = changes
        .iter()
        .map(|c| c.older)
        .filter(|_| payload.newest_first)
        .collect();
    finish(
        snap, query, settings, &ranker, ranking, superseded, mode, payload, &grounds, trace,
    )
}

#[allow(clippy::too_many_arguments)]
fn finish(
    snap: &Snapshot<'_>,
    query: &Query,
    settings: &Settings,
    ranker: &Ranker<'_>,
    ranking: Ranking,
    superseded: FxHashSet<u32>,
    mode: Mode,
    payload: Payload,
    grounds: &claims::Grounds<'_>,
    mut trace: Trace,
) -> Recalled {
    let budget = query.budget_tokens.unwrap_or(settings.budget_tokens);
    let facts = match query.policy {
        Policy::Routed => grounds.facts(ranker, budget),
        Policy::Direct => String::new(),
    };
    let packer = pack::Packer {
        view: snap.index,
        question: &ranker.question,
        talk: ranker.chat > settings.conversation_above,
        budget,
        max_items: settings.max_items,
        superseded: &superseded,
        facts: &facts,
    };
    let packed = packer.pack(&ranking.order);
    let note = abstain::reason(ranker, &ranking).or_else(|| grounds.about_another(ranker, &ranking));
    trace.procedure = Some(payload.tier);
    trace.scored = ranking.looked_at;
    trace.best_lexical = if ranking.best_lexical > 1e-6 {
        ranking.best_lexical
    } else {
        0.0
    };
    (trace.packed, trace.skipped, trace.repeats) = (packed.taken.len(), packed.skipped, packed.repeats);
    trace.tokens = packed.tokens;
    trace.names = ranker.names.iter().map(|n| n.0.clone()).collect();
    if query.explain {
        let terms = ranker.question.terms.iter().zip(&ranker.wanted);
        trace.terms = terms
            .map(|(t, w)| (t.stem.clone(), t.weight, w.matches()))
            .collect();
    }
    Recalled {
        mode,
        procedure: payload.tier,
        abstain: note.is_some(),
        note,
        tokens: packed.tokens,
        items: packed.taken.iter().filter_map(|t| item(snap.index, t)).collect(),
        context: packed.context,
        claims: grounds.claims(&ranking),
        asked: grounds.answers(),
        profiles: grounds.profiles(ranker),
        trace,
    }
}

fn item(view: &IndexView, taken: &pack::Taken) -> Option<Item> {
    let entry = view.row(taken.pos)?.entry.as_ref()?;
    let event = &entry.event;
    Some(Item {
        ix: entry.ix,
        node: NodeId::of_event(&event.space, &event.source, &event.id),
        event_id: Some(event.id.as_str().into()),
        time: event.time,
        lane: if taken.superseded {
            Lane::Superseded
        } else {
            Lane::Evidence
        },
        score: taken.score,
        text: taken.text().to_owned(),
    })
}
