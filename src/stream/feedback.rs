//! Feedback on intents as it comes on its topic. Pure.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::event::{Ts, check_space};
use crate::intent::{Feedback, Verdict};

use super::decode::key_space;
use super::{ClassifyCx, Record};

/// Feedback as a plain object, or as the `data` of a CloudEvent in either mode.
pub(super) fn read(record: &Record, value: &[u8], cx: &ClassifyCx<'_>) -> Result<(String, Feedback), String> {
    let parsed: Value = serde_json::from_slice(value).map_err(|e| format!("this is no JSON: {e}"))?;
    let Value::Object(outer) = parsed else {
        return Err("a JSON object is needed".into());
    };
    let body = match outer.get("specversion") {
        Some(_) => match outer.get("data") {
            Some(Value::Object(data)) => data,
            _ => return Err("the CloudEvent's `data` is no object".into()),
        },
        None => &outer,
    };
    let header_space = record
        .header("ce_space")
        .and_then(|v| std::str::from_utf8(v).ok());
    let space = text(body, "space")?
        .or(text(&outer, "space")?)
        .or(header_space)
        .or(key_space(record))
        .or(cx.space)
        .unwrap_or(&cx.settings.default_space)
        .to_owned();
    if check_space(&space).is_err() {
        return Err("`space` is no name of a space".into());
    }
    // What `modify` changes may stand in an object of its own or beside the verdict.
    let changes = match body.get("changes") {
        None | Some(Value::Null) => body,
        Some(Value::Object(changes)) => changes,
        Some(_) => return Err("`changes` is no object".into()),
    };
    let intent = text(body, "intent")?
        .filter(|i| !i.is_empty())
        .ok_or("`intent` is missing: the id of an intent")?;
    let until = text(body, "until")?
        .map(|t| {
            chrono::DateTime::parse_from_rfc3339(t).map_err(|_| "`until` is no RFC 3339 time".to_owned())
        })
        .transpose()?;
    let priority = match changes.get("priority") {
        None | Some(Value::Null) => None,
        Some(v) => Some(
            v.as_f64()
                .filter(|p| p.is_finite())
                .ok_or("`priority` is no number")? as f32,
        ),
    };
    let owned = |map, name| text(map, name).map(|t| t.map(str::to_owned));
    Ok((
        space,
        Feedback {
            intent: Arc::from(intent),
            verdict: verdict(text(body, "verdict")?)?,
            note: owned(body, "note")?,
            title: owned(changes, "title")?,
            priority,
            category: owned(changes, "category")?,
            until: until.map(|t| Ts(t.timestamp_millis())),
        },
    ))
}

fn verdict(name: Option<&str>) -> Result<Verdict, String> {
    match name {
        Some("accept") => Ok(Verdict::Accept),
        Some("modify") => Ok(Verdict::Modify),
        Some("defer") => Ok(Verdict::Defer),
        Some("reject") => Ok(Verdict::Reject),
        _ => Err("`verdict` must be accept, modify, defer or reject".into()),
    }
}

fn text<'a>(map: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    match map.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s)),
        Some(_) => Err(format!("`{name}` is no text")),
    }
}
