//! What a browser sends over its WebSockets, frame by frame.

use super::relay::{Role, answer};

/// The first byte selects who connects, and to which socket; the others follow the handshake as they are. The relay hangs up
/// in its own time, and goes on to serve others.
pub fn frames(bytes: &[u8]) {
    let Some((choice, frames)) = bytes.split_first().filter(|(_, frames)| !frames.is_empty()) else { return };
    let role = Role::of(choice >> 1);
    let path = if choice & 1 == 0 { "live" } else { "room" };
    let request = format!(
        "GET /{path} HTTP/1.1\r\n{}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dHJhaWxicmFrZXRyYWlsYg==\r\n\r\n",
        role.headers()
    );
    let answer = answer(role.address(), request.as_bytes(), frames);
    let is_upgraded = answer.starts_with(b"HTTP/1.1 101");
    let is_right = match role {
        Role::Owner => is_upgraded,
        // Its link may be an earlier one by now.
        Role::Tablet => true,
        Role::Stranger => !is_upgraded || is_only_closed(&answer),
    };
    assert!(is_right, "{}", String::from_utf8_lossy(&answer));
}

/// Whether a WebSocket was opened only to be closed, with the reason.
fn is_only_closed(answer: &[u8]) -> bool {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").map(|end| end + 4);
    match end.and_then(|end| answer.get(end..)) {
        Some([]) => true,
        Some([0x88, len, reason @ ..]) => reason.len() == usize::from(*len),
        _ => false,
    }
}
