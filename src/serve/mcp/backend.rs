//! What the tools stand on: the methods of the daemon, called within it or over its socket.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::serve::{Methods, RpcError, code};

#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Calls a method of the socket.
    async fn call(&self, method: &str, params: Value) -> Result<Value, RpcError>;

    /// The cursor of the newest intent change of a space; changes from now on are seen in it.
    /// Whoever holds it holds a task that ends when it is dropped.
    async fn changes(&self, space: &str) -> watch::Receiver<u64>;
}

#[async_trait]
impl Backend for Methods {
    async fn call(&self, method: &str, params: Value) -> Result<Value, RpcError> {
        Methods::call(self, method, Some(params), None).await
    }

    async fn changes(&self, space: &str) -> watch::Receiver<u64> {
        let now = self.daemon().view(space).map_or(0, |v| v.meta.intent_seq);
        let (told, seen) = watch::channel(now);
        let followed = self.follow(Some(json!({"space": space, "after": now})));
        if let Ok(mut follower) = followed {
            let mut stop = self.daemon().tasks.stopping();
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        _ = follower.next() => told.send_replace(follower.cursor),
                        () = told.closed() => return,
                        _ = stop.wait_for(|s| *s) => return,
                    };
                }
            });
        }
        seen
    }
}

/// Time between attempts to reach the daemon.
const PAUSE: Duration = Duration::from_millis(100);

/// The daemon behind its socket. A call takes a connection of its own, so a daemon that was restarted
/// is simply there again.
pub struct Remote {
    socket: PathBuf,
    /// How long a call waits for a daemon that is away.
    patience: Duration,
}

/// Why a call over the socket gave no answer.
enum Broken {
    /// Nothing was sent.
    Away(std::io::Error),
    /// The connection was lost after the request was sent.
    Lost,
}

impl Remote {
    pub fn new(socket: PathBuf, patience: Duration) -> Remote {
        Remote { socket, patience }
    }

    async fn once(&self, method: &str, params: &Value) -> Result<Result<Value, RpcError>, Broken> {
        let stream = UnixStream::connect(&self.socket).await.map_err(Broken::Away)?;
        let (read, mut write) = stream.into_split();
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let sent = write.write_all(format!("{request}\n").as_bytes()).await;
        sent.map_err(|_| Broken::Lost)?;
        let mut line = String::new();
        match BufReader::new(read).read_line(&mut line).await {
            Ok(n) if n > 0 => {}
            _ => return Err(Broken::Lost),
        }
        let mut answer: Value = serde_json::from_str(&line).map_err(|_| Broken::Lost)?;
        Ok(match answer.get("error") {
            Some(e) => Err(RpcError::received(e)),
            None => Ok(answer["result"].take()),
        })
    }

    /// A connection that is subscribed, from after `cursor`.
    async fn subscribed(&self, space: &str, cursor: u64) -> std::io::Result<BufReader<UnixStream>> {
        let mut stream = UnixStream::connect(&self.socket).await?;
        let params = json!({"space": space, "after": cursor});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": params});
        stream.write_all(format!("{request}\n").as_bytes()).await?;
        Ok(BufReader::new(stream))
    }

    /// Passes cursors on until the connection breaks.
    async fn pass_on(&self, space: &str, told: &watch::Sender<u64>) -> std::io::Result<()> {
        let cursor = *told.borrow();
        let mut lines = self.subscribed(space, cursor).await?;
        let mut line = String::new();
        while lines.read_line(&mut line).await? > 0 {
            let note: Value = serde_json::from_str(&line).unwrap_or_default();
            if let Some(cursor) = note["params"]["cursor"].as_u64() {
                told.send_if_modified(|c| std::mem::replace(c, cursor) != cursor);
            }
            line.clear();
        }
        Ok(())
    }
}

/// A call that may be made again although it may have taken effect: the same again changes nothing.
fn is_repeatable(method: &str) -> bool {
    method != "feedback"
}

#[async_trait]
impl Backend for Remote {
    async fn call(&self, method: &str, params: Value) -> Result<Value, RpcError> {
        let until = Instant::now() + self.patience;
        loop {
            let reason = match self.once(method, &params).await {
                // The daemon is stopping and took nothing; its successor may be on its way.
                Ok(Err(e)) if e.code == code::CLOSING => e.message,
                Ok(answer) => return answer,
                Err(Broken::Lost) if !is_repeatable(method) => {
                    return Err(RpcError::new(
                        code::NO_DAEMON,
                        "the daemon went away; the call may have taken effect: look before you repeat it",
                    ));
                }
                Err(Broken::Lost) => "it closed the connection".into(),
                Err(Broken::Away(e)) => e.to_string(),
            };
            if Instant::now() >= until {
                let at = self.socket.display();
                return Err(RpcError::new(
                    code::NO_DAEMON,
                    format!("no daemon answers at {at} ({reason}); start one with `gyrus serve`"),
                ));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn changes(&self, space: &str) -> watch::Receiver<u64> {
        // A daemon that is away, or a space that is not there yet, begins at the beginning.
        let status = self.call("status", json!({"space": space})).await;
        let now = status.ok().and_then(|s| s["cursor"].as_u64()).unwrap_or(0);
        let (told, seen) = watch::channel(now);
        let (remote, space) = (Remote::new(self.socket.clone(), self.patience), space.to_owned());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    r = remote.pass_on(&space, &told) => {
                        if let Err(e) = r {
                            tracing::debug!(error = %e, "the subscription is broken");
                        }
                    }
                    () = told.closed() => return,
                }
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = told.closed() => return,
                }
            }
        });
        seen
    }
}

/// Both ways to the daemon, behind one pointer.
pub type Shared = Arc<dyn Backend>;
