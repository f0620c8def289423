//! One page's WebSocket to the room.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::WebSocket;
use trailbrake_shared::wire::{self, FromRoom, ToRoom};

use super::members::{Entered, Room};
use crate::relaying::seats::Visitor;
use crate::relaying::web_socket::{self, End, Incoming, PING, send};
use crate::shutdown::Shutdown;

/// The longest message that a page may send, and the longest one that is read to refuse it.
const LONGEST: usize = 4 << 10;
pub(crate) const LONGEST_READ: usize = 64 << 10;
/// How often a page learns that the connection is alive.
const BEAT: Duration = Duration::from_secs(2);

/// Serves one page until either side ends it.
pub(crate) async fn serve(room: Room, mut socket: WebSocket, visitor: Visitor, mut shutdown: Shutdown) {
    let end = match room.enter(visitor) {
        Err(no_seat) => End::no_seat(no_seat),
        Ok(entered) => tokio::select! {
            end = converse(&entered, &mut socket) => end,
            () = shutdown.wait() => End::shutdown(),
        },
    };
    web_socket::end(socket, end).await;
}

async fn converse(entered: &Entered, socket: &mut WebSocket) -> End {
    let mut incoming = Incoming::new();
    let mut ping = tokio::time::interval(PING);
    let mut beat = tokio::time::interval(BEAT);
    loop {
        let done = tokio::select! {
            news = entered.next() => send_all(socket, news).await,
            _ = beat.tick() => send(socket, &FromRoom::Beat).await,
            message = socket.recv() => {
                let content = incoming.content(message);
                content.and_then(|content| content.map_or(Ok(()), |bytes| take(entered, &bytes)))
            }
            _ = ping.tick() => {
                if incoming.is_silent() {
                    return End::Gone;
                }
                web_socket::ping(socket).await
            }
        };
        if let Err(end) = done {
            if end.is_refusal() {
                entered.count_cut_off();
            }
            return end;
        }
    }
}

async fn send_all(socket: &mut WebSocket, news: Vec<FromRoom>) -> Result<(), End> {
    for message in news {
        send(socket, &message).await?;
    }
    Ok(())
}

/// Takes a message of the page, or cuts the page off.
fn take(entered: &Entered, bytes: &Bytes) -> Result<(), End> {
    if bytes.len() > LONGEST {
        return Err(End::refused(format!("a message of {} bytes is over the room's limit", bytes.len())));
    }
    let message = wire::decode_owned::<ToRoom>(bytes).map_err(|error| End::refused(error.to_string()))?;
    entered.take(message);
    Ok(())
}
