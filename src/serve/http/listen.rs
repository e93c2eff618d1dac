//! Connections: a bounded number of them, and none that stands still for ever.
//!
//! A connection on which no byte moves in either direction for the limit is closed. That ends clients
//! that send a request drop by drop, and followers of a stream that have stopped to read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

pub struct Bounded {
    pub listener: TcpListener,
    pub places: Arc<Semaphore>,
    pub idle: Duration,
}

impl Listener for Bounded {
    type Io = Io;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Io, Self::Addr) {
        // Never closed, so this waits for a place and gets it.
        let permit = loop {
            if let Ok(p) = self.places.clone().acquire_owned().await {
                break p;
            }
        };
        let (stream, addr) = Listener::accept(&mut self.listener).await;
        // Without it small events wait for the acknowledgement of the last; failing costs only that.
        let _ = stream.set_nodelay(true);
        let io = Io {
            stream,
            quiet: Box::pin(tokio::time::sleep(self.idle)),
            idle: self.idle,
            _place: permit,
        };
        (io, addr)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A connection in its place.
pub struct Io {
    stream: TcpStream,
    quiet: Pin<Box<Sleep>>,
    idle: Duration,
    _place: OwnedSemaphorePermit,
}

impl Io {
    /// Begins the quiet time anew when something moved; ends the connection when it was too long.
    fn moved<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.quiet.as_mut().reset(Instant::now() + self.idle);
            return poll;
        }
        ready!(self.quiet.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.moved(cx, poll)
    }
}

impl AsyncWrite for Io {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.moved(cx, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.moved(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
