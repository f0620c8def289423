//! A relay for tests, and the browser's end of its WebSocket.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::panic::Location;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use trailbrake_relay::commands::read_settings;
use trailbrake_relay::relaying::{Relay, Report, Settings};
use trailbrake_shared::feed::{FEEDS, Feed};
use trailbrake_shared::games::f1::layout::YEAR_2018;
use trailbrake_shared::games::f1::{Kind, VERSION};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, Status, TeamStatus, ToBrowser};

/// Long enough for anything to happen on a busy machine; a test that reaches it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Awaits something that must happen. The limit covers the whole wait, so what waits in a loop belongs inside.
#[track_caller]
pub(crate) fn soon<F: Future>(what: F) -> impl Future<Output = F::Output> {
    let caller = Location::caller();
    async move {
        match tokio::time::timeout(PATIENCE, what).await {
            Ok(output) => output,
            Err(_) => panic!("what {caller} waits for did not happen in {PATIENCE:?}"),
        }
    }
}

/// Asks again and again until there is something.
#[track_caller]
pub(crate) fn until<T>(mut look: impl AsyncFnMut() -> Option<T>) -> impl Future<Output = T> {
    soon(async move {
        loop {
            match look().await {
                Some(found) => return found,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    })
}

/// A running relay.
pub(crate) struct Running {
    pub(crate) report: Report,
    end: oneshot::Sender<()>,
    run: JoinHandle<anyhow::Result<()>>,
}

/// What lets the system choose every feed's port: `FEED=0`.
pub(crate) fn any_ports() -> impl Iterator<Item = String> {
    FEEDS.iter().filter(|row| !row.ports.is_empty()).map(|row| format!("{}=0", row.id))
}

/// Settings for tests: one port chosen by the system, or the ports that the options name, on loopback.
pub(crate) fn settings(more: &[&str]) -> Settings {
    let usual = ["trailbrake", "--no-open", "--http=127.0.0.1:0", "--udp-bind=127.0.0.1"];
    let has_config = more.iter().any(|option| option.starts_with("--config="));
    let config: &[&str] = if has_config { &[] } else { &["--config=/dev/null"] };
    // Keeps the tests away from the user's own recordings.
    let unrecorded = !more.iter().any(|option| option.starts_with("--recordings="));
    let record: &[&str] = if unrecorded { &["--no-record", "--recordings=/nowhere/at/all"] } else { &[] };
    let mut settings = read_settings(usual.iter().chain(config).chain(record).chain(more)).expect("settings");
    // The default port is not contacted, since a real game of the user may listen there.
    let asked = |option: &&str| option.starts_with("--ac-game=") || *option == "--demo=ac-remote";
    settings.asking.retain(|asking| asking.feed != Feed::AcRemote || more.iter().any(asked));
    let named = |feed: &Feed| {
        let is_port_of = |id: &str| more.iter().any(|option| option.starts_with(&format!("--port={id}=")));
        feed.info().ids().any(is_port_of)
    };
    if more.iter().any(|option| option.starts_with("--port=")) {
        settings.ports.retain(|wanted| wanted.feeds.iter().any(named));
    } else {
        settings.ports.retain(|wanted| wanted.feeds.contains(&Feed::F1));
        settings.ports.iter_mut().for_each(|wanted| wanted.port = 0);
    }
    settings
}

impl Running {
    pub(crate) fn start(settings: Settings) -> Self {
        let relay = Relay::open(settings).expect("a relay");
        let report = relay.report().clone();
        let (end, ended) = oneshot::channel::<()>();
        let run = tokio::spawn(relay.run(async move { drop(ended.await) }));
        Self { report, end, run }
    }

    pub(crate) fn usual() -> Self {
        Self::start(settings(&[]))
    }

    /// A relay that also serves tablets, at this machine's own address.
    pub(crate) fn open_to_tablets() -> Self {
        Self::start(settings(&["--lan", "--lan-address=127.0.0.1"]))
    }

    /// The address at which a feed's packets are received.
    pub(crate) fn address_of(&self, feed: Feed) -> SocketAddr {
        let port = self.report.ports.iter().find(|port| port.feeds.contains(&feed)).expect("the feed's port");
        ([127, 0, 0, 1], port.port).into()
    }

    pub(crate) async fn browser(&self) -> Browser {
        Browser::open(live_request(self.report.http)).await
    }

    pub(crate) async fn stop(self) {
        drop(self.end);
        soon(self.run).await.expect("no panic").expect("a proper end");
    }
}

/// The request that the page sends.
pub(crate) fn live_request(address: SocketAddr) -> Request {
    let mut request = format!("ws://{address}/live").into_client_request().expect("a request");
    let origin = format!("http://{address}").parse().expect("an origin");
    request.headers_mut().insert("origin", origin);
    request
}

/// The kinds of F1 2018.
pub(crate) const KINDS: [Kind; 8] = [
    Kind::Motion,
    Kind::Session,
    Kind::LapData,
    Kind::Event,
    Kind::Participants,
    Kind::CarSetups,
    Kind::CarTelemetry,
    Kind::CarStatus,
];

/// A packet of F1 2018 with zeroed content, apart from its last byte.
pub(crate) fn packet(kind: Kind, last: u8) -> Vec<u8> {
    let mut packet = vec![0; kind.size(YEAR_2018).expect("a kind of 2018")];
    packet[..2].copy_from_slice(&YEAR_2018.number().to_le_bytes());
    packet[2] = VERSION;
    packet[3] = kind.id();
    *packet.last_mut().expect("a last byte") = last;
    packet
}

/// A game that sends packets from an address of its own.
pub(crate) struct Game(UdpSocket);

impl Game {
    pub(crate) async fn start() -> Self {
        Self(UdpSocket::bind("127.0.0.1:0").await.expect("a socket"))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("an address")
    }

    pub(crate) async fn send(&self, to: SocketAddr, packet: &[u8]) {
        self.0.send_to(packet, to).await.expect("sent");
    }

    /// The next packet sent to this address, for tests of forwarding.
    pub(crate) async fn receive(&self) -> Vec<u8> {
        let mut room = vec![0; 64 << 10];
        let len = soon(self.0.recv(&mut room)).await.expect("a packet");
        room.truncate(len);
        room
    }
}

/// A datagram as the browser received it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedPackets {
    pub(crate) at: Micros,
    pub(crate) sender: SocketAddr,
    pub(crate) port: u16,
    pub(crate) feed: Option<Feed>,
    pub(crate) bytes: Vec<u8>,
}

/// A message from the relay, decoded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MessageKind {
    Hello(String),
    Batch(Vec<ReceivedPackets>),
    Status(Status),
    Reload,
    Answer(u32, Result<String, String>),
    Team(Option<TeamStatus>),
    Closed(u16, String),
}

