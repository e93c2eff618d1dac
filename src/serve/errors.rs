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
