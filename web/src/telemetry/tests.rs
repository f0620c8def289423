//! Tests of what is shown, counted and dropped.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Status;

use super::*;

/// A message with one packet that arrived at `seconds`; `port` is its sender's.
fn batch(port: u16, seconds: f64, feed: Option<Feed>, bytes: &[u8]) -> Vec<u8> {
    let sender = SocketAddr::from(([127, 0, 0, 1], port));
    let at = Micros(1).plus_seconds(seconds);
    let datagram = Datagram { at, sender, port: 20777, feed, bytes };
    wire::encode(&ToBrowser::Batch(vec![datagram])).expect("a message")
}

/// An event packet of a session that starts.
fn start() -> Vec<u8> {
    let mut bytes = vec![0xe2, 0x07, 1, 3];
    bytes.resize(21, 0);
    bytes.extend_from_slice(b"SSTA");
    bytes
}

fn shown_port(telemetry: &Telemetry) -> Option<u16> {
    telemetry.shown().map(|source| source.origin.sender.port())
}

#[test]
fn a_sender_counts_as_sending_until_it_falls_silent() {
    let mut telemetry = Telemetry::default();
    assert_eq!(telemetry.sending(0.0), None);
    for (port, seconds) in [(1, 0.0), (2, 0.01), (1, 0.02), (2, 3.0)] {
        let message = batch(port, seconds, Some(Feed::F1), &start());
        assert_eq!(telemetry.receive(&message, seconds * 1e3), Ok(MessageKind::Packets));
    }
    assert_eq!(telemetry.sending(3_020.0), Some("F1 2018"));
    assert_eq!(telemetry.sending(3_021.0), None);
    assert_eq!(shown_port(&telemetry), Some(1), "nobody else sent since: the last picture stays");
    telemetry.receive(&batch(2, 3.1, Some(Feed::F1), &start()), 3_100.0).expect("a message");
    assert_eq!((shown_port(&telemetry), telemetry.sending(3_100.0)), (Some(2), Some("F1 2018")));
}

#[test]
fn what_a_sender_s_packets_lack_stands_in_its_feed_s_row() {
    let mut telemetry = Telemetry::default();
    let status = Status { ports: Vec::new(), ..Status::default() };
    let status = wire::encode(&ToBrowser::Status(status)).expect("a message");
    telemetry.receive(&status, 0.0).expect("a status");
    // The shortest packet of DiRT Rally has motion only.
    let motion = [[0; 64].as_slice(), b"ToCA"].concat();
    telemetry.receive(&batch(1, 0.0, Some(Feed::DirtRally), &motion), 0.0).expect("a message");
    let rows = telemetry.feed_rows();
    let noted = rows.iter().filter(|row| !row.notes.is_empty());
    let [row] = noted.collect::<Vec<_>>()[..] else { panic!("one row has a note") };
    assert_eq!((row.feed, row.notes[0].what.as_str()), (Feed::DirtRally, "From 127.0.0.1:1:"));
    assert!(row.notes[0].advice.contains("extradata=\"3\""), "{:?}", row.notes);
}

#[test]
fn the_rate_is_that_of_the_sender_that_is_shown() {
    let mut telemetry = Telemetry::default();
    for step in 0..=200_u32 {
        let seconds = f64::from(step) / 100.0;
        for port in [1, 2, 2] {
            let message = batch(port, seconds, Some(Feed::F1), &start());
            telemetry.receive(&message, seconds * 1e3).expect("a message");
        }
        telemetry.tick(seconds * 1e3);
    }
    assert_eq!(telemetry.per_second(), 100);
    telemetry.forget_senders();
    assert!(telemetry.shown().is_none());
}

