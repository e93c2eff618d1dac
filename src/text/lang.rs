//! Which language a text is in: a cheap, deterministic guess.
//!
//! Scripts decide first; among Latin ones the stop words vote. English when unsure.

use rust_stemmers::Algorithm;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

use super::scan::{self, Kind, Token};
use super::stop;

/// Languages that the room tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Lang {
    #[default]
    En,
    De,
    Es,
    Fr,
    It,
    Pt,
    Nl,
    Sv,
    Da,
    No,
    Fi,
    Tr,
    Pl,
    Ru,
    El,
    Ar,
    Ja,
    Zh,
    Ko,
    /// Any other script: no stemmer, no stop words.
    Other,
}

impl Lang {
    pub const COUNT: usize = 20;
    pub const ALL: [Lang; Lang::COUNT] = {
        use Lang::*;
        [
            En, De, Es, Fr, It, Pt, Nl, Sv, Da, No, Fi, Tr, Pl, Ru, El, Ar, Ja, Zh, Ko, Other,
        ]
    };

    /// ISO 639-1 code; `und` for [`Lang::Other`].
    pub fn code(self) -> &'static str {
        [
            "en", "de", "es", "fr", "it", "pt", "nl", "sv", "da", "no", "fi", "tr", "pl", "ru", "el", "ar",
            "ja", "zh", "ko", "und",
        ][self as usize]
    }

    /// Written in Latin letters.
    pub fn is_latin(self) -> bool {
        self <= Lang::Pl
    }

    /// Capitals mark every noun, so a capital says nothing about names.
    pub fn capitalises_nouns(self) -> bool {
        self == Lang::De
    }

    pub(super) fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Lang::En => Algorithm::English,
            Lang::De => Algorithm::German,
            Lang::Es => Algorithm::Spanish,
            Lang::Fr => Algorithm::French,
            Lang::It => Algorithm::Italian,
            Lang::Pt => Algorithm::Portuguese,
            Lang::Nl => Algorithm::Dutch,
            Lang::Sv => Algorithm::Swedish,
            Lang::Da => Algorithm::Danish,
            Lang::No => Algorithm::Norwegian,
            Lang::Fi => Algorithm::Finnish,
            Lang::Tr => Algorithm::Turkish,
            Lang::Ru => Algorithm::Russian,
            Lang::El => Algorithm::Greek,
            Lang::Ar => Algorithm::Arabic,
            Lang::Pl | Lang::Ja | Lang::Zh | Lang::Ko | Lang::Other => return None,
        })
    }

    /// Is `head` an article or pronoun that loses its vowel before an apostrophe ("l'école")?
    pub(super) fn elides(self, head: &str) -> bool {
        match self {
            Lang::Fr => matches!(
                head,
                "l" | "d" | "j" | "m" | "t" | "s" | "n" | "c" | "qu" | "jusqu" | "lorsqu" | "puisqu"
            ),
            Lang::It => {
                matches!(
                    head,
                    "l" | "d" | "un" | "c" | "dell" | "all" | "nell" | "sull" | "dall" | "quell" | "quest"
                )
            }
            _ => false,
        }
    }

    /// The language that a letter outside the Latin script points to.
    pub(super) fn of_letter(c: char) -> Option<Lang> {
        Some(match c as u32 {
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Lang::El,
            0x0400..=0x052F => Lang::Ru,
            0x0600..=0x06FF | 0x0750..=0x077F | 0x08A0..=0x08FF => Lang::Ar,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7FF => Lang::Ko,
            _ if scan::is_hiragana(c) || scan::is_katakana(c) => Lang::Ja,
            _ if scan::is_han(c) => Lang::Zh,
            0x0000..=0x024F | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xFF00..=0xFF65 => {
                return None;
            }
            _ if c.is_alphabetic() => Lang::Other,
            _ => return None,
        })
    }
}

/// Tokens that vote; more would not change the result.
const VOTERS: usize = 200;

/// Latin words up to which one stop word decides.
const FEW: usize = 4;

/// Guesses the language of a text; `fallback` when nothing speaks for any (such as the language of the stream).
pub fn guess(text: &str, fallback: Lang) -> Lang {
    let text = super::words::nfc(text);
    guess_tokens(&text, &scan::scan(&text, VOTERS).0, fallback)
}

