//! A static table of word vectors: the file format and the look-up.
//!
//! Guarantees: a table is either whole (its BLAKE3 check value agrees and every row is there) or
//! refused; look-ups borrow from the file's bytes and are pure. Must not know where the bytes
//! come from, nor what is done with the vectors.
//!
//! The format (little-endian), written by `scripts/tables/table_file.py`:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic `GYRTABLE` |
//! | 2 + 2 | format version (1); dimensions d |
//! | 4 + 4 | rows n; length of the word block in bytes |
//! | 2 + 2 | lengths of the name and of the licence line |
//! | ... | name, licence line, word block (UTF-8, n words separated by newlines, commonest first) |
//! | 4 n | scales, `f32` |
//! | n d | rows, `i8`; the vector of word k is `scale[k] * row[k]` |
//! | 32 | BLAKE3 of all that stands before |

use rustc_hash::FxHashMap;

use super::WordTable;

const MAGIC: &[u8] = b"GYRTABLE";
const VERSION: u16 = 1;
const CHECK_LEN: usize = 32;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("static table: not a table file (magic bytes differ)")]
    Magic,
    #[error("static table: format version {got}, this build reads {VERSION}")]
    Version { got: u16 },
    #[error("static table: the file ends within its {part}")]
    Truncated { part: &'static str },
    #[error("static table: check value differs, the file is damaged")]
    Check,
    #[error("static table: {got} distinct words for {want} rows")]
    Words { got: usize, want: usize },
    #[error("static table: {part} is not UTF-8")]
    Utf8 { part: &'static str },
    #[error("static table: no dimensions")]
    Empty,
}

/// A parsed table. Words, scales and rows stay in the file's bytes; only the word index is built.
pub struct Table {
    name: &'static str,
    licence: &'static str,
    dim: usize,
    rows_of: FxHashMap<&'static str, u32>,
    /// Length in bytes of the longest word: no longer piece need be looked up.
    longest: usize,
    scales: &'static [u8],
    rows: &'static [u8],
}

impl Table {
    /// Verifies and indexes a table; about 10 ms for 100,000 words.
    pub fn parse(bytes: &'static [u8]) -> Result<Self, TableError> {
        let body_len = bytes
            .len()
            .checked_sub(CHECK_LEN)
            .ok_or(TableError::Truncated { part: "check value" })?;
        let (body, check) = bytes.split_at(body_len);
        let mut file = Reader(body);
        if file.take(MAGIC.len(), "magic")? != MAGIC {
            return Err(TableError::Magic);
        }
        match file.u16("version")? {
            VERSION => {}
            got => return Err(TableError::Version { got }),
        }
        // Before the lengths are believed: a damaged file is called damaged, whatever its fault.
        if blake3::hash(body).as_bytes() != check {
            return Err(TableError::Check);
        }
        let dim = usize::from(file.u16("header")?);
        let (count, words_len) = (file.u32("header")?, file.u32("header")?);
        let (name_len, licence_len) = (file.u16("header")?, file.u16("header")?);
        let name = file.text(usize::from(name_len), "name")?;
        let licence = file.text(usize::from(licence_len), "licence")?;
        let words = file.text(words_len as usize, "words")?;
        let count = count as usize;
        let scales = file.take(4 * count, "scales")?;
        let rows = file.take(count * dim, "rows")?;
        if dim == 0 {
            return Err(TableError::Empty);
        }
        let rows_of: FxHashMap<&str, u32> = words.split('\n').zip(0..).collect();
        if rows_of.len() != count {
            return Err(TableError::Words {
                got: rows_of.len(),
                want: count,
            });
        }
        let longest = rows_of.keys().map(|word| word.len()).max().unwrap_or(0);
        Ok(Self {
            name,
            licence,
            dim,
            rows_of,
            longest,
            scales,
            rows,
        })
    }

    /// Name out of the file, such as `words`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Licence of the model and of the word list, out of the file.
    pub fn licence(&self) -> &'static str {
        self.licence
    }

    pub fn len(&self) -> usize {
        self.rows_of.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows_of.is_empty()
    }

    /// All words, from the commonest to the rarest. Cost: a sort of them.
    pub fn words(&self) -> Vec<&'static str> {
        let mut words: Vec<(u32, &'static str)> = self.rows_of.iter().map(|(w, row)| (*row, *w)).collect();
        words.sort_unstable();
        words.into_iter().map(|w| w.1).collect()
    }

    /// The row of a word that the table has as a whole. Rows run from the commonest word to the rarest.
    pub fn row(&self, lower: &str) -> Option<u32> {
        self.rows_of.get(lower).copied()
    }

    /// The rows that stand for a word: its own, or those of its greedy longest known pieces, from
    /// the left. Characters which begin no known piece are passed over.
    fn for_each_row(&self, lower: &str, mut visit: impl FnMut(u32)) {
        if let Some(row) = self.row(lower) {
            return visit(row);
        }
        let mut rest = lower;
        while let Some(first) = rest.chars().next() {
            let piece = prefixes(rest, self.longest).find_map(|piece| Some((piece.len(), self.row(piece)?)));
            let used = piece.map_or(first.len_utf8(), |(len, _)| len);
            if let Some((_, row)) = piece {
                visit(row);
            }
            rest = &rest[used..];
        }
    }

    fn add_row(&self, row: u32, out: &mut [f32]) {
        let row = row as usize;
        let scale = self.scales[4 * row..][..4]
            .try_into()
            .map(f32::from_le_bytes)
            .unwrap_or(0.0);
        let components = &self.rows[row * self.dim..][..self.dim];
        for (sum, &component) in out.iter_mut().zip(components) {
            *sum += scale * f32::from(component.cast_signed());
        }
    }
}

