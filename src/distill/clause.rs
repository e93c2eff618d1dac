//! One clause: subject, verb group, object, and the statement that they make.

use super::sentence::{Reader, Voice};
use super::text_view::View;
use super::triple::{Holds, Name, Predicate, Shape, Triple};
use super::words::*;
use crate::text::Lang;

/// What a clause takes from the ones before it and leaves to the next.
pub struct Cx<'v> {
    pub voice: &'v Voice,
    /// Subject of the clause before, for one that has none of its own.
    pub last: Option<Subject>,
}

/// Who or what a clause speaks of.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: Name,
    /// "My sister", "the port of": which attribute of `name` it is.
    pub attribute: Option<Name>,
    /// One of several may bear the attribute ("my sister Ana").
    pub of_many: bool,
    pub person: bool,
}

impl Subject {
    pub fn person(name: Name) -> Subject {
        Subject {
            name,
            attribute: None,
            of_many: false,
            person: true,
        }
    }
}

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

/// Longest subject and object, in words.
const LONGEST: usize = 9;

/// The verb group of a clause.
struct Group {
    /// First word of it, and first word of the object.
    at: usize,
    object: usize,
    /// End of the object.
    end: usize,
    parts: Part,
    negated: bool,
    /// The verb's word in English past tense.
    past: bool,
}

pub fn read(r: &mut Reader<'_>, from: usize, to: usize, cx: &mut Cx<'_>) -> Vec<Triple> {
    let from = lead(&r.view, from, to);
    if to <= from || to - from < 2 {
        return Vec::new();
    }
    let Some(group) = group(&r.view, from, to, cx) else {
        return value(&r.view, from, to, cx).into_iter().collect();
    };
    let mut out = Vec::new();
    let mut group = group;
    let subject = subject(r, from, &mut group, cx, &mut out);
    let Some(subject) = subject else { return out };
    cx.last = Some(subject.clone());
    if !subject.person || subject.attribute.is_none() && cx.voice.me.as_ref() != Some(&subject.name) {
        r.carry = Some(subject.name.clone());
    }
    let v = &r.view;
    let before = out.len();
    statements(v, from, &group, &subject, cx, &mut out);
    let cue = v.has(from, to, NOW) || group.parts & (MOVE | BECOME | TURN) != 0 || longer(v, from, to);
    let since = (group.object..to).find(|i| v.is(*i, SINCE)).and_then(|i| v.date(i, to));
    let until = (group.object..to).find(|i| v.is(*i, UNTIL)).and_then(|i| v.date(i, to));
    let wording = v.wording(from, to);
    let instead = (group.object..to).find(|i| v.is(*i, INSTEAD));
    if let Some(k) = instead
        && let (Some(wrong), Some(t)) = (v.name(k + 1, to), out[before..].last().cloned())
        && t.predicate.is_set()
    {
        out.push(Triple {
            object: wrong,
            negated: !t.negated,
            ..t
        });
    }
    for t in &mut out[before..] {
        t.change |= cue;
        t.negated ^= group.negated;
        // What caused something goes on having caused it.
        t.past |= group.past && t.predicate != Predicate::Causes;
        t.from = since.map(|d| d.start);
        t.until = until.map(|d| d.end);
    }
    for t in &mut out {
        t.wording = wording;
    }
    out
}

/// Past what opens a clause without being part of it.
fn lead(v: &View<'_>, mut from: usize, to: usize) -> usize {
    while from < to
        && v.is(from, CONJ | ADV | NOW | CORRECT | THAT)
        && !v.is(from, THE | SELF | THEY)
        && v.parts[from].1 == 0
    {
        from += 1;
    }
    from
}

/// "No longer", "nicht mehr", "ya no", "ne ... plus": a denial that says it was so before.
fn longer(v: &View<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|i| match (v.lang, v.lower(i)) {
        (Lang::En, "longer") => i > from && v.lower(i - 1) == "no",
        (Lang::En, "more") => i > from && v.lower(i - 1) == "any",
        (Lang::En, "anymore") => true,
        (Lang::De, "mehr") => i > from && v.is(i - 1, NOT) || v.has(from, i, NOT),
        (Lang::Es, "ya") => v.is(i + 1, NOT),
        (Lang::Fr, "plus") => has_ne(v, from, i),
        (Lang::It, "più") | (Lang::Nl, "meer") => v.has(from, i, NOT),
        _ => false,
    })
}

fn has_ne(v: &View<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|i| v.lower(i) == "ne" || v.words[i].surface.starts_with(['n', 'N']) && v.words[i].surface[1..].starts_with(['\'', '’']))
}

