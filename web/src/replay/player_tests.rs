//! A recording that plays: everything comes once, in order and in time, however it is paused, sped up and jumped in.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Info, Opening, RecordingId, Writer, read_whole};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::wire::Datagram;

use super::*;

const BEGAN: Micros = Micros(1_700_000_000_000_000);
const SECONDS: f64 = 30.0;

/// A recorded drive, and its datagrams with their times.
fn recorded() -> (Vec<u8>, Vec<(Micros, Vec<u8>)>) {
    let info = Info {
        id: RecordingId(1),
        parent: None,
        created: BEGAN,
        feed: Feed::GranTurismo.id().to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    };
    let (mut writer, mut said) = (Writer::new(&info), Vec::new());
    let sender = SocketAddr::from(([127, 0, 0, 1], 33739));
    let mut demo = Demo::new(Feed::GranTurismo, Options::default(), BEGAN).expect("a demo");
    demo.drive(SECONDS, &mut |at, bytes| {
        let feed = Some(Feed::GranTurismo);
        writer.take(&Datagram { at, sender, port: 33740, feed, bytes });
        said.push((at, bytes.to_vec()));
    });
    (writer.finish(), said)
}

/// A player at a page whose fetches take no time.
struct Desk {
    file: Vec<u8>,
    player: Player,
    now_ms: f64,
    heard: Vec<(Micros, Vec<u8>)>,
}

impl Desk {
    fn new() -> (Self, Vec<(Micros, Vec<u8>)>) {
        let (file, said) = recorded();
        let mut opening = Opening::new(file.len() as u64);
        read_whole(&mut opening, &file);
        let player = Player::new(opening.finish().expect("a recording"), 0.0).expect("packets");
        (Self { file, player, now_ms: 0.0, heard: Vec::new() }, said)
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
        self.heard.extend(batch.iter().map(|datagram| (datagram.at, datagram.bytes.to_vec())));
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
    let (mut desk, said) = Desk::new();
    desk.play(10.0);
    assert!((desk.at_s() - 10.0).abs() < 0.1, "{}", desk.at_s());
    assert!(desk.heard.iter().all(|(at, _)| *at <= desk.player.position()));
    desk.play(SECONDS);
    assert_eq!(desk.heard, said);
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
    let heard = desk.heard.len();
    desk.play(5.0);
    assert_eq!((desk.heard.len(), desk.player.playing()), (heard, false));
}

#[test]
fn nothing_is_left_out_for_a_fetch_that_takes_long() {
    let (mut desk, said) = Desk::new();
    for second in 0..200 {
        if second % 3 == 0 {
            desk.fetch();
        }
        (0..60).for_each(|_| desk.frame());
    }
    assert_eq!(desk.heard, said);
}

#[test]
fn a_jump_back_begins_anew_and_one_ahead_reads_on() {
    let (mut desk, said) = Desk::new();
    desk.play(10.0);
    assert_eq!(desk.player.jump(BEGAN.plus_seconds(20.0)), Jump::Onward);
    desk.play(0.5);
    let driven = said.iter().filter(|(at, _)| *at <= desk.player.position()).count();
    assert_eq!(desk.heard, said[..driven]);

    let stale = desk.player.wants();
    assert_eq!(desk.player.jump(BEGAN.plus_seconds(5.0)), Jump::Anew);
    if let Some(stale) = stale {
        desk.player.give(&stale, &[]);
    }
    desk.heard.clear();
    desk.play(0.5);
    assert!((desk.at_s() - 5.5).abs() < 0.1, "{}", desk.at_s());
    let driven = said.iter().filter(|(at, _)| *at <= desk.player.position()).count();
    assert_eq!(desk.heard, said[..driven]);
}

#[test]
fn at_its_end_it_can_be_played_again() {
    let (mut desk, said) = Desk::new();
    assert_eq!(desk.player.jump(Micros(u64::MAX)), Jump::Onward);
    desk.play(1.0);
    assert_eq!(desk.heard, said);
    desk.heard.clear();
    assert_eq!(desk.player.toggle(), Some(Jump::Anew));
    desk.player.set_speed(8.0);
    desk.play(SECONDS / 8.0 + 1.0);
    assert_eq!(desk.heard, said);
}
