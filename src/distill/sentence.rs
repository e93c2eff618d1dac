//! A sentence: who speaks in it, whether it claims anything, and its cutting into clauses.
//!
//! Reported speech is about the one who is quoted: "Bram told me: 'I cannot eat sesame'" makes Bram the "I". What
//! stands under a condition, a wish or a guess, and what is asked, claims nothing.

use super::clause::{self, Cx};
use super::object;
use super::subject::Subject;
use super::text_view::{CLOSED, COLON, COMMA, HARD, View};
use super::triple::{Holds, Name, Predicate, Shape, Triple};
use super::words::{
    self as w, ACCORDING, CONJ, CORRECT, HYP, ME, NOT, SAY, SELF, THAT, THE, THEY, TO, VERB, YOU,
};

/// Words that may stand before the colon of a label.
const LONGEST_LABEL: usize = 5;

/// Who is "I", and who said it.
#[derive(Clone, Debug, Default)]
pub struct Voice {
    pub me: Option<Name>,
    /// Set when it is not the teller.
    pub speaker: Option<Name>,
}

/// Reads all sentences of a section.
pub struct Reader<'a> {
    pub view: View<'a>,
    pub teller: Option<Name>,
    /// Who speaks in the quotation that is still open.
    open: Option<Voice>,
    /// The third party that "he", "she" or "it" stands for.
    pub carry: Option<Name>,
    pub carry_person: bool,
    pub correction: bool,
    pub out: Vec<Triple>,
    most: usize,
}

