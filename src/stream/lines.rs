//! Cuts bytes into lines with exact positions and a bounded memory.
//!
//! Pure. A line ends at a line feed; a carriage return before it and blank lines are dropped. A line
//! over the limit is skipped to its end and told as such; only its beginning is kept.

use std::sync::Arc;

use super::{Record, RecordBatch, SourceKind};

/// What is kept of a line over the limit, for the dead letter.
const KEPT_BYTES: usize = 64 * 1024;

/// One line that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Byte offset of its last byte in the source: its line feed, if it has one.
    pub last: i64,
    pub bytes: Vec<u8>,
    /// Length of a line over the limit; `bytes` holds its beginning.
    pub over: Option<u64>,
}

pub(crate) struct LineCutter {
    /// Offset of the next byte that will be fed.
    at: i64,
    partial: Vec<u8>,
    /// Bytes of the current line so far, also those not kept.
    length: u64,
    max: usize,
}

impl LineCutter {
    /// Begins at byte `at`, the beginning of a line.
    pub fn new(at: i64, max: usize) -> LineCutter {
        LineCutter {
            at,
            partial: Vec::new(),
            length: 0,
            max,
        }
    }

    /// Offset of the next byte to feed.
    pub fn at(&self) -> i64 {
        self.at
    }

    pub fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<Line>) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            self.extend(&bytes[..end]);
            self.at += 1;
            bytes = &bytes[end + 1..];
            out.extend(self.take(self.at - 1));
        }
        self.extend(bytes);
    }

    /// The rest that no line feed ended.
    pub fn finish(&mut self) -> Option<Line> {
        self.take(self.at - 1)
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.at += bytes.len() as i64;
        self.length += bytes.len() as u64;
        if self.length <= self.max as u64 {
            self.partial.extend_from_slice(bytes);
            return;
        }
        let keep = self.max.min(KEPT_BYTES);
        let room = keep.saturating_sub(self.partial.len());
        self.partial.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.partial.truncate(keep);
        // What a line just under the limit had grown to is given back.
        self.partial.shrink_to(keep);
    }

    fn take(&mut self, last: i64) -> Option<Line> {
        let length = std::mem::take(&mut self.length);
        let mut bytes = std::mem::take(&mut self.partial);
        if length > self.max as u64 {
            return Some(Line {
                last,
                bytes,
                over: Some(length),
            });
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        (!bytes.iter().all(u8::is_ascii_whitespace)).then_some(Line {
            last,
            bytes,
            over: None,
        })
    }
}

/// Lines as a batch; `None` when there are none.
pub(crate) fn batch(
    kind: SourceKind,
    topic: &Arc<str>,
    lines: Vec<Line>,
    max: usize,
    rewound: bool,
) -> Option<RecordBatch> {
    let records: Vec<Record> = lines
        .into_iter()
        .map(|line| Record {
            topic: topic.clone(),
            offset: line.last,
            value: Some(line.bytes),
            defect: line
                .over
                .map(|n| format!("the line is {n} bytes long; file.max_line_bytes allows {max}")),
            ..Record::default()
        })
        .collect();
    (!records.is_empty()).then(|| RecordBatch {
        kind,
        topic: topic.clone(),
        partition: 0,
        records,
        rewound,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &[u8], sizes: &[usize], max: usize) -> Vec<Line> {
        let mut cutter = LineCutter::new(0, max);
        let (mut out, mut rest) = (Vec::new(), text);
        for size in sizes.iter().cycle() {
            let (now, later) = rest.split_at((*size).clamp(1, rest.len().max(1)).min(rest.len()));
            cutter.feed(now, &mut out);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        out.extend(cutter.finish());
        assert_eq!(cutter.at(), text.len() as i64);
        out
    }

    fn shown(lines: &[Line]) -> Vec<(i64, &str)> {
        lines
            .iter()
            .map(|l| (l.last, std::str::from_utf8(&l.bytes).unwrap()))
            .collect()
    }

    #[test]
    fn positions_are_those_of_line_ends() {
        let lines = cut(b"ab\n\ncd\r\n  \nef", &[64], 100);
        assert_eq!(shown(&lines), [(2, "ab"), (7, "cd"), (12, "ef")]);
    }

    #[test]
    fn a_long_line_is_skipped_whole_and_told() {
        let lines = cut(b"ok\n0123456789\nok too\n", &[3], 8);
        assert_eq!(shown(&lines), [(2, "ok"), (13, "01234567"), (20, "ok too")]);
        assert_eq!(lines[1].over, Some(10));
        let exact = cut(b"01234567\n", &[3], 8);
        assert_eq!(exact[0].over, None);
    }

    proptest! {
        /// However the bytes arrive, and wherever reading resumes, the lines are the same.
        #[test]
        fn cuts_do_not_depend_on_chunks(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b' '), any::<u8>()], 0..200),
            sizes in proptest::collection::vec(1usize..40, 1..5),
        ) {
            let whole = cut(&text, &[text.len().max(1)], 20);
            prop_assert_eq!(&whole, &cut(&text, &sizes, 20));
            if let Some(middle) = whole.get(whole.len() / 2) {
                let from = (middle.last + 1) as usize;
                let mut cutter = LineCutter::new(from as i64, 20);
                let mut out = Vec::new();
                cutter.feed(&text[from..], &mut out);
                out.extend(cutter.finish());
                prop_assert_eq!(&whole[whole.len() / 2 + 1..], &out[..]);
            }
        }
    }
}
