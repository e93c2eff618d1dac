//! The Kafka source: one named thread that polls, delivers batches to the sink and never blocks on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::TopicPartitionList;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::group::Group;
use super::status::StatusCell;
use super::topics::ensure_topics;
use super::{KafkaSettings, RecordSink, SinkClosed, StreamError, TopicPartition, config, reanchor};

/// Name of the task and of its thread.
pub const KAFKA_SOURCE: &str = "gyrus-kafka";

/// Longest wait of one poll when nothing is going on, and when a delivery may end at any moment.
const IDLE_POLL: Duration = Duration::from_millis(100);
const BUSY_POLL: Duration = Duration::from_millis(5);
/// How long a full lane is waited for before its partition is paused.
const PATIENCE: Duration = Duration::from_millis(200);
/// Records taken in one go before deliveries are looked after.
const DRAIN: usize = 1_000;
/// Longest wait for the brokers when the group is left.
const LEAVE: Duration = Duration::from_secs(3);
/// Between tries to bring back a partition whose position the broker refused, and to reach brokers at start.
const RETRY: Duration = Duration::from_secs(1);
const WATERMARK_TIMEOUT: Duration = Duration::from_secs(2);

/// A consumer-group member that feeds a [`RecordSink`].
///
/// Owner: whoever awaits [`KafkaSource::run`]. Ends on the shutdown channel, when the returned future
/// is dropped, when the sink closes, or on an error that trying again does not mend; outages are not
/// errors.
pub struct KafkaSource {
    settings: KafkaSettings,
    sink: Arc<dyn RecordSink>,
    status: StatusCell,
}

impl KafkaSource {
    /// Checks the settings; connects to nothing.
    pub fn new(settings: KafkaSettings, sink: Arc<dyn RecordSink>) -> Result<KafkaSource, StreamError> {
        config::consumer(&settings)?
            .create_native_config()
            .map_err(config::creation_error)?;
        Ok(KafkaSource {
            settings,
            sink,
            status: StatusCell::default(),
        })
    }

    /// A handle that outlives the source.
    pub fn status(&self) -> StatusCell {
        self.status.clone()
    }

    /// Reads until `shutdown` turns true (or its sender is gone). Then everything accepted has been
    /// made durable by the sink, committed to Kafka, and the group was left.
    pub async fn run(self, mut shutdown: watch::Receiver<bool>) -> Result<(), StreamError> {
        let status = self.status.clone();
        let result = self.run_until(&mut shutdown).await;
        status.stopped();
        result
    }

    async fn run_until(self, shutdown: &mut watch::Receiver<bool>) -> Result<(), StreamError> {
        if !self.prepare_topics(shutdown).await? {
            return Ok(());
        }
        let stop = StopOnDrop(Arc::new(AtomicBool::new(false)));
        let stopping = stop.0.clone();
        let (done, ended) = oneshot::channel();
        let group = Group::new(self.settings, self.sink, self.status, Handle::current());
        std::thread::Builder::new()
            .name(KAFKA_SOURCE.into())
            .spawn(move || {
                let _ = done.send(poll_loop(group, &stopping));
            })
            .map_err(|e| StreamError::Died {
                name: KAFKA_SOURCE,
                reason: e.to_string(),
            })?;
        tokio::pin!(ended);
        let ended = tokio::select! {
            ended = &mut ended => ended,
            () = stopped(shutdown) => {
                stop.0.store(true, Ordering::Release);
                ended.await
            }
        };
        ended.unwrap_or_else(|_| {
            Err(StreamError::Died {
                name: KAFKA_SOURCE,
                reason: "its thread panicked; see standard error".into(),
            })
        })
    }

    /// Topics are there, or were made. False when told to stop meanwhile.
    async fn prepare_topics(&self, shutdown: &mut watch::Receiver<bool>) -> Result<bool, StreamError> {
        loop {
            let tried = tokio::select! {
                tried = ensure_topics(&self.settings) => tried,
                () = stopped(shutdown) => return Ok(false),
            };
            match tried {
                Ok(()) => return Ok(true),
                Err(e) if e.is_retriable() => {
                    tracing::warn!(target: "gyrus::stream", "{e}; trying again");
                    self.status.error(e.to_string());
                }
                Err(e) => return Err(e),
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = stopped(shutdown) => return Ok(false),
            }
        }
    }
}

