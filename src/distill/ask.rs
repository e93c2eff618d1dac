//! What a question asks of the claims: the slots it names, and chains from one to the next.

use super::triple::{Predicate, push_key};
use super::truth::{Claim, Standing};
use super::view::{DistillView, Slot};
use super::words::{self as w};
use crate::event::Ts;
use crate::text::{self, Lang, Word, is_unspaced};

/// Longest name looked for in a question, in words and in characters of a script without spaces.
const LONGEST_NAME: usize = 5;
const LONGEST_RUN: usize = 12;
/// Names of a question that are followed.
const MOST_NAMES: usize = 8;
/// From here on a slot is what the question asks for.
pub const STRONG: f32 = 2.4;

/// A slot that the question may ask for.
#[derive(Clone, Debug)]
pub struct Fit {
    pub score: f32,
    pub slot: Slot,
    /// Versions of the slot, oldest first.
    pub versions: Vec<Claim>,
    /// The claim that led here from what the question names.
    pub by: Option<Claim>,
}

impl Fit {
    pub fn current(&self) -> Option<&Claim> {
        self.versions
            .iter()
            .rev()
            .find(|c| c.standing == Standing::Current)
    }
}

/// What a question asks of the claims, best first.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub fits: Vec<Fit>,
}

impl Asked {
    pub fn strong(&self) -> impl Iterator<Item = &Fit> {
        self.fits.iter().filter(|f| f.score >= STRONG)
    }
}

/// A question as claims see it.
struct Sought {
    keys: Vec<String>,
    predicates: Vec<Predicate>,
    /// Places of the words that carry content.
    content: Vec<usize>,
    /// Names the snapshot knows: number, and the words of the question it is made of.
    names: Vec<(u32, Vec<usize>)>,
}

impl DistillView {
    /// Slots that fit a question. `chains` also follows objects of fitting slots. Cost: bounded by the settings
    /// and the words of the question.
    pub fn asked(
        &self,
        question: &str,
        words: &[Word],
        lang: Lang,
        as_of: Option<Ts>,
        chains: bool,
    ) -> Asked {
        if self.is_empty() {
            return Asked::default();
        }
        let sought = self.sought(question, words, lang);
        let mut fits: Vec<Fit> = Vec::new();
        let mut seen: Vec<Slot> = Vec::new();
        for (number, own) in &sought.names {
            let about = self.slots_of(*number, as_of, self.settings.recent);
            let to = self.slots_to(*number, as_of, self.settings.recent / 2);
            for slot in about.into_iter().chain(to) {
                if seen.contains(&slot) {
                    continue;
                }
                let versions = self.history(slot, as_of);
                let Some(score) = versions.last().map(|c| 1.0 + sought.score(c, own)) else {
                    continue;
                };
                seen.push(slot);
                if score > 1.0 {
                    fits.push(Fit {
                        score,
                        slot,
                        versions,
                        by: None,
                    });
                }
            }
        }
        if chains {
            let next = self.chains(&sought, &fits, as_of);
            fits.extend(next);
        }
        fits.sort_by(|a, b| {
            let last = |f: &Fit| f.versions.last().map(|c| c.last);
            b.score.total_cmp(&a.score).then(last(b).cmp(&last(a)))
        });
        Asked { fits }
    }

    /// From what the question names over a claim to another name, and there to what it asks for.
    fn chains(&self, sought: &Sought, fits: &[Fit], as_of: Option<Ts>) -> Vec<Fit> {
        let mut out: Vec<Fit> = Vec::new();
        for fit in fits.iter().filter(|f| f.score >= 2.0).take(MOST_NAMES) {
            let Some(by) = fit.current() else { continue };
            let Some(number) = self.number(&by.object.key) else {
                continue;
            };
            for slot in self.slots_of(number, as_of, self.settings.recent) {
                let versions = self.history(slot, as_of);
                let used: Vec<usize> = sought.words_of(by);
                let Some(score) = versions.last().map(|c| sought.score(c, &used)) else {
                    continue;
                };
                if score >= 1.4 && !fits.iter().any(|f| f.slot == slot) {
                    out.push(Fit {
                        score: fit.score + score - 1.0,
                        slot,
                        versions,
                        by: Some(by.clone()),
                    });
                }
            }
        }
        out
    }

