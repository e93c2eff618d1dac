//! The Kafka sink: publishes in order and waits until the brokers have it.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rdkafka::Statistics;
use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::future_producer::DeliveryFuture;
use rdkafka::producer::{FutureProducer, FutureRecord, Producer};

use super::status::{StatusCell, StreamStatus, any_broker_up};
use super::{KafkaSettings, Outgoing, PublishError, StreamError, config, group};

type Client = FutureProducer<Context>;

/// Wait before records are sent again: first, and at most.
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(2);
/// Records given to the client at once; the rest waits for them.
const WINDOW: usize = 1_000;

/// Where a record now stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    pub partition: i32,
    pub offset: i64,
}

/// Publishes records of an outbox, in order, until delivered. Cheap to clone; clones share one queue.
///
/// The producer is idempotent. An outage only delays: what is with the client is sent when the brokers
/// are back. A record appears twice only when the client failed for good or the caller gave up waiting
/// and published again. The client's own thread ends with the last clone.
#[derive(Clone)]
pub struct Publisher {
    shared: Arc<Shared>,
}

struct Shared {
    settings: KafkaSettings,
    status: StatusCell,
    client: Mutex<Client>,
    /// Held for a whole batch, so that two callers do not mix their order.
    turn: tokio::sync::Mutex<()>,
}

struct Context {
    status: StatusCell,
}

impl ClientContext for Context {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        group::log(level, facility, message);
    }

    fn stats(&self, statistics: Statistics) {
        self.status.set_connected(any_broker_up(&statistics));
    }

    fn error(&self, error: KafkaError, reason: &str) {
        if error.rdkafka_error_code() == Some(RDKafkaErrorCode::AllBrokersDown) {
            self.status.set_connected(false);
        }
        tracing::warn!(target: "gyrus::stream", "kafka producer: {reason}");
        self.status.error(reason.to_owned());
    }
}

impl Publisher {
    /// Makes the client; it connects in the background.
    pub fn new(settings: &KafkaSettings) -> Result<Publisher, StreamError> {
        let status = StatusCell::default();
        let client = client(settings, &status)?;
        Ok(Publisher {
            shared: Arc::new(Shared {
                settings: settings.clone(),
                status,
                client: Mutex::new(client),
                turn: tokio::sync::Mutex::new(()),
            }),
        })
    }

    /// `connected` and `last_error` of the producer; it has no partitions.
    pub fn status(&self) -> StreamStatus {
        self.shared.status.get()
    }

    /// Publishes one record; returns when every in-sync replica has it.
    pub async fn publish(&self, record: Outgoing) -> Result<Delivered, PublishError> {
        let mut delivered = None;
        self.publish_all(std::slice::from_ref(&record), |_, d| delivered = Some(d))
            .await
            .map_err(|(_, e)| e)?;
        delivered.ok_or(PublishError::Closed { topic: record.topic })
    }

    /// Publishes records in order, many on their way at once. `delivered` is called for each, in order.
    ///
    /// Waits as long as an outage lasts; dropping the future gives up waiting (records on their way may
    /// still arrive). A failure that may pass (a leader moves, a coordinator loads) sends again from the
    /// first record that failed on, so the order holds and only copies repeat.
    ///
    /// # Errors
    /// The index of the first record that the brokers will never take, and why. Those before it are
    /// delivered; those after it are to be published again.
    pub async fn publish_all(
        &self,
        records: &[Outgoing],
        mut delivered: impl FnMut(usize, Delivered),
    ) -> Result<(), (usize, PublishError)> {
        let _turn = self.shared.turn.lock().await;
        let mut done = 0;
        let mut retry = FIRST_RETRY;
        while done < records.len() {
            let client = self.shared.client.lock().clone();
            let end = records.len().min(done + WINDOW);
            let (sent, refused) = send(&client, &records[done..end]);
            let mut failure = None;
            for future in sent {
                let outcome = match future.await {
                    Ok(Ok(d)) => Ok(Delivered {
                        partition: d.partition,
                        offset: d.offset,
                    }),
                    Ok(Err((error, _))) => Err(error),
                    Err(_) => Err(KafkaError::Canceled),
                };
                match outcome {
                    // After a failure the rest is awaited, not counted: it is sent again.
                    Ok(d) if failure.is_none() => {
                        delivered(done, d);
                        done += 1;
                        retry = FIRST_RETRY;
                    }
                    Ok(_) => {}
                    Err(e) => failure = failure.or(Some(e)),
                }
            }
            let Some(error) = failure.or(refused) else {
                continue;
            };
            if final_error(&error) {
                return Err((
                    done,
                    PublishError::Refused {
                        topic: records[done].topic.clone(),
                        reason: error.to_string(),
                    },
                ));
            }
            if error.rdkafka_error_code() != Some(RDKafkaErrorCode::QueueFull) {
                tracing::warn!(target: "gyrus::stream", "publishing to {}: {error}; sent again", records[done].topic);
                self.shared.status.error(error.to_string());
            }
            self.renew_after_fatal_error(&client);
            tokio::time::sleep(retry).await;
            retry = (retry * 2).min(LAST_RETRY);
        }
        Ok(())
    }

    /// A client that failed for good (its sequence was lost) takes no more records: a new one does.
    fn renew_after_fatal_error(&self, client: &Client) {
        let Some((code, reason)) = client.client().fatal_error() else {
            return;
        };
        tracing::error!(target: "gyrus::stream", "the kafka producer failed for good ({code}: {reason}); a new one takes over");
        match self::client(&self.shared.settings, &self.shared.status) {
            Ok(new) => *self.shared.client.lock() = new,
            Err(e) => self.shared.status.error(e.to_string()),
        }
    }

    /// Waits up to `timeout` for records on their way.
    pub async fn close(&self, timeout: Duration) {
        let client = self.shared.client.lock().clone();
        let flushed = tokio::task::spawn_blocking(move || client.flush(timeout)).await;
        if !matches!(flushed, Ok(Ok(()))) {
            tracing::warn!(target: "gyrus::stream", "records were still on their way to kafka; the outbox has them");
        }
    }
}

fn client(settings: &KafkaSettings, status: &StatusCell) -> Result<Client, StreamError> {
    config::producer(settings)?
        .create_with_context(Context {
            status: status.clone(),
        })
        .map_err(config::creation_error)
}

/// Gives records to the client, in order, until it takes no more.
fn send(client: &Client, records: &[Outgoing]) -> (Vec<DeliveryFuture>, Option<KafkaError>) {
    let mut sent = Vec::with_capacity(records.len());
    for record in records {
        let mut headers = OwnedHeaders::new_with_capacity(record.headers.len());
        for (key, value) in &record.headers {
            headers = headers.insert(Header {
                key,
                value: Some(value),
            });
        }
        let mut out: FutureRecord<'_, [u8], [u8]> = FutureRecord::to(&record.topic).headers(headers);
        out.key = record.key.as_deref();
        out.payload = record.payload.as_deref();
        match client.send_result(out) {
            Ok(future) => sent.push(future),
            Err((error, _)) => return (sent, Some(error)),
        }
    }
    (sent, None)
}

/// Errors of the record itself, which sending it again does not mend. A topic that is missing or not
/// allowed is for a person to mend: until then nothing is thrown away.
fn final_error(error: &KafkaError) -> bool {
    matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::MessageSizeTooLarge
                | RDKafkaErrorCode::MessageBatchTooLarge
                | RDKafkaErrorCode::InvalidRecord
        )
    )
}
