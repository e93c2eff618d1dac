//! Cutting text into raw tokens, in any script.
//!
//! Guarantees: one pass, linear; every surface is a slice of the text it was given; never more
//! than [`MAX_TOKENS`] tokens of at most [`MAX_TOKEN_CHARS`] characters. Must not know languages.

use unicode_normalization::char::is_combining_mark;

/// Tokens looked at per event. What follows is stored and recalled with its event, but adds no terms.
pub const MAX_TOKENS: usize = 4_000;
/// A longer run of letters is a blob, not a word: it is cut here and its rest is passed over.
pub const MAX_TOKEN_CHARS: usize = 64;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters of a script that puts spaces between words.
    Word,
    /// Holds a digit: a number, time, version, code.
    Code,
    /// One or two characters out of a run of a script without spaces.
    Gram,
}

/// One raw token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub surface: &'a str,
    /// Byte offset in the scanned text.
    pub start: usize,
    pub kind: Kind,
    /// First of its sentence, line or text.
    pub opens: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Unspaced,
    Mark,
    /// Invisible inside a word: soft hyphen, joiners.
    Ignorable,
    Other,
}

/// Scripts that are cut into bigrams: those without spaces, and Hangul, whose particles stick to words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x0F00..=0x0FFF | 0x1100..=0x11FF
        | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3100..=0x318F | 0x31A0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F | 0x1B000..=0x1B16F | 0x20000..=0x3FFFF)
}

/// Chinese characters (also kanji and hanja).
pub fn is_han(c: char) -> bool {
    matches!(c as u32, 0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

pub fn is_hiragana(c: char) -> bool {
    matches!(c as u32, 0x3041..=0x309F)
}

pub fn is_katakana(c: char) -> bool {
    matches!(c as u32, 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F)
}

/// The apostrophes of keyboards and of typography.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '\u{02BC}' | '\u{FF07}')
}

pub fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{0640}')
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            _ => Class::Other,
        };
    }
    if is_ignorable(c) {
        Class::Ignorable
    } else if is_combining_mark(c) {
        Class::Mark
    } else if is_unspaced(c) && c.is_alphanumeric() {
        Class::Unspaced
    } else if c.is_alphabetic() {
        Class::Letter
    } else if c.is_numeric() {
        Class::Digit
    } else {
        Class::Other
    }
}

