//! Matching the rules of a language over the words of a text.
//!
//! Rules are compiled once. At each word only the rules that can begin there are tried; the cost is
//! linear in the words.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::table::{Meaning, TABLES, Table};
use crate::text::Word;
use crate::text::calendar::{self, Name};
use crate::text::lang::Lang;
use crate::text::lexicon::set;
use crate::text::scan::{Kind, Token};

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

const UNITS: [Unit; 6] = [
    Unit::Minute,
    Unit::Hour,
    Unit::Day,
    Unit::Week,
    Unit::Month,
    Unit::Year,
];

/// What filled the slots of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    pub n: Option<i64>,
    pub unit: Option<Unit>,
    pub weekday: Option<u32>,
    pub month: Option<u32>,
    pub day: Option<u32>,
    pub year: Option<i32>,
    /// The weekday stands in the plural ("Fridays").
    pub plural: bool,
    /// 1 to 5; 0 is the last.
    pub nth: Option<u32>,
}

/// A date found: words `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub from: usize,
    pub to: usize,
    pub meaning: Meaning,
    pub slots: Slots,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Words(Vec<&'static str>),
    N,
    Unit,
    Weekday,
    Month,
    Day,
    Ordinal,
    Year,
    Nth,
}

struct Rule {
    places: Vec<Place>,
    meaning: Meaning,
}

/// The compiled rules of a language with its word sets.
pub(super) struct Grammar {
    pub table: &'static Table,
    rules: Vec<Rule>,
    /// Rules that begin with a word, and those that begin with a slot.
    by_word: FxHashMap<&'static str, Vec<usize>>,
    by_slot: Vec<usize>,
    units: FxHashMap<&'static str, Unit>,
    numbers: FxHashMap<&'static str, i64>,
    nths: FxHashMap<&'static str, u32>,
    doubtful: FxHashSet<&'static str>,
    pub due: FxHashSet<&'static str>,
    pub limits: FxHashSet<&'static str>,
    pub between: FxHashSet<&'static str>,
    pub ahead: FxHashSet<&'static str>,
    pub behind: FxHashSet<&'static str>,
    pub future: FxHashSet<&'static str>,
    pub past: FxHashSet<&'static str>,
    pub at: FxHashSet<&'static str>,
    pub clock: FxHashSet<&'static str>,
}

/// The grammar of a language, if it has one.
pub(super) fn grammar(lang: Lang) -> Option<&'static Grammar> {
    static ALL: OnceLock<Vec<Grammar>> = OnceLock::new();
    ALL.get_or_init(|| TABLES.iter().map(Grammar::new).collect())
        .iter()
        .find(|g| g.table.lang == lang)
}

