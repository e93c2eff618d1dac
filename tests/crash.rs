//! What dies and what must be there afterwards: kills, stops, a second process, a foreign format, a broker that goes.

mod support;

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::kafka::{self, Out, Topics};
use support::rng::Rng;
use support::{Daemon, Launch, Rpc, until};

/// Events of five weeks on a farm: enough of a story for concepts, dates and intents.
const STORY: &str = include_str!("../simulator/stories/orchard.ndjson");
const SPACES: usize = 6;

/// One space's events: the story, between lines of a work shop that ask, promise, fail and repeat.
fn events(space: &str, rng: &mut Rng, count: usize) -> Vec<Value> {
    let story: Vec<Value> = STORY
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let things = [
        "lathe",
        "compressor",
        "paint booth",
        "forklift",
        "dust filter",
        "label printer",
    ];
    let people = ["Ilse", "Tomas", "Adaeze", "Wen", "Rafael"];
    let shapes = [
        "The {t} stopped again; please send someone before Friday.",
        "{p} will repair the {t} tomorrow morning.",
        "{p} asked whether the {t} may run at night. Nobody has answered yet.",
        "The {t} needs {n} litres of oil by the 14th.",
        "Repaired: the {t} runs at {n} percent.",
        "We must decide who pays {n} euros for the {t}.",
        "Lunch was late, {p} brought soup for {n}.",
    ];
    let begin = 1_788_000_000_i64;
    let mut out = Vec::with_capacity(count);
    for n in 0..count {
        let event = match story.get(n / 4) {
            Some(told) if n % 4 == 3 => {
                let mut e = told.clone();
                e["id"] = format!("{space}-{n}").into();
                e
            }
            _ => {
                let text = rng
                    .pick(&shapes)
                    .replace("{t}", rng.pick(&things))
                    .replace("{p}", rng.pick(&people))
                    .replace("{n}", &(2 + rng.below(90)).to_string());
                json!({"id": format!("{space}-{n}"), "time": begin + n as i64 * 2_700, "actor": rng.pick(&people), "text": text})
            }
        };
        out.push(event);
    }
    out
}

/// Records of all spaces, mixed; about every seventh is sent twice, the second time later.
fn records(seed: u64, each: usize) -> Vec<Out> {
    let mut rng = Rng(seed);
    let mut left: Vec<(String, std::vec::IntoIter<Value>)> = (0..SPACES)
        .map(|n| {
            let space = format!("space-{n}");
            let list = events(&space, &mut rng, each);
            (space, list.into_iter())
        })
        .collect();
    let (mut out, mut again) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let n = rng.below(left.len() as u64) as usize;
        match left[n].1.next() {
            Some(e) => {
                let record = Out::of(&left[n].0, &e);
                if rng.below(7) == 0 {
                    again.push(record.clone());
                }
                out.push(record);
            }
            None => drop(left.swap_remove(n)),
        }
        if !again.is_empty() && rng.below(9) == 0 {
            let n = rng.below(again.len() as u64) as usize;
            out.push(again.swap_remove(n));
        }
    }
    out.extend(again);
    out
}

/// Sum of the positions that are stored.
fn position(status: &Value) -> i64 {
    let shards = status["shards"].as_array().expect("shards");
    shards.iter().filter_map(|s| s["offset"].as_i64()).sum()
}

fn wait_all(rpc: &mut Rpc, t: &Topics) {
    let all = kafka::end(&t.broker, &t.events);
    until("everything in the topic is read and durable", || {
        position(&rpc.status()) == all
    });
}

