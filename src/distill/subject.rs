//! Who or what a clause speaks of.

use super::clause::{Cx, Group, LONGEST};
use super::object::plain;
use super::sentence::Reader;
use super::text_view::View;
use super::triple::{Holds, Name, Predicate, Shape, Triple};
use super::words::*;
use crate::text::Lang;

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

/// "It" stands for no person.
fn end_is_it(v: &View<'_>, g: &Group, from: usize) -> bool {
    v.lang == Lang::En && g.at > from && v.lower(g.at - 1) == "it"
}

/// Who the clause speaks of. Names that are only introduced ("my sister Ana") make statements of their own.
pub fn subject(
    r: &mut Reader<'_>,
    from: usize,
    g: &mut Group,
    cx: &Cx<'_>,
    out: &mut Vec<Triple>,
) -> Option<Subject> {
    let v = &r.view;
    let me = |attribute: Option<Name>| {
        cx.voice.me.clone().map(|name| Subject {
            name,
            attribute,
            of_many: false,
            person: true,
        })
    };
    let it = end_is_it(v, g, from);
    let third = |attribute: Option<Name>| {
        r.carry
            .clone()
            .filter(|_| !(it && r.carry_person))
            .map(|name| Subject {
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
    let near = |part: Part| {
        end > from && v.is(end - 1, part) || v.parts[g.at.min(v.words.len() - 1)].1 != 0 && v.is(g.at, part)
    };
    if near(YOU) {
        return None;
    }
    if near(SELF) || v.part(g.at) & SELF != 0 || g.parts & PLEASE != 0 && v.has(from, g.at, ME) {
        return me(None);
    }
    if g.parts & PLEASE != 0 && v.is(from, TO) {
        // "A Bram no le gusta".
        let to = (from + 1..g.at)
            .find(|i| v.is(*i, NOT) || v.words[*i].stop)
            .unwrap_or(g.at);
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
    if v.is(from, A | WHO | YOU) && !v.is(from, THE)
        || end - from > LONGEST
        || v.has(from, end, WHO | THAT | SAY | HYP) && !v.is(from, THE)
    {
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
    let of =
        (from + 1..end).find(|i| (v.is(*i, OF) && i + 1 < end || v.is_elided_of(*i)) && v.breaks[*i] == 0);
    if let Some(k) = of
        && is_compact(v, from, end)
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
    if !(1..=5).contains(&v.content(from, end)) || !is_compact(v, from, end) {
        return None;
    }
    Some(Subject {
        name: v.name(from, end)?,
        attribute: None,
        of_many: false,
        person: v.is_person_like(from, end),
    })
}

/// A noun phrase and no clause of its own: words of content, with articles only in front and behind prepositions.
fn is_compact(v: &View<'_>, from: usize, end: usize) -> bool {
    (from..end).all(|i| {
        let joint = v.is(i, OF | PLACE | FROM | TO | WITH) || v.is_elided_of(i);
        if v.is(i, THE | A) && !joint {
            return i == from || v.is(i - 1, OF | PLACE | FROM | TO | WITH | THE);
        }
        joint && i > from || v.is_content(i) || v.is(i, CONJ) && i > from
    }) && !v.has(from, end, SELF | THEY & !THE)
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
