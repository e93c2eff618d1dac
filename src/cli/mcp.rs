//! `gyrus mcp`: memory as tools, on standard input and output.

use std::time::Duration;

use super::CliError;
use super::args::{Mcp, To};
use crate::serve::mcp::{Options, Remote, stdio};

pub fn run(to: &To, a: &Mcp) -> Result<(), CliError> {
    crate::event::check_space(&a.space).map_err(|r| CliError::Other(r.reason))?;
    // Standard output is the protocol's; what is to be said goes to standard error.
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init();
    let options = Options {
        space: a.space.clone(),
        budget_tokens: a.budget,
        max_budget_tokens: a.budget.max(16_000),
        forget: a.allow_forget,
        guarded: false,
    };
    let remote = Remote::new(to.path(), Duration::from_secs(a.patience));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(CliError::io("starting the async runtime"))?;
    let result = runtime.block_on(stdio(remote, options));
    // A blocking read of standard input cannot be cancelled: it must not hold up the exit.
    runtime.shutdown_timeout(Duration::from_millis(200));
    result.map_err(CliError::Other)
}
