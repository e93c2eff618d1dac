//! `gyrus ingest` and `gyrus import`: events from a file or standard input, with progress.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::args::{self, To};
use super::client::Client;
use super::{CliError, terminal};

/// Counts of receipts by status, and the first few reasons.
#[derive(Default)]
struct Tally {
    counts: Map<String, Value>,
    reasons: Vec<String>,
    sent: u64,
}

impl Tally {
    const REASONS: usize = 5;

    fn add(&mut self, status: &str, reason: Option<String>) {
        self.sent += 1;
        let n = self.counts.get(status).and_then(Value::as_u64).unwrap_or(0);
        self.counts.insert(status.to_string(), (n + 1).into());
        if let Some(r) = reason
            && status == "rejected"
            && self.reasons.len() < Self::REASONS
        {
            self.reasons.push(r);
        }
    }

    fn receipts(&mut self, answer: &Value) {
        for r in answer["receipts"].as_array().into_iter().flatten() {
            let reason = r["reason"]
                .as_str()
                .map(|x| format!("{}: {x}", r["id"].as_str().unwrap_or_default()));
            self.add(r["status"].as_str().unwrap_or("unknown"), reason);
        }
    }

    fn finish(self, to: &To) -> Result<(), CliError> {
        if to.json {
            println!("{}", json!({"counts": self.counts, "reasons": self.reasons}));
        } else {
            let parts: Vec<String> = self.counts.iter().map(|(k, v)| format!("{v} {k}")).collect();
            println!(
                "{}",
                if parts.is_empty() {
                    "nothing to send".into()
                } else {
                    parts.join(", ")
                }
            );
            self.reasons.iter().for_each(|r| eprintln!("  {r}"));
        }
        let rejected = self.counts.get("rejected").and_then(Value::as_u64).unwrap_or(0);
        match rejected {
            0 => Ok(()),
            n => Err(CliError::Other(format!(
                "{n} events were rejected; the others are stored"
            ))),
        }
    }
}

fn open(file: Option<&Path>) -> Result<Box<dyn Read>, CliError> {
    match file.filter(|p| *p != Path::new("-")) {
        Some(p) => Ok(Box::new(
            File::open(p).map_err(CliError::io(format!("opening {}", p.display())))?,
        )),
        None => Ok(Box::new(std::io::stdin())),
    }
}

pub fn run(to: &To, a: &args::Ingest) -> Result<(), CliError> {
    let mut client = Client::connect(&to.path())?;
    let total = a
        .file
        .as_deref()
        .and_then(|p| std::fs::metadata(p).ok())
        .map(|m| m.len());
    let bar = terminal::bytes_bar(total, to.json);
    let mut reader = BufReader::new(open(a.file.as_deref())?);
    let (mut tally, mut batch, mut line) = (Tally::default(), Vec::new(), Vec::new());
    let mut number = 0_u64;
    loop {
        line.clear();
        let n = reader
            .read_until(b'\n', &mut line)
            .map_err(CliError::io("reading events"))?;
        number += 1;
        bar.inc(n as u64);
        let (text, _) = crate::event::repair(line.trim_ascii());
        if !text.is_empty() {
            match serde_json::from_str::<Value>(&text) {
                Ok(v) => batch.push(v),
                Err(e) => tally.add("rejected", Some(format!("line {number} is not JSON: {}", within_line(&e)))),
            }
        }
        if batch.len() >= a.batch.max(1) || (n == 0 && !batch.is_empty()) {
            let events = std::mem::take(&mut batch);
            tally.receipts(&client.call("ingest", json!({"space": a.space.space, "events": events}))?);
            bar.set_message(format!("{} events", tally.sent));
        }
        if n == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    tally.finish(to)
}

pub fn import(to: &To, a: &args::Import) -> Result<(), CliError> {
    const CHUNK: usize = 256;
    let mut text = String::new();
    open(a.file.as_deref())?
        .read_to_string(&mut text)
        .map_err(CliError::io("reading the export"))?;
    let export: Value = serde_json::from_str(&text)
        .map_err(|e| CliError::Other(format!("the file is not an export: {e}")))?;
    let nodes = export["nodes"]
        .as_array()
        .ok_or_else(|| CliError::Other("the file has no `nodes`".into()))?;
    let events: Vec<&Value> = nodes.iter().filter(|n| n["type"] == "event").collect();
    let mut client = Client::connect(&to.path())?;
    let bar = terminal::count_bar(events.len() as u64, to.json);
    let mut tally = Tally::default();
    for chunk in events.chunks(CHUNK) {
        tally.receipts(&client.call("import", json!({"space": a.space.space, "nodes": chunk}))?);
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    tally.finish(to)
}

/// What is wrong with one line; the parser calls every line the first.
fn within_line(e: &serde_json::Error) -> String {
    let text = e.to_string();
    match text.split_once(" at line ") {
        Some((what, _)) => format!("{what} (column {})", e.column()),
        None => text,
    }
}
