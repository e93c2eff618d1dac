//! One run: a fresh daemon, filled, measured, stopped, killed.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use gyrus::cli::client::Client;
use indicatif::ProgressBar;
use serde_json::json;

use super::daemon::{Daemon, KafkaLaunch, Launch, disk_bytes};
use super::figures::{Fill, Run};
use super::load::{Load, UntilDeath};
use super::{fill, probe};
use crate::args::Bench;
use crate::kafka::{Kafka, create_topic, delete_topics};
use crate::pace::Pace;
use crate::synth::{Shape, Synth};
use crate::target::{Socket, Target};

/// Longest wait until everything is folded and indexed.
const SETTLE_MS: u64 = 600_000;
/// Shortest time of questions under load.
const BUSY: Duration = Duration::from_secs(5);
/// Events acknowledged on the way to the kill, at least, and the longest wait for them.
const BEFORE_KILL: u64 = 640;
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(5);

pub fn run(
    a: &Bench,
    shape: Shape,
    events: u64,
    brokers: Option<&str>,
    dir: &Path,
    bar: &ProgressBar,
) -> Result<Run> {
    let kafka = brokers.map(|b| KafkaLaunch {
        brokers: b.to_owned(),
        name: format!("gyrus-bench-{}-{events}", std::process::id()),
    });
    let launch = Launch {
        binary: a.binary.clone(),
        data: dir.join("data"),
        socket: socket(dir),
        log: dir.join("daemon.log"),
        config: a.config.clone(),
        kafka,
    };
    let measured = measure(a, shape, events, &launch, bar);
    if let Some(k) = &launch.kafka {
        let others = k.others();
        let topics: Vec<&str> = std::iter::once(k.name.as_str())
            .chain(others.iter().map(|t| t.1.as_str()))
            .collect();
        if let Err(e) = delete_topics(&k.brokers, &topics) {
            eprintln!("gyrus-sim: the run's topics are still there: {e:#}");
        }
    }
    measured.with_context(|| {
        format!(
            "measuring with {events} events; the daemon's last lines were\n{}",
            launch.tail()
        )
    })
}

/// Socket paths may have about 100 bytes.
fn socket(dir: &Path) -> std::path::PathBuf {
    let path = dir.join("sock");
    if path.as_os_str().len() < 100 {
        path
    } else {
        std::env::temp_dir().join(format!("gyrus-bench-{}", std::process::id()))
    }
}

fn measure(a: &Bench, shape: Shape, events: u64, launch: &Launch, bar: &ProgressBar) -> Result<Run> {
    let mut r = Run {
        events,
        ..Run::default()
    };
    let phase = |name: &'static str| bar.set_message(name);
    let mut synth = Synth::new(shape.clone());
    let questions = synth.questions(a.questions as usize);
    bar.set_length(events);

    let daemon = filled(a, &mut synth, &mut r, launch, bar)?;
    let mut client = daemon.client()?;
    phase("settling");
    let started = Instant::now();
    settle(&mut client, &shape)?;
    r.settle_s = started.elapsed().as_secs_f64();
    let counts = probe::status(&mut client)?["counts"].clone();
    (r.concepts, r.intents) = (
        counts["concepts"].as_u64().unwrap_or(0),
        counts["intents"].as_u64().unwrap_or(0),
    );
    r.rss_bytes = daemon.memory().map(|m| m.0);

    phase("asking");
    r.recall_ms = probe::recall(&mut client, &questions, Duration::ZERO)?;
    let (space, now) = (shape.spaces[0].as_str(), synth.now());
    (r.durable_ms, r.queryable_ms) = probe::queryable(&mut client, space, "idle", now, a.probes)?;

    phase("asking under load");
    let load = Load::start(synth, Pace::new(a.ingest_rate), target(a, launch)?);
    let (before, began) = (probe::events(&mut client)?, Instant::now());
    until("events of the load to arrive", || {
        Ok(probe::events(&mut client)? > before)
    })?;
    r.busy_recall_ms = probe::recall(&mut client, &questions, BUSY)?;
    r.busy_rate = (probe::events(&mut client)? - before) as f64 / began.elapsed().as_secs_f64();
    (_, r.busy_queryable_ms) = probe::queryable(&mut client, space, "busy", now, a.probes)?;
    let (fed, synth) = load.stop()?;
    let total = events + 2 * a.probes + fed.events;
    arrived(&mut client, total)?;
    settle(&mut client, &shape)?;
    r.peak_bytes = daemon.memory().map(|m| m.1);

    phase("stopping and starting");
    drop(client);
    r.stop_s = daemon.stop()?.as_secs_f64();
    r.disk_bytes_per_event = disk_bytes(&launch.data)? as f64 / total as f64;
    let daemon = again(launch, total)?;
    r.restart_s = daemon.ready_after.as_secs_f64();

    phase("killing and starting");
    r.acked_before_kill = killed(daemon, synth)?;
    let daemon = again(launch, total + r.acked_before_kill)?;
    r.kill_restart_s = daemon.ready_after.as_secs_f64();
    // Nothing more is to be learnt from it.
    daemon.kill()?;
    Ok(r)
}

