//! Methods that change something. Each answers when its effect is durable.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::event::reject::code::MALFORMED_JSON;
use crate::event::{DecodeCx, Event, Receipt, Rejection, Ts, decode_bytes, decode_record, from_json};
use crate::intent::{Feedback, Verdict};
use crate::runtime::Daemon;
use crate::serve::params::Params;
use crate::serve::subscribe::DEFAULT_SUBSCRIBER;
use crate::serve::{RpcError, code, wire};
use crate::space::Erase;

pub async fn ingest(daemon: &Arc<Daemon>, mut p: Params, raw: Option<&[u8]>) -> Result<Value, RpcError> {
    let space = p.space()?;
    let inline = p.take("events");
    p.finish()?;
    let bytes = match (raw, inline) {
        (Some(raw), _) => Cow::Borrowed(raw),
        (None, Some(list)) => Cow::Owned(list.to_string().into_bytes()),
        (None, None) => return Err(RpcError::params("`events` is needed")),
    };
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        return Err(RpcError::params("`events` must be a list"));
    }
    let cx = context(daemon, &space);
    let decoded = decode_bytes(&bytes, &cx).map_err(|r| RpcError::params(r.reason))?;
    store(daemon, &space, decoded).await
}

fn context<'a>(daemon: &'a Daemon, space: &'a str) -> DecodeCx<'a> {
    let received = Ts(chrono::Utc::now().timestamp_millis());
    DecodeCx {
        space: Some(space),
        ..DecodeCx::new(received, &daemon.options.events)
    }
}

/// Takes a body with its headers, as a record of a broker; with `lines`, each line is one.
pub async fn record(
    daemon: &Arc<Daemon>,
    space: &Arc<str>,
    headers: &[(&str, &[u8])],
    body: &[u8],
    lines: bool,
) -> Result<Value, RpcError> {
    let cx = context(daemon, space);
    let decoded = if lines {
        let lines = body.split(|b| *b == b'\n').filter(|l| !l.trim_ascii().is_empty());
        // A line that cannot be taken apart is one refused record among the others.
        lines
            .flat_map(|l| decode_bytes(l, &cx).unwrap_or_else(|r| vec![Err(r)]))
            .collect()
    } else {
        decode_record(headers, body, &cx).map_err(|r| RpcError::params(r.reason))?
    };
    if let [Err(r)] = &decoded[..]
        && r.code == MALFORMED_JSON
        && !lines
        && body.trim_ascii_start().first() != Some(&b'[')
    {
        // Not one event that is broken, but a request.
        return Err(RpcError::new(code::PARSE, r.reason.clone()));
    }
    store(daemon, space, decoded).await
}

/// Takes the events of an export (or of a file of them); concepts and intents form anew from them.
pub async fn import(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let nodes = list(&mut p, "nodes")?;
    // Concepts form anew, so edges are of no use; an export holds them all the same.
    if p.take("edges").is_some_and(|v| !v.is_array()) {
        return Err(RpcError::params("`edges` must be a list"));
    }
    p.string("clock")?;
    p.finish()?;
    let decoded = nodes
        .into_iter()
        .filter(|n| n.get("type").and_then(Value::as_str) == Some("event"))
        .map(|mut n| {
            from_json(n["event"].take()).map(|e| Event {
                space: space.clone(),
                ..e
            })
        })
        .collect();
    store(daemon, &space, decoded).await
}

async fn store(
    daemon: &Arc<Daemon>,
    space: &Arc<str>,
    decoded: Vec<Result<Event, Rejection>>,
) -> Result<Value, RpcError> {
    let items = decoded
        .into_iter()
        .map(|d| d.map_err(|r| Receipt::rejected(&r)))
        .collect();
    let receipts = daemon.ingest(space, items).await?;
    Ok(json!({"receipts": receipts.iter().map(Receipt::to_json).collect::<Vec<_>>()}))
}

