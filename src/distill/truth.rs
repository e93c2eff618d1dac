//! What is true of a slot: its statements in order of event time, made into versions with validity.

use std::sync::Arc;

use super::triple::{Holds, Name, Predicate, Triple};
use crate::event::Ts;
use crate::graph::NodeIx;

/// Evidence events kept with a claim; all are counted.
const SHOWN_EVIDENCE: usize = 8;

/// A statement with the event it stands in.
#[derive(Clone, Debug)]
pub struct Statement {
    pub triple: Arc<Triple>,
    pub time: Ts,
    pub event: NodeIx,
}

/// How a claim stands at the instant it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Current,
    /// A newer statement replaced it; it was true until then.
    Superseded,
    /// A correction replaced it; it was never true.
    Corrected,
    /// Only said of the past.
    Past,
}

impl Standing {
    pub fn name(self) -> &'static str {
        match self {
            Standing::Current => "current",
            Standing::Superseded => "superseded",
            Standing::Corrected => "corrected",
            Standing::Past => "past",
        }
    }
}

/// One version of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub subject: Name,
    pub predicate: Predicate,
    pub attribute: Option<Name>,
    pub object: Name,
    pub negated: bool,
    /// Count of versions of the slot up to this one, from 1.
    pub version: u32,
    pub standing: Standing,
    pub from: Ts,
    /// `None`: still so.
    pub to: Option<Ts>,
    /// Events that state it, with their times: the first and the newest ones.
    pub evidence: Vec<(Ts, NodeIx)>,
    /// Statements of it; a quotation of one that is there does not count.
    pub count: u32,
    /// Who said it, when the tellers only passed it on.
    pub speakers: Vec<Name>,
    /// The event that replaced it.
    pub closed_by: Option<(Ts, NodeIx)>,
    /// Event time of its newest statement.
    pub last: Ts,
}

struct Version {
    claim: Claim,
    first: Arc<Triple>,
    wordings: Vec<u64>,
}

/// Versions of one slot, oldest first. `statements` must be in order of event time.
pub fn versions(statements: &[Statement]) -> Vec<Claim> {
    let mut all: Vec<Version> = Vec::new();
    for s in statements {
        state(&mut all, s);
    }
    all.into_iter().map(|v| v.claim).collect()
}

fn state(all: &mut Vec<Version>, s: &Statement) {
    let t = &s.triple;
    let same = |v: &&mut Version| v.claim.object.key == t.object.key;
    if t.past {
        // "Was" adds to what is known and closes nothing.
        match all.iter_mut().filter(same).find(|v| v.claim.negated == t.negated) {
            Some(v) => support(v, s),
            None => {
                let mut v = open(all.len(), s);
                (v.claim.standing, v.claim.to) = (Standing::Past, Some(s.time));
                all.push(v);
            }
        }
        return;
    }
    let open_now = |v: &&mut Version| v.claim.standing == Standing::Current;
    if let Some(v) = all
        .iter_mut()
        .filter(open_now)
        .filter(same)
        .find(|v| v.claim.negated == t.negated)
    {
        support(v, s);
        return;
    }
    for v in all.iter_mut().filter(open_now) {
        let opposite = v.claim.object.key == t.object.key;
        let replaced = !t.negated && !v.claim.negated && replaces(t, &v.first);
        if opposite || replaced {
            close(v, s);
        }
    }
    let next = open(all.len(), s);
    all.push(next);
}

/// Does a statement put its object in the place of another's?
fn replaces(new: &Triple, old: &Triple) -> bool {
    match new.holds {
        Holds::Many => false,
        Holds::OneIfChanged => new.change,
        Holds::One => new.change || old.holds != Holds::Many && new.shape == old.shape,
    }
}

fn open(before: usize, s: &Statement) -> Version {
    let t = &s.triple;
    Version {
        claim: Claim {
            subject: t.subject.clone(),
            predicate: t.predicate,
            attribute: t.attribute.clone(),
            object: t.object.clone(),
            negated: t.negated,
            version: before as u32 + 1,
            standing: Standing::Current,
            from: t.from.unwrap_or(s.time),
            to: t.until,
            evidence: vec![(s.time, s.event)],
            count: 1,
            speakers: t.speaker.iter().cloned().collect(),
            closed_by: None,
            last: s.time,
        },
        first: t.clone(),
        wordings: vec![t.wording],
    }
}

fn support(v: &mut Version, s: &Statement) {
    let c = &mut v.claim;
    let t = &s.triple;
    c.last = s.time;
    if let Some(from) = t.from {
        c.from = c.from.min(from);
    }
    if t.speaker.is_some() && v.wordings.contains(&t.wording) {
        // Recalled text that comes back in, or a quotation: no evidence of its own.
        return;
    }
    c.count += 1;
    if c.evidence.len() == SHOWN_EVIDENCE {
        c.evidence.remove(1);
    }
    c.evidence.push((s.time, s.event));
    if v.wordings.len() < SHOWN_EVIDENCE {
        v.wordings.push(t.wording);
    }
    if let Some(speaker) = &t.speaker
        && c.speakers.len() < SHOWN_EVIDENCE
        && !c.speakers.contains(speaker)
    {
        c.speakers.push(speaker.clone());
    }
}

fn close(v: &mut Version, s: &Statement) {
    let c = &mut v.claim;
    c.closed_by = Some((s.time, s.event));
    if s.triple.correction {
        (c.standing, c.to) = (Standing::Corrected, Some(c.from));
    } else {
        (c.standing, c.to) = (
            Standing::Superseded,
            Some(s.triple.from.unwrap_or(s.time).max(c.from)),
        );
    }
}
