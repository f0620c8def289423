//! Counts the bytes that a client sends on a WebSocket. A message in endless fragments never ends, so counting messages is
//! not enough.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::extract::WebSocketUpgrade;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::lock::Lock;
use crate::relaying::allowance::{Allowance, Rate};

/// Bytes that a page sends: a name and a view of some kilobytes at once, then its cursor.
const RATE: Rate = Rate { at_once: 128.0 * 1024.0, per_second: 64.0 * 1024.0 };
/// Bytes of a WebSocket that are read at once.
const READ_AT_ONCE: usize = 4 << 10;

/// The limit of one connection.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<Lock<Option<Allowance>>>);

impl Meter {
    /// Limits the connection from now on, which becomes a WebSocket with messages of at most `longest` bytes.
    pub(crate) fn limit(&self, upgrade: WebSocketUpgrade, longest: usize) -> WebSocketUpgrade {
        *self.0.lock() = Some(Allowance::new(RATE, Instant::now()));
        upgrade.max_message_size(longest).max_frame_size(longest).read_buffer_size(READ_AT_ONCE)
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        let fits = match &mut *self.0.lock() {
            Some(allowance) => allowance.take_many(bytes as f64, Instant::now()),
            None => true,
        };
        if fits { Ok(()) } else { Err(io::ErrorKind::QuotaExceeded.into()) }
    }
}

/// Whether a connection ended because its client sent more than it may.
pub(crate) fn is_exceeded(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut sources = std::iter::successors(Some(error), |error| error.source());
    sources.any(|error| {
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::QuotaExceeded)
    })
}

/// A connection with its meter.
pub(crate) struct MeteredStream<S> {
    stream: S,
    meter: Meter,
}

impl<S> MeteredStream<S> {
    pub(crate) fn new(stream: S, meter: Meter) -> Self {
        Self { stream, meter }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MeteredStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(task, into))?;
        Poll::Ready(self.meter.take(into.filled().len() - before))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeteredStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(task, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(task)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(task, pieces)
    }
}
