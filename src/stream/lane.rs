//! The way of one partition through the source: a bounded buffer and one delivery at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::{Record, RecordBatch, SinkClosed, SourceKind};

/// Bounds of one batch; a lane that holds twice as much is full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub records: usize,
    pub bytes: usize,
}

pub(crate) struct Lane {
    pub topic: Arc<str>,
    pub partition: i32,
    /// Next offset expected from the broker; `None` until the first record when reading began at an
    /// end of the topic.
    pub next: Option<i64>,
    /// Where reading began: the position at the assignment, else the first record.
    pub from: Option<i64>,
    /// Offset last committed to Kafka.
    pub committed: Option<i64>,
    pub paused: bool,
    /// Set when the position went back; travels with the next batch.
    rewound: bool,
    buffer: VecDeque<Record>,
    bytes: usize,
    in_flight: Option<JoinHandle<Result<(), SinkClosed>>>,
    /// Since when the lane is full.
    full_since: Option<Instant>,
    bounds: Bounds,
}

impl Lane {
    pub fn new(topic: Arc<str>, partition: i32, next: Option<i64>, bounds: Bounds) -> Lane {
        Lane {
            topic,
            partition,
            next,
            from: next,
            committed: None,
            paused: false,
            rewound: false,
            buffer: VecDeque::new(),
            bytes: 0,
            in_flight: None,
            full_since: None,
            bounds,
        }
    }

    /// Takes a record; false when it was seen before (after a seek the client may repeat).
    pub fn push(&mut self, record: Record) -> bool {
        if self.next.is_some_and(|next| record.offset < next) {
            return false;
        }
        self.from.get_or_insert(record.offset);
        self.next = Some(record.next_offset());
        self.bytes += record.bytes();
        self.buffer.push_back(record);
        true
    }

    /// Reading goes on elsewhere. Only for an idle lane, else batches would mix two histories.
    pub fn jump(&mut self, to: i64) {
        debug_assert!(self.is_idle());
        self.rewound |= self.next.is_some_and(|next| to < next);
        self.next = Some(to);
    }

    pub fn is_idle(&self) -> bool {
        self.buffer.is_empty() && self.in_flight.is_none()
    }

    pub fn is_full(&self) -> bool {
        self.buffer.len() >= self.bounds.records * 2 || self.bytes >= self.bounds.bytes * 2
    }

    /// Full for longer than `patience`. Pausing drops what the client fetched ahead, so a sink that
    /// only takes a moment is waited for instead.
    pub fn wants_pause(&mut self, now: Instant, patience: Duration) -> bool {
        if !self.is_full() {
            self.full_since = None;
            return false;
        }
        let since = *self.full_since.get_or_insert(now);
        !self.paused && now.duration_since(since) >= patience
    }

    /// Well below the bound, so that pausing (which drops what the client fetched ahead) is rare.
    pub fn wants_resume(&self) -> bool {
        self.paused && self.buffer.len() <= self.bounds.records / 2 && self.bytes <= self.bounds.bytes / 2
    }

    /// The next batch, when none is on its way.
    pub fn next_batch(&mut self) -> Option<RecordBatch> {
        if self.in_flight.is_some() || self.buffer.is_empty() {
            return None;
        }
        let mut records = Vec::with_capacity(self.buffer.len().min(self.bounds.records));
        let mut bytes = 0;
        while records.len() < self.bounds.records && (records.is_empty() || bytes < self.bounds.bytes) {
            let Some(record) = self.buffer.pop_front() else {
                break;
            };
            bytes += record.bytes();
            records.push(record);
        }
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(RecordBatch {
            kind: SourceKind::Kafka,
            topic: self.topic.clone(),
            partition: self.partition,
            records,
            rewound: std::mem::take(&mut self.rewound),
        })
    }

    pub fn sent(&mut self, delivery: JoinHandle<Result<(), SinkClosed>>) {
        self.in_flight = Some(delivery);
    }

    /// The delivery that has ended, if one has.
    pub fn finished(&mut self) -> Option<JoinHandle<Result<(), SinkClosed>>> {
        if self.in_flight.as_ref().is_some_and(JoinHandle::is_finished) {
            self.in_flight.take()
        } else {
            None
        }
    }

    /// Gives up what was not delivered (it will be read again) and hands out the delivery on its way.
    pub fn give_up(&mut self) -> Option<JoinHandle<Result<(), SinkClosed>>> {
        self.buffer.clear();
        self.bytes = 0;
        self.in_flight.take()
    }

    pub fn in_flight(&self) -> bool {
        self.in_flight.is_some()
    }

    pub fn has_buffered(&self) -> bool {
        !self.buffer.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        records: 4,
        bytes: 10_000,
    };

    fn record(offset: i64, size: usize) -> Record {
        Record {
            topic: "t".into(),
            offset,
            value: Some(vec![0; size]),
            ..Record::default()
        }
    }

    fn lane(next: Option<i64>) -> Lane {
        Lane::new("t".into(), 0, next, BOUNDS)
    }

    #[test]
    fn records_before_the_position_are_dropped() {
        let mut lane = lane(Some(5));
        assert!(!lane.push(record(4, 1)));
        assert!(lane.push(record(5, 1)));
        assert!(!lane.push(record(5, 1)), "repeated");
        assert!(
            lane.push(record(9, 1)),
            "gaps are Kafka's own (compaction, transactions)"
        );
        let batch = lane.next_batch().unwrap();
        assert_eq!(batch.records.iter().map(|r| r.offset).collect::<Vec<_>>(), [5, 9]);
        assert_eq!(batch.next_offset(), Some(10));
    }

    #[test]
    fn bounds_cut_batches_and_ask_for_a_pause() {
        let mut lane = lane(Some(0));
        (0..7).for_each(|o| assert!(lane.push(record(o, 1))));
        let now = Instant::now();
        let patience = Duration::from_millis(200);
        assert!(!lane.wants_pause(now + patience * 2, patience));
        lane.push(record(7, 1));
        assert!(!lane.wants_pause(now, patience), "the sink has a moment");
        assert!(lane.wants_pause(now + patience, patience));
        lane.paused = true;
        assert_eq!(lane.next_batch().unwrap().records.len(), 4);
        assert!(!lane.wants_resume(), "still four buffered");
        assert_eq!(lane.next_batch().unwrap().records.len(), 4);
        assert!(lane.wants_resume());
    }

    #[test]
    fn large_records_are_bounded_by_bytes_but_never_stuck() {
        let mut lane = lane(Some(0));
        (0..3).for_each(|o| assert!(lane.push(record(o, 12_000))));
        assert!(lane.is_full());
        assert_eq!(lane.next_batch().unwrap().records.len(), 1);
    }

    #[test]
    fn going_back_is_said_once() {
        let mut lane = lane(Some(100));
        lane.jump(0);
        assert!(lane.push(record(0, 1)));
        assert!(lane.next_batch().unwrap().rewound);
        assert!(lane.push(record(1, 1)));
        assert!(!lane.next_batch().unwrap().rewound);
        lane.jump(50);
        assert!(lane.push(record(50, 1)));
        assert!(!lane.next_batch().unwrap().rewound, "forward is not back");
    }
}
