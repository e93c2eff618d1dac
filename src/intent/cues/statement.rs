//! What an event asks, promises or leaves open, and how clearly.
//!
//! Strengths are first choices, ordered by what separates a need from what only looks like one: a question that asks
//! an act of somebody is clearer than a wish, a wish than a remark; a choice stated with "whether" or "or" is clearer than
//! talk of deciding. A speaker's own question is as often musing as asking. What the same event withdraws or reports done
//! counts less. Waiting, reminders and dates are added later, when other events are known.

use super::Signals;
use super::lists::*;
use super::sentence::Sentence;

/// Which need a statement tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Request,
    Commitment,
    Decision,
}

/// The clearest need that an event states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statement {
    pub kind: Kind,
    /// 0 to 1, when the stream's own voice says it (a diary, a log).
    pub own: f32,
    /// 0 to 1, when somebody else says it.
    pub other: f32,
}

/// Added when the sentence says that it is still open.
const STILL_OPEN: f32 = 0.15;
/// What is left of a statement that the same event withdraws, or beside which it reports something done.
const WITHDRAWN_FACTOR: f32 = 0.3;
const DONE_FACTOR: f32 = 0.75;

pub fn read(sentences: &[Sentence<'_>], titles: usize, signals: Signals) -> Option<Statement> {
    let mut best: Option<Statement> = None;
    for (i, s) in sentences.iter().enumerate() {
        if !s.counts() || s.is(POLITE) {
            continue;
        }
        // Of equals the first counts: a choice put as a question is a choice.
        for found in [decision(s), request(s), commitment(s)].into_iter().flatten() {
            // A title alone is a headline: it tells of a need only as a question.
            let found = if i < titles && !s.question {
                scaled(found, DONE_FACTOR)
            } else {
                found
            };
            if best.is_none_or(|b| found.other > b.other) {
                best = Some(found);
            }
        }
    }
    let mut found = best?;
    if signals.withdrawn {
        found = scaled(found, WITHDRAWN_FACTOR);
    } else if signals.done {
        found = scaled(found, DONE_FACTOR);
    }
    Some(found)
}

fn scaled(s: Statement, by: f32) -> Statement {
    Statement {
        own: s.own * by,
        other: s.other * by,
        ..s
    }
}

fn request(s: &Sentence<'_>) -> Option<Statement> {
    let open = if s.is(OPEN) { STILL_OPEN } else { 0.0 };
    let (other, own) = if s.question && s.is(ASK) {
        (0.75, 0.45)
    } else if s.question && s.is(YOU) {
        (0.55, 0.3)
    } else if s.is(PLEAD) {
        let said = 0.5 + if s.is(YOU) { 0.15 } else { 0.0 };
        (said, said - 0.05)
    } else if s.is(OPEN) && s.is(YOU) {
        (0.4, 0.3)
    } else {
        return None;
    };
    Some(Statement {
        kind: Kind::Request,
        own: own + open,
        other: other + open,
    })
}

fn decision(s: &Sentence<'_>) -> Option<Statement> {
    let mut said = if s.question && (s.is(OR) || s.is(WHETHER)) {
        0.75
    } else if s.is(WHETHER) && !s.closes() {
        0.6
    } else if s.is(DECIDE) && (s.is(OPEN) || s.is(OBLIGE) || s.question) && !s.closes() {
        0.55
    } else {
        return None;
    };
    said += if s.is(OPEN) { STILL_OPEN } else { 0.0 };
    let other = said + if s.is(YOU) { 0.1 } else { 0.0 };
    let own = if s.question { said - 0.2 } else { said - 0.05 };
    Some(Statement {
        kind: Kind::Decision,
        own,
        other,
    })
}

fn commitment(s: &Sentence<'_>) -> Option<Statement> {
    if !s.is(PROMISE) || s.question {
        return None;
    }
    let said = if s.is(HABIT) { 0.35 } else { 0.65 };
    Some(Statement {
        kind: Kind::Commitment,
        own: said,
        other: said,
    })
}
