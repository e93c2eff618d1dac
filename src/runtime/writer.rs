//! The writer of a shard: the only thread that changes its state.
//!
//! It takes what waits in the queue, up to one batch, applies it event by event, and hands it to the
//! committer, which commits once, publishes snapshots and only then replies; meanwhile the next batch
//! is applied. After a failed commit the writer is latched: socket writes
//! are refused, stream records are held, and the state is loaded anew from the store before
//! anything is written again (DESIGN invariant 13).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use super::batch::{Batch, Redo};
use super::commit::{JournalPlaces, offset_key, space_writes};
use super::committer::{Committer, Failed, Job};
use super::load::{self, Held, LoadError, Loaded};
use super::metrics::Metrics;
use super::neighbours;
use super::outbox::{self, OutboxHandle};
use super::registry::Registry;
use super::repair;
use super::reply::Reply;
use super::scrub::Scrubber;
use super::shard::{Command, ShardStats, Slot, StreamInput};
use crate::embed::Models;
use crate::event::{Receipt, ReceiptStatus};
use crate::graph::{Node, NodeId};
use crate::intent::Feedback;
use crate::space::{
    Effect, Erase, EraseReceipt, Input, JournalInput, Prepared, SpaceSettings, SpaceState, SpaceView,
};
use crate::store::record::{self, JournalBatch};
use crate::store::{SCRUB_OWED, Store, StoreError, Table, Write};

/// What a writer needs from outside.
pub struct WriterContext {
    pub shard: u32,
    pub store: Arc<dyn Store>,
    pub models: Models,
    pub spaces: SpaceSettings,
    pub settings: super::Settings,
    pub registry: Arc<Registry>,
    pub stats: Arc<ShardStats>,
    /// Where intents and dead letters go; `None` keeps them out of the outbox (no Kafka).
    pub outbox: Option<OutboxHandle>,
    /// Told of every committed intent change.
    pub changes: tokio::sync::broadcast::Sender<Arc<str>>,
    /// The shard's own queue, for what comes back from the background.
    pub queue: mpsc::WeakSender<Command>,
    /// Told when something was erased: the store's folder wants a scrub.
    pub scrub: Arc<Scrubber>,
    pub metrics: Arc<Metrics>,
}

pub struct Writer {
    pub(super) cx: Arc<WriterContext>,
    pub(super) queue: mpsc::Receiver<Command>,
    pub(super) state: Loaded,
    /// A neighbour graph is being built; one at a time.
    pub(super) building: bool,
}

impl Writer {
    /// Opens the shard and publishes what is there.
    pub fn open(cx: WriterContext, queue: mpsc::Receiver<Command>) -> Result<Writer, LoadError> {
        let open = || load::load(cx.shard, cx.store.as_ref(), &cx.models, &cx.spaces);
        let state = match open() {
            Err(e) if e.is_repairable() => {
                tracing::warn!(shard = cx.shard, error = %e, "rebuilding the shard from its journal");
                repair::rebuild(cx.shard, cx.store.as_ref(), &cx.models, &cx.spaces)?;
                open()?
            }
            opened => opened?,
        };
        let name = Write::put(
            Table::Meta,
            load::EMBEDDER_KEY.to_vec(),
            load::embedder_name(&cx.models).into_bytes(),
        );
        cx.store.commit(&[name]).map_err(LoadError::Store)?;
        let mut writer = Writer {
            cx: Arc::new(cx),
            queue,
            state,
            building: false,
        };
        writer.publish_all();
        Ok(writer)
    }

    pub(super) fn publish_all(&mut self) {
        for held in self.state.spaces.values_mut() {
            self.cx.registry.publish(self.cx.shard, held.state.publish());
        }
        *self.cx.stats.positions.write() = self.state.positions.clone();
    }

