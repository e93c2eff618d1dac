//! Finding the phrases of the lists in a sentence.
//!
//! A phrase is one or more words; a word that ends in `*` stands for all that begin so. All phrases of a language lie
//! in one map by their first word, so a sentence costs one lookup a word.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::lists::{self, Row};
use crate::text::Lang;

/// What a phrase states; a sentence's classes are joined by `|`.
pub type Class = u32;

/// A phrase found: words `at..at + len` of its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub class: Class,
    pub at: usize,
    pub len: usize,
}

struct Phrase {
    rest: Vec<&'static str>,
    class: Class,
}

#[derive(Default)]
struct Phrases {
    whole: FxHashMap<&'static str, Vec<Phrase>>,
    /// Phrases whose first word is a beginning, by its first character.
    begun: FxHashMap<char, Vec<(&'static str, Phrase)>>,
    /// Looked for anywhere in the sentence: scripts without spaces.
    pieces: Vec<(&'static str, Class)>,
}

impl Phrases {
    fn of(rows: &[Row]) -> Phrases {
        let mut out = Phrases::default();
        for (class, list) in rows {
            for phrase in list.split(['|', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
                let mut words = phrase.split_whitespace();
                let Some(first) = words.next() else { continue };
                let phrase = Phrase {
                    rest: words.collect(),
                    class: *class,
                };
                match (first.strip_suffix('*'), first.chars().next()) {
                    (Some(begin), Some(c)) => out.begun.entry(c).or_default().push((begin, phrase)),
                    _ => out.whole.entry(first).or_default().push(phrase),
                }
            }
        }
        out
    }

    fn with_pieces(rows: &[Row]) -> Phrases {
        let pieces = rows.iter().flat_map(|(class, list)| {
            let list = list.split(['|', '\n']).map(str::trim).filter(|p| !p.is_empty());
            list.map(|p| (p, *class))
        });
        Phrases {
            pieces: pieces.collect(),
            ..Phrases::default()
        }
    }
}

/// Phrases of `lang` in a sentence, given as its lower-case text and its words. Cost: linear in the words.
pub fn find(lang: Lang, sentence: &str, words: &[&str], out: &mut Vec<Hit>) {
    out.clear();
    let known = of(lang);
    for (at, word) in words.iter().enumerate() {
        let whole = known.whole.get(word).into_iter().flatten();
        let begun = word.chars().next().and_then(|c| known.begun.get(&c));
        let begun = begun
            .into_iter()
            .flatten()
            .filter(|(b, _)| word.starts_with(b))
            .map(|(_, p)| p);
        for phrase in whole.chain(begun) {
            let follows = |(k, want): (usize, &&str)| words.get(at + 1 + k).is_some_and(|w| fits(w, want));
            if phrase.rest.iter().enumerate().all(follows) {
                out.push(Hit {
                    class: phrase.class,
                    at,
                    len: 1 + phrase.rest.len(),
                });
            }
        }
    }
    for (piece, class) in &known.pieces {
        if sentence.contains(piece) {
            out.push(Hit {
                class: *class,
                at: 0,
                len: 0,
            });
        }
    }
}

fn fits(word: &str, want: &str) -> bool {
    match want.strip_suffix('*') {
        Some(begin) => word.starts_with(begin),
        None => word == want,
    }
}

fn of(lang: Lang) -> &'static Phrases {
    static ALL: OnceLock<Vec<Phrases>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        Lang::ALL
            .iter()
            .map(|lang| match lists::rows(*lang) {
                (rows, true) => Phrases::of(rows),
                (rows, false) => Phrases::with_pieces(rows),
            })
            .collect()
    });
    &all[lang as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beginnings_and_longer_phrases_are_found_where_they_stand() {
        let mut hits = Vec::new();
        find(
            Lang::En,
            "",
            &["could", "you", "check", "the", "failing", "pump"],
            &mut hits,
        );
        assert!(hits.contains(&Hit {
            class: lists::ASK,
            at: 0,
            len: 2
        }));
        assert!(hits.iter().any(|h| h.class == lists::TROUBLE && h.at == 4));
        find(Lang::En, "", &["you", "could"], &mut hits);
        assert!(hits.iter().all(|h| h.class != lists::ASK));
    }

    #[test]
    fn every_language_has_a_list_that_can_be_read() {
        for lang in Lang::ALL {
            let mut hits = Vec::new();
            find(lang, "", &["x"], &mut hits);
        }
    }
}
