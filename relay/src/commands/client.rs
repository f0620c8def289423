//! Connects to a running Trailbrake, as browsers do.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::SinkExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use trailbrake_shared::wire::{self, ToRelay};

use crate::version::VERSION;

/// How long a program on this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Connects to a Trailbrake; `None` where none answers.
pub(crate) async fn connect(address: SocketAddr) -> Option<Socket> {
    let connected = async {
        let stream = TcpStream::connect(address).await?;
        let (mut socket, _) = client_async(format!("ws://{address}/live"), stream).await?;
        let hello = ToRelay::Hello { page: VERSION.to_owned() };
        socket.send(Message::Binary(wire::encode(&hello)?.into())).await?;
        anyhow::Ok(socket)
    };
    match tokio::time::timeout(PATIENCE, connected).await {
        Ok(Ok(socket)) => Some(socket),
        Ok(Err(error)) => {
            tracing::debug!("no Trailbrake at {address}: {error:#}");
            None
        }
        Err(_) => None,
    }
}
