//! One page's WebSocket to the room.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{WebSocket, close_code};
use trailbrake_shared::wire::{self, FromRoom, ToRoom};

use super::allowance::Allowance;
use super::members::{Entered, Room};
use crate::relaying::web_socket::{self, End, PING, SILENCE, content, send};
use crate::shutdown::Shutdown;

/// The longest message that a page may send, and the longest one that is read to refuse it.
const LONGEST: usize = 4 << 10;
pub(crate) const LONGEST_READ: usize = 64 << 10;
/// How often a page learns that the connection is alive.
const BEAT: Duration = Duration::from_secs(2);

/// Serves one page until either side ends it.
pub(crate) async fn serve(room: Room, mut socket: WebSocket, is_owner: bool, mut shutdown: Shutdown) {
    let end = match room.enter(is_owner) {
        None => End::Closed(close_code::AGAIN, "too many pages are in the room already".into()),
        Some(entered) => tokio::select! {
            end = converse(&entered, &mut socket) => end,
            () = shutdown.wait() => End::shutdown(),
        },
    };
    web_socket::end(socket, end).await;
}

async fn converse(entered: &Entered, socket: &mut WebSocket) -> End {
    let began = Instant::now();
    let mut allowance = Allowance::new(0.0);
    let mut received = began;
    let mut ping = tokio::time::interval(PING);
    let mut beat = tokio::time::interval(BEAT);
    loop {
        let done = tokio::select! {
            news = entered.next() => send_all(socket, news).await,
            _ = beat.tick() => send(socket, &FromRoom::Beat).await,
            message = socket.recv() => {
                received = Instant::now();
                match content(message) {
                    Ok(Some(bytes)) => take(entered, &bytes, allowance.take(began.elapsed().as_secs_f64())),
                    Ok(None) => Ok(()),
                    Err(end) => Err(end),
                }
            }
            _ = ping.tick() => {
                if received.elapsed() > SILENCE {
                    return End::Gone;
                }
                web_socket::ping(socket).await
            }
        };
        if let Err(end) = done {
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
fn take(entered: &Entered, bytes: &Bytes, is_allowed: bool) -> Result<(), End> {
    let message = match wire::decode_owned::<ToRoom>(bytes) {
        _ if !is_allowed => Err("this page sends too much to the room".to_owned()),
        _ if bytes.len() > LONGEST => {
            Err(format!("a message of {} bytes is over the room's limit", bytes.len()))
        }
        message => message.map_err(|error| error.to_string()),
    };
    match message {
        Ok(message) => entered.take(message),
        Err(reason) => {
            entered.count_cut_off();
            return Err(End::Closed(close_code::POLICY, reason));
        }
    }
    Ok(())
}