#[test]
fn a_track_without_a_name_can_be_given_one_and_is_known_by_it() {
    let options = Options { cars: 2, player: 1, keep_truth: false, ..Options::default() };
    let drive = |telemetry: &mut Telemetry, seconds: f64| {
        let mut demo = Demo::new(Feed::GranTurismo, options.clone(), Micros(1)).expect("a demo");
        demo.drive(seconds, &mut |at, bytes| {
            let datagram = Datagram {
                at,
                sender: SocketAddr::from(([127, 0, 0, 1], 1)),
                port: 33740,
                feed: Some(Feed::GranTurismo),
                bytes,
            };
            let message = wire::encode(&ToBrowser::Batch(vec![datagram])).expect("a message");
            telemetry.receive(&message, at.0 as f64 / 1e3).expect("a packet");
        });
    };
    let mut telemetry = Telemetry::default();
    drive(&mut telemetry, 20.0);
    telemetry.name_track("Too early");
    assert!(telemetry.unnamed_track().is_none() && telemetry.choices().tracks.is_empty());
    telemetry.forget_senders();
    drive(&mut telemetry, 200.0);
    assert!(telemetry.unnamed_track().is_some());
    telemetry.name_track("  ");
    assert!(telemetry.unnamed_track().is_some(), "that is no name");
    telemetry.name_track("Old mill");
    assert!(telemetry.unnamed_track().is_none());
    telemetry.forget_senders();
    drive(&mut telemetry, 280.0);
    let track = telemetry.session().and_then(|session| session.info()?.track.clone()).expect("a track");
    assert_eq!(track.name.as_deref(), Some("Old mill"));
}

#[test]
fn after_a_jump_the_recording_shows_the_same_car() {
    let mut telemetry = Telemetry::default();
    telemetry.connect(Connection::Replay);
    let mut messages = Vec::new();
    let mut demo = Demo::new(Feed::F1, Options { cars: 4, player: 1, ..Options::default() }, Micros(1));
    demo.as_mut().expect("a demo").drive(2.0, &mut |at, bytes| {
        messages.push(batch(1, at.seconds_since(Micros(1)), Some(Feed::F1), bytes));
    });
    let play = |telemetry: &mut Telemetry| {
        for message in &messages {
            telemetry.replay(message, 0.0).expect("a packet");
        }
        telemetry.session().and_then(Session::watched)
    };
    assert_eq!(play(&mut telemetry), Some(Car(1)));
    telemetry.session_mut().expect("a session").pick(Some(Car(3)));
    telemetry.restart_decoding(None);
    assert!(telemetry.session().is_none());
    assert_eq!(play(&mut telemetry), Some(Car(3)));
    telemetry.connect(Connection::Replay);
    assert_eq!(play(&mut telemetry), Some(Car(1)), "another recording has other cars");
    telemetry.look_for(Some(Car(2)));
    assert_eq!(play(&mut telemetry), Some(Car(2)));
}

#[test]
fn messages_that_cannot_be_decoded_are_faults() {
    let mut telemetry = Telemetry::default();
    assert!(telemetry.receive(&[1, 99], 0.0).is_err());
    telemetry.receive(&batch(1, 0.0, Some(Feed::F1), &start()[..20]), 0.0).expect("a message");
    telemetry.receive(&batch(1, 0.0, None, &[1, 2, 3]), 0.0).expect("a message");
    let words: Vec<String> = telemetry.faults().into_iter().map(|fault| fault.words).collect();
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].starts_with("Packet from 127.0.0.1:1: ") && words[1].starts_with("From the relay: "));
    telemetry.clear_faults();
    assert!(telemetry.faults().is_empty());
}

#[test]
fn the_demo_is_no_game_that_sends() {
    let mut telemetry = Telemetry::default();
    let status = wire::encode(&ToBrowser::Status(Status::default())).expect("a message");
    telemetry.receive(&status, 0.0).expect("a status");
    telemetry.connect(Connection::Demo);
    let message = batch(1, 0.0, Some(Feed::F1), &start());
    assert_eq!(telemetry.demonstrate(&message, 0.0), Ok(MessageKind::Packets));
    telemetry.tick(1_000.0);
    let sends = |telemetry: &Telemetry| telemetry.feed_rows().iter().any(|row| row.sends);
    assert!(telemetry.sending(0.0).is_some() && !sends(&telemetry));
    assert!(telemetry.recent.latest(&PacketOrigin::Feed(Feed::F1)).is_empty());
    telemetry.receive(&message, 1_000.0).expect("a message");
    assert!(sends(&telemetry));
    assert_eq!(telemetry.recent.latest(&PacketOrigin::Feed(Feed::F1)).len(), 1);
}
