//! The two tables that are part of the binary. `tables/LICENSES.md` says what they were made from;
//! `scripts/tables/` makes them again.
//!
//! Guarantees: each is verified and indexed at most once in a process, and not at all if unused.

use std::sync::{Arc, OnceLock};

use super::{CachedTable, Hashed, JointTable, Models, StaticEmbedder, Table, TableError};

static WORDS: &[u8] = include_bytes!("tables/words.bin");
static TOKENS: &[u8] = include_bytes!("tables/tokens.bin");

type Parsed = OnceLock<Result<Arc<Table>, Arc<TableError>>>;

/// English words, one by one through all-MiniLM-L6-v2: the sharper table, for concept formation,
/// term expansion and SIF means. It knows English and puts other words together from pieces.
pub fn words() -> Result<Arc<Table>, Arc<TableError>> {
    static PARSED: Parsed = OnceLock::new();
    parsed(&PARSED, WORDS)
}

/// The o200k vocabulary's letter tokens, one by one through multilingual-e5-small: words and
/// fragments of every language that the vocabulary covers.
pub fn tokens() -> Result<Arc<Table>, Arc<TableError>> {
    static PARSED: Parsed = OnceLock::new();
    parsed(&PARSED, TOKENS)
}

fn parsed(slot: &Parsed, bytes: &'static [u8]) -> Result<Arc<Table>, Arc<TableError>> {
    slot.get_or_init(|| Table::parse(bytes).map(Arc::new).map_err(Arc::new))
        .clone()
}

/// The models of a process with no other configured: whole texts by the token table, words by both
/// tables joined. Where a table is damaged the other serves alone, or the hashed stand-in (which
/// says that it is one).
pub fn built_in() -> Models {
    Models {
        embedder: match tokens() {
            Ok(table) => Arc::new(StaticEmbedder::new(table)),
            Err(_) => Arc::new(Hashed),
        },
        words: Arc::new(CachedTable::new(match (words(), tokens()) {
            (Ok(words), Ok(tokens)) => Arc::new(JointTable::new(words, tokens)),
            (Ok(table), Err(_)) | (Err(_), Ok(table)) => table,
            (Err(_), Err(_)) => Arc::new(Hashed),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::WordTable;
    use crate::embed::vector::{dot, to_unit};

    fn cosine(table: &Table, a: &str, b: &str) -> f32 {
        let unit = |word: &str| {
            let mut vector = vec![0.0; table.dim()];
            assert!(
                table.vector(word, &mut vector),
                "{word} is not in table {}",
                table.name()
            );
            to_unit(&mut vector);
            vector
        };
        dot(&unit(a), &unit(b))
    }

    #[test]
    fn both_tables_are_whole_and_name_their_licences() {
        let (words, tokens) = (words().expect("words.bin"), tokens().expect("tokens.bin"));
        assert_eq!((words.name(), words.dim()), ("words", 128));
        assert_eq!((tokens.name(), tokens.dim()), ("tokens", 128));
        assert!(words.licence().contains("Apache-2.0") && tokens.licence().contains("MIT"));
        assert!(words.len() > 30_000 && tokens.len() > 100_000);
        assert!(
            WORDS.len() + TOKENS.len() <= 22 << 20,
            "the binary carries no more than 22 MiB of tables"
        );
    }

    #[test]
    fn related_english_words_are_nearer_than_unrelated_ones() {
        let words = words().expect("words.bin");
        for (word, near, far) in [
            ("doctor", "physician", "invoice"),
            ("invoice", "payment", "weather"),
            ("bicycle", "bike", "server"),
            ("deploy", "deployment", "bread"),
        ] {
            let (near_cos, far_cos) = (cosine(&words, word, near), cosine(&words, word, far));
            assert!(
                near_cos > 0.4 && far_cos < 0.3,
                "{word}: {near} {near_cos}, {far} {far_cos}"
            );
        }
    }

    #[test]
    fn the_token_table_joins_languages() {
        let tokens = tokens().expect("tokens.bin");
        for (word, same, other) in [
            ("casa", "house", "doctor"),
            ("arzt", "doctor", "house"),
            ("水", "water", "letter"),
            ("पानी", "water", "letter"),
        ] {
            let (same_cos, other_cos) = (cosine(&tokens, word, same), cosine(&tokens, word, other));
            assert!(
                same_cos > other_cos + 0.1,
                "{word}: {same} {same_cos}, {other} {other_cos}"
            );
        }
    }

    #[test]
    fn the_models_are_made_of_both_tables() {
        let models = built_in();
        assert_eq!(
            (models.embedder.info().degraded, models.embedder.info().dim),
            (false, 128)
        );
        assert_eq!(models.words.dim(), 256);
        assert!(models.words.knows("doctor") && models.words.knows("bicicleta"));
        assert!(!models.words.knows("doctorxyz"));
        let texts = [
            "El médico llega mañana",
            "the doctor arrives tomorrow",
            "unpaid invoice",
        ];
        let vectors = models.embedder.embed(&texts).expect("a table cannot fail");
        let (same, other) = (dot(&vectors[0], &vectors[1]), dot(&vectors[0], &vectors[2]));
        assert!(same > other + 0.2, "same {same}, other {other}");
    }

    #[test]
    fn a_table_is_parsed_once() {
        let (first, second) = (words().expect("words.bin"), words().expect("words.bin"));
        assert!(Arc::ptr_eq(&first, &second));
    }
}
