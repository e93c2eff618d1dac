//! Numbers and names of the stream room.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where to begin in a partition of which the state knows nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    #[default]
    Earliest,
    Latest,
}

/// What to do when the stored position is not in the topic any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutOfRange {
    /// Go on at the oldest record there is. Nothing that can be read is skipped.
    #[default]
    Earliest,
    /// Go on at the end: what is in the topic now is skipped.
    Latest,
    /// Stop with an error.
    Fail,
}

/// Kafka source and sink (`[kafka]`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KafkaSettings {
    /// `host:port`, comma-separated; empty: no Kafka.
    pub brokers: String,
    /// Topics that events are read from.
    pub topics: Vec<String>,
    /// Consumer group. Processes of one group share the partitions.
    pub group: String,
    /// Topic that feedback is read from; empty: none.
    pub feedback_topic: String,
    /// Topic that intents are written to; empty: none.
    pub intents_topic: String,
    /// Topic that poison records are written to; empty: none.
    pub dead_letters_topic: String,
    /// Creates missing topics at start.
    pub create_topics: bool,
    /// Partitions of a topic that is created.
    pub partitions: i32,
    /// Replication factor of a topic that is created; -1: the broker's default.
    pub replication: i32,
    pub start: Start,
    pub out_of_range: OutOfRange,
    /// Records of one partition delivered at once, at most.
    pub batch_records: usize,
    /// Bytes of one partition delivered at once, about, at most.
    pub batch_bytes: usize,
    /// Milliseconds between commits of durable progress to Kafka.
    pub commit_interval_ms: u64,
    /// Milliseconds between looks at the client's statistics (connection, high watermarks).
    pub statistics_interval_ms: u64,
    /// Any property of librdkafka (TLS, SASL, sizes); wins over what Gyrus sets, but for those that
    /// hold its guarantees (see `RESERVED`).
    pub properties: BTreeMap<String, String>,
}

impl Default for KafkaSettings {
    fn default() -> Self {
        KafkaSettings {
            brokers: String::new(),
            topics: vec!["gyrus.events".into()],
            group: "gyrus".into(),
            feedback_topic: "gyrus.feedback".into(),
            intents_topic: "gyrus.intents".into(),
            dead_letters_topic: "gyrus.dead-letters".into(),
            create_topics: true,
            partitions: 4,
            replication: -1,
            start: Start::Earliest,
            out_of_range: OutOfRange::Earliest,
            batch_records: 500,
            batch_bytes: 4 << 20,
            commit_interval_ms: 1_000,
            statistics_interval_ms: 1_000,
            properties: BTreeMap::new(),
        }
    }
}

/// File and standard-input source (`[file]`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FileSettings {
    /// Files with one event a line.
    pub paths: Vec<PathBuf>,
    /// Reads events from standard input.
    pub stdin: bool,
    /// Waits for more at the end of a file instead of ending.
    pub follow: bool,
    /// Bytes of a line, at most; a longer one is poison and skipped.
    pub max_line_bytes: usize,
    /// Lines delivered at once, at most.
    pub batch_records: usize,
    /// Milliseconds between looks for growth, rotation and truncation of a followed file.
    pub poll_interval_ms: u64,
}

impl Default for FileSettings {
    fn default() -> Self {
        FileSettings {
            paths: Vec::new(),
            stdin: false,
            follow: true,
            max_line_bytes: 1 << 20,
            batch_records: 500,
            poll_interval_ms: 200,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commented sections and the defaults in the code are one.
    #[test]
    fn the_shipped_sections_hold_the_defaults() {
        #[derive(Deserialize)]
        struct Kafka {
            kafka: KafkaSettings,
        }
        #[derive(Deserialize)]
        struct File {
            file: FileSettings,
        }
        let kafka: Kafka = toml::from_str(include_str!("../../config/sections/kafka.toml")).unwrap();
        assert_eq!(kafka.kafka, KafkaSettings::default());
        let file: File = toml::from_str(include_str!("../../config/sections/file.toml")).unwrap();
        assert_eq!(file.file, FileSettings::default());
        assert!(
            toml::from_str::<File>("[file]\nfolow = true").is_err(),
            "a misspelt key is an error"
        );
    }
}
