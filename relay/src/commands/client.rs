//! Connects to a running Trailbrake, as browsers do.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{self, Body, Bytes};
use axum::http::Request;
use axum::http::header::HOST;
use futures_util::SinkExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use trailbrake_shared::wire::{self, ToRelay};

use crate::version::VERSION;

/// How long a program on this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it may take to make a file, and how large that may be.
const DOWNLOAD: Duration = Duration::from_secs(60);
const LARGEST: usize = 256 << 20;

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

/// Downloads a file from a Trailbrake; `None` where none answers.
pub(crate) async fn download(address: SocketAddr, path: &str) -> Option<Bytes> {
    let downloaded = async {
        let stream = TcpStream::connect(address).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It is driven until the answer is whole.
        tokio::spawn(connection);
        let request = Request::get(path).header(HOST, address.to_string()).body(Body::empty())?;
        let answer = sender.send_request(request).await?;
        anyhow::ensure!(answer.status().is_success(), "it answers {}", answer.status());
        anyhow::Ok(body::to_bytes(Body::new(answer.into_body()), LARGEST).await?)
    };
    match tokio::time::timeout(DOWNLOAD, downloaded).await {
        Ok(Ok(bytes)) => Some(bytes),
        Ok(Err(error)) => {
            tracing::debug!("no Trailbrake at {address}: {error:#}");
            None
        }
        Err(_) => None,
    }
}
