//! Whether memory holds an answer at all.
//!
//! Matching words prove nothing: questions without an answer quote the stream, and those with one
//! paraphrase it (research). What works is evidence said by somebody else than the one asked about, and
//! a question none of whose words, names or dates lead anywhere.

use super::lexical;
use super::rank::{Ranker, Ranking};

/// More actors than this and a name says little about who else should have said it.
const FEW_ACTORS: usize = 4;
/// Best hits whose own words are compared.
const READ: usize = 60;

/// Why there is no answer; `None` when there may be one.
pub(crate) fn reason(ranker: &Ranker<'_>, ranking: &Ranking) -> Option<String> {
    if ranking.order.is_empty() {
        return Some("No information available: nothing is remembered here yet.".into());
    }
    if !leads_anywhere(ranker) {
        return Some("No information available: no word of the question occurs in what is remembered.".into());
    }
    said_by_another(ranker, ranking).or_else(|| unheard_of(ranker))
}

pub(crate) fn leads_anywhere(ranker: &Ranker<'_>) -> bool {
    ranker.wanted.is_empty() && ranker.question.words.is_empty()
        || ranker.wanted.iter().any(|w| w.lists.iter().any(|l| !l.2.is_empty()))
        || !ranker.names.is_empty()
        || !ranker.question.periods.is_empty()
        || !ranker.named.is_empty()
}

/// Everything that fits was said by another actor than the one the question names. The events' own
/// words count beside their place: next to every turn of a talk stands one of somebody else.
fn said_by_another(ranker: &Ranker<'_>, ranking: &Ranking) -> Option<String> {
    let [named] = ranker.named.as_slice() else { return None };
    if ranker.view.actors().len() > FEW_ACTORS {
        return None;
    }
    let question = ranker.quantised();
    let read: Vec<(bool, f32, f32)> = ranking
        .order
        .iter()
        .take(READ)
        .filter_map(|(pos, _)| {
            let row = ranker.view.row(*pos)?;
            let vector = &row.entry.as_ref()?.vector;
            let words = lexical::own_bm25(ranker.view, &ranker.wanted, *pos);
            Some((row.actor == named.number, words, vector.cosine(&question)))
        })
        .collect();
    let top = read.iter().fold(1e-6f32, |m, r| m.max(r.1));
    let weights = &ranker.settings.weights;
    let best = |own: bool| {
        let of = |r: &(bool, f32, f32)| weights.lexical * r.1 / top + weights.cosine * r.2;
        read.iter().filter(|r| r.0 == own).map(of).fold(0.0, f32::max)
    };
    let in_place = |own: bool| {
        let said = |pos: u32| ranker.view.row(pos).is_some_and(|r| r.actor == named.number) == own;
        let all = ranking.order.iter().zip(&ranking.content).filter(|((p, _), _)| said(*p));
        all.map(|(_, content)| *content).fold(-9.0, f32::max)
    };
    let lead = in_place(false) - in_place(true) + ranker.settings.own_words * (best(false) - best(true));
    (lead > ranker.settings.actor_margin)
        .then(|| format!("No information available about {}: what fits was said by somebody else.", named.name))
}

/// A code (letters and digits) in the question that no event holds in any form, and no actor bears.
fn unheard_of(ranker: &Ranker<'_>) -> Option<String> {
    let heard = |word: &(Box<str>, Box<str>)| {
        !ranker.view.term(&word.1).is_empty() || !ranker.view.actors().called(&word.0, 1).is_empty()
    };
    let name = ranker.question.unsaid.iter().find(|(_, words)| !words.is_empty() && !words.iter().any(heard))?;
    Some(format!("No information available: \"{}\" does not occur in what is remembered.", name.0))
}
