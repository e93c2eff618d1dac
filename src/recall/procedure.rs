//! Gates, and the procedures behind the payload's tier.

use super::Query;
use super::mode::{self, Payload, Procedure};
use super::rank::{Ranker, Ranking};
use super::trace::Gate;
use super::versions::Change;
use crate::index::IndexView;

/// A replaced fact of which one event is among this many best hits is what the question is about.
const LEADING: usize = 2;

/// Runs every gate in order; each may revise the tier. All are recorded, also those that did not fire.
pub(crate) fn gates(payload: &mut Payload, query: &Query, weak: bool) -> Vec<Gate> {
    let text = &query.text;
    let rules: [(&'static str, bool, Option<Procedure>); 4] = [
        (
            "relation_chain",
            payload.tier == Procedure::Direct && mode::has_chain(text),
            Some(Procedure::MultiHop),
        ),
        (
            "summary_request",
            mode::asks_summary(text),
            Some(Procedure::LongForm),
        ),
        (
            "multiple_choice",
            mode::is_multiple_choice(text),
            Some(Procedure::Direct),
        ),
        ("weak_retrieval", weak, Some(Procedure::Direct)),
    ];
    rules
        .into_iter()
        .map(|(name, fired, to)| {
            let before = payload.tier;
            if let (true, Some(to)) = (fired, to) {
                payload.tier = to;
            }
            Gate {
                name,
                fired,
                before: before.name(),
                after: payload.tier.name(),
            }
        })
        .collect()
}

/// Direct: the ranking as it is. Multi-hop: one more step from the best hits after the second
/// stage. Long form: the ranking as it is, so that coverage follows relevance.
pub(crate) fn run(payload: &Payload, ranker: &Ranker<'_>, ranking: Ranking) -> Ranking {
    match payload.tier {
        Procedure::MultiHop => ranker.hop(&ranking, ranker.settings.hop_decay),
        Procedure::Direct | Procedure::LongForm => ranking,
    }
}

/// Is one of the very best hits part of a change?
pub(crate) fn leads(ranking: &Ranking, changes: &[Change]) -> bool {
    let best: Vec<u32> = ranking.order.iter().take(LEADING).map(|x| x.0).collect();
    changes
        .iter()
        .any(|c| best.contains(&c.older) || best.contains(&c.newer))
}

/// Share of the twenty best hits that have the form `label: text` (a few letters, a colon).
pub(crate) fn labelled(view: &IndexView, ranking: &Ranking) -> f32 {
    let best: Vec<_> = ranking
        .order
        .iter()
        .take(20)
        .filter_map(|(p, _)| view.row(*p)?.entry.as_ref())
        .collect();
    let is = |text: &str| {
        let t = text.trim_start().to_lowercase();
        ["label:", "class:", "category:", "intent:"]
            .iter()
            .any(|l| t.starts_with(l) || t.contains(&format!("\n{l}")))
    };
    if best.len() < 4 {
        0.0
    } else {
        best.iter().filter(|e| is(&e.event.text)).count() as f32 / best.len() as f32
    }
}
