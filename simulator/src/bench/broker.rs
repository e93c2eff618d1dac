//! The broker of a run: one that is given, or one that `scripts/kafka` starts for as long as we live.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};

/// Resolves `--kafka`: `up` starts a broker with its data in `dir`; anything else is an address.
pub fn resolve(given: &str, dir: &Path) -> Result<String> {
    if given != "up" {
        return Ok(given.to_owned());
    }
    let script = script()?;
    let out = Command::new(&script)
        .arg("--own")
        .arg("--dir")
        .arg(dir)
        .args(["--while", &std::process::id().to_string(), "up"])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("running {}", script.display()))?;
    if !out.status.success() {
        bail!(
            "{} could not start a broker; its reason stands above",
            script.display()
        );
    }
    address(&String::from_utf8_lossy(&out.stdout))
        .ok_or_else(|| anyhow!("{} named no broker", script.display()))
}

fn address(said: &str) -> Option<String> {
    said.lines()
        .find_map(|l| l.strip_prefix("GYRUS_TEST_KAFKA="))
        .map(|a| a.trim().to_owned())
}

/// `scripts/kafka` of the folder we are in, or of one above it.
fn script() -> Result<PathBuf> {
    let here = std::env::current_dir().context("finding the current folder")?;
    here.ancestors()
        .map(|dir| dir.join("scripts/kafka"))
        .find(|path| path.is_file())
        .ok_or_else(|| anyhow!("scripts/kafka is neither here nor above; run this in the repository, or give --kafka HOST:PORT"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_scripts_answer_is_read() {
        assert_eq!(
            super::address("GYRUS_TEST_KAFKA=127.0.0.1:20123\n").as_deref(),
            Some("127.0.0.1:20123")
        );
        assert_eq!(super::address("no broker"), None);
    }
}
