//! `gyrus-sim bench`: the figures of a daemon, each with the condition under which it was measured.
//!
//! Nothing is waited for by time alone: every step polls what it needs, with a deadline. A run that loses an
//! acknowledged event fails, however fast it was.

mod broker;
mod daemon;
mod figures;
mod fill;
mod load;
mod machine;
mod probe;
mod run;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::args::{Bench, BenchTo};
use crate::{send, shape};

/// A folder of ours, taken away at the end unless it is to be kept.
struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    fn make(path: PathBuf, keep: bool) -> Result<Folder> {
        if path.exists() {
            bail!(
                "{} exists already; each measurement begins with an empty folder",
                path.display()
            );
        }
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Folder {
            path: path.canonicalize()?,
            keep,
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.keep {
            // What is left then is only space on a disk.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

pub fn run(a: &Bench) -> Result<()> {
    if !a.binary.is_file() {
        bail!(
            "there is no daemon at {}; build it with `cargo build --release`, or name one with --binary",
            a.binary.display()
        );
    }
    let root = a.data.clone().unwrap_or_else(std::env::temp_dir);
    let root = Folder::make(root.join(format!("gyrus-bench-{}", std::process::id())), a.keep)?;
    let brokers = match (a.to, &a.kafka) {
        (Some(BenchTo::Socket), _) | (None, None) => None,
        (_, Some(given)) => Some(broker::resolve(given, &root.path.join("kafka"))?),
        (Some(BenchTo::Kafka), None) => {
            bail!("--to kafka needs --kafka HOST:PORT, or --kafka up for a broker of its own")
        }
    };
    let to = if brokers.is_some() {
        "kafka, one partition"
    } else {
        "socket"
    };
    let machine = machine::describe();
    let mut runs = Vec::new();
    for &events in &a.events {
        let dir = Folder::make(root.path.join(format!("{}-{events}", runs.len() + 1)), a.keep)?;
        let bar = send::progress(events, a.json);
        let run = run::run(
            a,
            shape(&a.stream, events)?,
            events,
            brokers.as_deref(),
            &dir.path,
            &bar,
        )?;
        bar.finish_and_clear();
        runs.push(run);
    }
    if a.json {
        println!(
            "{}",
            json!({"machine": machine, "binary": a.binary, "to": to, "clients": a.clients, "batch": a.batch, "runs": runs})
        );
    } else {
        println!(
            "{}; events by {to}; times are median / 99th percentile\n",
            machine::line(&machine)
        );
        print!("{}", figures::table(&runs));
        note(a, &runs, &root.path);
    }
    Ok(())
}

fn note(a: &Bench, runs: &[figures::Run], root: &Path) {
    let acked: u64 = runs.iter().map(|r| r.acked_before_kill).sum();
    println!(
        "\nEvery acknowledged event was there after SIGTERM and after kill -9 ({acked} were acknowledged on the way to the kill)."
    );
    if runs.iter().any(|r| r.busy_rate < 0.95 * a.ingest_rate) {
        println!(
            "The load asked for was {} events/s; this machine did not keep up with it beside the questions.",
            a.ingest_rate
        );
    }
    if a.keep {
        println!("Data and logs: {}", root.display());
    }
}
