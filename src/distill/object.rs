//! What a clause says of its subject: the verb's relation, and the object.

use super::clause::{Cx, Group, LONGEST};
use super::subject::Subject;
use super::text_view::View;
use super::triple::{Holds, Name, Predicate, Shape, Triple};
use super::words::*;
use crate::text::Lang;

/// A statement without any of the marks.
pub fn plain(subject: Name, predicate: Predicate, object: Name) -> Triple {
    Triple {
        subject,
        predicate,
        attribute: None,
        object,
        shape: Shape::Phrase,
        negated: false,
        past: false,
        holds: Holds::One,
        change: false,
        correction: false,
        speaker: None,
        from: None,
        until: None,
        wording: 0,
    }
}

/// The name of what is called by its owner ("Ana's sister").
pub fn whole(owner: &Name, attribute: &Name) -> Name {
    Name {
        key: format!("{} {}", owner.key, attribute.key).into(),
        shown: format!("{}: {}", owner.shown, attribute.shown).into(),
    }
}

pub fn statements(v: &View<'_>, from: usize, g: &Group, s: &Subject, cx: &Cx<'_>, out: &mut Vec<Triple>) {
    let mut o = object_start(v, g);
    let end = object_end(v, o, g.end);
    let p = g.parts;
    if p & TURN != 0 {
        let Some(to) = (o..end).rev().find(|i| v.is(*i, TO)) else {
            return;
        };
        o = to + 1;
    }
    if o >= end || v.has(o, end, YOU) {
        return;
    }
    let dated = v.date(o, end);
    let whole_end = end;
    let timed = BE | WAS | BECOME | WILL | MOVE | TURN;
    let end = match v.date_start(o, end) {
        // "Use Teams since last week": when is not what.
        Some(k) if p & timed == 0 || p & USE != 0 => k,
        _ => end,
    };
    // What is said of somebody's somebody is not said of him.
    let bearer = match &s.attribute {
        Some(a) => whole(&s.name, a),
        None => s.name.clone(),
    };
    let make = |predicate: Predicate, from: usize, to: usize| -> Option<Triple> {
        let object = v.name(from, to)?;
        Some(Triple {
            shape: v.shape(from, to),
            ..plain(bearer.clone(), predicate, object)
        })
    };
    let when = |from: usize, to: usize| -> Option<Triple> {
        if s.person && s.attribute.is_none() {
            return None;
        }
        let d = v.date(from, to)?;
        // "Is on Friday", not "is to be rid of it by Friday".
        let at = (from..to).find(|i| v.date(*i, *i + 1).is_some()).unwrap_or(from);
        if v.content(from, at) > 1 || v.lang == Lang::En && p & MOVE == 0 && v.is(from, TO) {
            return None;
        }
        let day: std::sync::Arc<str> = d.start.rfc3339().into();
        let object = Name {
            key: day,
            shown: v.slice(from, to).trim().into(),
        };
        Some(Triple {
            shape: Shape::Date,
            ..plain(bearer.clone(), Predicate::ScheduledFor, object)
        })
    };
    // What an attribute is, whatever the verb.
    let of_attribute = |t: Option<Triple>| -> Option<Triple> {
        let mut t = t?;
        if let Some(a) = &s.attribute {
            t.subject = s.name.clone();
            t.predicate = Predicate::Attribute;
            t.attribute = Some(a.clone());
            if s.of_many && t.shape == Shape::Name {
                t.holds = Holds::OneIfChanged;
            }
        }
        Some(t)
    };
    let charge = (o..end).find(|i| v.is(*i, CHARGE));
    if p & (BE | WAS) != 0 && p & (OWN | RUN | CAUSE | USE) != 0 {
        out.extend(passive(v, &bearer, p, o, end));
        return;
    }
    let t = if p & (LIKE | HATE | PLEASE) != 0 {
        likes(v, o, end, p, &make, out);
        None
    } else if p & LIVE != 0 {
        v.has(g.object, end, PLACE)
            .then(|| make(Predicate::LivesIn, o, end))
            .flatten()
    } else if p & WORK != 0 {
        if v.is(o, AS) {
            make(
                Predicate::Is,
                o + 1,
                (o + 1..end).find(|i| v.is(*i, PLACE)).unwrap_or(end),
            )
            .map(|t| state(t, s))
        } else {
            let named = v.is(o + 1, THE | A) || v.is_proper(o + 1) || v.lang.capitalises_nouns();
            let at = v.is(o, PLACE | OF | TO) && !matches!(v.lower(o), "on" | "to");
            (at && named).then(|| make(Predicate::WorksAt, o, end)).flatten()
        }
    } else if p & COST != 0 {
        of_attribute(make(Predicate::Costs, o, end))
    } else if p & USE != 0 {
        let (from, to) = switched(v, p, o, end);
        if let Some(t) = from.and_then(|(a, b)| make(Predicate::Uses, a, b)) {
            out.push(Triple { negated: true, ..t });
        }
        make(Predicate::Uses, to, end)
    } else if p & OWN != 0 {
        make(Predicate::Has, o, end)
    } else if p & RUN != 0 {
        handled(v, s, o, end)
    } else if p & CAUSE != 0 {
        make(Predicate::Causes, o, end)
    } else if p & MOVE != 0 {
        moved(v, s, o, whole_end, &make, &when).and_then(|t| of_attribute(Some(t)))
    } else if p & WANT != 0 {
        (!v.is(o, TO)).then(|| make(Predicate::Wants, o, end)).flatten()
    } else if p & WILL != 0 && dated.is_none() {
        // A plan is no state; a date that is set is one.
        None
    } else if p & (BE | WAS | BECOME | WILL | TURN) != 0 {
        if let Some(k) = charge {
            let thing = (k + 1..end).find(|i| v.is(*i, OF | TO | PLACE)).unwrap_or(k);
            handled(v, s, thing + 1, end)
        } else if dated.is_some() {
            when(o, end).and_then(|t| match &s.attribute {
                Some(_) if p & (BE | WAS) != 0 && v.content(o, end) > 3 => None,
                _ => of_attribute(Some(t)),
            })
        } else if v.lang == Lang::En && v.is(o, TO) {
            None
        } else if v.is(o, FROM) {
            make(Predicate::From, o + 1, end)
        } else if v.is(o, PLACE) && !v.is(o, THE) {
            if s.person && s.attribute.is_none() && !v.is_proper(o + 1) {
                // "I'm in this together" is no place.
                return;
            }
            of_attribute(make(Predicate::LocatedAt, o + 1, end).map(|t| placed(v, t, o, end)))
        } else if p & NAMED != 0 || v.is(o, NAMED) {
            let at = if v.is(o, NAMED) { o + 1 } else { o };
            of_attribute(make(Predicate::Is, at, end))
        } else {
            let related = relation(v, s, o, end, cx.voice.me.as_ref());
            let worth = related.is_none() && worth_saying(v, s, o, end);
            out.extend(related);
            worth
                .then(|| of_attribute(make(Predicate::Is, o, end).map(|t| state(t, s))))
                .flatten()
        }
    } else if p & CAN != 0 && s.person && !g.negated && !v.has(from, g.end, NOW) {
        // What somebody can do is a manner of speaking; what he cannot is a fact.
        None
    } else if p & CAN != 0 {
        make(Predicate::Can, o, end)
    } else if p & HAVE != 0 {
        (v.is(o, A) || v.words[o].has_digit || o > from && matches!(v.lower(o - 1), "no"))
            .then(|| make(Predicate::Has, o, end))
            .flatten()
    } else {
        None
    };
    out.extend(t);
}

