//! Damaged derived records are built anew from the journal; a damaged journal is left alone; a
//! changed embedder is never mixed in.

use std::path::Path;
use std::sync::Arc;

use gyrus::config::{Config, EmbedderKind};
use gyrus::event::{DecodeCx, Ts, decode_json};
use gyrus::runtime::{Daemon, DaemonOptions};
use gyrus::store::{Durability, Store, Table, Vault, Write};
use serde_json::json;

const SPACE: &str = "mill";

fn config(dir: &Path) -> Config {
    let mut c = Config::default();
    c.store.dir = dir.to_path_buf();
    c
}

async fn start(c: &Config) -> Result<Arc<Daemon>, String> {
    Daemon::start(DaemonOptions::of(c).unwrap())
        .await
        .map_err(|e| e.to_string())
}

async fn feed(daemon: &Arc<Daemon>, n: usize) {
    let texts = [
        "The mill wheel squeaks again near the left bearing",
        "Greased the left bearing of the mill wheel, squeak gone",
        "Flour order of forty sacks for the bakery in Ostel, due on 14 March",
        "The bakery in Ostel wants its forty sacks of flour a day earlier",
    ];
    let settings = gyrus::event::Settings::default();
    let cx = DecodeCx::new(Ts(0), &settings);
    for i in 0..n {
        let day = 1 + i % 27;
        let event = json!({"id": format!("m{i}"), "space": SPACE, "time": format!("2026-02-{day:02}T08:00:00Z"),
            "text": format!("{} ({i})", texts[i % texts.len()])});
        let decoded = decode_json(event, &cx).unwrap();
        daemon.ingest(&SPACE.into(), vec![Ok(decoded)]).await.unwrap();
    }
}

/// Runs a daemon over `n` events and returns its digest.
async fn filled(c: &Config, n: usize) -> String {
    let daemon = start(c).await.unwrap();
    feed(&daemon, n).await;
    let digest = daemon.digest(None).await;
    daemon.shutdown().await.unwrap();
    digest
}

fn tamper(dir: &Path, table: Table) {
    let vault = Vault::open(dir, 8, Durability::EveryBatch).unwrap();
    let store: Arc<dyn Store> = vault.shard(0);
    let key = store.keys(table).unwrap().swap_remove(1);
    store
        .commit(&[Write::put(table, key, b"\xff\xffnot a record".to_vec())])
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_node_is_rebuilt_to_the_same_digest() {
    let dir = tempfile::tempdir().unwrap();
    let c = config(dir.path());
    let before = filled(&c, 40).await;
    tamper(dir.path(), Table::Nodes);
    let daemon = start(&c).await.unwrap();
    assert_eq!(daemon.digest(None).await, before);
    daemon.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_journal_is_refused_by_name_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let c = config(dir.path());
    filled(&c, 20).await;
    tamper(dir.path(), Table::Nodes);
    tamper(dir.path(), Table::Journal);
    let refused = start(&c)
        .await
        .err()
        .expect("nothing can be rebuilt from a damaged journal");
    assert!(refused.contains("journal"), "{refused}");
    let vault = Vault::open(dir.path(), 8, Durability::EveryBatch).unwrap();
    let store = vault.shard(0);
    let key = store.keys(Table::Journal).unwrap().swap_remove(1);
    assert_eq!(
        store.get(Table::Journal, &key).unwrap().unwrap(),
        b"\xff\xffnot a record"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_embedder_folds_everything_anew_instead_of_mixing() {
    let dir = tempfile::tempdir().unwrap();
    let mut c = config(dir.path());
    filled(&c, 30).await;
    c.embedder.kind = EmbedderKind::Hashed;
    let daemon = start(&c).await.unwrap();
    let switched = daemon.digest(None).await;
    daemon.shutdown().await.unwrap();

    let other = tempfile::tempdir().unwrap();
    let mut fresh = config(other.path());
    fresh.embedder.kind = EmbedderKind::Hashed;
    assert_eq!(
        switched,
        filled(&fresh, 30).await,
        "as if it had been the embedder from the start"
    );
}
