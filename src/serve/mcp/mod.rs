//! MCP: memory as tools for language models, over stdio (`gyrus mcp`) and HTTP (`/mcp`).
//!
//! A tool call becomes a call of a socket method, through a [`Backend`]: in the daemon itself, or over its
//! socket. Answers are text that fits a token budget.

mod answers;
mod backend;
pub mod http;
mod resources;
mod server;
mod stdio;
mod tools;

pub use backend::{Backend, Remote};
pub use server::{Options, Server};
pub use stdio::run as stdio;
pub use tools::{TOOLS, Tool};
