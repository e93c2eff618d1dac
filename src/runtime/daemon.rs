//! The daemon: opens the vault, starts the shards, and is what the surfaces talk to.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::accesses::Accesses;
use super::kafka::KafkaLink;
use super::load::LoadError;
use super::metrics::{Metrics, Progress};
use super::options::DaemonOptions;
use super::outbox::{self, OutboxHandle};
use super::registry::Registry;
use super::scrub::Scrubber;
use super::shard::{Command, IngestError, ShardHandle, ShardStats, Slot};
use super::source::{self, SourceTask};
use super::tasks::Tasks;
use super::writer::{Writer, WriterContext};
use crate::embed::Models;
use crate::event::{Event, Receipt};
use crate::graph::{Node, NodeId};
use crate::intent::Feedback;
use crate::space::{Erase, EraseReceipt, Prepared, SpaceView};
use crate::store::{Store, StoreError, Table, Vault, Write};
use crate::stream::{FileSettings, Publisher, StreamError};

#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error(transparent)]
    Publish(#[from] crate::stream::PublishError),
    #[error("{0}")]
    Died(String),
}

/// Puts something around the storage of a shard, such as a fault: number, storage -> storage.
pub type AroundStore = dyn Fn(u32, Arc<dyn Store>) -> Arc<dyn Store> + Send + Sync;

pub(super) struct OpenShard {
    handle: ShardHandle,
    store: Arc<dyn Store>,
    thread: std::thread::JoinHandle<()>,
}

pub struct Daemon {
    pub options: DaemonOptions,
    pub registry: Arc<Registry>,
    pub tasks: Tasks,
    pub(super) vault: Arc<Vault>,
    pub(super) around: Box<AroundStore>,
    pub(super) shards: RwLock<BTreeMap<u32, OpenShard>>,
    pub(super) changes: broadcast::Sender<Arc<str>>,
    pub(super) scrubber: Arc<Scrubber>,
    pub(super) outbox: Option<(OutboxHandle, Publisher)>,
    pub(super) link: RwLock<Option<KafkaLink>>,
    /// Files that are followed, and standard input.
    pub(super) lines: Mutex<Vec<SourceTask>>,
    pub(super) accesses: Accesses,
    pub traces: Mutex<super::traces::Traces>,
    pub metrics: Arc<Metrics>,
    pub(super) progress: Mutex<Progress>,
    pub(super) started: Instant,
}

impl Daemon {
    /// Opens the data directory and every shard that has data in it, then the local shard (without
    /// Kafka) or the consumer (with it). Returns when queries can be answered.
    pub async fn start(options: DaemonOptions) -> Result<Arc<Daemon>, DaemonError> {
        Daemon::start_around(options, Box::new(|_, store| store)).await
    }

    /// As [`Daemon::start`], with something around each shard's storage; for tests of faults.
    pub async fn start_around(
        options: DaemonOptions,
        around: Box<AroundStore>,
    ) -> Result<Arc<Daemon>, DaemonError> {
        let (data, cache, durability) = (options.data.clone(), options.cache_mb, options.durability);
        let vault = blocking(move || Vault::open(&data, cache, durability)).await?;
        let vault = Arc::new(vault);
        let outbox = match &options.kafka {
            Some(k) => {
                let publisher = Publisher::new(k)?;
                Some((
                    OutboxHandle::new(&k.intents_topic, &k.dead_letters_topic),
                    publisher,
                ))
            }
            None => None,
        };
        let daemon = Arc::new(Daemon {
            traces: Mutex::new(super::traces::Traces::new(options.runtime.traces)),
            registry: Arc::new(Registry::default()),
            tasks: Tasks::default(),
            metrics: Arc::default(),
            progress: Mutex::default(),
            scrubber: Arc::new(Scrubber::new(vault.clone())?),
            vault,
            around,
            shards: RwLock::default(),
            changes: broadcast::channel(1_024).0,
            outbox,
            link: RwLock::new(None),
            lines: Mutex::default(),
            accesses: Accesses::default(),
            started: Instant::now(),
            options,
        });
        let mut numbers = daemon.vault.shards();
        if numbers.is_empty() && daemon.options.kafka.is_none() {
            numbers.push(0);
        }
        for no in numbers {
            daemon.open_shard(no).await?;
        }
        daemon.start_tasks();
        if let Some(settings) = daemon.options.kafka.clone() {
            let link = KafkaLink::start(&daemon, settings)?;
            *daemon.link.write() = Some(link);
        }
        Ok(daemon)
    }