/// Past adverbs, denials, and the "not" of "is not".
fn object_start(v: &View<'_>, g: &Group) -> usize {
    let mut o = g.object;
    while o < g.end && v.is(o, ADV | NOW | NOT) && !v.is(o, THE | A) {
        o += 1;
    }
    o
}

fn object_end(v: &View<'_>, o: usize, end: usize) -> usize {
    let most = end.min(o + LONGEST);
    let stop = |i: usize| {
        v.is(i, THAT | WHO | SINCE | UNTIL | INSTEAD) && !v.is(i, OF | THE | PLACE) || v.breaks[i] != 0
    };
    (o + 1..most).find(|i| stop(*i)).unwrap_or(most)
}

fn likes(
    v: &View<'_>,
    o: usize,
    end: usize,
    p: Part,
    make: &dyn Fn(Predicate, usize, usize) -> Option<Triple>,
    out: &mut Vec<Triple>,
) {
    let mut a = o;
    if v.is(a, TO | ME | OF) && v.lang != Lang::En {
        a += 1;
    }
    let mut from = a;
    for i in a..=end {
        if i == end || i > from && v.is(i, CONJ) {
            if let Some(mut t) = make(Predicate::Likes, from, i) {
                t.negated = p & HATE != 0;
                out.push(t);
            }
            from = i + 1;
        }
    }
}

