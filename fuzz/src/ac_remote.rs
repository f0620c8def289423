//! Assetto Corsa's remote telemetry: the game's packets, and the answers to the relay's requests.
#![expect(clippy::panic, reason = "bringing the program down is how a target reports what it found")]

use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_shared::games::ac_remote::{Decoder, Kind, PORT, Talker, datagram_size, describe};
use trailbrake_shared::games::{Decode, Outgoing, Talk, TalkOptions, Via};
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// Packets of one game. Five bytes precede each: its kind and whether it is made recognisable, milliseconds since the
/// previous one, the offset of its content, and the content's length. Other bytes stay as in the previous packet of
/// that kind.
pub fn ac_remote(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let mut packets = Kind::ALL.map(|kind| vec![0; kind.size()]);
    let (mut rest, mut at) = (bytes, 0);
    while let Some(([form, ms, from_low, from_high, len], following)) = rest.split_first_chunk() {
        at += u64::from(*ms) * 1000;
        let place = usize::from(form >> 1) % Kind::ALL.len();
        let (Some(kind), Some(datagram)) = (Kind::ALL.get(place), packets.get_mut(place)) else { return };
        let from = usize::from(u16::from_le_bytes([*from_low, *from_high]));
        let (content, after) = following.split_at(usize::from(*len).min(following.len()));
        datagram.iter_mut().skip(from).zip(content).for_each(|(to, byte)| *to = *byte);
        if form & 1 == 1 {
            make_believable(*kind, datagram);
        }
        consume(decoder.receive(Micros(at), datagram, &mut Taken));
        consume(describe(datagram));
        consume(datagram_size(datagram));
        rest = after;
    }
}

/// Writes the bytes that the recogniser checks, and changes nothing else.
fn make_believable(kind: Kind, datagram: &mut [u8]) {
    let mut put = |from: usize, bytes: &[u8]| {
        datagram.iter_mut().skip(from).zip(bytes).for_each(|(to, byte)| *to = *byte);
    };
    match kind {
        Kind::Answer => put(200, &[0x92, 0x10, 0, 0, 1, 0, 0, 0]),
        Kind::Update => {
            put(0, b"a");
            put(4, &[0x48, 1, 0, 0]);
        }
        Kind::Lap => {
            put(1, &[0, 0, 0]);
            put(5, &[0, 0, 0]);
            put(8, b"A\0%\0");
            put(108, b"b\0%\0");
            put(208, &[1]);
            put(211, &[0]);
        }
    }
}

/// The game's address, if the user gives one.
const GAME: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20)), 5555);

/// A conversation with a game that answers anything at any time. The first byte selects the user's options. Four bytes
/// then describe each received datagram: its kind, the last number of its sender's address, the receiving socket, and
/// tenths of a second since the previous one.
pub fn ac_game(bytes: &[u8]) {
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let options = TalkOptions {
        address: (choice & 1 == 1).then_some(GAME),
        short_registration: choice & 2 == 2,
        ..TalkOptions::default()
    };
    let game = options.address.unwrap_or(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
    let mut talker = Talker::new(&options);
    let mut now = Micros(0);
    while let Some(([kind, host, socket, tenths], following)) = rest.split_first_chunk() {
        for _ in 0..*tenths {
            now = now.plus_seconds(0.1);
            talker.poll(now, &mut |out| check(&out, game));
            assert!(talker.wake_at() > now, "a talker due at once would be polled for ever");
        }
        let from = match host {
            0 => game,
            host => SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 168, 1, *host)), 9996),
        };
        let mut datagram =
            Kind::ALL.get(usize::from(*kind)).map(|kind| vec![0; kind.size()]).unwrap_or_default();
        if let Some(kind) = Kind::ALL.get(usize::from(*kind)) {
            make_believable(*kind, &mut datagram);
        }
        black_box(talker.receive(now, Via::Own(*socket), from, &datagram));
        assert!(!talker.status(now).words.is_empty(), "there is always something to say");
        rest = following;
    }
    talker.leave(&mut |out| check(&out, game));
}

/// Only messages of the protocol may be sent, and only to the game.
fn check(out: &Outgoing<'_>, game: SocketAddr) {
    assert_eq!(out.to, game, "nobody else is spoken to");
    let Via::Own(0 | 1) = out.via else { panic!("through {:?}", out.via) };
    match out.bytes {
        [1, 0, 0, 0] | [1, 0, 0, 0, 1, 0, 0, 0, 0..=3, 0, 0, 0] => {}
        other => panic!("{other:?}"),
    }
}
