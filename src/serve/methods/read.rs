//! Methods that only read. They work on snapshots and never wait for a writer.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::view;
use crate::fold::context;
use crate::graph::{IntentStatus, NodeIx};
use crate::recall::{self, Mode, Policy, Query, Snapshot};
use crate::runtime::Daemon;
use crate::serve::params::Params;
use crate::serve::trace::trace;
use crate::serve::{RpcError, claims, code, explain as story, export as dump, feed, wire};
use crate::space::SpaceView;

pub async fn recall(daemon: &Arc<Daemon>, mut p: Params, answer: bool) -> Result<Value, RpcError> {
    let space = p.space()?;
    let query = query(&mut p)?;
    p.finish()?;
    let text = query.text.clone();
    let view = view(daemon, &space)?;
    let (worker, snapshot) = (daemon.clone(), view.clone());
    let started = Instant::now();
    let work = move || {
        let snap = Snapshot {
            graph: &snapshot.graph,
            index: &snapshot.index,
            distill: &snapshot.distill,
            now: snapshot.now(),
        };
        let (settings, models) = (&worker.options.recall, &worker.options.models);
        if answer {
            let a = recall::answer(&snap, &query, settings, models);
            let value = answer_json(&snapshot, &a);
            (a.recalled, value, query.explain)
        } else {
            let r = recall::recall(&snap, &query, settings, models);
            let value = recalled_json(&snapshot, &r);
            (r, value, query.explain)
        }
    };
    let done = tokio::task::spawn_blocking(work).await;
    let (recalled, mut out, explain) =
        done.map_err(|e| RpcError::new(code::INTERNAL, format!("recall failed: {e}")))?;
    let took = started.elapsed();
    let (mode, procedure) = (recalled.mode.name(), recalled.procedure.name());
    daemon.metrics.recalled(mode, procedure, recalled.abstain, took);
    let trace = trace(&recalled, &text, took.as_secs_f64() * 1e3);
    if explain {
        out["trace"] = trace.clone();
    } else {
        // What an answer used counts as used; looking into why must not.
        let ids = recalled.items.iter().take(10).map(|i| i.node.clone()).collect();
        daemon.accessed(&space, ids);
    }
    out["trace_id"] = daemon.traces.lock().add(space, trace).into();
    Ok(out)
}

fn query(p: &mut Params) -> Result<Query, RpcError> {
    let mode = match p.string("mode")?.as_deref() {
        None | Some("auto") => None,
        Some(m) => Some(Mode::parse(m).ok_or_else(|| {
            let known: Vec<&str> = Mode::ALL.iter().map(|m| m.name()).collect();
            RpcError::params(format!(
                "unknown mode `{m}`; known are auto, {}",
                known.join(", ")
            ))
        })?),
    };
    let policy = match p.string("policy")? {
        None => Policy::default(),
        Some(name) => Policy::parse(&name).ok_or_else(|| {
            RpcError::params(format!("unknown policy `{name}`; known are routed and direct"))
        })?,
    };
    Ok(Query {
        text: p.needed("query").and_then(|q| match q.trim().is_empty() {
            true => Err(RpcError::params("`query` is empty: ask something")),
            false => Ok(q),
        })?,
        mode,
        budget_tokens: p
            .count("budget_tokens")?
            .map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
        now: p.time("now")?,
        as_of: p.time("as_of")?,
        policy,
        explain: p.bool("explain")?,
    })
}

fn recalled_json(view: &SpaceView, r: &recall::Recalled) -> Value {
    let items: Vec<Value> = r.items.iter().map(item_json).collect();
    json!({
        "mode": r.mode.name(),
        "procedure": r.procedure.name(),
        "abstain": r.abstain,
        "note": r.note,
        "context": r.context,
        "tokens": r.tokens,
        "items": items,
        "claims": r.claims.iter().map(|c| claims::claim(&view.graph, c)).collect::<Vec<_>>(),
        "profiles": r.profiles.iter().map(|p| claims::profile(&view.graph, p)).collect::<Vec<_>>(),
    })
}

fn item_json(i: &recall::Item) -> Value {
    json!({
        "node": i.node.as_str(),
        "event_id": i.event_id.as_deref(),
        "time": i.time.rfc3339(),
        "lane": i.lane.name(),
        "score": i.score,
        "text": i.text,
    })
}

fn answer_json(view: &SpaceView, a: &recall::Answer) -> Value {
    let mut out = recalled_json(view, &a.recalled);
    out["answer"] = a.text.as_str().into();
    out["citations"] = a.citations.iter().filter_map(|c| c.event_id.as_deref()).collect();
    out
}