fn is_verb(v: &View<'_>, i: usize, from: usize, cx: &Cx<'_>) -> bool {
    let p = v.part(i);
    if p & VERB == 0 {
        return phrasal(v, i).is_some();
    }
    if p & (RELATION | SAY) == 0 || p & (BE | CAN | HAVE) != 0 {
        return true;
    }
    if i == from {
        // A bare verb opens a command, unless the clause goes on with an earlier subject or names its own.
        return p & SELF != 0 || cx.last.is_some();
    }
    !v.is(i - 1, THE | A | MINE | THEIR | OF | PLACE) || v.is(i - 1, SELF | THEY)
}

/// Verbs of two English words.
fn phrasal(v: &View<'_>, i: usize) -> Option<Part> {
    if v.lang != Lang::En {
        return None;
    }
    match (&*v.words[i].stem, v.lower(i + 1)) {
        ("look", "after") | ("take", "over") => Some(RUN),
        ("base", "in") => Some(LIVE),
        _ => None,
    }
}

fn group(v: &View<'_>, from: usize, to: usize, cx: &Cx<'_>) -> Option<Group> {
    let at = (from..to).find(|i| v.parts[*i].1 & VERB != 0 || is_verb(v, *i, from, cx))?;
    let (own, tail) = v.parts[at];
    let mut g = Group {
        at,
        object: at + 1,
        end: to,
        parts: if tail != 0 { tail } else { own | phrasal(v, at).unwrap_or(0) },
        negated: false,
        past: false,
    };
    let mut verb = at;
    if tail != 0 {
        g.at = at + 1;
    }
    // Auxiliaries, adverbs and denials up to the verb that carries the relation.
    while g.object < to && v.breaks[g.object] == 0 {
        let p = v.part(g.object);
        let carried = g.parts & (RELATION | SAY) != 0;
        let two = phrasal(v, g.object);
        if p & (ADV | NOW | NOT) != 0 && p & (THE | A) == 0 {
            g.object += 1;
        } else if !carried && two.is_some() {
            g.parts |= two.unwrap_or(0);
            verb = g.object;
            g.object += 1;
        } else if !carried && p & VERB != 0 && p & (THE | A | SELF) == 0 {
            if v.lower(g.object) == "used" && v.lower(g.object + 1) == "to" {
                break;
            }
            g.parts |= p;
            verb = g.object;
            g.object += 1;
        } else {
            break;
        }
    }
    if phrasal(v, verb).is_some() {
        g.object = g.object.max(verb + 2);
    }
    if v.lang == Lang::En && v.lower(verb) == "used" && v.lower(verb + 1) == "to" {
        // "Used to live": the verb behind it, of a time that is over.
        g.parts = v.part(verb + 2);
        g.object = verb + 3;
        g.past = true;
    }
    // English cannot stand, Romance cannot bear: a liking that is denied.
    let bears = |w: &crate::text::Word| matches!(&*w.stem, "stand" | "bear");
    if g.parts & CAN != 0 && v.lang == Lang::En && v.words.get(g.object).is_some_and(bears) {
        g.parts |= LIKE;
        g.object += 1;
    }
    if matches!(v.lang, Lang::De | Lang::Nl) && at + 1 == to && to > from + 2 && (v.is(from, SELF | THEY) || v.is_proper(from)) {
        // "(dass) er keinen Sesam essen kann".
        (g.at, g.object, g.end) = (from + 1, from + 1, at);
    }
    // German and Dutch close a clause with its verb.
    if matches!(v.lang, Lang::De | Lang::Nl) && to > g.object + 1 && g.parts & RELATION == 0 && v.is(to - 1, RELATION | BE) {
        g.parts |= v.part(to - 1);
        g.end = to - 1;
    }
    g.past |= g.parts & WAS != 0 && g.parts & (MOVE | BECOME | TURN) == 0;
    let lower = v.lower(verb);
    g.past |= v.lang == Lang::En
        && g.parts & (LIKE | HATE | LIVE | WORK | USE | OWN | WANT | RUN | COST) != 0
        && g.parts & (HAVE | BE | MOVE) == 0
        && (lower.ends_with("ed") || lower == "kept")
        && phrasal(v, verb).is_none();
    g.past |= v.lang == Lang::En && g.parts & (RELATION | BE) == 0 && lower == "had";
    g.negated = (from..to).filter(|i| v.is(*i, NOT)).count() % 2 == 1
        || v.lang == Lang::Fr && longer(v, from, to);
    Some(g)
}

