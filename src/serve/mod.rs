//! Surfaces: the JSON-RPC socket, HTTP and MCP. Wire types live here, not in the core.
//!
//! The methods are implemented once (`methods`); HTTP and MCP put them into other clothes.
//!
//! One UTF-8 JSON object a line, over a Unix socket by default. Errors carry a stable `data.code`.
//! Lines and requests in flight are bounded. A slow client slows nobody else.

pub mod access;
mod claims;
mod errors;
mod explain;
mod export;
mod feed;
pub mod http;
mod line;
pub mod mcp;
pub mod methods;
mod params;
mod rate;
mod server;
mod subscribe;
mod trace;
pub mod wire;

pub use errors::{RpcError, code};
pub use feed::{Change, Follower};
pub use methods::Methods;
pub use server::{Listener, serve};
