//! Errors as HTTP says them: problem details (RFC 9457) with the stable codes of the socket.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::serve::{RpcError, code};

/// The media type of an error.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Seconds after which a refused client may try again.
const RETRY_SECONDS: &str = "1";

/// A refused request.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem(pub RpcError);

impl Problem {
    pub fn new(code: &'static str, detail: impl Into<String>) -> Problem {
        Problem(RpcError::new(code, detail))
    }

    pub fn status(&self) -> StatusCode {
        match self.0.code {
            code::PARSE | code::INVALID_REQUEST | code::INVALID_PARAMS => StatusCode::BAD_REQUEST,
            code::UNAUTHORIZED => StatusCode::UNAUTHORIZED,
            code::FORBIDDEN => StatusCode::FORBIDDEN,
            code::UNKNOWN_SPACE | code::NOT_FOUND | code::NO_SUCH_ROUTE | code::METHOD_NOT_FOUND => {
                StatusCode::NOT_FOUND
            }
            code::METHOD_NOT_ALLOWED => StatusCode::METHOD_NOT_ALLOWED,
            code::REQUEST_TIMEOUT => StatusCode::REQUEST_TIMEOUT,
            code::REFUSED => StatusCode::CONFLICT,
            code::ERASED => StatusCode::GONE,
            code::LINE_TOO_LONG | code::BODY_TOO_LARGE => StatusCode::PAYLOAD_TOO_LARGE,
            code::UNSUPPORTED_MEDIA_TYPE => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            code::WRONG_HOST => StatusCode::MISDIRECTED_REQUEST,
            code::RATE_LIMITED => StatusCode::TOO_MANY_REQUESTS,
            code::WRITE_FAILED
            | code::EMBEDDER
            | code::CLOSING
            | code::OVERLOADED
            | code::NO_DAEMON
            | code::TOO_MANY_CONNECTIONS => StatusCode::SERVICE_UNAVAILABLE,
            code::TIMEOUT => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<RpcError> for Problem {
    fn from(e: RpcError) -> Problem {
        Problem(e)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = json!({
            "type": format!("urn:gyrus:problem:{}", self.0.code),
            "title": status.canonical_reason().unwrap_or("Error"),
            "status": status.as_u16(),
            "detail": self.0.message,
            "code": self.0.code,
        });
        let mut response = (status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS));
            }
            _ => {}
        }
        response
    }
}
