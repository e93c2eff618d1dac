//! One clause: subject, verb group, object, and the statement that they make.

use super::object::{plain, statements};
use super::sentence::{Reader, Voice};
use super::subject::{Subject, subject};
use super::text_view::View;
use super::triple::{Predicate, Shape, Triple};
use super::words::*;
use crate::text::Lang;

/// What a clause takes from the ones before it and leaves to the next.
pub struct Cx<'v> {
    pub voice: &'v Voice,
    /// Subject of the clause before, for one that has none of its own.
    pub last: Option<Subject>,
}

/// Longest subject and object, in words.
pub const LONGEST: usize = 9;

/// The verb group of a clause.
pub struct Group {
    /// First word of it, and first word of the object.
    pub at: usize,
    pub object: usize,
    /// End of the object.
    pub end: usize,
    pub parts: Part,
    pub negated: bool,
    /// The verb's word in English past tense.
    pub past: bool,
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
        (r.carry, r.carry_person) = (Some(subject.name.clone()), subject.person);
    }
    let v = &r.view;
    let before = out.len();
    statements(v, from, &group, &subject, cx, &mut out);
    let cue = v.has(from, to, NOW) || group.parts & (MOVE | BECOME | TURN) != 0 || longer(v, from, to);
    let since = (group.object..to)
        .find(|i| v.is(*i, SINCE))
        .and_then(|i| v.date(i, to));
    let until = (group.object..to)
        .find(|i| v.is(*i, UNTIL))
        .and_then(|i| v.date(i, to));
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
    (from..to).any(|i| {
        v.lower(i) == "ne"
            || v.words[i].surface.starts_with(['n', 'N']) && v.words[i].surface[1..].starts_with(['\'', '’'])
    })
}

fn is_verb(v: &View<'_>, i: usize, from: usize, cx: &Cx<'_>) -> bool {
    let p = v.part(i);
    if p & VERB == 0 {
        return phrasal(v, i).is_some();
    }
    if p & (RELATION | SAY) == 0 || p & (BE | CAN | HAVE) != 0 {
        return true;
    }
    if v.lang == Lang::En && v.lower(i) == "like" {
        // "Less like a thesis" likes nothing.
        return i > from && (v.is(i - 1, SELF | THEY | DO | WILL | ADV | NOT | YOU) || v.is_proper(i - 1));
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
        parts: if tail != 0 {
            tail
        } else {
            own | phrasal(v, at).unwrap_or(0)
        },
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
    if matches!(v.lang, Lang::De | Lang::Nl)
        && at + 1 == to
        && to > from + 2
        && (v.is(from, SELF | THEY) || v.is_proper(from))
    {
        // "(dass) er keinen Sesam essen kann".
        (g.at, g.object, g.end) = (from + 1, from + 1, at);
    }
    // German and Dutch close a clause with its verb.
    if matches!(v.lang, Lang::De | Lang::Nl)
        && to > g.object + 1
        && g.parts & RELATION == 0
        && v.is(to - 1, RELATION | BE)
    {
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
    g.negated =
        (from..to).filter(|i| v.is(*i, NOT)).count() % 2 == 1 || v.lang == Lang::Fr && longer(v, from, to);
    Some(g)
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
    let told = !v.has(from, to, SELF | ME | MINE | YOU | HYP | WHO | NOT | THEIR) && v.is(from, THE);
    // English shows the present tense: "listens".
    let present =
        v.lang != Lang::En || (from + 2..last).any(|i| v.is_content(i) && v.lower(i).ends_with('s'));
    let past = v.lang == Lang::En && v.words[from..last].iter().any(|w| w.lower.ends_with("ed"));
    if !w.has_digit || !(3..=7).contains(&content) || !told || !present || past || v.date(from, to).is_some()
    {
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
