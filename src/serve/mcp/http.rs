//! MCP over streamable HTTP, at `/mcp` of the HTTP server, behind its guard and limits.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::OwnedSemaphorePermit;
use tokio_stream::Stream;

use super::{Options, Server};
use crate::serve::access::Access;
use crate::serve::code;
use crate::serve::http::{Http, Problem};

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// The route of MCP. Needs the async runtime.
pub fn routes(http: &Arc<Http>) -> Router<Arc<Http>> {
    let options = Options {
        space: http.mcp.space.clone(),
        budget_tokens: http.mcp.budget_tokens,
        max_budget_tokens: http.mcp.max_budget_tokens,
        forget: http.mcp.forget,
        guarded: true,
    };
    // Hosts and origins are the guard's to check.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(http.settings.max_body_bytes);
    let cancel = config.cancellation_token.clone();
    let mut stop = http.methods.daemon().tasks.stopping();
    tokio::spawn(async move {
        // An error means that the daemon is gone, which is a stop too.
        let _ = stop.wait_for(|s| *s).await;
        cancel.cancel();
    });
    let methods = http.methods.clone();
    let make = move || Ok(Server::new(methods.clone(), options.clone()));
    let service = Service::new(make, Arc::new(LocalSessionManager::default()), config);
    Router::new().route(
        "/mcp",
        any(move |State(http): State<Arc<Http>>, request: Request| answer(http, service.clone(), request)),
    )
}

async fn answer(http: Arc<Http>, service: Service, request: Request) -> Response {
    let started = std::time::Instant::now();
    let Some(access) = request.extensions().get::<Access>().cloned() else {
        return Problem::new(code::UNAUTHORIZED, "no access").into_response();
    };
    let place = if request.method() == Method::GET {
        http.guard.stream()
    } else {
        http.guard.request()
    };
    let place = match place {
        Ok(place) => place,
        Err(problem) => return problem.into_response(),
    };
    let ends = request.method() == Method::DELETE;
    let (mut parts, body) = service.handle(request).await.into_parts();
    if ends && parts.status == StatusCode::ACCEPTED {
        // Clients take anything but these two for a failed end of the session.
        parts.status = StatusCode::NO_CONTENT;
    }
    let status = parts.status.as_u16();
    http.methods
        .daemon()
        .metrics
        .request("mcp", status, started.elapsed());
    // An answer may be a stream: it keeps its place until it ends, and ends with the rights of its reader.
    let held = Held {
        body: Body::new(body).into_data_stream(),
        end: Box::pin(http.guard.clone().revoked(access)),
        _place: place,
    };
    Response::from_parts(parts, Body::from_stream(held))
}

struct Held {
    body: BodyDataStream,
    end: Pin<Box<dyn Future<Output = ()> + Send>>,
    _place: OwnedSemaphorePermit,
}

impl Stream for Held {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_next(cx)
    }
}
