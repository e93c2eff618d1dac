//! Dates in Japanese, Chinese and Korean, where words are not spaced: one pattern over the text, data for the words.

use std::sync::OnceLock;

use chrono::{DateTime, NaiveTime, Utc};
use regex::{Captures, Regex};

use super::pattern::{Match, Slots, Unit};
use super::reader::Found;
use super::resolve::{self, Tense};
use super::table::Meaning::{self, *};

/// Fixed words; a longer one stands before those that begin alike.
const WORDS: &[(&str, Meaning, Option<Unit>)] = &[
    ("今日", Days(0), None),
    ("本日", Days(0), None),
    ("今夜", Days(0), None),
    ("明後日", Days(2), None),
    ("あさって", Days(2), None),
    ("明日", Days(1), None),
    ("一昨日", Days(-2), None),
    ("おととい", Days(-2), None),
    ("昨日", Days(-1), None),
    ("昨夜", Days(-1), None),
    ("再来週", Meaning::Unit(2), Some(Unit::Week)),
    ("来週", Meaning::Unit(1), Some(Unit::Week)),
    ("今週", Meaning::Unit(0), Some(Unit::Week)),
    ("先々週", Meaning::Unit(-2), Some(Unit::Week)),
    ("先週", Meaning::Unit(-1), Some(Unit::Week)),
    ("来月", Meaning::Unit(1), Some(Unit::Month)),
    ("今月", Meaning::Unit(0), Some(Unit::Month)),
    ("先月", Meaning::Unit(-1), Some(Unit::Month)),
    ("来年", Meaning::Unit(1), Some(Unit::Year)),
    ("今年", Meaning::Unit(0), Some(Unit::Year)),
    ("昨年", Meaning::Unit(-1), Some(Unit::Year)),
    ("去年", Meaning::Unit(-1), Some(Unit::Year)),
    ("今天", Days(0), None),
    ("今晚", Days(0), None),
    ("明天", Days(1), None),
    ("后天", Days(2), None),
    ("後天", Days(2), None),
    ("昨天", Days(-1), None),
    ("前天", Days(-2), None),
    ("下个月", Meaning::Unit(1), Some(Unit::Month)),
    ("上个月", Meaning::Unit(-1), Some(Unit::Month)),
    ("这个月", Meaning::Unit(0), Some(Unit::Month)),
    ("明年", Meaning::Unit(1), Some(Unit::Year)),
    ("오늘", Days(0), None),
    ("내일", Days(1), None),
    ("모레", Days(2), None),
    ("그저께", Days(-2), None),
    ("어제", Days(-1), None),
    ("다음 주", Meaning::Unit(1), Some(Unit::Week)),
    ("지난 주", Meaning::Unit(-1), Some(Unit::Week)),
    ("다음 달", Meaning::Unit(1), Some(Unit::Month)),
    ("지난 달", Meaning::Unit(-1), Some(Unit::Month)),
];

const PATTERN: &str = r"(?x)
    (?P<y>[0-90-9]{4})\s?[年년]\s?(?P<m>[0-90-9]{1,2})\s?[月월](?:\s?(?P<d>[0-90-9]{1,2})\s?[日号號일])?
  | (?P<m2>[0-90-9]{1,2})\s?[月월]\s?(?P<d2>[0-90-9]{1,2})\s?[日号號일]
  | (?P<n>[0-90-9]{1,3})\s?(?P<u>日間?|天|週間|周|星期|か月|ヶ月|カ月|ヵ月|个月|年間?|時間|小时|分間?|分钟|일|주일?|개월|년|시간)
    \s?(?P<way>前|後|后|以内|전|후)
  | (?P<week>来週の?|今週の?|先週の?|下周|上周|本周|这周|下星期|上星期)?(?:(?P<w>[月火水木金土日])曜日?|(?:周|星期|礼拜)?(?P<w2>[一二三四五六天日]))
  | (?P<year>(?:19|20)[0-9]{2})[年년]
  | (?P<word>WORDS)";

/// A time of day right behind a date.
const CLOCK: &str = r"^(?:の|\s|に)?(?P<half>午前|午後|上午|下午|晚上|오전|오후)?\s?(?P<h>[0-9]{1,2})\s?[時时点點시](?:(?P<m>[0-9]{1,2})\s?[分분]|(?P<thirty>半|반))?";

fn patterns() -> &'static (Regex, Regex) {
    static CELL: OnceLock<(Regex, Regex)> = OnceLock::new();
    CELL.get_or_init(|| {
        let words: Vec<_> = WORDS.iter().map(|(w, _, _)| w.replace(' ', r"\s?")).collect();
        let dates = PATTERN
            .replace("0-90-9", "0-9０-９")
            .replace("WORDS", &words.join("|"));
        // The patterns are constants; a test compiles them.
        (
            Regex::new(&dates).expect("constant pattern compiles"),
            Regex::new(CLOCK).expect("constant pattern compiles"),
        )
    })
}

/// Dates of a text in reading order. Linear.
pub(super) fn find(text: &str, at: DateTime<Utc>, default: Tense) -> Vec<Found> {
    let (dates, clock) = patterns();
    let mut out = Vec::new();
    for c in dates.captures_iter(text) {
        let Some(whole) = c.get(0) else { continue };
        let Some((meaning, slots)) = meaning(&c) else {
            continue;
        };
        let (from, mut to) = (whole.start(), whole.end());
        // These rules know no words, only bytes.
        let m = Match {
            from: usize::MAX,
            to: usize::MAX,
            meaning,
            slots,
        };
        let after = &text[to..];
        let Some(mut span) = resolve::resolve(&m, at, tense(after, default)) else {
            continue;
        };
        if let Some((time, length)) = clock.captures(after).and_then(|c| time(&c)) {
            span = span.at(time).unwrap_or(span);
            to += length;
        }
        let deadline = is_deadline(&text[..from], &text[to..]) && !matches!(meaning, Offset(-1, _));
        out.push(Found {
            from,
            to,
            rule: Some(m),
            span,
            deadline,
        });
    }
    out
}

