//! One browser's WebSocket: sends hello, then batches and, twice a second, the status.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use tokio::sync::watch;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::wire::{self, Status, TeamStatus, ToBrowser, ToRelay};

use crate::clock::Clock;
use crate::relaying::http::Page;
use crate::relaying::hub::{Hub, Listener};
use crate::relaying::reception::OpenPorts;
use crate::relaying::seats::{SeatPlan, Seats};
use crate::relaying::tablet_view;
use crate::relaying::web_socket::{self, End, Incoming, PING, send, take};
use crate::shutdown::Shutdown;
use crate::version::VERSION;

/// Most browsers at the same time.
pub(crate) const SEATS: SeatPlan = SeatPlan { all: 100, for_devices: 84, of_a_device: 6 };
/// The longest message a browser may send.
pub(crate) const LONGEST_MESSAGE: usize = 4 << 10;
/// Bytes of batches kept for a busy browser: a quarter of a second at the highest load, many minutes of a usual game.
pub(crate) const ROOM: usize = 4 << 20;

/// Why a tablet's command is refused.
pub(crate) const NOT_ALLOWED: &str =
    "tablets may not command the server: allow it on Trailbrake's own computer, under People";

/// Whether a browser may command servers now, or why not.
pub(crate) type MayCommand = dyn Fn() -> Result<(), &'static str> + Send + Sync;

/// What every browser's task needs.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) hub: Arc<Hub>,
    /// The relay's status, without the browser's own counters.
    pub(crate) status: watch::Receiver<Arc<Status>>,
    /// How this rig stands with its team.
    pub(crate) team: watch::Receiver<Option<TeamStatus>>,
    /// The page, which changes on disk during development.
    pub(crate) page: watch::Receiver<Arc<Page>>,
    pub(crate) shutdown: Shutdown,
    /// The talkers, some of which take commands.
    pub(crate) ports: OpenPorts,
    /// A seat for each browser.
    pub(crate) seats: Seats,
    /// The clock that timestamps packets.
    pub(crate) clock: Clock,
}

impl Live {
    /// Serves one browser until either side ends it. Its commands for servers are obeyed while it may command them.
    pub(crate) async fn talk(mut self, mut socket: WebSocket, may_command: &MayCommand, is_owner: bool) {
        let listener = self.hub.listen(ROOM);
        let mut shutdown = self.shutdown.clone();
        let end = tokio::select! {
            end = self.converse(&mut socket, &listener, may_command, is_owner) => end,
            () = shutdown.wait() => End::shutdown(),
        };
        drop(listener);
        web_socket::end(socket, end).await;
    }

    async fn converse(
        &mut self,
        socket: &mut WebSocket,
        listener: &Listener,
        may_command: &MayCommand,
        is_owner: bool,
    ) -> End {
        let relay = VERSION.to_owned();
        let hello = ToBrowser::Hello { relay, now: self.clock.now(), started: self.clock.started() };
        if let Err(end) = send(socket, &hello).await {
            return end;
        }
        self.status.mark_changed();
        self.page.mark_unchanged();
        // A driver without a team gets no message about one.
        if self.team.borrow_and_update().is_some() {
            self.team.mark_changed();
        }
        let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
        let mut incoming = Incoming::new();
        loop {
            let sent = tokio::select! {
                batch = listener.next() => take(socket, Message::Binary(batch.message())).await,
                Ok(()) = self.status.changed() => {
                    let mut status = Status::clone(&self.status.borrow_and_update());
                    if !is_owner {
                        tablet_view::hide_in_status(&mut status);
                    }
                    status.lost_batches += listener.lost();
                    status.browsers = u32::try_from(self.seats.taken()).unwrap_or(u32::MAX);
                    send(socket, &ToBrowser::Status(status)).await
                }
                Ok(()) = self.team.changed() => {
                    let mut team = self.team.borrow_and_update().clone();
                    if !is_owner && let Some(status) = &mut team {
                        status.trouble = None;
                    }
                    send(socket, &ToBrowser::Team(team)).await
                }
                Ok(()) = self.page.changed() => send(socket, &ToBrowser::Reload).await,
                message = socket.recv() => {
                    match incoming.content(message).and_then(understand) {
                        Ok(Some(request)) => send(socket, &self.answer(request, may_command())).await,
                        Ok(None) => Ok(()),
                        Err(end) => Err(end),
                    }
                }
                _ = ping.tick() => {
                    if incoming.is_silent() {
                        return End::Gone;
                    }
                    web_socket::ping(socket).await
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
    fn answer(&self, request: CommandRequest, may_command: Result<(), &'static str>) -> ToBrowser<'static> {
        let CommandRequest { id, feed, command } = request;
        let outcome = match (may_command, self.ports.talks().iter().find(|talk| talk.feed == feed)) {
            (Err(words), _) => Err(words.to_owned()),
            (Ok(()), Some(talk)) => talk.obey(&command),
            (Ok(()), None) => Err(format!("{} is not spoken to here", feed.info().game)),
        };
        ToBrowser::Answer { id, outcome }
    }
}

fn understand(content: Option<Bytes>) -> Result<Option<CommandRequest>, End> {
    let Some(bytes) = content else { return Ok(None) };
    match wire::decode_owned::<ToRelay>(&bytes) {
        Ok(ToRelay::Hello { page }) => {
            tracing::debug!("a page of version {page} listens");
            Ok(None)
        }
        Ok(ToRelay::Command { id, feed, command }) => Ok(Some(CommandRequest { id, feed, command })),
        Err(error) => Err(End::refused(error.to_string())),
    }
}
