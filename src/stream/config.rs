//! From settings to librdkafka's properties, with those that hold Gyrus's guarantees fixed.

use rdkafka::ClientConfig;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::KafkaError;

use super::{KafkaSettings, StreamError};

/// Properties that `kafka.properties` may not set, and why.
pub(crate) const RESERVED: &[(&str, &str)] = &[
    ("bootstrap.servers", "set kafka.brokers"),
    ("metadata.broker.list", "set kafka.brokers"),
    ("group.id", "set kafka.group"),
    ("statistics.interval.ms", "set kafka.statistics_interval_ms"),
    ("enable.auto.commit", "offsets follow what is durable"),
    ("enable.auto.offset.store", "offsets follow what is durable"),
    ("auto.offset.reset", "set kafka.start and kafka.out_of_range"),
    ("enable.partition.eof", "it would only be ignored"),
    ("partition.assignment.strategy", "rebalancing is cooperative"),
    ("group.protocol", "rebalancing is cooperative"),
    ("enable.idempotence", "the outbox is published in order"),
    ("acks", "the outbox counts on every replica"),
    ("request.required.acks", "the outbox counts on every replica"),
    ("retries", "the outbox is published until it is delivered"),
    (
        "message.send.max.retries",
        "the outbox is published until it is delivered",
    ),
    (
        "message.timeout.ms",
        "the outbox is published until it is delivered",
    ),
    (
        "delivery.timeout.ms",
        "the outbox is published until it is delivered",
    ),
    (
        "partitioner",
        "a space is sent to the partition that Kafka's own clients choose",
    ),
];

fn base(settings: &KafkaSettings) -> Result<ClientConfig, StreamError> {
    let invalid = |key: &str, reason: &str| StreamError::Setting {
        key: key.into(),
        reason: reason.into(),
    };
    if settings.brokers.trim().is_empty() {
        return Err(invalid("brokers", "is empty; give host:port, comma-separated"));
    }
    let mut config = ClientConfig::new();
    config
        .set("client.id", "gyrus")
        // A client that was refused tries again within two seconds, so that an outage ends when it ends.
        .set("reconnect.backoff.max.ms", "2000")
        // New partitions of a topic are seen within half a minute.
        .set("topic.metadata.refresh.interval.ms", "30000")
        .set_log_level(RDKafkaLogLevel::Info);
    for (key, value) in &settings.properties {
        if let Some((_, why)) = RESERVED.iter().find(|(k, _)| k == key) {
            return Err(StreamError::Setting {
                key: format!("properties.\"{key}\""),
                reason: format!("is not yours to set: {why}"),
            });
        }
        config.set(key, value);
    }
    config.set("bootstrap.servers", &settings.brokers);
    config.set(
        "statistics.interval.ms",
        settings.statistics_interval_ms.max(100).to_string(),
    );
    Ok(config)
}

pub(crate) fn consumer(settings: &KafkaSettings) -> Result<ClientConfig, StreamError> {
    let invalid = |key: &str, reason: &str| StreamError::Setting {
        key: key.into(),
        reason: reason.into(),
    };
    if settings.group.is_empty() {
        return Err(invalid("group", "is empty"));
    }
    if settings.topics.iter().all(String::is_empty) {
        return Err(invalid("topics", "names no topic"));
    }
    if settings.batch_records == 0 || settings.batch_bytes == 0 {
        return Err(invalid("batch_records and batch_bytes", "must be above 0"));
    }
    let mut config = base(settings)?;
    // A process that was killed leaves its place in the group after six seconds (the least that brokers allow by
    // default), so that its successor does not wait for 45.
    for (key, value) in [("session.timeout.ms", "6000"), ("heartbeat.interval.ms", "2000")] {
        if !settings.properties.contains_key(key) {
            config.set(key, value);
        }
    }
    config
        .set("group.id", &settings.group)
        .set("enable.auto.commit", "false")
        .set("enable.auto.offset.store", "false")
        // The policy is ours: librdkafka's own reset would skip or repeat in silence.
        .set("auto.offset.reset", "error")
        .set("partition.assignment.strategy", "cooperative-sticky");
    Ok(config)
}

pub(crate) fn producer(settings: &KafkaSettings) -> Result<ClientConfig, StreamError> {
    let mut config = base(settings)?;
    config
        .set("enable.idempotence", "true")
        .set("acks", "all")
        // No limit: a record waits in order for as long as the brokers are away.
        .set("message.timeout.ms", "0")
        .set("partitioner", "murmur2_random");
    Ok(config)
}

pub(crate) fn admin(settings: &KafkaSettings) -> Result<ClientConfig, StreamError> {
    base(settings)
}

/// An error of making a client, said so that the key to change stands in it. Values are left out: they may be secrets.
pub(crate) fn creation_error(error: KafkaError) -> StreamError {
    match error {
        KafkaError::ClientConfig(_, reason, key, _) => StreamError::Setting {
            key: format!("properties.\"{key}\""),
            reason,
        },
        other => StreamError::Fatal {
            reason: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> KafkaSettings {
        KafkaSettings {
            brokers: "127.0.0.1:1".into(),
            ..KafkaSettings::default()
        }
    }

    #[test]
    fn properties_pass_through_and_reserved_ones_are_refused() {
        let mut s = settings();
        s.properties.insert("security.protocol".into(), "sasl_ssl".into());
        s.properties
            .insert("sasl.mechanisms".into(), "SCRAM-SHA-512".into());
        s.properties.insert("sasl.username".into(), "u".into());
        s.properties.insert("sasl.password".into(), "p".into());
        s.properties.insert("client.id".into(), "mine".into());
        let c = consumer(&s).unwrap();
        assert_eq!(c.get("sasl.mechanisms"), Some("SCRAM-SHA-512"));
        assert_eq!(c.get("client.id"), Some("mine"));
        c.create_native_config()
            .expect("librdkafka was built with TLS and SCRAM");

        s.properties.insert("enable.auto.commit".into(), "true".into());
        let error = consumer(&s).unwrap_err().to_string();
        assert!(
            error.contains("enable.auto.commit") && error.contains("durable"),
            "{error}"
        );
    }

    #[test]
    fn an_unknown_property_is_named_and_values_are_not_shown() {
        let mut s = settings();
        s.properties.insert("sasl.pasword".into(), "hush".into());
        let error = consumer(&s)
            .unwrap()
            .create_native_config()
            .map(|_| ())
            .unwrap_err();
        let text = creation_error(error).to_string();
        assert!(text.contains("sasl.pasword"), "{text}");
        assert!(!text.contains("hush"), "{text}");
    }

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let s = KafkaSettings::default();
        assert!(consumer(&s).unwrap_err().to_string().contains("brokers"));
        let s = KafkaSettings {
            topics: vec![],
            ..settings()
        };
        assert!(consumer(&s).unwrap_err().to_string().contains("topics"));
        let s = KafkaSettings {
            group: String::new(),
            ..settings()
        };
        assert!(consumer(&s).unwrap_err().to_string().contains("group"));
    }
}
