//! Where events go: a daemon's socket, Kafka, or standard output.

use std::collections::BTreeMap;
use std::io::{BufWriter, Stdout, Write};
use std::path::Path;

use anyhow::Result;
use gyrus::cli::client::Client;
use serde_json::{Value, json};

use crate::outgoing::Outgoing;

/// What became of the events: counts by receipt, and the first reasons for what was refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub counts: BTreeMap<String, u64>,
    pub reasons: Vec<String>,
}

impl Tally {
    const REASONS: usize = 5;

    pub fn add(&mut self, status: &str, reason: Option<String>) {
        *self.counts.entry(status.to_owned()).or_default() += 1;
        if let Some(reason) = reason.filter(|_| self.reasons.len() < Self::REASONS) {
            self.reasons.push(reason);
        }
    }

    pub fn count(&self, status: &str) -> u64 {
        self.counts.get(status).copied().unwrap_or(0)
    }

    /// Adds the receipts of one `ingest`.
    fn receipts(&mut self, answer: &Value) {
        for r in answer["receipts"].as_array().into_iter().flatten() {
            let id = r["id"].as_str().unwrap_or_default();
            let reason = r["reason"].as_str().map(|why| format!("{id}: {why}"));
            self.add(r["status"].as_str().unwrap_or("unknown"), reason);
        }
    }
}

pub trait Target: Send {
    /// Takes an event; it may wait in a batch. Events of one space keep their order.
    fn send(&mut self, event: Outgoing) -> Result<()>;

    /// Hands on what waits in a batch.
    fn flush(&mut self) -> Result<()>;

    /// Waits until everything is acknowledged, and says what became of it.
    fn finish(&mut self) -> Result<Tally>;
}

/// JSON-RPC `ingest` over the daemon's socket. One request at a time, so that the order of events holds; the
/// answer to each means that its events are durable.
pub struct Socket {
    client: Client,
    batch: usize,
    /// Waiting events by space.
    waiting: BTreeMap<String, Vec<Value>>,
    tally: Tally,
}

impl Socket {
    pub fn connect(socket: &Path, batch: usize) -> Result<Socket> {
        let client = Client::connect(socket)?;
        Ok(Socket {
            client,
            batch: batch.max(1),
            waiting: BTreeMap::new(),
            tally: Tally::default(),
        })
    }

    fn ingest(&mut self, space: &str, events: Vec<Value>) -> Result<()> {
        let answer = self
            .client
            .call("ingest", json!({"space": space, "events": events}))?;
        self.tally.receipts(&answer);
        Ok(())
    }
}

impl Target for Socket {
    fn send(&mut self, event: Outgoing) -> Result<()> {
        let value = event.value();
        let waiting = self.waiting.entry(event.space.clone()).or_default();
        waiting.push(value);
        if waiting.len() >= self.batch {
            let events = std::mem::take(waiting);
            self.ingest(&event.space, events)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        for (space, events) in std::mem::take(&mut self.waiting) {
            if !events.is_empty() {
                self.ingest(&space, events)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Tally> {
        self.flush()?;
        Ok(self.tally.clone())
    }
}

/// One line of JSON an event, with its space in it: what `gyrus ingest` and Kafka's console producer read.
pub struct Lines {
    out: BufWriter<Stdout>,
    written: u64,
}

impl Lines {
    pub fn new() -> Lines {
        Lines {
            out: BufWriter::new(std::io::stdout()),
            written: 0,
        }
    }
}

impl Target for Lines {
    fn send(&mut self, event: Outgoing) -> Result<()> {
        writeln!(self.out, "{}", event.line())?;
        self.written += 1;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<Tally> {
        self.flush()?;
        Ok(Tally {
            counts: BTreeMap::from([("written".into(), self.written)]),
            reasons: Vec::new(),
        })
    }
}
