//! Tests of playback: every packet is played once, in order and in time, whatever the speed, pauses and jumps.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Info, Opening, RecordingId, Writer, read_whole};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::wire::Datagram;

use super::*;

const BEGAN: Micros = Micros(1_700_000_000_000_000);
const SECONDS: f64 = 30.0;

/// Packets with their times.
type TimedPackets = Vec<(Micros, Vec<u8>)>;

/// A recorded drive, and its datagrams with their times.
fn recorded() -> (Vec<u8>, TimedPackets) {
    let (mut states, sent) = recorded_in_states(f64::INFINITY);
    (states.pop().expect("a file"), sent)
}

/// The states of a recording's file every `every_s` seconds while it is being recorded, and when it is finished; and
/// its datagrams with their times.
fn recorded_in_states(every_s: f64) -> (Vec<Vec<u8>>, TimedPackets) {
    let info = Info {
        id: RecordingId(1),
        parent: None,
        created: BEGAN,
        feed: Feed::GranTurismo.id().to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    };
    let (mut writer, mut sent) = (Writer::new(&info), Vec::new());
    let (mut file, mut states, mut due_s) = (Vec::new(), Vec::new(), every_s);
    let sender = SocketAddr::from(([127, 0, 0, 1], 33739));
    let mut demo = Demo::new(Feed::GranTurismo, Options::default(), BEGAN).expect("a demo");
    demo.drive(SECONDS, &mut |at, bytes| {
        let feed = Some(Feed::GranTurismo);
        writer.take(&Datagram { at, sender, port: 33740, feed, bytes });
        sent.push((at, bytes.to_vec()));
        if at.seconds_since(BEGAN) >= due_s {
            due_s += every_s;
            file.extend(writer.bytes());
            states.push([file.clone(), writer.tail()].concat());
        }
    });
    file.extend(writer.finish());
    states.push(file);
    (states, sent)
}

fn open(file: &[u8]) -> Recording {
    let mut opening = Opening::new(file.len() as u64);
    read_whole(&mut opening, file);
    opening.finish().expect("a recording")
}

/// A player on a page whose requests take no time.
struct Desk {
    file: Vec<u8>,
    player: Player,
    now_ms: f64,
    received: TimedPackets,
}

impl Desk {
    fn new() -> (Self, TimedPackets) {
        let (file, sent) = recorded();
        (Self::playing(file, false), sent)
    }

    fn playing(file: Vec<u8>, grows: bool) -> Self {
        let player = Player::new(open(&file), None, grows, 0.0).expect("packets");
        Self { file, player, now_ms: 0.0, received: Vec::new() }
    }

    fn fetch(&mut self) {
        while let Some(wanted) = self.player.wants() {
            let bytes = &self.file[wanted.range.start as usize..wanted.range.end as usize];
            self.player.give(&wanted, bytes);
        }
    }

    fn frame(&mut self) {
        self.now_ms += 1e3 / 60.0;
        let Some(message) = self.player.drive(self.now_ms) else { return };
        let ToBrowser::Batch(batch) = wire::decode(&message).expect("a message") else { panic!("packets") };
        self.received.extend(batch.iter().map(|datagram| (datagram.at, datagram.bytes.to_vec())));
    }

    fn play(&mut self, seconds: f64) {
        for _ in 0..(seconds * 60.0).round() as u32 {
            self.fetch();
            self.frame();
        }
    }

    fn at_s(&self) -> f64 {
        self.player.position().seconds_since(BEGAN)
    }
}

#[test]
fn everything_comes_once_in_order_and_in_time() {
    let (mut desk, sent) = Desk::new();
    desk.play(10.0);
    assert!((desk.at_s() - 10.0).abs() < 0.1, "{}", desk.at_s());
    assert!(desk.received.iter().all(|(at, _)| *at <= desk.player.position()));
    desk.play(SECONDS);
    assert_eq!(desk.received, sent);
    assert!(desk.player.at_end() && !desk.player.playing() && !desk.player.is_behind());
}

