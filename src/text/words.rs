//! Words of a text: the same for events and for questions.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::lang::{self, Lang};
use super::lexicon::with_entry;
use super::scan::{self, MAX_TOKENS, Token};
use super::{Section, Word};

/// The text in NFC, without a copy when it already is.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Words of a text in reading order, its language guessed (English when unsure). Linear; at most
/// [`MAX_TOKENS`] words.
pub fn words(text: &str, section: Section) -> Vec<Word> {
    let text = nfc(text);
    let (tokens, _) = scan::scan(&text, MAX_TOKENS);
    let lang = lang::guess_tokens(&text, &tokens, Lang::En);
    tokens.iter().map(|t| word(t, section, lang)).collect()
}

/// As [`words`], in a known language (such as a question in the language of its stream).
pub fn words_in(text: &str, section: Section, lang: Lang) -> Vec<Word> {
    let text = nfc(text);
    scan::scan(&text, MAX_TOKENS)
        .0
        .iter()
        .map(|t| word(t, section, lang))
        .collect()
}

pub(super) fn word(t: &Token<'_>, section: Section, lang: Lang) -> Word {
    with_entry(t.surface, t.kind, lang, |e| Word {
        surface: t.surface.into(),
        lower: e.lower.clone(),
        stem: e.stem.clone(),
        zipf: e.zipf,
        stop: e.stop,
        capitalised: t.surface.chars().next().is_some_and(char::is_uppercase),
        has_digit: t.kind == scan::Kind::Code,
        sentence_start: t.opens,
        section,
        start: t.start as u32,
    })
}
