//! What operators and their machines ask: is it alive, is it ready, how is it doing.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;

use super::problem::Problem;
use super::state::Http;
use crate::serve::code;

/// The media type of metrics.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The process answers.
pub fn healthz() -> Response {
    Json(json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})).into_response()
}

/// Red while writes are refused, or while something waits and nothing has been committed for a while.
pub fn readyz(http: &Http) -> Response {
    let reasons = http.methods.daemon().not_ready();
    let status = if reasons.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (
        status,
        Json(json!({"ready": reasons.is_empty(), "reasons": reasons})),
    )
        .into_response()
}

/// Figures as OpenMetrics text. No space is named.
pub async fn metrics(http: Arc<Http>) -> Response {
    // Counting files and nodes takes its time.
    let text = tokio::task::spawn_blocking(move || http.methods.daemon().render_metrics()).await;
    match text {
        Ok(Ok(text)) => {
            let mut response = text.into_response();
            let media = HeaderValue::from_static(OPEN_METRICS);
            response.headers_mut().insert(header::CONTENT_TYPE, media);
            response
        }
        _ => Problem::new(code::INTERNAL, "the figures could not be written").into_response(),
    }
}
