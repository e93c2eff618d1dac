//! Packing: the best events into a token budget, dated and in order of time.
//!
//! Greedy in rank order; what does not fit is passed over. Where events come in long runs a date
//! heads all lines of a day; elsewhere the year heads its lines and day and month open each. Identical events are shown once. The count of
//! tokens is exact and never above the budget.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::excerpt;
use super::question::Question;
use crate::event::{Event, Ts};
use crate::index::{Entry, IndexView, Line};
use crate::text::count_tokens;

/// Passed-over events after which a conversation's pack is closed (research), and any other's.
const SKIPS_IN_TALK: usize = 25;
const SKIPS: usize = 200;
/// An event longer than this share of the budget is shown by its best passage.
const LARGEST_SHARE: f32 = 0.6;
/// A passage shorter than this says too little.
const SMALLEST_EXCERPT: usize = 12;

/// One event of a pack.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub pos: u32,
    pub score: f32,
    line: Line,
    time: Ts,
    pub superseded: bool,
}

impl Taken {
    /// What the pack shows of the event itself.
    pub fn text(&self) -> &str {
        let body = &self.line.text[self.line.body.clone()];
        if body.is_empty() { &self.line.text } else { body }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Pack {
    pub context: String,
    pub tokens: usize,
    /// Best first.
    pub taken: Vec<Taken>,
    pub skipped: usize,
    pub repeats: usize,
}

pub(crate) struct Packer<'a> {
    pub view: &'a IndexView,
    pub question: &'a Question,
    /// One date a day of talk, not one a line.
    pub talk: bool,
    pub budget: usize,
    pub max_items: usize,
    /// Positions that a newer event replaces.
    pub superseded: &'a FxHashSet<u32>,
    /// Opens the context: facts and cards, each line ended. Counts to the budget.
    pub facts: &'a str,
}

impl Packer<'_> {
    pub fn pack(&self, order: &[(u32, f32)]) -> Pack {
        let mut pack = Pack::default();
        let (mut used, mut seen) = (count_tokens(self.facts), FxHashSet::default());
        let mut heads: FxHashSet<String> = FxHashSet::default();
        let patience = if self.talk { SKIPS_IN_TALK } else { SKIPS };
        for (pos, score) in order {
            if pack.taken.len() >= self.max_items || pack.skipped > patience || used >= self.budget {
                break;
            }
            let Some(entry) = self.view.row(*pos).and_then(|r| r.entry.as_ref()) else {
                continue;
            };
            if !seen.insert(entry.content_hash) {
                pack.repeats += 1;
                continue;
            }
            let head = self.head(entry.event.time);
            let paid = if heads.contains(&head) {
                0
            } else {
                count_tokens(&head)
            };
            let superseded = self.superseded.contains(pos);
            match self.fit(entry, superseded, self.budget.saturating_sub(used + paid)) {
                Some((line, cost)) => {
                    used += cost + paid;
                    heads.insert(head);
                    pack.taken.push(Taken {
                        pos: *pos,
                        score: *score,
                        line,
                        time: entry.event.time,
                        superseded,
                    });
                }
                None => pack.skipped += 1,
            }
        }
        self.finish(&mut pack);
        pack
    }

    /// The event's line and its tokens, by an excerpt where the whole is too long.
    fn fit(&self, entry: &Entry, superseded: bool, room: usize) -> Option<(Line, usize)> {
        let tokens = if self.talk {
            entry.plain_tokens
        } else {
            entry.dated_tokens
        } as usize;
        let mark = if superseded { count_tokens(SUPERSEDED) } else { 0 };
        let longest = (self.budget as f32 * LARGEST_SHARE) as usize;
        if tokens + mark <= room && (tokens <= longest || tokens < 64) {
            return Some((Line::of(&entry.event), tokens + mark));
        }
        if tokens <= longest {
            return None;
        }
        let room = room.min(longest);
        let bare = self.cost(&entry.event, &Line::with_body(&entry.event, ""), superseded);
        let left = room
            .checked_sub(bare + 2)
            .filter(|left| *left >= SMALLEST_EXCERPT)?;
        let whole = Line::of(&entry.event);
        let passage = excerpt::best(&whole.text[whole.body], self.question, left);
        let line = Line::with_body(&entry.event, passage);
        let cost = self.cost(&entry.event, &line, superseded);
        (!passage.is_empty() && cost <= room).then_some((line, cost))
    }

    fn cost(&self, event: &Event, line: &Line, superseded: bool) -> usize {
        let mut out = String::new();
        self.write_line(&mut out, event.time, line, superseded);
        count_tokens(&out)
    }

    fn write_line(&self, out: &mut String, time: Ts, line: &Line, superseded: bool) {
        let mark = if superseded { SUPERSEDED } else { "" };
        // Writing to a string cannot fail.
        let _ = if self.talk {
            writeln!(out, "{mark}{}", line.text)
        } else {
            writeln!(out, "{} {mark}{}", date(time, "%-d %b"), line.text)
        };
    }

    /// Writes the context; takes the least relevant away while the exact count is above the budget.
    fn finish(&self, pack: &mut Pack) {
        loop {
            pack.context = self.context(&pack.taken);
            pack.tokens = count_tokens(&pack.context);
            if pack.tokens <= self.budget || pack.taken.pop().is_none() {
                return;
            }
        }
    }

    /// The heading under which an event stands.
    fn head(&self, time: Ts) -> String {
        format!(
            "## {}\n",
            date(time, if self.talk { "%a %d %B %Y" } else { "%Y" })
        )
    }

    fn context(&self, taken: &[Taken]) -> String {
        let mut by_time: Vec<&Taken> = taken.iter().collect();
        by_time.sort_by_key(|t| (t.time, t.pos));
        let (mut out, mut last) = (self.facts.to_owned(), String::new());
        for t in by_time {
            let head = self.head(t.time);
            if head != last {
                out.push_str(&head);
                last = head;
            }
            self.write_line(&mut out, t.time, &t.line, t.superseded);
        }
        out
    }
}

const SUPERSEDED: &str = "(superseded) ";

fn date(time: Ts, format: &str) -> String {
    time.datetime()
        .map_or_else(|| "undated".into(), |t| t.format(format).to_string())
}
