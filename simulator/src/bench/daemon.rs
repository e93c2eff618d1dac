//! The daemon under measurement: a child process that is started, stopped and killed.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use gyrus::cli::client::Client;

/// A start that takes longer has failed.
const START_WAIT: Duration = Duration::from_secs(600);
const STOP_WAIT: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(5);
/// Lines of the log that an error shows.
const TAIL: usize = 12;

/// How to start it.
pub struct Launch {
    pub binary: PathBuf,
    pub data: PathBuf,
    pub socket: PathBuf,
    pub log: PathBuf,
    pub config: Option<PathBuf>,
    pub kafka: Option<KafkaLaunch>,
}

/// Its part of Kafka; all names belong to one run.
pub struct KafkaLaunch {
    pub brokers: String,
    /// Topic, group, and the beginning of the other topics' names.
    pub name: String,
}

impl KafkaLaunch {
    pub fn others(&self) -> [(&'static str, String); 3] {
        ["feedback", "intents", "dead-letters"].map(|t| (t, format!("{}.{t}", self.name)))
    }
}

pub struct Daemon {
    child: Child,
    socket: PathBuf,
    /// From the start of the process until it said that it is ready.
    pub ready_after: Duration,
}

impl Launch {
    /// Starts it and waits until it answers.
    pub fn start(&self) -> Result<Daemon> {
        let mut command = Command::new(&self.binary);
        // What is measured must not depend on what the shell happens to have set.
        for (name, _) in std::env::vars_os().filter(|(n, _)| n.to_string_lossy().starts_with("GYRUS")) {
            command.env_remove(name);
        }
        command
            .arg("serve")
            .arg("--data")
            .arg(&self.data)
            .arg("--socket")
            .arg(&self.socket);
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        if let Some(k) = &self.kafka {
            command.args(["--kafka", &k.brokers, "--topic", &k.name, "--group", &k.name]);
            for (topic, name) in k.others() {
                let key = topic.replace('-', "_").to_uppercase();
                command.env(format!("GYRUS__KAFKA__{key}_TOPIC"), name);
            }
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let started = Instant::now();
        let mut child = command
            .spawn()
            .with_context(|| format!("starting {}", self.binary.display()))?;
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.log)
            .context("opening the daemon's log")?;
        let ready = child
            .stderr
            .take()
            .map(|e| watch(e, log))
            .ok_or_else(|| anyhow!("no standard error"))?;
        let mut daemon = Daemon {
            child,
            socket: self.socket.clone(),
            ready_after: Duration::ZERO,
        };
        match ready.recv_timeout(START_WAIT) {
            Ok(()) => {
                daemon.ready_after = started.elapsed();
                Ok(daemon)
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                bail!(
                    "the daemon was not ready after {} s\n{}",
                    START_WAIT.as_secs(),
                    self.tail()
                )
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                bail!("the daemon ended at its start\n{}", self.tail())
            }
        }
    }

    /// The last lines of its log.
    pub fn tail(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(TAIL)..]
            .iter()
            .map(|l| format!("  {l}\n"))
            .collect()
    }
}

/// Copies standard error into the log; sends when the line `ready` comes.
fn watch(from: ChildStderr, mut log: File) -> mpsc::Receiver<()> {
    let (ready, told) = mpsc::channel();
    std::thread::spawn(move || {
        let mut ready = Some(ready);
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if line == "ready" {
                // Dropped after the first: a receiver that is gone does not matter.
                ready.take().map(|r| r.send(()));
            }
            // The log is for people; a full disk must not end the measurement.
            let _ = writeln!(log, "{line}");
        }
    });
    told
}

impl Daemon {
    pub fn client(&self) -> Result<Client> {
        Ok(Client::connect(&self.socket)?)
    }

    /// SIGTERM; how long the clean stop took.
    pub fn stop(mut self) -> Result<Duration> {
        let started = Instant::now();
        let sent = Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", self.child.id())])
            .status();
        if !sent.context("sending SIGTERM")?.success() {
            bail!("the daemon was gone before it was stopped");
        }
        loop {
            if let Some(status) = self.child.try_wait()? {
                if !status.success() {
                    bail!("the daemon's stop failed: {status}");
                }
                return Ok(started.elapsed());
            }
            if started.elapsed() > STOP_WAIT {
                bail!(
                    "the daemon did not stop within {} s of SIGTERM",
                    STOP_WAIT.as_secs()
                );
            }
            std::thread::sleep(LOOK);
        }
    }

    /// SIGKILL.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill().context("killing the daemon")?;
        self.child.wait().context("waiting for the daemon")?;
        Ok(())
    }

    /// Resident memory now and at its highest, in bytes. Linux only.
    pub fn memory(&self) -> Option<(u64, u64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        Some((field(&status, "VmRSS:")?, field(&status, "VmHWM:")?))
    }
}

impl Drop for Daemon {
    /// A measurement that fails leaves no process behind.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// A field of /proc in KiB, as bytes.
fn field(status: &str, name: &str) -> Option<u64> {
    let value = status.lines().find_map(|l| l.strip_prefix(name))?;
    value
        .trim()
        .strip_suffix(" kB")?
        .trim()
        .parse::<u64>()
        .ok()
        .map(|kib| kib * 1024)
}

/// Bytes that a folder takes on the disk, everything in it included.
pub fn disk_bytes(dir: &Path) -> Result<u64> {
    use std::os::unix::fs::MetadataExt;
    let mut total = 0;
    for entry in std::fs::read_dir(dir).with_context(|| format!("reading {}", dir.display()))? {
        let entry = entry?;
        let meta = entry.metadata()?;
        total += if meta.is_dir() {
            disk_bytes(&entry.path())?
        } else {
            meta.blocks() * 512
        };
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_proc() {
        let status = "Name:\tgyrus\nVmHWM:\t  204800 kB\nVmRSS:\t    1024 kB\n";
        assert_eq!(field(status, "VmRSS:"), Some(1 << 20));
        assert_eq!(field(status, "VmHWM:"), Some(200 << 20));
        assert_eq!(field(status, "VmSwap:"), None);
    }

    #[test]
    fn a_daemon_that_ends_at_its_start_shows_its_log() {
        let dir = std::env::temp_dir().join(format!("gyrus-sim-test-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let binary = dir.join("daemon");
        std::fs::write(&binary, "#!/bin/sh\necho 'the disk is on fire' >&2\nexit 1\n").unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
        let launch = Launch {
            binary,
            data: dir.join("data"),
            socket: dir.join("sock"),
            log: dir.join("log"),
            config: None,
            kafka: None,
        };
        let error = launch.start().err().unwrap().to_string();
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(
            error.contains("ended at its start") && error.contains("the disk is on fire"),
            "{error}"
        );
    }
}
