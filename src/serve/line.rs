//! Reading bounded lines.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// One line, without its end.
#[derive(Debug, PartialEq)]
pub enum Line {
    Text(Vec<u8>),
    /// Longer than allowed; skipped up to its end.
    TooLong,
    End,
}

/// Reads the next line of at most `max` bytes. A last line without an end counts as a line.
pub async fn next(reader: &mut (impl AsyncBufRead + Unpin), max: usize) -> std::io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = reader.fill_buf().await?;
        if chunk.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Line::TooLong,
                (false, true) => Line::End,
                (false, false) => Line::Text(line),
            });
        }
        let (part, ended) = match chunk.iter().position(|b| *b == b'\n') {
            Some(n) => (&chunk[..n], true),
            None => (chunk, false),
        };
        too_long |= line.len() + part.len() > max;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(ended);
        reader.consume(used);
        if ended {
            return Ok(if too_long { Line::TooLong } else { Line::Text(line) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_long_line_is_skipped_and_the_next_one_read() {
        // A tiny buffer, so that lines come in parts.
        let mut r = tokio::io::BufReader::with_capacity(4, &b"short\nmuch too long\nlast"[..]);
        assert_eq!(next(&mut r, 6).await.unwrap(), Line::Text(b"short".to_vec()));
        assert_eq!(next(&mut r, 6).await.unwrap(), Line::TooLong);
        assert_eq!(next(&mut r, 6).await.unwrap(), Line::Text(b"last".to_vec()));
        assert_eq!(next(&mut r, 6).await.unwrap(), Line::End);
    }
}
