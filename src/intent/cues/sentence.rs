//! Sentences of an event and what each of them says.

use super::lists::*;
use super::phrases::{self, Class, Hit};
use crate::text::Lang;

/// Words of completion further than this from a "not yet" are not touched by it.
const REACH: usize = 4;

/// One sentence, read.
pub struct Sentence<'a> {
    /// Lower case.
    pub text: &'a str,
    pub words: Vec<&'a str>,
    pub question: bool,
    /// Classes of all its phrases.
    pub has: Class,
    hits: Vec<Hit>,
}

impl<'a> Sentence<'a> {
    pub fn is(&self, class: Class) -> bool {
        self.has & class != 0
    }

    /// Neither a prohibition nor imagined: what it says can be somebody's goal.
    pub fn counts(&self) -> bool {
        !self.denied() && !self.is(IMAGINED)
    }

    pub fn denied(&self) -> bool {
        let skip = self
            .words
            .iter()
            .take_while(|w| matches!(**w, "please" | "and" | "so" | "but" | "bitte"))
            .count();
        self.is(FORBIDS)
            || self
                .hits
                .iter()
                .any(|h| h.class == FORBIDS_FIRST && h.at == skip && self.words.len() > skip + 1)
    }

    /// A word of completion that is neither wanted nor denied ("to be sent", "not yet paid") nor describes a thing
    /// ("the signed form").
    pub fn done(&self) -> bool {
        self.completes(DONE)
    }

    pub fn closes(&self) -> bool {
        self.completes(DONE) || self.completes(CLOSES)
    }

    fn completes(&self, class: Class) -> bool {
        let stands = |at: usize, c: Class| {
            self.hits
                .iter()
                .any(|h| h.class == c && h.at <= at && at < h.at + h.len)
        };
        !self.question
            && self.hits.iter().filter(|h| h.class == class).any(|h| {
                let describes = h.at > 0 && stands(h.at - 1, ARTICLE) && h.at + h.len < self.words.len();
                let open = (h.at.saturating_sub(REACH)..h.at).any(|i| stands(i, NOT_YET));
                !describes && !open
            })
    }

    /// Whether a date stands here as the end of something that ends by itself ("closed until Monday").
    pub fn until(&self, date: &[&str]) -> bool {
        let at = (0..self.words.len()).find(|i| self.words[*i..].starts_with(date));
        at.is_some_and(|at| {
            self.hits
                .iter()
                .any(|h| h.class == UNTIL && h.at <= at && at <= h.at + h.len)
        })
    }
}

/// Cuts a lower-case text into sentences and reads each. Cost: linear in the text.
pub fn read<'a>(text: &'a str, lang: Lang, out: &mut Vec<Sentence<'a>>) {
    let mut from = 0;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            // "13.30", "v2.1" and the ordinals of "20. März" go on.
            '.' => next.is_none_or(char::is_whitespace) && !before.is_ascii_digit(),
            '!' | '?' | '\n' | ';' | '。' | '！' | '？' | '…' | '؟' => true,
            _ => false,
        };
        if ends {
            push(&text[from..at], matches!(c, '?' | '？' | '؟'), lang, out);
            from = at + c.len_utf8();
        }
        before = c;
    }
    push(&text[from..], false, lang, out);
}

fn push<'a>(text: &'a str, question: bool, lang: Lang, out: &mut Vec<Sentence<'a>>) {
    let words = words(text);
    if words.is_empty() {
        return;
    }
    let mut hits = Vec::new();
    phrases::find(lang, text, &words, &mut hits);
    out.push(Sentence {
        text,
        words,
        question,
        has: hits.iter().fold(0, |all, h| all | h.class),
        hits,
    });
}

/// Words of a lower-case text; an apostrophe is part of its word.
pub fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(|w| w.trim_matches('\''))
        .filter(|w| !w.is_empty())
        .collect()
}