    /// Runs until told to stop or until the queue closes; then everything taken is durable.
    pub fn run(mut self) -> Result<(), LoadError> {
        let mut committer = Committer::start(self.cx.clone())?;
        let mut held: VecDeque<Command> = VecDeque::new();
        loop {
            let Some(first) = held.pop_front().or_else(|| self.queue.blocking_recv()) else {
                let Err(failed) = committer.wait() else {
                    return Ok(());
                };
                if self.latched(failed.0, failed.1, &mut held)? {
                    return Ok(());
                }
                continue;
            };
            let mut batch = Batch::default();
            self.take(first, &mut batch);
            while batch.events < self.cx.settings.batch_events && !batch.stop {
                match held.pop_front().or_else(|| self.queue.try_recv().ok()) {
                    Some(c) => self.take(c, &mut batch),
                    None => break,
                }
            }
            let stop = batch.stop;
            let stop = match self.pass_on(batch, &mut committer) {
                Ok(()) => stop,
                Err(failed) => self.latched(failed.0, failed.1, &mut held)? || stop,
            };
            if stop {
                return Ok(());
            }
        }
    }

    fn take(&mut self, command: Command, batch: &mut Batch) {
        batch.commands += 1;
        match command {
            Command::Ingest { space, items, reply } => {
                let mut receipts = Vec::with_capacity(items.len());
                for item in items {
                    receipts.push(match item {
                        Slot::Refused(r) => r,
                        Slot::Event(p) => self.event(&space, *p, batch),
                    });
                }
                batch.replies.push(Reply::Ingest(reply, receipts));
            }
            Command::Records {
                inputs,
                positions,
                replies,
            } => {
                for (space, input) in inputs {
                    self.stream_input(space, input, batch);
                }
                for (p, at) in positions {
                    batch.redo.push(Redo::Position(p.clone(), at));
                    batch.positions.insert(p, at);
                }
                batch.replies.extend(replies.into_iter().map(Reply::Records));
            }
            Command::Feedback {
                space,
                feedback,
                reply,
            } => {
                let result = self.feedback(&space, feedback, batch);
                batch.replies.push(Reply::Feedback(reply, result));
            }
            Command::Erase {
                space,
                erase,
                dry_run,
                reply,
            } => {
                let receipt = self.erase(&space, erase, dry_run, batch);
                batch.replies.push(Reply::Erase(reply, receipt));
            }
            Command::Find { event_id, reply } => {
                let found = self
                    .state
                    .spaces
                    .iter()
                    .filter(|(_, h)| h.state.has_event_id(&event_id));
                let _ = reply.send(found.map(|(name, _)| name.clone()).collect());
            }
            Command::Access { space, ids } => {
                if self.state.spaces.contains_key(&space) {
                    batch
                        .journal
                        .push((space.clone(), JournalInput::Access(ids.clone())));
                    self.apply(&space, Input::Access(ids), batch);
                }
            }
            Command::Tick { wall_ms } => self.tick(wall_ms, batch),
            Command::Neighbours { space, ann } => {
                self.building = false;
                // It did not come through a handle, so it was not counted as accepted.
                batch.commands -= 1;
                if let Some(ann) = ann
                    && let Some(held) = self.state.spaces.get_mut(&space)
                    && held.state.set_neighbours(ann)
                {
                    batch.touched.insert(space);
                }
            }
            // The batch in flight tells; this only wakes the writer. It was not counted as accepted.
            Command::CommitFailed => batch.commands -= 1,
            Command::Barrier { reply } => batch.replies.push(Reply::Barrier(reply)),
            Command::Digest { space, reply } => {
                let wanted = |name: &Arc<str>| space.as_ref().is_none_or(|s| s == name);
                let digests = self.state.spaces.iter().filter(|(n, _)| wanted(n));
                let _ = reply.send(digests.map(|(n, h)| (n.clone(), h.state.digest())).collect());
            }
            Command::Stop => batch.stop = true,
        }
    }

