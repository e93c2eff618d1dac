//! Tests of the room, by what they are about.

mod cloud;
mod forms;
mod limits;
mod times;
mod unicode;

use serde_json::Value;

use super::*;

/// 2031-03-01T12:00:00Z, when the tests receive their records.
const RECEIVED: Ts = Ts(1_930_132_800_000);

fn with<T>(settings: &Settings, f: impl FnOnce(&DecodeCx<'_>) -> T) -> T {
    f(&DecodeCx::new(RECEIVED, settings))
}

fn json(value: Value) -> Decoded {
    with(&Settings::default(), |cx| decode_json(value, cx))
}

fn bytes(input: &[u8]) -> Result<Vec<Decoded>, Rejection> {
    with(&Settings::default(), |cx| decode_bytes(input, cx))
}

/// The only record in `input`.
fn one(input: &[u8]) -> Decoded {
    let mut all = bytes(input)?;
    assert_eq!(all.len(), 1);
    all.remove(0)
}