/// A browser's end of the WebSocket.
pub(crate) struct Browser {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The relay's version, from its hello.
    pub(crate) relay: String,
}

impl Browser {
    /// Connects. The handshake is answered before the relay listens for this browser; its hello is sent after that, so a
    /// packet that a game sends from now on arrives.
    pub(crate) async fn open(request: Request) -> Self {
        let socket = soon(tokio_tungstenite::connect_async(request)).await.expect("a connection").0;
        let mut browser = Self { socket, relay: String::new() };
        match browser.next().await {
            MessageKind::Hello(relay) => Self { relay, ..browser },
            other => panic!("the relay sent {other:?} before its hello"),
        }
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.expect("sent");
    }

    /// The next message. A test that waits for a certain one uses `find`.
    pub(crate) async fn next(&mut self) -> MessageKind {
        soon(Self::read(&mut self.socket)).await
    }

    async fn read(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> MessageKind {
        loop {
            match socket.next().await {
                Some(Ok(Message::Binary(bytes))) => return understand(&bytes),
                Some(Ok(Message::Close(Some(frame)))) => {
                    return MessageKind::Closed(frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("the relay sent {other:?}"),
            }
        }
    }

    /// Reads messages until one gives what is looked for. A limit on the whole wait: the relay sends a status twice a
    /// second, so that each message by itself comes in time.
    pub(crate) async fn find<T>(&mut self, what: &str, mut pick: impl FnMut(MessageKind) -> Option<T>) -> T {
        /// How many messages a failure shows.
        const SHOWN: usize = 5;
        let (mut count, mut latest) = (0, VecDeque::new());
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                let message = Self::read(&mut self.socket).await;
                count += 1;
                latest.push_back(format!("{message:?}"));
                if latest.len() > SHOWN {
                    latest.pop_front();
                }
                let closed = matches!(message, MessageKind::Closed(..));
                if let Some(found) = pick(message) {
                    return Some(found);
                }
                if closed {
                    return None;
                }
            }
        })
        .await;
        match found {
            Ok(Some(found)) => found,
            Ok(None) => {
                panic!("the relay hung up on a browser that waits for {what}; {count} messages: {latest:#?}")
            }
            Err(_) => panic!("no {what} came in {PATIENCE:?} but {count} messages, at last {latest:#?}"),
        }
    }