    fn stream_input(&mut self, space: Arc<str>, input: StreamInput, batch: &mut Batch) {
        match input {
            StreamInput::Event(p) => {
                batch.redo.push(Redo::Event(space.clone(), p.event.clone()));
                let (id, event) = (p.event.id.clone(), p.event.clone());
                let receipt = self.event(&space, *p, batch);
                if receipt.status == ReceiptStatus::Rejected {
                    // Only a broken invariant gets here: decoding has accepted the record.
                    tracing::error!(event = %id, reason = ?receipt.reason, space = %event.space, "a decoded record was refused");
                }
            }
            StreamInput::Feedback(f) => {
                batch.redo.push(Redo::Feedback(space.clone(), f.clone()));
                if let Err(reason) = self.feedback(&space, f, batch) {
                    tracing::warn!(%reason, "feedback from the topic was refused");
                }
            }
            StreamInput::Dead(letter) => {
                tracing::warn!(topic = %letter.record.topic, partition = letter.record.partition, offset = letter.record.offset,
                    code = %letter.code, reason = %letter.reason, "a record was refused");
                batch.redo.push(Redo::Dead(letter.clone()));
                batch.dead.push(letter);
            }
        }
    }

    fn space(&mut self, name: &Arc<str>) -> &mut Held {
        let next = &mut self.state.next_space;
        let cx = &self.cx;
        self.state.spaces.entry(name.clone()).or_insert_with(|| {
            let no = *next;
            *next += 1;
            Held {
                no,
                state: SpaceState::new(name.clone(), cx.models.clone(), cx.spaces.clone()),
                places: JournalPlaces::default(),
                counted_refusals: 0,
            }
        })
    }

    fn apply(&mut self, space: &Arc<str>, input: Input, batch: &mut Batch) -> Vec<Effect> {
        let is_work = matches!(input, Input::Event(_) | Input::Tick { .. });
        let started = Instant::now();
        let state = &mut self.space(space).state;
        let passed = state.meta().last_pass;
        let mut effects = state.apply(input);
        let with_pass = state.meta().last_pass != passed;
        if is_work {
            self.cx.metrics.folded(started.elapsed(), with_pass);
        }
        batch.touched.insert(space.clone());
        effects.retain(|e| match e {
            Effect::Intent(node) => {
                batch.intents.push((space.clone(), node.clone()));
                false
            }
            _ => true,
        });
        effects
    }

    fn event(&mut self, space: &Arc<str>, p: Prepared, batch: &mut Batch) -> Receipt {
        let event = p.event.clone();
        batch.events += 1;
        let effects = self.apply(space, Input::Event(Box::new(p)), batch);
        let receipt = effects.into_iter().find_map(|e| match e {
            Effect::Receipt(r) => Some(r),
            _ => None,
        });
        // `SpaceState::apply` answers every event with one receipt.
        let receipt = receipt.unwrap_or(Receipt {
            id: event.id.clone(),
            status: ReceiptStatus::Rejected,
            node: None,
            reason: Some("internal: no receipt".into()),
        });
        if receipt.status == ReceiptStatus::Stored {
            batch
                .stored
                .push((space.clone(), NodeId::of_event(space, &event.source, &event.id)));
            batch.journal.push((space.clone(), JournalInput::Event(event)));
        }
        receipt
    }

    fn feedback(&mut self, space: &Arc<str>, f: Feedback, batch: &mut Batch) -> Result<Arc<Node>, String> {
        if !self.state.spaces.contains_key(space) {
            return Err("unknown space".into());
        }
        let effects = self.apply(space, Input::Feedback(f.clone()), batch);
        let result = effects.into_iter().find_map(|e| match e {
            Effect::FeedbackDone(r) => Some(r),
            _ => None,
        });
        let result = result.unwrap_or_else(|| Err("internal: no answer".into()));
        if result.is_ok() {
            batch.journal.push((space.clone(), JournalInput::Feedback(f)));
        }
        result
    }