/// Stops the thread also when nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Returns when told to stop; a sender that is gone says so too.
pub(crate) async fn stopped(shutdown: &mut watch::Receiver<bool>) {
    let _ = shutdown.wait_for(|stop| *stop).await;
}

fn poll_loop(group: Group, stopping: &AtomicBool) -> Result<(), StreamError> {
    let settings = group.settings.clone();
    let consumer = BaseConsumer::from_config_and_context(&config::consumer(&settings)?, group)
        .map_err(config::creation_error)?;
    let topics = input_topics(&settings);
    consumer
        .subscribe(&topics.iter().map(String::as_str).collect::<Vec<_>>())
        .map_err(|e| StreamError::Fatal {
            reason: format!("subscribing to {}: {e}", topics.join(", ")),
        })?;
    let mut poller = Poller::new(&consumer, &settings);
    let result = loop {
        if stopping.load(Ordering::Acquire) {
            break Ok(());
        }
        if let Err(e) = poller.turn() {
            break Err(e);
        }
    };
    let group = consumer.context().clone();
    let all: Vec<_> = group
        .lanes
        .lock()
        .iter()
        .map(|l| TopicPartition::new(l.topic.clone(), l.partition))
        .collect();
    group.release(&consumer, &all);
    leave(consumer);
    result
}

/// Dropping the consumer leaves the group at once, so that others need not wait for a timeout. With
/// brokers away it waits for them, in vain for a minute: then it is left behind after [`LEAVE`].
fn leave(consumer: BaseConsumer<Group>) {
    let (done, left) = std::sync::mpsc::channel();
    let dropping = std::thread::Builder::new()
        .name("gyrus-kafka-leave".into())
        .spawn(move || {
            drop(consumer);
            // Nobody waits any more when it took too long.
            let _ = done.send(());
        });
    if dropping.is_ok() && left.recv_timeout(LEAVE).is_err() {
        tracing::warn!(target: "gyrus::stream", "the group could not be left: no broker answers");
    }
}

/// Topics that are read: events, then feedback.
pub(crate) fn input_topics(settings: &KafkaSettings) -> Vec<String> {
    let mut topics: Vec<String> = Vec::new();
    for topic in settings.topics.iter().chain([&settings.feedback_topic]) {
        if !topic.is_empty() && !topics.contains(topic) {
            topics.push(topic.clone());
        }
    }
    topics
}

/// The loop's own state.
struct Poller<'a> {
    consumer: &'a BaseConsumer<Group>,
    group: Arc<Group>,
    commit_every: Duration,
    committed_at: Instant,
    status_every: Duration,
    status_at: Instant,
    /// The broker refused a position; when to look which one.
    refused: Option<Instant>,
}