/// Cuts `text` (expected in NFC) into at most `limit` tokens. The second value is true when text was left over.
pub fn scan(text: &str, limit: usize) -> (Vec<Token<'_>>, bool) {
    let mut s = Scanner {
        text,
        at: 0,
        opens: true,
        out: Vec::with_capacity((text.len() / 6).min(limit)),
        limit,
    };
    while s.at < text.len() && s.out.len() < limit {
        s.step();
    }
    let left = s.at < text.len();
    (s.out, left)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    opens: bool,
    out: Vec<Token<'a>>,
    limit: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn step(&mut self) {
        // `at` is below the length and on a character border, so there is one.
        let Some(c) = self.peek(self.at) else { return };
        match class(c) {
            Class::Letter | Class::Digit => self.word(self.at),
            Class::Unspaced => self.run(),
            _ => {
                // The sign of a ticket number belongs to it ("#2291").
                let next = self.at + c.len_utf8();
                if c == '#' && self.peek(next).is_some_and(|d| d.is_ascii_digit()) {
                    self.word(next);
                    return;
                }
                self.border(c, next);
                self.at = next;
            }
        }
    }

    /// Does this character end a sentence? A full stop does so only before white space.
    fn border(&mut self, c: char, next: usize) {
        match c {
            '\n' | '\r' | '。' | '！' | '？' | '।' | '؟' | '\u{2028}' | '\u{2029}' | '•' => {
                self.opens = true
            }
            '.' | '!' | '?' | ':' | '…' => {
                // A few closing marks may stand between; looking further would cost more than it tells.
                let rest = self.text[next..]
                    .chars()
                    .take(4)
                    .find(|c| !matches!(c, '\'' | '"' | '”' | '’' | ')' | ']' | '»' | '!' | '?' | '.'));
                self.opens = rest.is_some_and(char::is_whitespace);
            }
            // Openers and white space keep the mark; anything else ("—", ",") means mid-sentence.
            '"' | '\'' | '“' | '‘' | '«' | '„' | '(' | '[' | '¿' | '¡' | '”' | '’' | ')' | ']' | '»'
            | '*' | '>' | '#' => {}
            '-' if self.opens => {}
            c if c.is_whitespace() || !c.is_ascii() => {}
            _ => self.opens = false,
        }
    }

    /// A word or code; `from` is its first letter or digit, which may stand after a sign at `self.at`.
    fn word(&mut self, from: usize) {
        let (start, text) = (self.at, self.text);
        let (mut end, mut chars) = (from, from - start);
        let (mut letters, mut digits) = (false, false);
        let mut last = ' ';
        while let Some(c) = self.peek(end) {
            let next = end + c.len_utf8();
            let go_on = match class(c) {
                Class::Letter => {
                    letters = true;
                    true
                }
                Class::Digit => {
                    digits = true;
                    true
                }
                Class::Mark => chars > 0,
                Class::Ignorable => self
                    .peek(next)
                    .is_some_and(|d| matches!(class(d), Class::Letter | Class::Mark)),
                Class::Unspaced => false,
                Class::Other => self.joins(c, last, start, next, letters, digits),
            };
            if !go_on {
                break;
            }
            if chars >= MAX_TOKEN_CHARS {
                self.push(start, end, digits);
                self.skip_rest(end);
                return;
            }
            last = c;
            chars += 1;
            end = next;
        }
        debug_assert!(end > start && text.is_char_boundary(end));
        self.push(start, end, digits);
        self.at = end;
    }

    /// Does punctuation `c` between `last` and what follows hold a token together?
    fn joins(&self, c: char, last: char, start: usize, next: usize, letters: bool, digits: bool) -> bool {
        let Some(after) = self.peek(next) else {
            return false;
        };
        let (left, right) = (class(last), class(after));
        match c {
            _ if is_apostrophe(c) => left == Class::Letter && right == Class::Letter,
            '.' | ',' | ':' => {
                (left == Class::Digit && right == Class::Digit)
                    || (c == '.' && self.code_part(next, letters, digits))
            }
            '/' => left == Class::Digit && right == Class::Digit,
            '-' => match left {
                _ if right != Class::Digit => self.code_part(next, letters, digits),
                Class::Digit => true,
                _ => is_prefix(&self.text[start..next - 1]),
            },
            _ => false,
        }
    }

    /// Inside a code that has letters and digits already, does a short part in capitals follow ("AB-12-C")?
    fn code_part(&self, next: usize, letters: bool, digits: bool) -> bool {
        let part = self.text.as_bytes()[next..]
            .iter()
            .take(5)
            .take_while(|b| b.is_ascii_alphanumeric());
        letters && digits && {
            let (mut n, mut upper) = (0, true);
            for b in part {
                n += 1;
                upper &= b.is_ascii_uppercase() || b.is_ascii_digit();
            }
            (1..=4).contains(&n) && upper
        }
    }

    fn push(&mut self, start: usize, end: usize, digits: bool) {
        let kind = if digits { Kind::Code } else { Kind::Word };
        self.out.push(Token {
            surface: &self.text[start..end],
            start,
            kind,
            opens: self.opens,
        });
        self.opens = false;
    }

    fn skip_rest(&mut self, mut end: usize) {
        while let Some(c) = self.peek(end) {
            if !matches!(
                class(c),
                Class::Letter | Class::Digit | Class::Mark | Class::Ignorable
            ) {
                break;
            }
            end += c.len_utf8();
        }
        self.at = end;
    }

    /// A run of a script without spaces: overlapping bigrams; a lone character by itself, also a Chinese one between kana.
    fn run(&mut self) {
        let start = self.at;
        let mut end = start;
        // (begin, end, Chinese) of the last two clusters (a character with its marks).
        let mut before: Option<(usize, usize, bool)> = None;
        let mut earlier_han = false;
        let mut count = 0;
        while let Some(c) = self.peek(end) {
            if class(c) != Class::Unspaced || self.out.len() >= self.limit {
                break;
            }
            let begin = end;
            end += c.len_utf8();
            while let Some(m) = self
                .peek(end)
                .filter(|&m| matches!(class(m), Class::Mark | Class::Ignorable))
            {
                end += m.len_utf8();
            }
            let han = is_han(c);
            if let Some((b, e, was_han)) = before {
                if was_han && !han && !earlier_han {
                    self.gram(b, e);
                }
                if !same_word(self.text[b..].chars().next().unwrap_or(c), c) {
                    // Hangul beside Han and the like: no bigram over the border.
                    if count == 1 && !was_han {
                        self.gram(b, e);
                    }
                    count = 0;
                } else {
                    self.gram(b, end);
                }
                earlier_han = was_han;
            }
            count += 1;
            before = Some((begin, end, han));
        }
        if let Some((b, e, han)) = before
            && (count == 1 || (han && !earlier_han))
            && self.out.len() < self.limit
        {
            self.gram(b, e);
        }
        self.at = end;
    }

    fn gram(&mut self, start: usize, end: usize) {
        self.out.push(Token {
            surface: &self.text[start..end],
            start,
            kind: Kind::Gram,
            opens: self.opens,
        });
        self.opens = false;
    }
}

/// Are these the letters of a code ("AB-12", "idx-07") and not a word with a number behind it ("Harbour-12")?
fn is_prefix(letters: &str) -> bool {
    letters.chars().nth(4).is_none() || !letters.chars().any(char::is_lowercase)
}

/// May two neighbours share a bigram? Chinese and kana may; otherwise the scripts must agree.
fn same_word(a: char, b: char) -> bool {
    let group = |c: char| match c as u32 {
        0x0E00..=0x0E7F => 1,
        0x0E80..=0x0EFF => 2,
        0x0F00..=0x0FFF => 3,
        0x1000..=0x109F => 4,
        0x1780..=0x17FF => 5,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => 6,
        _ => 0,
    };
    group(a) == group(b)
}
