//! Statements in scripts without spaces, by their markers: Japanese topics and endings, Chinese verbs.

use super::object::{plain, whole};
use super::triple::{Holds, Name, Predicate, Shape, Triple};
use crate::text::Lang;

/// A longer phrase is no name.
const LONGEST: usize = 16;
/// Sentences that are read.
const MOST_SENTENCES: usize = 40;

/// (ending, predicate, denied, says a change). The longest ending that fits wins; `ス` stands for です or ます forms.
type Ending = (&'static str, Predicate, bool, bool);

const JA: &[Ending] = &[
    ("に住んでいません", Predicate::LivesIn, true, false),
    ("に住んでいます", Predicate::LivesIn, false, false),
    ("に住んでいる", Predicate::LivesIn, false, false),
    ("に引っ越しました", Predicate::LivesIn, false, true),
    ("に引っ越した", Predicate::LivesIn, false, true),
    ("で働いています", Predicate::WorksAt, false, false),
    ("で働いている", Predicate::WorksAt, false, false),
    ("に勤めています", Predicate::WorksAt, false, false),
    ("に移動しました", Predicate::LocatedAt, false, true),
    ("に移しました", Predicate::LocatedAt, false, true),
    ("にはありません", Predicate::LocatedAt, true, false),
    ("にありません", Predicate::LocatedAt, true, false),
    ("にあります", Predicate::LocatedAt, false, false),
    ("にある", Predicate::LocatedAt, false, false),
    ("が大好きです", Predicate::Likes, false, false),
    ("が好きではありません", Predicate::Likes, true, false),
    ("が好きではない", Predicate::Likes, true, false),
    ("が好きです", Predicate::Likes, false, false),
    ("が好きだ", Predicate::Likes, false, false),
    ("が好き", Predicate::Likes, false, false),
    ("が嫌いです", Predicate::Likes, true, false),
    ("が嫌いだ", Predicate::Likes, true, false),
    ("が苦手です", Predicate::Likes, true, false),
    ("を使っています", Predicate::Uses, false, false),
    ("を使っている", Predicate::Uses, false, false),
    ("が食べられません", Predicate::Can, true, false),
    ("を食べられません", Predicate::Can, true, false),
    ("に変更されました", Predicate::Is, false, true),
    ("に変更になりました", Predicate::Is, false, true),
    ("に変わりました", Predicate::Is, false, true),
    ("になりました", Predicate::Is, false, true),
    ("になった", Predicate::Is, false, true),
    ("ではありません", Predicate::Is, true, false),
    ("じゃありません", Predicate::Is, true, false),
    ("ではない", Predicate::Is, true, false),
    ("である", Predicate::Is, false, false),
    ("です", Predicate::Is, false, false),
    ("だ", Predicate::Is, false, false),
];

/// Verbs that stand between subject and object; longer ones first.
const ZH: &[Ending] = &[
    ("不再喜欢", Predicate::Likes, true, true),
    ("不喜欢", Predicate::Likes, true, false),
    ("喜欢", Predicate::Likes, false, false),
    ("讨厌", Predicate::Likes, true, false),
    ("现在住在", Predicate::LivesIn, false, true),
    ("搬到了", Predicate::LivesIn, false, true),
    ("住在", Predicate::LivesIn, false, false),
    ("不能吃", Predicate::Can, true, false),
    ("改成了", Predicate::Is, false, true),
    ("改为", Predicate::Is, false, true),
    ("现在是", Predicate::Is, false, true),
    ("不是", Predicate::Is, true, false),
    ("是", Predicate::Is, false, false),
    ("不在", Predicate::LocatedAt, true, false),
    ("放在", Predicate::LocatedAt, false, false),
    ("在", Predicate::LocatedAt, false, false),
];

/// Conditions, guesses and questions.
const IMAGINED: &[&str] = &[
    "もし",
    "たら、",
    "れば、",
    "かもしれ",
    "だろう",
    "でしょう",
    "と思",
    "らしい",
    "ほしい",
    "ですか",
    "ますか",
    "如果",
    "可能",
    "也许",
    "大概",
    "希望",
    "吗",
    "呢",
    "假如",
    "要是",
];

pub fn read(text: &str, lang: Lang, teller: Option<&Name>, most: usize) -> Vec<Triple> {
    let mut out = Vec::new();
    for sentence in text
        .split_inclusive(['。', '！', '？', '\n', '!', '?'])
        .take(MOST_SENTENCES)
    {
        let asks = sentence.ends_with(['？', '?']);
        let sentence = sentence
            .trim_end_matches(['。', '！', '？', '\n', '!', '?'])
            .trim();
        if asks
            || sentence.is_empty()
            || IMAGINED.iter().any(|i| sentence.contains(i))
            || sentence.contains(['「', '“', '"'])
        {
            continue;
        }
        let triple = if lang == Lang::Ja {
            japanese(sentence, teller)
        } else {
            chinese(sentence, teller)
        };
        if let Some(mut t) = triple {
            t.wording = sentence.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
                (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
            });
            out.push(t);
        }
        if out.len() >= most {
            break;
        }
    }
    out
}