    /// Follows a file of NDJSON events, from where the last run stopped.
    pub fn follow(self: &Arc<Self>, path: &Path, settings: FileSettings) {
        let task = source::follow(self, path, settings);
        self.lines.lock().push(task);
    }

    /// Reads NDJSON events from standard input until it ends.
    pub fn read_standard_input(self: &Arc<Self>, settings: FileSettings) {
        let task = source::standard_input(self, settings);
        self.lines.lock().push(task);
    }

    fn start_tasks(self: &Arc<Self>) {
        let seconds = self.options.runtime.tick_seconds;
        if seconds > 0 {
            let (daemon, mut stop) = (Arc::downgrade(self), self.tasks.stopping());
            self.tasks.spawn("clock", async move {
                let mut every = tokio::time::interval(Duration::from_secs(seconds));
                // The first tick of an interval is at once: a restart must not look like time passing.
                every.tick().await;
                loop {
                    tokio::select! {
                        _ = every.tick() => {}
                        _ = stop.wait_for(|s| *s) => return Ok::<_, DaemonError>(()),
                    }
                    let Some(daemon) = daemon.upgrade() else {
                        return Ok(());
                    };
                    let wall_ms = chrono::Utc::now().timestamp_millis();
                    for shard in daemon.handles() {
                        shard.offer(Command::Tick { wall_ms });
                    }
                }
            });
        }
        let (daemon, mut stop) = (Arc::downgrade(self), self.tasks.stopping());
        let every = Duration::from_secs_f64(self.options.runtime.access_seconds.max(0.1));
        self.tasks.spawn("accesses", async move {
            loop {
                tokio::select! {
                    _ = tokio::time::sleep(every) => {}
                    _ = stop.wait_for(|s| *s) => return Ok::<_, DaemonError>(()),
                }
                let Some(daemon) = daemon.upgrade() else {
                    return Ok(());
                };
                daemon.flush_accesses();
                // Looked at from time to time, so that a first question finds out how long nothing has moved.
                daemon.not_ready();
            }
        });
        let (daemon, mut stop) = (Arc::downgrade(self), self.tasks.stopping());
        let scrubber = self.scrubber.clone();
        self.tasks.spawn("scrub", async move {
            loop {
                tokio::select! {
                    _ = scrubber.requested() => {}
                    _ = stop.wait_for(|s| *s) => return Ok::<_, DaemonError>(()),
                }
                // Several erasures in a row share one scrub.
                tokio::time::sleep(Duration::from_secs(1)).await;
                let Some(daemon) = daemon.upgrade() else { return Ok(()) };
                if let Err(e) = daemon.scrub().await {
                    tracing::error!(error = %e, "the store could not be rewritten after an erasure; tried again with the next one");
                }
            }
        });
    }