    fn erase(&mut self, space: &Arc<str>, erase: Erase, dry_run: bool, batch: &mut Batch) -> EraseReceipt {
        // What is erased by id stays out if it comes later, also in a space that has no event yet.
        let lasting = !dry_run && erase.is_lasting();
        if !lasting && !self.state.spaces.contains_key(space) {
            return EraseReceipt::default();
        }
        let held = self.space(space);
        let selected = held.state.selected(&erase);
        // Where they stand in the journal must be known before they are gone.
        let places: Vec<(NodeId, u64)> = selected
            .iter()
            .filter_map(|ix| Some((held.state.graph().node(*ix)?.id.clone(), held.places.get(*ix))))
            .collect();
        if dry_run || (selected.is_empty() && !lasting) {
            return EraseReceipt {
                events: places.into_iter().map(|(id, _)| id).collect(),
                ..EraseReceipt::default()
            };
        }
        batch
            .journal
            .push((space.clone(), JournalInput::Erase(erase.clone())));
        let effects = self.apply(space, Input::Erase(erase), batch);
        let receipt = effects.into_iter().find_map(|e| match e {
            Effect::Erased(r) => Some(r),
            _ => None,
        });
        for (name, input) in &mut batch.journal {
            if name == space {
                forget(input, space, |id| places.iter().any(|(p, _)| p == id));
            }
        }
        batch
            .erased
            .extend(places.into_iter().map(|(id, place)| (space.clone(), id, place)));
        receipt.unwrap_or_default()
    }

    fn tick(&mut self, wall_ms: i64, batch: &mut Batch) {
        let due: Vec<(Arc<str>, i64)> = self
            .state
            .spaces
            .iter()
            .filter_map(|(name, h)| Some((name.clone(), h.state.elapsed_to_due(wall_ms)?)))
            .collect();
        for (space, elapsed_ms) in due {
            batch
                .journal
                .push((space.clone(), JournalInput::Tick { elapsed_ms }));
            self.apply(&space, Input::Tick { elapsed_ms }, batch);
        }
    }

    /// Hands a batch to the committer, once the one before it is durable; a stop waits for both. On
    /// failure everything that is not durable comes back as one batch.
    fn pass_on(&mut self, mut batch: Batch, committer: &mut Committer) -> Result<(), Failed> {
        let stop = batch.stop;
        let earlier = |failed: Failed, batch: Batch| Box::new((failed.0, failed.1.followed_by(batch)));
        if !batch.erased.is_empty() {
            // An erasure rewrites what stands in the store: all that came before must stand there.
            if let Err(failed) = committer.wait() {
                return Err(earlier(failed, batch));
            }
        }
        let writes = self.writes(&mut batch);
        let views = self.views(&mut batch);
        if let Err(failed) = committer.wait() {
            return Err(earlier(failed, batch));
        }
        match writes {
            Ok(writes) => committer.submit(Job { writes, views, batch }),
            Err(e) => return Err(Box::new((e, batch))),
        }
        if stop { committer.wait() } else { Ok(()) }
    }

    /// The snapshots that show a batch.
    fn views(&mut self, batch: &mut Batch) -> Vec<SpaceView> {
        let mut views = Vec::with_capacity(batch.touched.len());
        for name in &batch.touched {
            if let Some(held) = self.state.spaces.get_mut(name) {
                let refused = held.state.rejected_plans();
                batch.refused_plans += refused - held.counted_refusals;
                held.counted_refusals = refused;
                let view = held.state.publish();
                if view.index.ann_due() && !self.building {
                    self.building = neighbours::build(view.index.clone(), name.clone(), &self.cx);
                }
                views.push(view);
            }
        }
        views
    }