impl<'a> Poller<'a> {
    fn new(consumer: &'a BaseConsumer<Group>, settings: &KafkaSettings) -> Poller<'a> {
        let now = Instant::now();
        Poller {
            consumer,
            group: consumer.context().clone(),
            commit_every: Duration::from_millis(settings.commit_interval_ms),
            committed_at: now,
            status_every: Duration::from_millis(settings.statistics_interval_ms.max(100)),
            status_at: now,
            refused: None,
        }
    }

    /// One turn: take what has come, hand it on, look after progress.
    fn turn(&mut self) -> Result<(), StreamError> {
        self.take()?;
        self.dispatch()?;
        if let Some(failure) = self.group.take_failure() {
            return Err(failure);
        }
        if self.refused.is_some_and(|at| at <= Instant::now()) {
            self.refused = if reanchor::reanchor(self.consumer, &self.group)? {
                None
            } else {
                Some(Instant::now() + RETRY)
            };
        }
        if self.committed_at.elapsed() >= self.commit_every {
            self.group.commit_progress(self.consumer);
            self.committed_at = Instant::now();
        }
        if self.status_at.elapsed() >= self.status_every {
            self.look_at_paused();
            self.status_at = Instant::now();
        }
        self.group.publish_status();
        Ok(())
    }

    fn take(&mut self) -> Result<(), StreamError> {
        let (busy, full) = {
            let lanes = self.group.lanes.lock();
            (
                lanes.iter().any(|l| l.in_flight() || l.has_buffered()),
                lanes.iter().any(|l| l.is_full() && !l.paused),
            )
        };
        if full {
            // The delivery on its way wakes this thread; PATIENCE bounds how long polls are left out.
            std::thread::park_timeout(BUSY_POLL);
            return Ok(());
        }
        let mut wait = if busy { BUSY_POLL } else { IDLE_POLL };
        for _ in 0..DRAIN {
            match self.consumer.poll(wait) {
                Some(Ok(message)) => {
                    if self.group.accept(&message) {
                        break;
                    }
                }
                Some(Err(e)) => self.error(e)?,
                None => break,
            }
            wait = Duration::ZERO;
        }
        Ok(())
    }

    fn error(&mut self, error: KafkaError) -> Result<(), StreamError> {
        if let KafkaError::MessageConsumptionFatal(code) = error {
            return Err(StreamError::Fatal {
                reason: code.to_string(),
            });
        }
        if error.rdkafka_error_code() == Some(RDKafkaErrorCode::AutoOffsetReset) {
            self.refused.get_or_insert_with(Instant::now);
        }
        // Everything else was reported through `Group::error` and mends itself, or needs a person.
        Ok(())
    }

    /// Ends finished deliveries, starts the next ones, pauses and resumes.
    fn dispatch(&self) -> Result<(), StreamError> {
        let mut pause = TopicPartitionList::new();
        let mut resume = TopicPartitionList::new();
        let now = Instant::now();
        let mut lanes = self.group.lanes.lock();
        for lane in lanes.iter_mut() {
            if let Some(delivery) = lane.finished() {
                match self.group.runtime.block_on(delivery) {
                    Ok(Ok(())) => {}
                    Ok(Err(SinkClosed)) => return Err(SinkClosed.into()),
                    Err(e) => {
                        return Err(StreamError::Died {
                            name: "delivery",
                            reason: e.to_string(),
                        });
                    }
                }
            }
            if let Some(batch) = lane.next_batch() {
                let sink = self.group.sink.clone();
                let waiting = std::thread::current();
                lane.sent(self.group.runtime.spawn(async move {
                    let delivered = sink.deliver(batch).await;
                    waiting.unpark();
                    delivered
                }));
            }
            if lane.wants_pause(now, PATIENCE) {
                lane.paused = true;
                pause.add_partition(&lane.topic, lane.partition);
            } else if lane.wants_resume() {
                lane.paused = false;
                resume.add_partition(&lane.topic, lane.partition);
            }
        }
        drop(lanes);
        let refused = |what: &str, e: KafkaError| StreamError::Fatal {
            reason: format!("{what} of a partition: {e}"),
        };
        if pause.count() > 0 {
            self.consumer.pause(&pause).map_err(|e| refused("pausing", e))?;
        }
        if resume.count() > 0 {
            self.consumer
                .resume(&resume)
                .map_err(|e| refused("resuming", e))?;
        }
        Ok(())
    }

    /// Paused partitions are not fetched, so their high watermark must be asked for: one a time.
    fn look_at_paused(&self) {
        if !self.group.status.is_connected() {
            return;
        }
        let paused: Vec<_> = {
            let lanes = self.group.lanes.lock();
            lanes
                .iter()
                .filter(|l| l.paused)
                .map(|l| (l.topic.clone(), l.partition))
                .collect()
        };
        for (topic, partition) in paused {
            match self
                .consumer
                .fetch_watermarks(&topic, partition, WATERMARK_TIMEOUT)
            {
                Ok((low, high)) => self.group.status.mark(&topic, partition, low, high),
                Err(_) => break,
            }
        }
    }
}
