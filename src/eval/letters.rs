//! A stream of letters between a few people, with needs planted in it: what somebody asks, promises, leaves open or dates.

use std::sync::Arc;

use crate::event::{Event, TimeMark, Ts};

const PEOPLE: [&str; 6] = [
    "Wanda Kuhl",
    "Rui Prado",
    "Ingrid Vos",
    "Tadeo Luna",
    "Mirka Zelen",
    "Hugo Blanc",
];
const KINDS: [&str; 12] = [
    "oak", "blue", "narrow", "copper", "striped", "hollow", "painted", "folding", "velvet", "marble",
    "wicker", "northern",
];
const THINGS: [&str; 16] = [
    "cabinet", "lantern", "carriage", "tapestry", "anchor", "bellows", "sundial", "trellis", "barrel",
    "harness", "easel", "pulpit", "turbine", "mosaic", "ledger", "kiln",
];
/// Sentences that state a need; `@` is the matter, `%` a day. The clearer of each kind stand first.
const STATEMENTS: [&str; 8] = [
    "Could you send me the measures of the @?",
    "I would like the @ back one of these days.",
    "I'll mend the @ myself.",
    "Shall the @ be sold or kept?",
    "They cannot say whether the @ fits through the door.",
    "The fee for the @ has to be paid by %.",
    "You must collect the @ by %.",
    "I promised them new hinges for the @.",
];
const ORDINARY: [&str; 6] = [
    "Your @ stands beside the window now.",
    "The @ looked fine in the rain.",
    "We walked past the @ on the way home.",
    "You would have laughed at the @ in that light.",
    "There was music near the @ last night.",
    "The children drew the @ in chalk.",
];
/// Hours between two letters, in turn; their sum is not a whole day, so no clock can be read from them.
const GAPS: [i64; 9] = [3, 7, 2, 11, 5, 4, 9, 1, 8];

/// `weeks` weeks of letters; every third states a need, each of a matter of its own.
pub fn letters(space: &str, start: Ts, weeks: u32) -> Vec<Arc<Event>> {
    let end = start.0 + i64::from(weeks) * 7 * Ts::DAY;
    let (mut at, mut out) = (start.0, Vec::new());
    for n in 0.. {
        at += GAPS[n % GAPS.len()] * Ts::HOUR;
        if at >= end {
            break;
        }
        let matter = format!(
            "{} {}",
            KINDS[n / 3 % KINDS.len()],
            THINGS[(n / 3 + n / 36) % THINGS.len()]
        );
        let sentence = match n % 3 {
            0 => STATEMENTS[n / 3 % STATEMENTS.len()],
            _ => ORDINARY[(n / 3 + n) % ORDINARY.len()],
        };
        // What is ordinary is about another thing than what is asked beside it.
        let other = format!(
            "{} {}",
            KINDS[(n + 5) % KINDS.len()],
            THINGS[(n + 9) % THINGS.len()]
        );
        let day = Ts(at + 4 * Ts::DAY)
            .datetime()
            .map(|d| d.format("%-d %B %Y").to_string());
        let text = sentence
            .replace('@', if n % 3 == 0 { &matter } else { &other })
            .replace('%', &day.unwrap_or_default());
        out.push(Arc::new(Event {
            space: space.into(),
            source: "letters".into(),
            id: format!("l{n}"),
            time: Ts(at),
            time_mark: TimeMark::Given,
            received: Ts(at),
            kind: None,
            actor: Some(PEOPLE[(n * 5 + n / 7) % PEOPLE.len()].into()),
            title: None,
            text,
            data: None,
            extra: Default::default(),
        }));
    }
    out
}
