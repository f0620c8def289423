//! Messages of a running Trailbrake, or of one started here.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use futures_util::StreamExt;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use trailbrake_shared::wire::{PortState, PortStatus};

use crate::commands::client::{Socket, connect};
use crate::relaying::{Relay, Settings};
use crate::terminal::note;

/// How often to look for a Trailbrake that was closed.
const AGAIN: Duration = Duration::from_millis(500);

/// How long our own Trailbrake may take to dismiss games and to finish its recordings.
const FAREWELL: Duration = Duration::from_secs(5);

/// A connection to a Trailbrake.
pub(super) struct MessageSource {
    address: SocketAddr,
    socket: Socket,
    own: Option<OwnRelay>,
}

/// A Trailbrake started here.
struct OwnRelay {
    /// Ends it when dropped.
    going: oneshot::Sender<()>,
    relay: JoinHandle<anyhow::Result<()>>,
}

/// Why there are no more messages.
pub(super) enum Disconnect {
    /// For good.
    For(anyhow::Error),
    /// Until the Trailbrake at this address runs again.
    Until(String),
}

impl MessageSource {
    /// Connects to the Trailbrake that runs at the page's address, or starts one, as for a requested demo.
    pub(super) async fn open(settings: Settings, demo: bool) -> anyhow::Result<Self> {
        let address = settings.http;
        if !demo
            && address.port() != 0
            && let Some(socket) = connect(address).await
        {
            note(&format!("shows what the Trailbrake at http://{address}/ receives"));
            return Ok(Self { address, socket, own: None });
        }
        Self::run(settings).await
    }

    /// The next message.
    pub(super) async fn next(&mut self) -> Result<Bytes, Disconnect> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(message))) => return Ok(message),
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    let there = format!("the Trailbrake at http://{}/", self.address);
                    return Err(match self.own {
                        Some(_) => Disconnect::For(anyhow!("{there} ended")),
                        None => Disconnect::Until(there),
                    });
                }
                Some(Ok(Message::Text(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            }
        }
    }

    /// Waits for the Trailbrake to run again. It is not replaced: it could not get its ports back then.
    pub(super) async fn come_back(&mut self) {
        loop {
            tokio::time::sleep(AGAIN).await;
            if let Some(socket) = connect(self.address).await {
                self.socket = socket;
                return;
            }
        }
    }

    /// Ends what was started here, and waits for it.
    pub(super) async fn end(self) {
        let Self { socket, own, .. } = self;
        // Close our connection first, so that the relay does not wait for it.
        drop(socket);
        if let Some(OwnRelay { going, relay }) = own {
            drop(going);
            let _ = tokio::time::timeout(FAREWELL, relay).await;
        }
    }

    async fn run(settings: Settings) -> anyhow::Result<Self> {
        let demo = settings.demo.is_some();
        let relay = Relay::open(settings)?;
        let report = relay.report();
        let open: Vec<String> = report.ports.iter().filter(|port| is_open(port)).map(name).collect();
        for port in report.ports.iter().filter(|port| !is_open(port)) {
            note(&format!("{} is not received: {}", name(port), why(port)));
        }
        if open.is_empty() && !demo {
            bail!("no port could be opened; where another Trailbrake has them, give its address with --http");
        }
        let address = report.http;
        note(&format!("listens at {}; page at http://{address}/", open.join(", ")));
        let (going, ended) = oneshot::channel::<()>();
        let relay = tokio::spawn(relay.run(async move { drop(ended.await) }));
        let socket = connect(address).await.context("what was just started does not answer")?;
        Ok(Self { address, socket, own: Some(OwnRelay { going, relay }) })
    }
}

fn is_open(port: &PortStatus) -> bool {
    matches!(port.state, PortState::Open | PortState::Asks { .. })
}

fn name(port: &PortStatus) -> String {
    let feeds: Vec<&str> = port.feeds.iter().map(|feed| feed.id()).collect();
    format!("UDP {} ({})", port.port, feeds.join(", "))
}

fn why(port: &PortStatus) -> String {
    match &port.state {
        PortState::Open | PortState::Asks { .. } => "it is open".to_owned(),
        PortState::Taken { holder: Some(holder) } => format!("{holder} has it"),
        PortState::Taken { holder: None } => "another program has it".to_owned(),
        PortState::Failed { why } => why.clone(),
    }
}
