//! Tests of the room. No test touches the environment of the process: variables are arguments.

use std::path::Path;

use super::*;

fn text(toml: &str) -> Result<Loaded, ConfigError> {
    Loader::new().text("my.toml", toml.into())?.load()
}

fn env(vars: &[(&str, &str)]) -> Result<Loaded, ConfigError> {
    let vars = vars.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Loader::new().env(vars)?.load()
}

/// The only problem, as it is told.
fn told(result: Result<Loaded, ConfigError>) -> String {
    let refused = result.expect_err("should be refused");
    assert_eq!(refused.problems.len(), 1, "{refused}");
    refused.problems[0].to_string()
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

#[test]
fn the_default_file_is_the_default_value() {
    let parsed: Config = toml::from_str(DEFAULT_TOML).unwrap();
    assert_eq!(parsed, Config::default());
    assert_eq!(Loader::new().load().unwrap().config, Config::default());
    assert_eq!(Config::default().validate(), Ok(()));
}

#[test]
fn the_default_file_has_every_key_and_a_comment_for_each() {
    fn missing(key: &str, known: &toml::Value, written: Option<&toml::Value>, out: &mut Vec<String>) {
        match known {
            toml::Value::Table(keys) if !keys.is_empty() => {
                for (name, known) in keys {
                    missing(
                        &format!("{key}.{name}"),
                        known,
                        written.and_then(|w| w.get(name)),
                        out,
                    );
                }
            }
            _ if written.is_none() => out.push(key.to_owned()),
            _ => {}
        }
    }
    let mut out = Vec::new();
    let known = toml::Value::try_from(Config::default()).unwrap();
    missing("", &known, Some(&toml::from_str(DEFAULT_TOML).unwrap()), &mut out);
    assert!(out.is_empty(), "no line for {out:?}");

    // Keys without a line between them may share a comment.
    let mut commented = false;
    for line in DEFAULT_TOML.lines() {
        if line.starts_with('#') {
            commented = true;
        } else if line.is_empty() || line.starts_with('[') {
            commented = false;
        } else if line.contains(" = ") {
            assert!(commented, "no comment above: {line}");
        }
    }
}

#[test]
fn the_default_file_is_made_of_the_sections() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("config");
    let part = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert!(
        DEFAULT_TOML.starts_with(&part(&root.join("head.toml"))),
        "run scripts/config-default"
    );
    let mut size = part(&root.join("head.toml")).len();
    for entry in std::fs::read_dir(root.join("sections")).unwrap() {
        let section = format!("\n{}", part(&entry.unwrap().path()));
        assert!(
            DEFAULT_TOML.contains(&section),
            "run scripts/config-default: {section}"
        );
        size += section.len();
    }
    assert_eq!(size, DEFAULT_TOML.len(), "run scripts/config-default");
}

#[test]
fn later_layers_win_key_by_key() {
    let loaded = Loader::new()
        .text(
            "my.toml",
            "[event]\nzone = \"Asia/Tokyo\"\nmax_id_bytes = 100\nmax_event_bytes = 4_096\n".into(),
        )
        .unwrap()
        .env([
            ("GYRUS__EVENT__MAX_ID_BYTES".into(), "200".into()),
            ("OTHER".into(), "x".into()),
        ])
        .unwrap()
        .flag("--max-id", "event.max_id_bytes", "300")
        .flag("--socket", "server.socket", "/tmp/g.sock")
        .load()
        .unwrap();
    let c = &loaded.config;
    assert_eq!(
        (
            c.event.zone.as_str(),
            c.event.max_id_bytes,
            c.event.max_event_bytes
        ),
        ("Asia/Tokyo", 300, 4_096)
    );
    assert_eq!(c.socket_path(), Path::new("/tmp/g.sock"));
    assert_eq!(c.store, Store::default());
    assert_eq!(loaded.origin("event.zone"), "my.toml, line 2");
    assert_eq!(loaded.origin("event.max_id_bytes"), "flag --max-id");
    assert_eq!(loaded.origin("store.cache_mb"), "default");
    let from_env = env(&[("GYRUS__EVENT__MAX_ID_BYTES", "200")]).unwrap();
    assert_eq!(
        from_env.origin("event.max_id_bytes"),
        "environment variable GYRUS__EVENT__MAX_ID_BYTES"
    );
}

