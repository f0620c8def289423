//! Requests to the relay's HTTP server, queries, headers and bodies included.

use super::relay::{Role, answer};

/// A request: who asks, in one byte; its method and path, headers, an empty line, and the body. It comes from one of the
/// relay's own pages, so that it gets past the doors. The server must answer it, and never with an error of its own.
pub fn http(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let role = Role::of(*choice);
    let (head, body) = bytes.split_at(end_of_head(bytes));
    let body = body.strip_prefix(b"\n\n").unwrap_or(body);
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default();
    let (method, path) = line.split_once(' ').unwrap_or(("GET", line));
    let mut request = format!("{method} {path} HTTP/1.1\r\n{}", role.headers());
    request += &format!("x-trailbrake: 1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for header in lines {
        request += &format!("{header}\r\n");
    }
    let mut request = format!("{request}\r\n").into_bytes();
    request.extend_from_slice(body);
    let answer = answer(role.address(), &request, &[]);
    let is_own_error = answer.starts_with(b"HTTP/1.1 500");
    assert!(!is_own_error, "{}", String::from_utf8_lossy(&answer));
}

/// Where the first empty line begins.
fn end_of_head(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(bytes.len())
}
