//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Gyrus: an always-on memory. It folds event streams into a graph of concepts, speaks up about
/// what needs attention, and answers questions with evidence.
#[derive(Parser)]
#[command(name = "gyrus", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub to: To,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  gyrus demo                                         see it work, nothing to set up
  gyrus serve --data ./mem                           run the daemon (socket ./mem/gyrus.sock)
  gyrus ingest --socket ./mem/gyrus.sock notes.ndjson
  gyrus recall --socket ./mem/gyrus.sock 'when is the audit?'
  gyrus intents --socket ./mem/gyrus.sock --watch";

/// Which daemon to talk to, and how to print.
#[derive(clap::Args, Clone)]
pub struct To {
    /// Socket of the daemon
    #[arg(
        long,
        global = true,
        env = "GYRUS_SOCKET",
        value_name = "PATH",
        help = "Socket of the daemon [default: gyrus-data/gyrus.sock]"
    )]
    pub socket: Option<PathBuf>,
    /// Print the daemon's answer as JSON, for scripts
    #[arg(long, global = true)]
    pub json: bool,
}

impl To {
    /// The socket to talk to: the given one, else that of a daemon with the default data directory.
    pub fn path(&self) -> PathBuf {
        self.socket
            .clone()
            .unwrap_or_else(|| crate::config::Config::default().socket_path())
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Run the daemon
    Serve(Serve),
    /// Play a bundled story into a daemon of its own and show what it makes of it
    Demo(Demo),
    /// Send events: NDJSON from a file or standard input
    Ingest(Ingest),
    /// Ask for evidence: what memory holds about a question, packed into a token budget
    Recall(Recall),
    /// Ask for an answer with its source (extractive)
    Answer(Recall),
    /// The window nobody asked for: what matters now
    Context(Context),
    /// What memory thinks needs attention
    Intents(Intents),
    /// Say what you think of an intent; thresholds learn from it
    Feedback(Feedback),
    /// Why a node exists, or why a recall returned what it did
    Explain(Explain),
    /// Erase events and all that came only from them
    Forget(Forget),
    /// Print a space as JSON
    Export(Space),
    /// Take the events of an export into a space
    Import(Import),
    /// Wait until everything accepted is folded, indexed and durable
    Settle(Settle),
    /// How the daemon is doing
    Status(Status),
    /// Show or check the configuration
    Config(Config),
    /// Serve memory as MCP tools on standard input and output, in front of a running daemon
    Mcp(Mcp),
    /// Make an access token for HTTP: prints the token, and the entry for the token file
    Token(Token),
    /// Look at configuration, store, sockets, tokens and broker, and say what to do about what is wrong
    Doctor(Doctor),
    /// Print shell completions
    Completions {
        /// bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    Man {
        /// Directory for one page a command; without it the main page is printed
        dir: Option<PathBuf>,
    },
    /// Figures from streams of our own; needs no daemon
    Eval(Eval),
}

#[derive(clap::Args)]
pub struct Serve {
    /// Data directory; made when missing
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Serve HTTP and MCP at this address, such as 127.0.0.1:7480; one that is not loopback needs tokens
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// Kafka brokers (host:port, comma-separated); without them only the socket feeds the daemon
    #[arg(long, value_name = "BROKERS")]
    pub kafka: Option<String>,
    /// Topic to read events from; may be given several times
    #[arg(long = "topic", value_name = "NAME")]
    pub topics: Vec<String>,
    /// Consumer group
    #[arg(long, value_name = "ID")]
    pub group: Option<String>,
    /// Configuration file (TOML)
    #[arg(long, value_name = "FILE", env = "GYRUS_CONFIG")]
    pub config: Option<PathBuf>,
    /// Follow a file of NDJSON events
    #[arg(long, value_name = "FILE")]
    pub follow: Vec<PathBuf>,
    /// Read NDJSON events from standard input until it ends
    #[arg(long)]
    pub stdin: bool,
}

#[derive(clap::Args)]
pub struct Demo {
    /// Keep the data here; a temporary directory otherwise
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Events a second; 0 is as fast as possible
    #[arg(long, default_value_t = 12.0)]
    pub speed: f64,
}

#[derive(clap::Args, Clone)]
pub struct Space {
    /// The space to work in
    #[arg(long, env = "GYRUS_SPACE", default_value = crate::event::DEFAULT_SPACE)]
    pub space: String,
}

#[derive(clap::Args)]
pub struct Ingest {
    #[command(flatten)]
    pub space: Space,
    /// File of NDJSON events; `-` or nothing reads standard input
    pub file: Option<PathBuf>,
    /// Events in one request
    #[arg(long, default_value_t = 256)]
    pub batch: usize,
}

#[derive(clap::Args)]
pub struct Import {
    #[command(flatten)]
    pub space: Space,
    /// File that `gyrus export` wrote; `-` or nothing reads standard input
    pub file: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Recall {
    #[command(flatten)]
    pub space: Space,
    /// The question
    pub query: String,
    /// Mode; `auto` lets the router choose
    #[arg(long, default_value = "auto")]
    pub mode: String,
    /// Most o200k tokens of context
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u64>,
    /// The present moment of the question (RFC 3339)
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
    /// Answer from what was known at this time (RFC 3339)
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,
    /// Show the trace: mode, gates, procedure, sizes
    #[arg(long)]
    pub explain: bool,
}

#[derive(clap::Args)]
pub struct Context {
    #[command(flatten)]
    pub space: Space,
    /// Most nodes
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<u64>,
}

#[derive(clap::Args)]
pub struct Intents {
    #[command(flatten)]
    pub space: Space,
    /// Only this status (pending, action_scheduled, deferred, resolved, rejected, retracted, expired)
    #[arg(long)]
    pub status: Option<String>,
    /// Only changes after this cursor
    #[arg(long)]
    pub after: Option<u64>,
    /// Stay and print changes as they come
    #[arg(long)]
    pub watch: bool,
}

#[derive(clap::Args)]
pub struct Feedback {
    #[command(flatten)]
    pub space: Space,
    /// Id of the intent
    pub intent: String,
    /// accept, modify, defer or reject
    pub verdict: String,
    #[arg(long)]
    pub note: Option<String>,
    /// New title (modify)
    #[arg(long)]
    pub title: Option<String>,
    /// New priority, 0 to 1 (modify)
    #[arg(long)]
    pub priority: Option<f64>,
    /// New category (modify)
    #[arg(long)]
    pub category: Option<String>,
    /// When to come back (defer; RFC 3339)
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
}

#[derive(clap::Args)]
pub struct Explain {
    #[command(flatten)]
    pub space: Space,
    /// Node id (e-, c-, i-, t-) or trace id (q-)
    pub id: String,
}

#[derive(clap::Args)]
pub struct Forget {
    #[command(flatten)]
    pub space: Space,
    /// The producer's id of an event; may be given several times
    #[arg(long = "event-id", value_name = "ID")]
    pub event_ids: Vec<String>,
    /// All events of this actor
    #[arg(long)]
    pub actor: Option<String>,
    /// All events dated before this time (RFC 3339)
    #[arg(long, value_name = "TIME")]
    pub before: Option<String>,
    /// Everything in the space
    #[arg(long)]
    pub all: bool,
    /// Only say what would go
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(clap::Args)]
pub struct Settle {
    #[command(flatten)]
    pub space: Space,
    /// Longest wait in milliseconds
    #[arg(long, default_value_t = 60_000)]
    pub timeout_ms: u64,
}

#[derive(clap::Args)]
pub struct Status {
    /// Only this space
    #[arg(long)]
    pub space: Option<String>,
    /// Add the digest: a hash of the whole logical state
    #[arg(long)]
    pub digest: bool,
}

#[derive(clap::Args)]
pub struct Config {
    #[command(subcommand)]
    pub what: ConfigWhat,
    /// Configuration file (TOML)
    #[arg(long, global = true, value_name = "FILE", env = "GYRUS_CONFIG")]
    pub config: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Eval {
    #[command(subcommand)]
    pub what: EvalWhat,
}

#[derive(Subcommand)]
pub enum EvalWhat {
    /// Subscribers of different tastes answer the same stream: how many intents each accepts, before and after
    Calibration {
        /// Length of the stream
        #[arg(long, default_value_t = 12)]
        weeks: u32,
    },
}

#[derive(Subcommand)]
pub enum ConfigWhat {
    /// Print the effective configuration and where each value comes from
    Print,
    /// Check it; says what is wrong, by name
    Check,
}

#[derive(clap::Args)]
pub struct Mcp {
    /// The space of calls that name none
    #[arg(long, env = "GYRUS_SPACE", default_value = crate::event::DEFAULT_SPACE)]
    pub space: String,
    /// Most o200k tokens of one answer, unless the call asks for another budget
    #[arg(long, value_name = "TOKENS", default_value_t = 2_000)]
    pub budget: usize,
    /// Offer `forget`, which destroys
    #[arg(long)]
    pub allow_forget: bool,
    /// Seconds that a call waits for a daemon that is away
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub patience: u64,
}

#[derive(clap::Args)]
pub struct Token {
    /// Name of its holder, for logs
    pub name: String,
    /// Space it is for; may be given several times; `team/*` covers all that begin so, `*` all
    #[arg(long = "space", value_name = "SPACE", required = true)]
    pub spaces: Vec<String>,
    /// What it may do: read, write, feedback, admin; separated by commas
    #[arg(long, value_delimiter = ',', default_value = "read")]
    pub may: Vec<String>,
    /// Append the entry to this file instead of printing it; made readable by its owner alone
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct Doctor {
    /// Configuration file (TOML)
    #[arg(long, value_name = "FILE", env = "GYRUS_CONFIG")]
    pub config: Option<PathBuf>,
    /// Data directory
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}
