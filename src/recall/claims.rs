//! What the claims add to a ranking: which events are out of date, where a chain leads, who is spoken of.

use super::Snapshot;
use super::mode::{Payload, Procedure};
use super::rank::{Ranker, Ranking};
use super::settings::Settings;
use super::versions::Change;
use crate::distill::{Asked, Claim, DistillView, Name, Profile, Standing};
use crate::event::Ts;
use crate::graph::NodeIx;
use crate::index::IndexView;
use crate::text::count_tokens;

/// Best hits whose statements are looked at.
const LOOKED_AT: usize = 8;
/// Slots that are shown, and claims in all.
const SHOWN_SLOTS: usize = 4;
const SHOWN_CLAIMS: usize = 12;
/// Best hits whose statements are shown.
const SHOWN_HITS: usize = 3;
/// Lines of facts in a context.
const FACT_LINES: usize = 4;
/// From this score on a claim has to do with the question.
const SOUGHT: f32 = 2.0;
/// Closeness of a change that the claims know of: above every setting.
const KNOWN: f32 = 2.0;

pub(crate) struct Grounds<'a> {
    distill: &'a DistillView,
    index: &'a IndexView,
    as_of: Option<Ts>,
    asked: Asked,
}

impl<'a> Grounds<'a> {
    pub fn of(snap: &Snapshot<'a>, ranker: &Ranker<'_>, as_of: Option<Ts>) -> Grounds<'a> {
        let q = &ranker.question;
        Grounds {
            distill: snap.distill,
            index: snap.index,
            as_of,
            asked: snap.distill.asked(&q.text, &q.words, q.lang, as_of, true),
        }
    }

    /// Position of an event. O(log n).
    fn position(&self, event: (Ts, NodeIx)) -> Option<u32> {
        let at = self.index.by_time().range((event.0, 0)..=(event.0, u32::MAX));
        at.map(|x| x.1).find(|pos| {
            let row = self.index.row(*pos);
            row.and_then(|r| r.entry.as_ref())
                .is_some_and(|e| e.ix == event.1)
        })
    }

    /// Of the best hits those of which what the question seeks no longer holds, with the events that replaced it.
    pub fn changes(&self, ranking: &Ranking) -> Vec<Change> {
        let mut out: Vec<Change> = Vec::new();
        for (pos, _) in ranking.order.iter().take(LOOKED_AT) {
            let Some(entry) = self.index.row(*pos).and_then(|r| r.entry.as_ref()) else {
                continue;
            };
            let states = |c: &Claim| c.evidence.iter().any(|e| e.1 == entry.ix) && self.is_sought(c);
            let stated = self.distill.claims_in(entry.ix, self.as_of);
            if stated.iter().any(|c| states(c) && c.to.is_none()) {
                continue;
            }
            for old in stated.iter().filter(|c| states(c) && c.closed_by.is_some()) {
                if let Some(newer) = old.closed_by.and_then(|e| self.position(e))
                    && newer != *pos
                    && !out.iter().any(|c| (c.older, c.newer) == (*pos, newer))
                {
                    out.push(Change {
                        older: *pos,
                        newer,
                        closeness: KNOWN,
                    });
                }
            }
        }
        out
    }

    /// The question has something to do with this claim.
    fn is_sought(&self, claim: &Claim) -> bool {
        let fits = self.asked.fits.iter().filter(|f| f.score >= SOUGHT);
        fits.flat_map(|f| &f.versions).any(|v| v == claim)
    }

    /// Lifts the events of what holds of the slots asked for, and of the chain that leads there.
    pub fn lift(&self, payload: &Payload, settings: &Settings, ranking: &mut Ranking) {
        let mut lifts: Vec<(u32, f32)> = Vec::new();
        let mut lift = |c: &Claim, by: f32| {
            if let Some(pos) = c.evidence.last().and_then(|e| self.position(*e))
                && !lifts.iter().any(|l| l.0 == pos)
            {
                lifts.push((pos, by));
            }
        };
        for fit in self.asked.strong().take(SHOWN_SLOTS) {
            let Some(current) = fit.current() else { continue };
            match &fit.by {
                Some(by) if payload.tier == Procedure::MultiHop => {
                    lift(current, settings.chain_lift);
                    lift(by, settings.chain_lift);
                }
                None => lift(current, settings.claim_lift),
                _ => {}
            }
        }
        lifts.retain(|l| l.1 > 0.0);
        if lifts.is_empty() {
            return;
        }
        let mut all: Vec<(u32, f32, f32)> = ranking
            .order
            .iter()
            .zip(&ranking.content)
            .map(|((p, s), c)| (*p, *s, *c))
            .collect();
        for (pos, by) in lifts {
            if let Some(hit) = all.iter_mut().find(|h| h.0 == pos) {
                hit.1 += by;
            }
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranking.order = all.iter().map(|h| (h.0, h.1)).collect();
        ranking.content = all.iter().map(|h| h.2).collect();
    }

    /// Is there a claim that the question asks for?
    pub fn answers(&self) -> bool {
        self.asked.strong().next().is_some()
    }

    /// Claims of the slots asked for: what holds first, then what it replaced, newest first. Then what the best hits
    /// state.
    pub fn claims(&self, ranking: &Ranking) -> Vec<Claim> {
        let mut out: Vec<Claim> = Vec::new();
        for fit in self.asked.strong().take(SHOWN_SLOTS) {
            let by = fit.by.iter().cloned();
            let mut versions: Vec<Claim> = fit.versions.iter().rev().cloned().collect();
            versions.sort_by_key(|c| c.standing != Standing::Current);
            for c in by.chain(versions) {
                if out.len() < SHOWN_CLAIMS && !out.contains(&c) {
                    out.push(c);
                }
            }
        }
        for (pos, _) in ranking.order.iter().take(SHOWN_HITS) {
            let Some(entry) = self.index.row(*pos).and_then(|r| r.entry.as_ref()) else {
                continue;
            };
            for c in self.distill.claims_in(entry.ix, self.as_of) {
                if out.len() < SHOWN_CLAIMS && !out.contains(&c) {
                    out.push(c);
                }
            }
        }
        out
    }

    /// Lines that open the context: what holds of a fact that changed or that a chain led to, with what it replaced;
    /// the card of somebody about whom the question asks nothing else. At most an eighth of the budget.
    pub fn facts(&self, ranker: &Ranker<'_>, budget: usize) -> String {
        let mut lines: Vec<String> = Vec::new();
        if self.names_only(ranker) {
            for p in self.profiles(ranker).iter().take(1) {
                lines.extend(p.claims.iter().take(FACT_LINES).map(|c| line(c, &[])));
            }
        }
        for fit in self.asked.strong().take(SHOWN_SLOTS) {
            let Some(current) = fit
                .current()
                .filter(|_| fit.versions.len() > 1 || fit.by.is_some())
            else {
                continue;
            };
            let old: Vec<&Claim> = fit.versions.iter().filter(|c| c.closed_by.is_some()).collect();
            lines.extend(fit.by.iter().map(|c| line(c, &[])));
            lines.push(line(current, &old));
        }
        let mut out = String::new();
        let mut left = budget / 8;
        for l in lines.iter().take(FACT_LINES) {
            let cost = count_tokens(l) + 1;
            if cost < left && !out.contains(l.as_str()) {
                if out.is_empty() {
                    out.push_str("## Facts\n");
                    left = left.saturating_sub(4);
                }
                out.push_str(l);
                out.push('\n');
                left -= cost.min(left);
            }
        }
        out
    }

    /// The question holds no word of content but names: "Who is Ana?".
    fn names_only(&self, ranker: &Ranker<'_>) -> bool {
        let named = |w: &str| ranker.named.iter().any(|a| a.name.to_lowercase().contains(w));
        let mut content = ranker.question.words.iter().filter(|w| !w.stop).peekable();
        content.peek().is_some() && content.all(|w| named(&w.lower))
    }

    /// Cards of those whom the question names.
    pub fn profiles(&self, ranker: &Ranker<'_>) -> Vec<Profile> {
        let names = ranker
            .named
            .iter()
            .take(2)
            .filter_map(|a| Name::of_actor(&a.name));
        names
            .filter_map(|n| self.distill.profile(&n, self.as_of))
            .collect()
    }

    /// The question is about the teller of the best hit, who only passed on what somebody else said of himself.
    pub fn about_another(&self, ranker: &Ranker<'_>, ranking: &Ranking) -> Option<String> {
        let (pos, _) = ranking.order.first()?;
        let entry = self.index.row(*pos)?.entry.as_ref()?;
        let teller = Name::of_actor(entry.event.actor.as_deref()?)?;
        let words = &ranker.question.words;
        let named = |n: &Name| {
            n.key.split(' ').any(|k| {
                words.iter().any(|w| {
                    let mut key = String::new();
                    crate::distill::push_key(&mut key, w);
                    key == k
                })
            })
        };
        let stated = self.distill.claims_in(entry.ix, self.as_of);
        let of_another =
            |c: &Claim| c.subject.key != teller.key && c.speakers.contains(&c.subject) && !named(&c.subject);
        let own = |f: &crate::distill::Fit| f.versions.iter().any(|c| c.subject.key == teller.key);
        let first = stated.first()?;
        let other = named(&teller) && stated.iter().all(of_another) && !self.asked.fits.iter().any(own);
        other.then(|| {
            format!(
                "No information available about {}: what fits was said of {}.",
                teller.shown, first.subject.shown
            )
        })
    }
}

/// One fact for a reader: "pier 6, gate code: 8802 (since 1 May 2033; before: 3317)".
fn line(c: &Claim, old: &[&Claim]) -> String {
    let day = |t: Ts| {
        t.datetime()
            .map_or_else(String::new, |t| t.format("%-d %b %Y").to_string())
    };
    let denied = if c.negated { "not " } else { "" };
    let what = match &c.attribute {
        Some(a) => format!("{}, {}: {denied}{}", c.subject.shown, a.shown, c.object.shown),
        None => {
            let verb = c.predicate.name().replace('_', " ");
            format!("{} {denied}{verb} {}", c.subject.shown, c.object.shown)
        }
    };
    let mut out = format!("- {what} (since {}", day(c.from));
    for (i, o) in old.iter().rev().take(2).enumerate() {
        let denied = if o.negated { "not " } else { "" };
        let was = if o.standing == Standing::Corrected {
            "wrong"
        } else {
            "before"
        };
        let lead = if i == 0 { "; " } else { ", " };
        out.push_str(&format!("{lead}{was}: {denied}{}", o.object.shown));
    }
    out.push(')');
    out
}
