//! What part a word plays in a statement, by language.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::languages::{DE, EN, ES, FR, IT, NL, PT};
use crate::text::{self, Lang, Section, Word};

pub type Part = u64;

/// Subject pronoun of the speaker; "you"; of a third party; their possessives; "to me".
pub const SELF: Part = 1;
pub const YOU: Part = 1 << 1;
pub const THEY: Part = 1 << 2;
pub const MINE: Part = 1 << 3;
pub const THEIR: Part = 1 << 4;
pub const ME: Part = 1 << 5;
/// Definite and indefinite articles and the like.
pub const THE: Part = 1 << 6;
pub const A: Part = 1 << 7;
/// Verbs of grammar.
pub const BE: Part = 1 << 8;
pub const WAS: Part = 1 << 9;
pub const HAVE: Part = 1 << 10;
pub const DO: Part = 1 << 11;
pub const WILL: Part = 1 << 12;
pub const CAN: Part = 1 << 13;
/// Words under which nothing is claimed: conditions, wishes, guesses.
pub const HYP: Part = 1 << 14;
pub const NOT: Part = 1 << 15;
/// Adverbs that may stand in a verb group; those that speak of the present state.
pub const ADV: Part = 1 << 16;
pub const NOW: Part = 1 << 17;
pub const CORRECT: Part = 1 << 18;
pub const CONJ: Part = 1 << 19;
pub const THAT: Part = 1 << 20;
/// Question words and relatives.
pub const WHO: Part = 1 << 21;
pub const OF: Part = 1 << 22;
pub const PLACE: Part = 1 << 23;
pub const TO: Part = 1 << 24;
pub const SINCE: Part = 1 << 25;
pub const UNTIL: Part = 1 << 26;
pub const FROM: Part = 1 << 27;
pub const AS: Part = 1 << 28;
pub const INSTEAD: Part = 1 << 29;
pub const ACCORDING: Part = 1 << 30;
/// Verbs of relations.
pub const LIKE: Part = 1 << 32;
pub const HATE: Part = 1 << 33;
pub const LIVE: Part = 1 << 34;
pub const MOVE: Part = 1 << 35;
pub const WORK: Part = 1 << 36;
pub const COST: Part = 1 << 37;
pub const USE: Part = 1 << 38;
pub const OWN: Part = 1 << 39;
pub const WANT: Part = 1 << 40;
pub const RUN: Part = 1 << 41;
pub const CAUSE: Part = 1 << 42;
pub const SAY: Part = 1 << 43;
pub const BECOME: Part = 1 << 44;
pub const NAMED: Part = 1 << 45;
/// Adjectives of one who answers for something.
pub const CHARGE: Part = 1 << 46;
/// What pleases stands as the subject ("me gusta").
pub const PLEASE: Part = 1 << 47;
/// Verbs that say what something changed to.
pub const TURN: Part = 1 << 48;
/// Prepositions that only join two nouns.
pub const WITH: Part = 1 << 49;
/// Adjectives that tie a person to something for good.
pub const TIED: Part = 1 << 50;

/// Verbs that carry a relation by themselves.
pub const RELATION: Part =
    LIKE | HATE | LIVE | MOVE | WORK | COST | USE | OWN | WANT | RUN | CAUSE | BECOME | PLEASE | TURN;
/// Any verb of the tables.
pub const VERB: Part = RELATION | BE | WAS | HAVE | DO | WILL | CAN | SAY;

pub(super) type Rows = &'static [(Part, &'static str)];

struct Table {
    lower: FxHashMap<Box<str>, Part>,
    /// Verbs of English, which has regular endings, by their term.
    stem: FxHashMap<Box<str>, Part>,
}

fn table(lang: Lang) -> &'static Table {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let rows = [
            (Lang::En, EN),
            (Lang::De, DE),
            (Lang::Es, ES),
            (Lang::Fr, FR),
            (Lang::It, IT),
            (Lang::Pt, PT),
            (Lang::Nl, NL),
        ];
        let of = |lang: &Lang| {
            let mut t = Table {
                lower: FxHashMap::default(),
                stem: FxHashMap::default(),
            };
            let own = rows.iter().find(|(l, _)| l == lang).map_or(&[] as Rows, |r| r.1);
            for (part, list) in own {
                for word in list.split_whitespace() {
                    *t.lower.entry(word.into()).or_default() |= part;
                }
                if *lang == Lang::En && part & (RELATION | SAY) & !CAUSE != 0 {
                    for word in text::words_in(list, Section::Text, Lang::En) {
                        *t.stem.entry(word.stem).or_default() |= part;
                    }
                }
            }
            t
        };
        Lang::ALL.iter().map(of).collect()
    });
    &tables[lang as usize]
}

/// Endings of English nouns that share their term with a verb ("manager", "statement").
const NOUN_ENDS: [&str; 10] = [
    "er", "ers", "or", "ors", "ment", "ments", "ion", "ions", "al", "als",
];

/// Whether statements of a language are read by words.
pub fn is_known(lang: Lang) -> bool {
    !table(lang).lower.is_empty()
}

/// The parts a word may play, and those of the verb that is cut off behind its apostrophe ("she's").
pub fn parts(w: &Word, lang: Lang) -> (Part, Part) {
    let t = table(lang);
    let of = |lower: &str, stem: Option<&str>| {
        let known = t.lower.get(lower).copied();
        known.unwrap_or_else(|| {
            let verb = stem.and_then(|s| t.stem.get(s)).copied().unwrap_or(0);
            if verb != 0 && NOUN_ENDS.iter().any(|e| lower.ends_with(e)) {
                0
            } else {
                verb
            }
        })
    };
    let mut own = of(&w.lower, Some(&w.stem));
    let mut tail = 0;
    if let Some((head, rest)) = w.surface.split_once(['\'', '’']) {
        match lang {
            Lang::En => {
                tail = match rest {
                    "m" | "re" => BE,
                    "s" if own & (THEY | THAT | WHO) != 0 => BE,
                    "ve" => HAVE,
                    "ll" => WILL,
                    "d" if own & (SELF | THEY | YOU) != 0 => HYP,
                    _ => 0,
                };
            }
            Lang::Fr => {
                // "J'habite", "n'aime", "c'est": the head keeps its part.
                own |= match head.to_lowercase().as_str() {
                    "j" => SELF,
                    "c" => THEY,
                    "qu" => THAT,
                    _ => 0,
                };
            }
            _ => {}
        }
    }
    (own, tail)
}
