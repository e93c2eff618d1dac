//! Which way a sentence looks: the marker of future or past nearest to a date.

use super::pattern::Grammar;
use super::resolve::Tense;
use crate::text::Word;
use crate::text::scan::Token;

/// Words in -ed that are no past forms.
const NOT_PAST: &[&str] = &[
    "hundred", "indeed", "speed", "exceed", "proceed", "succeed", "united", "sacred", "naked",
];

/// Tense markers of a text, each with its sentence. Built once a text, linear.
pub(super) struct Sentences {
    /// Number of the sentence of each word.
    sentence: Vec<u32>,
    /// (word, tense), in reading order.
    markers: Vec<(usize, Tense)>,
}

impl Sentences {
    pub(super) fn new(g: &Grammar, text: &str, tokens: &[Token<'_>], words: &[Word]) -> Sentences {
        let mut s = Sentences {
            sentence: Vec::with_capacity(words.len()),
            markers: Vec::new(),
        };
        let mut number = 0;
        for (i, (t, w)) in tokens.iter().zip(words).enumerate() {
            // A colon ends no sentence here: what it announces is of the same tense.
            number += u32::from(t.opens && i > 0 && !text[..t.start].trim_end().ends_with(':'));
            s.sentence.push(number);
            let low = &*w.lower;
            let was = i > 0 && g.past.contains(&*words[i - 1].lower);
            if g.future.contains(low) || contracted_will(t.surface) {
                // "Was due", "had planned": of the past.
                s.markers.push((i, if was { Tense::Past } else { Tense::Future }));
            } else if g.past.contains(low) || ends_past(g, low) {
                s.markers.push((i, Tense::Past));
            }
        }
        s
    }

    /// Tense around the date at words `from..to`, by the nearest marker in its sentence; future when two are as near.
    pub(super) fn tense(&self, from: usize, to: usize) -> Option<Tense> {
        let here = *self.sentence.get(from)?;
        let in_sentence = |&&(i, _): &&(usize, Tense)| self.sentence[i] == here;
        let cut = self.markers.partition_point(|&(i, _)| i < from);
        let before = self.markers[..cut].last().filter(in_sentence);
        let after = self.markers[cut..]
            .iter()
            .find(|&&(i, _)| i >= to)
            .filter(in_sentence);
        match (before, after) {
            (Some(&(i, t)), Some(&(j, u))) => {
                let (near, far) = (from - i, j + 1 - to);
                Some(if near < far || (near == far && t == Tense::Future) {
                    t
                } else {
                    u
                })
            }
            (one, other) => one.or(other).map(|&(_, t)| t),
        }
    }
}

fn contracted_will(surface: &str) -> bool {
    surface.ends_with("'ll") || surface.ends_with("’ll")
}

fn ends_past(g: &Grammar, low: &str) -> bool {
    low.len() >= 5 && g.table.past_ends.iter().any(|e| low.ends_with(e)) && !NOT_PAST.contains(&low)
}
