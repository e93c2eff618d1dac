//! `gyrus config print|check`.

use super::CliError;
use super::args::{Config, ConfigWhat};
use super::serve::loader;

pub fn run(a: &Config) -> Result<(), CliError> {
    let loaded = loader(a.config.as_deref())?.load()?;
    match a.what {
        ConfigWhat::Print => print!("{}", loaded.render()),
        ConfigWhat::Check => println!("the configuration is good"),
    }
    Ok(())
}
