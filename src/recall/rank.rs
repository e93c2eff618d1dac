//! The ranker: one linear score of lexical, vector, entity, actor, episode and date features, then
//! a step from the best hits to what shares entities or meaning with them.
//!
//! Same question, same snapshot, same scores. Recipe and figures: research; ours differ in the word
//! table and in the expansion, which is left out for words that the table does not know.

use std::sync::Arc;

use super::candidates;
use super::lexical::{self, Wanted, Windows, idf};
use super::question::{Question, fits};
use super::settings::Settings;
use crate::embed::Models;
use crate::embed::dot_i8;
use crate::event::Ts;
use crate::index::{Actor, Entry, IndexView, NONE, Quantised, nearest_words, normalise, sif};

/// Actors with this share of the events are no choice between speakers.
const DOMINANT_ACTOR: f32 = 0.75;
/// Actors whose name has one word are looked at, at most.
const NAMESAKES: usize = 16;

/// What a question needs from a snapshot before any event is scored.
pub(crate) struct Ranker<'a> {
    pub view: &'a IndexView,
    pub settings: &'a Settings,
    pub question: Question,
    pub as_of: Option<Ts>,
    pub wanted: Vec<Wanted<'a>>,
    /// Unit SIF vector of the question; empty when no word is known.
    pub vector: Vec<f32>,
    /// Kept names of the question with their idf.
    pub names: Vec<(Arc<str>, f32)>,
    pub named: Vec<Actor>,
    /// "A and B": no prior for either.
    pub paired: bool,
    pub chat: f32,
}

/// Scores of the events that were looked at.
#[derive(Default)]
pub(crate) struct Ranking {
    /// (position, score), best first.
    pub order: Vec<(u32, f32)>,
    /// First-stage score without the prior for an actor, in the order of `order`.
    pub content: Vec<f32>,
    /// Best lexical value before scaling.
    pub best_lexical: f32,
    pub looked_at: usize,
}

