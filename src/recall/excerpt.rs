//! Sentences, and the passage of a long text that answers best.

use super::question::Question;

/// Text looked through for a passage, in bytes.
const LONGEST: usize = 1 << 18;

/// Sentences of a text, trimmed, in order; line ends close one too.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            out.push(&text[from..i + c.len_utf8()]);
            from = i + c.len_utf8();
        }
    }
    out.push(&text[from..]);
    out.retain(|s| !s.trim().is_empty());
    out.into_iter().map(str::trim).collect()
}

/// How much of the question a sentence holds: the weights of the terms whose word it has.
pub(crate) fn overlap(sentence: &str, question: &Question) -> f32 {
    let low = sentence.to_lowercase();
    question
        .terms
        .iter()
        .filter(|t| low.contains(&*t.lower) || low.contains(&*t.stem))
        .map(|t| t.weight)
        .sum()
}

/// A contiguous part of `text` of about `tokens` tokens around the best sentence; never more.
pub(crate) fn best<'t>(text: &'t str, question: &Question, tokens: usize) -> &'t str {
    let text = cut(text, LONGEST);
    let all = sentences(text);
    let score: Vec<f32> = all.iter().map(|s| overlap(s, question)).collect();
    let Some(top) = (0..all.len())
        .rev()
        .max_by(|a, b| score[*a].total_cmp(&score[*b]))
    else {
        return "";
    };
    let start = |i: usize| all[i].as_ptr() as usize - text.as_ptr() as usize;
    let end = |i: usize| start(i) + all[i].len();
    let (mut from, mut to) = (top, top);
    while from > 0 || to + 1 < all.len() {
        let forward = to + 1 < all.len() && (from == 0 || score[to + 1] >= score[from - 1]);
        let (a, b) = if forward {
            (from, to + 1)
        } else {
            (from.saturating_sub(1), to)
        };
        if (a, b) == (from, to) || !fits(&text[start(a)..end(b)], tokens) {
            break;
        }
        (from, to) = (a, b);
    }
    let mut passage = &text[start(from)..end(to)];
    if !fits(passage, tokens) {
        passage = cut(passage, tokens * 8);
    }
    while !passage.is_empty() && !fits(passage, tokens) {
        let shorter = passage.len() * 4 / 5;
        passage = cut(passage, shorter).trim_end();
    }
    passage
}

fn fits(text: &str, tokens: usize) -> bool {
    // No o200k token is longer than 128 bytes, so much longer texts need not be counted.
    text.len() <= tokens * 128 && crate::text::count_tokens(text) <= tokens
}

/// At most `bytes` bytes, cut at a character.
fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