/// Who the clause speaks of. Names that are only introduced ("my sister Ana") make statements of their own.
fn subject(r: &mut Reader<'_>, from: usize, g: &mut Group, cx: &Cx<'_>, out: &mut Vec<Triple>) -> Option<Subject> {
    let v = &r.view;
    let me = |attribute: Option<Name>| {
        cx.voice.me.clone().map(|name| Subject {
            name,
            attribute,
            of_many: false,
            person: true,
        })
    };
    let third = |attribute: Option<Name>| {
        r.carry.clone().map(|name| Subject {
            name,
            attribute,
            of_many: false,
            person: false,
        })
    };
    let mut end = g.at;
    while end > from && v.is(end - 1, ADV | NOW | NOT) && !v.is(end - 1, SELF | THEY | THE) {
        end -= 1;
    }
    let near = |part: Part| end > from && v.is(end - 1, part) || v.parts[g.at.min(v.words.len() - 1)].1 != 0 && v.is(g.at, part);
    if near(YOU) {
        return None;
    }
    if near(SELF) || v.part(g.at) & SELF != 0 || g.parts & PLEASE != 0 && v.has(from, g.at, ME) {
        return me(None);
    }
    if g.parts & PLEASE != 0 && v.is(from, TO) {
        // "A Bram no le gusta".
        let to = (from + 1..g.at).find(|i| v.is(*i, NOT) || v.words[*i].stop).unwrap_or(g.at);
        return Some(Subject {
            person: true,
            name: v.name(from + 1, to)?,
            attribute: None,
            of_many: false,
        });
    }
    if near(THEY) && !(v.lang == Lang::En && g.at == from) {
        return third(None);
    }
    if from >= end || v.is(from, PLACE | SINCE | TO | FROM | OF | HAVE) && !v.is(from, THE | A) {
        // The verb stands before its subject, or the clause goes on with an earlier one.
        let next = g.object;
        if next < g.end && v.breaks[next] == 0 && v.is(next, SELF | THEY) && !v.is(next, THE) {
            g.object += 1;
            return if v.is(next, SELF) { me(None) } else { third(None) };
        }
        return if from >= end { cx.last.clone() } else { None };
    }
    if v.is(from, A | WHO | YOU) && !v.is(from, THE) || end - from > LONGEST || v.has(from, end, WHO | THAT | SAY | HYP) && !v.is(from, THE) {
        return None;
    }
    if v.is(from, MINE) {
        return owned(v, from + 1, end, me(None)?, out);
    }
    if v.is(from, THEIR) && !v.is(from, THEY | THE) {
        return owned(v, from + 1, end, third(None)?, out);
    }
    if let Some(k) = v.possessive(from, end) {
        let owner = v.name(from, k)?;
        let whole = Subject {
            person: v.is_person_like(from, k),
            name: owner,
            attribute: None,
            of_many: false,
        };
        return owned(v, k, end, whole, out);
    }
    let of = (from + 1..end).find(|i| (v.is(*i, OF) && i + 1 < end || v.is_elided_of(*i)) && v.breaks[*i] == 0);
    if let Some(k) = of
        && let next = k + usize::from(!v.is_elided_of(k))
        && v.content(from, k) <= 3
        && v.content(next, end) <= 4
        && let (Some(attribute), Some(name)) = (v.name(from, k), v.name(next, end))
    {
        return Some(Subject {
            person: false,
            name,
            attribute: Some(attribute),
            of_many: false,
        });
    }
    let content = v.content(from, end);
    if content == 0 || content > 5 {
        return None;
    }
    Some(Subject {
        name: v.name(from, end)?,
        attribute: None,
        of_many: false,
        person: v.is_person_like(from, end),
    })
}

/// Something of `owner`'s: "my locker code", or "my sister Ana", who is then the subject herself.
fn owned(v: &View<'_>, from: usize, end: usize, owner: Subject, out: &mut Vec<Triple>) -> Option<Subject> {
    if end <= from || v.content(from, end) > 4 {
        return None;
    }
    let named = (from + 1..end).find(|i| v.is_proper(*i) && !v.words[*i].has_digit);
    match named {
        Some(k) if v.is_person_like(k, end) => {
            let (attribute, name) = (v.name(from, k)?, v.name(k, end)?);
            out.push(Triple {
                attribute: Some(attribute),
                shape: Shape::Name,
                holds: Holds::Many,
                ..plain(owner.name, Predicate::Attribute, name.clone())
            });
            Some(Subject {
                name,
                attribute: None,
                of_many: false,
                person: true,
            })
        }
        _ => Some(Subject {
            attribute: Some(v.name(from, end)?),
            of_many: true,
            ..owner
        }),
    }
}

