//! Tests of following files.

use std::fs;
use std::io::Write;

use super::*;
use crate::stream::testing::MemorySink;

struct Setup {
    dir: tempfile::TempDir,
    sink: Arc<MemorySink>,
}

impl Setup {
    fn new() -> Setup {
        Setup {
            dir: tempfile::tempdir().unwrap(),
            sink: Arc::default(),
        }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("events.jsonl")
    }

    fn write(&self, text: &str) {
        fs::write(self.path(), text).unwrap();
    }

    fn append(&self, text: &str) {
        fs::OpenOptions::new()
            .append(true)
            .open(self.path())
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }

    fn source(&self, follow: bool) -> FileSource {
        let settings = FileSettings {
            follow,
            poll_interval_ms: 1,
            ..FileSettings::default()
        };
        FileSource::new(self.path(), settings, self.sink.clone())
    }

    fn once(&self) {
        let (_stop, shutdown) = watch::channel(false);
        runtime().block_on(self.source(false).run(shutdown)).unwrap();
    }

    /// Follows the file while `steps` run, then stops.
    fn follow(&self, steps: impl AsyncFnOnce(&Setup)) {
        runtime().block_on(async {
            let (stop, shutdown) = watch::channel(false);
            let run = self.source(true).run(shutdown);
            let steps = async {
                steps(self).await;
                stop.send(true).unwrap();
            };
            let (ended, ()) = tokio::join!(run, steps);
            ended.unwrap();
        });
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

#[test]
fn a_second_run_reads_only_what_was_added() {
    let s = Setup::new();
    s.write("one\ntwo\n");
    s.once();
    s.once();
    s.append("three\n");
    s.once();
    assert_eq!(s.sink.values(), ["one", "two", "three"]);
    assert_eq!(
        s.sink
            .batches()
            .iter()
            .map(|b| b.records.iter().map(|r| r.offset).collect::<Vec<_>>())
            .collect::<Vec<_>>(),
        [vec![3, 7], vec![13]]
    );
    assert!(s.sink.anomalies().is_empty());
}

#[test]
fn a_line_that_is_not_finished_is_not_an_event_yet() {
    let s = Setup::new();
    s.write("one\ntw");
    s.follow(async |s| {
        s.sink.records(1).await;
        assert_eq!(s.sink.values(), ["one"]);
        s.append("o\nthree\n");
        s.sink.records(3).await;
    });
    assert_eq!(s.sink.values(), ["one", "two", "three"]);
}

#[test]
fn a_file_that_comes_later_is_waited_for() {
    let s = Setup::new();
    s.follow(async |s| {
        s.write("one\n");
        s.sink.records(1).await;
    });
    assert_eq!(s.sink.values(), ["one"]);
}

#[test]
fn rotation_loses_neither_the_old_end_nor_the_new_beginning() {
    let s = Setup::new();
    s.write("one\n");
    s.follow(async |s| {
        s.sink.records(1).await;
        let old = s.dir.path().join("events.jsonl.1");
        fs::rename(s.path(), &old).unwrap();
        // The writer still holds the old file, and ends it without a line end.
        fs::OpenOptions::new()
            .append(true)
            .open(&old)
            .unwrap()
            .write_all(b"two")
            .unwrap();
        s.write("three\nfour\n");
        s.sink.records(4).await;
    });
    assert_eq!(s.sink.values(), ["one", "two", "three", "four"]);
}

#[test]
fn a_file_replaced_while_nobody_looked_is_read_from_its_beginning() {
    let s = Setup::new();
    s.write("one\ntwo\n");
    s.once();
    fs::remove_file(s.path()).unwrap();
    s.write("alpha\nbeta\ngamma\n");
    s.once();
    assert_eq!(s.sink.values(), ["one", "two", "alpha", "beta", "gamma"]);
}

#[test]
fn truncation_is_read_anew_and_said_when_it_looks_the_same() {
    let s = Setup::new();
    s.write("one\ntwo\nthree\n");
    s.follow(async |s| {
        s.sink.records(3).await;
        // Emptied in place, then written again with the same first line.
        s.write("one\n");
        s.sink.records(4).await;
    });
    assert_eq!(s.sink.values(), ["one", "two", "three", "one"]);
    assert!(s.sink.batches().last().unwrap().rewound);
    assert!(matches!(
        s.sink.anomalies()[..],
        [Anomaly::FileRestarted { position: 14, .. }]
    ));
}

#[test]
fn a_missing_file_that_is_not_followed_is_an_error_that_names_it() {
    let s = Setup::new();
    let (_stop, shutdown) = watch::channel(false);
    let error = runtime()
        .block_on(s.source(false).run(shutdown))
        .unwrap_err()
        .to_string();
    assert!(error.contains("events.jsonl"), "{error}");
}