impl<'a> Ranker<'a> {
    pub fn new(
        view: &'a IndexView,
        settings: &'a Settings,
        models: &Models,
        text: &str,
        now: Ts,
        as_of: Option<Ts>,
        widen: bool,
    ) -> Ranker<'a> {
        let share = |w: &str| name_share(view, w);
        let question = Question::of(text, now, view.lang(), share);
        let table = models.words.as_ref();
        let words: Vec<(&str, f32)> = question
            .content()
            .into_iter()
            .filter(|(w, _)| share(w) <= settings.frequent_actor)
            .collect();
        let mut vector = sif(words.into_iter(), table);
        if vector.iter().any(|x| *x != 0.0) {
            normalise(&mut vector);
        } else {
            vector.clear();
        }
        let near = expansions(view, settings, models, &question, widen);
        let wanted = lexical::look_up(view, &question.terms, &near, settings.posting_budget);
        let names = question
            .names
            .iter()
            .filter_map(|x| Some((x.clone(), entity_idf(view, settings, x)?)))
            .collect();
        let named = named_actors(view, &question);
        let paired = named.len() > 1 && are_paired(&question.text, &named);
        Ranker {
            view,
            settings,
            question,
            as_of,
            wanted,
            vector,
            names,
            named,
            paired,
            chat: view.chat(),
        }
    }

    pub fn visible(&self, pos: u32) -> bool {
        self.view
            .row(pos)
            .is_some_and(|r| r.entry.is_some() && self.as_of.is_none_or(|t| r.time <= t))
    }

    fn entry(&self, pos: u32) -> Option<&Arc<Entry>> {
        self.view.row(pos)?.entry.as_ref()
    }

    /// Prior of an event's actor: 1 for the one the question names, .5 without a choice.
    fn speaker(&self, actor: u32) -> f32 {
        match self.named.as_slice() {
            [] => 0.5,
            _ if self.paired => 0.5,
            [one] => f32::from(u8::from(one.number == actor)),
            [first, ..] if first.number == actor => 0.75,
            _ => 0.25,
        }
    }

    /// Scores everything that may matter. Spaces of up to `exact_below` events are scored whole.
    pub fn rank(&self) -> Ranking {
        let picked = candidates::pick(self);
        if picked.docs.is_empty() {
            return Ranking::default();
        }
        let windows = Windows::of(self.view, picked.docs, &|p| self.visible(p));
        let docs = &windows.docs;
        let population = Population::new(docs, &picked.sample, self.view.len());

        let mut lexical = windows.bm25(&self.wanted);
        let best_lexical = top_scale(&mut lexical);
        let mut entity = self.entity_match(docs, &self.names);
        top_scale(&mut entity);
        let cosine = self.cosines(docs, &population);
        let episode = self.episode_scores(docs);
        let (day, month) = self.period_scores(docs);

        let w = &self.settings.weights;
        let talk = f32::from(u8::from(self.chat > self.settings.conversation_above));
        let all = self.view.positions() as f32;
        let mut score = vec![0f64; docs.len()];
        let mut content = vec![0f32; docs.len()];
        for (i, pos) in docs.iter().enumerate() {
            let Some(row) = self.view.row(*pos) else {
                continue;
            };
            let cues = row.entry.as_ref().map(|e| e.cues).unwrap_or_default();
            let speaker = self.speaker(row.actor);
            let flag = |b: bool| f32::from(u8::from(b));
            content[i] = w.lexical * lexical[i]
                + w.cosine * cosine[i]
                + w.entity * entity[i]
                + w.day * day[i]
                + w.month * month[i]
                + w.when * flag(self.question.asks_when) * f32::from(cues.time)
                + w.number * flag(self.question.asks_number) * f32::from(cues.number)
                + w.capitalised * f32::from(cues.capitalised)
                + w.only_question * flag(cues.only_question)
                + w.filler * flag(cues.filler)
                + talk * (w.episode * episode[i] + w.position * *pos as f32 / all);
            let first_person = f32::from(cues.first_person) / 3.0;
            score[i] = f64::from(content[i] + w.actor * speaker + w.first_person * speaker * first_person);
        }
        let (mean, sd) = population.mean_sd(&score);
        let first: Vec<f32> = score.iter().map(|b| ((b - mean) / sd.max(1e-9)) as f32).collect();
        let second = self.spread(docs, &first, &first);
        self.ordered(docs, second, &content, best_lexical)
    }

    fn ordered(&self, docs: &[u32], score: Vec<f32>, content: &[f32], best_lexical: f32) -> Ranking {
        let mut at: Vec<usize> = (0..docs.len()).collect();
        at.sort_unstable_by(|a, b| score[*b].total_cmp(&score[*a]).then(a.cmp(b)));
        Ranking {
            order: at.iter().map(|i| (docs[*i], score[*i])).collect(),
            content: at.iter().map(|i| content[*i]).collect(),
            best_lexical,
            looked_at: docs.len(),
        }
    }

    /// One more step from the best of a ranking, for questions that join several events.
    pub fn hop(&self, ranking: &Ranking, decay: f32) -> Ranking {
        let mut by_pos: Vec<(u32, f32, f32)> = ranking
            .order
            .iter()
            .zip(&ranking.content)
            .map(|((p, s), c)| (*p, *s, *c))
            .collect();
        by_pos.sort_unstable_by_key(|x| x.0);
        let docs: Vec<u32> = by_pos.iter().map(|x| x.0).collect();
        let score: Vec<f32> = by_pos.iter().map(|x| x.1).collect();
        let content: Vec<f32> = by_pos.iter().map(|x| x.2).collect();
        let stepped = self.spread(&docs, &score, &score);
        let blended = score
            .iter()
            .zip(&stepped)
            .map(|(s, t)| s + decay * (t - s))
            .collect();
        self.ordered(&docs, blended, &content, ranking.best_lexical)
    }

    /// `base` plus what the best events by `score` lend: weight (softmax of the score) times
    /// (entity_step S / (S + 4) + vector_step (1 - chat) C); S is the idf of shared linking
    /// entities, C the cosine, nothing for the event itself.
    fn spread(&self, docs: &[u32], base: &[f32], score: &[f32]) -> Vec<f32> {
        let mut seeds: Vec<usize> = (0..docs.len()).collect();
        let best_first = |a: &usize, b: &usize| score[*b].total_cmp(&score[*a]).then(a.cmp(b));
        let k = self.settings.seeds.min(seeds.len());
        if k == 0 {
            return base.to_vec();
        }
        if k < seeds.len() {
            seeds.select_nth_unstable_by(k - 1, best_first);
            seeds.truncate(k);
        }
        seeds.sort_unstable_by(best_first);
        let powers: Vec<f32> = seeds
            .iter()
            .map(|s| (score[*s] - score[seeds[0]]).exp())
            .collect();
        let sum: f32 = powers.iter().sum();
        let mut out = base.to_vec();
        for (seed, power) in seeds.iter().zip(&powers) {
            let Some(entry) = self.entry(docs[*seed]) else {
                continue;
            };
            let linking: Vec<(Arc<str>, f32)> = entry
                .entities
                .iter()
                .filter_map(|x| Some((x.clone(), self.linking_idf(x)?)))
                .collect();
            let shared = self.entity_match(docs, &linking);
            for i in (0..docs.len()).filter(|i| i != seed) {
                let near = self
                    .entry(docs[i])
                    .map_or(0.0, |e| e.vector.cosine(&entry.vector).clamp(0.0, 1.0));
                let lent = self.settings.entity_step * shared[i] / (shared[i] + 4.0)
                    + self.settings.vector_step * (1.0 - self.chat) * near;
                out[i] += power / sum * lent;
            }
        }
        out
    }

    /// idf of a name which 2 to max(8, 12 %) of the events have.
    fn linking_idf(&self, name: &str) -> Option<f32> {
        let df = self.view.entity(name).len();
        let most = (0.12 * self.view.len() as f32).max(8.0);
        if df >= 2 && df as f32 <= most {
            entity_idf(self.view, self.settings, name)
        } else {
            None
        }
    }

    /// For each doc the sum of the idf of the names it has.
    fn entity_match(&self, docs: &[u32], names: &[(Arc<str>, f32)]) -> Vec<f32> {
        let mut out = vec![0f32; docs.len()];
        for (name, idf) in names {
            let list = self.view.entity(name);
            if list.len() > 2 * docs.len() {
                for (value, pos) in out.iter_mut().zip(docs) {
                    *value += if list.get(*pos).is_some() { *idf } else { 0.0 };
                }
                continue;
            }
            for (pos, _) in list.iter() {
                if let Ok(i) = docs.binary_search(&pos) {
                    out[i] += idf;
                }
            }
        }
        out
    }

    /// clip((cos - mean) / sd, -2, 4) / 4 of question and event with neighbours.
    fn cosines(&self, docs: &[u32], population: &Population) -> Vec<f32> {
        if self.vector.is_empty() {
            return vec![0.0; docs.len()];
        }
        let question = self.quantised();
        let raw: Vec<f64> = docs
            .iter()
            .map(|pos| f64::from(self.context_cosine(*pos, &question)))
            .collect();
        let (mean, sd) = population.mean_sd(&raw);
        raw.iter()
            .map(|c| (((c - mean) / sd.max(1e-6)).clamp(-2.0, 4.0) / 4.0) as f32)
            .collect()
    }

    /// Cosine of the question and an event's vector + .5 the one before + .25 the one after, by
    /// whole-number products of the kept components.
    fn context_cosine(&self, pos: u32, question: &Quantised) -> f32 {
        let [before, after, ..] = self.view.around(pos);
        let mut parts: [Option<(f32, &Quantised)>; 3] = [None; 3];
        for (part, (p, weight)) in parts.iter_mut().zip([(pos, 1.0), (before, 0.5), (after, 0.25)]) {
            if p != NONE && self.visible(p) {
                *part = self.entry(p).map(|e| (weight * e.vector.scale, &e.vector));
            }
        }
        let (mut product, mut square) = (0f32, 0f32);
        for (i, part) in parts.iter().enumerate() {
            let Some((w, v)) = part else { continue };
            product += w * dot_i8(&question.q, &v.q) as f32;
            square += w * w * v.length * v.length;
            for (x, u) in parts[i + 1..].iter().flatten() {
                square += 2.0 * w * x * dot_i8(&v.q, &u.q) as f32;
            }
        }
        product / (square.max(0.0).sqrt() * question.length).max(1e-6)
    }

    fn episode_scores(&self, docs: &[u32]) -> Vec<f32> {
        if self.chat <= self.settings.conversation_above {
            return vec![0.0; docs.len()];
        }
        let limit = self.settings.exact_below.max(self.settings.episode_postings);
        let total = lexical::episodes(self.view, &self.wanted, limit, &|p| self.visible(p));
        let top = total.values().fold(1e-6f32, |m, x| m.max(*x));
        let of = |p: &u32| {
            self.view
                .row(*p)
                .and_then(|r| total.get(&r.episode))
                .copied()
                .unwrap_or(0.0)
        };
        docs.iter().map(|p| of(p) / top).collect()
    }

    fn period_scores(&self, docs: &[u32]) -> (Vec<f32>, Vec<f32>) {
        let mut out = (vec![0f32; docs.len()], vec![0f32; docs.len()]);
        if self.question.periods.is_empty() {
            return out;
        }
        for (i, pos) in docs.iter().enumerate() {
            let Some(date) = self
                .view
                .row(*pos)
                .and_then(|r| r.time.datetime())
                .map(|t| t.date_naive())
            else {
                continue;
            };
            for span in &self.question.periods {
                let (day, month) = fits(span, date);
                out.0[i] = out.0[i].max(day);
                out.1[i] = out.1[i].max(month);
            }
        }
        out
    }

    /// The question's vector as the indexes compare it.
    pub fn quantised(&self) -> Quantised {
        Quantised::of(&self.vector)
    }
}

