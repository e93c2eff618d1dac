//! Base64 (RFC 4648, standard alphabet), as CloudEvents carry bytes in JSON.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes; padding may be left out, line breaks are skipped. `None` for anything else that is not base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches(|c: char| c == '=' || c.is_ascii_whitespace());
    let mut out = Vec::with_capacity(body.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0u32);
    for c in body.bytes().filter(|c| !matches!(c, b'\r' | b'\n')) {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    // Six bits left over mean a lone last character, set bits a cut-off byte.
    (held < 6 && bits == 0).then_some(out)
}

/// Encodes with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let six = (n >> (18 - 6 * i)) & 63;
            out.push(if i <= chunk.len() {
                ALPHABET[six as usize] as char
            } else {
                '='
            });
        }
    }
    out
}
