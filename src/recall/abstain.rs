//! Whether memory holds an answer at all.
//!
//! Matching words prove nothing: questions without an answer quote the stream, and those with one
//! paraphrase it (research). What works is evidence said by somebody else than the one asked about, and
//! a question none of whose words, names or dates lead anywhere.

use super::question::WordKey;
use super::rank::{Ranker, Ranking};

/// More actors than this and a name says little about who else should have said it.
const FEW_ACTORS: usize = 4;

/// Why there is no answer; `None` when there may be one.
pub(crate) fn reason(ranker: &Ranker<'_>, ranking: &Ranking) -> Option<String> {
    if ranking.order.is_empty() {
        return Some("No information available: nothing is remembered here yet.".into());
    }
    if !leads_anywhere(ranker) {
        return Some(
            "No information available: no word of the question occurs in what is remembered.".into(),
        );
    }
    said_by_another(ranker, ranking).or_else(|| unheard_of(ranker))
}

pub(crate) fn leads_anywhere(ranker: &Ranker<'_>) -> bool {
    ranker.wanted.is_empty() && ranker.question.words.is_empty()
        || ranker
            .wanted
            .iter()
            .any(|w| w.lists.iter().any(|l| !l.2.is_empty()))
        || !ranker.names.is_empty()
        || !ranker.question.periods.is_empty()
        || !ranker.named.is_empty()
}

/// Everything that fits was said by another actor than the one the question names: the best event
/// of another leads by more than the margin, the prior for the named actor left aside.
fn said_by_another(ranker: &Ranker<'_>, ranking: &Ranking) -> Option<String> {
    let [named] = ranker.named.as_slice() else {
        return None;
    };
    if ranker.view.actors().len() > FEW_ACTORS {
        return None;
    }
    let (mut own, mut other) = (f32::MIN, f32::MIN);
    for ((pos, _), content) in ranking.order.iter().zip(&ranking.content) {
        let best = if ranker.view.row(*pos).is_some_and(|r| r.actor == named.number) {
            &mut own
        } else {
            &mut other
        };
        *best = best.max(*content);
    }
    (other - own > ranker.settings.actor_margin).then(|| {
        format!(
            "No information available about {}: what fits was said by somebody else.",
            named.name
        )
    })
}

/// A code (letters and digits) in the question that no event holds in any form, and no actor bears.
fn unheard_of(ranker: &Ranker<'_>) -> Option<String> {
    let heard = |word: &WordKey| {
        !ranker.view.term(&word.1).is_empty() || !ranker.view.actors().called(&word.0, 1).is_empty()
    };
    let name = ranker
        .question
        .unsaid
        .iter()
        .find(|(_, words)| !words.is_empty() && !words.iter().any(heard))?;
    Some(format!(
        "No information available: \"{}\" does not occur in what is remembered.",
        name.0
    ))
}
