//! `gyrus serve`: configuration, logging, the daemon, its socket, and a clean stop.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::CliError;
use super::args::Serve;
use crate::config::{Config, Loader};
use crate::runtime::{Daemon, DaemonOptions};
use crate::serve::http::Bound;
use crate::serve::{Listener, Methods};

/// Defaults, then the file, then the environment.
pub fn loader(file: Option<&Path>) -> Result<Loader, CliError> {
    let mut loader = Loader::new();
    let default = crate::config::default_file();
    if let Some(path) = file.or(default.as_deref()) {
        loader = loader.file(path)?;
    }
    Ok(loader.env(std::env::vars())?)
}

pub fn run(a: &Serve, socket: Option<&Path>) -> Result<(), CliError> {
    let mut loader = loader(a.config.as_deref())?;
    if let Some(d) = &a.data {
        loader = loader.flag("--data", "store.dir", &d.display().to_string());
    }
    if let Some(s) = socket {
        loader = loader.flag("--socket", "server.socket", &s.display().to_string());
    }
    if let Some(h) = &a.http {
        loader = loader.flag("--http", "http.listen", h);
    }
    if let Some(k) = &a.kafka {
        loader = loader.flag("--kafka", "kafka.brokers", k);
    }
    if let Some(g) = &a.group {
        loader = loader.flag("--group", "kafka.group", g);
    }
    if !a.topics.is_empty() {
        loader = loader.flag_list("--topic", "kafka.topics", &a.topics);
    }
    let config = loader.load()?.config;
    logging(&config);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CliError::io("starting the async runtime"))?;
    let result = runtime.block_on(serve(config, a));
    // Blocking reads of standard input cannot be cancelled: they must not hold up the exit.
    runtime.shutdown_timeout(Duration::from_millis(200));
    result
}

/// The parts of a daemon; a bad embedder is the operator's to mend.
pub fn options(config: &Config) -> Result<DaemonOptions, CliError> {
    DaemonOptions::of(config).map_err(|e| CliError::Other(e.to_string()))
}

async fn serve(config: Config, a: &Serve) -> Result<(), CliError> {
    // Before anything else: a stop that comes early must be a clean one too.
    let signals = Signals::listen().map_err(CliError::io("listening for signals"))?;
    let socket = config.socket_path();
    let daemon = Daemon::start(options(&config)?).await?;
    let listener = Listener::bind(&socket)
        .await
        .map_err(CliError::io(format!("binding {}", socket.display())))?;
    // Everything is bound before anything answers: a start either works or fails as a whole.
    let methods = Arc::new(Methods::new(daemon.clone(), &config.server));
    match Bound::bind(&config, methods.clone()).await {
        Ok(None) => {}
        Ok(Some(bound)) => {
            let at = bound.address().map_err(CliError::io("binding HTTP"))?;
            eprintln!("http at {at}");
            bound.start();
        }
        Err(e) => {
            daemon.shutdown().await?;
            return Err(CliError::Other(e.to_string()));
        }
    }
    let server = config.server.clone();
    daemon.tasks.spawn(
        "socket",
        crate::serve::serve(listener, methods, server, daemon.tasks.stopping()),
    );
    for path in &a.follow {
        daemon.follow(path, config.file.clone());
    }
    if a.stdin {
        daemon.read_standard_input(config.file.clone());
    }
    eprintln!("ready");
    let died = wait_for_end(&daemon, signals).await;
    stop(&daemon, config.runtime.shutdown_seconds).await?;
    match died {
        None => Ok(()),
        Some(reason) => Err(CliError::Other(reason)),
    }
}

/// The signals that ask for a clean stop.
struct Signals {
    term: Signal,
    int: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Signals> {
        Ok(Signals {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
        })
    }
}

/// Waits for a signal (`None`) or for the death of a task (its reason).
async fn wait_for_end(daemon: &Arc<Daemon>, mut signals: Signals) -> Option<String> {
    let mut deaths = daemon.tasks.deaths();
    tokio::select! {
        _ = signals.term.recv() => None,
        _ = signals.int.recv() => None,
        d = deaths.wait_for(Option::is_some) => d.ok().and_then(|d| d.clone()),
    }
}

async fn stop(daemon: &Arc<Daemon>, seconds: u64) -> Result<(), CliError> {
    tracing::info!("stopping");
    match tokio::time::timeout(Duration::from_secs(seconds.max(1)), daemon.shutdown()).await {
        Ok(r) => Ok(r?),
        Err(_) => Err(CliError::Other(format!(
            "the stop took more than {seconds} s; what was acknowledged is safe"
        ))),
    }
}

fn logging(config: &Config) {
    use crate::config::LogFormat;
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        tracing_subscriber::EnvFilter::new(format!("{},sled=warn", config.log.level.name()))
    });
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // A second subscriber in the same process (tests) keeps the first.
    let _ = match config.log.format {
        LogFormat::Json => builder.json().try_init(),
        LogFormat::Text => builder.try_init(),
    };
}
