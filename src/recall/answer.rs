//! The extractive answer: the sentence of the evidence that fits the question best, and its source.

use super::excerpt::{overlap, sentences};
use super::question::Question;
use super::{Item, Lane, Mode, Query, Recalled, Settings, Snapshot, recall};
use crate::distill::Standing;
use crate::embed::Models;
use crate::text::Lang;

/// Items whose sentences are looked at.
const READ: usize = 5;

/// What a sentence of a superseded event must make up for where the newest version is asked for.
const REPLACED: f32 = 4.0;

/// An answer with the recall it rests on.
#[derive(Clone, Debug)]
pub struct Answer {
    /// One sentence, verbatim; "No information available" when memory holds none.
    pub text: String,
    /// The items it was taken from.
    pub citations: Vec<Item>,
    pub recalled: Recalled,
}

/// Recalls, and picks a sentence. No model is asked.
pub fn answer(snap: &Snapshot<'_>, query: &Query, settings: &Settings, models: &Models) -> Answer {
    let recalled = recall(snap, query, settings, models);
    let none = |recalled| Answer {
        text: "No information available".into(),
        citations: Vec::new(),
        recalled,
    };
    if recalled.abstain {
        return none(recalled);
    }
    if let Some((text, rank)) = stated(&recalled) {
        return Answer {
            text,
            citations: vec![recalled.items[rank].clone()],
            recalled,
        };
    }
    let question = Question::of(&query.text, query.now.unwrap_or(snap.now), Lang::En, |_| 0.0);
    let latest = recalled.mode == Mode::LatestVersionResolution && query.as_of.is_none();
    let mut best: Option<(f32, String, usize)> = None;
    for (rank, item) in recalled.items.iter().take(READ).enumerate() {
        for sentence in sentences(&item.text) {
            let digits = question.asks_number && sentence.chars().any(|c| c.is_ascii_digit());
            // Rank speaks first: a later item must hold clearly more of the question.
            let mut score = overlap(sentence, &question) + f32::from(u8::from(digits)) - 0.7 * rank as f32;
            if latest && item.lane == Lane::Superseded {
                // What was replaced is no answer to what holds now, however well it fits.
                score -= REPLACED;
            }
            if best.as_ref().is_none_or(|b| score > b.0) {
                best = Some((score, sentence.to_owned(), rank));
            }
        }
    }
    match best {
        Some((_, text, rank)) => Answer {
            text,
            citations: vec![recalled.items[rank].clone()],
            recalled,
        },
        None => none(recalled),
    }
}

/// The sentence that states what holds of the fact asked for, when one of the best items has it.
fn stated(recalled: &Recalled) -> Option<(String, usize)> {
    let claim = recalled
        .claims
        .first()
        .filter(|c| recalled.asked && c.standing == Standing::Current)?;
    let items = recalled.items.iter().take(READ).enumerate();
    items
        .filter(|(_, i)| claim.evidence.iter().any(|e| e.1 == i.ix))
        .find_map(|(rank, i)| {
            let mut all = sentences(&i.text).into_iter();
            let sentence = all.find(|s| s.contains(&*claim.object.shown))?;
            Some((sentence.to_owned(), rank))
        })
}
