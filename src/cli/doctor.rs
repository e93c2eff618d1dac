//! `gyrus doctor`: what is wrong with a set-up, and what to do about it. Looks only, changes nothing.

use std::path::Path;

use serde_json::{Value, json};

use super::CliError;
use super::args::Doctor;
use super::client::Client;
use super::serve::loader;
use crate::config::{Config, EmbedderKind};
use crate::serve::access::{Rate, Tokens};

/// What was looked at and what was found.
struct Finding {
    what: &'static str,
    good: bool,
    found: String,
    /// What to do; empty when all is well.
    advice: String,
}

fn good(what: &'static str, found: impl Into<String>) -> Finding {
    Finding {
        what,
        good: true,
        found: found.into(),
        advice: String::new(),
    }
}

fn bad(what: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding {
        what,
        good: false,
        found: found.into(),
        advice: advice.into(),
    }
}

pub fn run(a: &Doctor, socket: Option<&Path>, as_json: bool) -> Result<(), CliError> {
    let mut loader = loader(a.config.as_deref())?;
    if let Some(d) = &a.data {
        loader = loader.flag("--data", "store.dir", &d.display().to_string());
    }
    if let Some(s) = socket {
        loader = loader.flag("--socket", "server.socket", &s.display().to_string());
    }
    let mut findings = Vec::new();
    match loader.load() {
        Ok(loaded) => {
            findings.push(good("configuration", "every key and value is good"));
            look(&loaded.config, &mut findings);
        }
        Err(e) => findings.push(bad(
            "configuration",
            e.to_string(),
            "mend the key that is named; `gyrus config print` shows all of them",
        )),
    }
    show(&findings, as_json);
    match findings.iter().filter(|f| !f.good).count() {
        0 => Ok(()),
        n => Err(CliError::Other(format!(
            "{n} of {} things need attention",
            findings.len()
        ))),
    }
}

fn show(findings: &[Finding], as_json: bool) {
    if as_json {
        let rows = findings
            .iter()
            .map(|f| json!({"what": f.what, "good": f.good, "found": f.found, "advice": f.advice}));
        println!("{}", json!({"findings": rows.collect::<Vec<Value>>()}));
        return;
    }
    for f in findings {
        println!("{} {}: {}", if f.good { "ok  " } else { "BAD " }, f.what, f.found);
        if !f.advice.is_empty() {
            println!("     -> {}", f.advice);
        }
    }
}

fn look(config: &Config, out: &mut Vec<Finding>) {
    let status = daemon(config, out);
    directory(config, out);
    if let Some(status) = &status {
        for d in status["degraded"].as_array().into_iter().flatten() {
            out.push(bad(
                "daemon",
                d.as_str().unwrap_or_default(),
                "see the daemon's log of that time; `gyrus status` shows the rest",
            ));
        }
    }
    tokens(config, out);
    if !config.kafka.brokers.is_empty() {
        broker(config, out);
    }
    embedder(config, out);
}

/// Asks the daemon; its status, when it answers.
fn daemon(config: &Config, out: &mut Vec<Finding>) -> Option<Value> {
    let socket = config.socket_path();
    let asked = Client::connect(&socket).and_then(|mut c| c.call("status", json!({})));
    match asked {
        Ok(s) => {
            let counts = format!(
                "version {}, {} events, backlog {}, lag {}",
                s["version"].as_str().unwrap_or_default(),
                s["counts"]["events"],
                s["backlog"],
                s["lag"]
            );
            out.push(good(
                "daemon",
                format!("answers at {} ({counts})", socket.display()),
            ));
            if s["version"] != env!("CARGO_PKG_VERSION") {
                out.push(bad(
                    "version",
                    format!(
                        "the daemon is {}, this program {}",
                        s["version"],
                        env!("CARGO_PKG_VERSION")
                    ),
                    "restart the daemon with this program",
                ));
            }
            Some(s)
        }
        Err(CliError::NoDaemon { reason, .. }) => {
            let advice = match socket.exists() {
                true => "a daemon died and left its socket file; the next `gyrus serve` replaces it",
                false => "start one with `gyrus serve`, or name its socket with --socket",
            };
            out.push(bad(
                "daemon",
                format!("none answers at {} ({reason})", socket.display()),
                advice,
            ));
            None
        }
        Err(e) => {
            out.push(bad("daemon", e.to_string(), "see the daemon's log"));
            None
        }
    }
}