    fn sought(&self, question: &str, words: &[Word], lang: Lang) -> Sought {
        let mut parts = 0;
        let (mut keys, mut where_) = (Vec::with_capacity(words.len()), false);
        for word in words {
            let (own, tail) = w::parts(word, lang);
            parts |= own | tail;
            where_ |= matches!(
                &*word.lower,
                "where" | "wo" | "wohin" | "dónde" | "donde" | "où" | "dove" | "onde" | "waar"
            );
            let mut key = String::new();
            push_key(&mut key, word);
            keys.push(key);
        }
        let mut names: Vec<(u32, Vec<usize>)> = Vec::new();
        let content: Vec<usize> = (0..words.len())
            .filter(|i| w::parts(&words[*i], lang).0 & (w::ADV | w::NOW) == 0)
            .filter(|i| words[*i].has_digit || !words[*i].stop)
            .collect();
        for len in (1..=LONGEST_NAME.min(content.len())).rev() {
            for at in content.windows(len) {
                let key = at.iter().map(|i| keys[*i].as_str()).collect::<Vec<_>>().join(" ");
                if let Some(n) = self.number(&key)
                    && !names.iter().any(|x| x.0 == n)
                {
                    names.push((n, at.to_vec()));
                }
            }
        }
        if words
            .iter()
            .any(|w| w.lower.chars().next().is_some_and(is_unspaced))
        {
            self.unspaced_names(words, &mut names);
        }
        names.truncate(MOST_NAMES);
        Sought {
            keys,
            predicates: predicates(parts, where_, text::asks_when(question)),
            content,
            names,
        }
    }

    /// Names in a question of a script without spaces: any run of its characters. The bigrams are joined again.
    fn unspaced_names(&self, words: &[Word], names: &mut Vec<(u32, Vec<usize>)>) {
        for from in 0..words.len() {
            let mut run = String::new();
            for i in from..words.len().min(from + LONGEST_RUN) {
                let s = &*words[i].surface;
                if i > from {
                    let (prev, at) = (&words[i - 1], words[i].start);
                    if at > prev.start + prev.surface.len() as u32 {
                        break;
                    }
                    let overlap = (prev.start + prev.surface.len() as u32 - at) as usize;
                    run.push_str(s.get(overlap..).unwrap_or_default());
                } else {
                    run.push_str(s);
                }
                if let Some(n) = self.number(&run)
                    && !names.iter().any(|x| x.0 == n)
                {
                    names.push((n, (from..=i).collect()));
                }
            }
        }
    }
}

fn predicates(parts: w::Part, where_: bool, when: bool) -> Vec<Predicate> {
    use Predicate as P;
    let mut out = Vec::new();
    let mut add = |part: w::Part, predicates: &[Predicate]| {
        if parts & part != 0 {
            out.extend_from_slice(predicates);
        }
    };
    add(w::LIKE | w::HATE | w::PLEASE, &[P::Likes]);
    add(w::LIVE, &[P::LivesIn]);
    add(w::WORK, &[P::WorksAt]);
    add(w::COST, &[P::Costs]);
    add(w::USE, &[P::Uses]);
    add(w::OWN | w::HAVE, &[P::Has]);
    add(w::RUN | w::CHARGE, &[P::HandledBy]);
    add(w::CAUSE, &[P::Causes]);
    add(w::CAN, &[P::Can]);
    add(w::WANT, &[P::Wants]);
    add(w::MOVE, &[P::ScheduledFor, P::LocatedAt, P::LivesIn]);
    if when {
        out.push(P::ScheduledFor);
    }
    if where_ {
        out.extend([P::LocatedAt, P::LivesIn]);
    }
    out
}

impl Sought {
    /// How well a claim fits, beside the words that named its subject or object.
    fn score(&self, c: &Claim, own: &[usize]) -> f32 {
        let rest = |i: &usize| !own.contains(i);
        let share = |name: &str| {
            let (mut hit, mut all) = (0, 0);
            for part in name.split(' ') {
                all += 1;
                hit += usize::from(self.keys.iter().enumerate().any(|(i, k)| rest(&i) && k == part));
            }
            hit as f32 / all.max(1) as f32
        };
        let attribute = c.attribute.as_ref().map_or(0.0, |a| 2.0 * share(&a.key));
        let predicate = if self.predicates.contains(&c.predicate) {
            1.5
        } else {
            0.0
        };
        let object = 1.5 * share(&c.object.key);
        // "What is the fee?" asks for nothing but the fee.
        let plain = matches!(
            c.predicate,
            Predicate::Is | Predicate::Value | Predicate::Costs | Predicate::ScheduledFor
        );
        let whole = plain && self.content.iter().all(|i| own.contains(i));
        let predicate = if whole { 1.5 } else { predicate };
        attribute + predicate + object.min(1.5)
    }

    /// Words of the question that a claim accounts for.
    fn words_of(&self, c: &Claim) -> Vec<usize> {
        let names = [Some(&c.subject), c.attribute.as_ref()];
        let parts: Vec<&str> = names
            .into_iter()
            .flatten()
            .flat_map(|n| n.key.split(' '))
            .collect();
        (0..self.keys.len())
            .filter(|i| parts.contains(&self.keys[*i].as_str()))
            .collect()
    }
}