fn list(p: &mut Params, name: &str) -> Result<Vec<Value>, RpcError> {
    match p.take(name) {
        Some(Value::Array(l)) => Ok(l),
        Some(_) => Err(RpcError::params(format!("`{name}` must be a list"))),
        None => Err(RpcError::params(format!("`{name}` is needed"))),
    }
}

pub async fn settle(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let timeout = Duration::from_millis(p.count("timeout_ms")?.unwrap_or(60_000));
    p.finish()?;
    let settled = match tokio::time::timeout(timeout, daemon.settle(&space)).await {
        Ok(r) => {
            r?;
            true
        }
        Err(_) => false,
    };
    let backlog: u64 = daemon.handles().iter().map(|h| h.backlog()).sum();
    Ok(json!({"settled": settled, "backlog": backlog}))
}

pub async fn feedback(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let feedback = feedback_of(&mut p)?;
    p.finish()?;
    match daemon.feedback(&space, feedback).await? {
        Ok(node) => {
            let view = super::view(daemon, &space)?;
            wire::intent(&space, Some(&view.graph), &node)
                .map(|intent| json!({"intent": intent}))
                .ok_or_else(|| RpcError::new(code::NOT_FOUND, "this id is not an intent"))
        }
        Err(reason) => Err(RpcError::new(code::REFUSED, reason)),
    }
}

fn feedback_of(p: &mut Params) -> Result<Feedback, RpcError> {
    let verdict = match p.needed("verdict")?.as_str() {
        "accept" => Verdict::Accept,
        "modify" => Verdict::Modify,
        "defer" => Verdict::Defer,
        "reject" => Verdict::Reject,
        v => {
            return Err(RpcError::params(format!(
                "`verdict` must be accept, modify, defer or reject, not `{v}`"
            )));
        }
    };
    Ok(Feedback {
        intent: p.needed("intent")?.into(),
        verdict,
        note: p.string("note")?,
        title: p.string("title")?,
        priority: p.number("priority")?.map(|x| x as f32),
        category: p.string("category")?,
        until: p.time("until")?,
    })
}

pub async fn forget(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let erase = Erase {
        event_ids: match p.take("event_id") {
            None => Vec::new(),
            Some(Value::String(s)) => vec![s],
            Some(Value::Array(l)) => l
                .into_iter()
                .map(|v| {
                    v.as_str()
                        .map(str::to_string)
                        .ok_or_else(|| RpcError::params("`event_id` must hold strings"))
                })
                .collect::<Result<_, _>>()?,
            Some(_) => {
                return Err(RpcError::params(
                    "`event_id` must be a string or a list of strings",
                ));
            }
        },
        source: p.string("source")?,
        actor: p.string("actor")?,
        before: p.time("before")?,
        all: p.bool("all")?,
    };
    let dry_run = p.bool("dry_run")?;
    p.finish()?;
    if erase.event_ids.is_empty() && erase.actor.is_none() && erase.before.is_none() && !erase.all {
        return Err(RpcError::params(
            "say what to forget: `event_id`, `actor`, `before` or `all: true`",
        ));
    }
    let receipt = daemon.erase(&space, erase, dry_run).await?;
    if !dry_run {
        daemon.traces.lock().forget(&space);
    }
    let ids = |l: &[crate::graph::NodeId]| l.iter().map(|i| i.to_string()).collect::<Vec<_>>();
    Ok(json!({
        "dry_run": dry_run,
        "erased": ids(&receipt.events),
        "derived": ids(&receipt.derived),
        "rebuilt": ids(&receipt.rebuilt),
    }))
}

pub async fn ack(daemon: &Arc<Daemon>, mut p: Params) -> Result<Value, RpcError> {
    let space = p.space()?;
    let subscriber = p
        .string("subscriber")?
        .unwrap_or_else(|| DEFAULT_SUBSCRIBER.into());
    let cursor = p
        .count("cursor")?
        .ok_or_else(|| RpcError::params("`cursor` is needed"))?;
    p.finish()?;
    daemon.acknowledge(&space, &subscriber, cursor)?;
    Ok(json!({"cursor": cursor}))
}
