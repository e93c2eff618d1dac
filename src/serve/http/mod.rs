//! HTTP: the operations of the socket under `/v1`, with health, metrics and the OpenAPI document.
//!
//! Nothing is decided here: a request becomes the parameters of a method, its answer goes back as JSON.
//! What HTTP adds are tokens, limits, server-sent events and problem details.

mod call;
mod guard;
mod health;
mod listen;
pub mod openapi;
pub mod operations;
mod problem;
mod sse;
mod state;
pub mod types;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, get, on};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

pub use guard::Guard;
use operations::{OPERATIONS, Verb};
pub use problem::Problem;
pub use state::Http;

use super::code;
use crate::config::Config;
use crate::serve::Methods;

/// Longest time at a stop for clients to take the answers that wait for them.
const LINGER: Duration = Duration::from_secs(2);
/// A connection may stand still for this much longer than a request may take.
const SLACK: Duration = Duration::from_secs(10);

/// A bound server that does not answer yet.
pub struct Bound {
    listener: TcpListener,
    http: Arc<Http>,
}

/// Why a server was not started: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StartError(String);

impl Bound {
    /// Binds the configured address; `None` when there is none.
    ///
    /// # Errors
    /// When the address is not loopback and there are no tokens, when the tokens cannot be used, when the
    /// address cannot be bound.
    pub async fn bind(config: &Config, methods: Arc<Methods>) -> Result<Option<Bound>, StartError> {
        let settings = &config.http;
        if settings.listen.is_empty() {
            return Ok(None);
        }
        let at = &settings.listen;
        let guard = Guard::new(settings).map_err(StartError)?;
        let addresses: Vec<SocketAddr> = tokio::net::lookup_host(at)
            .await
            .map_err(|e| StartError(format!("the address {at} of HTTP cannot be resolved: {e}")))?
            .collect();
        if !guard.has_tokens()
            && let Some(open) = addresses.iter().find(|a| !a.ip().is_loopback())
        {
            return Err(StartError(format!(
                "HTTP on {open} could be reached by others and there are no tokens: name a token file \
                 (http.tokens; `gyrus token` makes an entry), or listen on 127.0.0.1"
            )));
        }
        let listener = TcpListener::bind(&addresses[..])
            .await
            .map_err(|e| StartError(format!("HTTP cannot be bound to {at}: {e}")))?;
        let http = Arc::new(Http {
            methods,
            guard: Arc::new(guard),
            settings: settings.clone(),
            mcp: config.mcp.clone(),
        });
        Ok(Some(Bound { listener, http }))
    }

    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Starts the server and the watch over its tokens as tasks of the daemon.
    pub fn start(self) {
        let daemon = self.http.methods.daemon().clone();
        let tasks = &daemon.tasks;
        tasks.spawn("tokens", self.http.guard.clone().watch(tasks.stopping()));
        tasks.spawn("http", serve(self.listener, self.http));
    }
}

/// Answers until the daemon stops; requests at work are finished.
async fn serve(listener: TcpListener, http: Arc<Http>) -> std::io::Result<()> {
    let mut stop = http.methods.daemon().tasks.stopping();
    let listener = listen::Bounded {
        listener,
        places: Arc::new(Semaphore::new(http.settings.max_connections)),
        idle: http.timeout() + SLACK,
    };
    let (mut stopping, mut overdue) = (stop.clone(), stop.clone());
    let app = router(http);
    let server = axum::serve(listener, app).with_graceful_shutdown(async move {
        // An error means that the daemon is gone, which is a stop too.
        let _ = stopping.wait_for(|s| *s).await;
    });
    tokio::select! {
        r = server => r?,
        () = async {
            let _ = overdue.wait_for(|s| *s).await;
            tokio::time::sleep(LINGER).await;
        } => {}
    }
    let _ = stop.wait_for(|s| *s).await;
    Ok(())
}

/// All routes. Public ones first; everything else goes through the guard.
pub fn router(http: Arc<Http>) -> Router {
    let mut guarded = Router::new().route(
        "/metrics",
        get(|State(http): State<Arc<Http>>| health::metrics(http)),
    );
    for op in OPERATIONS {
        let verb = match op.verb {
            Verb::Get => MethodFilter::GET,
            Verb::Post => MethodFilter::POST,
        };
        let handler = if op.of_a_space() {
            on(
                verb,
                move |State(http): State<Arc<Http>>, Path(space): Path<String>, request: Request| {
                    call::operation(http, op, Some(space), request)
                },
            )
        } else {
            on(verb, move |State(http): State<Arc<Http>>, request: Request| {
                call::operation(http, op, None, request)
            })
        };
        guarded = guarded.route(op.path, handler);
    }
    if http.mcp.enabled {
        guarded = guarded.merge(crate::serve::mcp::http::routes(&http));
    }
    // The document does not change while the process runs.
    let document: Arc<str> = openapi::document(http.guard.has_tokens()).to_string().into();
    let public = Router::new()
        .route("/healthz", get(|| async { health::healthz() }))
        .route(
            "/readyz",
            get(|State(http): State<Arc<Http>>| async move { health::readyz(&http) }),
        )
        .route(
            "/openapi.json",
            get(move || async move {
                ([("content-type", "application/json")], document.to_string()).into_response()
            }),
        );
    guarded
        .route_layer(middleware::from_fn_with_state(http.clone(), admit))
        .merge(public)
        .fallback(|| async { Problem::new(code::NO_SUCH_ROUTE, "there is nothing here; see /openapi.json") })
        .method_not_allowed_fallback(|| async {
            Problem::new(
                code::METHOD_NOT_ALLOWED,
                "this path does not take this method; see /openapi.json",
            )
        })
        .layer(CatchPanicLayer::custom(panicked))
        .with_state(http)
}

async fn admit(State(http): State<Arc<Http>>, mut request: Request, next: Next) -> Response {
    match http.guard.admit(request.headers()) {
        Ok(access) => {
            request.extensions_mut().insert(access);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    Problem::new(code::INTERNAL, "this request met a fault of the daemon").into_response()
}