#[test]
fn texts_of_the_environment_take_the_kind_of_the_default() {
    let c = env(&[
        ("GYRUS__KAFKA__GROUP", "7"),
        ("GYRUS__KAFKA__TOPICS", "a, b"),
        ("GYRUS__KAFKA__CREATE_TOPICS", "false"),
        ("GYRUS__KAFKA__PROPERTIES__SASL_USERNAME", "12"),
        ("GYRUS__STORE__CACHE_MB", "1_024"),
        ("GYRUS__STORE__DIR", "/var/lib/gyrus"),
        ("GYRUS__STORE__DURABILITY", "interval"),
    ])
    .unwrap()
    .config;
    assert_eq!((c.kafka.group.as_str(), c.kafka.create_topics), ("7", false));
    assert_eq!(c.kafka.topics, ["a", "b"]);
    assert_eq!(c.kafka.properties["sasl.username"], "12");
    assert_eq!(
        (c.store.cache_mb, c.store.dir.as_path()),
        (1_024, Path::new("/var/lib/gyrus"))
    );
    assert_eq!(c.store.durability, Durability::Interval);
    let c = env(&[("GYRUS__KAFKA__TOPICS", "[\"a,b\"]")]).unwrap().config;
    assert_eq!(c.kafka.topics, ["a,b"]);
    let flags = Loader::new()
        .flag_list("--topic", "kafka.topics", &["x,y".into(), "z".into()])
        .flag("--set", "kafka.properties.security.protocol", "ssl");
    let c = flags.load().unwrap().config;
    assert_eq!(c.kafka.topics, ["x,y", "z"]);
    assert_eq!(c.kafka.properties["security.protocol"], "ssl");
}

#[test]
fn an_unknown_key_is_refused_with_place_and_guess() {
    let it = told(text("[server]\nsocket = \"s\"\nmax_lines_bytes = 5\n"));
    has(
        &it,
        &[
            "server.max_lines_bytes = 5",
            "my.toml, line 3",
            "did you mean server.max_line_bytes?",
            "max_in_flight",
        ],
    );
    let it = told(text("[sever]\nsocket = \"s\"\n"));
    has(
        &it,
        &["sever", "my.toml, line 1", "did you mean server?", "recall"],
    );
    let it = told(env(&[("GYRUS__EVENT__ZONES", "UTC")]));
    has(
        &it,
        &[
            "event.zones",
            "environment variable GYRUS__EVENT__ZONES",
            "did you mean event.zone?",
        ],
    );
    let it = told(Loader::new().flag("--set", "log.colour", "red").load());
    has(&it, &["log.colour", "flag --set", "[log] knows format, level"]);
    assert!(!it.contains("did you mean"), "nothing is near: {it}");
}

#[test]
fn a_bad_value_is_refused_with_what_is_allowed() {
    let it = told(text("[store]\ndurability = \"intervall\"\n"));
    has(
        &it,
        &[
            "store.durability = \"intervall\"",
            "my.toml, line 2",
            "\"every-batch\", \"interval\", \"never\"",
            "did you mean \"interval\"?",
        ],
    );
    let it = told(text("[event]\nmax_id_bytes = -1\n"));
    has(&it, &["event.max_id_bytes = -1", "whole number, 0 or more"]);
    let it = told(text("[event]\nzone = 5\n"));
    has(&it, &["event.zone = 5", "text is needed"]);
    let it = told(env(&[("GYRUS__STORE__CACHE_MB", "lots")]));
    has(
        &it,
        &[
            "store.cache_mb = \"lots\"",
            "GYRUS__STORE__CACHE_MB",
            "whole number",
        ],
    );
    let it = told(text("server = 4\n"));
    has(&it, &["server = 4", "my.toml, line 1", "section"]);
}

#[test]
fn ranges_and_fits_are_checked_all_at_once() {
    let refused = text(
        "[event]\nzone = \"Mars/Olympus\"\ndefault_space = \"a\\nb\"\nmax_id_bytes = 1\n[server]\n\
         max_line_bytes = 2_000\n[embedder]\nkind = \"http\"\n",
    )
    .unwrap_err();
    let all = refused.to_string();
    has(
        &all,
        &[
            "event.zone = \"Mars/Olympus\" (from my.toml, line 2)",
            "event.default_space",
            "event.max_id_bytes = 1 (from my.toml, line 4): allowed is 16 to 65536",
            "server.max_line_bytes = 2000",
            "embedder.url",
            "embedder.model",
            "embedder.dim",
        ],
    );
    assert_eq!(refused.problems.len(), 7, "{all}");
}

