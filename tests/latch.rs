//! After a failed write: nothing more is taken, nothing that was acknowledged is lost, and what the stream brought is not lost either.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gyrus::config::Config;
use gyrus::event::{DecodeCx, Event, Receipt, ReceiptStatus, Ts, decode_json};
use gyrus::runtime::{Daemon, DaemonOptions, IngestError, StreamSink};
use gyrus::space::{Erase, SpaceSettings};
use gyrus::store::{Durability, FaultyStore, Store, Table};
use gyrus::stream::{Record, RecordBatch, RecordSink, SourceKind};
use serde_json::json;
use support::kafka::{self, Out, Topics};

const SPACE: &str = "s";

/// A daemon of one shard whose storage can be made to fail.
struct Faulty {
    daemon: Arc<Daemon>,
    fault: Arc<FaultyStore>,
    dir: tempfile::TempDir,
}

async fn faulty() -> Faulty {
    let dir = tempfile::tempdir().unwrap();
    let (tx, rx) = std::sync::mpsc::channel();
    let around = move |_no: u32, store: Arc<dyn Store>| -> Arc<dyn Store> {
        let fault = Arc::new(FaultyStore::new(store));
        tx.send(fault.clone()).expect("the test waits for it");
        fault
    };
    let daemon = Daemon::start_around(options(dir.path()), Box::new(around))
        .await
        .unwrap();
    let fault = rx.recv().expect("one local shard");
    Faulty { daemon, fault, dir }
}

fn options(dir: &std::path::Path) -> DaemonOptions {
    let config = Config::default();
    DaemonOptions {
        data: dir.to_path_buf(),
        cache_mb: 16,
        durability: Durability::EveryBatch,
        models: gyrus::embed::built_in(),
        spaces: SpaceSettings {
            clock: config.clock,
            graph: config.graph,
            fold: config.fold,
            consolidate: config.consolidate,
            intent: config.intent,
            index: config.index,
            distill: config.distill,
        },
        runtime: gyrus::runtime::Settings {
            reopen_seconds: 0.1,
            stall_seconds: 0.2,
            tick_seconds: 0,
            ..config.runtime
        },
        recall: config.recall,
        context: config.context,
        kafka: None,
        events: config.event,
    }
}

fn event(id: &str) -> Result<Event, Receipt> {
    let settings = gyrus::event::Settings::default();
    let value = json!({"id": id, "time": "2034-04-04T04:04:04Z", "space": SPACE, "text": format!("Delivery {id} stands at the back door.")});
    let decoded = decode_json(value, &DecodeCx::new(Ts(0), &settings));
    decoded.map_err(|r| Receipt::rejected(&r))
}

impl Faulty {
    async fn ingest(&self, ids: &[&str]) -> Result<Vec<ReceiptStatus>, IngestError> {
        let receipts = self
            .daemon
            .ingest(&SPACE.into(), ids.iter().map(|id| event(id)).collect())
            .await?;
        Ok(receipts.iter().map(|r| r.status).collect())
    }

    fn ids(&self) -> Vec<String> {
        ids(&self.daemon)
    }

    fn latched(&self) -> bool {
        self.daemon
            .status(None)
            .unwrap()
            .degraded
            .iter()
            .any(|d| d.contains("writes refused"))
    }

    /// Records at offsets from `first` on, as a broker would bring them.
    async fn deliver(&self, sink: &StreamSink, first: i64, ids: &[&str]) {
        let records = ids.iter().enumerate().map(|(n, id)| Record {
            topic: "t".into(),
            offset: first + n as i64,
            value: Some(json!({"id": id, "space": SPACE, "time": 2_000_000_000, "text": format!("Parcel {id} came in.")}).to_string().into_bytes()),
            timestamp_ms: Some(2_000_000_000_000),
            ..Record::default()
        });
        let batch = RecordBatch {
            kind: SourceKind::Kafka,
            topic: "t".into(),
            partition: 0,
            records: records.collect(),
            rewound: false,
        };
        sink.deliver(batch)
            .await
            .expect("the sink holds what it cannot write");
    }
}

