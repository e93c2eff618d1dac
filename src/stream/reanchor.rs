//! Positions that the broker does not have any more: found, reported, and the policy applied.

use std::time::Duration;

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::{Offset, TopicPartitionList};

use super::group::Group;
use super::{Anomaly, OutOfRange, StreamError, TopicPartition};

const WATERMARK_TIMEOUT: Duration = Duration::from_secs(2);

/// Finds the partitions whose position is outside of the topic and applies the policy. The client
/// does not say which one it was, and the refused partition stays still until it is taken anew.
/// False: not possible now (broker away, or records of before the jump still to be delivered).
pub(crate) fn reanchor(consumer: &BaseConsumer<Group>, group: &Group) -> Result<bool, StreamError> {
    let lanes: Vec<_> = {
        let lanes = group.lanes.lock();
        lanes
            .iter()
            .map(|l| {
                (
                    TopicPartition::new(l.topic.clone(), l.partition),
                    l.next,
                    l.is_idle(),
                )
            })
            .collect()
    };
    let mut outside = Vec::new();
    for (p, next, idle) in &lanes {
        let Ok((low, high)) = consumer.fetch_watermarks(&p.topic, p.partition, WATERMARK_TIMEOUT) else {
            return Ok(false);
        };
        group.status.mark(&p.topic, p.partition, low, high);
        if let Some(position) = next.filter(|n| *n < low || *n > high) {
            if !idle {
                return Ok(false);
            }
            outside.push((p.clone(), position, low, high));
        }
    }
    let mut taken = TopicPartitionList::new();
    for (p, position, low, high) in outside {
        let resumed_at = match group.settings.out_of_range {
            OutOfRange::Earliest => Some(low),
            OutOfRange::Latest => Some(high),
            OutOfRange::Fail => None,
        };
        let anomaly = Anomaly::OutOfRange {
            partition: p.clone(),
            position,
            low,
            high,
            resumed_at,
        };
        group.report(anomaly.clone());
        let Some(at) = resumed_at else {
            return Err(StreamError::OutOfRange(anomaly));
        };
        if let Some(lane) = group.lanes.lock().get_mut(&p.topic, p.partition) {
            lane.jump(at);
        }
        add(group, &mut taken, &p, Some(at))?;
    }
    if taken.count() == 0 {
        // None is outside any more: which one it was cannot be told, so all are taken anew where they stand.
        for (p, next, _) in &lanes {
            add(group, &mut taken, p, *next)?;
        }
    }
    retake(consumer, group, &taken)?;
    Ok(true)
}

fn add(
    group: &Group,
    list: &mut TopicPartitionList,
    p: &TopicPartition,
    next: Option<i64>,
) -> Result<(), StreamError> {
    let offset: Offset = group.anchor(next);
    list.add_partition_offset(&p.topic, p.partition, offset)
        .map_err(|e| StreamError::Fatal {
            reason: format!("{p}: position {offset:?}: {e}"),
        })
}

fn retake(
    consumer: &BaseConsumer<Group>,
    group: &Group,
    list: &TopicPartitionList,
) -> Result<(), StreamError> {
    if list.count() == 0 {
        return Ok(());
    }
    let failed = |e: KafkaError| StreamError::Fatal {
        reason: format!("partitions could not be taken anew: {e}"),
    };
    {
        let mut lanes = group.lanes.lock();
        for element in list.elements() {
            if let Some(lane) = lanes.get_mut(element.topic(), element.partition())
                && std::mem::take(&mut lane.paused)
            {
                // Read on at once; the loop pauses it again if need be.
                group.unpause(consumer, lane);
            }
        }
    }
    consumer.incremental_unassign(list).map_err(failed)?;
    consumer.incremental_assign(list).map_err(failed)
}
