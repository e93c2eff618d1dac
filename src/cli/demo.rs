//! `gyrus demo`: a daemon of its own, a bundled story played into it, and what it makes of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::args::Demo;
use super::serve::{loader, options};
use super::{CliError, show};
use crate::runtime::Daemon;
use crate::serve::Methods;

/// Three weeks on a fruit farm, written for this demo.
const STORY: &str = include_str!("../../simulator/stories/orchard.ndjson");
const SPACE: &str = "orchard";

const QUESTIONS: [&str; 4] = [
    "When does the organic inspector come?",
    "What was wrong with cold room 2, and who fixed it?",
    "How much did the press belt cost in the end?",
    "What is the name of the farm's bank?",
];

pub fn run(a: &Demo) -> Result<(), CliError> {
    let mut config = loader(None)?.load()?.config;
    // The demo shows the embedded default, whatever the environment says of brokers.
    config.kafka.brokers.clear();
    let temporary = a.data.is_none();
    let dir = a.data.clone().unwrap_or_else(temporary_dir);
    config.store.dir = dir.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CliError::io("starting the async runtime"))?;
    let result = runtime.block_on(async {
        let daemon = Daemon::start(options(&config)?).await?;
        let played = play(&daemon, &config.server, a.speed).await;
        daemon.shutdown().await?;
        played
    });
    if temporary {
        std::fs::remove_dir_all(&dir).map_err(CliError::io("removing the temporary data"))?;
    }
    result?;
    go_on(&dir, temporary);
    Ok(())
}

fn temporary_dir() -> PathBuf {
    std::env::temp_dir().join(format!("gyrus-demo-{}", std::process::id()))
}

async fn play(daemon: &Arc<Daemon>, settings: &crate::config::Server, speed: f64) -> Result<(), CliError> {
    let methods = Methods::new(daemon.clone(), settings);
    let events: Vec<Value> = STORY
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|e| CliError::Other(format!("the bundled story is broken: {e}")))?;
    println!(
        "An embedded daemon is up: no Kafka, no keys, no network. Space `{SPACE}`, {} events to come.\n",
        events.len()
    );
    let bar = indicatif::ProgressBar::new(events.len() as u64);
    if let Ok(style) =
        indicatif::ProgressStyle::with_template("{bar:24} {pos}/{len} events, {per_sec}; {msg}")
    {
        bar.set_style(style);
    }
    let started = Instant::now();
    let mut seen = 0;
    for (n, event) in events.iter().enumerate() {
        if speed > 0.0 {
            // Paced by the clock, not by counting sleeps, so that work takes no extra time.
            tokio::time::sleep_until((started + Duration::from_secs_f64(n as f64 / speed)).into()).await;
        }
        call(&methods, "ingest", json!({"space": SPACE, "events": [event]})).await?;
        bar.inc(1);
        bar.set_message(counts(&methods).await?);
        seen = new_intents(&methods, seen, event, &bar).await?;
    }
    call(&methods, "settle", json!({"space": SPACE})).await?;
    bar.finish_and_clear();
    println!(
        "{} events in {:.1} s. {}",
        events.len(),
        started.elapsed().as_secs_f64(),
        counts(&methods).await?
    );
    concepts(&methods).await?;
    questions(&methods).await
}

async fn call(methods: &Methods, method: &str, params: Value) -> Result<Value, CliError> {
    methods
        .call(method, Some(params), None)
        .await
        .map_err(|e| CliError::Refused {
            code: e.code.into(),
            message: e.message,
        })
}

async fn counts(methods: &Methods) -> Result<String, CliError> {
    let s = call(methods, "status", json!({"space": SPACE})).await?;
    let c = &s["counts"];
    Ok(format!(
        "{} concepts, {} merges, {} dates, {} intents",
        c["concepts"], s["merges"], c["times"], c["intents"]
    ))
}

/// Prints intents as they emerge or change.
async fn new_intents(
    methods: &Methods,
    after: u64,
    event: &Value,
    bar: &indicatif::ProgressBar,
) -> Result<u64, CliError> {
    let fresh = call(methods, "intents", json!({"space": SPACE, "after": after})).await?;
    let mut last = after;
    for i in fresh["intents"].as_array().into_iter().flatten() {
        last = last.max(i["seq"].as_u64().unwrap_or(0));
        let line = format!(
            "  {} intent [{}] {}\n      why: {}",
            event["time"].as_str().unwrap_or_default(),
            i["status"].as_str().unwrap_or_default(),
            i["title"].as_str().unwrap_or_default(),
            i["reason"].as_str().unwrap_or_default(),
        );
        if bar.is_hidden() {
            println!("{line}")
        } else {
            bar.println(line)
        }
    }
    Ok(last)
}

async fn concepts(methods: &Methods) -> Result<(), CliError> {
    let export = call(methods, "export", json!({"space": SPACE})).await?;
    let mut found: Vec<(u64, &str)> = export["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|n| n["type"] == "concept")
        .map(|n| {
            (
                n["size"].as_u64().unwrap_or(0),
                n["title"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    println!("\nConcepts it formed (events in each):");
    for (size, title) in found {
        println!("  {size:3}  {title}");
    }
    Ok(())
}

async fn questions(methods: &Methods) -> Result<(), CliError> {
    for q in QUESTIONS {
        println!("\n> {q}");
        let a = call(
            methods,
            "answer",
            json!({"space": SPACE, "query": q, "budget_tokens": 200}),
        )
        .await?;
        show::recall(&a);
    }
    Ok(())
}

fn go_on(dir: &std::path::Path, temporary: bool) {
    println!("\nHow to go on:");
    if !temporary {
        println!(
            "  gyrus serve --data {0}              # the same memory, as a daemon",
            dir.display()
        );
    }
    println!("  gyrus serve --data ./mem            # a memory of your own; socket ./mem/gyrus.sock");
    println!("  gyrus ingest --socket ./mem/gyrus.sock events.ndjson");
    println!("  gyrus recall --socket ./mem/gyrus.sock 'what happened with the invoice?'");
    println!("  gyrus serve --data ./mem --kafka localhost:9092   # events from the topic gyrus.events");
}