#[test]
fn it_plays_faster_and_slower_and_rests() {
    let (mut desk, _) = Desk::new();
    for (speed, reaches_s) in [(8.0, 8.0), (0.25, 8.25), (3.0, 8.5)] {
        desk.player.set_speed(speed);
        desk.play(1.0);
        assert!((desk.at_s() - reaches_s).abs() < 0.2, "{speed}: {}", desk.at_s());
    }
    assert_eq!(desk.player.toggle(), None);
    let received = desk.received.len();
    desk.play(5.0);
    assert_eq!((desk.received.len(), desk.player.playing()), (received, false));
}

#[test]
fn nothing_is_left_out_for_a_fetch_that_takes_long() {
    let (mut desk, sent) = Desk::new();
    for second in 0..200 {
        if second % 3 == 0 {
            desk.fetch();
        }
        (0..60).for_each(|_| desk.frame());
    }
    assert_eq!(desk.received, sent);
}

#[test]
fn a_jump_back_starts_over_and_one_ahead_reads_on() {
    let (mut desk, sent) = Desk::new();
    desk.play(10.0);
    assert_eq!(desk.player.jump(BEGAN.plus_seconds(20.0)), Jump::Onward);
    desk.play(0.5);
    let driven = sent.iter().filter(|(at, _)| *at <= desk.player.position()).count();
    assert_eq!(desk.received, sent[..driven]);

    let stale = desk.player.wants();
    assert_eq!(desk.player.jump(BEGAN.plus_seconds(5.0)), Jump::Restart);
    if let Some(stale) = stale {
        desk.player.give(&stale, &[]);
    }
    desk.received.clear();
    desk.play(0.5);
    assert!((desk.at_s() - 5.5).abs() < 0.1, "{}", desk.at_s());
    let driven = sent.iter().filter(|(at, _)| *at <= desk.player.position()).count();
    assert_eq!(desk.received, sent[..driven]);
}

#[test]
fn at_its_end_it_can_be_played_again() {
    let (mut desk, sent) = Desk::new();
    assert_eq!(desk.player.jump(Micros(u64::MAX)), Jump::Onward);
    desk.play(1.0);
    assert_eq!(desk.received, sent);
    desk.received.clear();
    assert_eq!(desk.player.toggle(), Some(Jump::Restart));
    desk.player.set_speed(8.0);
    desk.play(SECONDS / 8.0 + 1.0);
    assert_eq!(desk.received, sent);
}

#[test]
fn one_under_way_waits_at_its_end_and_goes_on_once_more_is_recorded() {
    let (states, sent) = recorded_in_states(10.0);
    let mut desk = Desk::playing(states[0].clone(), true);
    assert!(desk.player.left_s() > 8.0, "{}", desk.player.left_s());
    desk.play(15.0);
    assert!(
        desk.player.has_caught_up() && desk.player.left_s() <= 0.0 && desk.at_s() < 11.0,
        "{}",
        desk.at_s()
    );
    assert_eq!(desk.received, sent[..desk.received.len()]);

    let last = states.len() - 1;
    for (state, grows) in states.into_iter().enumerate().skip(1).map(|(index, state)| (state, index < last)) {
        desk.player.extend(open(&state), None, grows);
        desk.file = state;
        assert!(desk.player.playing());
        desk.play(15.0);
    }
    assert_eq!(desk.received, sent, "nothing twice and nothing left out");
    assert!(desk.player.at_end() && !desk.player.playing(), "it was finished meanwhile");
}

#[test]
fn what_is_unpacked_is_counted() {
    let (mut desk, _) = Desk::new();
    assert_eq!(desk.player.blocks(), 0);
    desk.play(SECONDS + 1.0);
    let all = desk.player.recording().blocks();
    assert_eq!(desk.player.blocks(), all);
    // Blocks that are decompressed again count again.
    assert_eq!(desk.player.jump(BEGAN), Jump::Restart);
    desk.play(1.0);
    assert!(desk.player.blocks() > all);
}