/// As [`guess`], from tokens; of the text itself only the first characters are looked at, for opening marks.
pub(super) fn guess_tokens(text: &str, tokens: &[Token<'_>], fallback: Lang) -> Lang {
    let mut votes = [0u32; Lang::COUNT];
    let mut hits = [0u32; Lang::COUNT];
    let (mut latin, mut foreign) = (0usize, [0usize; Lang::COUNT]);
    if text.chars().take(VOTERS).any(|c| matches!(c, '¿' | '¡')) {
        votes[Lang::Es as usize] += 6;
        hits[Lang::Es as usize] += 2;
    }
    let mut low = String::new();
    for t in tokens.iter().take(VOTERS) {
        let Some(first) = t.surface.chars().next() else {
            continue;
        };
        match Lang::of_letter(first) {
            // A bigram weighs as much as a third of a word, about its share of a word's length.
            Some(l) => foreign[l as usize] += if t.kind == Kind::Gram { 1 } else { 3 },
            None if t.kind == Kind::Word => {
                latin += 3;
                low.clear();
                low.extend(t.surface.chars().flat_map(char::to_lowercase));
                vote(&low, &mut votes, &mut hits);
            }
            None => {}
        }
    }
    let kana = foreign[Lang::Ja as usize];
    if kana > 0 {
        // Japanese mixes kana with Chinese characters; a Chinese text has no kana.
        foreign[Lang::Ja as usize] += std::mem::take(&mut foreign[Lang::Zh as usize]);
    }
    let script = (0..Lang::COUNT).rev().max_by_key(|&i| foreign[i]).unwrap_or(0);
    if foreign[script] > latin {
        return Lang::ALL[script];
    }
    let best = (0..=Lang::Pl as usize)
        .rev()
        .max_by_key(|&i| votes[i])
        .unwrap_or(0);
    let chosen = votes[best];
    // One word of a long text may be a name or a slip.
    let enough = hits[best] != 1 || latin <= 3 * FEW;
    if votes[fallback as usize] < chosen && enough {
        Lang::ALL[best]
    } else {
        fallback
    }
}

/// Adds what one lower-case word says: a word of one list alone counts more than one of several.
fn vote(low: &str, votes: &mut [u32; Lang::COUNT], hits: &mut [u32; Lang::COUNT]) {
    static OWNERS: OnceLock<FxHashMap<&'static str, u32>> = OnceLock::new();
    let owners = OWNERS.get_or_init(|| {
        let mut owners: FxHashMap<&'static str, u32> = FxHashMap::default();
        for lang in Lang::ALL.iter().filter(|l| l.is_latin()) {
            for word in stop::list(*lang)
                .split_whitespace()
                .filter(|w| w.chars().count() > 1 || !w.is_ascii())
            {
                *owners.entry(word).or_default() |= 1 << *lang as u32;
            }
        }
        owners
    });
    if let Some(&mask) = owners.get(low) {
        let worth = match mask.count_ones() {
            1 => 6,
            2 => 3,
            _ => 2,
        };
        for (i, v) in votes.iter_mut().enumerate() {
            if mask >> i & 1 == 1 {
                *v += worth;
                hits[i] += 1;
            }
        }
    }
    if low.is_ascii() || low.contains('’') {
        let tail = low.split(scan::is_apostrophe).nth(1).unwrap_or_default();
        if matches!(tail, "ll" | "ve" | "re" | "t") {
            votes[Lang::En as usize] += 6;
        }
        return;
    }
    for c in low.chars() {
        let langs: &[Lang] = match c {
            'ß' => &[Lang::De],
            'ñ' => &[Lang::Es],
            'ã' | 'õ' => &[Lang::Pt],
            'è' | 'ò' | 'ì' => &[Lang::It],
            'ê' | 'œ' | 'ë' => &[Lang::Fr],
            'å' => &[Lang::Sv, Lang::Da, Lang::No],
            'ø' | 'æ' => &[Lang::Da, Lang::No],
            'ä' => &[Lang::De, Lang::Sv, Lang::Fi],
            'ö' => &[Lang::De, Lang::Sv, Lang::Fi, Lang::Tr],
            'ü' => &[Lang::De, Lang::Tr],
            'ğ' | 'ş' | 'ı' => &[Lang::Tr],
            'ł' | 'ę' | 'ą' | 'ż' | 'ś' | 'ć' => &[Lang::Pl],
            'ç' => &[Lang::Fr, Lang::Pt, Lang::Tr],
            _ => continue,
        };
        for l in langs {
            votes[*l as usize] += if langs.len() == 1 { 3 } else { 1 };
        }
    }
}
