//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Plays stories and synthetic streams into Gyrus, and measures a daemon.
#[derive(Parser)]
#[command(name = "gyrus-sim", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  gyrus-sim play simulator/stories/orchard.ndjson --speed 12
  gyrus-sim load --events 10000 --to kafka --brokers localhost:9092
  gyrus-sim load --events 1000 --to stdout --truth truth.ndjson > events.ndjson
  gyrus-sim bench --binary target/release/gyrus --events 10000

Exit codes: 0 done; 1 failed, or some events were refused; 2 wrong usage; 3 no daemon answers at the socket.";

#[derive(Subcommand)]
pub enum Command {
    /// Play a file of events: NDJSON, a JSON array, or a scenario file
    ///
    /// Of each event only its own fields are sent: id, time, type, actor, title, text, data, source. The gold of a
    /// scenario file stays in the file. Event times are sent as they are; --speed is how fast they arrive.
    Play(Play),
    /// Send a synthetic stream with planted concepts
    ///
    /// Every concept has words and names of its own, everyday words it prefers, and people who write about it. The
    /// same options and --seed give the same events, byte for byte. --truth writes what was planted, so that what a
    /// daemon finds can be scored. An event is about 300 bytes of JSON.
    Load(Load),
    /// Measure a daemon: throughput, latencies, disk, memory, restarts
    ///
    /// Starts the daemon itself in a fresh data directory for each size, fills it, measures, stops it, kills it, and
    /// checks after each restart that every acknowledged event is there. With --kafka the events wait in one
    /// partition of a topic of their own (deleted afterwards) before the daemon starts; without, clients send them
    /// over the socket.
    Bench(Bench),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A daemon's socket; an event counts when it is durable
    Socket,
    /// A Kafka topic, keyed by space; an event counts when the brokers have it
    Kafka,
    /// Standard output, one JSON event a line
    Stdout,
}

impl To {
    pub fn name(self) -> &'static str {
        match self {
            To::Socket => "socket",
            To::Kafka => "kafka",
            To::Stdout => "stdout",
        }
    }
}

/// Where the events go.
#[derive(Args)]
pub struct Where {
    /// Where the events go
    #[arg(long, value_enum, default_value = "socket")]
    pub to: To,
    /// Socket of the daemon [default: that of `gyrus serve` without options]
    #[arg(long, env = "GYRUS_SOCKET", value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Kafka brokers, host:port, comma-separated
    #[arg(long, default_value = "localhost:9092", value_name = "BROKERS")]
    pub brokers: String,
    /// Kafka topic
    #[arg(long, default_value = "gyrus.events", value_name = "NAME")]
    pub topic: String,
    /// Make the Kafka topic with so many partitions when it is missing
    #[arg(long, value_name = "PARTITIONS", value_parser = clap::value_parser!(i32).range(1..))]
    pub create_topic: Option<i32>,
    /// Most events in one request to the socket
    #[arg(long, default_value_t = 256, value_name = "N")]
    pub batch: usize,
    /// Print the summary as one JSON object, and no progress
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Play {
    /// The file; `-` is standard input
    pub file: PathBuf,
    /// Space of all events; without it each event's own, else `default`
    #[arg(long, env = "GYRUS_SPACE")]
    pub space: Option<String>,
    /// Events a second; 0 is as fast as possible
    #[arg(long, default_value_t = 0.0, value_name = "N", value_parser = at_least_zero)]
    pub speed: f64,
    #[command(flatten)]
    pub to: Where,
}

/// What a synthetic stream is like.
#[derive(Args, Clone)]
pub struct Stream {
    /// Concepts planted in each space [default: one for 200 events, at least 12]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub concepts: Option<u64>,
    /// Number of spaces
    #[arg(long, default_value_t = 1, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub spaces: u64,
    /// Name of the space; several are NAME-0, NAME-1, ...
    #[arg(long, default_value = "sim", value_name = "NAME")]
    pub space: String,
    /// Decides everything that looks random
    #[arg(long, default_value_t = 1, value_name = "X")]
    pub seed: u64,
    /// Let the vocabulary of each concept change over the stream
    #[arg(long)]
    pub drift: bool,
    /// Share of events that repeat an earlier one, exactly or nearly, 0 to 1
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = share)]
    pub repeats: f64,
    /// Share of events about no concept, 0 to 1
    #[arg(long, default_value_t = 0.1, value_name = "P", value_parser = share)]
    pub noise: f64,
    /// Mean seconds of event time between events by day; nights are slower
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = at_least_zero)]
    pub gap: f64,
    /// Time of the first event (RFC 3339)
    #[arg(long, default_value = "2026-01-05T08:00:00Z", value_name = "TIME")]
    pub start: chrono::DateTime<chrono::Utc>,
}

#[derive(Args)]
pub struct Load {
    /// Number of events
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    pub events: u64,
    #[command(flatten)]
    pub stream: Stream,
    /// Events a second; 0 is as fast as possible
    #[arg(long, default_value_t = 0.0, value_name = "R", value_parser = at_least_zero)]
    pub rate: f64,
    /// Write what was planted, one JSON object an event: id, space, concept, kind, of
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    #[command(flatten)]
    pub to: Where,
}

#[derive(Args)]
pub struct Bench {
    /// The daemon to measure; build it with --release
    #[arg(long, default_value = "target/release/gyrus", value_name = "FILE")]
    pub binary: PathBuf,
    /// Events to fill it with; one run for each number
    #[arg(long, value_delimiter = ',', default_value = "10000", value_name = "N,...",
          value_parser = clap::value_parser!(u64).range(100..))]
    pub events: Vec<u64>,
    /// Kafka broker for the run, or `up` to start one with scripts/kafka; without it the socket is measured
    #[arg(long, env = "GYRUS_TEST_KAFKA", value_name = "HOST:PORT|up")]
    pub kafka: Option<String>,
    /// How the events come in [default: kafka when a broker is given, else socket]
    #[arg(long, value_enum)]
    pub to: Option<BenchTo>,
    /// Folder for the data directories [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Keep the data directories and the daemon's log
    #[arg(long)]
    pub keep: bool,
    /// Configuration file for the daemon
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub stream: Stream,
    /// Connections that fill over the socket, and events in one request
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    pub clients: u64,
    #[arg(long, default_value_t = 256, value_name = "N")]
    pub batch: usize,
    /// Questions asked, idle and again under load
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub questions: u64,
    /// Marked events whose way to the first recall is timed
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub probes: u64,
    /// Events a second that come in while questions are asked under load
    #[arg(long, default_value_t = 1_000.0, value_name = "R", value_parser = at_least_zero)]
    pub ingest_rate: f64,
    /// Print the figures as one JSON object, and no progress
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BenchTo {
    Socket,
    Kafka,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

fn at_least_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x >= 0.0 && x.is_finite() => Ok(x),
        _ => Err("must be a number, 0 or more".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_are_checked() {
        let parse = |args: &[&str]| {
            Cli::try_parse_from([&["gyrus-sim"], args].concat())
                .map(|_| ())
                .map_err(|e| e.to_string())
        };
        assert_eq!(
            parse(&["load", "--repeats", "0.5", "--noise", "0.5", "--to", "stdout"]),
            Ok(())
        );
        assert!(
            parse(&["load", "--noise", "1.5"])
                .unwrap_err()
                .contains("from 0 to 1")
        );
        assert!(parse(&["play", "x", "--speed", "-1"]).is_err());
        assert!(
            parse(&["bench", "--events", "1000,20"])
                .unwrap_err()
                .contains("20")
        );
    }
}
