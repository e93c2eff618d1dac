//! Kafka as a target: an idempotent producer that keys every record by its space, as Kafka's own clients do.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::{ClientContext, DefaultClientContext};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer, ProducerContext};

use crate::outgoing::Outgoing;
use crate::target::{Tally, Target};

/// To reach a broker, and to create or delete topics.
const BROKER_WAIT: Duration = Duration::from_secs(10);
/// Most that the end of a run waits for acknowledgements.
const DELIVERY_WAIT: Duration = Duration::from_secs(60);

/// Counts what the brokers acknowledged.
#[derive(Clone, Default)]
struct Deliveries(Arc<Mutex<Tally>>);

impl Deliveries {
    /// The tally; a thread that panicked while it held it left it whole.
    fn tally(&self) -> std::sync::MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl ClientContext for Deliveries {
    /// Silent: what goes wrong is in the delivery, and an outage is waited for.
    fn log(&self, _: rdkafka::config::RDKafkaLogLevel, _: &str, _: &str) {}
    fn error(&self, _: KafkaError, _: &str) {}
}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = ();

    fn delivery(&self, result: &DeliveryResult<'_>, (): ()) {
        match result {
            Ok(_) => self.tally().add("delivered", None),
            Err((e, record)) => {
                let key = String::from_utf8_lossy(record.key().unwrap_or_default()).into_owned();
                self.tally()
                    .add("failed", Some(format!("a record of space {key}: {e}")));
            }
        }
    }
}

pub struct Kafka {
    producer: BaseProducer<Deliveries>,
    deliveries: Deliveries,
    topic: String,
}

impl Kafka {
    /// Connects and looks for the topic.
    ///
    /// # Errors
    /// When no broker answers, or the topic is not there: how to make it is in the message.
    pub fn connect(brokers: &str, topic: &str) -> Result<Kafka> {
        let deliveries = Deliveries::default();
        let producer: BaseProducer<Deliveries> = config(brokers)
            .set("enable.idempotence", "true")
            .set("acks", "all")
            .set("partitioner", "murmur2_random")
            .set("linger.ms", "5")
            .set("message.timeout.ms", DELIVERY_WAIT.as_millis().to_string())
            .create_with_context(deliveries.clone())
            .context("making a Kafka producer")?;
        if partitions(producer.client(), brokers, topic)? == 0 {
            bail!(
                "topic {topic} is not at {brokers}; start `gyrus serve --kafka {brokers}` first, which makes it, \
                 or give --create-topic PARTITIONS"
            );
        }
        Ok(Kafka {
            producer,
            deliveries,
            topic: topic.to_owned(),
        })
    }
}

impl Target for Kafka {
    fn send(&mut self, event: Outgoing) -> Result<()> {
        let line = event.line();
        let mut record = BaseRecord::to(&self.topic).key(&event.space).payload(&line);
        let deadline = Instant::now() + DELIVERY_WAIT;
        loop {
            match self.producer.send(record) {
                Ok(()) => break,
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back))
                    if Instant::now() < deadline =>
                {
                    self.producer.poll(Duration::from_millis(20));
                    record = back;
                }
                Err((e, _)) => return Err(anyhow!("sending to {}: {e}", self.topic)),
            }
        }
        // Takes the acknowledgements that are there; waits for none.
        self.producer.poll(Duration::ZERO);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.producer.poll(Duration::ZERO);
        Ok(())
    }

    fn finish(&mut self) -> Result<Tally> {
        self.producer.flush(DELIVERY_WAIT).map_err(|e| {
            anyhow!(
                "{} records are not acknowledged: {e}",
                self.producer.in_flight_count()
            )
        })?;
        Ok(self.deliveries.tally().clone())
    }
}

fn config(brokers: &str) -> ClientConfig {
    let mut config = ClientConfig::new();
    config
        .set("bootstrap.servers", brokers)
        .set("client.id", "gyrus-sim");
    config
}

/// Partitions of a topic; 0 when it is not there.
fn partitions<C: ClientContext>(
    client: &rdkafka::client::Client<C>,
    brokers: &str,
    topic: &str,
) -> Result<usize> {
    let metadata = client
        .fetch_metadata(Some(topic), BROKER_WAIT)
        .map_err(|e| anyhow!("no Kafka broker answers at {brokers}: {e}"))?;
    Ok(metadata
        .topics()
        .iter()
        .filter(|t| t.name() == topic)
        .map(|t| t.partitions().len())
        .sum())
}

/// Makes a topic with the broker's time of receipt, as the daemon does; one that is there is left alone.
pub fn create_topic(brokers: &str, topic: &str, count: i32) -> Result<()> {
    let admin: AdminClient<DefaultClientContext> =
        config(brokers).create().context("making a Kafka admin client")?;
    if partitions(admin.inner(), brokers, topic)? > 0 {
        return Ok(());
    }
    let new = NewTopic::new(topic, count.max(1), TopicReplication::Fixed(-1))
        .set("message.timestamp.type", "LogAppendTime");
    for result in block_on(admin.create_topics([&new], &options()))?? {
        match result {
            Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
            Err((topic, code)) => bail!("topic {topic} cannot be created: {code}"),
        }
    }
    // The controller has it at once; the broker that serves it may take a moment.
    let deadline = Instant::now() + BROKER_WAIT;
    while partitions(admin.inner(), brokers, topic)? == 0 {
        if Instant::now() > deadline {
            bail!("topic {topic} was created and does not appear at {brokers}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Deletes topics; those that are not there are no error.
pub fn delete_topics(brokers: &str, topics: &[&str]) -> Result<()> {
    let admin: AdminClient<DefaultClientContext> =
        config(brokers).create().context("making a Kafka admin client")?;
    for result in block_on(admin.delete_topics(topics, &options()))?? {
        match result {
            Ok(_) | Err((_, RDKafkaErrorCode::UnknownTopicOrPartition)) => {}
            Err((topic, code)) => bail!("topic {topic} cannot be deleted: {code}"),
        }
    }
    Ok(())
}

fn options() -> AdminOptions {
    AdminOptions::new()
        .request_timeout(Some(BROKER_WAIT))
        .operation_timeout(Some(BROKER_WAIT))
}

fn block_on<T>(work: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting a runtime")?;
    Ok(runtime.block_on(work))
}
