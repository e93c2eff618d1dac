//! MCP over standard input and output, in front of a daemon's socket. Standard output carries the protocol only.

use std::sync::Arc;

use rmcp::ServiceExt;

use super::{Options, Remote, Server};

/// Serves until the client closes standard input.
///
/// # Errors
/// When the client does not begin as the protocol says, in a sentence.
pub async fn run(remote: Remote, options: Options) -> Result<(), String> {
    let server = Server::new(Arc::new(remote), options);
    let running = match server.serve(rmcp::transport::stdio()).await {
        Ok(running) => running,
        // A client that looks in and goes away has done nothing wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(e) => return Err(format!("the client did not begin as MCP says: {e}")),
    };
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|e| format!("the MCP server ended: {e}"))
}
