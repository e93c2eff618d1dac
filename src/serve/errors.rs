//! Errors as clients see them: a JSON-RPC number, a stable code, a sentence.

use serde_json::{Value, json};

/// Stable codes (`error.data.code`).
pub mod code {
    pub const PARSE: &str = "parse_error";
    pub const INVALID_REQUEST: &str = "invalid_request";
    pub const METHOD_NOT_FOUND: &str = "method_not_found";
    pub const INVALID_PARAMS: &str = "invalid_params";
    pub const UNKNOWN_SPACE: &str = "unknown_space";
    pub const NOT_FOUND: &str = "not_found";
    pub const ERASED: &str = "erased";
    pub const REFUSED: &str = "refused";
    pub const WRITE_FAILED: &str = "write_failed";
    pub const EMBEDDER: &str = "embedder_unavailable";
    pub const CLOSING: &str = "closing";
    pub const TIMEOUT: &str = "timeout";
    pub const LINE_TOO_LONG: &str = "line_too_long";
    pub const TOO_MANY_CONNECTIONS: &str = "too_many_connections";
    pub const INTERNAL: &str = "internal";
    pub const BODY_TOO_LARGE: &str = "body_too_large";
    pub const REQUEST_TIMEOUT: &str = "request_timeout";
    pub const UNSUPPORTED_MEDIA_TYPE: &str = "unsupported_media_type";
    pub const NO_SUCH_ROUTE: &str = "no_such_route";
    pub const METHOD_NOT_ALLOWED: &str = "method_not_allowed";
    pub const UNAUTHORIZED: &str = "unauthorized";
    pub const FORBIDDEN: &str = "forbidden";
    pub const WRONG_HOST: &str = "wrong_host";
    pub const RATE_LIMITED: &str = "rate_limited";
    pub const OVERLOADED: &str = "overloaded";
    pub const NO_DAEMON: &str = "no_daemon";

    pub const ALL: [&str; 26] = [
        PARSE,
        INVALID_REQUEST,
        METHOD_NOT_FOUND,
        INVALID_PARAMS,
        UNKNOWN_SPACE,
        NOT_FOUND,
        ERASED,
        REFUSED,
        WRITE_FAILED,
        EMBEDDER,
        CLOSING,
        TIMEOUT,
        LINE_TOO_LONG,
        TOO_MANY_CONNECTIONS,
        INTERNAL,
        BODY_TOO_LARGE,
        REQUEST_TIMEOUT,
        UNSUPPORTED_MEDIA_TYPE,
        NO_SUCH_ROUTE,
        METHOD_NOT_ALLOWED,
        UNAUTHORIZED,
        FORBIDDEN,
        WRONG_HOST,
        RATE_LIMITED,
        OVERLOADED,
        NO_DAEMON,
    ];
}

#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    pub number: i32,
    pub code: &'static str,
    pub message: String,
}

impl RpcError {
    pub fn new(code: &'static str, message: impl Into<String>) -> RpcError {
        let number = match code {
            code::PARSE => -32700,
            code::INVALID_REQUEST => -32600,
            code::METHOD_NOT_FOUND => -32601,
            code::INVALID_PARAMS => -32602,
            code::INTERNAL => -32603,
            _ => -32000,
        };
        RpcError {
            number,
            code,
            message: message.into(),
        }
    }

    pub fn params(message: impl Into<String>) -> RpcError {
        RpcError::new(code::INVALID_PARAMS, message)
    }

    pub fn unknown_space() -> RpcError {
        // The name is the caller's own; no other space is ever named.
        RpcError::new(
            code::UNKNOWN_SPACE,
            "this space is unknown; a space begins with its first event",
        )
    }

    /// An error that came over the socket.
    pub fn received(e: &Value) -> RpcError {
        let code = e["data"]["code"]
            .as_str()
            .and_then(|c| code::ALL.iter().find(|k| **k == c));
        let message = e["message"].as_str().unwrap_or("the daemon refused");
        RpcError::new(code.copied().unwrap_or(code::INTERNAL), message)
    }

    pub fn to_json(&self) -> Value {
        json!({"code": self.number, "message": self.message, "data": {"code": self.code}})
    }
}

impl From<crate::runtime::IngestError> for RpcError {
    fn from(e: crate::runtime::IngestError) -> Self {
        use crate::runtime::IngestError as E;
        let code = match &e {
            E::WriteFailed { .. } => code::WRITE_FAILED,
            E::Closed => code::CLOSING,
            E::Embedder { .. } => code::EMBEDDER,
            E::UnknownSpace => return RpcError::unknown_space(),
        };
        RpcError::new(code, e.to_string())
    }
}
