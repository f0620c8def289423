//! The page over HTTP, and the limits on requests.

use std::fs;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::running::{Answer, MessageKind, Running, ask, ask_raw, send, settings, soon};

/// Checks the security headers that every response must have.
fn check_protection(answer: &Answer) {
    let policy = answer.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{part} is missing in {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains('*'), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[tokio::test]
async fn the_page_is_served_once_and_then_known() {
    let relay = Running::usual();
    let address = relay.report.http;
    let first = ask(address, "GET", "/", &[]).await;
    assert_eq!((first.status, first.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(first.text().to_lowercase().starts_with("<!doctype html>"));
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    check_protection(&first);
    assert!(first.header("content-security-policy").is_some_and(|p| p.contains(&format!("ws://{address};"))));

    let tag = first.header("etag").expect("a tag").to_owned();
    let again = ask(address, "GET", "/", &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    check_protection(&again);

    let head = ask(address, "HEAD", "/index.html", &[]).await;
    assert_eq!((head.status, head.body.len(), head.header("etag")), (200, 0, Some(tag.as_str())));
    relay.stop().await;
}

#[tokio::test]
async fn everything_else_is_refused_within_limits() {
    let relay = Running::usual();
    let address = relay.report.http;
    for (method, path, status) in [
        ("GET", "/nothing", 404),
        ("GET", "/../relay/Cargo.toml", 404),
        ("GET", "/%2e%2e/Cargo.toml", 404),
        ("POST", "/", 403),
        ("GET", "/live", 400),
    ] {
        let answer = ask(address, method, path, &[]).await;
        assert_eq!(answer.status, status, "{method} {path}");
        check_protection(&answer);
    }
    for (method, path) in [("POST", "/"), ("DELETE", "/index.html"), ("POST", "/live")] {
        let answer = send(address, method, path, b"").await;
        assert_eq!(answer.status, 405, "{method} {path}");
        check_protection(&answer);
    }
    let long = send(address, "POST", "/", &[0; 5_000]).await;
    assert_eq!(long.status, 413);
    check_protection(&long);

    let many: String = (0..200).map(|n| format!("x-{n}: 1\r\n")).collect();
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\n{many}\r\n");
    assert_eq!(ask_raw(address, request.as_bytes()).await.status, 431);
    let wide = format!("GET / HTTP/1.1\r\nhost: {address}\r\nx: {}\r\n\r\n", "x".repeat(40_000));
    assert_eq!(ask_raw(address, wide.as_bytes()).await.status, 431);
    assert_eq!(ask_raw(address, b"\x16\x03\x01 this is no HTTP\r\n\r\n").await.status, 400);

    assert_eq!(ask(address, "GET", "/", &[]).await.status, 200, "the relay goes on");
    relay.stop().await;
}

#[tokio::test]
async fn a_folder_is_served_and_its_changes_reload_the_page() {
    let folder = std::env::temp_dir().join(format!("trailbrake-page-{}", std::process::id()));
    fs::create_dir_all(folder.join("parts")).expect("a folder");
    fs::write(folder.join("index.html"), "before").expect("a file");
    fs::write(folder.join("parts/app.wasm"), "whole").expect("a file");
    fs::write(folder.join("parts/app.wasm.gz"), "packed").expect("a file");
    let relay = Running::start(settings(&["--web-dir", folder.to_str().expect("a path")]));
    let address = relay.report.http;
    assert_eq!(ask(address, "GET", "/", &[]).await.text(), "before");
    let packed = ask(address, "GET", "/parts/app.wasm", &[("accept-encoding", "gzip")]).await;
    assert_eq!((packed.text().as_str(), packed.header("content-encoding")), ("packed", Some("gzip")));
    assert_eq!(packed.header("content-type"), Some("application/wasm"));
    assert_eq!(ask(address, "GET", "/parts/app.wasm", &[]).await.text(), "whole");

    let mut browser = relay.browser().await;
    fs::write(folder.join("index.html"), "after").expect("a file");
    browser.find("reload", |message| (message == MessageKind::Reload).then_some(())).await;
    assert_eq!(ask(address, "GET", "/", &[]).await.text(), "after");
    relay.stop().await;
    fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn a_client_that_sends_slowly_is_cut_off() {
    let relay = Running::usual();
    let address = relay.report.http;
    let head = format!(
        "PATCH /settings HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nx-trailbrake: page\r\n"
    );
    let in_body = format!("{head}connection: close\r\ncontent-length: 10\r\n\r\n{{");
    let (in_head, in_body) = tokio::join!(until_the_end(address, &head), until_the_end(address, &in_body));
    assert!(in_head.is_empty() || in_head.starts_with("HTTP/1.1 408"), "{in_head}");
    assert!(in_body.starts_with("HTTP/1.1 400"), "{in_body}");
    relay.stop().await;
}

/// What the relay answers to a request that never ends, once it has hung up.
async fn until_the_end(address: SocketAddr, begun: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(begun.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    soon(stream.read_to_string(&mut answer)).await.expect("an end");
    answer
}
