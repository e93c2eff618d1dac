//! The stream room against a real broker. Needs one (see `scripts/kafka`), and fails without.

mod broker;
mod client;
mod sink;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gyrus::event::{self, Ts};
use gyrus::stream::{
    Anomaly, ClassifyCx, Input, KafkaSettings, KafkaSource, OutOfRange, Outgoing, Publisher, RecordSink,
    StatusCell, StreamError, classify, dead_letter, default_partition, ensure_topics, intent_cloudevent,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use client::{DEADLINE, produce_numbers, settings, until};
use sink::{Call, Disk, TestSink};

/// A running source.
struct Running {
    stop: watch::Sender<bool>,
    status: StatusCell,
    task: JoinHandle<Result<(), StreamError>>,
}

impl Running {
    fn start(settings: &KafkaSettings, sink: &Arc<TestSink>) -> Running {
        let sink: Arc<dyn RecordSink> = sink.clone();
        let source = KafkaSource::new(settings.clone(), sink).unwrap();
        let (stop, shutdown) = watch::channel(false);
        Running {
            stop,
            status: source.status(),
            task: tokio::spawn(source.run(shutdown)),
        }
    }

    async fn stop(self) {
        self.stop.send(true).unwrap();
        tokio::time::timeout(DEADLINE, self.task)
            .await
            .expect("it stops")
            .unwrap()
            .unwrap();
        assert!(self.status.get().stopped);
    }

    async fn ended(self) -> Result<(), StreamError> {
        tokio::time::timeout(DEADLINE, self.task)
            .await
            .expect("it ends")
            .unwrap()
    }

    fn assigned(&self) -> usize {
        self.status.get().partitions.len()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_from_the_states_position_and_not_from_what_kafka_has_committed() {
    let broker = broker::shared();
    let s = settings(broker, "seek", 1);
    let topic = &s.topics[0];
    ensure_topics(&s).await.unwrap();
    produce_numbers(broker, topic, 0, 0..10).await;
    client::commit(broker, &s.group, topic, 0, 8);
    let disk = Disk::default();
    disk.set(topic, 0, 3);

    let sink = TestSink::new(&disk);
    let running = Running::start(&s, &sink);
    until("all records from the position on", || sink.records().len() == 7).await;
    assert_eq!(sink.offsets(topic), (3..10).collect::<Vec<_>>());
    until("kafka hears of the progress", || {
        client::committed(broker, &s.group, topic, 0) == Some(10)
    })
    .await;
    let status = running.status.get();
    assert!(status.connected);
    until("the lag is known to be none", || {
        running.status.get().partitions[0].lag == Some(0)
    })
    .await;
    running.stop().await;

    // A state that knows nothing begins at the start, whatever Kafka has committed.
    let fresh = TestSink::new(&Disk::default());
    let running = Running::start(&s, &fresh);
    until("all records", || fresh.records().len() == 10).await;
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_durable_at_a_crash_comes_again() {
    let broker = broker::shared();
    let s = settings(broker, "crash", 1);
    let topic = &s.topics[0];
    ensure_topics(&s).await.unwrap();
    produce_numbers(broker, topic, 0, 0..10).await;
    let disk = Disk::default();

    let sink = TestSink::new(&disk);
    sink.durable_below(6);
    let running = Running::start(&s, &sink);
    until("all were delivered", || sink.records().len() == 10).await;
    until("only the durable part is committed", || {
        client::committed(broker, &s.group, topic, 0) == Some(6)
    })
    .await;
    running.task.abort();
    let _ = running.task.await;
    drop(running.stop);
    assert_eq!(client::committed(broker, &s.group, topic, 0), Some(6));

    let again = TestSink::new(&disk);
    let running = Running::start(&s, &again);
    until("the rest came again", || again.records().len() == 4).await;
    assert_eq!(again.offsets(topic), [6, 7, 8, 9]);
    running.stop().await;
    assert_eq!(
        client::committed(broker, &s.group, topic, 0),
        Some(10),
        "a clean stop commits"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_sink_pauses_the_partition_and_never_leaves_the_group() {
    let broker = broker::shared();
    let mut s = settings(broker, "slow", 1);
    s.batch_records = 10;
    // The shortest that every broker allows: who does not poll for six seconds is out.
    for (key, value) in [
        ("session.timeout.ms", "6000"),
        ("max.poll.interval.ms", "6000"),
        ("heartbeat.interval.ms", "500"),
    ] {
        s.properties.insert(key.into(), value.into());
    }
    let topic = &s.topics[0];
    ensure_topics(&s).await.unwrap();
    produce_numbers(broker, topic, 0, 0..500).await;
    let sink = TestSink::closed(&Disk::default());
    let running = Running::start(&s, &sink);
    until("it pauses", || {
        running.status.get().partitions.iter().any(|p| p.paused)
    })
    .await;
    let rebalances = running.status.get().rebalances;

    // The queue stays full for longer than a silent member is kept, while the topic grows.
    let begin = Instant::now();
    let mut produced = 500;
    while begin.elapsed() < Duration::from_millis(6_500) {
        produce_numbers(broker, topic, 0, produced..produced + 1).await;
        produced += 1;
        until("the growing lag is seen", || {
            running.status.get().lag() == produced as i64
        })
        .await;
    }
    let status = running.status.get();
    assert_eq!(
        (status.rebalances, status.partitions.len()),
        (rebalances, 1),
        "{status:?}"
    );
    assert!(status.connected && status.partitions[0].paused, "{status:?}");
    assert!(sink.records().is_empty());

    sink.open();
    until("everything comes after all", || sink.records().len() == produced).await;
    assert_eq!(
        sink.offsets(topic),
        (0..produced as i64).collect::<Vec<_>>(),
        "once each, in order"
    );
    until("reading goes on", || !running.status.get().partitions[0].paused).await;
    assert_eq!(running.status.get().rebalances, rebalances);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tombstones_poison_and_feedback_are_told_apart_and_poison_is_kept() {
    let broker = broker::shared();
    let mut s = settings(broker, "kinds", 1);
    s.feedback_topic = client::unique("feedback");
    s.dead_letters_topic = client::unique("dead");
    let topic = s.topics[0].clone();
    ensure_topics(&s).await.unwrap();
    client::produce(
        broker,
        &topic,
        Some("alice"),
        Some(br#"{"id":"1","text":"the boiler is cold"}"#),
    )
    .await;
    client::produce(broker, &topic, Some("1"), None).await;
    client::produce(broker, &topic, Some("alice"), Some(b"\xff{not json")).await;
    client::produce(
        broker,
        &s.feedback_topic,
        Some("alice"),
        Some(br#"{"intent":"i-1","verdict":"accept"}"#),
    )
    .await;

    let sink = TestSink::new(&Disk::default());
    let running = Running::start(&s, &sink);
    until("all four", || sink.records().len() == 4).await;
    let event_settings = event::Settings::default();
    let cx = ClassifyCx {
        settings: &event_settings,
        feedback_topic: Some(&s.feedback_topic),
        received: Ts(0),
        space: None,
    };
    let mut records = sink.records();
    records.sort_by_key(|r| (*r.topic != *topic, r.offset));
    let inputs: Vec<Input> = records.iter().map(|r| classify(r, &cx)).collect();
    assert!(
        matches!(&inputs[0], Input::Events { events, .. } if &*events[0].space == "alice" && events[0].received.0 > 0),
        "{inputs:?}"
    );
    assert!(
        matches!(&inputs[1], Input::Tombstone(t) if t.id == "1"),
        "{inputs:?}"
    );
    let Input::Poison(poison) = &inputs[2] else {
        panic!("{inputs:?}")
    };
    assert!(
        matches!(&inputs[3], Input::Feedback { space, .. } if space == "alice"),
        "{inputs:?}"
    );

    let publisher = Publisher::new(&s).unwrap();
    let letter = dead_letter(
        &s.dead_letters_topic,
        &records[2],
        poison.code,
        &poison.reason,
        "2026-01-02T03:04:05Z",
    );
    publisher.publish(letter).await.unwrap();
    let dead = client::read(broker, &s.dead_letters_topic, 1).await.remove(0);
    assert_eq!(
        (dead.value, dead.key),
        (records[2].value.clone(), records[2].key.clone())
    );
    let header = |name: &str| {
        dead.headers
            .iter()
            .find(|(k, _)| k == name)
            .map(|(_, v)| String::from_utf8_lossy(v).into_owned())
            .unwrap()
    };
    assert_eq!(
        (
            header("gyrus_topic"),
            header("gyrus_partition"),
            header("gyrus_offset"),
            header("gyrus_code")
        ),
        (topic, "0".into(), "2".into(), "malformed-json".into())
    );
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_is_said_waited_out_and_nothing_is_lost_or_out_of_order() {
    let broker = tokio::task::spawn_blocking(broker::Broker::own).await.unwrap();
    let broker = Arc::new(broker);
    let s = settings(&broker.address, "outage", 1);
    let topic = s.topics[0].clone();
    ensure_topics(&s).await.unwrap();
    let numbered = |n: usize| {
        intent_cloudevent(
            &topic,
            "io.gyrus.intent.emitted.v1",
            &n.to_string(),
            "alice",
            "2026-01-02T03:04:05Z",
            n.into(),
        )
    };
    let publisher = Publisher::new(&s).unwrap();
    let first: Vec<Outgoing> = (0..50).map(numbered).collect();
    let second: Vec<Outgoing> = (50..100).map(numbered).collect();
    let mut order = Vec::new();
    publisher.publish_all(&first, |i, _| order.push(i)).await.unwrap();
    assert_eq!(order, (0..50).collect::<Vec<_>>());

    let sink = TestSink::new(&Disk::default());
    let running = Running::start(&s, &sink);
    until("the first half is read", || sink.records().len() == 50).await;
    until("both say that they are connected", || {
        running.status.get().connected && publisher.status().connected
    })
    .await;

    let stopping = broker.clone();
    tokio::task::spawn_blocking(move || stopping.stop())
        .await
        .unwrap();
    until("both say that the broker is away", || {
        !running.status.get().connected && !publisher.status().connected
    })
    .await;
    assert!(running.status.get().last_error.is_some());
    let blocked = tokio::spawn({
        let publisher = publisher.clone();
        async move { publisher.publish_all(&second, |_, _| {}).await }
    });
    until("the publisher tries in vain", || {
        publisher.status().last_error.is_some()
    })
    .await;
    assert!(!blocked.is_finished());
    // It is not said once and forgotten: the statistics since then agree.
    assert!(!running.status.get().connected && !publisher.status().connected);

    let starting = broker.clone();
    tokio::task::spawn_blocking(move || starting.start_again())
        .await
        .unwrap();
    tokio::time::timeout(DEADLINE, blocked)
        .await
        .expect("it goes on")
        .unwrap()
        .unwrap();
    until("the second half is read", || sink.records().len() >= 100).await;
    until("both say that it is back", || {
        running.status.get().connected && publisher.status().connected
    })
    .await;
    let key = |r: &gyrus::stream::Record| -> usize {
        let value: serde_json::Value = serde_json::from_slice(r.value.as_ref().unwrap()).unwrap();
        value["data"].as_u64().unwrap() as usize
    };
    let mut seen: Vec<usize> = sink.records().iter().map(key).collect();
    seen.dedup();
    assert_eq!(seen, (0..100).collect::<Vec<_>>());
    publisher.close(Duration::from_secs(10)).await;
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_members_share_the_partitions_and_keep_what_they_can() {
    let broker = broker::shared();
    let s = settings(broker, "share", 4);
    let topic = &s.topics[0];
    ensure_topics(&s).await.unwrap();
    assert_eq!(client::partitions(broker, topic), 4);
    for p in 0..4 {
        produce_numbers(broker, topic, p, 0..20).await;
    }
    // One disk for both, as if the changelog had been restored at once.
    let disk = Disk::default();
    let (a, b) = (TestSink::new(&disk), TestSink::new(&disk));
    let first = Running::start(&s, &a);
    until("the first has all", || {
        first.assigned() == 4 && a.records().len() == 80
    })
    .await;
    let second = Running::start(&s, &b);
    until("they share", || first.assigned() == 2 && second.assigned() == 2).await;
    for p in 0..4 {
        produce_numbers(broker, topic, p, 20..40).await;
    }
    until("all is read", || a.records().len() + b.records().len() >= 160).await;

    // Cooperative: what stayed was never given back, and everything was read once.
    let revoked: Vec<_> = a
        .calls()
        .into_iter()
        .filter_map(|c| if let Call::Revoked(p) = c { Some(p) } else { None })
        .flatten()
        .collect();
    assert_eq!(revoked.len(), 2, "{:?}", a.calls());
    let mut offsets: Vec<(i32, i64)> = a
        .records()
        .iter()
        .chain(&b.records())
        .map(|r| (r.partition, r.offset))
        .collect();
    offsets.sort_unstable();
    assert_eq!(
        offsets,
        (0..4)
            .flat_map(|p| (0..40).map(move |o| (p, o)))
            .collect::<Vec<_>>()
    );

    second.stop().await;
    until("the first has all again", || first.assigned() == 4).await;
    produce_numbers(broker, topic, 0, 40..41).await;
    produce_numbers(broker, topic, 3, 40..41).await;
    until("and reads on", || {
        let last: BTreeSet<_> = a
            .records()
            .iter()
            .filter(|r| r.offset == 40)
            .map(|r| r.partition)
            .collect();
        last == BTreeSet::from([0, 3])
    })
    .await;
    first.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_expired_is_said_and_the_policy_decides() {
    let broker = broker::shared();
    let mut s = settings(broker, "expired", 1);
    let topic = s.topics[0].clone();
    ensure_topics(&s).await.unwrap();
    produce_numbers(broker, &topic, 0, 0..10).await;
    client::expire(broker, &topic, 0, 6).await;
    let disk = Disk::default();
    disk.set(&topic, 0, 2);

    s.out_of_range = OutOfRange::Fail;
    let sink = TestSink::new(&disk);
    let error = Running::start(&s, &sink).ended().await.unwrap_err();
    assert!(
        matches!(
            error,
            StreamError::OutOfRange(Anomaly::OutOfRange {
                position: 2,
                low: 6,
                high: 10,
                ..
            })
        ),
        "{error}"
    );
    assert!(sink.records().is_empty());

    s.out_of_range = OutOfRange::Earliest;
    let sink = TestSink::new(&disk);
    let running = Running::start(&s, &sink);
    until("it goes on at the oldest", || sink.records().len() == 4).await;
    assert_eq!(sink.offsets(&topic), [6, 7, 8, 9]);
    assert!(matches!(
        sink.anomalies()[..],
        [Anomaly::OutOfRange {
            position: 2,
            resumed_at: Some(6),
            ..
        }]
    ));
    assert_eq!(sink.rewound(), 0);
    running.stop().await;

    // A position beyond the end: the topic was made anew. The state's position must go back.
    disk.set(&topic, 0, 1_000);
    let sink = TestSink::new(&disk);
    let running = Running::start(&s, &sink);
    until("it begins again", || sink.records().len() == 4).await;
    assert_eq!((sink.rewound(), disk.get(&topic, 0)), (1, Some(10)));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_topic_is_an_error_when_it_may_not_be_made() {
    let broker = broker::shared();
    let mut s = settings(broker, "absent", 3);
    s.create_topics = false;
    let error = Running::start(&s, &TestSink::new(&Disk::default()))
        .ended()
        .await
        .unwrap_err();
    assert!(error.to_string().contains(&s.topics[0]), "{error}");
    s.create_topics = true;
    ensure_topics(&s).await.unwrap();
    ensure_topics(&s).await.unwrap();
    assert_eq!(client::partitions(broker, &s.topics[0]), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn absent_brokers_are_said_and_do_not_hinder_a_stop() {
    // A port that was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let s = settings(&format!("127.0.0.1:{port}"), "nobody", 1);
    let running = Running::start(&s, &TestSink::new(&Disk::default()));
    until("the error is there", || running.status.get().last_error.is_some()).await;
    assert!(!running.status.get().connected);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_go_where_kafkas_own_clients_send_them() {
    let broker = broker::shared();
    let s = settings(broker, "keys", 5);
    ensure_topics(&s).await.unwrap();
    let publisher = Publisher::new(&s).unwrap();
    for key in ["alice", "bob", "a longer name of a space", "ключ"] {
        let out = Outgoing {
            topic: s.topics[0].clone(),
            key: Some(key.into()),
            payload: Some(b"x".to_vec()),
            headers: vec![],
        };
        assert_eq!(
            publisher.publish(out).await.unwrap().partition,
            default_partition(key.as_bytes(), 5),
            "{key}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_no_broker_takes_is_refused_and_the_rest_goes_on() {
    let broker = broker::shared();
    let s = settings(broker, "large", 1);
    ensure_topics(&s).await.unwrap();
    let publisher = Publisher::new(&s).unwrap();
    let record = |size: usize| Outgoing {
        topic: s.topics[0].clone(),
        key: None,
        payload: Some(vec![b'x'; size]),
        headers: vec![],
    };
    let (at, error) = publisher
        .publish_all(&[record(1), record(8 << 20), record(2)], |_, _| {})
        .await
        .unwrap_err();
    assert_eq!(at, 1, "{error}");
    assert_eq!(publisher.publish(record(3)).await.unwrap().offset, 1);
}

/// A figure for people, not a test: `cargo test --test kafka_stream -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn throughput() {
    const COUNT: usize = 300_000;
    let broker = broker::shared();
    let s = settings(broker, "throughput", 1);
    ensure_topics(&s).await.unwrap();
    let publisher = Publisher::new(&s).unwrap();
    let payload = vec![b'x'; 300];
    let records: Vec<Outgoing> = (0..COUNT)
        .map(|_| Outgoing {
            topic: s.topics[0].clone(),
            key: Some(b"k".to_vec()),
            payload: Some(payload.clone()),
            headers: vec![],
        })
        .collect();
    let begin = Instant::now();
    publisher.publish_all(&records, |_, _| {}).await.unwrap();
    println!(
        "published {:.0} records/s",
        COUNT as f64 / begin.elapsed().as_secs_f64()
    );
    let sink = TestSink::new(&Disk::default());
    let begin = Instant::now();
    let running = Running::start(&s, &sink);
    until("all are read", || sink.count() == COUNT).await;
    println!(
        "read {:.0} records/s",
        COUNT as f64 / begin.elapsed().as_secs_f64()
    );
    running.stop().await;
}
