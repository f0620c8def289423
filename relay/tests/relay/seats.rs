//! Seats and connections: tablets and strangers that take all they can get keep out neither the owner nor each other.

use std::net::{Ipv4Addr, SocketAddr};

use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::library::recording;
use crate::recording::recording_into;
use crate::room::{Page, tablet_access};
use crate::running::{Browser, OWN_PAGE, Running, ask, live_request, send, soon, until};

/// Another device, by its number.
fn device(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 1, number)
}

/// A connection from a device.
async fn connection(from: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((from, 0).into()).expect("an address of this machine");
    soon(socket.connect(to)).await.expect("a connection")
}

/// A tablet's WebSocket that has been let in, or why it was not.
async fn enter(
    from: Ipv4Addr,
    to: SocketAddr,
    path: &str,
    cookie: &str,
) -> Result<WebSocketStream<TcpStream>, String> {
    let mut request = format!("ws://{to}{path}").into_client_request().expect("a request");
    request.headers_mut().insert("origin", format!("http://{to}").parse().expect("an origin"));
    request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
    let stream = connection(from, to).await;
    let (mut socket, _) = soon(tokio_tungstenite::client_async(request, stream)).await.expect("a WebSocket");
    match soon(socket.next()).await {
        Some(Ok(Message::Binary(_))) => Ok(socket),
        Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1013 => {
            Err(frame.reason.to_string())
        }
        other => panic!("{path}: {other:?}"),
    }
}

#[tokio::test]
async fn tablets_that_take_every_seat_keep_out_neither_each_other_nor_the_owner() {
    let relay = Running::open_to_tablets();
    let (address, cookie) = tablet_access(&relay).await;
    for (path, seats) in [("/live", 84), ("/room", 24)] {
        let mut held = Vec::new();
        for number in 0..6 {
            let seat = enter(device(1), address, path, &cookie).await;
            held.push(seat.unwrap_or_else(|why| panic!("{path}: page {number}: {why}")));
        }
        let refused = enter(device(1), address, path, &cookie).await.err();
        assert!(refused.expect("a seventh page").contains("this device"), "{path}");
        for number in 2..=20 {
            for _ in 0..5 {
                held.extend(enter(device(number), address, path, &cookie).await);
            }
        }
        assert_eq!(held.len(), seats, "{path}");
        let refused = enter(device(100), address, path, &cookie).await.err();
        assert!(refused.expect("one page too many").contains("all devices"), "{path}");

        // Several pages of the owner find their seats.
        for _ in 0..3 {
            match path {
                "/live" => drop(relay.browser().await),
                _ => drop(Page::open(relay.report.http, None).await),
            }
        }
        // A seat that is left is free.
        drop(held);
        until(async || enter(device(100), address, path, &cookie).await.ok().map(drop)).await;
    }
    relay.stop().await;
}

/// Begins an upload from a tablet, and sends no more than its first bytes.
async fn begun_upload(from: Ipv4Addr, to: SocketAddr, cookie: &str) -> TcpStream {
    let mut stream = connection(from, to).await;
    let (name, value) = OWN_PAGE;
    let request = format!(
        "POST /library?name=endless HTTP/1.1\r\nhost: {to}\r\norigin: http://{to}\r\ncookie: {cookie}\r\n\
         {name}: {value}\r\ncontent-length: 1000000\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

#[tokio::test]
async fn uploads_that_tablets_never_finish_do_not_keep_the_owner_from_importing() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--lan-address=127.0.0.2"]);
    assert_eq!(send(relay.report.http, "POST", "/room/writing", b"").await.status, 200);
    let links: trailbrake_shared::wire::TabletLinks =
        send(relay.report.http, "POST", "/tablets", b"").await.json();
    let link = links.links.first().expect("a link");
    let (address, token) = link.url.trim_start_matches("http://").split_once("/?token=").expect("a link");
    let address: SocketAddr = address.parse().expect("an address");
    let cookie = format!("trailbrake-{}={token}", address.port());

    let mut begun = Vec::new();
    for number in 1..=4 {
        for _ in 0..2 {
            begun.push(begun_upload(device(number), address, &cookie).await);
        }
    }
    let arriving = || {
        let files = std::fs::read_dir(folder.path()).expect("the folder").flatten();
        files.filter(|file| file.path().extension().is_some_and(|end| end == "arriving")).count()
    };
    until(async || (arriving() == 4).then_some(())).await;
    let answer = send(relay.report.http, "POST", "/library?name=mine", &recording(1, 4.0)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(arriving(), 4, "the tablets' are still under way");
    drop(begun);
    relay.stop().await;
}

#[tokio::test]
async fn strangers_that_wait_without_a_word_keep_out_no_tablet() {
    let relay = Running::open_to_tablets();
    let (address, cookie) = tablet_access(&relay).await;
    let mut request = live_request(address);
    request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
    let mut tablet = Browser::open(request).await;
    // A connection that has shown the key before the crowd comes, and waits for its next request.
    let asks = format!("GET / HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
    let mut known = connection(device(90), address).await;
    known.write_all(asks.as_bytes()).await.expect("sent");
    let mut answer = [0; 12];
    soon(known.read_exact(&mut answer)).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");

    let mut crowd = Vec::new();
    for number in 1..=20 {
        for _ in 0..16 {
            crowd.push(connection(device(number), address).await);
        }
    }
    let answer = ask(address, "GET", "/", &[("cookie", &cookie)]).await;
    assert_eq!(answer.status, 200, "a tablet gets in");
    tablet.status(|status| status.browsers == 1).await;
    // Of the crowd, those that came first were hung up on.
    let first = crowd.first_mut().expect("a connection");
    assert_eq!(soon(first.read(&mut [0])).await.unwrap_or_default(), 0);
    // The connection of the tablet was not: its next request is answered.
    let last = asks.replace("cookie:", "connection: close\r\ncookie:");
    known.write_all(last.as_bytes()).await.expect("sent");
    let mut rest = Vec::new();
    soon(known.read_to_end(&mut rest)).await.expect("the rest of the first answer, and the second");
    assert!(rest.windows(12).any(|window| window == b"HTTP/1.1 200"), "the second answer");
    relay.stop().await;
}