#[test]
fn kafka_is_checked_when_it_is_used() {
    let with = |more: &str| text(&format!("[kafka]\nbrokers = \"b1:9092, b2:9092\"\n{more}"));
    assert!(with("").is_ok());
    assert!(text("[kafka]\ntopics = []").is_ok(), "not used");
    for (bad, key) in [
        ("brokers_ = 1", "kafka.brokers_"),
        ("topics = []", "kafka.topics"),
        ("group = \"\"", "kafka.group"),
        ("topics = [\"gyrus.intents\"]", "kafka.topics"),
        ("topics = [\"gyrus.feedback\"]", "kafka.feedback_topic"),
        (
            "intents_topic = \"t\"\ndead_letters_topic = \"t\"",
            "kafka.dead_letters_topic",
        ),
        ("intents_topic = \"gyrus.feedback\"", "kafka.topics"),
        ("out_of_range = \"newest\"", "kafka.out_of_range"),
        ("batch_records = 0", "kafka.batch_records"),
    ] {
        assert!(told(with(bad)).starts_with(key), "{bad}");
    }
    assert!(
        with("intents_topic = \"\"\ndead_letters_topic = \"\"").is_ok(),
        "both off"
    );
    has(
        &told(text("[kafka]\nbrokers = \"b1\"")),
        &["kafka.brokers = \"b1\"", "host:port"],
    );
}

#[test]
fn every_checked_key_exists() {
    let tree = toml::Value::try_from(Config::default()).unwrap();
    for (key, low, high) in check::RANGES {
        let value = check::at(&tree, key).unwrap_or_else(|| panic!("{key} is no key"));
        assert!(value.is_integer() || value.is_float(), "{key} is no number");
        assert!(low < high);
    }
}

#[test]
fn files_that_cannot_be_used() {
    let it = Loader::new()
        .file(Path::new("/nowhere/gyrus.toml"))
        .unwrap_err()
        .to_string();
    has(&it, &["/nowhere/gyrus.toml", "cannot be read"]);
    let it = told(text("[event\nzone = 1"));
    has(&it, &["my.toml", "no TOML", "line 1"]);
    assert!(text("\u{feff}[event]\nzone = \"UTC\"").is_ok());
    let it = told(env(&[("GYRUS__EVENT", "x")]));
    has(&it, &["environment variable GYRUS__EVENT", "SECTION__KEY"]);
}

#[test]
fn print_shows_values_comments_and_origins_and_can_be_read_back() {
    let loaded = Loader::new()
        .text("my.toml", "[event]\nzone = \"Asia/Tokyo\"\n[kafka]\ntopics = [\n  \"a\",\n  \"b\"\n]\n[kafka.properties]\n\"client.rack\" = \"r\"\n".into())
        .unwrap()
        .env([("GYRUS__LOG__LEVEL".into(), "debug".into())])
        .unwrap()
        .load()
        .unwrap();
    let shown = loaded.render();
    has(
        &shown,
        &[
            "zone = \"Asia/Tokyo\"  # from my.toml, line 2",
            "level = \"debug\"  # from environment variable GYRUS__LOG__LEVEL",
            "topics = [\"a\", \"b\"]  # from my.toml, line 4",
            "properties = { \"client.rack\" = \"r\" }",
            "# IANA name of the zone",
            "\nmax_id_bytes = 512\n",
        ],
    );
    assert_eq!(text(&shown).unwrap().config, loaded.config);
    let plain = Loader::new().load().unwrap().render();
    assert!(!plain.contains("# from "), "{plain}");
    assert!(plain.contains("\nnear_duplicate = 0.85\n"), "{plain}");
    assert_eq!(text(&plain).unwrap().config, Config::default());
}

#[test]
fn secrets_are_not_shown() {
    let loaded =
        text("[kafka.properties]\n\"sasl.password\" = \"hunter2\"\n\"ssl.key.pem\" = \"hunter2\"\n").unwrap();
    assert!(!loaded.render().contains("hunter2"));
    let refused = text("[kafka.properties]\n\"sasl.password\" = [\"hunter2\"]\n").unwrap_err();
    assert!(!refused.to_string().contains("hunter2"), "{refused}");
    let refused = text("[embedder]\nkey_env = \"sk-hunter2\"\n").unwrap_err();
    assert!(!refused.to_string().contains("hunter2"), "{refused}");
}
