//! The layers: embedded defaults, a file, the environment, flags. Later ones win, key by key.
//!
//! Texts of the environment and of flags take the type that the key has by default, so a group named
//! `7` stays a text. Each layer carries the name under which errors and `print` speak of it.

use std::path::{Path, PathBuf};

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::{Config, ConfigError, DEFAULT_TOML, Loaded};

/// Begins every environment variable that sets a key: `GYRUS__SECTION__KEY`.
pub const ENV_PREFIX: &str = "GYRUS__";
/// The only table with free keys; names of its keys have dots, which variables cannot have.
const FREE_TABLE: [&str; 2] = ["kafka", "properties"];

/// Collects layers in the order in which they are added.
#[derive(Clone, Debug)]
pub struct Loader {
    pub(super) figment: Figment,
    /// Files that were read, for line numbers.
    pub(super) files: Vec<(String, String)>,
    defaults: toml::Value,
}

/// Some values under one name.
struct Layer {
    name: String,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> figment::error::Result<Map<Profile, Dict>> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

impl Default for Loader {
    fn default() -> Self {
        Loader::new()
    }
}

impl Loader {
    /// Only the defaults that are part of the binary.
    pub fn new() -> Loader {
        // Both are constants of the binary; tests hold that they parse and agree.
        let values = Toml::from_str::<Dict>(DEFAULT_TOML).unwrap_or_default();
        let defaults = toml::Value::try_from(Config::default()).unwrap_or(toml::Value::Boolean(false));
        let figment = Figment::new().merge(Layer {
            name: super::BY_DEFAULT.into(),
            values,
        });
        Loader {
            figment,
            files: Vec::new(),
            defaults,
        }
    }

    /// A TOML file.
    ///
    /// # Errors
    /// When it cannot be read or is no TOML.
    pub fn file(self, path: &Path) -> Result<Loader, ConfigError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => self.text(&name, text),
            Err(e) => Err(ConfigError::one(
                "",
                None,
                name,
                format!("the file cannot be read: {e}"),
            )),
        }
    }

    /// TOML text that came from `name`.
    ///
    /// # Errors
    /// When it is no TOML.
    pub fn text(mut self, name: &str, text: String) -> Result<Loader, ConfigError> {
        let values = Toml::from_str::<Dict>(text.strip_prefix('\u{feff}').unwrap_or(&text)).map_err(|e| {
            ConfigError::one(
                "",
                None,
                name,
                format!("this is no TOML: {}", e.to_string().trim_end()),
            )
        })?;
        self.files.push((name.to_owned(), text));
        Ok(self.layer(name.to_owned(), values))
    }

    /// Variables of the environment; those without the prefix are not looked at.
    ///
    /// # Errors
    /// When the name of a variable with the prefix has no section and key.
    pub fn env(mut self, vars: impl IntoIterator<Item = (String, String)>) -> Result<Loader, ConfigError> {
        let mut ours: Vec<_> = vars
            .into_iter()
            .filter(|(name, _)| name.starts_with(ENV_PREFIX))
            .collect();
        ours.sort();
        for (name, value) in ours {
            let origin = format!("environment variable {name}");
            let path = env_path(&name[ENV_PREFIX.len()..]);
            if path.len() < 2 || path.iter().any(String::is_empty) {
                let reason =
                    format!("the name must be {ENV_PREFIX}SECTION__KEY, such as {ENV_PREFIX}EVENT__ZONE");
                return Err(ConfigError::one("", None, origin, reason));
            }
            self = self.set(origin, path, &value);
        }
        Ok(self)
    }

    /// One key from the text of a command-line flag. Lists are separated by commas or written as in TOML.
    pub fn flag(self, flag: &str, key: &str, value: &str) -> Loader {
        self.set(format!("flag {flag}"), segments(key), value)
    }

    /// One key that is a list, from a flag that may be given many times.
    pub fn flag_list(self, flag: &str, key: &str, values: &[String]) -> Loader {
        let value = Value::from(values.iter().map(|v| Value::from(v.as_str())).collect::<Vec<_>>());
        self.layer(format!("flag {flag}"), nested(&segments(key), value))
    }

    fn set(self, origin: String, path: Vec<String>, text: &str) -> Loader {
        let like = path.iter().try_fold(&self.defaults, |at, name| at.get(name));
        let value = coerce(text, like, path.len() > 2 && path[..2] == FREE_TABLE);
        let values = nested(&path, value);
        self.layer(origin, values)
    }

    fn layer(mut self, name: String, values: Dict) -> Loader {
        self.figment = self.figment.merge(Layer { name, values });
        self
    }

    /// Merges, types and checks.
    ///
    /// # Errors
    /// Unknown keys, values of the wrong kind, values out of range; with key, place, value and what is allowed.
    pub fn load(self) -> Result<Loaded, ConfigError> {
        Loaded::from_layers(self)
    }
}

/// `kafka.properties.sasl.username` has three parts: keys of the free table hold dots.
fn segments(key: &str) -> Vec<String> {
    let free = FREE_TABLE.join(".") + ".";
    match key.strip_prefix(&free) {
        Some(name) => vec![FREE_TABLE[0].into(), FREE_TABLE[1].into(), name.into()],
        None => key.split('.').map(str::to_owned).collect(),
    }
}

fn env_path(name: &str) -> Vec<String> {
    let mut path: Vec<String> = name.to_ascii_lowercase().split("__").map(str::to_owned).collect();
    if path.len() == 3 && path[..2] == FREE_TABLE {
        path[2] = path[2].replace('_', ".");
    }
    path
}

fn nested(path: &[String], value: Value) -> Dict {
    let value = path.iter().skip(1).rev().fold(value, |inner, name| {
        Value::from(Dict::from([(name.clone(), inner)]))
    });
    path.first()
        .map(|name| Dict::from([(name.clone(), value)]))
        .unwrap_or_default()
}

/// The text as a value of the kind that the default has; as it is when that does not work, for the error to show.
fn coerce(text: &str, like: Option<&toml::Value>, always_text: bool) -> Value {
    let plain = text.trim();
    let digits = plain.replace('_', "");
    let typed = match like {
        _ if always_text => None,
        Some(toml::Value::String(_)) => None,
        Some(toml::Value::Integer(_)) => digits.parse::<i64>().ok().map(Value::from),
        Some(toml::Value::Float(_)) => digits.parse::<f64>().ok().map(Value::from),
        Some(toml::Value::Boolean(_)) => plain.parse::<bool>().ok().map(Value::from),
        Some(toml::Value::Array(_)) => Some(list(plain)),
        Some(toml::Value::Table(_)) => literal(plain),
        _ => literal(plain),
    };
    typed.unwrap_or_else(|| Value::from(text))
}

fn list(text: &str) -> Value {
    if text.starts_with('[')
        && let Some(value) = literal(text)
    {
        return value;
    }
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    Value::from(items.map(Value::from).collect::<Vec<_>>())
}

/// A TOML literal.
fn literal(text: &str) -> Option<Value> {
    Toml::from_str::<Dict>(&format!("v = {text}")).ok()?.remove("v")
}

/// The file that is read when no flag names one: `gyrus.toml` in the working directory, if it is there.
pub fn default_file() -> Option<PathBuf> {
    Some(PathBuf::from("gyrus.toml")).filter(|p| p.is_file())
}