pub fn context(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let settings = &daemon.options.context;
    let max = p
        .count("max_nodes")?
        .map_or(settings.max_nodes, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let now = p.time("now")?;
    p.finish()?;
    let view = view(daemon, &space)?;
    let window = context::assemble(
        &view.graph,
        now.unwrap_or_else(|| view.now()),
        max.min(10_000),
        settings,
    );
    let tier = |l: &[context::Scored]| -> Value {
        l.iter()
            .filter_map(|s| scored(&view, s.ix, f64::from(s.score)))
            .collect()
    };
    Ok(json!({
        "immediate": tier(&window.immediate),
        "working": tier(&window.working),
        "background": tier(&window.background),
    }))
}

fn scored(view: &SpaceView, ix: NodeIx, score: f64) -> Option<Value> {
    let mut v = wire::node(view.graph.node(ix)?);
    if let Some(m) = v.as_object_mut() {
        m.remove("event");
    }
    v["score"] = score.into();
    Some(v)
}

pub fn intents(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let status = p.string("status")?;
    if let Some(s) = &status
        && !IntentStatus::ALL.iter().any(|known| known.name() == s)
    {
        let known: Vec<&str> = IntentStatus::ALL.iter().map(|k| k.name()).collect();
        let reason = format!("unknown status `{s}`; known are {}", known.join(", "));
        return Err(RpcError::params(reason));
    }
    let after = p.count("after")?.unwrap_or(0);
    let limit = p
        .count("limit")?
        .map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    p.finish()?;
    let view = view(daemon, &space)?;
    let graph = &view.graph;
    let mut out = Vec::new();
    let mut next = None;
    for (_, id) in feed::after(&view, after, usize::MAX) {
        let intent = graph
            .ix(id.as_str())
            .and_then(|ix| wire::intent(&space, Some(graph), graph.node(ix)?));
        let Some(intent) = intent.filter(|i| status.as_deref().is_none_or(|s| i["status"] == s)) else {
            continue;
        };
        if out.len() == limit {
            // There are more: the next page begins after the last of this one.
            next = out.last().map_or(Some(after), |i: &Value| i["seq"].as_u64());
            break;
        }
        out.push(intent);
    }
    let mut answer = json!({"intents": out});
    if let Some(next) = next {
        answer["next"] = next.into();
    }
    Ok(answer)
}

pub fn explain(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let id = p.needed("id")?;
    p.finish()?;
    let view = view(daemon, &space)?;
    if id.starts_with("q-") {
        let traces = daemon.traces.lock();
        return traces
            .get(&space, &id)
            .map(|t| json!({"id": id, "trace": t}))
            .ok_or_else(|| RpcError::new(code::NOT_FOUND, "this trace is not kept (any more)"));
    }
    story::node(&view, &id)
}

pub async fn export(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    p.finish()?;
    let view = view(daemon, &space)?;
    let decay = daemon.options.spaces.graph.edge_decay_per_hour;
    tokio::task::spawn_blocking(move || dump::space(&view, decay))
        .await
        .map_err(|e| RpcError::new(code::INTERNAL, format!("export failed: {e}")))
}

pub async fn status(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = match p.take("space") {
        None => None,
        Some(Value::String(s)) => Some(s),
        Some(_) => return Err(RpcError::params("`space` must be a string")),
    };
    let digest = p.bool("digest")?;
    p.finish()?;
    let status = daemon
        .status(space.as_deref())
        .ok_or_else(RpcError::unknown_space)?;
    let shards: Vec<Value> = status
        .shards
        .iter()
        .map(|s| {
            json!({"id": s.id, "source": s.source, "topic": s.topic, "partition": s.partition, "offset": s.offset,
                   "lag": s.lag, "backlog": s.backlog})
        })
        .collect();
    let mut out = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "counts": status.counts,
        "spaces": status.spaces,
        "lag": status.lag,
        "backlog": status.backlog,
        "backlog_age_ms": status.backlog_age_ms,
        "last_pass": status.last_pass.map(|t| t.rfc3339()),
        "degraded": status.degraded,
        "shards": shards,
        "embedder": {"name": status.embedder.name, "dim": status.embedder.dim, "rate": status.rate},
        "stored": status.stored,
        "dead_letters": status.dead_letters,
        "rejected_plans": status.rejected_plans,
        "merges": status.merges,
        "disk_bytes": status.disk_bytes,
        "uptime_s": status.uptime_s,
    });
    if let Some(s) = &space
        && let Some(view) = daemon.view(s)
    {
        out["clock"] = view.now().rfc3339().into();
        // Of the newest intent change: where a subscription from now on begins.
        out["cursor"] = view.meta.intent_seq.into();
        out["calibration"] = view.calibration.iter().map(wire::category).collect();
    }
    if digest {
        out["digest"] = daemon.digest(space.map(Into::into)).await.into();
    }
    Ok(out)
}
