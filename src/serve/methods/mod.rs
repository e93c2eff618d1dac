//! The methods of the query socket (DESIGN section 4). HTTP and other surfaces call the same ones.

mod read;
mod write;

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::feed::{Feeds, Follower};
use super::params::Params;
use super::{RpcError, code, subscribe};
use crate::config::Server as Settings;
use crate::runtime::Daemon;
use crate::space::SpaceView;

/// Names of all methods that `call` knows; `subscribe` belongs to a connection.
pub const METHODS: [&str; 14] = [
    "ingest",
    "settle",
    "recall",
    "answer",
    "context",
    "intents",
    "ack",
    "feedback",
    "explain",
    "forget",
    "export",
    "import",
    "status",
    "subscribe",
];

pub struct Methods {
    daemon: Arc<Daemon>,
    /// Recalls at work at once: they are pure CPU, so more than cores only adds latency.
    recalls: Arc<Semaphore>,
    feeds: Arc<Feeds>,
}

impl Methods {
    /// One for all surfaces of a daemon, since it holds their common bounds. Needs the async runtime.
    pub fn new(daemon: Arc<Daemon>, settings: &Settings) -> Methods {
        Methods {
            feeds: Feeds::start(&daemon),
            daemon,
            recalls: Arc::new(Semaphore::new(settings.max_recalls.max(1))),
        }
    }

    pub fn daemon(&self) -> &Arc<Daemon> {
        &self.daemon
    }

    /// Calls a method. `events` are the bytes of the list of events, when the caller has cut them out of the
    /// parameters to have each decoded as it came; else they stand among the parameters.
    pub async fn call(
        &self,
        method: &str,
        params: Option<Value>,
        events: Option<&[u8]>,
    ) -> Result<Value, RpcError> {
        let p = Params::of(params)?;
        match method {
            "ingest" => write::ingest(&self.daemon, p, events).await,
            "import" => write::import(&self.daemon, p).await,
            "settle" => write::settle(&self.daemon, p).await,
            "feedback" => write::feedback(&self.daemon, p).await,
            "forget" => {
                let space = p.peek("space");
                let done = write::forget(&self.daemon, p).await;
                if let Some(space) = space {
                    self.feeds.forget(&space);
                }
                done
            }
            "ack" => write::ack(&self.daemon, p).await,
            "recall" => self.recall(p, false).await,
            "answer" => self.recall(p, true).await,
            "context" => read::context(&self.daemon, p),
            "intents" => read::intents(&self.daemon, p),
            "explain" => read::explain(&self.daemon, p),
            "export" => read::export(&self.daemon, p).await,
            "status" => read::status(&self.daemon, p).await,
            other => Err(RpcError::new(
                code::METHOD_NOT_FOUND,
                format!("unknown method `{other}`; known are {}", METHODS.join(", ")),
            )),
        }
    }

    /// Takes the body of an HTTP request as a broker's record would be taken: native events, CloudEvents
    /// in structured, batched or binary form, or one of these a line. Answers as `ingest` does.
    pub async fn ingest_record(
        &self,
        space: &Arc<str>,
        headers: &[(&str, &[u8])],
        body: &[u8],
        lines: bool,
    ) -> Result<Value, RpcError> {
        write::record(&self.daemon, space, headers, body, lines).await
    }

    /// Begins a subscription: parameters as of `subscribe`.
    pub fn follow(&self, params: Option<Value>) -> Result<Follower, RpcError> {
        subscribe::follow(&self.daemon, &self.feeds, Params::of(params)?)
    }

    async fn recall(&self, p: Params, answer: bool) -> Result<Value, RpcError> {
        let _permit = self
            .recalls
            .acquire()
            .await
            .map_err(|_| RpcError::new(code::CLOSING, "shutting down"))?;
        read::recall(&self.daemon, p, answer).await
    }
}

/// The newest snapshot of a space, or the error for one that is unknown.
fn view(daemon: &Daemon, space: &str) -> Result<Arc<SpaceView>, RpcError> {
    daemon.view(space).ok_or_else(RpcError::unknown_space)
}
