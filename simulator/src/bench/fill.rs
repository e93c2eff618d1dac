//! Filling a daemon, and watching how fast events become durable.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use gyrus::cli::client::Client;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::daemon::Daemon;
use super::probe::status;
use crate::kafka::Kafka;
use crate::synth::Planted;
use crate::target::Target;

/// Between two looks at the status.
const LOOK: Duration = Duration::from_millis(20);
/// No progress for so long is a failure.
const STALL: Duration = Duration::from_secs(120);

/// (seconds, events durable by then)
pub type Samples = Vec<(f64, u64)>;

/// Puts all events into a topic, before the daemon runs.
pub fn preload(
    brokers: &str,
    topic: &str,
    events: impl Iterator<Item = Planted>,
    bar: &ProgressBar,
) -> Result<()> {
    let mut kafka = Kafka::connect(brokers, topic)?;
    let mut sent = 0;
    for planted in events {
        kafka.send(planted.event)?;
        sent += 1;
        bar.set_position(sent);
    }
    let delivered = kafka.finish()?.count("delivered");
    if delivered != sent {
        bail!("{delivered} of {sent} events reached topic {topic}");
    }
    Ok(())
}

/// Watches the daemon until it has stored `events`. The samples begin when it has something to work on: joining the
/// group comes before and is not its speed.
pub fn watch(daemon: &Daemon, events: u64, bar: &ProgressBar) -> Result<Samples> {
    let mut client = daemon.client()?;
    let started = Instant::now();
    let mut samples: Samples = vec![(0.0, 0)];
    let (mut before, mut moved) = (0, Instant::now());
    loop {
        let at = started.elapsed().as_secs_f64();
        let status = status(&mut client)?;
        let count = |name: &str| status[name].as_u64().unwrap_or(0);
        let stored = count("stored");
        if stored != before {
            (before, moved) = (stored, Instant::now());
        } else if moved.elapsed() > STALL {
            bail!(
                "no event became durable for {} s; {stored} of {events} are",
                STALL.as_secs()
            );
        }
        if stored == 0 && count("backlog") == 0 {
            samples.clear();
        }
        samples.push((at, stored));
        bar.set_position(stored);
        if stored >= events {
            return Ok(samples);
        }
        std::thread::sleep(LOOK);
    }
}

/// Sends all events over the socket on some connections at once; a receipt means durable.
pub fn over_socket(
    daemon: &Daemon,
    clients: u64,
    batch: usize,
    events: impl Iterator<Item = Planted> + Send,
    bar: &ProgressBar,
) -> Result<Samples> {
    let started = Instant::now();
    let events = Mutex::new(events);
    let samples: Mutex<Samples> = Mutex::new(vec![(0.0, 0)]);
    let note = |stored: u64| {
        // A thread that panicked while it held a lock ends the run anyway.
        let mut samples = samples.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let total = samples.last().map_or(0, |s| s.1) + stored;
        samples.push((started.elapsed().as_secs_f64(), total));
        bar.set_position(total);
    };
    let worker = || -> Result<()> {
        let mut client = daemon.client()?;
        loop {
            let taken: Vec<Planted> = {
                let mut events = events.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                events.by_ref().take(batch.max(1)).collect()
            };
            if taken.is_empty() {
                return Ok(());
            }
            for (space, list) in by_space(taken) {
                let sent = list.len() as u64;
                let stored = ingest(&mut client, &space, list)?;
                if stored != sent {
                    bail!("{stored} of {sent} events were stored; the others were refused or known");
                }
                note(stored);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients.max(1)).map(|_| scope.spawn(worker)).collect();
        threads
            .into_iter()
            .try_for_each(|t| t.join().unwrap_or_else(|_| bail!("a client failed")))
    })?;
    Ok(samples
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Events of one request each, in order within a space.
pub fn by_space(events: Vec<Planted>) -> Vec<(String, Vec<Value>)> {
    let mut out: Vec<(String, Vec<Value>)> = Vec::new();
    for p in events {
        let value = p.event.value();
        match out.iter_mut().find(|(space, _)| *space == p.event.space) {
            Some((_, list)) => list.push(value),
            None => out.push((p.event.space, vec![value])),
        }
    }
    out
}

/// One `ingest`; how many events it stored.
pub fn ingest(client: &mut Client, space: &str, events: Vec<Value>) -> Result<u64> {
    let answer = client.call("ingest", json!({"space": space, "events": events}))?;
    let receipts = answer["receipts"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Ok(receipts.iter().filter(|r| r["status"] == "stored").count() as u64)
}
