//! Access to the relay: pages on this machine, and tablets that have the link.

use std::net::SocketAddr;

use futures_util::StreamExt as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::TabletLinks;

use crate::room::Page;
use crate::running::{Browser, Game, Running, ask, live_request, send, settings, soon, until};

/// The HTTP status that rejects a WebSocket upgrade.
async fn refused(request: Request) -> u16 {
    match soon(tokio_tungstenite::connect_async(request)).await {
        Err(Error::Http(answer)) => answer.status().as_u16(),
        other => panic!("{other:?}"),
    }
}

/// The words with which a page's socket closes that has no valid key. It gets nothing else.
async fn locked_out(request: Request) -> String {
    let (mut socket, _) = soon(tokio_tungstenite::connect_async(request)).await.expect("a socket");
    match soon(socket.next()).await {
        Some(Ok(Message::Close(Some(CloseFrame { code, reason })))) => {
            assert_eq!(code, CloseCode::Again);
            reason.to_string()
        }
        other => panic!("{other:?}"),
    }
}

fn upgrade(address: SocketAddr, name: &'static str, value: &str) -> Request {
    let mut request = live_request(address);
    request.headers_mut().insert(name, value.parse().expect("a value"));
    request
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused() {
    let relay = Running::usual();
    let address = relay.report.http;
    let port = address.port();
    let foreign_hosts = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("192.168.1.5:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
    ];
    for host in foreign_hosts {
        let answer = ask(address, "GET", "/", &[("host", &host)]).await;
        assert_eq!(answer.status, 403, "{host}");
        assert!(answer.text().contains("does not answer to this name"), "{}", answer.text());
        assert_eq!(refused(upgrade(address, "host", &host)).await, 403, "{host}");
    }
    let foreign_origins = [
        "http://evil.example".to_owned(),
        format!("http://evil.example:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "null".to_owned(),
    ];
    for origin in foreign_origins {
        assert_eq!(ask(address, "GET", "/", &[("origin", &origin)]).await.status, 403, "{origin}");
        assert_eq!(refused(upgrade(address, "origin", &origin)).await, 403, "{origin}");
    }
    let by_name = format!("localhost:{port}");
    assert_eq!(ask(address, "GET", "/", &[("host", &by_name)]).await.status, 200);
    // The own page is let in.
    relay.browser().await;
    relay.stop().await;
}

#[tokio::test]
async fn tablets_need_the_link() {
    let relay = Running::open_to_tablets();
    let link = relay.report.tablets[0].clone();
    let (address, token) = (link.address, link.token.to_string());
    assert_ne!(address, relay.report.http);
    assert_eq!(link.url(), format!("http://{address}/?token={token}"));
    let wrong = "0".repeat(token.len());

    for path in ["/", "/index.html", "/nothing", "/live", "/?token=", &format!("/?token={wrong}")] {
        let answer = ask(address, "GET", path, &[]).await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(answer.text().contains("Open the link"), "{}", answer.text());
        assert!(answer.header("set-cookie").is_none());
    }
    let wrong_cookie = format!("trailbrake-{}={wrong}", address.port());
    assert_eq!(ask(address, "GET", "/", &[("cookie", &wrong_cookie)]).await.status, 403);
    for request in [live_request(address), upgrade(address, "cookie", &wrong_cookie)] {
        let words = locked_out(request).await;
        assert!(words.starts_with("this device's link is not valid any more"), "{words}");
    }

    let welcome = ask(address, "GET", &format!("/?token={token}"), &[]).await;
    assert_eq!((welcome.status, welcome.header("cache-control")), (200, Some("no-store")));
    assert!(!welcome.text().contains(&token), "{}", welcome.text());
    assert!(welcome.text().contains("rel=\"icon\""), "the browser looks for no other");
    let cookie = welcome.header("set-cookie").expect("a cookie");
    let parts: Vec<&str> = cookie.split("; ").collect();
    assert_eq!(parts[1..], ["HttpOnly", "SameSite=Strict", "Path=/"]);
    let cookie = parts[0];

    assert_eq!(ask(address, "GET", "/", &[("cookie", cookie)]).await.status, 200);
    let _tablet = Browser::open(upgrade(address, "cookie", cookie)).await;

    let by_name = format!("localhost:{}", address.port());
    let answer = ask(address, "GET", "/", &[("cookie", cookie), ("host", &by_name)]).await;
    assert_eq!(answer.status, 403, "a tablet knows the address and no name");
    let mut foreign = upgrade(address, "cookie", cookie);
    foreign.headers_mut().insert("origin", "http://evil.example".parse().expect("a value"));
    assert_eq!(refused(foreign).await, 403);
    assert_eq!(ask(relay.report.http, "GET", "/", &[]).await.status, 200, "this machine needs no link");
    relay.stop().await;
}

#[tokio::test]
async fn the_owner_alone_opens_the_page_to_tablets_and_closes_it() {
    let relay = Running::start(settings(&["--lan-address=127.0.0.2"]));
    let own = relay.report.http;
    assert!(relay.report.tablets.is_empty());
    let closed: TabletLinks = ask(own, "GET", "/tablets", &[]).await.json();
    assert_eq!(closed, TabletLinks::default());

    let opened: TabletLinks = send(own, "POST", "/tablets", &[]).await.json();
    let again: TabletLinks = send(own, "POST", "/tablets", &[]).await.json();
    assert_eq!(opened, again, "it is open already");
    let url = &opened.links[0].url;
    let (address, path) = url.strip_prefix("http://").and_then(|url| url.split_once('/')).expect("a link");
    let tablets: SocketAddr = address.parse().expect("an address");
    assert_eq!(tablets.ip().to_string(), "127.0.0.2");
    assert!(opened.links[0].code_size >= 21 && opened.links[0].code_path.starts_with('M'));

    // The listener answers at once, to the link alone.
    assert_eq!(ask(tablets, "GET", "/", &[]).await.status, 403);
    let welcome = ask(tablets, "GET", &format!("/{path}"), &[]).await;
    let cookie = welcome
        .header("set-cookie")
        .and_then(|cookie| cookie.split(';').next())
        .expect("a cookie")
        .to_owned();
    assert_eq!(ask(tablets, "GET", "/", &[("cookie", &cookie)]).await.status, 200);
    let mut tablet = Browser::open(upgrade(tablets, "cookie", &cookie)).await;

    // A tablet sees no link.
    assert_eq!(ask(tablets, "GET", "/tablets", &[("cookie", &cookie)]).await.text(), "null");

    // Closed, it ends all connections of tablets; the old link leads nowhere even once it is open again.
    let mut in_room = Page::open(tablets, Some(&cookie)).await;
    assert_eq!(send(own, "DELETE", "/tablets", &[]).await.json::<TabletLinks>(), TabletLinks::default());
    tablet.closed().await;
    in_room.closed().await;
    let reopened: TabletLinks = send(own, "POST", "/tablets", &[]).await.json();
    assert_ne!(reopened.links[0].url, *url);
    let tablets = reopened.links[0].url.strip_prefix("http://").and_then(|url| url.split('/').next());
    let tablets = tablets.and_then(|address| address.parse().ok()).expect("an address");
    assert_eq!(ask(tablets, "GET", &format!("/{path}"), &[]).await.status, 403);
    assert_eq!(ask(tablets, "GET", "/", &[("cookie", &cookie)]).await.status, 403);
    let words = locked_out(upgrade(tablets, "cookie", &cookie)).await;
    assert!(words.contains("not valid any more"), "{words}");
    relay.stop().await;
}

#[tokio::test]
async fn wrong_links_are_counted_and_a_client_that_goes_on_has_to_wait() {
    let relay = Running::open_to_tablets();
    let (own, link) = (relay.report.http, relay.report.tablets[0].clone());
    let report = async || -> TabletLinks { ask(own, "GET", "/tablets", &[]).await.json() };
    assert_eq!((report().await.wrong_links, report().await.wrong_from), (0, None));
    let offer = async |token: &str| ask(link.address, "GET", &format!("/?token={token}"), &[]).await;
    for guess in 0..10 {
        assert_eq!(offer(&format!("{guess:032}")).await.status, 403, "{guess}");
    }
    for token in ["another", &link.token.to_string()] {
        let slowed = offer(token).await;
        assert_eq!(slowed.status, 429, "{token}");
        assert!(slowed.text().contains("Wait a minute"), "{}", slowed.text());
    }
    let known = report().await;
    assert_eq!((known.wrong_links, known.wrong_from.as_deref()), (10, Some("127.0.0.1")));
    // A client with access need not wait, and neither need this machine.
    let cookie = format!("trailbrake-{}={}", link.address.port(), link.token);
    assert_eq!(ask(link.address, "GET", "/", &[("cookie", &cookie)]).await.status, 200);
    assert_eq!(ask(own, "GET", "/", &[]).await.status, 200);
    // With a new link the count starts at zero.
    send(own, "DELETE", "/tablets", &[]).await;
    let reopened: TabletLinks = send(own, "POST", "/tablets", &[]).await.json();
    assert_eq!((reopened.wrong_links, reopened.links.len()), (0, 1));
    relay.stop().await;
}

#[tokio::test]
async fn the_list_of_unknown_senders_can_be_cleared() {
    let relay = Running::usual();
    let mut browser = relay.browser().await;
    let stranger = Game::start().await;
    stranger.send(relay.address_of(Feed::F1), &[1, 2, 3]).await;
    let status = browser.status(|status| !status.ports[0].rejects.is_empty()).await;
    assert_eq!(
        (status.ports[0].rejects[0].sender, status.ports[0].rejects[0].packets),
        (stranger.address(), 1)
    );
    assert_eq!(send(relay.report.http, "DELETE", "/rejects", &[]).await.status, 204);
    let status = browser.status(|status| status.ports[0].rejects.is_empty()).await;
    assert_eq!(status.ports[0].rejected, 1, "the total stays");
    relay.stop().await;
}

#[tokio::test]
async fn a_device_with_many_connections_shuts_out_nobody() {
    let relay = Running::open_to_tablets();
    let address = relay.report.tablets[0].address;
    let mut greedy = Vec::new();
    for _ in 0..300 {
        greedy.push(TcpStream::connect(address).await.expect("a connection"));
    }
    // Those beyond its share are hung up on.
    let last = greedy.last_mut().expect("a connection");
    assert_eq!(soon(last.read(&mut [0])).await.unwrap_or_default(), 0);
    // The owner's page is on a listener of its own; the device's own connections work again once it has ended some.
    assert_eq!(ask(relay.report.http, "GET", "/", &[]).await.status, 200);
    greedy.clear();
    until(async || {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        let mut answer = Vec::new();
        let _ = stream.write_all(request.as_bytes()).await;
        let _ = stream.read_to_end(&mut answer).await;
        answer.starts_with(b"HTTP/1.1 403").then_some(())
    })
    .await;
    relay.stop().await;
}
