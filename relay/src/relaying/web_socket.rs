//! One browser's WebSocket: sending within a time limit, and closing with a reason.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde::Serialize;
use trailbrake_shared::wire;

use super::allowance::{Allowance, Rate};
use super::meter;
use super::seats::NoSeat;

/// How often a browser is pinged.
pub(crate) const PING: Duration = Duration::from_secs(10);
/// A browser that sends or takes nothing for this long is gone.
const SILENCE: Duration = Duration::from_secs(35);
/// Messages of a page, pings included. To the room it sends a cursor ten times a second and a view four times, to the
/// other socket what somebody types.
const RATE: Rate = Rate { at_once: 60.0, per_second: 30.0 };
/// How long a browser may take to answer a close frame.
const FAREWELL: Duration = Duration::from_millis(500);

/// Why a connection ends.
pub(crate) enum End {
    /// The browser has gone.
    Gone,
    /// The relay closes it, with a code and a reason.
    Closed(u16, String),
}

impl End {
    /// Trailbrake ends.
    pub(crate) fn shutdown() -> Self {
        Self::Closed(close_code::AWAY, "Trailbrake was closed".into())
    }

    /// There is no seat for the page.
    pub(crate) fn no_seat(no_seat: NoSeat) -> Self {
        Self::later(no_seat.to_string())
    }

    /// There is nothing for the page now, for this reason. It tries again.
    pub(crate) fn later(reason: impl Into<String>) -> Self {
        Self::Closed(close_code::AGAIN, reason.into())
    }

    /// The browser sent what it may not.
    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self::Closed(close_code::POLICY, reason.into())
    }

    /// Whether the browser is cut off for what it sent.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Closed(code, _) if *code == close_code::POLICY)
    }
}

/// What one browser may send: its allowance, and when it last sent something.
pub(crate) struct Incoming {
    allowance: Allowance,
    received: Instant,
}

impl Incoming {
    /// A browser that has just come.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { allowance: Allowance::new(RATE, now), received: now }
    }

    /// Whether the browser has sent nothing for so long that it must be gone.
    pub(crate) fn is_silent(&self) -> bool {
        self.received.elapsed() > SILENCE
    }

    /// The content of a binary message; `None` for a message without any. A browser that sends too many is cut off.
    pub(crate) fn content(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<Option<Bytes>, End> {
        self.received = Instant::now();
        match message {
            Some(Ok(Message::Close(_))) | None => Err(End::Gone),
            Some(Err(error)) if meter::is_exceeded(&error) => {
                Err(End::refused("this page sends too much, so Trailbrake cut it off"))
            }
            Some(Err(error)) => Err(End::Closed(close_code::PROTOCOL, error.to_string())),
            Some(Ok(_)) if !self.allowance.take(self.received) => {
                Err(End::refused("this page sends too many messages, so Trailbrake cut it off"))
            }
            Some(Ok(Message::Binary(bytes))) => Ok(Some(bytes)),
            Some(Ok(Message::Text(_))) => {
                Err(End::Closed(close_code::UNSUPPORTED, "messages to Trailbrake are binary".into()))
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        }
    }
}

/// Ends a connection: a browser that is still there learns why.
pub(crate) async fn end(mut socket: WebSocket, end: End) {
    let End::Closed(code, reason) = end else { return };
    tracing::debug!("a browser's connection ends: {reason}");
    let frame = CloseFrame { code, reason: brief(&reason).into() };
    let farewell = async {
        socket.send(Message::Close(Some(frame))).await?;
        // The browser answers with a close frame of its own.
        while let Some(Ok(_)) = socket.recv().await {}
        Ok::<(), axum::Error>(())
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

/// Encodes and sends a message.
pub(crate) async fn send<M: Serialize>(socket: &mut WebSocket, message: &M) -> Result<(), End> {
    let bytes = wire::encode(message).map_err(|error| End::Closed(close_code::ERROR, error.to_string()))?;
    take(socket, Message::Binary(bytes.into())).await
}

/// Asks a browser for a sign of life.
pub(crate) async fn ping(socket: &mut WebSocket) -> Result<(), End> {
    take(socket, Message::Ping(Bytes::new())).await
}

/// Sends a message. A browser that takes nothing for long is gone.
pub(crate) async fn take(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    match tokio::time::timeout(SILENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

/// Shortens a reason: a close frame has room for 123 bytes.
fn brief(reason: &str) -> String {
    let mut end = reason.len().min(120);
    while !reason.is_char_boundary(end) {
        end -= 1;
    }
    reason.get(..end).unwrap_or_default().to_owned()
}
