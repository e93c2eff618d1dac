//! General nouns of the built-in English table, for groups whose own words are all particular.
//!
//! Not a catalogue of labels: the table's own common words that end as general nouns do. One is taken only where it
//! lies clearly near the middle of a group, and an own word of the group always stands beside it. English alone:
//! the broad table holds fragments of words, which name nothing.

use std::sync::OnceLock;

use crate::embed::{self, WordTable, WordVector};
use crate::text::{Lang, Role, ends_as_noun, has_role, is_stop, is_weak, zipf};

/// Rows of the table that are looked at; they run from the commonest word to the rarest.
const ROWS: usize = 20_000;
/// Below this frequency a word is seldom general (it is no single o200k token).
const COMMON: f32 = 3.95;

pub(super) struct General {
    words: Vec<(&'static str, WordVector)>,
}

impl General {
    /// The nouns, for models that compare words with the built-in tables; `None` for other models.
    pub fn for_words(words: &dyn WordTable) -> Option<&'static General> {
        static BUILT_IN: OnceLock<General> = OnceLock::new();
        let general = BUILT_IN.get_or_init(General::built_in);
        let (word, vector) = general.words.first()?;
        (words.word(word).as_deref() == Some(vector)).then_some(general)
    }

    fn built_in() -> General {
        let Ok(table) = embed::english_words() else {
            return General { words: Vec::new() };
        };
        let vectors = embed::built_in().words;
        let nouns = table.words().into_iter().take(ROWS).filter(|w| {
            w.len() > 4
                && w.bytes().all(|b| b.is_ascii_lowercase())
                && ends_as_noun(w, Lang::En)
                && !is_stop(w, Lang::En)
                && !is_weak(w)
                && !has_role(w, Role::Vague, Lang::En)
                && !has_role(w, Role::Time, Lang::En)
                && zipf(w) >= COMMON
        });
        let words = nouns
            .filter_map(|w| Some((w, (*vectors.word(w)?).clone())))
            .collect();
        General { words }
    }

    /// The noun nearest to a group's middle, with its cosine. Cost: one product a noun, about a thousand.
    pub fn nearest(&self, middle: &WordVector) -> Option<(&'static str, f32)> {
        let each = self.words.iter().map(|(w, v)| (*w, v.cosine(middle)));
        each.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0)))
    }

    /// Cosine of one noun with a group's middle.
    pub fn fit(&self, word: &str, middle: &WordVector) -> Option<f32> {
        let found = self.words.iter().find(|(w, _)| *w == word)?;
        Some(found.1.cosine(middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nouns_come_from_the_table_and_only_for_it() {
        let models = embed::built_in();
        let general = General::for_words(&*models.words).expect("the built-in table");
        assert!(
            (500..3_000).contains(&general.words.len()),
            "{}",
            general.words.len()
        );
        let middle = models.words.word("soup").expect("a word");
        let (word, cosine) = general.nearest(&middle).expect("a noun");
        assert!(
            cosine > 0.3 && general.fit(word, &middle) == Some(cosine),
            "{word} {cosine}"
        );
        assert!(general.fit("the", &middle).is_none());
        assert!(General::for_words(&embed::Hashed).is_none());
    }
}