/// The largest share of events of an actor with this word in the name.
pub(crate) fn name_share(view: &IndexView, word: &str) -> f32 {
    let most = view
        .actors()
        .called(word, NAMESAKES)
        .iter()
        .map(|a| a.events)
        .max()
        .unwrap_or(0);
    most as f32 / view.len().max(1) as f32
}

/// idf of a name that some event shows to be one and that is no frequent actor's.
fn entity_idf(view: &IndexView, settings: &Settings, name: &str) -> Option<f32> {
    let list = view.entity(name);
    let sure = list.iter().any(|(_, sure)| sure > 0.0);
    (sure && name_share(view, name) <= settings.frequent_actor).then(|| idf(view.len(), list.len()))
}

fn expansions(
    view: &IndexView,
    settings: &Settings,
    models: &Models,
    question: &Question,
    widen: bool,
) -> Vec<Vec<(f32, Arc<str>)>> {
    let mut known = Vec::new();
    let mut vectors = Vec::new();
    for (i, term) in question.terms.iter().enumerate() {
        if let Some(vector) = models.words.word(&term.lower).filter(|v| v.whole) {
            known.push(i);
            vectors.push(vector);
        }
    }
    let least = if widen {
        settings.expansion_zero
    } else {
        settings.expansion_cosine
    };
    let found = nearest_words(
        view.words(),
        &vectors,
        least,
        settings.expansion_words,
        settings.vocabulary_scan,
    );
    let mut out = vec![Vec::new(); question.terms.len()];
    for (i, near) in known.into_iter().zip(found) {
        let discount =
            |cos: f32| settings.expansion_weight * ((cos - settings.expansion_zero) / 0.5).clamp(0.0, 1.0);
        out[i] = near
            .into_iter()
            .map(|(cos, stem)| (discount(cos), stem))
            .collect();
    }
    out
}