    /// Waits for this many datagrams, and skips other messages.
    pub(crate) async fn datagrams(&mut self, count: usize) -> Vec<ReceivedPackets> {
        let mut received = Vec::new();
        self.find(&format!("{count} datagrams"), |message| {
            if let MessageKind::Batch(batch) = message {
                received.extend(batch);
            }
            (received.len() >= count).then_some(())
        })
        .await;
        received
    }

    /// Waits for a status that satisfies a condition.
    pub(crate) async fn status(&mut self, wanted: impl Fn(&Status) -> bool) -> Status {
        self.find("status that satisfies the condition", |message| match message {
            MessageKind::Status(status) => wanted(&status).then_some(status),
            _ => None,
        })
        .await
    }

    /// Waits until the relay hangs up. Returns its code and reason.
    pub(crate) async fn closed(&mut self) -> (u16, String) {
        self.find("end of the connection", |message| match message {
            MessageKind::Closed(code, reason) => Some((code, reason)),
            _ => None,
        })
        .await
    }
}

fn understand(bytes: &[u8]) -> MessageKind {
    match wire::decode(bytes).expect("a message") {
        ToBrowser::Hello { relay, .. } => MessageKind::Hello(relay),
        ToBrowser::Status(status) => MessageKind::Status(status),
        ToBrowser::Reload => MessageKind::Reload,
        ToBrowser::Answer { id, outcome } => MessageKind::Answer(id, outcome),
        ToBrowser::Team(team) => MessageKind::Team(team),
        ToBrowser::Batch(batch) => {
            let received = batch.into_iter().map(|datagram| ReceivedPackets {
                at: datagram.at,
                sender: datagram.sender,
                port: datagram.port,
                feed: datagram.feed,
                bytes: datagram.bytes.to_vec(),
            });
            MessageKind::Batch(received.collect())
        }
    }
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends raw bytes, and reads the whole response.
pub(crate) async fn ask_raw(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = soon(TcpStream::connect(address)).await.expect("a connection");
    stream.write_all(request).await.expect("sent");
    let mut answer = Vec::new();
    // A server that rejects a request early resets the connection, with the response already on its way.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer with headers");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text");
    let mut lines = head.lines();
    let status =
        lines.next().expect("a status").split(' ').nth(1).expect("a number").parse().expect("a number");
    let headers =
        lines.filter_map(|line| line.split_once(": ")).map(|(key, value)| (key.into(), value.into()));
    Answer { status, headers: headers.collect(), body: answer[end + 4..].to_vec() }
}

/// Sends a request without a body. The host header is the address unless `headers` contains another.
pub(crate) async fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    send_with_headers(address, method, path, headers, &[]).await
}

/// The header that the page adds to each change.
pub(crate) const OWN_PAGE: (&str, &str) = ("x-trailbrake", "page");

/// Sends a request with a body, as the relay's own page does.
pub(crate) async fn send(address: SocketAddr, method: &str, path: &str, body: &[u8]) -> Answer {
    let (origin, length) = (format!("http://{address}"), body.len().to_string());
    let headers = [("origin", origin.as_str()), OWN_PAGE, ("content-length", &length)];
    send_with_headers(address, method, path, &headers, body).await
}

/// Changes settings as the relay's own page does.
pub(crate) async fn change_settings(address: SocketAddr, changes: &serde_json::Value) -> Answer {
    send(address, "PATCH", "/settings", changes.to_string().as_bytes()).await
}

async fn send_with_headers(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    let host = ("host", address.to_string());
    if !headers.iter().any(|(name, _)| *name == host.0) {
        request += &format!("{}: {}\r\n", host.0, host.1);
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += "\r\n";
    let mut request = request.into_bytes();
    request.extend(body);
    ask_raw(address, &request).await
}
