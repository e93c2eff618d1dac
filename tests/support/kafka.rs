//! A plain Kafka client: topics, records in, records out.

use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Header, Headers, Message, OwnedHeaders};
use rdkafka::producer::{BaseRecord, DefaultProducerContext, Producer, ThreadedProducer};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};

use gyrus::stream::{KafkaSettings, ensure_topics};

use super::{DEADLINE, Launch, unique};

/// Topics and group of one run of the daemon.
#[derive(Clone)]
pub struct Topics {
    pub broker: String,
    pub events: String,
    pub intents: String,
    pub dead: String,
    pub group: String,
}

impl Topics {
    pub fn new(broker: &str) -> Topics {
        Topics {
            broker: broker.to_owned(),
            events: unique("events"),
            intents: unique("intents"),
            dead: unique("dead"),
            group: unique("group"),
        }
    }

    /// The same events for another group that writes to topics of its own.
    pub fn other_run(&self) -> Topics {
        Topics {
            events: self.events.clone(),
            ..Topics::new(&self.broker)
        }
    }

    pub fn create_events(&self, partitions: i32) {
        let settings = KafkaSettings {
            brokers: self.broker.clone(),
            topics: vec![self.events.clone()],
            feedback_topic: String::new(),
            intents_topic: self.intents.clone(),
            dead_letters_topic: self.dead.clone(),
            partitions,
            ..KafkaSettings::default()
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        runtime
            .expect("a runtime")
            .block_on(ensure_topics(&settings))
            .expect("topics can be made");
    }

    /// A daemon that reads them. A dead member of the group is noticed in a second and a half, not in 45.
    pub fn launch(&self, dir: &std::path::Path) -> Launch {
        Launch::new(dir)
            .arg("--kafka", &self.broker)
            .arg("--topic", &self.events)
            .arg("--group", &self.group)
            .set("kafka.feedback_topic", "")
            .set("kafka.intents_topic", &self.intents)
            .set("kafka.dead_letters_topic", &self.dead)
            .set("kafka.commit_interval_ms", 100)
            .set("kafka.statistics_interval_ms", 200)
            .set("kafka.properties.session_timeout_ms", 1_500)
            .set("kafka.properties.heartbeat_interval_ms", 300)
            .set("runtime.tick_seconds", 0)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Out {
    pub key: Option<String>,
    pub value: Option<Vec<u8>>,
    pub headers: Vec<(String, String)>,
    pub partition: Option<i32>,
}

impl Out {
    pub fn of(space: &str, event: &serde_json::Value) -> Out {
        Out {
            key: Some(space.to_owned()),
            value: Some(event.to_string().into_bytes()),
            ..Out::default()
        }
    }
}

fn config(broker: &str) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", broker);
    config
}

/// Produces in order and waits until the broker has all.
pub fn produce(broker: &str, topic: &str, records: &[Out]) {
    let producer: ThreadedProducer<DefaultProducerContext> = config(broker)
        .set("enable.idempotence", "true")
        .create()
        .expect("a producer");
    let before = end(broker, topic);
    for r in records {
        let mut record: BaseRecord<'_, str, [u8]> = BaseRecord::to(topic);
        (record.key, record.payload, record.partition) = (r.key.as_deref(), r.value.as_deref(), r.partition);
        if !r.headers.is_empty() {
            let mut headers = OwnedHeaders::new();
            for (key, value) in &r.headers {
                headers = headers.insert(Header {
                    key,
                    value: Some(value),
                });
            }
            record = record.headers(headers);
        }
        producer
            .send(record)
            .map_err(|(e, _)| e)
            .expect("the queue holds it");
    }
    producer.flush(DEADLINE).expect("the broker takes them");
    assert_eq!(
        end(broker, topic) - before,
        records.len() as i64,
        "records that the broker took"
    );
}

/// Records in a topic since its making, over all partitions.
pub fn end(broker: &str, topic: &str) -> i64 {
    marks(broker, topic).iter().map(|(_, _, high)| high).sum()
}

fn marks(broker: &str, topic: &str) -> Vec<(i32, i64, i64)> {
    let consumer: BaseConsumer = config(broker)
        .set("group.id", unique("marks"))
        .create()
        .expect("a consumer");
    let begin = Instant::now();
    loop {
        let metadata = consumer
            .fetch_metadata(Some(topic), Duration::from_secs(10))
            .expect("metadata");
        let partitions = metadata.topics()[0].partitions();
        let found: Result<Vec<_>, _> = partitions
            .iter()
            .map(|p| {
                let m = consumer.fetch_watermarks(topic, p.id(), Duration::from_secs(10));
                m.map(|(low, high)| (p.id(), low, high))
            })
            .collect();
        match found {
            Ok(f) if !f.is_empty() => return f,
            // A topic that was just made has no leader for a moment.
            _ => assert!(begin.elapsed() < DEADLINE, "{topic} has no leader: {found:?}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[derive(Clone, Debug)]
pub struct In {
    pub partition: i32,
    pub offset: i64,
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub headers: Vec<(String, Vec<u8>)>,
}

impl In {
    pub fn header(&self, name: &str) -> String {
        let found = self.headers.iter().find(|(k, _)| k == name);
        found
            .map(|(_, v)| String::from_utf8_lossy(v).into_owned())
            .unwrap_or_default()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.value).expect("JSON")
    }

    /// Key, value and headers in one.
    pub fn bytes(&self) -> Vec<u8> {
        let mut all = [self.key.clone(), self.value.clone()].concat();
        self.headers
            .iter()
            .for_each(|(k, v)| all.extend([k.as_bytes(), v].concat()));
        all
    }
}

/// Everything that is in a topic now.
pub fn read(broker: &str, topic: &str) -> Vec<In> {
    let consumer: BaseConsumer = config(broker)
        .set("group.id", unique("reader"))
        .create()
        .expect("a consumer");
    let marks = marks(broker, topic);
    let mut list = TopicPartitionList::new();
    let mut left: i64 = 0;
    for (p, low, high) in &marks {
        left += high - low;
        list.add_partition_offset(topic, *p, Offset::Beginning)
            .expect("a partition");
    }
    consumer.assign(&list).expect("an assignment");
    let begin = Instant::now();
    let mut records = Vec::new();
    while left > 0 {
        assert!(
            begin.elapsed() < DEADLINE,
            "{left} records of {topic} do not come"
        );
        let Some(Ok(m)) = consumer.poll(Duration::from_millis(100)) else {
            continue;
        };
        if marks
            .iter()
            .all(|(p, _, high)| *p != m.partition() || m.offset() >= *high)
        {
            continue;
        }
        left -= 1;
        let headers = m.headers().map_or_else(Vec::new, |hs| {
            hs.iter()
                .map(|h| (h.key.to_owned(), h.value.unwrap_or_default().to_vec()))
                .collect()
        });
        records.push(In {
            partition: m.partition(),
            offset: m.offset(),
            key: m.key().unwrap_or_default().to_vec(),
            value: m.payload().unwrap_or_default().to_vec(),
            headers,
        });
    }
    records
}
