//! The command line: `gyrus serve`, `gyrus demo`, and clients of a running daemon.
//!
//! Exit codes: 0 done; 1 refused or failed, with one line that says why; 2 wrong usage; 3 no daemon
//! answers at the socket. `--json` prints the daemon's answer unchanged, one JSON value.

mod args;
mod ask;
pub mod client;
mod configure;
mod demo;
mod doctor;
mod error;
mod evaluate;
mod ingest;
mod mcp;
mod papers;
mod serve;
mod show;
mod terminal;
mod token;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
pub use error::CliError;

pub fn main() -> ExitCode {
    let args = Args::parse();
    let result = match args.command {
        Command::Serve(a) => serve::run(&a, args.to.socket.as_deref()),
        Command::Demo(a) => demo::run(&a),
        Command::Config(a) => configure::run(&a),
        Command::Mcp(a) => mcp::run(&args.to, &a),
        Command::Token(a) => token::run(&a),
        Command::Doctor(a) => doctor::run(&a, args.to.socket.as_deref(), args.to.json),
        Command::Completions { shell } => papers::completions(shell),
        Command::Man { dir } => papers::man(dir.as_deref()),
        Command::Eval(a) => evaluate::run(&a, args.to.json),
        Command::Ingest(a) => ingest::run(&args.to, &a),
        Command::Import(a) => ingest::import(&args.to, &a),
        Command::Recall(a) => ask::recall(&args.to, &a, "recall"),
        Command::Answer(a) => ask::recall(&args.to, &a, "answer"),
        Command::Context(a) => ask::context(&args.to, &a),
        Command::Intents(a) => ask::intents(&args.to, &a),
        Command::Feedback(a) => ask::feedback(&args.to, &a),
        Command::Explain(a) => ask::explain(&args.to, &a),
        Command::Forget(a) => ask::forget(&args.to, &a),
        Command::Export(a) => ask::export(&args.to, &a),
        Command::Settle(a) => ask::settle(&args.to, &a),
        Command::Status(a) => ask::status(&args.to, &a),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("gyrus: {e}");
            e.exit_code()
        }
    }
}
