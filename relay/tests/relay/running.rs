//! A relay for a test, and a browser's end of its WebSocket.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use trailbrake_relay::options::{Lan, Settings};
use trailbrake_relay::{Relay, Report};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Status, ToBrowser};

/// Long enough for whatever must happen to happen on a busy machine; a test that gets there has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for something that must happen.
pub async fn soon<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(PATIENCE, what).await.expect("this never happened")
}

/// A relay that runs.
pub struct Running {
    pub report: Report,
    end: oneshot::Sender<()>,
    run: JoinHandle<anyhow::Result<()>>,
}

/// What is usual for a test: every port chosen by the system, on loopback.
pub fn settings(more: &[&str]) -> Settings {
    let usual =
        ["trailbrake", "--no-open", "--http=127.0.0.1:0", "--udp-bind=127.0.0.1", "--config=/dev/null"];
    let mut settings = Settings::read(usual.iter().chain(more)).expect("settings");
    if !more.iter().any(|option| option.starts_with("--port")) {
        settings.ports.retain(|wanted| wanted.feeds.contains(&Feed::F12018));
        settings.ports.iter_mut().for_each(|wanted| wanted.port = 0);
    }
    settings
}

impl Running {
    pub fn start(settings: Settings) -> Self {
        let relay = Relay::open(settings).expect("a relay");
        let report = relay.report().clone();
        let (end, ended) = oneshot::channel::<()>();
        let run = tokio::spawn(relay.run(async move { drop(ended.await) }));
        Self { report, end, run }
    }

    pub fn usual() -> Self {
        Self::start(settings(&[]))
    }

    /// One that also serves tablets, at this machine's own address.
    pub fn open_to_tablets() -> Self {
        let here: IpAddr = [127, 0, 0, 1].into();
        Self::start(Settings { lan: Lan::At(vec![here]), ..settings(&[]) })
    }

    /// Where a feed's packets are heard.
    pub fn hears(&self, feed: Feed) -> SocketAddr {
        let port = self.report.ports.iter().find(|port| port.feeds.contains(&feed)).expect("the feed's port");
        ([127, 0, 0, 1], port.port).into()
    }

    pub async fn browser(&self) -> Browser {
        Browser::open(live_request(self.report.http)).await
    }

    pub async fn stop(self) {
        drop(self.end);
        soon(self.run).await.expect("no panic").expect("a proper end");
    }
}

/// The request that a browser's page makes.
pub fn live_request(address: SocketAddr) -> Request {
    let mut request = format!("ws://{address}/live").into_client_request().expect("a request");
    let origin = format!("http://{address}").parse().expect("an origin");
    request.headers_mut().insert("origin", origin);
    request
}

/// A game: sends packets from an address of its own.
pub struct Game(UdpSocket);

impl Game {
    pub async fn start() -> Self {
        Self(UdpSocket::bind("127.0.0.1:0").await.expect("a socket"))
    }

    pub fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("an address")
    }

    pub async fn send(&self, to: SocketAddr, packet: &[u8]) {
        self.0.send_to(packet, to).await.expect("sent");
    }
}

/// A datagram as the browser got it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    pub at: Micros,
    pub sender: SocketAddr,
    pub port: u16,
    pub feed: Option<Feed>,
    pub bytes: Vec<u8>,
}

/// What a message was.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    Hello(String),
    Batch(Vec<Heard>),
    Status(Status),
    Reload,
    Closed(u16, String),
}

/// A browser's end of the WebSocket.
pub struct Browser(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Browser {
    pub async fn open(request: Request) -> Self {
        Self(soon(tokio_tungstenite::connect_async(request)).await.expect("a connection").0)
    }

    pub async fn send(&mut self, message: Message) {
        self.0.send(message).await.expect("sent");
    }

    pub async fn next(&mut self) -> Got {
        loop {
            match soon(self.0.next()).await {
                Some(Ok(Message::Binary(bytes))) => return understand(&bytes),
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Got::Closed(frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("the relay said {other:?}"),
            }
        }
    }

    /// Skips hello and status until this many datagrams have come.
    pub async fn datagrams(&mut self, count: usize) -> Vec<Heard> {
        let mut heard = Vec::new();
        while heard.len() < count {
            if let Got::Batch(batch) = self.next().await {
                heard.extend(batch);
            }
        }
        heard
    }

    /// The first status that is as wanted.
    pub async fn status(&mut self, wanted: impl Fn(&Status) -> bool) -> Status {
        loop {
            match self.next().await {
                Got::Status(status) if wanted(&status) => return status,
                Got::Closed(code, reason) => panic!("closed with {code}: {reason}"),
                _ => {}
            }
        }
    }
}

fn understand(bytes: &[u8]) -> Got {
    match wire::decode(bytes).expect("a message") {
        ToBrowser::Hello { relay } => Got::Hello(relay),
        ToBrowser::Status(status) => Got::Status(status),
        ToBrowser::Reload => Got::Reload,
        ToBrowser::Batch(batch) => {
            let heard = batch.into_iter().map(|datagram| Heard {
                at: datagram.at,
                sender: datagram.sender,
                port: datagram.port,
                feed: datagram.feed,
                bytes: datagram.bytes.to_vec(),
            });
            Got::Batch(heard.collect())
        }
    }
}
