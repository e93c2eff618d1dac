//! The rules for space names.

use super::Rejection;
use super::reject::code;

/// Longest space name, in characters.
pub const MAX_SPACE_CHARS: usize = 128;

/// Checks a space name: 1 to 128 characters, none of them a control character or a line
/// separator, no white space at either end.
///
/// Everything else is allowed, `/` and `.` too: names are compared byte for byte, and keys on disk frame
/// them by length. A space name is therefore never a path; whoever needs a file name must encode it.
///
/// # Errors
/// Code `bad-space`. The reason does not repeat the name.
pub fn check_space(name: &str) -> Result<(), Rejection> {
    let bad = |why: &str| {
        let reason = format!(
            "the space name {why}; allowed are 1 to {MAX_SPACE_CHARS} characters without control characters \
             and without white space at the ends"
        );
        Err(Rejection::new(code::BAD_SPACE, reason))
    };
    if name.is_empty() {
        return bad("is empty");
    }
    if name.chars().nth(MAX_SPACE_CHARS).is_some() {
        return bad("is too long");
    }
    if name
        .chars()
        .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
    {
        return bad("holds a control character");
    }
    if name.trim().len() != name.len() {
        return bad("begins or ends with white space");
    }
    Ok(())
}
