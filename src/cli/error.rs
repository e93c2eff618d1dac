//! Errors as a person at a terminal sees them.

use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error(
        "no daemon answers at {socket} ({reason}); start one with `gyrus serve`, or name its socket with --socket"
    )]
    NoDaemon { socket: String, reason: String },
    #[error("{message} [{code}]")]
    Refused { code: String, message: String },
    #[error("{0}")]
    Config(#[from] crate::config::ConfigError),
    #[error("{0}")]
    Daemon(#[from] crate::runtime::DaemonError),
    #[error("{doing}: {source}")]
    Io { doing: String, source: std::io::Error },
    #[error("{0}")]
    Other(String),
}

impl CliError {
    pub fn io(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> CliError {
        let doing = doing.into();
        move |source| CliError::Io { doing, source }
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            CliError::NoDaemon { .. } => 3,
            CliError::Config(_) => 2,
            _ => 1,
        })
    }
}
