//! Helpers of the tests that run the whole daemon: its process, its socket, Kafka, bytes on disk.

// Each test file is a crate of its own and uses its own part of this.
#![allow(dead_code)]

#[path = "../kafka_stream/broker.rs"]
pub mod broker;
pub mod daemon;
pub mod fresh;
pub mod http;
pub mod kafka;
pub mod mcp;
pub mod rng;
pub mod rpc;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

#[allow(unused_imports)] // as above
pub use daemon::{Daemon, Launch};
#[allow(unused_imports)] // as above
pub use rpc::Rpc;

/// Every wait of these tests ends here at the latest; none is expected to come near.
pub const DEADLINE: Duration = Duration::from_secs(90);

/// Waits until `holds`; looks again every 20 ms, as nothing tells when another process gets there.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < DEADLINE,
            "waited {DEADLINE:?} for this in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A name that no other test or run has.
pub fn unique(what: &str) -> String {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let nanos = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.subsec_nanos());
    format!("test-{what}-{}-{n}-{nanos}", std::process::id())
}

/// Files below `dir` whose name or bytes hold `needle`.
pub fn files_holding(dir: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)
        .expect("a folder that can be listed")
        .flatten()
    {
        let path = entry.path();
        let kind = entry.file_type().expect("a file type");
        if kind.is_dir() {
            found.extend(files_holding(&path, needle));
        } else if kind.is_file() {
            let bytes = std::fs::read(&path).unwrap_or_default();
            if holds(&bytes, needle) || path.to_string_lossy().contains(needle) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

pub fn holds(bytes: &[u8], needle: &str) -> bool {
    bytes.windows(needle.len()).any(|w| w == needle.as_bytes())
}

/// Strings at `field` of the objects in a list.
pub fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let items = list.as_array().unwrap_or_else(|| panic!("not a list: {list}"));
    items.iter().filter_map(|i| i[field].as_str()).collect()
}