fn number(c: &Captures<'_>, name: &str) -> Option<u32> {
    let digits = c.name(name)?.as_str().chars().filter_map(|d| {
        d.to_digit(10)
            .or_else(|| (d as u32).checked_sub(0xFF10).filter(|v| *v < 10))
    });
    Some(digits.fold(0, |n, d| n * 10 + d))
}

fn meaning(c: &Captures<'_>) -> Option<(Meaning, Slots)> {
    let none = Slots::default();
    if let Some(word) = c.name("word") {
        let plain = word.as_str().replace(char::is_whitespace, "");
        let (_, meaning, unit) = WORDS.iter().find(|(w, _, _)| w.replace(' ', "") == plain)?;
        return Some((*meaning, Slots { unit: *unit, ..none }));
    }
    if let Some(n) = number(c, "n") {
        let unit = match c.name("u")?.as_str() {
            "日" | "日間" | "天" | "일" => Unit::Day,
            "週間" | "周" | "星期" | "주" | "주일" => Unit::Week,
            "年" | "年間" | "년" => Unit::Year,
            "時間" | "小时" | "시간" => Unit::Hour,
            "分" | "分間" | "分钟" => Unit::Minute,
            _ => Unit::Month,
        };
        let way = if matches!(c.name("way")?.as_str(), "前" | "전") {
            -1
        } else {
            1
        };
        return Some((
            Offset(way, None),
            Slots {
                n: Some(i64::from(n)),
                unit: Some(unit),
                ..none
            },
        ));
    }
    if let Some(year) = number(c, "y").and_then(|y| i32::try_from(y).ok()) {
        let slots = Slots {
            year: Some(year),
            month: number(c, "m"),
            day: number(c, "d"),
            ..none
        };
        return Some((if slots.day.is_some() { Date } else { Month }, slots));
    }
    if let Some(month) = number(c, "m2") {
        return Some((
            Date,
            Slots {
                month: Some(month),
                day: number(c, "d2"),
                ..none
            },
        ));
    }
    if let Some(year) = number(c, "year") {
        return Some((
            Year,
            Slots {
                year: i32::try_from(year).ok(),
                ..none
            },
        ));
    }
    weekday(c)
}

fn weekday(c: &Captures<'_>) -> Option<(Meaning, Slots)> {
    let prefix = c.name("week").map_or("", |w| w.as_str());
    let place = |names: &str, name: &str| {
        names
            .chars()
            .position(|x| name.starts_with(x))
            .and_then(|i| u32::try_from(i).ok())
    };
    let day = match (c.name("w"), c.name("w2")) {
        (Some(w), _) => place("月火水木金土日", w.as_str())?,
        (_, Some(w)) => {
            let whole = c.get(0)?.as_str();
            // A bare numeral is no weekday.
            if prefix.is_empty() && !whole.starts_with(['周', '星', '礼'])
                || prefix.starts_with(['来', '今', '先'])
            {
                return None;
            }
            place("一二三四五六日", w.as_str()).unwrap_or(6)
        }
        _ => return None,
    };
    let slots = Slots {
        weekday: Some(day),
        ..Slots::default()
    };
    let meaning = match prefix.chars().next() {
        Some('来' | '下') => WeekdayOf(1),
        Some('先' | '上') => WeekdayOf(-1),
        Some(_) => WeekdayOf(0),
        None => AnyWeekday,
    };
    Some((meaning, slots))
}

fn time(c: &Captures<'_>) -> Option<(NaiveTime, usize)> {
    let (h, m) = (
        number(c, "h")?,
        number(c, "m").unwrap_or(if c.name("thirty").is_some() { 30 } else { 0 }),
    );
    let late = c
        .name("half")
        .is_some_and(|x| matches!(x.as_str(), "午後" | "下午" | "晚上" | "오후"));
    let h = if late && h < 12 { h + 12 } else { h };
    Some((NaiveTime::from_hms_opt(h, m, 0)?, c.get(0)?.len()))
}

/// The first `n` characters.
fn head(text: &str, n: usize) -> &str {
    text.char_indices().nth(n).map_or(text, |(i, _)| &text[..i])
}

fn tense(after: &str, default: Tense) -> Tense {
    let clause = head(after, 40);
    let clause = clause.split(['。', '！', '？', '\n']).next().unwrap_or_default();
    if ["ました", "でした", "った", "了", "했", "었"]
        .iter()
        .any(|p| clause.contains(p))
    {
        Tense::Past
    } else {
        default
    }
}

fn is_deadline(before: &str, after: &str) -> bool {
    let start = before.char_indices().rev().nth(5).map_or(0, |(i, _)| i);
    [
        "まで", "中に", "之前", "以前", "前", "締", "〆", "期限", "截止", "까지",
    ]
    .iter()
    .any(|w| after.trim_start().starts_with(w))
        || ["期限", "締切", "締め切り", "〆切", "截止", "마감"]
            .iter()
            .any(|w| before[start..].contains(w))
}