fn statements(v: &View<'_>, from: usize, g: &Group, s: &Subject, cx: &Cx<'_>, out: &mut Vec<Triple>) {
    let mut o = object_start(v, g);
    let end = object_end(v, o, g.end);
    let p = g.parts;
    if p & TURN != 0 {
        let Some(to) = (o..end).rev().find(|i| v.is(*i, TO)) else { return };
        o = to + 1;
    }
    if o >= end && p & CAN == 0 {
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
        v.has(g.object, end, PLACE).then(|| make(Predicate::LivesIn, o, end)).flatten()
    } else if p & WORK != 0 {
        if v.is(o, AS) {
            make(Predicate::Is, o + 1, (o + 1..end).find(|i| v.is(*i, PLACE)).unwrap_or(end)).map(|t| state(t, s))
        } else {
            (v.is(o, PLACE | OF | TO)).then(|| make(Predicate::WorksAt, o, end)).flatten()
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
        } else if v.is(o, FROM) {
            make(Predicate::From, o + 1, end)
        } else if v.is(o, PLACE) && !v.is(o, THE) {
            of_attribute(make(Predicate::LocatedAt, o + 1, end).map(|t| placed(v, t, o, end)))
        } else if p & NAMED != 0 || v.is(o, NAMED) {
            let at = if v.is(o, NAMED) { o + 1 } else { o };
            of_attribute(make(Predicate::Is, at, end))
        } else {
            let related = relation(v, s, o, end, cx.voice.me.as_ref());
            let worth = related.is_none() && worth_saying(v, s, o, end);
            out.extend(related);
            worth.then(|| of_attribute(make(Predicate::Is, o, end).map(|t| state(t, s)))).flatten()
        }
    } else if p & CAN != 0 {
        make(Predicate::Can, o, v_end(v, o, g.end))
    } else if p & HAVE != 0 {
        (v.is(o, A) || v.words[o].has_digit || v.has(from, o, NOT))
            .then(|| make(Predicate::Has, o, end))
            .flatten()
    } else {
        None
    };
    out.extend(t);
}

/// Object of "can": all that one can do, up to nine words.
fn v_end(v: &View<'_>, o: usize, end: usize) -> usize {
    object_end(v, o, end)
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
    let stop = |i: usize| v.is(i, THAT | WHO | SINCE | UNTIL | INSTEAD) && !v.is(i, OF | THE | PLACE) || v.breaks[i] != 0;
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
    if !matches!(v.lower(o), "by" | "por" | "par" | "durch" | "von" | "da" | "dal" | "dalla" | "door" | "pelo" | "pela") {
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
        holds: if v.is(o, THE) { Holds::One } else { Holds::OneIfChanged },
        ..plain(owner, Predicate::Attribute, s.name.clone())
    })
}

/// Of a person only what is more than a mood.
fn worth_saying(v: &View<'_>, s: &Subject, o: usize, end: usize) -> bool {
    if s.attribute.is_some() || !s.person {
        return true;
    }
    v.is(o, A | THE | MINE) || v.has(o + 1, end, TO | FROM | PLACE | OF) || v.lang != Lang::En && v.content(o, end) <= 2
}

/// "The kiln listens on port 7410": a statement with a verb of its own that ends in a value. What stands before the
/// value is what it is a value of.
fn value(v: &View<'_>, from: usize, to: usize, cx: &Cx<'_>) -> Option<Triple> {
    let mut end = to;
    while end > from && v.is(end - 1, ADV | NOW) {
        end -= 1;
    }
    let last = end.checked_sub(1).filter(|i| *i > from)?;
    let w = &v.words[last];
    let content = v.content(from, last);
    let told = !v.has(from, to, SELF | ME | MINE | YOU | HYP | WHO | NOT) && v.is(from, THE) | v.words[from].capitalised;
    let past = v.lang == Lang::En && v.words[from..last].iter().any(|w| w.lower.ends_with("ed"));
    if !w.has_digit || !(3..=7).contains(&content) || !told || past || v.date(from, to).is_some() {
        return None;
    }
    let subject = v.name(from, last)?;
    let _ = cx;
    Some(Triple {
        shape: Shape::Number,
        change: v.has(from, to, NOW),
        wording: v.wording(from, to),
        ..plain(subject, Predicate::Value, v.name(last, end)?)
    })
}
