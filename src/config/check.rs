//! Ranges, and what must fit together.

use super::error::Problem;
use super::{Config, EmbedderKind};

/// Allowed values of numbers, both ends included. Keys of all rooms; a room may check more itself.
pub(super) const RANGES: &[(&str, f64, f64)] = &[
    ("server.max_line_bytes", 1_024.0, 1_073_741_824.0),
    ("server.max_in_flight", 1.0, 65_536.0),
    ("server.max_connections", 1.0, 1_000_000.0),
    ("server.max_recalls", 1.0, 1_024.0),
    ("http.max_body_bytes", 1_024.0, 1_073_741_824.0),
    ("http.max_connections", 1.0, 1_000_000.0),
    ("http.max_concurrent", 1.0, 65_536.0),
    ("http.max_streams", 0.0, 1_000_000.0),
    ("http.requests_per_second", 0.0, 1_000_000.0),
    ("http.burst", 1.0, 10_000_000.0),
    ("http.timeout_seconds", 0.1, 86_400.0),
    ("http.keep_alive_seconds", 0.1, 3_600.0),
    ("mcp.budget_tokens", 100.0, 1_000_000.0),
    ("mcp.max_budget_tokens", 100.0, 1_000_000.0),
    ("store.interval_ms", 1.0, 60_000.0),
    ("store.cache_mb", 1.0, 1_048_576.0),
    ("kafka.partitions", 1.0, 100_000.0),
    ("kafka.replication", -1.0, 100.0),
    ("kafka.batch_records", 1.0, 1_000_000.0),
    ("kafka.batch_bytes", 1_024.0, 1_073_741_824.0),
    ("kafka.commit_interval_ms", 1.0, 3_600_000.0),
    ("kafka.statistics_interval_ms", 100.0, 3_600_000.0),
    ("file.max_line_bytes", 1_024.0, 1_073_741_824.0),
    ("file.batch_records", 1.0, 1_000_000.0),
    ("file.poll_interval_ms", 1.0, 3_600_000.0),
    ("context.decay_per_hour", 0.0, 100.0),
    ("context.immediate", 0.0, 1.0),
    ("context.working", 0.0, 1.0),
    ("context.background", 0.0, 1.0),
    ("context.max_nodes", 1.0, 100_000.0),
    ("graph.edge_decay_per_hour", 0.0, 100.0),
    ("graph.node_decay_per_hour", 0.0, 100.0),
    ("graph.reinforce_gain", 0.0, 1.0),
    ("graph.near_duplicate", 0.0, 1.0),
    ("graph.damping", 0.0, 0.999),
    ("graph.rank_epsilon", 1e-9, 1.0),
    ("graph.rank_publish", 0.0, 1.0),
    ("event.max_event_bytes", 256.0, 268_435_456.0),
    ("event.max_id_bytes", 16.0, 65_536.0),
    ("embedder.dim", 0.0, 65_536.0),
    ("embedder.batch", 1.0, 100_000.0),
    ("embedder.max_chars", 16.0, 10_000_000.0),
    ("embedder.timeout_ms", 1.0, 3_600_000.0),
];

struct Faults<'a> {
    tree: toml::Value,
    origin: &'a dyn Fn(&str) -> String,
    found: Vec<Problem>,
}

impl Faults<'_> {
    fn add(&mut self, key: &str, reason: impl Into<String>) {
        // Somebody put the secret itself where its name belongs.
        let secret = key.ends_with("_env");
        let value = at(&self.tree, key)
            .filter(|_| !secret)
            .map(|v| super::print::literal(key, v));
        self.found.push(Problem {
            key: key.into(),
            value,
            origin: (self.origin)(key),
            reason: reason.into(),
        });
    }

    fn needs(&mut self, fits: bool, key: &str, reason: &str) {
        if !fits {
            self.add(key, reason);
        }
    }
}

pub(super) fn at<'a>(tree: &'a toml::Value, key: &str) -> Option<&'a toml::Value> {
    key.split('.').try_fold(tree, |at, part| at.get(part))
}

/// Everything that is wrong, in the order of the checks.
pub(super) fn problems(config: &Config, origin: impl Fn(&str) -> String) -> Vec<Problem> {
    let tree = match toml::Value::try_from(config) {
        Ok(tree) => tree,
        Err(e) => {
            let reason = format!("the settings cannot be written as TOML: {e}");
            return vec![Problem {
                key: String::new(),
                value: None,
                origin: "the program".into(),
                reason,
            }];
        }
    };
    let mut f = Faults {
        tree,
        origin: &origin,
        found: Vec::new(),
    };
    finite(&mut f);
    for (key, low, high) in RANGES {
        let number = at(&f.tree, key).and_then(|v| v.as_float().or_else(|| v.as_integer().map(|n| n as f64)));
        if number.is_some_and(|n| !(*low..=*high).contains(&n)) {
            f.add(key, format!("allowed is {low} to {high}"));
        }
    }
    server(&mut f, config);
    kafka(&mut f, config);
    let shares = config.context.immediate + config.context.working + config.context.background;
    f.needs(
        shares <= 1.000_001,
        "context.immediate",
        "immediate, working and background are shares of one window: 1 at most together",
    );
    event(&mut f, config);
    embedder(&mut f, config);
    f.needs(
        !config.store.dir.as_os_str().is_empty(),
        "store.dir",
        "a directory is needed",
    );
    f.found
}