/// A daemon that has stored the first `r.events` of the stream, timed.
fn filled(a: &Bench, synth: &mut Synth, r: &mut Run, launch: &Launch, bar: &ProgressBar) -> Result<Daemon> {
    let events = r.events;
    let mut bytes = 0;
    let stream = synth
        .by_ref()
        .take(events as usize)
        .inspect(|p| bytes += p.event.line().len());
    let (daemon, samples) = match &launch.kafka {
        Some(k) => {
            bar.set_message("into the topic");
            create_topic(&k.brokers, &k.name, 1)?;
            fill::preload(&k.brokers, &k.name, stream, bar)?;
            bar.set_message("into the daemon");
            let daemon = launch.start()?;
            let samples = fill::watch(&daemon, events, bar)?;
            (daemon, samples)
        }
        None => {
            bar.set_message("into the daemon");
            let daemon = launch.start()?;
            let samples = fill::over_socket(&daemon, a.clients, a.batch, stream, bar)?;
            (daemon, samples)
        }
    };
    r.start_empty_s = daemon.ready_after.as_secs_f64();
    r.event_bytes = bytes as f64 / events as f64;
    r.fill = Fill::of(&samples, events);
    Ok(daemon)
}

/// Where the load goes: the way the fill came.
fn target(a: &Bench, launch: &Launch) -> Result<Box<dyn Target>> {
    Ok(match &launch.kafka {
        Some(k) => Box::new(Kafka::connect(&k.brokers, &k.name)?),
        None => Box::new(Socket::connect(&launch.socket, a.batch)?),
    })
}

/// Waits until so many events are stored, as long as some arrive.
fn arrived(client: &mut Client, total: u64) -> Result<()> {
    let (mut there, mut moved) = (0, Instant::now());
    while there < total {
        let now = probe::events(client)?;
        if now != there {
            (there, moved) = (now, Instant::now());
        } else if moved.elapsed() > PATIENCE {
            bail!(
                "{there} of {total} acknowledged events are stored, and for {} s no other came",
                PATIENCE.as_secs()
            );
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn settle(client: &mut Client, shape: &Shape) -> Result<()> {
    for space in &shape.spaces {
        let answer = client.call("settle", json!({"space": space, "timeout_ms": SETTLE_MS}))?;
        if answer["settled"] != true {
            bail!("space {space} was not settled after {} s", SETTLE_MS / 1000);
        }
    }
    Ok(())
}

/// Starts the daemon on what it left behind; everything must be there.
fn again(launch: &Launch, acknowledged: u64) -> Result<Daemon> {
    let daemon = launch.start()?;
    let there = probe::events(&mut daemon.client()?)?;
    if there < acknowledged {
        bail!("EVENTS ARE LOST: {acknowledged} were acknowledged, {there} are there after the restart");
    }
    Ok(daemon)
}

/// Kills the daemon while events come in; how many of them it had acknowledged.
fn killed(daemon: Daemon, synth: Synth) -> Result<u64> {
    let load = UntilDeath::start(daemon.client()?, synth);
    until("acknowledged events before the kill", || {
        if load.ended() {
            bail!("the daemon refused events before it was killed");
        }
        Ok(load.acked() >= BEFORE_KILL)
    })?;
    daemon.kill()?;
    load.join()
}

/// Looks until something is so; gives up after a while.
fn until(what: &str, mut is: impl FnMut() -> Result<bool>) -> Result<()> {
    let started = Instant::now();
    while !is()? {
        if started.elapsed() > PATIENCE {
            bail!("waited {} s in vain for {what}", PATIENCE.as_secs());
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}
