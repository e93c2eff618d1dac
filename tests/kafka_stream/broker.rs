//! Brokers for tests: the one that the environment names, or one that this test process starts.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// `host:port` of the broker that the tests of this process share.
pub fn shared() -> &'static str {
    static BROKER: OnceLock<Broker> = OnceLock::new();
    &BROKER.get_or_init(|| Broker::start(&[])).address
}

/// A broker of its own, for a test that stops it.
pub struct Broker {
    pub address: String,
    dir: PathBuf,
}

impl Broker {
    pub fn own() -> Broker {
        Broker::start(&["--own"])
    }

    /// It goes away with this process.
    fn start(more: &[&str]) -> Broker {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "kafka-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let pid = std::process::id().to_string();
        let mut args = vec!["--while", &pid];
        args.extend(more);
        args.push("up");
        let out = script(&dir, &args);
        let line = out.lines().find_map(|l| l.strip_prefix("GYRUS_TEST_KAFKA="));
        let address = line
            .unwrap_or_else(|| panic!("scripts/kafka up printed no address: {out}"))
            .to_owned();
        Broker { address, dir }
    }

    pub fn stop(&self) {
        script(&self.dir, &["--own", "stop"]);
    }

    pub fn start_again(&self) {
        script(&self.dir, &["--own", "start"]);
    }
}

fn script(dir: &PathBuf, args: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/kafka");
    let out = Command::new(script)
        .arg("--dir")
        .arg(dir)
        .args(args)
        .output()
        .expect("scripts/kafka can be run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        out.status.success(),
        "these tests need a Kafka broker, and scripts/kafka {args:?} could not give one:\n{}",
        text(&out.stderr)
    );
    text(&out.stdout)
}
