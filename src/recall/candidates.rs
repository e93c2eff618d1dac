//! Which events are scored. A small space: all. A large one: a bounded union of what the words,
//! vectors, names, dates and actors of the question point to, and a sample that stands for the rest.

use chrono::{Datelike, NaiveDate};
use rustc_hash::FxHashSet;

use super::rank::Ranker;
use crate::event::Ts;
use crate::index::NONE;
use crate::text::DateSpan;

pub(crate) struct Picked {
    /// Ascending positions, sample included.
    pub docs: Vec<u32>,
    /// Those of them that only stand for the rest, ascending. Empty when all were picked.
    pub sample: Vec<u32>,
}

pub(crate) fn pick(r: &Ranker<'_>) -> Picked {
    let all = r.view.positions();
    if all as usize <= r.settings.exact_below {
        return Picked {
            docs: (0..all).filter(|p| r.visible(*p)).collect(),
            sample: Vec::new(),
        };
    }
    let cap = r.settings.candidates;
    let mut docs: FxHashSet<u32> = FxHashSet::default();
    let mut take =
        |list: Vec<u32>, most: usize| docs.extend(list.into_iter().filter(|p| r.visible(*p)).take(most));

    let lexical = by_words(r);
    let named: Vec<u32> = r.named.iter().map(|a| a.number).collect();
    let said = |p: &u32| r.view.row(*p).is_some_and(|row| named.contains(&row.actor));
    take(lexical.iter().copied().take(cap / 3).collect(), cap / 3);
    if !named.is_empty() {
        take(lexical.iter().copied().filter(said).collect(), cap / 10);
    }
    // What stands beside the best hits holds answers without sharing a word.
    take(
        lexical
            .iter()
            .take(cap / 20)
            .flat_map(|p| r.view.around(*p))
            .filter(|p| *p != NONE)
            .collect(),
        cap / 5,
    );
    take(r.view.nearest(&r.quantised(), cap / 10), cap / 10);
    for (name, _) in &r.names {
        take(
            r.view
                .entity(name)
                .iter()
                .rev()
                .map(|p| p.0)
                .take(cap / 10)
                .collect(),
            cap / 10,
        );
    }
    take(by_periods(r, &lexical, cap / 5), cap / 5);

    let step = (all as usize / r.settings.sample.max(1)).max(1);
    let sample: Vec<u32> = (0..all)
        .step_by(step)
        .filter(|p| r.visible(*p) && !docs.contains(p))
        .collect();
    let mut docs: Vec<u32> = docs.into_iter().collect();
    docs.extend(&sample);
    docs.sort_unstable();
    Picked { docs, sample }
}

/// Events by the sum of their own (not their neighbours') BM25-like values, best first; terms in
/// order of their worth until the budget of postings is spent.
fn by_words(r: &Ranker<'_>) -> Vec<u32> {
    let mut lists: Vec<(f32, usize, usize)> = Vec::new();
    for (t, wanted) in r.wanted.iter().enumerate() {
        for (l, (discount, idf, list)) in wanted.lists.iter().enumerate() {
            if !list.is_empty() {
                lists.push((wanted.weight * discount * idf, t, l));
            }
        }
    }
    lists.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut score = vec![0f32; r.view.positions() as usize];
    let mut touched = Vec::new();
    let mut budget = r.settings.posting_budget / 5;
    for (worth, t, l) in lists {
        let list = &r.wanted[t].lists[l].2;
        if list.len() > budget && !touched.is_empty() {
            continue;
        }
        budget = budget.saturating_sub(list.len());
        for (pos, tf) in list.iter() {
            let s = &mut score[pos as usize];
            if *s == 0.0 {
                touched.push(pos);
            }
            *s += worth * tf / (tf + 1.2);
        }
    }
    let order = |a: &u32, b: &u32| score[*b as usize].total_cmp(&score[*a as usize]).then(a.cmp(b));
    let most = r.settings.candidates * 2;
    if touched.len() > most {
        touched.select_nth_unstable_by(most, order);
        touched.truncate(most);
    }
    touched.sort_unstable_by(order);
    touched
}

/// Events in the periods the question names: those with its words first, then evenly over time.
fn by_periods(r: &Ranker<'_>, lexical: &[u32], most: usize) -> Vec<u32> {
    let spans: Vec<(Ts, Ts)> = r.question.periods.iter().flat_map(|p| bounds(r, p)).collect();
    if spans.is_empty() {
        return Vec::new();
    }
    let inside = |p: &u32| {
        r.view
            .row(*p)
            .is_some_and(|row| spans.iter().any(|(a, b)| row.time >= *a && row.time < *b))
    };
    let mut out: Vec<u32> = lexical.iter().copied().filter(inside).take(most / 2).collect();
    for (from, to) in &spans {
        let all: Vec<u32> = r
            .view
            .by_time()
            .range((*from, 0)..(*to, 0))
            .take(50_000)
            .map(|x| x.1)
            .collect();
        let step = all.len().div_ceil((most / 2 / spans.len()).max(1)).max(1);
        out.extend(all.into_iter().step_by(step));
    }
    out
}

/// The instants a period covers; for one of any year, in each of the newest ten years that have events.
fn bounds(r: &Ranker<'_>, span: &DateSpan) -> Vec<(Ts, Ts)> {
    let days = |first: NaiveDate, last: NaiveDate| {
        let at = |d: NaiveDate| Ts(d.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis());
        (at(first), Ts(at(last).0.saturating_add(Ts::DAY)))
    };
    let from_ce = |a: i32, b: i32| {
        Some(days(
            NaiveDate::from_num_days_from_ce_opt(a)?,
            NaiveDate::from_num_days_from_ce_opt(b)?,
        ))
    };
    let year = |p: Option<&(Ts, u32)>| p.and_then(|p| p.0.datetime()).map(|t| t.year());
    let years: Vec<i32> = match (year(r.view.by_time().get_min()), year(r.view.by_time().get_max())) {
        (Some(a), Some(b)) => (a.max(b.saturating_sub(9))..=b).collect(),
        _ => Vec::new(),
    };
    match *span {
        DateSpan::Day { first, last } | DateSpan::Month { first, last } => {
            from_ce(first, last).into_iter().collect()
        }
        DateSpan::MonthOfAnyYear { month } => years
            .into_iter()
            .filter_map(|y| {
                let first = NaiveDate::from_ymd_opt(y, month, 1)?;
                Some(days(
                    first,
                    first.checked_add_months(chrono::Months::new(1))?.pred_opt()?,
                ))
            })
            .collect(),
        DateSpan::DayOfAnyYear { month, day } => years
            .into_iter()
            .filter_map(|y| NaiveDate::from_ymd_opt(y, month, day))
            .map(|d| days(d, d))
            .collect(),
    }
}
