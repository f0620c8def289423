//! What a console sends: encrypted telemetry, and answers to requests.
#![expect(clippy::panic, reason = "bringing the program down is how a target reports what it found")]

use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_shared::games::gran_turismo::cipher::Scheme;
use trailbrake_shared::games::gran_turismo::{Decoder, Talker, datagram_size, describe, listens_at};
use trailbrake_shared::games::{Decode, Outgoing, Talk, TalkOptions, Via};
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// Packets of one console. Four bytes precede each: its encryption, milliseconds since the previous one, and its
/// length, little-endian. The packets are encrypted here, since noise never decrypts.
pub fn gran_turismo(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let (mut rest, mut at) = (bytes, 0);
    while let Some(([seal, ms, len_low, len_high], following)) = rest.split_first_chunk() {
        at += u64::from(*ms) * 1000;
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (content, after) = following.split_at(len);
        let datagram = sealed(*seal, content);
        consume(decoder.receive(Micros(at), &datagram, &mut Taken));
        consume(describe(&datagram));
        consume(datagram_size(&datagram));
        rest = after;
    }
}

/// The content with one of the encryptions, or unchanged.
fn sealed(seal: u8, content: &[u8]) -> Vec<u8> {
    let mut datagram = content.to_vec();
    if let Some(scheme) = Scheme::ALL.get(usize::from(seal)) {
        for (to, from) in datagram.iter_mut().zip(scheme.magic()) {
            *to = from;
        }
        let seed = datagram.get(0x40..0x44).and_then(|seed| seed.try_into().ok()).unwrap_or_default();
        scheme.seal(seed, &mut datagram);
    }
    datagram
}

/// The console's address, if the user gives one.
const CONSOLE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20));

/// A conversation with consoles that answer anything at any time. The first byte selects the user's options. Five bytes
/// then precede each answer: its encryption, the last number of its sender's address, tenths of a second since the
/// previous one, and its length.
pub fn console(bytes: &[u8]) {
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let letter = ['A', 'B', '~', 'C', 'x'].get(usize::from(choice >> 1)).copied();
    let given = (choice & 1 == 1).then_some(CONSOLE);
    let mut talker =
        Talker::new(&TalkOptions { address: given.map(listens_at), letter, ..TalkOptions::default() });
    let mut now = Micros(0);
    let mut known = vec![IpAddr::V4(Ipv4Addr::BROADCAST)];
    while let Some(([seal, host, tenths, len_low, len_high], following)) = rest.split_first_chunk() {
        for _ in 0..*tenths {
            now = now.plus_seconds(0.1);
            talker.poll(now, &mut |out| check(&out, given, &known));
            assert!(talker.wake_at() > now, "a talker due at once would be polled for ever");
        }
        let from = IpAddr::V4(Ipv4Addr::new(192, 168, 1, *host));
        known.push(from);
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (content, after) = following.split_at(len);
        black_box(talker.receive(
            now,
            Via::Port(33740),
            SocketAddr::new(from, 33739),
            &sealed(*seal, content),
        ));
        let status = talker.status(now);
        assert!(!status.words.is_empty(), "there is always something to say");
        rest = after;
    }
}

/// Only messages of the protocol may be sent, and only to known addresses.
fn check(out: &Outgoing<'_>, given: Option<IpAddr>, known: &[IpAddr]) {
    match (out.to.port(), out.via) {
        (9302, _) => assert!(out.bytes.starts_with(b"SRCH * HTTP/1.1\n")),
        (33739, Via::Port(33740)) => assert!(matches!(out.bytes, b"A" | b"B" | b"~" | b"C")),
        (33339, Via::Port(33340)) => assert_eq!(out.bytes, b"A"),
        (port, via) => panic!("to {port}, from {via:?}"),
    }
    match given {
        Some(given) => assert_eq!(out.to.ip(), given, "the user gave the console's address"),
        None => assert!(known.contains(&out.to.ip()), "{} is not a known address", out.to),
    }
}
