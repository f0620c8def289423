//! A connection to a running Trailbrake: sends commands to the dedicated server, and receives the answers.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::{Bytes, Message};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{Described, ServerCommand};
use trailbrake_shared::wire::{self, ToBrowser, ToRelay};

use crate::commands::client::{Socket, connect};

/// How long Trailbrake may take to report the outcome of a command.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the server may take to answer a question.
const ANSWER: Duration = Duration::from_secs(3);
/// How long the server may take to reject a command.
const REFUSAL: Duration = Duration::from_millis(400);
/// The message that rejects a command.
pub(super) const REFUSED: &str = "ERROR";

/// A connection to a running Trailbrake.
pub(super) struct ServerConnection {
    socket: Socket,
    feed: Feed,
    asked: u32,
    /// Messages of the server received while waiting for something else.
    pending: Vec<Described>,
}

/// A message from Trailbrake.
enum RelayMessage {
    Answer(u32, Result<String, String>),
    Messages(Vec<Described>),
    Nothing,
}

impl ServerConnection {
    /// Connects to the Trailbrake whose page is served at an address.
    pub(super) async fn at(address: SocketAddr, feed: Feed) -> anyhow::Result<Self> {
        let socket = connect(address).await.with_context(|| {
            format!(
                "no Trailbrake runs at http://{address}/: start one with --ac-server, or say where it is with --http"
            )
        })?;
        Ok(Self { socket, feed, asked: 0, pending: Vec::new() })
    }

    /// Sends a command to the server; returns what Trailbrake reports.
    pub(super) async fn ask(&mut self, command: ServerCommand) -> anyhow::Result<String> {
        self.pending.clear();
        self.asked += 1;
        let message = wire::encode(&ToRelay::Command { id: self.asked, feed: self.feed, command })?;
        self.socket.send(Message::Binary(message.into())).await.context("Trailbrake was closed")?;
        let until = Instant::now() + PATIENCE;
        loop {
            match timeout_at(until, self.next()).await.context("Trailbrake does not answer")?? {
                RelayMessage::Answer(id, outcome) if id == self.asked => {
                    return outcome.map_err(|why| anyhow!(why));
                }
                RelayMessage::Messages(messages) => self.pending.extend(messages),
                RelayMessage::Answer(..) | RelayMessage::Nothing => {}
            }
        }
    }

    /// The server's messages in response: up to its answer, or where it sends none, for a moment.
    pub(super) async fn listen(&mut self, answer: Option<&str>) -> anyhow::Result<Vec<Described>> {
        let until = Instant::now() + if answer.is_some() { ANSWER } else { REFUSAL };
        let mut messages = std::mem::take(&mut self.pending);
        loop {
            messages.retain(|message| message.packet == REFUSED || Some(message.packet) == answer);
            if !messages.is_empty() {
                return Ok(messages);
            }
            match timeout_at(until, self.next()).await {
                Ok(message) => {
                    if let RelayMessage::Messages(more) = message? {
                        messages.extend(more);
                    }
                }
                Err(_) => return Ok(messages),
            }
        }
    }

    async fn next(&mut self) -> anyhow::Result<RelayMessage> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(message))) => return self.understand(&message),
                Some(Ok(Message::Close(_)) | Err(_)) | None => bail!("Trailbrake was closed"),
                Some(Ok(Message::Text(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            }
        }
    }

    fn understand(&self, message: &Bytes) -> anyhow::Result<RelayMessage> {
        let message = wire::decode(message)
            .context("use one version of Trailbrake for both: this one does not understand the other")?;
        Ok(match message {
            ToBrowser::Answer { id, outcome } => RelayMessage::Answer(id, outcome),
            ToBrowser::Batch(datagrams) => {
                let own = datagrams.iter().filter(|datagram| datagram.feed == Some(self.feed));
                let described = own.filter_map(|datagram| self.feed.describe()(datagram.bytes).ok());
                RelayMessage::Messages(described.collect())
            }
            ToBrowser::Hello { .. } | ToBrowser::Status(_) | ToBrowser::Reload | ToBrowser::Team(_) => {
                RelayMessage::Nothing
            }
        })
    }
}
