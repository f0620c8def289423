//! Requests to a hub's page.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::program::Running;

/// An answer over HTTP. Its head is in small letters.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The address of a hub's page, without the scheme.
pub(crate) fn address(serving: &mut Running) -> String {
    serving.says("http://127.0.0.1:");
    let text = serving.text();
    let (_, rest) = text.split_once("http://").expect("an address");
    rest.split('/').next().expect("an address").to_owned()
}

/// Asks as the page does.
pub(crate) fn ask(address: &str, method: &str, path: &str, more: &str) -> Answer {
    ask_as(address, address, method, path, &format!("Origin: http://{address}\r\n{more}"))
}

/// Asks as the page does, with a body.
pub(crate) fn ask_with(address: &str, method: &str, path: &str, body: &str) -> Answer {
    send(address, address, method, path, &format!("Origin: http://{address}\r\n"), body)
}

/// Asks by the name of a host.
pub(crate) fn ask_as(address: &str, host: &str, method: &str, path: &str, more: &str) -> Answer {
    send(address, host, method, path, more, "")
}

fn send(address: &str, host: &str, method: &str, path: &str, more: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).expect("the page");
    let own = format!("X-Trailbrake: page\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{own}{more}\r\n{body}");
    stream.write_all(request.as_bytes()).expect("asked");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text").to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, head, body: answer[end + 4..].to_vec() }
}

pub(crate) fn get(address: &str, path: &str) -> Answer {
    ask(address, "GET", path, "")
}