/// Whether others may read, and whether this user may write.
fn directory(config: &Config, out: &mut Vec<Finding>) {
    use std::os::unix::fs::PermissionsExt;
    let dir = &config.store.dir;
    let shown = dir.display();
    match std::fs::metadata(dir) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            out.push(good(
                "store",
                format!("{shown} is not there yet; `gyrus serve` makes it"),
            ));
        }
        Err(e) => out.push(bad(
            "store",
            format!("{shown}: {e}"),
            "give this user access to the directory",
        )),
        Ok(m) if !m.is_dir() => {
            out.push(bad(
                "store",
                format!("{shown} is not a directory"),
                "choose another with --data",
            ));
        }
        Ok(m) => {
            let mode = m.permissions().mode();
            if mode & 0o007 != 0 {
                out.push(bad(
                    "store",
                    format!("every user may look into {shown} (mode {:o})", mode & 0o777),
                    format!("chmod o-rwx {shown}"),
                ));
            } else if m.permissions().readonly() {
                out.push(bad(
                    "store",
                    format!("{shown} cannot be written"),
                    format!("chmod u+w {shown}"),
                ));
            } else {
                out.push(good("store", format!("{shown} is there and closed to others")));
            }
        }
    }
}

fn tokens(config: &Config, out: &mut Vec<Finding>) {
    use std::os::unix::fs::PermissionsExt;
    let h = &config.http;
    let path = &h.tokens;
    if path.as_os_str().is_empty() {
        if h.listen.is_empty() {
            return;
        }
        out.push(match loopback_only(&h.listen) {
            true => good(
                "http",
                format!(
                    "{} is loopback, without tokens: every local user may call it",
                    h.listen
                ),
            ),
            false => bad(
                "http",
                format!("{} could be reached by others and there are no tokens", h.listen),
                "make one with `gyrus token` and name the file in http.tokens; the daemon will not start so",
            ),
        });
        return;
    }
    let rate = Rate {
        per_second: 0.0,
        burst: 1.0,
    };
    match Tokens::read(path, rate) {
        Err(e) => out.push(bad(
            "tokens",
            e,
            "`gyrus token NAME --space S --may read --file F` writes an entry",
        )),
        Ok(t) => {
            let mode = std::fs::metadata(path).map_or(0, |m| m.permissions().mode());
            out.push(match mode & 0o077 {
                0 => good("tokens", format!("{} in {}", t.len(), path.display())),
                _ => bad(
                    "tokens",
                    format!("others may read {} (mode {:o})", path.display(), mode & 0o777),
                    format!("chmod 600 {}", path.display()),
                ),
            });
        }
    }
}

fn loopback_only(listen: &str) -> bool {
    use std::net::ToSocketAddrs;
    listen
        .to_socket_addrs()
        .is_ok_and(|mut all| all.all(|a| a.ip().is_loopback()))
}

fn broker(config: &Config, out: &mut Vec<Finding>) {
    match crate::stream::topics_at(&config.kafka) {
        Err(e) => out.push(bad(
            "kafka",
            format!("{} does not answer: {e}", config.kafka.brokers),
            "is the broker up, is the address the one it advertises, do kafka.properties hold its security settings?",
        )),
        Ok(there) => {
            out.push(good("kafka", format!("{} answers", config.kafka.brokers)));
            let k = &config.kafka;
            let wanted = k.topics.iter().chain([&k.feedback_topic, &k.intents_topic, &k.dead_letters_topic]);
            for topic in wanted.filter(|t| !t.is_empty()) {
                out.push(match there.get(topic) {
                    Some(n) => good("topic", format!("{topic} has {n} partitions")),
                    None if k.create_topics => good("topic", format!("{topic} is not there; the daemon makes it")),
                    None => bad("topic", format!("{topic} is not there"), "create it, or set kafka.create_topics"),
                });
            }
        }
    }
}

fn embedder(config: &Config, out: &mut Vec<Finding>) {
    match crate::runtime::DaemonOptions::of(config) {
        Err(e) => out.push(bad("embedder", e.to_string(), "see the keys of [embedder]")),
        Ok(o) if config.embedder.kind == EmbedderKind::Http => {
            let asked = o.models.embedder.embed(&["ready?"]);
            out.push(match asked {
                Ok(_) => good("embedder", format!("{} answers", config.embedder.url)),
                Err(e) => bad(
                    "embedder",
                    e.to_string(),
                    "is embedder.url right, is the model there?",
                ),
            });
        }
        Ok(o) => out.push(good(
            "embedder",
            format!("{}, built in", o.models.embedder.info().name),
        )),
    }
}
