//! Surfaces: the JSON-RPC socket. Wire types live here, not in the core.
//!
//! One UTF-8 JSON object a line, over a Unix socket by default. Errors carry a stable `data.code`.
//! Lines and requests in flight are bounded. A slow client slows nobody else.

mod claims;
mod errors;
mod explain;
mod export;
mod line;
pub mod methods;
mod params;
mod server;
mod subscribe;
mod trace;
pub mod wire;

pub use errors::{RpcError, code};
pub use methods::Methods;
pub use server::{Listener, serve};
