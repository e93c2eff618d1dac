//! What is known of a single word in a language: key, term, frequency, stop mark.
//!
//! Results are remembered per thread in a bounded table; they never depend on what it holds.

use std::cell::RefCell;
use std::sync::OnceLock;

use rust_stemmers::Stemmer;
use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::{IsNormalized, UnicodeNormalization, char::is_combining_mark, is_nfkc_quick};

use super::lang::Lang;
use super::scan::{Kind, is_apostrophe, is_ignorable, is_unspaced};
use super::{irregular, stop, tokens};

/// Words remembered per thread; the table is emptied when full. About 300 bytes each.
const REMEMBERED: usize = 20_000;

/// What the lexicon says of one surface form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub lower: Box<str>,
    pub stem: Box<str>,
    pub zipf: f32,
    pub stop: bool,
}

/// The entries of one surface form, by language.
type ByLang = [Option<Box<Entry>>; Lang::COUNT];

thread_local! {
    static ENTRIES: RefCell<FxHashMap<Box<str>, ByLang>> = RefCell::default();
    static ZIPFS: RefCell<FxHashMap<Box<str>, f32>> = RefCell::default();
}

/// Calls `f` with the entry of a surface form.
pub(super) fn with_entry<T>(surface: &str, kind: Kind, lang: Lang, f: impl FnOnce(&Entry) -> T) -> T {
    ENTRIES.with_borrow_mut(|table| {
        if let Some(known) = table.get(surface).and_then(|slots| slots[lang as usize].as_ref()) {
            return f(known);
        }
        let entry = Box::new(make(surface, kind, lang));
        let result = f(&entry);
        if table.len() >= REMEMBERED {
            table.clear();
        }
        table.entry(surface.into()).or_default()[lang as usize] = Some(entry);
        result
    })
}

pub(super) fn cached_zipf(lower: &str) -> f32 {
    ZIPFS.with_borrow_mut(|table| {
        if let Some(&z) = table.get(lower) {
            return z;
        }
        let z = tokens::zipf_uncached(lower);
        if table.len() >= REMEMBERED {
            table.clear();
        }
        table.insert(lower.into(), z);
        z
    })
}

fn make(surface: &str, kind: Kind, lang: Lang) -> Entry {
    let lower = key(surface, lang);
    let stem = term(&lower, kind, lang);
    let stop =
        kind != Kind::Code && (stop::is_stop(&lower, lang) || (lang == Lang::En && is_negation(surface)));
    Entry {
        zipf: cached_zipf(&lower),
        stem: stem.into(),
        stop,
        lower: lower.into(),
    }
}

/// Lower case, NFKC, apostrophes folded away, possessive and elided parts cut, ticket sign dropped.
fn key(surface: &str, lang: Lang) -> String {
    let mut low: String = surface
        .trim_start_matches('#')
        .chars()
        .filter(|&c| !is_ignorable(c))
        .map(|c| if is_apostrophe(c) { '\'' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    if is_nfkc_quick(low.chars()) != IsNormalized::Yes {
        // Compatibility forms may bring back capitals (fullwidth letters are lowered before, ligatures and signs are not).
        low = low
            .nfkc()
            .flat_map(char::to_lowercase)
            .collect::<String>()
            .nfkc()
            .collect();
    }
    if low.contains('\'') {
        let cut = low.strip_suffix("'s").unwrap_or(&low);
        // "She'll" is a "she"; only "shell" would be left otherwise.
        let verb = ["'ll", "'ve", "'re", "'d", "'m"]
            .iter()
            .find_map(|v| cut.strip_suffix(v));
        let cut = verb.filter(|_| lang == Lang::En).unwrap_or(cut);
        let cut = match cut.split_once('\'') {
            Some((head, tail)) if lang.elides(head) && !tail.is_empty() => tail,
            _ => cut,
        };
        low = cut.replace('\'', "");
    }
    low
}

/// "Don't", "can't", "won't".
fn is_negation(surface: &str) -> bool {
    surface
        .strip_suffix(['t', 'T'])
        .is_some_and(|s| s.ends_with(is_apostrophe))
}

/// Irregular form to head word, Snowball stem of the language, then letters without accents.
fn term(lower: &str, kind: Kind, lang: Lang) -> String {
    match kind {
        Kind::Gram => lower.to_owned(),
        Kind::Code => plain_number(lower),
        Kind::Word => {
            if lower.chars().next().is_some_and(is_unspaced) {
                return lower.to_owned();
            }
            let head = if lang == Lang::En {
                irregular::head(lower)
            } else {
                lower
            };
            if lang == Lang::En
                && let Some(stem) = irregular::fixed(lower)
            {
                return stem.to_owned();
            }
            match stemmer(lang, head) {
                Some(s) => unaccented(&s.stem(head)),
                None => unaccented(head),
            }
        }
    }
}

/// "12,000" and "12000" are one term.
fn plain_number(lower: &str) -> String {
    let mut parts = lower.split(',');
    let first = parts.next().unwrap_or_default();
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if digits(first)
        && first.len() <= 3
        && parts.clone().next().is_some()
        && parts.clone().all(|p| p.len() == 3 && digits(p))
    {
        return lower.replace(',', "");
    }
    lower.to_owned()
}

fn unaccented(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    let mut out = String::with_capacity(word.len());
    for c in word.nfd() {
        match c {
            'ß' => out.push_str("ss"),
            'ø' => out.push('o'),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ł' => out.push('l'),
            'đ' => out.push('d'),
            'ı' => out.push('i'),
            // Marks of Latin, Greek, Cyrillic, Hebrew and Arabic; those of Indic scripts are vowels.
            c if is_combining_mark(c) && (c as u32) < 0x0700 => {}
            c => out.push(c),
        }
    }
    out.nfc().collect()
}

/// The stemmer for a word: of the language when the word is in its script, else none.
fn stemmer(lang: Lang, word: &str) -> Option<&'static Stemmer> {
    static ALL: OnceLock<Vec<Option<Stemmer>>> = OnceLock::new();
    let by_script = word.chars().next().and_then(Lang::of_letter);
    let lang = match (lang.is_latin(), by_script) {
        (true, Some(other)) => other,
        (false, None) if word.is_ascii() => Lang::En,
        _ => lang,
    };
    let all = ALL.get_or_init(|| {
        Lang::ALL
            .iter()
            .map(|l| l.algorithm().map(Stemmer::create))
            .collect()
    });
    all[lang as usize].as_ref()
}

/// A set of words out of white-space separated lists.
pub(super) fn set(lists: &[&'static str]) -> FxHashSet<&'static str> {
    lists.iter().flat_map(|l| l.split_whitespace()).collect()
}