/// TOML can say `nan` and `inf`; no setting means them.
fn finite(f: &mut Faults<'_>) {
    fn walk(key: &str, value: &toml::Value, bad: &mut Vec<String>) {
        match value {
            toml::Value::Float(n) if !n.is_finite() => bad.push(key.to_owned()),
            toml::Value::Table(t) => {
                for (name, v) in t {
                    walk(
                        &if key.is_empty() {
                            name.clone()
                        } else {
                            format!("{key}.{name}")
                        },
                        v,
                        bad,
                    );
                }
            }
            toml::Value::Array(a) => a.iter().for_each(|v| walk(key, v, bad)),
            _ => {}
        }
    }
    let mut bad = Vec::new();
    walk("", &f.tree, &mut bad);
    for key in bad {
        f.add(&key, "a finite number is needed");
    }
}

fn server(f: &mut Faults<'_>, config: &Config) {
    let s = &config.server;
    f.needs(
        s.max_line_bytes >= config.event.max_event_bytes,
        "server.max_line_bytes",
        "must be at least event.max_event_bytes, or the largest event could not be sent",
    );
    let h = &config.http;
    f.needs(
        h.listen.is_empty() || is_address(&h.listen),
        "http.listen",
        "host:port is needed, such as 127.0.0.1:7480",
    );
    f.needs(
        h.max_body_bytes >= config.event.max_event_bytes,
        "http.max_body_bytes",
        "must be at least event.max_event_bytes, or the largest event could not be sent",
    );
    if let Err(refused) = crate::event::check_space(&config.mcp.space) {
        f.add("mcp.space", refused.reason);
    }
    f.needs(
        config.mcp.max_budget_tokens >= config.mcp.budget_tokens,
        "mcp.max_budget_tokens",
        "must be at least mcp.budget_tokens",
    );
}

fn kafka(f: &mut Faults<'_>, config: &Config) {
    let k = &config.kafka;
    if k.brokers.is_empty() {
        return;
    }
    f.needs(
        k.brokers.split(',').all(|b| is_address(b.trim())),
        "kafka.brokers",
        "host:port is needed, more of them separated by commas",
    );
    f.needs(
        !k.topics.is_empty(),
        "kafka.topics",
        "with kafka.brokers set, at least one topic is needed",
    );
    f.needs(
        !k.group.is_empty(),
        "kafka.group",
        "with kafka.brokers set, a consumer group is needed",
    );
    let outputs = [&k.intents_topic, &k.dead_letters_topic];
    let read = |t: &String| !t.is_empty() && (k.topics.contains(t) || *t == k.feedback_topic);
    f.needs(
        !outputs.into_iter().any(read),
        "kafka.topics",
        "a topic that Gyrus writes to cannot be one that it reads from",
    );
    let one_place = k.intents_topic.is_empty() || k.intents_topic != k.dead_letters_topic;
    f.needs(
        one_place,
        "kafka.dead_letters_topic",
        "intents and dead letters need topics of their own",
    );
    let one_kind = k.feedback_topic.is_empty() || !k.topics.contains(&k.feedback_topic);
    f.needs(
        one_kind,
        "kafka.feedback_topic",
        "events and feedback need topics of their own",
    );
}

/// Host and port; an IPv6 host stands in brackets.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let v6 = host.starts_with('[') && host.ends_with(']');
        !host.is_empty() && (v6 || !host.contains(':')) && port.parse::<u16>().is_ok()
    })
}

/// The name of an environment variable.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn event(f: &mut Faults<'_>, config: &Config) {
    if crate::event::zone(&config.event.zone).is_err() {
        f.add(
            "event.zone",
            "an IANA zone is needed, such as \"UTC\" or \"Europe/Berlin\"",
        );
    }
    if let Err(refused) = crate::event::check_space(&config.event.default_space) {
        f.add("event.default_space", refused.reason);
    }
}

fn embedder(f: &mut Faults<'_>, config: &Config) {
    let e = &config.embedder;
    f.needs(
        e.key_env.is_empty() || is_name(&e.key_env),
        "embedder.key_env",
        "the name of an environment variable is needed, not the key itself",
    );
    if e.kind == EmbedderKind::Http {
        let url = e.url.starts_with("http://") || e.url.starts_with("https://");
        f.needs(
            url,
            "embedder.url",
            "with kind = \"http\", an address that begins with http:// or https:// is needed",
        );
        f.needs(
            !e.model.is_empty(),
            "embedder.model",
            "with kind = \"http\", the name of a model is needed",
        );
        f.needs(
            e.dim > 0,
            "embedder.dim",
            "with kind = \"http\", the dimensions of the model's vectors are needed",
        );
    }
}
