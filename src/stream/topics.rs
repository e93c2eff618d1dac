//! Topics that must be there before the source starts.

use std::collections::BTreeMap;
use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use super::consumer::input_topics;
use super::{KafkaSettings, StreamError, config, group};

const METADATA_TIMEOUT: Duration = Duration::from_secs(5);
const CREATE_TIMEOUT: Duration = Duration::from_secs(20);
/// Looks for a new topic in the brokers' metadata before giving up, a tenth of a second apart.
const VISIBLE_TRIES: usize = 150;

/// Quiet: what goes wrong is in the result.
struct Quiet;

impl ClientContext for Quiet {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        group::log(level, facility, message);
    }
    fn stats(&self, _: rdkafka::Statistics) {}
    fn error(&self, _: KafkaError, reason: &str) {
        tracing::debug!(target: "gyrus::stream", "kafka: {reason}");
    }
}

/// Creates the topics of the settings that are missing, unless that is switched off; then a missing
/// input topic is an error, a missing output topic is not (it may never be needed).
///
/// Input topics are made with the broker's time of receipt, which a redelivery repeats.
pub async fn ensure_topics(settings: &KafkaSettings) -> Result<(), StreamError> {
    let settings = settings.clone();
    let inputs = input_topics(&settings);
    let outputs: Vec<String> = [&settings.intents_topic, &settings.dead_letters_topic]
        .into_iter()
        .filter(|t| !t.is_empty() && !inputs.contains(*t))
        .cloned()
        .collect();
    // Metadata calls block, so the whole of it runs on a thread that may.
    let handle = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || handle.block_on(ensure(&settings, &inputs, &outputs)))
        .await
        .map_err(|e| StreamError::Died {
            name: "ensure topics",
            reason: e.to_string(),
        })?
}

/// The topics that the brokers have, with their numbers of partitions; for a look from outside. Blocks for seconds
/// when nothing answers.
pub fn topics_at(settings: &KafkaSettings) -> Result<BTreeMap<String, usize>, StreamError> {
    let admin: AdminClient<Quiet> = config::admin(settings)?
        .create_with_context(Quiet)
        .map_err(config::creation_error)?;
    partitions(&admin, settings)
}

async fn ensure(settings: &KafkaSettings, inputs: &[String], outputs: &[String]) -> Result<(), StreamError> {
    let admin: AdminClient<Quiet> = config::admin(settings)?
        .create_with_context(Quiet)
        .map_err(config::creation_error)?;
    let there = partitions(&admin, settings)?;
    let missing = |names: &[String]| {
        names
            .iter()
            .filter(|n| !there.contains_key(*n))
            .cloned()
            .collect::<Vec<_>>()
    };
    let (missing_inputs, missing_outputs) = (missing(inputs), missing(outputs));
    if !settings.create_topics {
        return match missing_inputs.into_iter().next() {
            Some(topic) => Err(StreamError::MissingTopic { topic }),
            None => Ok(()),
        };
    }
    let all: Vec<String> = missing_inputs.iter().chain(&missing_outputs).cloned().collect();
    if all.is_empty() {
        return Ok(());
    }
    let new: Vec<NewTopic<'_>> = all
        .iter()
        .map(|name| {
            let topic = NewTopic::new(
                name,
                settings.partitions.max(1),
                TopicReplication::Fixed(settings.replication),
            );
            if missing_inputs.contains(name) {
                topic.set("message.timestamp.type", "LogAppendTime")
            } else {
                topic
            }
        })
        .collect();
    let options = AdminOptions::new()
        .request_timeout(Some(CREATE_TIMEOUT))
        .operation_timeout(Some(CREATE_TIMEOUT));
    let results = admin
        .create_topics(&new, &options)
        .await
        .map_err(|e| unreachable(settings, &e))?;
    for result in results {
        match result {
            Ok(name) => tracing::info!(target: "gyrus::stream", "created topic {name}"),
            // Someone was faster.
            Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((_, code)) if transient(code) => {
                return Err(unreachable(settings, &KafkaError::AdminOp(code)));
            }
            Err((topic, code)) => {
                return Err(StreamError::CreateTopic {
                    topic,
                    reason: code.to_string(),
                });
            }
        }
    }
    wait_until_visible(&admin, settings, &all).await
}

async fn wait_until_visible(
    admin: &AdminClient<Quiet>,
    settings: &KafkaSettings,
    topics: &[String],
) -> Result<(), StreamError> {
    for _ in 0..VISIBLE_TRIES {
        let there = partitions(admin, settings)?;
        if topics.iter().all(|t| there.get(t).is_some_and(|n| *n > 0)) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(StreamError::Unreachable {
        brokers: settings.brokers.clone(),
        reason: format!("{} do not appear in the metadata", topics.join(", ")),
    })
}

/// Partitions with a leader by topic, of all topics that the brokers show us.
fn partitions(
    admin: &AdminClient<Quiet>,
    settings: &KafkaSettings,
) -> Result<BTreeMap<String, usize>, StreamError> {
    let metadata = admin
        .inner()
        .fetch_metadata(None, METADATA_TIMEOUT)
        .map_err(|e| unreachable(settings, &e))?;
    Ok(metadata
        .topics()
        .iter()
        .filter(|t| t.error().is_none())
        .map(|t| {
            (
                t.name().to_owned(),
                t.partitions().iter().filter(|p| p.leader() >= 0).count(),
            )
        })
        .collect())
}

fn unreachable(settings: &KafkaSettings, error: &KafkaError) -> StreamError {
    StreamError::Unreachable {
        brokers: settings.brokers.clone(),
        reason: error.to_string(),
    }
}

fn transient(code: RDKafkaErrorCode) -> bool {
    matches!(
        code,
        RDKafkaErrorCode::RequestTimedOut
            | RDKafkaErrorCode::OperationTimedOut
            | RDKafkaErrorCode::NotController
            | RDKafkaErrorCode::BrokerTransportFailure
            | RDKafkaErrorCode::AllBrokersDown
            | RDKafkaErrorCode::BrokerNotAvailable
            | RDKafkaErrorCode::CoordinatorLoadInProgress
    )
}
