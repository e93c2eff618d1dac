//! One request: from path, query and body to the parameters of a method, and its answer back.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Json, Response};
use serde_json::{Map, Value};

use super::operations::{Carries, Kind, Operation};
use super::problem::Problem;
use super::sse;
use super::state::Http;
use crate::event::{check_space, repair};
use crate::serve::access::Access;
use crate::serve::{RpcError, code};

/// Answers one operation.
pub async fn operation(
    http: Arc<Http>,
    op: &'static Operation,
    path: Option<String>,
    request: Request,
) -> Response {
    let started = Instant::now();
    let metrics = http.methods.daemon().metrics.clone();
    let response = match answer(http, op, path, request).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    };
    metrics.request(op.name, response.status().as_u16(), started.elapsed());
    response
}

async fn answer(
    http: Arc<Http>,
    op: &'static Operation,
    space: Option<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    // Set by the guard, which stands before every route.
    let access = parts
        .extensions
        .get::<Access>()
        .cloned()
        .ok_or_else(|| Problem::new(code::UNAUTHORIZED, "no access"))?;
    access.check(op.scope, space.as_deref())?;
    let mut params = query(op, parts.uri.query())?;
    if let Some(space) = &space {
        check_space(space).map_err(|r| RpcError::params(r.reason))?;
        params.insert("space".into(), space.as_str().into());
    }
    if op.answers == super::operations::Answers::Stream {
        return sse::subscribe(&http, access, params, &parts.headers);
    }
    // The place is held until the answer stands.
    let _place = http.guard.request()?;
    let body = read(&http, body).await?;
    let work = async {
        match op.carries {
            Carries::Nothing => {
                http.methods
                    .call(op.name, Some(Value::Object(params)), None)
                    .await
            }
            Carries::Object(_, may_be_empty) => {
                object(op, &parts.headers, &body, may_be_empty, &mut params)?;
                http.methods
                    .call(op.name, Some(Value::Object(params)), None)
                    .await
            }
            Carries::Events => {
                let space: Arc<str> = space.unwrap_or_default().into();
                ingest(&http, &space, &parts.headers, &body).await
            }
        }
    };
    match tokio::time::timeout(http.timeout(), work).await {
        Ok(answer) => Ok(Json(answer?).into_response()),
        Err(_) => Err(Problem::new(
            code::TIMEOUT,
            "no answer in time; a write may still take effect, and may be repeated",
        )),
    }
}

/// The query string as parameters of the kinds that the operation says.
fn query(op: &Operation, query: Option<&str>) -> Result<Map<String, Value>, RpcError> {
    let mut out = Map::new();
    for (name, text) in pairs(query.unwrap_or_default())? {
        if name == "space" {
            return Err(RpcError::params("the space stands in the path"));
        }
        let known = op.query.iter().find(|p| p.name == name);
        let known = known.ok_or_else(|| RpcError::params(format!("unknown parameter `{name}`")))?;
        let wrong = |want: &str| RpcError::params(format!("`{name}` must be {want}"));
        let value: Value = match known.kind {
            Kind::Count => {
                let n = text.parse::<u64>().ok().filter(|n| *n <= i64::MAX as u64);
                n.ok_or_else(|| wrong("a whole number from 0 to 2^63-1"))?.into()
            }
            Kind::Bool => text.parse::<bool>().map_err(|_| wrong("true or false"))?.into(),
            Kind::Text | Kind::Time | Kind::Status => text.into(),
        };
        if out.insert(name.clone(), value).is_some() {
            return Err(RpcError::params(format!("`{name}` is there twice")));
        }
    }
    if let Some(missing) = op.query.iter().find(|p| p.required && !out.contains_key(p.name)) {
        return Err(RpcError::params(format!("`{}` is needed", missing.name)));
    }
    Ok(out)
}

fn pairs(query: &str) -> Result<Vec<(String, String)>, RpcError> {
    let uri = format!("/?{query}");
    let uri = uri
        .parse()
        .map_err(|_| RpcError::params("the query string cannot be read"))?;
    axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri)
        .map(|q| q.0)
        .map_err(|_| RpcError::params("the query string cannot be read"))
}

async fn read(http: &Http, body: Body) -> Result<Bytes, Problem> {
    let max = http.settings.max_body_bytes;
    match tokio::time::timeout(http.timeout(), axum::body::to_bytes(body, max)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(e)) => {
            let mut source = std::error::Error::source(&e);
            while let Some(s) = source {
                if s.to_string().contains("length limit") {
                    let detail = format!("a body may have {max} bytes at most");
                    return Err(Problem::new(code::BODY_TOO_LARGE, detail));
                }
                source = s.source();
            }
            Err(Problem::new(
                code::INVALID_REQUEST,
                "the body could not be read to its end",
            ))
        }
        Err(_) => Err(Problem::new(
            code::REQUEST_TIMEOUT,
            "the body did not come in time",
        )),
    }
}