/// CloudEvent ids in the topic of intents, in order of their first coming for each space.
fn intents(t: &Topics) -> BTreeSet<String> {
    let records = kafka::read(&t.broker, &t.intents);
    records
        .iter()
        .map(|r| r.json()["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn exports(rpc: &mut Rpc) -> Vec<Value> {
    (0..SPACES).map(|n| rpc.export(&format!("space-{n}"))).collect()
}

/// The first places where two runs differ, for a person to start from.
fn differences(a: &[Value], b: &[Value]) -> String {
    let mut out = String::new();
    for (x, y) in a.iter().zip(b).filter(|(x, y)| x != y) {
        out += &format!("space {}\n", x["space"]);
        for list in ["nodes", "edges"] {
            let (l, r) = (x[list].as_array().unwrap(), y[list].as_array().unwrap());
            out += &format!("  {list}: {} and {}\n", l.len(), r.len());
            for (l, r) in l.iter().zip(r).filter(|(l, r)| l != r).take(3) {
                out += &format!("    straight {l}\n    crashed  {r}\n");
            }
        }
    }
    out
}

#[test]
fn twenty_kills_leave_the_same_state_and_the_same_intents_as_none() {
    const SEED: u64 = 0x5eed_0001;
    const KILLS: usize = 20;
    const EACH: usize = 110;
    let t = Topics::new(support::broker::shared());
    t.create_events(3);
    kafka::produce(&t.broker, &t.events, &records(SEED, EACH));
    let total = kafka::end(&t.broker, &t.events);

    let straight = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let d = t.launch(straight.path()).start();
    let mut rpc = d.rpc();
    wait_all(&mut rpc, &t);
    eprintln!("without a kill: {total} records in {:?}", begin.elapsed());
    let (digest, expected) = (rpc.digest(), exports(&mut rpc));
    assert_eq!(
        rpc.status()["counts"]["events"],
        (SPACES * EACH) as u64,
        "repeats are recognised"
    );
    d.stop();

    // Other batch sizes too: where a batch ends must leave no trace.
    let other = t.other_run();
    other.create_events(3);
    let dir = tempfile::tempdir().unwrap();
    let launch = other
        .launch(dir.path())
        .set("kafka.batch_records", 37)
        .set("runtime.batch_events", 23);
    let mut rng = Rng(SEED + 1);
    let begin = Instant::now();
    for kill in 0..KILLS {
        let d = launch.spawn();
        if rng.below(5) == 0 {
            // While it opens, joins the group or has just begun.
            std::thread::sleep(Duration::from_millis(rng.below(2_500)));
        } else {
            d.wait_ready();
            kill_point(&d, (rng.below(2 * total as u64 / KILLS as u64)).max(1));
            std::thread::sleep(Duration::from_millis(rng.below(40)));
        }
        d.kill();
        eprintln!("kill {kill} at {:?}", begin.elapsed());
    }
    let d = launch.start();
    let mut rpc = d.rpc();
    wait_all(&mut rpc, &other);
    let found = rpc.digest();
    assert!(
        found == digest,
        "the digest differs:\n{}",
        differences(&expected, &exports(&mut rpc))
    );
    let reference = intents(&t);
    assert!(
        reference.len() > 10,
        "the stream makes intents: {}",
        reference.len()
    );
    until("all intents are published", || {
        intents(&other).len() >= reference.len()
    });
    assert_eq!(intents(&other), reference);
    d.stop();
}

/// Waits until this process has stored `n` events, or there is nothing left to read.
fn kill_point(d: &Daemon, n: u64) {
    let mut rpc = d.rpc();
    let begin = Instant::now();
    let mut last = 0;
    while last < n && begin.elapsed() < Duration::from_secs(6) {
        let s = rpc.status();
        last = s["stored"].as_u64().unwrap_or(0);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_the_socket_acknowledged_survives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let mut rng = Rng(77);
    let mut acknowledged: Vec<String> = Vec::new();
    let list = events("log", &mut rng, 2_000);
    let mut next = list.chunks(7);
    for _ in 0..4 {
        let d = launch.start();
        let socket = d.launch.socket();
        // Killed by another thread, at a moment that the client does not know.
        let taken = Arc::new(AtomicU64::new(0));
        let (seen, enough, more) = (
            taken.clone(),
            1 + rng.below(12),
            Duration::from_millis(rng.below(60)),
        );
        let killer = std::thread::spawn(move || {
            until("some batches are taken", || seen.load(Ordering::SeqCst) >= enough);
            std::thread::sleep(more);
            d.kill();
        });
        let mut rpc = Rpc::connect(&socket);
        for batch in next.by_ref() {
            let Ok(answer) = rpc.try_call("ingest", json!({"space": "log", "events": batch})) else {
                break;
            };
            let receipts = answer.expect("taken");
            acknowledged.extend(
                support::texts(&receipts["receipts"], "id")
                    .into_iter()
                    .map(str::to_owned),
            );
            taken.fetch_add(1, Ordering::SeqCst);
        }
        killer.join().unwrap();
        let d = launch.start();
        let export = d.rpc().export("log");
        let there: BTreeSet<&str> = support::texts(&export["nodes"], "event_id").into_iter().collect();
        let lost: Vec<&String> = acknowledged
            .iter()
            .filter(|id| !there.contains(id.as_str()))
            .collect();
        assert!(lost.is_empty(), "acknowledged and gone: {lost:?}");
        d.kill();
    }
    assert!(
        acknowledged.len() > 50,
        "the kills came after some work: {}",
        acknowledged.len()
    );
}

#[test]
fn a_stop_under_load_is_clean_and_loses_nothing() {
    let t = Topics::new(support::broker::shared());
    t.create_events(3);
    kafka::produce(&t.broker, &t.events, &records(5, 40));
    let dir = tempfile::tempdir().unwrap();
    let launch = t.launch(dir.path()).set("kafka.batch_records", 20);
    let d = launch.start();
    let socket = d.launch.socket();
    let client = std::thread::spawn(move || {
        let mut rpc = Rpc::connect(&socket);
        let mut taken = Vec::new();
        for batch in events("typed", &mut Rng(9), 4_000).chunks(5) {
            match rpc.try_call("ingest", json!({"space": "typed", "events": batch})) {
                Ok(Ok(r)) => taken.extend(
                    support::texts(&r["receipts"], "id")
                        .into_iter()
                        .map(str::to_owned),
                ),
                Ok(Err(e)) => {
                    assert_eq!(e["data"]["code"], "closing", "{e}");
                    break;
                }
                Err(_) => break,
            }
        }
        taken
    });
    let mut rpc = d.rpc();
    until("it is at work", || rpc.status()["stored"].as_u64() > Some(40));
    let (status, log) = d.term();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(!log.contains("panicked") && !log.contains("died"), "{log}");
    let taken = client.join().unwrap();
    let d = launch.start();
    let mut rpc = d.rpc();
    wait_all(&mut rpc, &t);
    let stored = rpc.status()["counts"]["events"].as_u64().unwrap() as usize;
    assert!(
        stored >= SPACES * 40 + taken.len(),
        "{stored} events, {} acknowledged",
        taken.len()
    );
    let export = rpc.export("typed");
    let there: BTreeSet<&str> = support::texts(&export["nodes"], "event_id").into_iter().collect();
    assert!(taken.iter().all(|id| there.contains(id.as_str())));
    d.stop();
}

#[test]
fn what_was_forgotten_leaves_the_disk_even_after_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let mut rng = Rng(21);
    for round in 0..4 {
        let secret = format!("marmalade{round}");
        let d = launch.start();
        let mut rpc = d.rpc();
        let told = json!([{"id": secret, "text": format!("The {secret} recipe is in the blue folder.")}, {"id": format!("k{round}"), "text": "Stays."}]);
        rpc.ingest("a", told);
        rpc.ok("forget", json!({"space": "a", "event_id": secret}));
        // Before, while or after the folder is written anew.
        std::thread::sleep(Duration::from_millis(rng.below(2) * (900 + rng.below(300))));
        d.kill();
        let d = launch.start();
        let mut rpc = d.rpc();
        rpc.settle("a");
        assert_eq!(
            support::files_holding(&launch.data(), &format!("{secret} recipe")),
            Vec::<String>::new()
        );
        assert_eq!(
            rpc.status()["counts"]["events"],
            round + 1,
            "the others are there"
        );
        d.stop();
    }
}

#[test]
fn a_client_that_reads_nothing_does_not_hold_up_the_stop() {
    use std::io::Write;
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let d = launch.start();
    d.rpc().ingest("a", json!(events("a", &mut Rng(3), 60)));
    let mut deaf = std::os::unix::net::UnixStream::connect(launch.socket()).unwrap();
    deaf.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
    // Far more answers than buffers hold. The daemon stops reading in time, so the last writes fail.
    for n in 0..3_000 {
        let request = json!({"jsonrpc": "2.0", "id": n, "method": "export", "params": {"space": "a"}});
        if deaf.write_all(format!("{request}\n").as_bytes()).is_err() {
            break;
        }
    }
    let begin = Instant::now();
    let (status, log) = d.term();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_second_process_on_the_same_data_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let d = launch.start();
    let (status, log) = launch.clone().fails();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(
        log.contains("in use by another process") && log.contains("--data"),
        "{log}"
    );
    assert!(log.contains(&launch.data().display().to_string()), "{log}");
    // The first is none the worse for it.
    d.rpc().ingest("a", json!([{"id": "1", "text": "still here"}]));
    d.stop();
}

#[test]
fn data_of_a_newer_format_is_refused_and_left_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let d = launch.start();
    d.rpc().ingest("a", json!([{"id": "1", "text": "from before"}]));
    d.stop();
    let format = launch.data().join("FORMAT");
    let old = std::fs::read_to_string(&format).unwrap();
    std::fs::write(&format, "4711\n").unwrap();
    let before = contents(&launch.data());
    let (status, log) = launch.fails();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(log.contains("4711") && log.contains("newer gyrus"), "{log}");
    assert!(before == contents(&launch.data()), "files changed");
    std::fs::write(&format, old).unwrap();
    let d = launch.start();
    assert_eq!(d.rpc().status()["counts"]["events"], 1);
    d.stop();
}

/// Name and bytes of every file below a folder.
fn contents(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(contents(&path));
        } else {
            out.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
    out.sort();
    out
}

#[test]
fn a_broker_that_goes_and_comes_back_costs_nothing() {
    let broker = support::broker::Broker::own();
    let t = Topics::new(&broker.address);
    t.create_events(2);
    let (first, second) = (records(11, 12), records(12, 24));
    kafka::produce(&t.broker, &t.events, &first);
    let dir = tempfile::tempdir().unwrap();
    let d = t.launch(dir.path()).start();
    let mut rpc = d.rpc();
    wait_all(&mut rpc, &t);
    assert_eq!(rpc.status()["degraded"], json!([]));

    broker.stop();
    until("the status says that the broker is away", || {
        rpc.status()["degraded"].to_string().contains("kafka")
    });
    // What needs no broker goes on.
    rpc.ingest(
        "side",
        json!([{"id": "1", "text": "The fence is painted green."}]),
    );
    assert_eq!(rpc.recalled("side", "What colour is the fence?"), ["1"]);

    // It can stop and start without a broker too.
    let launch = d.launch.clone();
    let begin = Instant::now();
    d.stop();
    let d = launch.start();
    assert!(begin.elapsed() < Duration::from_secs(40), "{:?}", begin.elapsed());
    let mut rpc = d.rpc();
    assert_eq!(rpc.recalled("side", "What colour is the fence?"), ["1"]);

    broker.start_again();
    // Only the later part is new: ids repeat up to the twelfth of each space.
    kafka::produce(&t.broker, &t.events, &second);
    wait_all(&mut rpc, &t);
    until("nothing waits any more", || rpc.status()["lag"] == 0);
    until("the status is good again", || {
        rpc.status()["degraded"] == json!([])
    });
    assert_eq!(rpc.status()["counts"]["events"], (SPACES * 24 + 1) as u64);
    d.stop();
}

#[test]
fn a_daemon_whose_socket_is_taken_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    let d = launch.start();
    let other = tempfile::tempdir().unwrap();
    let out = support::daemon::gyrus()
        .args(["serve", "--data"])
        .arg(other.path())
        .arg("--socket")
        .arg(launch.socket())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("is in use"), "{said}");
    d.rpc().status();
    d.stop();
}