fn ids(daemon: &Daemon) -> Vec<String> {
    let Some(view) = daemon.view(SPACE) else {
        return Vec::new();
    };
    let mut out: Vec<String> = view
        .graph
        .nodes()
        .filter_map(|(_, n)| match &n.body {
            gyrus::graph::Body::Event(e) => Some(e.id.clone()),
            _ => None,
        })
        .collect();
    out.sort();
    out
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "waited in vain: {what}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Opens the folder anew without any fault, as after a restart.
async fn reopened(f: Faulty) -> (Vec<String>, String) {
    f.daemon.shutdown().await.unwrap();
    let Faulty { daemon, fault, dir } = f;
    drop((daemon, fault));
    let daemon = Daemon::start(options(dir.path())).await.unwrap();
    let found = (ids(&daemon), daemon.digest(None).await);
    daemon.shutdown().await.unwrap();
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_write_refuses_the_next_ones_until_the_state_is_opened_anew() {
    let f = faulty().await;
    assert_eq!(f.ingest(&["a", "b"]).await.unwrap(), [ReceiptStatus::Stored; 2]);
    let before = f.daemon.digest(None).await;

    f.fault.fail_after(0);
    let refused = f.ingest(&["c"]).await.unwrap_err();
    assert!(
        matches!(&refused, IngestError::WriteFailed { reason } if reason.contains("no space left")),
        "{refused}"
    );
    assert!(f.latched());
    // At once, and without another attempt at the store by the caller.
    assert!(matches!(
        f.ingest(&["d"]).await,
        Err(IngestError::WriteFailed { .. })
    ));
    let erase = Erase {
        event_ids: vec!["a".into()],
        ..Erase::default()
    };
    assert!(matches!(
        f.daemon.erase(&SPACE.into(), erase, false).await,
        Err(IngestError::WriteFailed { .. })
    ));
    assert!(matches!(
        f.daemon.settle(SPACE).await,
        Err(IngestError::WriteFailed { .. })
    ));
    // Readers go on, on what is durable.
    assert_eq!(f.ids(), ["a", "b"]);

    f.fault.heal();
    until("the shard opens anew", || !f.latched()).await;
    assert_eq!(
        f.daemon.digest(None).await,
        before,
        "what failed left nothing behind"
    );
    assert_eq!(
        f.ingest(&["c", "a"]).await.unwrap(),
        [ReceiptStatus::Stored, ReceiptStatus::Duplicate]
    );
    f.daemon.settle(SPACE).await.unwrap();
    assert_eq!(f.daemon.status(None).unwrap().backlog, 0);
    let now = f.daemon.digest(None).await;
    assert_eq!(reopened(f).await, (vec!["a".into(), "b".into(), "c".into()], now));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_the_stream_are_held_while_writes_fail_and_applied_after() {
    let f = faulty().await;
    let sink = StreamSink::new(&f.daemon, None);
    f.deliver(&sink, 0, &["a", "b"]).await;
    until("the first are durable", || sink.durable("t", 0) == Some(2)).await;

    f.fault.fail_after(0);
    f.deliver(&sink, 2, &["c", "d"]).await;
    until("a write has failed", || f.fault.refused() > 0 && f.latched()).await;
    f.deliver(&sink, 4, &["e", "b"]).await;
    f.deliver(&sink, 6, &["f"]).await;
    assert_eq!(
        sink.durable("t", 0),
        Some(2),
        "the position does not pass what is not stored"
    );
    assert_eq!(f.ids(), ["a", "b"]);

    f.fault.heal();
    until("everything is durable", || sink.durable("t", 0) == Some(7)).await;
    assert_eq!(f.ids(), ["a", "b", "c", "d", "e", "f"]);
    until("nothing waits", || f.daemon.status(None).unwrap().backlog == 0).await;
    let held = f.daemon.digest(None).await;
    let (found, digest) = reopened(f).await;
    assert_eq!((found.len(), &digest), (6, &held));

    // The same records without any fault give the same state.
    let smooth = faulty().await;
    let sink = StreamSink::new(&smooth.daemon, None);
    smooth
        .deliver(&sink, 0, &["a", "b", "c", "d", "e", "b", "f"])
        .await;
    until("all are durable", || sink.durable("t", 0) == Some(7)).await;
    assert_eq!(smooth.daemon.digest(None).await, held);
    smooth.daemon.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_write_loses_nothing_that_was_acknowledged() {
    let f = faulty().await;
    let mut acknowledged: Vec<String> = Vec::new();
    for n in 0..40_u32 {
        if n % 5 == 2 {
            f.fault.fail_after(n % 3);
        }
        let id = format!("x{n:02}");
        match f.ingest(&[&id]).await {
            Ok(statuses) => {
                assert_eq!(statuses, [ReceiptStatus::Stored]);
                acknowledged.push(id);
            }
            Err(e) => {
                assert!(matches!(e, IngestError::WriteFailed { .. }), "{e}");
                f.fault.heal();
                until("the shard opens anew", || !f.latched()).await;
            }
        }
    }
    f.fault.heal();
    until("the shard is open", || !f.latched()).await;
    assert!(f.fault.refused() > 3);
    assert_eq!(f.ids(), acknowledged, "no more and no less");
    let digest = f.daemon.digest(None).await;
    assert_eq!(reopened(f).await, (acknowledged, digest));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_while_writes_fail_ends_and_keeps_what_was_acknowledged() {
    let f = faulty().await;
    f.ingest(&["a"]).await.unwrap();
    f.fault.fail_after(0);
    assert!(f.ingest(&["b"]).await.is_err());
    let stopped = tokio::time::timeout(Duration::from_secs(20), f.daemon.shutdown()).await;
    stopped.expect("it ends").unwrap();
    let Faulty { daemon, fault, dir } = f;
    drop((daemon, fault));
    let daemon = Daemon::start(options(dir.path())).await.unwrap();
    assert_eq!(ids(&daemon), ["a"]);
    daemon.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_applied_on_top_of_a_failed_batch_fails_with_it() {
    let f = Arc::new(faulty().await);
    assert_eq!(f.ingest(&["first"]).await.unwrap(), [ReceiptStatus::Stored]);
    // The next commit is held until more has been sent, and then fails, as do all after it.
    let (entered, held) = std::sync::mpsc::channel::<()>();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    f.fault.fail_when(move |writes| {
        if writes.iter().any(|w| w.table == Table::Journal) {
            let _ = entered.send(());
            // An error means that the test has let go of everything.
            let _ = released.lock().unwrap().recv();
        }
        true
    });
    let send = |id: &'static str| {
        let f = f.clone();
        tokio::spawn(async move { f.ingest(&[id]).await })
    };
    let mut sent = vec![send("a")];
    tokio::task::spawn_blocking(move || held.recv().expect("the commit begins"))
        .await
        .unwrap();
    sent.extend([send("b"), send("c"), send("d")]);
    let queued = f.daemon.handles()[0].stats.clone();
    until("the others are accepted", || {
        queued.accepted.load(std::sync::atomic::Ordering::SeqCst) >= 5
    })
    .await;
    drop(release);
    for s in sent {
        let refused = s.await.unwrap();
        assert!(
            matches!(refused, Err(IngestError::WriteFailed { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(f.ids(), ["first"], "nothing of a failed batch is shown");
    f.fault.heal();
    until("the shard has reopened", || !f.latched()).await;
    let again = f.ingest(&["a", "b", "c", "d"]).await.unwrap();
    assert_eq!(
        again,
        [ReceiptStatus::Stored; 4],
        "none of them was stored before"
    );
    assert_eq!(f.ids(), ["a", "b", "c", "d", "first"]);
    f.daemon.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outbox_that_cannot_delete_what_it_sent_waits_and_stops_nothing() {
    let (t, fault, daemon, dir) = tokio::task::spawn_blocking(|| {
        let t = Topics::new(support::broker::shared());
        t.create_events(1);
        let poison = Out {
            value: Some(b"{\"id\":".to_vec()),
            ..Out::default()
        };
        kafka::produce(&t.broker, &t.events, &[poison]);
        let dir = tempfile::tempdir().unwrap();
        let (tx, rx) = std::sync::mpsc::channel();
        let around = move |_no: u32, store: Arc<dyn Store>| -> Arc<dyn Store> {
            let fault = Arc::new(FaultyStore::new(store));
            fault.fail_when(|writes| {
                writes
                    .iter()
                    .any(|w| w.table == Table::Outbox && w.value.is_none())
            });
            tx.send(fault.clone()).expect("the test waits for it");
            fault
        };
        let options = DaemonOptions {
            kafka: Some(gyrus::stream::KafkaSettings {
                brokers: t.broker.clone(),
                topics: vec![t.events.clone()],
                group: t.group.clone(),
                feedback_topic: String::new(),
                intents_topic: t.intents.clone(),
                dead_letters_topic: t.dead.clone(),
                ..Default::default()
            }),
            ..options(dir.path())
        };
        let daemon =
            tokio::runtime::Handle::current().block_on(Daemon::start_around(options, Box::new(around)));
        (t, rx.recv().expect("one shard"), daemon.unwrap(), dir)
    })
    .await
    .unwrap();
    // It tries again and again, and no task has died of the first failure.
    until("deletions have failed", || fault.refused() >= 3).await;
    assert!(
        daemon.tasks.deaths().borrow().is_none(),
        "{:?}",
        daemon.tasks.deaths().borrow()
    );
    fault.heal();
    let sent = tokio::task::spawn_blocking(move || kafka::end(&t.broker, &t.dead))
        .await
        .unwrap();
    assert_eq!(sent, 1);
    until("the outbox is empty", || {
        let mut left = 0;
        fault
            .scan(Table::Outbox, b"", &mut |_, _| {
                left += 1;
                true
            })
            .unwrap();
        left == 0
    })
    .await;
    daemon.shutdown().await.unwrap();
    drop(dir);
}

/// What waits counts as stalled as soon as nothing has moved for longer than the setting.
#[tokio::test(flavor = "multi_thread")]
async fn readiness_is_red_while_writes_are_refused_and_while_nothing_moves() {
    let f = faulty().await;
    f.ingest(&["a"]).await.unwrap();
    assert_eq!(f.daemon.not_ready(), Vec::<String>::new());
    f.fault.fail_after(0);
    f.ingest(&["b"]).await.unwrap_err();
    until("the shard is latched", || f.latched()).await;
    let reasons = f.daemon.not_ready();
    assert!(
        reasons.iter().any(|r| r.contains("refuses writes")),
        "{reasons:?}"
    );
    assert!(f.daemon.render_metrics().unwrap().contains("gyrus_ready 0"));
    f.fault.heal();
    until("the shard is open again", || !f.latched()).await;
    until("all is done", || f.daemon.not_ready().is_empty()).await;

    // A commit that hangs: what waits behind it does not move.
    let stuck = f.daemon.handles()[0].clone();
    stuck
        .stats
        .accepted
        .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    until("nothing has moved for too long", || {
        f.daemon
            .not_ready()
            .iter()
            .any(|r| r.contains("nothing has moved"))
    })
    .await;
    stuck
        .stats
        .accepted
        .fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(f.daemon.not_ready(), Vec::<String>::new());
    f.daemon.shutdown().await.unwrap();
}