impl<'a> Reader<'a> {
    pub fn new(view: View<'a>, teller: Option<Name>, most: usize) -> Reader<'a> {
        Reader {
            view,
            teller,
            open: None,
            carry: None,
            carry_person: false,
            correction: false,
            out: Vec::new(),
            most,
        }
    }

    pub fn read(mut self) -> Vec<Triple> {
        for (from, to) in self.view.sentences() {
            if self.out.len() >= self.most {
                break;
            }
            self.correction = self.view.has(from, to, CORRECT) || self.correction && to - from > 1;
            if !self.view.asks(to - 1) && !self.hypothetical(from, to) {
                self.sentence(from, to);
            }
            // "Correction." alone speaks of the sentence that follows.
            self.correction = self.view.has(from, to, CORRECT) && to - from <= 2;
            if !self.view.quoted[to - 1] {
                self.open = None;
            }
        }
        self.out.truncate(self.most);
        self.out
    }

    fn hypothetical(&self, from: usize, to: usize) -> bool {
        self.view.parts[from..to]
            .iter()
            .any(|(own, tail)| (own | tail) & HYP != 0)
    }

    fn sentence(&mut self, from: usize, to: usize) {
        let mut voice = Voice {
            me: self.teller.clone(),
            speaker: None,
        };
        if self.view.quoted[from] {
            voice = self.open.clone().unwrap_or_default();
        }
        let from = match self.label(from, to, &mut voice) {
            Some(from) => from,
            None => return,
        };
        if let Some(rest) = self.according(from, to, &mut voice) {
            return self.clauses(rest, to, &voice);
        }
        match self.speech(from, to, &voice) {
            Some((a, b, voice)) => {
                if self.view.quoted[b - 1] {
                    self.open = Some(voice.clone());
                }
                self.clauses(a, b, &voice);
            }
            None => self.clauses(from, to, &voice),
        }
    }

    /// "Bram: ..." changes the voice, "Correction: ..." marks one, "Kiln port: 7410" is a value by itself (then
    /// nothing is left to read). Returns where the rest begins.
    fn label(&mut self, from: usize, to: usize, voice: &mut Voice) -> Option<usize> {
        let v = &self.view;
        let end = (from + 1..to.min(from + LONGEST_LABEL + 1)).find(|i| v.breaks[*i] & COLON != 0);
        let Some(end) = end.filter(|i| !v.has(from, *i, VERB) && !v.quoted[from]) else {
            return Some(from);
        };
        if v.has(from, end, CORRECT) {
            self.correction = true;
            return Some(end);
        }
        if v.has(end, to, VERB) {
            // A line of a transcript: the last words before the colon are the speaker's name.
            let dated = v.words[from].has_digit;
            let name = (from..end).rev().take_while(|i| !v.words[*i].has_digit).last()?;
            let name = if dated { end - 1 } else { name };
            if (dated || v.is_proper(end - 1) && end - name <= 3)
                && let Some(n) = v.name(name, end)
                && self.teller.as_ref().is_none_or(|t| t.key != n.key)
            {
                voice.speaker = Some(n.clone());
                voice.me = Some(n);
            }
            return Some(end);
        }
        let short =
            v.content(end, to) <= 4 && !v.has(end, to, CONJ) && (end + 1..to).all(|i| v.breaks[i] == 0);
        if short
            && v.content(from, end) >= 1
            && let (Some(subject), Some(object)) = (v.name(from, end), v.name(end, to))
        {
            let triple = Triple {
                shape: v.shape(end, to),
                wording: v.wording(from, to),
                ..object::plain(subject, Predicate::Value, object)
            };
            let wanted = triple.shape != Shape::Phrase;
            if wanted {
                self.push(triple, voice);
            }
        }
        None
    }

    fn according(&mut self, from: usize, to: usize, voice: &mut Voice) -> Option<usize> {
        let v = &self.view;
        if !v.is(from, ACCORDING) {
            return None;
        }
        let name = if v.is(from + 1, TO) { from + 2 } else { from + 1 };
        let end = (name..to.min(name + 4)).find(|i| v.breaks[*i] & COMMA != 0)?;
        voice.speaker = v.name(name, end);
        Some(end)
    }

    /// Finds "X said ...": what was said, and by whom.
    fn speech(&mut self, from: usize, to: usize, voice: &Voice) -> Option<(usize, usize, Voice)> {
        let v = &self.view;
        let noun = w::THE | w::A | w::MINE | w::THEIR | w::OF;
        let k = (from..to).find(|i| v.is(*i, SAY) && (*i == from || !v.is(i - 1, noun)))?;
        if v.quoted[from] && !v.quoted[k] {
            // What was said stands first.
            let end = (from..k).find(|i| !v.quoted[*i]).unwrap_or(k);
            let name = [k + 1, k.wrapping_sub(1)]
                .into_iter()
                .find(|i| *i < to && v.is_proper(*i));
            let me = match name {
                Some(i) => v.name(i, i + 1),
                None if v.has(end, to, SELF) => voice.me.clone().or(self.teller.clone()),
                None => self.carry.clone(),
            };
            let speaker = me
                .clone()
                .filter(|m| self.teller.as_ref().is_none_or(|t| t.key != m.key));
            return Some((from, end, Voice { me, speaker }));
        }
        let verb = (from..=k).find(|i| v.is(*i, VERB))?;
        // A diary leaves out who tells: "Told the group that ...".
        let who = if v.has(from, verb, SELF) || k == from {
            voice.me.clone()
        } else if v.has(from, verb, THEY) {
            self.carry.clone()
        } else if v.has(from, verb, YOU) || verb - from > 5 {
            None
        } else {
            v.name(from, verb)
        };
        let mut j = k + 1;
        while j < to && v.breaks[j] & (HARD | COMMA) == 0 && !v.quoted[j] && v.is(j, ME | TO | w::ADV) {
            j += 1;
        }
        if j < to
            && v.is_proper(j)
            && v.breaks[j] == 0
            && (j + 1 < to)
            && (v.is(j + 1, THAT) || v.breaks[j + 1] != 0)
        {
            j += 1;
        }
        if let Some(that) = (j..to.min(j + 5))
            .find(|i| v.is(*i, THAT) && !v.is(*i, THE))
            .or((j + 1..to.min(j + 5)).find(|i| v.is(*i, THAT)))
            && !v.has(j, that, VERB)
        {
            // "Told the group that".
            j = that;
        }
        let direct = j < to && (v.breaks[j] & COLON != 0 || v.quoted[j]);
        let marked = direct || v.is(j, THAT) || j < to && v.breaks[j] & COMMA != 0;
        if j >= to || !marked && !v.has(j, to, VERB) {
            return None;
        }
        if v.is(j, THAT) {
            j += 1;
        }
        let teller = voice.me.as_ref().map(|m| &m.key);
        let reported = who.as_ref().map(|n| &n.key) != teller || who.is_none();
        let speaker = if reported {
            who.clone()
        } else {
            voice.speaker.clone()
        };
        let me = if direct { who.clone() } else { voice.me.clone() };
        if !direct && who.is_some() && who.as_ref().map(|n| &n.key) != teller {
            (self.carry, self.carry_person) = (who, true);
        }
        Some((j, to, Voice { me, speaker }))
    }

    /// Cuts at marks, and at conjunctions that join two statements.
    fn clauses(&mut self, from: usize, to: usize, voice: &Voice) {
        // "Ana dijo que vive ...": what is reported goes on with the speaker.
        let reported = voice
            .speaker
            .clone()
            .filter(|s| voice.me.as_ref() != Some(s) && self.carry.as_ref() == Some(s));
        let mut last = reported.map(Subject::person);
        let (mut a, mut seen) = (from, false);
        for i in from..=to {
            let v = &self.view;
            let ends = i == to
                || i > a && v.breaks[i] & (HARD | COMMA | CLOSED) != 0
                || i > a && seen && v.is(i, CONJ | THAT) && self.verb_follows(i, to);
            if ends && i > a {
                let mut cx = Cx {
                    voice,
                    last: last.take(),
                };
                self.clause(a, i, &mut cx);
                last = cx.last;
                (a, seen) = (i, false);
            }
            seen |= i < to && (self.view.parts[i].0 | self.view.parts[i].1) & VERB != 0;
        }
    }

    fn verb_follows(&self, i: usize, to: usize) -> bool {
        let v = &self.view;
        let end = (i + 1..to)
            .find(|k| v.breaks[*k] & (HARD | COMMA) != 0)
            .unwrap_or(to);
        v.has(i + 1, end, VERB)
    }

    fn clause(&mut self, from: usize, to: usize, cx: &mut Cx<'_>) {
        let v = &self.view;
        if v.is(from, NOT) && !v.has(from, to, VERB) {
            // "..., not the old one": what the last statement replaces.
            if let Some(wrong) = v.name(from + 1, to) {
                self.replaces(wrong);
            }
            return;
        }
        if !v.has(from, to, THE)
            && !v.parts[from..to].iter().any(|(p, t)| (p | t) & VERB != 0)
            && v.is_person_like(from, to)
        {
            (self.carry, self.carry_person) = (v.name(from, to), true);
            // "Hey Ana" speaks to her, "Ana, my boss, ..." of her.
            if v.content(from, to) == to - from {
                cx.last = self.carry.clone().map(Subject::person);
            }
        }
        for triple in clause::read(self, from, to, cx) {
            self.push(triple, cx.voice);
        }
    }

    /// The last statement stands in place of `wrong`.
    fn replaces(&mut self, wrong: Name) {
        let Some(right) = self.out.last_mut() else { return };
        (right.correction, right.change) = (true, true);
        if right.predicate.is_set() || right.holds == Holds::Many {
            let denied = Triple {
                object: wrong,
                negated: !right.negated,
                ..right.clone()
            };
            self.out.push(denied);
        }
    }

    fn push(&mut self, mut triple: Triple, voice: &Voice) {
        if triple.subject.key == triple.object.key || self.out.len() >= self.most {
            return;
        }
        triple.speaker = voice.speaker.clone();
        triple.correction |= self.correction;
        triple.change |= self.correction;
        self.out.push(triple);
    }
}
