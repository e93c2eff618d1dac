//! `gyrus-sim`: plays stories and synthetic streams into Gyrus, and measures a daemon.

mod args;
mod bench;
mod concept;
mod kafka;
mod outgoing;
mod pace;
mod send;
mod story;
mod synth;
mod target;
mod words;

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;

use args::{Cli, Command, To, Where};
use outgoing::Outgoing;
use pace::Pace;
use synth::{Shape, Synth};
use target::{Lines, Socket, Target};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Play(a) => play(&a),
        Command::Load(a) => load(&a),
        Command::Bench(a) => bench::run(&a),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of a pipe has had enough: no failure of ours.
        Err(e) if broken_pipe(&e) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("gyrus-sim: {e:#}");
            e.downcast_ref::<gyrus::cli::CliError>()
                .map_or(ExitCode::FAILURE, gyrus::cli::CliError::exit_code)
        }
    }
}

fn broken_pipe(e: &anyhow::Error) -> bool {
    e.downcast_ref::<std::io::Error>()
        .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

fn play(a: &args::Play) -> Result<()> {
    let name = a.file.display();
    let mut text = String::new();
    if a.file == Path::new("-") {
        std::io::stdin()
            .read_to_string(&mut text)
            .context("reading standard input")?;
    } else {
        File::open(&a.file)
            .and_then(|mut f| f.read_to_string(&mut text))
            .with_context(|| format!("reading {name}"))?;
    }
    let events = story::parse(&text, a.space.as_deref(), gyrus::event::DEFAULT_SPACE)
        .with_context(|| format!("{name} cannot be played"))?;
    let total = events.len() as u64;
    run(events.into_iter(), total, Pace::new(a.speed), &a.to)
}

fn load(a: &args::Load) -> Result<()> {
    let mut truth = match &a.truth {
        Some(path) => Some(BufWriter::new(
            File::create(path).with_context(|| format!("writing {}", path.display()))?,
        )),
        None => None,
    };
    let mut failed = None;
    let events = Synth::new(shape(&a.stream, a.events)?)
        .take(a.events as usize)
        .map_while(|p| {
            if let Some(file) = &mut truth
                && let Err(e) = serde_json::to_writer(&mut *file, &p.truth)
                    .map_err(Into::into)
                    .and_then(|()| writeln!(file))
            {
                failed = Some(e);
                return None;
            }
            Some(p.event)
        });
    run(events, a.events, Pace::new(a.rate), &a.to)?;
    if let Some(mut file) = truth {
        failed
            .map_or_else(|| file.flush(), Err)
            .context("writing the truth file")?;
    }
    Ok(())
}

/// The shape of a stream of `events` events by the options.
fn shape(a: &args::Stream, events: u64) -> Result<Shape> {
    if a.repeats + a.noise > 1.0 {
        bail!("--repeats and --noise together are above 1: no events would be left for the concepts");
    }
    Ok(Shape {
        seed: a.seed,
        concepts: a.concepts.unwrap_or_else(|| (events / 200).max(12)) as usize,
        spaces: Shape::space_names(&a.space, a.spaces as usize),
        horizon: events,
        drift: a.drift,
        repeats: a.repeats,
        noise: a.noise,
        start: a.start,
        gap_s: a.gap,
    })
}

/// Sends a stream, prints the summary.
fn run(events: impl Iterator<Item = Outgoing>, total: u64, pace: Pace, a: &Where) -> Result<()> {
    let mut target = target(a)?;
    let bar = send::progress(total, a.json);
    let sent = send::send(events, pace, &mut *target, &bar)?;
    let name = a.to.name();
    match (a.json, a.to) {
        // Standard output is the events' own.
        (true, To::Stdout) => eprintln!("{}", sent.json(name)),
        (false, To::Stdout) => eprintln!("{}", sent.summary(name)),
        (true, _) => println!("{}", sent.json(name)),
        (false, _) => println!("{}", sent.summary(name)),
    }
    if !a.json {
        sent.tally.reasons.iter().for_each(|r| eprintln!("  {r}"));
    }
    match sent.refused() {
        0 => Ok(()),
        n => bail!("{n} of {} events were refused", sent.events),
    }
}

fn target(a: &Where) -> Result<Box<dyn Target>> {
    Ok(match a.to {
        To::Socket => {
            let path = a
                .socket
                .clone()
                .unwrap_or_else(|| gyrus::config::Config::default().socket_path());
            Box::new(Socket::connect(&path, a.batch)?)
        }
        To::Kafka => {
            if let Some(partitions) = a.create_topic {
                kafka::create_topic(&a.brokers, &a.topic, partitions)?;
            }
            Box::new(kafka::Kafka::connect(&a.brokers, &a.topic)?)
        }
        To::Stdout => Box::new(Lines::new()),
    })
}