/// Actors the question names, in its order, without one who says nearly everything.
fn named_actors(view: &IndexView, question: &Question) -> Vec<Actor> {
    let mut out: Vec<Actor> = Vec::new();
    for word in &question.words {
        for actor in view.actors().called(&word.lower, NAMESAKES) {
            let dominant = actor.events as f32 >= DOMINANT_ACTOR * view.len() as f32;
            if !dominant && !out.iter().any(|a| a.number == actor.number) {
                out.push(actor);
            }
        }
    }
    out
}

fn are_paired(question: &str, named: &[Actor]) -> bool {
    let first = |a: &Actor| {
        a.name
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase()
    };
    let (a, b, q) = (first(&named[0]), first(&named[1]), question.to_lowercase());
    q.contains(&format!("{a} and {b}")) || q.contains(&format!("{b} and {a}"))
}

/// Divides by the largest value (at least 1e-6), which it returns.
fn top_scale(values: &mut [f32]) -> f32 {
    let top = values.iter().fold(1e-6f32, |m, x| m.max(*x));
    values.iter_mut().for_each(|x| *x /= top);
    top
}

/// Weights that make the docs looked at stand for all events: candidates count once, a sampled
/// event for its share of the rest.
pub(crate) struct Population {
    weight: Vec<f64>,
}

impl Population {
    fn new(docs: &[u32], sample: &[u32], all: usize) -> Population {
        let candidates = docs.len().saturating_sub(sample.len());
        let each = (all.saturating_sub(candidates)) as f64 / sample.len().max(1) as f64;
        let weight = docs
            .iter()
            .map(|d| {
                if sample.binary_search(d).is_ok() {
                    each.max(1.0)
                } else {
                    1.0
                }
            })
            .collect();
        Population { weight }
    }

    fn mean_sd(&self, values: &[f64]) -> (f64, f64) {
        let total: f64 = self.weight.iter().sum();
        let mean = values.iter().zip(&self.weight).map(|(x, w)| x * w).sum::<f64>() / total;
        let var = values
            .iter()
            .zip(&self.weight)
            .map(|(x, w)| w * (x - mean) * (x - mean))
            .sum::<f64>()
            / total;
        (mean, var.sqrt())
    }
}
