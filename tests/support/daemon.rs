//! The daemon as a process of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::rpc::Rpc;
use super::{DEADLINE, until};

const BINARY: &str = env!("CARGO_BIN_EXE_gyrus");

/// How a daemon is started. Data and socket lie in `dir`.
#[derive(Clone)]
pub struct Launch {
    dir: PathBuf,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

impl Launch {
    pub fn new(dir: &Path) -> Launch {
        Launch {
            dir: dir.to_path_buf(),
            args: Vec::new(),
            env: Vec::new(),
        }
    }

    /// Sets a key of the configuration, such as `kafka.group`.
    pub fn set(mut self, key: &str, value: impl ToString) -> Launch {
        let name = format!("GYRUS__{}", key.replace('.', "__").to_uppercase());
        self.env.push((name, value.to_string()));
        self
    }

    pub fn arg(mut self, name: &str, value: &str) -> Launch {
        self.args.extend([name.to_owned(), value.to_owned()]);
        self
    }

    pub fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    pub fn socket(&self) -> PathBuf {
        self.dir.join("s")
    }

    pub fn command(&self) -> Command {
        let mut c = gyrus();
        c.arg("serve")
            .arg("--data")
            .arg(self.data())
            .arg("--socket")
            .arg(self.socket());
        c.args(&self.args).envs(self.env.iter().map(|(k, v)| (k, v)));
        c
    }

    /// Starts the process without waiting for anything.
    pub fn spawn(&self) -> Daemon {
        let mut child = self
            .command()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let log = Arc::new(Mutex::new(String::new()));
        let (tx, ready) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("it was piped"));
        let kept = log.clone();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if line == "ready" {
                    // The test may be past caring.
                    let _ = tx.send(());
                }
                let mut log = kept.lock().expect("no holder panics");
                log.push_str(&line);
                log.push('\n');
            }
        });
        Daemon {
            child,
            ready,
            log,
            launch: self.clone(),
        }
    }

    /// Starts the process and waits until it answers.
    pub fn start(&self) -> Daemon {
        let d = self.spawn();
        d.wait_ready();
        d
    }

    /// Runs the process to its end, which must come by itself, and returns its status and standard error.
    pub fn fails(&self) -> (ExitStatus, String) {
        let mut d = self.spawn();
        let status = d.wait();
        (status, d.log())
    }
}

/// The binary with no setting of the caller's shell.
pub fn gyrus() -> Command {
    let mut c = Command::new(BINARY);
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("GYRUS") || n == "RUST_LOG") {
        c.env_remove(name);
    }
    c
}

pub struct Daemon {
    child: Child,
    ready: mpsc::Receiver<()>,
    log: Arc<Mutex<String>>,
    pub launch: Launch,
}

impl Daemon {
    pub fn wait_ready(&self) {
        if self.ready.recv_timeout(DEADLINE).is_err() {
            panic!("the daemon did not get ready; it said:\n{}", self.log());
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn rpc(&self) -> Rpc {
        Rpc::connect(&self.launch.socket())
    }

    /// What it wrote to standard error so far.
    pub fn log(&self) -> String {
        self.log.lock().expect("no holder panics").clone()
    }

    /// SIGKILL: it gets no chance to do anything.
    pub fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// SIGTERM; returns how it ended and what it wrote.
    pub fn term(mut self) -> (ExitStatus, String) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .expect("kill can be run");
        assert!(sent.success());
        let status = self.wait();
        (status, self.log())
    }

    /// A clean stop, which must be one.
    pub fn stop(self) {
        let (status, log) = self.term();
        assert!(status.success(), "{status}:\n{log}");
    }

    fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                // The last lines may still be on their way.
                std::thread::sleep(Duration::from_millis(50));
                return status;
            }
            assert!(
                begin.elapsed() < DEADLINE,
                "it does not end; it said:\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until its log holds `what`.
    pub fn says(&self, what: &str) {
        until(&format!("the log says {what}"), || self.log().contains(what));
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
