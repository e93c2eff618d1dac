//! Typed configuration: every number and name of the program, in one place, with its source.
//!
//! Layers, later ones winning: `config/default.toml` (part of the binary), a file, the environment
//! (`GYRUS__SECTION__KEY`), flags. Unknown keys and bad values are refused before anything starts, with the
//! key, where it came from, its value and what is allowed. Each room owns its `Settings`; this room only
//! puts them together and knows nothing of what they do.

mod check;
mod error;
mod layers;
mod print;
mod sections;
mod surfaces;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use figment::Figment;
use serde::{Deserialize, Serialize};

pub use error::{ConfigError, Problem};
pub use layers::{ENV_PREFIX, Loader, default_file};
pub use sections::{Durability, Embedder, EmbedderKind, Log, LogFormat, LogLevel, Server, Store};
pub use surfaces::{Http, Mcp};

/// The commented defaults: the reference of all keys. Made by `scripts/config-default` from `config/sections`.
pub const DEFAULT_TOML: &str = include_str!("../../config/default.toml");

/// The name of the layer of defaults.
const BY_DEFAULT: &str = "default";

/// Everything that can be set, by section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub server: Server,
    pub http: Http,
    pub mcp: Mcp,
    pub store: Store,
    pub kafka: crate::stream::KafkaSettings,
    pub file: crate::stream::FileSettings,
    pub clock: crate::space::ClockSettings,
    pub runtime: crate::runtime::Settings,
    pub event: crate::event::Settings,
    pub embedder: Embedder,
    pub graph: crate::graph::Settings,
    pub context: crate::fold::context::Settings,
    pub fold: crate::fold::Settings,
    pub consolidate: crate::consolidate::Settings,
    pub intent: crate::intent::Settings,
    pub index: crate::index::Settings,
    pub distill: crate::distill::Settings,
    pub recall: crate::recall::Settings,
    pub log: Log,
}

impl Config {
    /// Checks ranges and what must fit together.
    ///
    /// # Errors
    /// All faults found; the origin is not known here.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let problems = check::problems(self, |_| "the program".into());
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError { problems })
        }
    }

    /// The Unix socket's path, which by default lies in the data directory.
    pub fn socket_path(&self) -> PathBuf {
        if self.server.socket.as_os_str().is_empty() {
            self.store.dir.join("gyrus.sock")
        } else {
            self.server.socket.clone()
        }
    }
}

/// A configuration that passed all checks, and where each value came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub config: Config,
    figment: Figment,
    files: Vec<(String, String)>,
}

impl Loaded {
    fn from_layers(loader: Loader) -> Result<Loaded, ConfigError> {
        let Loader { figment, files, .. } = loader;
        let config = match figment.extract::<Config>() {
            Ok(config) => config,
            Err(e) => return Err(refused(e, &figment, &files)),
        };
        let loaded = Loaded {
            config,
            figment,
            files,
        };
        let problems = check::problems(&loaded.config, |key| loaded.origin(key));
        if problems.is_empty() {
            Ok(loaded)
        } else {
            Err(ConfigError { problems })
        }
    }

    /// Where the value of `section.key` came from: `default`, a file with its line, a variable or a flag.
    pub fn origin(&self, key: &str) -> String {
        let name = self
            .figment
            .find_metadata(key)
            .map(|m| m.name.as_ref())
            .unwrap_or(BY_DEFAULT);
        placed(name, key, &self.files)
    }

    /// The effective configuration as TOML, with the comments of the defaults; values that are set
    /// elsewhere say where. Secrets are hidden.
    pub fn render(&self) -> String {
        print::render(&self.config, |key| self.origin(key))
    }
}

fn refused(e: figment::Error, figment: &Figment, files: &[(String, String)]) -> ConfigError {
    let problems = e.into_iter().map(|e| {
        let (key, reason) = error::explain(&e.path, &e.kind);
        let value = figment.find_value(&key).ok();
        let own = value
            .as_ref()
            .and_then(|v| figment.get_metadata(v.tag()))
            .map(|m| m.name.to_string());
        let name = own
            .or_else(|| e.metadata.as_ref().map(|m| m.name.to_string()))
            .unwrap_or_else(|| BY_DEFAULT.into());
        let value = value.map(|v| print::shown(&key, &v));
        Problem {
            origin: placed(&name, &key, files),
            key,
            value,
            reason,
        }
    });
    ConfigError {
        problems: problems.collect(),
    }
}

/// A file's name with the line of the key.
fn placed(name: &str, key: &str, files: &[(String, String)]) -> String {
    let line = files
        .iter()
        .rev()
        .find(|(file, _)| file == name)
        .and_then(|(_, text)| print::line_of(text, key));
    match line {
        Some(line) => format!("{name}, line {line}"),
        None => name.to_owned(),
    }
}