fn name(text: &str) -> Option<Name> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '、' | '，' | ','));
    let n = text.chars().count();
    let plain = (1..=LONGEST).contains(&n) && !text.contains(['、', '，']);
    plain.then(|| Name {
        key: text.to_lowercase().into(),
        shown: text.into(),
    })
}

fn japanese(sentence: &str, teller: Option<&Name>) -> Option<Triple> {
    let (topic, said) = match sentence.split_once('は') {
        Some((t, s)) if t.chars().count() <= LONGEST => (t, s),
        _ => ("", sentence),
    };
    let (mut said, mut change) = (said.trim_start_matches('、'), false);
    for now in ["今は", "今、", "今", "現在は", "現在", "もう"] {
        if let Some(rest) = said.strip_prefix(now) {
            (said, change) = (rest, true);
        }
    }
    let (end, predicate, negated, changed) = JA.iter().find(|e| said.ends_with(e.0))?;
    let object = name(&said[..said.len() - end.len()])?;
    // Without a topic only what one says of oneself has a subject.
    let own = matches!(topic, "私" | "僕" | "俺" | "わたし" | "ぼく");
    let alone = topic.is_empty()
        && matches!(
            predicate,
            Predicate::Likes | Predicate::LivesIn | Predicate::WorksAt | Predicate::Can
        );
    let (subject, attribute) = if own || alone {
        (teller?.clone(), None)
    } else {
        owned(topic, "の", &["私", "僕", "俺"], teller)?
    };
    Some(make(
        subject,
        attribute,
        *predicate,
        object,
        *negated,
        change || *changed,
    ))
}

fn chinese(sentence: &str, teller: Option<&Name>) -> Option<Triple> {
    let (at, (verb, predicate, negated, changed)) = ZH.iter().find_map(|e| Some((sentence.find(e.0)?, e)))?;
    let (before, after) = (
        sentence[..at].trim_end_matches("现在"),
        &sentence[at + verb.len()..],
    );
    let object = name(after.trim_end_matches(['了', '。']))?;
    let (subject, attribute) = match before {
        "我" | "我们" => (teller?.clone(), None),
        _ => owned(before, "的", &["我", "我们"], teller)?,
    };
    let change = *changed || before.len() < at;
    Some(make(subject, attribute, *predicate, object, *negated, change))
}

/// "A's B" is attribute B of A.
fn owned(text: &str, of: &str, own: &[&str], teller: Option<&Name>) -> Option<(Name, Option<Name>)> {
    match text.rsplit_once(of) {
        Some((owner, what)) if own.contains(&owner) => Some((teller?.clone(), Some(name(what)?))),
        Some((owner, what)) => Some((name(owner)?, Some(name(what)?))),
        None => Some((name(text)?, None)),
    }
}

fn make(
    subject: Name,
    attribute: Option<Name>,
    predicate: Predicate,
    object: Name,
    negated: bool,
    change: bool,
) -> Triple {
    let digits = object.shown.chars().any(char::is_numeric);
    let (subject, predicate, attribute) = match attribute {
        Some(a) if matches!(predicate, Predicate::Is | Predicate::LocatedAt) => {
            (subject, Predicate::Attribute, Some(a))
        }
        // What somebody's somebody likes is not what he likes.
        Some(a) => (whole(&subject, &a), predicate, None),
        None => (subject, predicate, None),
    };
    Triple {
        attribute,
        shape: if digits { Shape::Number } else { Shape::Phrase },
        negated,
        change,
        holds: if predicate == Predicate::Is && !digits {
            Holds::OneIfChanged
        } else {
            Holds::One
        },
        ..plain(subject, predicate, object)
    }
}
