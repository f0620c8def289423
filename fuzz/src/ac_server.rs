//! Messages of Assetto Corsa's dedicated server, for the decoder and the talker, and commands to it.

use std::net::SocketAddr;

use trailbrake_shared::games::ac_server::{
    Command, Decoder, Flavour, Message, Request, Talker, datagram_size, describe, recognise,
};
use trailbrake_shared::games::{Decode, Talk, TalkOptions, Via};
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// The first bytes of each message.
const MARKS: [&[u8]; 14] = [
    &[50],
    &[51],
    &[52],
    &[53],
    &[54],
    &[55],
    &[56],
    &[57],
    &[58],
    &[59],
    &[60],
    &[73],
    &[130, 10],
    &[130, 11],
];

/// Messages of one server. Three bytes precede each: its kind (an unknown one adds no mark), the time since the
/// previous one in units of 10 ms, and its length.
pub fn ac_server(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let server = SocketAddr::from(([127, 0, 0, 1], 11_000));
    let mut talker = Talker::new(&TalkOptions { address: Some(server), ..TalkOptions::default() });
    let (mut rest, mut now) = (bytes, Micros(0));
    while let Some(([form, wait, length], following)) = rest.split_first_chunk() {
        now = now.plus_seconds(f64::from(*wait) / 100.0);
        let (content, after) = following.split_at(following.len().min(usize::from(*length)));
        let mark = MARKS.get(usize::from(*form)).copied().unwrap_or_default();
        take(&mut decoder, &mut talker, now, &[mark, content].concat());
        rest = after;
    }
}

fn take(decoder: &mut Decoder, talker: &mut Talker, now: Micros, datagram: &[u8]) {
    consume(recognise(datagram));
    consume(describe(datagram));
    consume(decoder.receive(now, datagram, &mut Taken));
    if let Ok(size) = datagram_size(datagram) {
        assert!(size > 0 && size <= datagram.len(), "a stream comes to its end");
    }
    if let Ok(message) = Message::read(datagram) {
        // A written message must be readable. Texts were cut to fit.
        for flavour in Flavour::ALL {
            assert!(Message::read(&message.write(flavour)).is_ok(), "what was written is read again");
        }
    }
    if let Some(request) = Request::read(datagram) {
        let written = request.datagram();
        // Reading replaced invalid letters; nothing else may change.
        assert_eq!(Request::read(&written), Some(request), "a request is read as it was written");
    }
    let from = SocketAddr::from(([127, 0, 0, 1], 11_000));
    talker.receive(now, Via::Port(12_000), from, datagram);
    let text = String::from_utf8_lossy(datagram).into_owned();
    if let Err(why) = talker.obey(&Command::Say { text }) {
        assert!(!why.is_empty(), "a refusal says why");
    }
    let mut sent = 0;
    talker.poll(now, &mut |out| sent += out.bytes.len());
    assert!(sent <= 2 + 255 * 4 + 16, "{sent} bytes at once");
    assert!(talker.wake_at() > Micros(0));
    assert!(!talker.status(now).words.is_empty(), "the status has words");
}
