//! Intent changes as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::problem::Problem;
use super::state::Http;
use crate::serve::access::Access;
use crate::serve::{Follower, RpcError};

/// Events between the follower and the connection: with a page of the feed, all that a client can hold in memory.
const AHEAD: usize = 4;
/// Time after which a client that lost its connection comes back.
const RETRY: Duration = Duration::from_secs(2);

/// Answers `subscribe`; the parameters are as read, without the headers.
pub fn subscribe(
    http: &Arc<Http>,
    access: Access,
    mut params: Map<String, Value>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    if let Some(id) = headers.get("last-event-id") {
        let cursor = id.to_str().ok().and_then(|s| s.trim().parse::<u64>().ok());
        let cursor = cursor
            .ok_or_else(|| RpcError::params("Last-Event-ID must be the id of an event, a whole number"))?;
        // The newer word of the two: the browser repeats the address of its first call.
        params.insert("after".into(), cursor.into());
    }
    let place = http.guard.stream()?;
    let follower = http.methods.follow(Some(Value::Object(params)))?;
    let (out, events) = mpsc::channel(AHEAD);
    tokio::spawn(pass_on(http.clone(), access, follower, out, place));
    let keep_alive = KeepAlive::new().interval(Duration::from_secs_f64(http.settings.keep_alive_seconds));
    let stream = Sse::new(ReceiverStream::new(events)).keep_alive(keep_alive);
    Ok(stream.into_response())
}

async fn pass_on(
    http: Arc<Http>,
    access: Access,
    mut follower: Follower,
    out: mpsc::Sender<Result<Event, Infallible>>,
    _place: OwnedSemaphorePermit,
) {
    let _counted = http.methods.daemon().metrics.streaming();
    let work = async {
        // Something to read at once, so that a client knows that it is heard.
        if out
            .send(Ok(Event::default().retry(RETRY).comment("following")))
            .await
            .is_err()
        {
            return;
        }
        loop {
            for change in follower.next().await {
                let event = Event::default()
                    .id(change.seq.to_string())
                    .event("intent")
                    .data(&*change.intent);
                if out.send(Ok(event)).await.is_err() {
                    return;
                }
            }
        }
    };
    let mut stop = http.methods.daemon().tasks.stopping();
    tokio::select! {
        () = work => {}
        () = out.closed() => {}
        () = http.guard.clone().revoked(access) => {}
        _ = stop.wait_for(|s| *s) => {}
    }
}
