//! Access to the relay: pages on this machine, and tablets that have the link.

use std::net::SocketAddr;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::client::Request;

use crate::running::{Browser, MessageKind, Running, ask, live_request, soon};

/// The HTTP status that rejects a WebSocket upgrade.
async fn refused(request: Request) -> u16 {
    match soon(tokio_tungstenite::connect_async(request)).await {
        Err(Error::Http(answer)) => answer.status().as_u16(),
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
    let mut browser = relay.browser().await;
    assert!(matches!(browser.next().await, MessageKind::Hello(_)), "the own page is let in");
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
    assert_eq!(refused(live_request(address)).await, 403);
    assert_eq!(refused(upgrade(address, "cookie", &wrong_cookie)).await, 403);

    let welcome = ask(address, "GET", &format!("/?token={token}"), &[]).await;
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/")));
    let cookie = welcome.header("set-cookie").expect("a cookie");
    let parts: Vec<&str> = cookie.split("; ").collect();
    assert_eq!(parts[1..], ["HttpOnly", "SameSite=Lax", "Path=/"]);
    let cookie = parts[0];

    assert_eq!(ask(address, "GET", "/", &[("cookie", cookie)]).await.status, 200);
    let mut tablet = Browser::open(upgrade(address, "cookie", cookie)).await;
    assert!(matches!(tablet.next().await, MessageKind::Hello(_)));

    let by_name = format!("localhost:{}", address.port());
    let answer = ask(address, "GET", "/", &[("cookie", cookie), ("host", &by_name)]).await;
    assert_eq!(answer.status, 403, "a tablet knows the address and no name");
    let mut foreign = upgrade(address, "cookie", cookie);
    foreign.headers_mut().insert("origin", "http://evil.example".parse().expect("a value"));
    assert_eq!(refused(foreign).await, 403);
    assert_eq!(ask(relay.report.http, "GET", "/", &[]).await.status, 200, "this machine needs no link");
    relay.stop().await;
}