fn variants<T: Copy>(list: &'static str, value: impl Fn(usize) -> T) -> FxHashMap<&'static str, T> {
    let rows = list.split_whitespace().enumerate();
    rows.flat_map(|(i, names)| names.split('/').map(move |n| (n, i)))
        .map(|(n, i)| (n, value(i)))
        .collect()
}

impl Grammar {
    fn new(table: &'static Table) -> Grammar {
        let mut g = Grammar {
            table,
            rules: Vec::new(),
            by_word: FxHashMap::default(),
            by_slot: Vec::new(),
            units: variants(table.units, |i| UNITS[i.min(5)]),
            numbers: variants(table.numbers, |i| i as i64 + 1),
            nths: variants(table.nths, |i| if i == 5 { 0 } else { i as u32 + 1 }),
            doubtful: set(&[table.doubtful]),
            due: set(&[table.due]),
            limits: set(&[table.limits]),
            between: set(&[table.between]),
            ahead: set(&[table.ahead]),
            behind: set(&[table.behind]),
            future: set(&[table.future]),
            past: set(&[table.past]),
            at: set(&[table.at]),
            clock: set(&[table.clock]),
        };
        for (text, meaning) in table.rules {
            for places in expand(text) {
                let at = g.rules.len();
                match &places[..] {
                    [Place::Words(words), ..] => words
                        .iter()
                        .for_each(|w| g.by_word.entry(w).or_default().push(at)),
                    _ => g.by_slot.push(at),
                }
                g.rules.push(Rule {
                    places,
                    meaning: *meaning,
                });
            }
        }
        g
    }

    /// The longest rule that matches at word `from`.
    pub(super) fn match_at(
        &self,
        text: &str,
        tokens: &[Token<'_>],
        words: &[Word],
        from: usize,
        lenient: bool,
    ) -> Option<Match> {
        let w = &words[from];
        let slot = w.has_digit
            || self.numbers.contains_key(&*w.lower)
            || self.is_name(&w.lower)
            || self.weekday(&w.lower).is_some();
        let slots = if slot { &self.by_slot[..] } else { &[] };
        let mut best: Option<Match> = None;
        for &r in self
            .by_word
            .get(&*w.lower)
            .map_or(&[][..], |v| v)
            .iter()
            .chain(slots)
        {
            let rule = &self.rules[r];
            // Of two as long, a trap wins.
            let length = rule.places.len() + usize::from(rule.meaning == Meaning::Nothing);
            if best.is_some_and(|b| b.to - b.from >= length) {
                continue;
            }
            if let Some(slots) = self.fill(rule, text, tokens, words, from) {
                let m = Match {
                    from,
                    to: from + rule.places.len(),
                    meaning: rule.meaning,
                    slots,
                };
                if self.is_plausible(&m, tokens, words, lenient) {
                    best = Some(m);
                }
            }
        }
        best
    }

    fn fill(
        &self,
        rule: &Rule,
        text: &str,
        tokens: &[Token<'_>],
        words: &[Word],
        from: usize,
    ) -> Option<Slots> {
        if from + rule.places.len() > words.len() {
            return None;
        }
        let mut slots = Slots::default();
        for (k, place) in rule.places.iter().enumerate() {
            let i = from + k;
            if k > 0 && !self.touch(text, tokens, words, i) {
                return None;
            }
            let low = &*words[i].lower;
            match place {
                Place::Words(any) => any.contains(&low).then_some(())?,
                Place::N => slots.n = Some(self.number(low)?),
                Place::Unit => slots.unit = Some(*self.units.get(low)?),
                Place::Nth => slots.nth = Some(*self.nths.get(low)?),
                Place::Day => slots.day = Some(day(low)?.0),
                Place::Ordinal => slots.day = Some(day(low).filter(|d| d.1)?.0),
                Place::Year => slots.year = Some(year(low)?),
                Place::Weekday => {
                    let (day, plural) = self.weekday(low)?;
                    slots.weekday = Some(day);
                    slots.plural = plural;
                }
                Place::Month => match calendar::name(low, self.table.lang)? {
                    Name::Month(m) => slots.month = Some(m),
                    Name::Weekday(_) => return None,
                },
            }
        }
        Some(slots)
    }

    /// May words i-1 and i belong to one date, judging by what stands between them?
    pub(super) fn touch(&self, text: &str, tokens: &[Token<'_>], words: &[Word], i: usize) -> bool {
        let before = &tokens[i - 1];
        let Some(gap) = text.get(before.start + before.surface.len()..tokens[i].start) else {
            return false;
        };
        if gap.len() > 3 || gap.contains(['\n', '\r']) {
            return false;
        }
        match gap.trim() {
            "" | "," | "-" | "'" | "’" => true,
            "." => {
                (self.table.dotted && day(&words[i - 1].lower).is_some())
                    || (words[i - 1].lower.len() <= 4 && self.is_name(&words[i - 1].lower))
            }
            _ => false,
        }
    }

    /// A weekday, and whether it stands in the plural. Only in English is that another word.
    fn weekday(&self, low: &str) -> Option<(u32, bool)> {
        let day = |w: &str| match calendar::name(w, self.table.lang) {
            Some(Name::Weekday(d)) => Some(d),
            _ => None,
        };
        let single = || {
            low.strip_suffix('s')
                .filter(|w| self.table.lang == Lang::En && w.ends_with("day"))
        };
        day(low)
            .map(|d| (d, false))
            .or_else(|| day(single()?).map(|d| (d, true)))
    }

    fn is_name(&self, low: &str) -> bool {
        calendar::name(low, self.table.lang).is_some()
    }

    fn number(&self, low: &str) -> Option<i64> {
        let digits = low.bytes().all(|b| b.is_ascii_digit()) && (1..=3).contains(&low.len());
        if digits {
            low.parse().ok()
        } else {
            self.numbers.get(low).copied()
        }
    }

    /// Guards against names that are also common words, and against ordinals that count other things.
    fn is_plausible(&self, m: &Match, tokens: &[Token<'_>], words: &[Word], lenient: bool) -> bool {
        let range = m.from..m.to;
        if matches!(m.meaning, Meaning::Unit(_) | Meaning::EndOf)
            && m.slots.unit.is_some_and(|u| u < Unit::Day)
        {
            return false;
        }
        if matches!(m.meaning, Meaning::Unit(_)) && m.slots.unit == Some(Unit::Day) {
            return false;
        }
        if m.meaning == Meaning::DayOfMonth {
            // "on the 3rd" is a date, "on the 3rd floor" is not.
            let next = words.get(m.to).zip(tokens.get(m.to));
            return next.is_none_or(|(w, t)| {
                t.opens || w.stop || self.future.contains(&*w.lower) || !follows_closely(tokens, m.to)
            });
        }
        if self.table.lang == Lang::De && m.meaning == Meaning::Days(1) && m.to == m.from + 1 {
            // "der Morgen" is the morning.
            let w = &words[m.from];
            return &*w.lower != "morgen" || !w.capitalised || w.sentence_start;
        }
        let doubtful = range.clone().find(|&i| self.doubtful.contains(&*words[i].lower));
        let Some(i) = doubtful else { return true };
        let certain =
            m.slots.year.is_some() || range.clone().any(|k| day(&words[k].lower).is_some_and(|d| d.1));
        match m.meaning {
            _ if certain => true,
            // A short weekday alone is a word ("sun", "sat"); after "on" or "by" it is a day.
            Meaning::AnyWeekday => {
                words[i].capitalised
                    && i.checked_sub(1).is_some_and(|p| {
                        self.limits.contains(&*words[p].lower)
                            || self.due.contains(&*words[p].lower)
                            || &*words[p].lower == "on"
                    })
            }
            // "10 may come": lower case needs the day after a preposition, which a capital does not.
            _ => {
                words[i].capitalised
                    || (lenient && i > m.from)
                    || matches!(self.table.lang, Lang::Es | Lang::Fr)
            }
        }
    }
}

fn follows_closely(tokens: &[Token<'_>], i: usize) -> bool {
    let before = &tokens[i - 1];
    tokens[i].start - (before.start + before.surface.len()) == 1 && tokens[i].kind != Kind::Code
}

/// Day of the month 1 to 31, and whether it is written as an ordinal.
pub(super) fn day(low: &str) -> Option<(u32, bool)> {
    let digits = low.len() - low.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let ordinal = match &low[digits..] {
        "" => false,
        "st" | "nd" | "rd" | "th" | "er" | "º" => true,
        _ => return None,
    };
    let d: u32 = if (1..=2).contains(&digits) {
        low[..digits].parse().ok()?
    } else {
        return None;
    };
    (1..=31).contains(&d).then_some((d, ordinal))
}

fn year(low: &str) -> Option<i32> {
    let four = low.len() == 4 && low.bytes().all(|b| b.is_ascii_digit());
    if four {
        low.parse().ok().filter(|y| (1900..2200).contains(y))
    } else {
        None
    }
}

/// All rows that a rule stands for: with and without each of its optional words.
fn expand(text: &'static str) -> Vec<Vec<Place>> {
    let mut rows = vec![Vec::new()];
    for part in text.split_whitespace() {
        let (body, optional) = part.strip_suffix('?').map_or((part, false), |p| (p, true));
        let place = match body {
            "{n}" => Place::N,
            "{unit}" => Place::Unit,
            "{weekday}" => Place::Weekday,
            "{month}" => Place::Month,
            "{day}" => Place::Day,
            "{ord}" => Place::Ordinal,
            "{year}" => Place::Year,
            "{nth}" => Place::Nth,
            words => Place::Words(words.split('|').collect()),
        };
        let with: Vec<Vec<Place>> = rows
            .iter()
            .map(|r: &Vec<Place>| r.iter().cloned().chain([place.clone()]).collect())
            .collect();
        if optional {
            rows.extend(with);
        } else {
            rows = with;
        }
    }
    rows
}
