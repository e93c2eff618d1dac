//! A plain Kafka client that the tests compare ours with.

use std::time::{Duration, Instant};

use rdkafka::admin::{AdminClient, AdminOptions};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::message::{Headers, Message};
use rdkafka::producer::{FutureProducer, FutureRecord};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};

use gyrus::stream::{KafkaSettings, Record};

/// Every wait of these tests ends here at the latest; none is expected to come near.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A name that no other test or run has.
pub fn unique(what: &str) -> String {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let nanos = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.subsec_nanos());
    format!("test-{what}-{}-{n}-{nanos}", std::process::id())
}

pub fn settings(broker: &str, what: &str, partitions: i32) -> KafkaSettings {
    KafkaSettings {
        brokers: broker.into(),
        topics: vec![unique(what)],
        group: unique("group"),
        feedback_topic: String::new(),
        intents_topic: String::new(),
        dead_letters_topic: String::new(),
        partitions,
        commit_interval_ms: 100,
        statistics_interval_ms: 200,
        ..KafkaSettings::default()
    }
}

/// Waits until `holds`; looks again every 20 ms, as nothing tells when another process gets there.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < DEADLINE,
            "waited {DEADLINE:?} for this in vain: {what}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn config(broker: &str) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", broker);
    config
}

/// Produces values `0..count` as text to one partition.
pub async fn produce_numbers(broker: &str, topic: &str, partition: i32, range: std::ops::Range<usize>) {
    let producer: FutureProducer = config(broker).set("enable.idempotence", "true").create().unwrap();
    let values: Vec<String> = range.map(|n| n.to_string()).collect();
    let sent: Vec<_> = values
        .iter()
        .map(|v| {
            producer
                .send_result(
                    FutureRecord::<(), String>::to(topic)
                        .partition(partition)
                        .payload(v),
                )
                .unwrap()
        })
        .collect();
    for delivery in sent {
        delivery.await.unwrap().unwrap();
    }
}

pub async fn produce(broker: &str, topic: &str, key: Option<&str>, value: Option<&[u8]>) {
    let producer: FutureProducer = config(broker).create().unwrap();
    let mut record: FutureRecord<'_, str, [u8]> = FutureRecord::to(topic);
    (record.key, record.payload) = (key, value);
    producer.send(record, DEADLINE).await.unwrap();
}

/// What Kafka has committed for a group.
pub fn committed(broker: &str, group: &str, topic: &str, partition: i32) -> Option<i64> {
    let consumer: BaseConsumer = config(broker).set("group.id", group).create().unwrap();
    let mut list = TopicPartitionList::new();
    list.add_partition(topic, partition);
    let found = consumer.committed_offsets(list, Duration::from_secs(10)).unwrap();
    match found.elements()[0].offset() {
        Offset::Offset(n) => Some(n),
        _ => None,
    }
}

pub fn commit(broker: &str, group: &str, topic: &str, partition: i32, next: i64) {
    let consumer: BaseConsumer = config(broker).set("group.id", group).create().unwrap();
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, partition, Offset::Offset(next))
        .unwrap();
    consumer.commit(&list, CommitMode::Sync).unwrap();
}

fn admin(broker: &str) -> AdminClient<DefaultClientContext> {
    config(broker).create().unwrap()
}

/// Deletes the records before `next`, as retention does.
pub async fn expire(broker: &str, topic: &str, partition: i32, next: i64) {
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, partition, Offset::Offset(next))
        .unwrap();
    admin(broker)
        .delete_records(&list, &AdminOptions::new())
        .await
        .unwrap();
}

pub fn partitions(broker: &str, topic: &str) -> usize {
    let admin = admin(broker);
    let metadata = admin
        .inner()
        .fetch_metadata(Some(topic), Duration::from_secs(10))
        .unwrap();
    metadata.topics()[0].partitions().len()
}

/// Reads a topic of one partition from its beginning until `count` records came.
pub async fn read(broker: &str, topic: &str, count: usize) -> Vec<Record> {
    let (broker, topic) = (broker.to_owned(), topic.to_owned());
    tokio::task::spawn_blocking(move || {
        let consumer: BaseConsumer = config(&broker)
            .set("group.id", unique("reader"))
            .create()
            .unwrap();
        let mut list = TopicPartitionList::new();
        list.add_partition_offset(&topic, 0, Offset::Beginning).unwrap();
        consumer.assign(&list).unwrap();
        let begin = Instant::now();
        let mut records = Vec::new();
        while records.len() < count {
            assert!(
                begin.elapsed() < DEADLINE,
                "read {} of {count} records of {topic}",
                records.len()
            );
            let Some(Ok(m)) = consumer.poll(Duration::from_millis(100)) else {
                continue;
            };
            let headers = m.headers().map_or_else(Vec::new, |hs| {
                hs.iter()
                    .map(|h| (h.key.to_owned(), h.value.unwrap_or_default().to_vec()))
                    .collect()
            });
            records.push(Record {
                topic: topic.as_str().into(),
                partition: m.partition(),
                offset: m.offset(),
                key: m.key().map(<[u8]>::to_vec),
                value: m.payload().map(<[u8]>::to_vec),
                headers,
                timestamp_ms: m.timestamp().to_millis(),
                defect: None,
            });
        }
        records
    })
    .await
    .unwrap()
}
