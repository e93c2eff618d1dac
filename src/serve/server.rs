//! Connections: lines in, answers out, notifications of subscriptions between them.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;
use tokio::sync::{Semaphore, mpsc, watch};

use super::line::{self, Line};
use super::methods::Methods;
use super::subscribe;
use super::{RpcError, code};
use crate::config::Server as Settings;
use crate::event::raw;

/// Longest time at a stop for a client to take the answers that wait for it.
const LINGER: std::time::Duration = std::time::Duration::from_secs(2);

/// A bound Unix socket; the file is removed when this is dropped.
pub struct Listener {
    inner: UnixListener,
    path: PathBuf,
}

impl Listener {
    /// Binds `path`. A socket file left by a dead process is replaced, one that answers is not.
    pub async fn bind(path: &std::path::Path) -> std::io::Result<Listener> {
        if path.exists() {
            if tokio::net::UnixStream::connect(path).await.is_ok() {
                let message = format!(
                    "{} is in use: another process answers there; choose another --socket",
                    path.display()
                );
                return Err(std::io::Error::new(std::io::ErrorKind::AddrInUse, message));
            }
            use std::os::unix::fs::FileTypeExt;
            if !std::fs::symlink_metadata(path)?.file_type().is_socket() {
                let message = format!(
                    "{} exists and is not a socket; choose another --socket",
                    path.display()
                );
                return Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, message));
            }
            std::fs::remove_file(path)?;
        }
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent)?;
        }
        let inner = UnixListener::bind(path)?;
        // What agents know is for their owner alone.
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Listener {
            inner,
            path: path.to_path_buf(),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Gone already is as good.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Answers connections until `stop` is set. Requests in work are finished.
pub async fn serve(
    listener: Listener,
    methods: Arc<Methods>,
    settings: Settings,
    mut stop: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let connections = Arc::new(Semaphore::new(settings.max_connections));
    let mut tasks = tokio::task::JoinSet::new();
    loop {
        let accepted = tokio::select! {
            a = listener.inner.accept() => a,
            _ = stop.wait_for(|s| *s) => break,
            Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(e) => {
                // Out of file handles, most likely: others still hold theirs, so go on.
                tracing::warn!(error = %e, "a connection could not be accepted");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        let (read, write) = stream.into_split();
        match connections.clone().try_acquire_owned() {
            Ok(permit) => {
                let (methods, settings, stop) = (methods.clone(), settings.clone(), stop.clone());
                tasks.spawn(async move {
                    connection(read, write, methods, settings, stop).await;
                    drop(permit);
                });
            }
            Err(_) => {
                let e = RpcError::new(
                    code::TOO_MANY_CONNECTIONS,
                    "too many connections; close one and try again",
                );
                tasks.spawn(refuse(write, e));
            }
        }
    }
    while tasks.join_next().await.is_some() {}
    Ok(())
}

async fn refuse(mut write: impl AsyncWrite + Unpin, e: RpcError) {
    let line = format!("{}\n", response(Value::Null, Err(e)));
    // The client may be gone; nothing depends on it.
    let _ = write.write_all(line.as_bytes()).await;
}

async fn connection(
    read: impl AsyncRead + Unpin + Send + 'static,
    mut write: impl AsyncWrite + Unpin + Send + 'static,
    methods: Arc<Methods>,
    settings: Settings,
    mut stop: watch::Receiver<bool>,
) {
    // Bounded: a client that does not read its answers stops being read from.
    let (out, mut lines) = mpsc::channel::<String>(settings.max_in_flight.max(1));
    let writer = tokio::spawn(async move {
        while let Some(mut l) = lines.recv().await {
            l.push('\n');
            if write.write_all(l.as_bytes()).await.is_err() {
                return;
            }
        }
    });
    let in_flight = Arc::new(Semaphore::new(settings.max_in_flight.max(1)));
    let writes = Arc::new(tokio::sync::Mutex::new(()));
    let gone = watch::Sender::new(false);
    let mut reader = BufReader::new(read);
    loop {
        let next = tokio::select! {
            n = line::next(&mut reader, settings.max_line_bytes) => n,
            _ = stop.wait_for(|s| *s) => break,
        };
        let text = match next {
            Ok(Line::Text(t)) if t.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(Line::Text(t)) => t,
            Ok(Line::TooLong) => {
                let e = RpcError::new(
                    code::LINE_TOO_LONG,
                    format!("a line may have {} bytes at most", settings.max_line_bytes),
                );
                let answer = response(Value::Null, Err(e)).to_string();
                tokio::select! {
                    Ok(()) = out.send(answer) => continue,
                    _ = stop.wait_for(|s| *s) => break,
                    else => break,
                }
            }
            Ok(Line::End) | Err(_) => break,
        };
        // `acquire_owned` fails only on a closed semaphore; this one is never closed.
        let permit = tokio::select! {
            Ok(p) = in_flight.clone().acquire_owned() => p,
            // A client that does not read its answers must not hold up the stop.
            _ = stop.wait_for(|s| *s) => break,
            else => break,
        };
        let request = Request::read(&text);
        // What a client writes keeps its order, also when it does not wait for receipts; reads overtake.
        let turn = match request.writes() {
            true => tokio::select! {
                turn = writes.clone().lock_owned() => Some(turn),
                _ = stop.wait_for(|s| *s) => break,
            },
            false => None,
        };
        let (methods, out, gone) = (methods.clone(), out.clone(), gone.subscribe());
        tokio::spawn(async move {
            request.answer(&methods, out, gone).await;
            drop((turn, permit));
        });
    }
    // Requests in work are answered; subscriptions end.
    let abort = writer.abort_handle();
    let answered = async move {
        let _ = in_flight.acquire_many(settings.max_in_flight.max(1) as u32).await;
        gone.send_replace(true);
        drop(out);
        let _ = writer.await;
    };
    let overdue = async move {
        // An error means that the daemon is gone, which is a stop too.
        let _ = stop.wait_for(|s| *s).await;
        tokio::time::sleep(LINGER).await;
    };
    tokio::select! {
        () = answered => {}
        () = overdue => abort.abort(),
    }
}

/// One line, understood as far as its envelope goes.
struct Request {
    /// `None` for a notification, which gets no answer.
    id: Option<Value>,
    call: Result<(String, Option<Value>), RpcError>,
    /// The bytes of `params.events`: they reach their decoder as they came, so that a broken event does not
    /// cost the request.
    events: Option<Vec<u8>>,
}

impl Request {
    fn read(text: &[u8]) -> Request {
        let (envelope, events) = match raw::cut(text, &["params", "events"]) {
            Some((rest, events)) => (Cow::Owned(rest), Some(events.to_vec())),
            None => (Cow::Borrowed(text), None),
        };
        let (id, call) = match parse(&envelope) {
            Err((id, e)) => (Some(id), Err(e)),
            Ok((id, method, params)) => (id, Ok((method, params))),
        };
        Request { id, call, events }
    }

    /// Changes the order-sensitive state of a space.
    fn writes(&self) -> bool {
        self.call
            .as_ref()
            .is_ok_and(|(m, _)| matches!(m.as_str(), "ingest" | "import" | "feedback" | "forget"))
    }

    async fn answer(self, methods: &Arc<Methods>, out: mpsc::Sender<String>, gone: watch::Receiver<bool>) {
        let result = match self.call {
            Err(e) => Err(e),
            Ok((method, params)) if method == "subscribe" => {
                let stop = methods.daemon().tasks.stopping();
                methods
                    .follow(params)
                    .map(|follower| subscribe::start(follower, out.clone(), gone, stop))
            }
            Ok((method, params)) => methods.call(&method, params, self.events.as_deref()).await,
        };
        if let Some(id) = self.id {
            // A closed channel means that the connection is gone.
            let _ = out.send(response(id, result).to_string()).await;
        }
    }
}

type Parsed = (Option<Value>, String, Option<Value>);

fn parse(text: &[u8]) -> Result<Parsed, (Value, RpcError)> {
    // Free text of other fields may hold lone surrogate escapes: repaired as in any record.
    let (text, _) = crate::event::repair(text);
    let value: Value = serde_json::from_str(&text).map_err(|e| {
        (
            Value::Null,
            RpcError::new(code::PARSE, format!("the line is not JSON: {e}")),
        )
    })?;
    let invalid = |id: Value, m: &str| (id, RpcError::new(code::INVALID_REQUEST, m));
    let Value::Object(mut m) = value else {
        return Err(invalid(
            Value::Null,
            "a request is one JSON object a line (no batches)",
        ));
    };
    let id = m.remove("id");
    if let Some(Value::Object(_) | Value::Array(_) | Value::Bool(_)) = &id {
        return Err(invalid(Value::Null, "`id` must be a string, a number or null"));
    }
    let shown = id.clone().unwrap_or(Value::Null);
    if m.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(shown, "`jsonrpc` must be \"2.0\""));
    }
    match m.remove("method") {
        Some(Value::String(method)) => Ok((id, method, m.remove("params"))),
        _ => Err(invalid(shown, "`method` must be a string")),
    }
}

fn response(id: Value, result: Result<Value, RpcError>) -> Value {
    match result {
        Ok(r) => json!({"jsonrpc": "2.0", "id": id, "result": r}),
        Err(e) => json!({"jsonrpc": "2.0", "id": id, "error": e.to_json()}),
    }
}