/// The type of a body, in lower case and without parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn is_json(media: &str) -> bool {
    media == "application/json" || (media.starts_with("application/") && media.ends_with("+json"))
}

/// Reads a JSON object into the parameters.
fn object(
    op: &Operation,
    headers: &HeaderMap,
    body: &[u8],
    may_be_empty: bool,
    params: &mut Map<String, Value>,
) -> Result<(), RpcError> {
    if body.trim_ascii().is_empty() && may_be_empty {
        return Ok(());
    }
    if !is_json(&media_type(headers)) {
        return Err(RpcError::new(
            code::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        ));
    }
    // Free text may hold lone surrogate escapes: repaired as in any record.
    let (text, _) = repair(body);
    let value: Value = serde_json::from_str(&text)
        .map_err(|e| RpcError::new(code::PARSE, format!("the body is not JSON: {e}")))?;
    let Value::Object(fields) = value else {
        return Err(RpcError::params("the body must be a JSON object"));
    };
    for (name, value) in fields {
        if name == "space" {
            // An export names the space that it is of; it may go into another.
            if op.name != "import" && params.get("space") != Some(&value) {
                return Err(RpcError::params("`space` is not the one of the path"));
            }
            continue;
        }
        params.insert(name, value);
    }
    Ok(())
}

/// Takes events in the form that the headers say.
async fn ingest(http: &Http, space: &Arc<str>, headers: &HeaderMap, body: &[u8]) -> Result<Value, RpcError> {
    let media = media_type(headers);
    let binary = headers.contains_key("ce-specversion") || headers.contains_key("ce-id");
    let lines = !binary && matches!(media.as_str(), "application/x-ndjson" | "application/jsonl");
    if !binary && !lines && !is_json(&media) {
        return Err(RpcError::new(
            code::UNSUPPORTED_MEDIA_TYPE,
            "events come as application/json, application/x-ndjson, application/cloudevents+json, \
             application/cloudevents-batch+json, or with ce- headers",
        ));
    }
    if binary && (media.starts_with("application/cloudevents")) {
        return Err(RpcError::params(
            "ce- headers are of binary CloudEvents, the content type is of structured ones",
        ));
    }
    if media == "application/cloudevents-batch+json" && body.trim_ascii_start().first() != Some(&b'[') {
        return Err(RpcError::params("a batch of CloudEvents must be a list"));
    }
    let mut named: Vec<(&str, Vec<u8>)> = Vec::new();
    for (name, value) in headers {
        let name = name.as_str();
        if name.starts_with("ce-") {
            // CloudEvents' HTTP binding: what is not printable ASCII comes percent-encoded.
            named.push((name, percent_decoded(value.as_bytes())));
        } else if name == "content-type" {
            named.push((name, value.as_bytes().to_vec()));
        }
    }
    let named: Vec<(&str, &[u8])> = named.iter().map(|(n, v)| (*n, v.as_slice())).collect();
    http.methods.ingest_record(space, &named, body, lines).await
}

fn percent_decoded(value: &[u8]) -> Vec<u8> {
    let hex = |b: Option<&u8>| b.and_then(|b| char::from(*b).to_digit(16)).map(|d| d as u8);
    let mut out = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(b) = value.get(at) {
        match (b, hex(value.get(at + 1)), hex(value.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            _ => {
                out.push(*b);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_in_headers_may_be_percent_encoded() {
        assert_eq!(
            percent_decoded(b"Euro %E2%82%AC 100%25 %zz %"),
            "Euro \u{20ac} 100% %zz %".as_bytes()
        );
    }

    #[test]
    fn query_strings_are_read_strictly() {
        let intents = super::super::operations::OPERATIONS
            .iter()
            .find(|o| o.name == "intents")
            .unwrap();
        let read = |q: &str| query(intents, Some(q)).map_err(|e| e.message);
        assert_eq!(read("after=3&status=pending").unwrap()["after"], 3);
        for bad in [
            "after=-1",
            "after=x",
            "after=1&after=2",
            "afters=1",
            "space=b",
            "limit=",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let explain = super::super::operations::OPERATIONS
            .iter()
            .find(|o| o.name == "explain")
            .unwrap();
        assert!(query(explain, None).is_err());
    }
}
