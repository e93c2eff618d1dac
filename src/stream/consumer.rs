//! The Kafka source: one named thread that polls, delivers batches to the sink and never blocks on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::{Offset, TopicPartitionList};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::group::Group;
use super::status::StatusCell;
use super::topics::ensure_topics;
use super::{Anomaly, KafkaSettings, OutOfRange, RecordSink, SinkClosed, StreamError, TopicPartition, config};

/// Name of the task and of its thread.
pub const KAFKA_SOURCE: &str = "gyrus-kafka";

/// Longest wait of one poll when nothing is going on, and when a delivery may end at any moment.
const IDLE_POLL: Duration = Duration::from_millis(100);
const BUSY_POLL: Duration = Duration::from_millis(5);
/// Records taken in one go before deliveries are looked after.
const DRAIN: usize = 1_000;
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
        config::consumer(&settings)?.create_native_config().map_err(config::creation_error)?;
        Ok(KafkaSource { settings, sink, status: StatusCell::default() })
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
            .map_err(|e| StreamError::Died { name: KAFKA_SOURCE, reason: e.to_string() })?;
        tokio::pin!(ended);
        let ended = tokio::select! {
            ended = &mut ended => ended,
            () = stopped(shutdown) => {
                stop.0.store(true, Ordering::Release);
                ended.await
            }
        };
        ended.unwrap_or_else(|_| {
            Err(StreamError::Died { name: KAFKA_SOURCE, reason: "its thread panicked; see standard error".into() })
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
        .map_err(|e| StreamError::Fatal { reason: format!("subscribing to {}: {e}", topics.join(", ")) })?;
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
    let all: Vec<_> =
        group.lanes.lock().iter().map(|l| TopicPartition::new(l.topic.clone(), l.partition)).collect();
    group.release(&consumer, &all);
    // Dropping the consumer leaves the group at once, so that others need not wait for a timeout.
    drop(consumer);
    result
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
            self.refused = if self.reanchor()? { None } else { Some(Instant::now() + RETRY) };
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
        let busy = self.group.lanes.lock().iter().any(|l| l.in_flight() || l.has_buffered());
        let mut wait = if busy { BUSY_POLL } else { IDLE_POLL };
        for _ in 0..DRAIN {
            match self.consumer.poll(wait) {
                Some(Ok(message)) => self.group.accept(&message),
                Some(Err(e)) => self.error(e)?,
                None => break,
            }
            wait = Duration::ZERO;
        }
        Ok(())
    }

    fn error(&mut self, error: KafkaError) -> Result<(), StreamError> {
        if let KafkaError::MessageConsumptionFatal(code) = error {
            return Err(StreamError::Fatal { reason: code.to_string() });
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
        let mut lanes = self.group.lanes.lock();
        for lane in lanes.iter_mut() {
            if let Some(delivery) = lane.finished() {
                match self.group.runtime.block_on(delivery) {
                    Ok(Ok(())) => {}
                    Ok(Err(SinkClosed)) => return Err(SinkClosed.into()),
                    Err(e) => return Err(StreamError::Died { name: "delivery", reason: e.to_string() }),
                }
            }
            if let Some(batch) = lane.next_batch() {
                let sink = self.group.sink.clone();
                lane.sent(self.group.runtime.spawn(async move { sink.deliver(batch).await }));
            }
            if lane.wants_pause() {
                lane.paused = true;
                pause.add_partition(&lane.topic, lane.partition);
            } else if lane.wants_resume() {
                lane.paused = false;
                resume.add_partition(&lane.topic, lane.partition);
            }
        }
        drop(lanes);
        let refused = |what: &str, e: KafkaError| StreamError::Fatal { reason: format!("{what} of a partition: {e}") };
        if pause.count() > 0 {
            self.consumer.pause(&pause).map_err(|e| refused("pausing", e))?;
        }
        if resume.count() > 0 {
            self.consumer.resume(&resume).map_err(|e| refused("resuming", e))?;
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
            lanes.iter().filter(|l| l.paused).map(|l| (l.topic.clone(), l.partition)).collect()
        };
        for (topic, partition) in paused {
            match self.consumer.fetch_watermarks(&topic, partition, WATERMARK_TIMEOUT) {
                Ok((low, high)) => self.group.status.mark(&topic, partition, low, high),
                Err(_) => break,
            }
        }
    }

    /// Finds the partitions whose position is outside of the topic and applies the policy. The client
    /// does not say which one it was, and the refused partition stays still until it is taken anew.
    /// False: not possible now (broker away, or records of before the jump still to be delivered).
    fn reanchor(&self) -> Result<bool, StreamError> {
        let lanes: Vec<_> = {
            let lanes = self.group.lanes.lock();
            lanes.iter().map(|l| (TopicPartition::new(l.topic.clone(), l.partition), l.next, l.is_idle())).collect()
        };
        let mut outside = Vec::new();
        for (p, next, idle) in &lanes {
            let Ok((low, high)) = self.consumer.fetch_watermarks(&p.topic, p.partition, WATERMARK_TIMEOUT) else {
                return Ok(false);
            };
            self.group.status.mark(&p.topic, p.partition, low, high);
            if let Some(position) = next.filter(|n| *n < low || *n > high) {
                if !idle {
                    return Ok(false);
                }
                outside.push((p.clone(), position, low, high));
            }
        }
        let mut taken = TopicPartitionList::new();
        for (p, position, low, high) in outside {
            let resumed_at = match self.group.settings.out_of_range {
                OutOfRange::Earliest => Some(low),
                OutOfRange::Latest => Some(high),
                OutOfRange::Fail => None,
            };
            let anomaly = Anomaly::OutOfRange { partition: p.clone(), position, low, high, resumed_at };
            self.group.report(anomaly.clone());
            let Some(at) = resumed_at else { return Err(StreamError::OutOfRange(anomaly)) };
            if let Some(lane) = self.group.lanes.lock().get_mut(&p.topic, p.partition) {
                lane.jump(at);
            }
            self.add(&mut taken, &p, Some(at))?;
        }
        if taken.count() == 0 {
            // None is outside any more: which one it was cannot be told, so all are taken anew where they stand.
            for (p, next, _) in &lanes {
                self.add(&mut taken, p, *next)?;
            }
        }
        self.retake(&taken)?;
        Ok(true)
    }

    fn add(&self, list: &mut TopicPartitionList, p: &TopicPartition, next: Option<i64>) -> Result<(), StreamError> {
        let offset: Offset = self.group.anchor(next);
        list.add_partition_offset(&p.topic, p.partition, offset)
            .map_err(|e| StreamError::Fatal { reason: format!("{p}: position {offset:?}: {e}") })
    }

    fn retake(&self, list: &TopicPartitionList) -> Result<(), StreamError> {
        if list.count() == 0 {
            return Ok(());
        }
        let failed = |e: KafkaError| StreamError::Fatal { reason: format!("partitions could not be taken anew: {e}") };
        self.consumer.incremental_unassign(list).map_err(failed)?;
        self.consumer.incremental_assign(list).map_err(failed)?;
        // A partition that is taken anew is not paused.
        let mut lanes = self.group.lanes.lock();
        for element in list.elements() {
            if let Some(lane) = lanes.get_mut(element.topic(), element.partition()) {
                lane.paused = false;
            }
        }
        Ok(())
    }
}
