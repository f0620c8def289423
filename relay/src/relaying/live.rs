//! One browser's WebSocket: sends hello, then batches and, twice a second, the status.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde::Serialize;
use tokio::sync::{Semaphore, watch};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::wire::{self, Status, ToBrowser, ToRelay};

use crate::clock::Clock;
use crate::relaying::http::Page;
use crate::relaying::hub::{Hub, Listener};
use crate::relaying::talk::Conversation;
use crate::shutdown::Shutdown;
use crate::version::VERSION;

/// Most browsers at the same time.
pub(crate) const SEATS: usize = 100;
/// The longest message a browser may send.
pub(crate) const LONGEST_MESSAGE: usize = 4 << 10;
/// Bytes of batches kept for a busy browser: a quarter of a second at the highest load, many minutes of a usual game.
const ROOM: usize = 4 << 20;
/// How often a browser is pinged.
const PING: Duration = Duration::from_secs(10);
/// A browser that sends or takes nothing for this long is gone.
const SILENCE: Duration = Duration::from_secs(35);

/// What every browser's task needs.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) hub: Arc<Hub>,
    /// The relay's status, without the browser's own counters.
    pub(crate) status: watch::Receiver<Arc<Status>>,
    /// The page, which changes on disk during development.
    pub(crate) page: watch::Receiver<Arc<Page>>,
    pub(crate) shutdown: Shutdown,
    /// The talkers, some of which take commands.
    pub(crate) talks: Arc<[Arc<Conversation>]>,
    /// A permit for each browser.
    pub(crate) seats: Arc<Semaphore>,
    /// The clock that timestamps packets.
    pub(crate) clock: Clock,
}

/// Why a connection ends.
enum End {
    /// The browser has gone.
    Gone,
    /// The relay closes it, with a code and a reason.
    Closed(u16, String),
}

impl Live {
    /// Serves one browser until either side ends it.
    pub(crate) async fn talk(mut self, mut socket: WebSocket) {
        let listener = self.hub.listen(ROOM);
        let mut shutdown = self.shutdown.clone();
        let end = tokio::select! {
            end = self.converse(&mut socket, &listener) => end,
            () = shutdown.wait() => End::Closed(close_code::AWAY, "Trailbrake was closed".into()),
        };
        drop(listener);
        if let End::Closed(code, reason) = end {
            tracing::debug!("a browser's connection ends: {reason}");
            let frame = CloseFrame { code, reason: brief(&reason).into() };
            let farewell = async {
                socket.send(Message::Close(Some(frame))).await?;
                // The browser answers with a close frame of its own.
                while let Some(Ok(_)) = socket.recv().await {}
                Ok::<(), axum::Error>(())
            };
            let _ = tokio::time::timeout(Duration::from_millis(500), farewell).await;
        }
    }

    async fn converse(&mut self, socket: &mut WebSocket, listener: &Listener) -> End {
        let relay = VERSION.to_owned();
        let hello = ToBrowser::Hello { relay, now: self.clock.now() };
        if let Err(end) = send(socket, &hello).await {
            return end;
        }
        self.status.mark_changed();
        self.page.mark_unchanged();
        let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
        let mut heard = Instant::now();
        loop {
            let sent = tokio::select! {
                batch = listener.next() => take(socket, Message::Binary(batch.message())).await,
                Ok(()) = self.status.changed() => {
                    let mut status = Status::clone(&self.status.borrow_and_update());
                    status.lost_batches = listener.lost();
                    status.browsers = u32::try_from(SEATS - self.seats.available_permits()).unwrap_or(u32::MAX);
                    send(socket, &ToBrowser::Status(status)).await
                }
                Ok(()) = self.page.changed() => send(socket, &ToBrowser::Reload).await,
                message = socket.recv() => {
                    heard = Instant::now();
                    match understand(message) {
                        Ok(Some(request)) => send(socket, &self.answer(request)).await,
                        Ok(None) => Ok(()),
                        Err(end) => Err(end),
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return End::Gone;
                    }
                    take(socket, Message::Ping(axum::body::Bytes::new())).await
                }
            };
            if let Err(end) = sent {
                return end;
            }
        }
    }
}

/// A browser's command for a game's server.
struct CommandRequest {
    id: u32,
    feed: Feed,
    command: ServerCommand,
}

impl Live {
    fn answer(&self, CommandRequest { id, feed, command }: CommandRequest) -> ToBrowser<'static> {
        let outcome = match self.talks.iter().find(|talk| talk.feed == feed) {
            Some(talk) => talk.obey(&command),
            None => Err(format!("{} is not spoken to here", feed.info().game)),
        };
        ToBrowser::Answer { id, outcome }
    }
}

fn understand(message: Option<Result<Message, axum::Error>>) -> Result<Option<CommandRequest>, End> {
    match message {
        Some(Ok(Message::Binary(bytes))) => match wire::decode_owned::<ToRelay>(&bytes) {
            Ok(ToRelay::Hello { page }) => {
                tracing::debug!("a page of version {page} listens");
                Ok(None)
            }
            Ok(ToRelay::Command { id, feed, command }) => Ok(Some(CommandRequest { id, feed, command })),
            Err(error) => Err(End::Closed(close_code::POLICY, error.to_string())),
        },
        Some(Ok(Message::Text(_))) => {
            Err(End::Closed(close_code::UNSUPPORTED, "messages to Trailbrake are binary".into()))
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Close(_))) | None => Err(End::Gone),
        Some(Err(error)) => Err(End::Closed(close_code::PROTOCOL, error.to_string())),
    }
}

async fn send<M: Serialize>(socket: &mut WebSocket, message: &M) -> Result<(), End> {
    let bytes = wire::encode(message).map_err(|error| End::Closed(close_code::ERROR, error.to_string()))?;
    take(socket, Message::Binary(bytes.into())).await
}

/// Sends a message. A browser that takes nothing for long is gone.
async fn take(socket: &mut WebSocket, message: Message) -> Result<(), End> {
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