    fn writes(&mut self, batch: &mut Batch) -> Result<Vec<Write>, StoreError> {
        let mut writes = Vec::new();
        if !batch.journal.is_empty() {
            let seq = self.state.next_journal;
            self.state.next_journal += 1;
            for (space, id) in &batch.stored {
                if let Some(held) = self.state.spaces.get_mut(space)
                    && let Some(ix) = held.state.graph().ix(id.as_str())
                {
                    held.places.set(ix, seq);
                }
            }
            let entry = JournalBatch {
                inputs: std::mem::take(&mut batch.journal),
            };
            writes.push(Write::put(
                Table::Journal,
                seq.to_be_bytes().to_vec(),
                record::encode_journal(&entry),
            ));
        }
        if !batch.erased.is_empty() {
            writes.push(Write::put(Table::Meta, SCRUB_OWED.to_vec(), Vec::new()));
        }
        if batch.erased.iter().any(|(_, _, place)| *place > 0) {
            self.rewrite_journal(batch, &mut writes)?;
        }
        for name in &batch.touched {
            if let Some(held) = self.state.spaces.get_mut(name) {
                space_writes(held.no, &mut held.state, &held.places, &mut writes);
            }
        }
        for (p, at) in &batch.positions {
            writes.push(Write::put(
                Table::Offsets,
                offset_key(p),
                at.to_be_bytes().to_vec(),
            ));
            self.state.positions.insert(p.clone(), *at);
        }
        if let Some(out) = &self.cx.outbox {
            let before = self.state.next_outbox;
            let mut told: Vec<&(Arc<str>, Arc<Node>)> = batch.intents.iter().collect();
            if !batch.erased.is_empty() {
                // What waits, or was told earlier in this batch, may hold words of the erased: only the newest goes out.
                let ids: BTreeSet<Arc<str>> = told.iter().map(|(_, n)| n.id.0.clone()).collect();
                let old = outbox::superseded(self.cx.store.as_ref(), &out.intents_topic, &ids)?;
                writes.extend(old.into_iter().map(|key| Write::delete(Table::Outbox, key)));
                let mut newer = BTreeSet::new();
                told = told
                    .into_iter()
                    .rev()
                    .filter(|(s, n)| newer.insert((s.clone(), n.id.clone())))
                    .collect();
                told.reverse();
            }
            let intents = told.into_iter().filter_map(|(space, node)| {
                let held = self.state.spaces.get(space)?;
                outbox::intent_record(out, space, node, held.state.graph())
            });
            let dead = batch.dead.iter().map(|d| d.outgoing(&out.dead_letters_topic));
            let records: Vec<_> = intents.chain(dead).collect();
            for r in records {
                let key = self.state.next_outbox.to_be_bytes().to_vec();
                writes.push(Write::put(Table::Outbox, key, outbox::encode(r)));
                self.state.next_outbox += 1;
            }
            if self.state.next_outbox != before {
                let next = self.state.next_outbox.to_be_bytes().to_vec();
                writes.push(Write::put(Table::Meta, b"outbox".to_vec(), next));
            }
        }
        Ok(writes)
    }

    /// Replaces erased events in earlier journal entries by their node ids. Cost: the entries that hold them.
    fn rewrite_journal(&mut self, batch: &Batch, writes: &mut Vec<Write>) -> Result<(), StoreError> {
        let mut gone: BTreeMap<u64, Vec<(&Arc<str>, &NodeId)>> = BTreeMap::new();
        for (space, id, place) in &batch.erased {
            if *place > 0 {
                gone.entry(*place).or_default().push((space, id));
            }
        }
        for (seq, ids) in gone {
            let key = seq.to_be_bytes().to_vec();
            let Some(bytes) = self.cx.store.get(Table::Journal, &key)? else {
                continue;
            };
            let mut entry = record::decode_journal(&bytes)
                .map_err(|e| StoreError::failed("rewriting the journal for an erasure", e))?;
            for (space, input) in &mut entry.inputs {
                forget(input, space, |id| {
                    ids.iter().any(|(s, i)| *s == space && *i == id)
                });
            }
            writes.push(Write::put(Table::Journal, key, record::encode_journal(&entry)));
        }
        Ok(())
    }
}

/// Replaces an event by its node id when `gone` says so.
fn forget(input: &mut JournalInput, space: &str, gone: impl Fn(&NodeId) -> bool) {
    if let JournalInput::Event(e) = input {
        let id = NodeId::of_event(space, &e.source, &e.id);
        if gone(&id) {
            *input = JournalInput::Gone(id);
        }
    }
}
