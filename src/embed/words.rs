//! What the embedders of this room share: words of a raw text, and the arithmetic of vectors.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The runs of letters of a text (any script, NFKC, lower case), in reading order. Scripts without
/// spaces give long runs, which a table cuts into the pieces it knows.
///
/// The finer analysis is the business of `text`; an embedder gets raw text from anywhere, also
/// from a query, and asks for no more than this.
pub(super) fn lower_words(text: &str) -> Vec<String> {
    let lower: String = text.nfkc().collect::<String>().to_lowercase();
    lower
        .split(|c: char| !(c.is_alphabetic() || is_combining_mark(c)))
        .filter(|run| run.chars().any(char::is_alphabetic))
        .map(str::to_owned)
        .collect()
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Scales a vector to length 1. All zeros stay zeros, so that a cosine with nothing is 0.
pub(super) fn to_unit(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > f32::MIN_POSITIVE {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_of_any_script() {
        assert_eq!(
            lower_words("Straße 12: café-Bar, e4x"),
            ["straße", "café", "bar", "e", "x"]
        );
        assert_eq!(lower_words("東京タワー、ﾃｽﾄ"), ["東京タワー", "テスト"]);
        assert_eq!(lower_words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(lower_words("cafe\u{301}"), ["café"]);
        assert!(lower_words("12 + 3 = \u{301}").is_empty());
    }

    #[test]
    fn unit_vectors_have_length_one_and_zeros_stay() {
        let (mut vector, mut zeros) = ([3.0, 4.0], [0.0; 2]);
        to_unit(&mut vector);
        to_unit(&mut zeros);
        assert_eq!((vector, zeros), ([0.6, 0.8], [0.0; 2]));
    }
}