/// "Is owned by Bo", "was caused by": the two change places.
fn passive(v: &View<'_>, s: &Name, p: Part, o: usize, end: usize) -> Option<Triple> {
    if !matches!(
        v.lower(o),
        "by" | "por" | "par" | "durch" | "von" | "da" | "dal" | "dalla" | "door" | "pelo" | "pela"
    ) {
        return None;
    }
    let agent = v.name(o + 1, end)?;
    Some(match p {
        _ if p & RUN != 0 => plain(s.clone(), Predicate::HandledBy, agent),
        _ if p & CAUSE != 0 => plain(agent, Predicate::Causes, s.clone()),
        _ if p & USE != 0 => plain(agent, Predicate::Uses, s.clone()),
        _ => plain(agent, Predicate::Has, s.clone()),
    })
}

/// "Switched from A to B": range of A, and where B begins.
fn switched(v: &View<'_>, p: Part, o: usize, end: usize) -> (Option<(usize, usize)>, usize) {
    let to = (o..end).rev().find(|i| v.is(*i, TO)).filter(|_| p & MOVE != 0);
    match to {
        Some(to) if v.is(o, FROM) => (Some((o + 1, to)), to + 1),
        Some(to) => (None, to + 1),
        None => (None, o),
    }
}

/// "Kim handles the queue": the queue is what the statement is about.
fn handled(v: &View<'_>, s: &Subject, o: usize, end: usize) -> Option<Triple> {
    if s.attribute.is_some() {
        return None;
    }
    let end = (o..end).find(|i| v.is(*i, FROM)).unwrap_or(end);
    Some(Triple {
        shape: Shape::Name,
        ..plain(v.name(o, end)?, Predicate::HandledBy, s.name.clone())
    })
}

fn moved(
    v: &View<'_>,
    s: &Subject,
    o: usize,
    end: usize,
    make: &dyn Fn(Predicate, usize, usize) -> Option<Triple>,
    when: &dyn Fn(usize, usize) -> Option<Triple>,
) -> Option<Triple> {
    let to = (o..end).rev().find(|i| v.is(*i, TO));
    // "From Tuesday to Thursday".
    let target = to.map_or(o, |k| k + 1);
    if v.date(target, end).is_some() {
        return when(target, end);
    }
    let to = to?;
    let predicate = if s.person && s.attribute.is_none() {
        Predicate::LivesIn
    } else {
        Predicate::LocatedAt
    };
    if v.is(to + 1, MINE | THEIR | A) {
        return None;
    }
    make(predicate, to + 1, end)
}

/// A person is many things at once, a thing may be red and open; but a value is one.
fn state(mut t: Triple, s: &Subject) -> Triple {
    if s.attribute.is_none() {
        t.holds = match t.shape {
            _ if s.person => Holds::Many,
            Shape::Number | Shape::Date => Holds::One,
            _ => Holds::OneIfChanged,
        };
    }
    t
}

/// A place keeps its preposition in what is shown: under the fern is not in it.
fn placed(v: &View<'_>, mut t: Triple, o: usize, end: usize) -> Triple {
    t.object.shown = v.slice(o, end).trim().into();
    t.shape = Shape::Phrase;
    t
}

/// "Kim is Bo's manager", "Kim is the manager of Bo", "Kim is my manager": an attribute of the other.
fn relation(v: &View<'_>, s: &Subject, o: usize, end: usize, me: Option<&Name>) -> Option<Triple> {
    if s.attribute.is_some() || v.content(o, end) > 5 {
        return None;
    }
    let (owner, attribute) = if v.is(o, MINE) && s.person {
        me.cloned().zip(v.name(o + 1, end))
    } else if let Some(k) = v.possessive(o, end) {
        v.name(o, k).zip(v.name(k, end))
    } else if v.is(o, THE) {
        let of = (o + 1..end).find(|i| v.is(*i, OF));
        of.and_then(|k| v.name(k + 1, end).zip(v.name(o, k)))
    } else {
        None
    }?;
    Some(Triple {
        attribute: Some(attribute),
        shape: Shape::Name,
        holds: if v.is(o, THE) {
            Holds::One
        } else {
            Holds::OneIfChanged
        },
        ..plain(owner, Predicate::Attribute, s.name.clone())
    })
}

/// Of a person only what is more than a mood.
fn worth_saying(v: &View<'_>, s: &Subject, o: usize, end: usize) -> bool {
    if s.attribute.is_some() || !s.person {
        return true;
    }
    if v.has(o, end, YOU | ME) {
        return false;
    }
    v.is(o, A | THE | MINE | TIED) || v.lang != Lang::En && v.content(o, end) <= 2
}