    /// Rewrites the store's folder if something was erased since the last time.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        let scrubber = self.scrubber.clone();
        blocking(move || scrubber.run()).await
    }

    pub async fn open_shard(self: &Arc<Self>, no: u32) -> Result<ShardHandle, DaemonError> {
        if let Some(open) = self.shards.read().get(&no) {
            return Ok(open.handle.clone());
        }
        let (tx, rx) = mpsc::channel(self.options.runtime.queue_commands);
        let stats = Arc::new(ShardStats::default());
        let handle = ShardHandle {
            no,
            queue: tx,
            stats: stats.clone(),
        };
        let store = (self.around)(no, self.vault.shard(no));
        let outbox = self.outbox.as_ref().map(|(h, p)| (h.for_shard(), p.clone()));
        let cx = WriterContext {
            shard: no,
            store: store.clone(),
            models: self.options.models.clone(),
            spaces: self.options.spaces.clone(),
            settings: self.options.runtime.clone(),
            registry: self.registry.clone(),
            stats,
            outbox: outbox.as_ref().map(|(h, _)| h.clone()),
            changes: self.changes.clone(),
            queue: handle.queue.downgrade(),
            scrub: self.scrubber.clone(),
            metrics: self.metrics.clone(),
        };
        let writer = blocking(move || Writer::open(cx, rx)).await?;
        let tasks = self.tasks.clone();
        let thread = std::thread::Builder::new()
            .name(format!("gyrus-writer-{no}"))
            .spawn(move || {
                let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| writer.run()));
                match run {
                    Ok(Ok(())) => {}
                    Ok(Err(e)) => tasks.died("writer", &e.to_string()),
                    Err(_) => tasks.died("writer", "panic"),
                }
            })
            .map_err(|e| StoreError::failed("starting a writer thread", e))?;
        if let Some((handle, publisher)) = outbox {
            self.tasks.spawn(
                format!("outbox-{no}"),
                outbox::run(store.clone(), publisher, handle, self.tasks.stopping()),
            );
        }
        self.shards.write().insert(
            no,
            OpenShard {
                handle: handle.clone(),
                store,
                thread,
            },
        );
        Ok(handle)
    }

    pub fn handles(&self) -> Vec<ShardHandle> {
        self.shards.read().values().map(|s| s.handle.clone()).collect()
    }

    pub fn shard(&self, no: u32) -> Option<ShardHandle> {
        self.shards.read().get(&no).map(|s| s.handle.clone())
    }

    /// The shard of a space; an unknown space gets its home.
    async fn home(self: &Arc<Self>, space: &Arc<str>) -> Result<ShardHandle, IngestError> {
        let no = match self.registry.owner(space) {
            Some(no) => no,
            None => {
                let partitions = self.link.read().as_ref().map_or(1, |l| l.partitions());
                let home = crate::stream::default_partition(space.as_bytes(), partitions.max(1) as i32);
                self.registry.claim(space, home.max(0) as u32)
            }
        };
        self.open_shard(no).await.map_err(|e| IngestError::WriteFailed {
            reason: e.to_string(),
        })
    }

    fn owner(&self, space: &str) -> Result<ShardHandle, IngestError> {
        let no = self.registry.owner(space).ok_or(IngestError::UnknownSpace)?;
        self.shard(no).ok_or(IngestError::UnknownSpace)
    }

    /// Takes decoded events of one space; the receipts stand in their order. Returns when durable.
    pub async fn ingest(
        self: &Arc<Self>,
        space: &Arc<str>,
        events: Vec<Result<Event, Receipt>>,
    ) -> Result<Vec<Receipt>, IngestError> {
        let models = self.options.models.clone();
        let slots = tokio::task::spawn_blocking(move || slots(events, &models))
            .await
            .map_err(|_| IngestError::Closed)??;
        if slots.iter().all(|s| matches!(s, Slot::Refused(_))) {
            // Nothing to store: a refused event must not make a space.
            return Ok(slots
                .into_iter()
                .filter_map(|s| match s {
                    Slot::Refused(r) => Some(r),
                    Slot::Event(_) => None,
                })
                .collect());
        }
        let shard = self.home(space).await?;
        let (reply, answer) = oneshot::channel();
        shard
            .send(Command::Ingest {
                space: space.clone(),
                items: slots,
                reply,
            })
            .await?;
        answer.await.map_err(|_| IngestError::Closed)?
    }

    pub async fn feedback(
        &self,
        space: &Arc<str>,
        f: Feedback,
    ) -> Result<Result<Arc<Node>, String>, IngestError> {
        let (reply, answer) = oneshot::channel();
        self.owner(space)?
            .send(Command::Feedback {
                space: space.clone(),
                feedback: f,
                reply,
            })
            .await?;
        answer.await.map_err(|_| IngestError::Closed)?
    }

    /// Erases what matches and waits until it is gone from the store; the folder is rewritten soon after.
    pub async fn erase(
        &self,
        space: &Arc<str>,
        erase: Erase,
        dry_run: bool,
    ) -> Result<EraseReceipt, IngestError> {
        let (reply, answer) = oneshot::channel();
        self.owner(space)?
            .send(Command::Erase {
                space: space.clone(),
                erase,
                dry_run,
                reply,
            })
            .await?;
        answer.await.map_err(|_| IngestError::Closed)?
    }

    /// Notes that nodes were returned by a recall. They reach the writer every few seconds; dropped under load.
    pub fn accessed(&self, space: &Arc<str>, ids: Vec<NodeId>) {
        self.accesses.note(space, ids);
    }

    fn flush_accesses(&self) {
        for (space, ids) in self.accesses.take() {
            if let Ok(shard) = self.owner(&space) {
                shard.offer(Command::Access {
                    space,
                    ids: ids.into_iter().collect(),
                });
            }
        }
    }

    /// Waits until everything accepted for the space so far is durable, visible and scrubbed.
    pub async fn settle(&self, space: &str) -> Result<(), IngestError> {
        let Ok(shard) = self.owner(space) else {
            return Ok(());
        };
        let (reply, answer) = oneshot::channel();
        shard.send(Command::Barrier { reply }).await?;
        answer.await.map_err(|_| IngestError::Closed)?;
        if self.scrubber.is_due() {
            self.scrub().await.map_err(|e| IngestError::WriteFailed {
                reason: e.to_string(),
            })?;
        }
        Ok(())
    }

    pub fn view(&self, space: &str) -> Option<Arc<SpaceView>> {
        self.registry.view(space)
    }

    /// Names of spaces whose intents changed, as they are committed.
    pub fn changes(&self) -> broadcast::Receiver<Arc<str>> {
        self.changes.subscribe()
    }

    /// The cursor that a subscriber acknowledged last, 0 for none.
    pub fn acknowledged(&self, space: &str, subscriber: &str) -> Result<u64, IngestError> {
        let store = self.store_of(space)?;
        let found = store.get(Table::Meta, &ack_key(space, subscriber));
        let bytes = found.map_err(|e| IngestError::WriteFailed {
            reason: e.to_string(),
        })?;
        Ok(bytes
            .and_then(|b| Some(u64::from_be_bytes(b.try_into().ok()?)))
            .unwrap_or(0))
    }

    /// Stores a subscriber's cursor. Durable when it returns.
    pub fn acknowledge(&self, space: &str, subscriber: &str, cursor: u64) -> Result<(), IngestError> {
        let write = Write::put(
            Table::Meta,
            ack_key(space, subscriber),
            cursor.to_be_bytes().to_vec(),
        );
        self.store_of(space)?
            .commit(&[write])
            .map_err(|e| IngestError::WriteFailed {
                reason: e.to_string(),
            })
    }

    fn store_of(&self, space: &str) -> Result<Arc<dyn Store>, IngestError> {
        let no = self.registry.owner(space).ok_or(IngestError::UnknownSpace)?;
        self.shards
            .read()
            .get(&no)
            .map(|s| s.store.clone())
            .ok_or(IngestError::UnknownSpace)
    }

    /// Hash of the logical state of one space, or of all: of the sorted digests of the spaces.
    pub async fn digest(&self, space: Option<Arc<str>>) -> String {
        let mut all: BTreeMap<Arc<str>, [u8; 32]> = BTreeMap::new();
        for shard in self.handles() {
            let (reply, answer) = oneshot::channel();
            if shard
                .send_unchecked(Command::Digest {
                    space: space.clone(),
                    reply,
                })
                .await
                .is_ok()
                && let Ok(part) = answer.await
            {
                all.extend(part);
            }
        }
        let mut h = blake3::Hasher::new();
        for (name, digest) in &all {
            h.update(&(name.len() as u64).to_le_bytes());
            h.update(name.as_bytes());
            h.update(digest);
        }
        h.finalize().to_hex().to_string()
    }

    /// Stops taking, writes what was taken, releases the directory.
    pub async fn shutdown(&self) -> Result<(), DaemonError> {
        let link = self.link.write().take();
        if let Some(link) = link {
            link.stop().await;
        }
        let lines = std::mem::take(&mut *self.lines.lock());
        for task in &lines {
            task.stop().await;
        }
        self.flush_accesses();
        let shards = std::mem::take(&mut *self.shards.write());
        for open in shards.values() {
            // A closed queue means that the writer is gone already.
            let _ = open.handle.send_unchecked(Command::Stop).await;
        }
        let threads: Vec<_> = shards.into_values().map(|s| s.thread).collect();
        blocking(move || {
            for t in threads {
                t.join()
                    .map_err(|_| StoreError::failed("stopping a writer", "it panicked"))?;
            }
            Ok::<_, StoreError>(())
        })
        .await?;
        self.tasks.shutdown().await;
        if self.scrubber.is_due() {
            self.scrub().await?;
        }
        let vault = self.vault.clone();
        blocking(move || vault.flush()).await?;
        Ok(())
    }
}

fn ack_key(space: &str, subscriber: &str) -> Vec<u8> {
    // A length first, since both names are free text.
    format!("ack/{}/{space}/{subscriber}", space.len()).into_bytes()
}

fn slots(events: Vec<Result<Event, Receipt>>, models: &Models) -> Result<Vec<Slot>, IngestError> {
    let good: Vec<Arc<Event>> = events
        .iter()
        .filter_map(|e| e.as_ref().ok().cloned().map(Arc::new))
        .collect();
    let prepared = Prepared::of(good, models).map_err(|e| IngestError::Embedder {
        reason: e.to_string(),
    })?;
    let mut prepared = prepared.into_iter();
    Ok(events
        .into_iter()
        .filter_map(|e| match e {
            Err(r) => Some(Slot::Refused(r)),
            Ok(_) => prepared.next().map(|p| Slot::Event(Box::new(p))),
        })
        .collect())
}

async fn blocking<T, E>(f: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: Send + 'static,
{
    match tokio::task::spawn_blocking(f).await {
        Ok(r) => r,
        Err(e) => match e.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => std::panic::panic_any("the runtime is gone"),
        },
    }
}
