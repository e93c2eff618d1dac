//! Errors of the stream room: where, whose fault, and whether trying again can help.

use super::SinkClosed;

/// Why a source ended.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error("kafka setting {key}: {reason}")]
    Setting { key: String, reason: String },
    #[error("kafka brokers {brokers} cannot be reached: {reason}")]
    Unreachable { brokers: String, reason: String },
    #[error("kafka topic {topic} does not exist and stream.create_topics is off; create it or switch it on")]
    MissingTopic { topic: String },
    #[error("kafka topic {topic} could not be created: {reason}")]
    CreateTopic { topic: String, reason: String },
    #[error("{0}")]
    OutOfRange(super::Anomaly),
    #[error("kafka client failed for good: {reason}")]
    Fatal { reason: String },
    #[error("{path}: {doing}: {reason}")]
    File {
        path: String,
        doing: &'static str,
        reason: String,
    },
    #[error(transparent)]
    SinkClosed(#[from] SinkClosed),
    #[error("task {name} died: {reason}")]
    Died { name: &'static str, reason: String },
}

impl StreamError {
    /// True when the same call may succeed later without anyone changing anything.
    pub fn is_retriable(&self) -> bool {
        matches!(self, StreamError::Unreachable { .. })
    }
}

/// Why a record was not published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// The broker will never take this record (too large, or broken).
    #[error("kafka refused a record for {topic}: {reason}")]
    Refused { topic: String, reason: String },
    /// The publisher was closed before the record was delivered.
    #[error("the publisher was closed before a record for {topic} was delivered")]
    Closed { topic: String },
}
