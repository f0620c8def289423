//! Conversations with games over hours: answers, silence, commands and noise at any time.
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use trailbrake_shared::feed::FEEDS;
use trailbrake_shared::games::{ServerCommand, TalkOptions, Via};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, ToRelay};

const PARTNER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 20));
/// A talker that wants more turns a second asks without end.
const MOST_TURNS: f64 = 100.0;

/// The first byte selects the talker and whether its partner's address is known. Four bytes precede each datagram: the sender
/// and the socket; the seconds since the one before, which the two highest bits make up to an hour; a command; and its
/// length. The talker is polled whenever it wants to be.
pub fn talkers(bytes: &[u8]) {
    let talkers: Vec<_> = FEEDS.iter().filter_map(|row| row.feed.talker()).collect();
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let Some(talker) = talkers.get(usize::from(choice >> 1) % talkers.len().max(1)) else { return };
    let partner = SocketAddr::new(PARTNER, 33739);
    let mut options = TalkOptions::default();
    if choice & 1 == 1 {
        options.address = Some(partner);
    }
    let mut talk = (talker.begin)(&options);
    let mut now = Micros(1);
    while let Some(([whose, pause, command, len], following)) = rest.split_first_chunk() {
        let unit = match pause >> 6 {
            0 => 0.1,
            1 => 1.0,
            2 => 10.0,
            _ => 60.0,
        };
        let seconds = f64::from(pause & 63) * unit;
        let until = now.plus_seconds(seconds);
        let mut turns = 0.0;
        loop {
            let before = now;
            talk.poll(now, &mut |out| assert!(out.bytes.len() < 1500, "it fits into a packet"));
            now = talk.wake_at().min(until);
            assert!(talk.wake_at() > before, "a talker due at once would be polled for ever");
            turns += 1.0;
            assert!(turns <= MOST_TURNS * (1.0 + seconds), "it is polled without end");
            if now >= until {
                now = until;
                break;
            }
        }
        let (content, after) = following.split_at(usize::from(*len).min(following.len()));
        let from = match whose & 15 {
            0 => partner,
            host => SocketAddr::from(([192, 168, 1, host], 33739)),
        };
        let via = match whose >> 4 {
            0 => Via::Any,
            1 => Via::Port(33740),
            own => Via::Own(own - 2),
        };
        black_box(talk.receive(now, via, from, content));
        if command & 1 == 1
            && let Some(command) = asked(content)
        {
            let _ = black_box(talk.obey(&command));
        }
        assert!(!talk.status(now).words.is_empty(), "there is always something to say");
        rest = after;
    }
    talk.leave(&mut |out| assert!(out.bytes.len() < 1500, "it fits into a packet"));
}

/// The command that a page would send with this content; of most contents none.
fn asked(content: &[u8]) -> Option<ServerCommand> {
    let bytes: Vec<u8> = [wire::VERSION].iter().chain(content).copied().collect();
    match wire::decode_owned(&bytes).ok()? {
        ToRelay::Command { command, .. } => Some(command),
        ToRelay::Hello { .. } => None,
    }
}
