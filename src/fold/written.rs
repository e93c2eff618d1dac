//! How words stand in the text they come from: what lies between them, and the runs of scripts without spaces.

use crate::text::{Lang, Word, is_han, is_katakana, is_unspaced};

/// Longest run that is one name, in characters.
const MAX_RUN: usize = 8;
/// Bytes within which the next word is looked for, and bytes of a text without spaces that are read.
const NEAR: usize = 256;
const READ: usize = 8_192;
/// A pair of characters below this frequency is no word of its own (it is no single o200k token).
const KNOWN_ZIPF: f32 = 3.9;
/// What follows a person's name.
const HONORIFICS: [&str; 8] = ["さん", "様", "氏", "くん", "君", "ちゃん", "先生", "씨"];
/// Particles that stick to a Korean noun.
const PARTICLES: [&str; 15] = [
    "에서", "으로", "에게", "까지", "부터", "은", "는", "이", "가", "을", "를", "에", "의", "와", "과",
];
/// Endings of Korean verbs and adjectives.
const VERBAL: [&str; 8] = ["다", "요", "고", "며", "면", "서", "는", "한"];

/// A piece of text in a script without spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run<'a> {
    pub text: &'a str,
    /// An honorific follows.
    pub person: bool,
}

impl Run<'_> {
    /// Is the word cut out of such a run?
    pub fn is_part(word: &str) -> bool {
        word.chars().next().is_some_and(is_unspaced)
    }
}

/// What stands before each word, back to the word before it; a mark that is no space where a word is not found.
/// Linear: words are looked for from where the last one ended.
pub(super) fn gaps<'a>(text: &'a str, words: &[Word]) -> Vec<&'a str> {
    let mut end = 0;
    words
        .iter()
        .map(|w| {
            // Words not in NFC and bigrams, which overlap, have no gap that could join them.
            let Some(at) = window(text, end, NEAR).find(&*w.surface) else {
                return "\u{0}";
            };
            let gap = &text[end..end + at];
            end += at + w.surface.len();
            gap
        })
        .collect()
}

/// The next bytes of a text, cut between characters.
fn window(text: &str, from: usize, len: usize) -> &str {
    let mut until = from.saturating_add(len).min(text.len());
    while !text.is_char_boundary(until) {
        until -= 1;
    }
    &text[from..until]
}

/// Names by their script: in Japanese runs of Chinese characters and katakana, in Korean words without
/// their particles, elsewhere the pairs of characters that are words.
pub(super) fn runs<'a>(text: &'a str, words: &'a [Word], lang: Lang) -> Vec<Run<'a>> {
    match lang {
        Lang::Ja => by_script(window(text, 0, READ), |c| {
            is_han(c) || is_katakana(c) || c == 'ー'
        }),
        Lang::Ko => by_script(window(text, 0, READ), |c| matches!(c as u32, 0xAC00..=0xD7FF))
            .into_iter()
            .filter_map(without_particle)
            .collect(),
        _ => words
            .iter()
            .filter(|w| Run::is_part(&w.surface) && !w.stop && w.zipf > KNOWN_ZIPF)
            .filter(|w| w.surface.chars().nth(1).is_some())
            .map(|w| Run {
                text: &w.surface,
                person: false,
            })
            .collect(),
    }
}

fn by_script(text: &str, part: impl Fn(char) -> bool) -> Vec<Run<'_>> {
    let mut out = Vec::new();
    let mut start: Option<usize> = None;
    let ends = text
        .char_indices()
        .map(|(i, c)| (i, Some(c)))
        .chain([(text.len(), None)]);
    for (i, c) in ends {
        match (start, c.is_some_and(&part)) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                let run = &text[from..i];
                if (2..=MAX_RUN).contains(&run.chars().count()) {
                    let rest = &text[i..];
                    let within = HONORIFICS.iter().find_map(|h| run.strip_suffix(h));
                    out.push(Run {
                        text: run,
                        person: within.is_some() || HONORIFICS.iter().any(|h| rest.starts_with(h)),
                    });
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

fn without_particle(run: Run<'_>) -> Option<Run<'_>> {
    let cut = PARTICLES
        .iter()
        .find_map(|p| run.text.strip_suffix(p).filter(|r| r.chars().nth(1).is_some()));
    match cut {
        Some(text) => Some(Run { text, ..run }),
        None => (!VERBAL.iter().any(|v| run.text.ends_with(v))).then_some(run),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Section, words};

    #[test]
    fn gaps_are_what_stands_between() {
        let text = "Pull requests, re-opened";
        let w = words(text, Section::Text);
        let surfaces: Vec<_> = w.iter().map(|w| &*w.surface).collect();
        assert_eq!(surfaces, ["Pull", "requests", "re", "opened"]);
        assert_eq!(gaps(text, &w), ["", " ", ", ", "-"]);
    }

    #[test]
    fn runs_are_compounds_and_say_who_is_a_person() {
        let found = |text: &'static str, lang| -> Vec<(String, bool)> {
            let w = words(text, Section::Text);
            runs(text, &w, lang)
                .iter()
                .map(|r| (r.text.to_owned(), r.person))
                .collect()
        };
        assert_eq!(
            found("会議室の予約を田中さんが取り消した。サーバーの再起動", Lang::Ja)
                .iter()
                .map(|r| (r.0.as_str(), r.1))
                .collect::<Vec<_>>(),
            [
                ("会議室", false),
                ("予約", false),
                ("田中", true),
                ("サーバー", false),
                ("再起動", false)
            ]
        );
        let korean = found("회의실을 예약했다", Lang::Ko);
        assert_eq!(korean, [("회의실".to_owned(), false)]);
    }
}