impl WordTable for Table {
    fn dim(&self) -> usize {
        self.dim
    }

    fn vector(&self, lower: &str, out: &mut [f32]) -> bool {
        debug_assert_eq!(out.len(), self.dim);
        out.fill(0.0);
        let mut found = 0u16;
        self.for_each_row(lower, |row| {
            self.add_row(row, out);
            found = found.saturating_add(1);
        });
        if found > 1 {
            out.iter_mut().for_each(|x| *x /= f32::from(found));
        }
        found > 0
    }

    fn knows(&self, lower: &str) -> bool {
        self.rows_of.contains_key(lower)
    }
}

/// The prefixes of `text` of at most `longest` bytes, longest first, cut between characters.
fn prefixes(text: &str, longest: usize) -> impl Iterator<Item = &str> {
    (1..=longest.min(text.len()))
        .rev()
        .filter_map(|end| text.get(..end))
}

/// Takes one field after the other from the front of the file.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, len: usize, part: &'static str) -> Result<&'static [u8], TableError> {
        let (field, rest) = self
            .0
            .split_at_checked(len)
            .ok_or(TableError::Truncated { part })?;
        self.0 = rest;
        Ok(field)
    }

    fn u16(&mut self, part: &'static str) -> Result<u16, TableError> {
        self.take(2, part)
            .map(|field| u16::from_le_bytes([field[0], field[1]]))
    }

    fn u32(&mut self, part: &'static str) -> Result<u32, TableError> {
        self.take(4, part)
            .map(|field| u32::from_le_bytes([field[0], field[1], field[2], field[3]]))
    }

    fn text(&mut self, len: usize, part: &'static str) -> Result<&'static str, TableError> {
        std::str::from_utf8(self.take(len, part)?).map_err(|_| TableError::Utf8 { part })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A table of two dimensions: each word has the components given, scale 0.5.
    pub fn table_bytes(words: &[(&str, [i8; 2])]) -> Vec<u8> {
        let block = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join("\n");
        let (name, licence) = ("test", "none");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(2u16.to_le_bytes());
        bytes.extend((words.len() as u32).to_le_bytes());
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend((licence.len() as u16).to_le_bytes());
        bytes.extend(format!("{name}{licence}{block}").bytes());
        bytes.extend(words.iter().flat_map(|_| 0.5f32.to_le_bytes()));
        bytes.extend(words.iter().flat_map(|(_, row)| row.map(i8::cast_unsigned)));
        seal(bytes)
    }

    fn seal(mut body: Vec<u8>) -> Vec<u8> {
        let check = blake3::hash(&body);
        body.extend(check.as_bytes());
        body
    }

    pub fn table(words: &[(&str, [i8; 2])]) -> Table {
        Table::parse(table_bytes(words).leak()).expect("a whole table")
    }

    fn vector(table: &Table, word: &str) -> Option<[f32; 2]> {
        let mut out = [9.0; 2];
        let known = table.vector(word, &mut out);
        assert!(known || out == [0.0; 2], "an unknown word leaves zeros");
        known.then_some(out)
    }

    #[test]
    fn a_word_is_its_scaled_row() {
        let table = table(&[("cat", [2, -4]), ("dog", [6, 8])]);
        assert_eq!(vector(&table, "dog"), Some([3.0, 4.0]));
        assert_eq!(vector(&table, "cat"), Some([1.0, -2.0]));
        assert_eq!((table.len(), table.name(), table.licence()), (2, "test", "none"));
    }

    #[test]
    fn an_unknown_word_is_the_mean_of_its_longest_pieces() {
        let table = table(&[("black", [2, 0]), ("b", [100, 100]), ("bird", [0, 4])]);
        assert_eq!(vector(&table, "blackbird"), Some([0.5, 1.0]));
        assert!(!table.knows("blackbird") && table.knows("bird"));
    }

    #[test]
    fn characters_without_a_piece_are_passed_over() {
        let table = table(&[("é", [2, 2]), ("東京", [4, 0])]);
        assert_eq!(vector(&table, "x東京日"), Some([2.0, 0.0]));
        assert_eq!(vector(&table, "ñé"), Some([1.0, 1.0]));
        assert_eq!(vector(&table, "zz"), None);
        assert_eq!(vector(&table, ""), None);
    }

    #[test]
    fn a_flipped_bit_is_found() {
        let whole = table_bytes(&[("cat", [2, -4])]);
        for at in MAGIC.len() + 2..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(
                Table::parse(damaged.leak()).err(),
                Some(TableError::Check),
                "byte {at}"
            );
        }
    }

    #[test]
    fn a_cut_file_is_refused() {
        let whole: &'static [u8] = table_bytes(&[("cat", [2, -4])]).leak();
        for len in 0..whole.len() {
            assert!(
                Table::parse(&whole[..len]).is_err(),
                "{len} bytes were taken for a table"
            );
        }
    }

    #[test]
    fn foreign_and_newer_files_are_named_as_such() {
        let mut other = table_bytes(&[("cat", [2, -4])]);
        other[MAGIC.len()] = 7;
        assert_eq!(
            Table::parse(other.clone().leak()).err(),
            Some(TableError::Version { got: 7 })
        );
        other[0] = b'X';
        assert_eq!(Table::parse(other.leak()).err(), Some(TableError::Magic));
    }

    #[test]
    fn a_repeated_word_is_refused() {
        let twice = table_bytes(&[("cat", [2, -4]), ("cat", [1, 1])]);
        assert_eq!(
            Table::parse(twice.leak()).err(),
            Some(TableError::Words { got: 1, want: 2 })
        );
    }

    #[test]
    fn lengths_that_exceed_the_file_are_refused() {
        let mut body = table_bytes(&[("cat", [2, -4])]);
        body.truncate(body.len() - CHECK_LEN);
        body[12] = 200; // rows
        assert_eq!(
            Table::parse(seal(body).leak()).err(),
            Some(TableError::Truncated { part: "scales" })
        );
    }
}
