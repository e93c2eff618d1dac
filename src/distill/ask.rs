//! What a question asks of the claims: the slots it names, and chains from one to the next.

use super::triple::{Predicate, Triple, push_key};
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
/// From here on a slot is what the question asks for, when it also accounts for this share of its words.
const STRONG: f32 = 2.4;
const COVERED: f32 = 0.7;

/// A slot that the question may ask for.
#[derive(Clone, Debug)]
pub struct Fit {
    pub score: f32,
    /// Share of the question's words of content that the claim accounts for.
    pub covered: f32,
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
        self.fits
            .iter()
            .filter(|f| f.score >= STRONG && f.covered > COVERED)
    }
}

/// A question as claims see it.
struct Sought {
    keys: Vec<String>,
    /// Parts of each word.
    parts: Vec<w::Part>,
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
                seen.push(slot);
                let Some(newest) = self.newest(slot, as_of) else {
                    continue;
                };
                let (score, covered) = sought.fit(newest, own);
                if score > 0.0 {
                    fits.push(Fit {
                        score: 1.0 + score,
                        covered,
                        slot,
                        versions: self.history(slot, as_of),
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
                let used: Vec<usize> = sought.words_of(by);
                let Some(newest) = self.newest(slot, as_of) else {
                    continue;
                };
                let (score, covered) = sought.fit(newest, &used);
                if score >= 1.4 && !fits.iter().any(|f| f.slot == slot) {
                    out.push(Fit {
                        score: fit.score + score - 1.0,
                        covered,
                        slot,
                        versions: self.history(slot, as_of),
                        by: Some(by.clone()),
                    });
                }
            }
        }
        out
    }

    fn sought(&self, question: &str, words: &[Word], lang: Lang) -> Sought {
        let mut parts = Vec::with_capacity(words.len());
        let (mut keys, mut where_) = (Vec::with_capacity(words.len()), false);
        for word in words {
            let (own, tail) = w::parts(word, lang);
            parts.push(own | tail);
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
            .filter(|i| parts[*i] & (w::ADV | w::NOW) == 0)
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
            predicates: predicates(
                parts.iter().fold(0, |a, p| a | p),
                where_,
                text::asks_when(question),
            ),
            content,
            parts,
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

/// Words by which a question asks for a predicate.
fn mask(predicate: Predicate) -> w::Part {
    match predicate {
        Predicate::Likes => w::LIKE | w::HATE | w::PLEASE,
        Predicate::LivesIn => w::LIVE | w::MOVE,
        Predicate::LocatedAt | Predicate::ScheduledFor => w::MOVE,
        Predicate::WorksAt => w::WORK,
        Predicate::Costs => w::COST,
        Predicate::Uses => w::USE,
        Predicate::Has => w::OWN | w::HAVE,
        Predicate::HandledBy => w::RUN | w::CHARGE,
        Predicate::Causes => w::CAUSE,
        Predicate::Can => w::CAN,
        Predicate::Wants => w::WANT,
        Predicate::Is | Predicate::Attribute | Predicate::Value | Predicate::From => 0,
    }
}

fn predicates(parts: w::Part, where_: bool, when: bool) -> Vec<Predicate> {
    let asks = |p: &Predicate| match p {
        Predicate::ScheduledFor if when => true,
        Predicate::LocatedAt | Predicate::LivesIn if where_ => true,
        _ => parts & mask(*p) != 0,
    };
    Predicate::ALL.into_iter().filter(asks).collect()
}

impl Sought {
    /// How well a statement fits, beside the words that named its subject or object; and the share of the question's
    /// words of content that it accounts for with them.
    fn fit(&self, t: &Triple, own: &[usize]) -> (f32, f32) {
        let mut used: Vec<usize> = own.to_vec();
        let mut share = |name: &str| {
            let (mut hit, mut all) = (0, 0);
            for part in name.split(' ') {
                all += 1;
                let said = |i: &usize| self.keys[*i] == part;
                hit += usize::from((0..self.keys.len()).any(|i| !own.contains(&i) && said(&i)));
                // A word may be said twice.
                used.extend((0..self.keys.len()).filter(said));
            }
            hit as f32 / all.max(1) as f32
        };
        let attribute = t.attribute.as_ref().map_or(0.0, |a| 2.0 * share(&a.key));
        let object = 1.5 * share(&t.object.key);
        share(&t.subject.key);
        // "What is the fee?" asks for nothing but the fee.
        let plain = matches!(
            t.predicate,
            Predicate::Is | Predicate::Value | Predicate::Costs | Predicate::ScheduledFor
        );
        let mask = mask(t.predicate);
        let asked =
            self.predicates.contains(&t.predicate) || plain && self.content.iter().all(|i| own.contains(i));
        let verb = |i: &usize| self.parts[*i] & mask != 0;
        let covered = self
            .content
            .iter()
            .filter(|i| used.contains(i) || verb(i))
            .count();
        let covered = covered as f32 / self.content.len().max(1) as f32;
        (attribute + object + if asked { 1.5 } else { 0.0 }, covered)
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
