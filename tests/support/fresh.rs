//! A daemon with an empty data directory, gone with its test, and things to tell it.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::{Daemon, Launch, Rpc, texts};

/// Five weeks on a fruit farm.
pub const STORY: &str = include_str!("../../simulator/stories/orchard.ndjson");

pub struct Fresh {
    pub daemon: Daemon,
    pub rpc: Rpc,
    pub dir: tempfile::TempDir,
}

pub fn fresh(set: &[(&str, &str)]) -> Fresh {
    let dir = tempfile::tempdir().unwrap();
    let launch = set.iter().fold(Launch::new(dir.path()), |l, (k, v)| l.set(k, v));
    let daemon = launch.start();
    Fresh {
        rpc: daemon.rpc(),
        daemon,
        dir,
    }
}

impl Fresh {
    /// Plays the bundled story into a space; it gives intents.
    pub fn told(&mut self, space: &str) {
        let story: Vec<Value> = STORY.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        for part in story.chunks(10) {
            let receipts = self.rpc.ingest(space, json!(part));
            assert!(
                texts(&receipts, "status").iter().all(|s| *s == "stored"),
                "{receipts}"
            );
        }
        self.rpc.settle(space);
    }

    pub fn intents(&mut self, space: &str) -> Vec<Value> {
        let mut r = self.rpc.ok("intents", json!({"space": space}));
        let list = r["intents"].as_array_mut().unwrap();
        assert!(!list.is_empty(), "the story gives intents");
        std::mem::take(list)
    }

    /// Tells of something that is asked for three times with a date; gives the intent that comes of it.
    pub fn asked(&mut self, space: &str) -> Value {
        let told = [
            "The ferry timetable is wrong on the pier sign. Please replace the ferry timetable by Friday.",
            "A second complaint about the ferry timetable on the pier; it must be replaced before Friday.",
            "Who orders the new ferry timetable for the pier? It is needed by Friday.",
        ];
        let events: Vec<Value> = (0..told.len())
            .map(|n| json!({"id": format!("f{n}"), "time": format!("2033-05-02T0{}:00:00Z", n + 7), "actor": "Ivo", "text": told[n]}))
            .collect();
        self.rpc.ingest(space, json!(events));
        let mut list = self.intents(space);
        assert_eq!(list.len(), 1, "{list:?}");
        list.remove(0)
    }

    /// Sends one line as it is and returns the answer.
    pub fn raw(&mut self, line: &str) -> Value {
        self.rpc.send(line.as_bytes());
        self.rpc.send(b"\n");
        self.rpc.line().unwrap()
    }

    pub fn cli(&self, args: &[&str], input: &str) -> Output {
        let mut child = super::daemon::gyrus()
            .args(args)
            .arg("--socket")
            .arg(self.daemon.launch.socket())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads no input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// The JSON that a command prints with `--json`.
    pub fn cli_json(&self, args: &[&str], input: &str) -> Value {
        let out = self.cli(&[args, &["--json"]].concat(), input);
        let (stdout, stderr) = (
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr),
        );
        assert!(out.status.success(), "{args:?}: {stderr}");
        serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{args:?} printed no JSON ({e}): {stdout}"))
    }
}
