//! Laps of sessions without an end packet are not under way once the session is over.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ac_server;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Follower, LapRow};
use trailbrake_shared::session::{Archive, Receiver, Retention};
use trailbrake_shared::sim::{Demo, Options, Request};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A packet and when it was received.
type TimedPacket = (Micros, Vec<u8>);

/// A lap's session, car, number, end and flags.
type Line = (u16, Car, u16, Option<f64>, String);

fn line(session: u16, car: Car, lap: &Lap) -> Line {
    (session, car, lap.number, lap.ended_s, lap.flags.to_string())
}

/// The packets of a session without its end, followed by another session.
fn sent(feed: Feed) -> Vec<TimedPacket> {
    let (mut sent, began) = (Vec::new(), Micros(1_000_000));
    let mut keep = |at: Micros, bytes: &[u8]| sent.push((at, bytes.to_vec()));
    let options = Options { cars: 3, player: 1, again: false, ..Options::default() };
    match feed {
        Feed::DirtRally | Feed::EaWrc => {
            let requests = vec![(60.0, Request::Leave)];
            for (run, seed) in [(0, 2), (1, 3)] {
                let options =
                    Options { seed, again: false, requests: requests.clone(), ..Default::default() };
                let began = began.plus_seconds(100.0 * f64::from(run));
                Demo::new(feed, options, began).expect("a demo").drive(90.0, &mut keep);
            }
        }
        Feed::AcServer => {
            let mut demo = Demo::new(feed, options, began).expect("a demo");
            demo.drive(130.0, &mut keep);
            demo.receive(&ac_server::Request::NextSession(()).datagram());
            demo.drive(200.0, &mut keep);
        }
        _ => {
            let requests = vec![(130.0, Request::Restart { new_identity: true })];
            let options = Options { requests, ..options };
            Demo::new(feed, options, began).expect("a demo").drive(200.0, &mut keep);
        }
    }
    let ends = |bytes: &[u8]| feed == Feed::F1 && bytes.ends_with(b"SEND");
    sent.retain(|(_, bytes)| !ends(bytes));
    sent
}

fn datagrams(feed: Feed, sent: &[TimedPacket]) -> impl Iterator<Item = Datagram<'_>> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    sent.iter().map(move |(at, bytes)| Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes })
}

fn lines<'a>(laps: impl IntoIterator<Item = &'a LapRow>) -> Vec<Line> {
    laps.into_iter().map(|row| line(row.session, row.car, &row.lap)).collect()
}

#[test]
fn laps_of_a_session_that_is_over_are_not_under_way() {
    for feed in [Feed::F1, Feed::DirtRally, Feed::EaWrc, Feed::AcServer] {
        let sent = sent(feed);
        let (mut archive, mut follower) = (Archive::default(), Follower::default());
        let mut receiver = Receiver::new(Retention::LAP_TABLE);
        for datagram in datagrams(feed, &sent) {
            archive.take(&datagram).expect("a packet");
            receiver.receive_with(&datagram, &mut |event| follower.event(event)).expect("a packet");
            follower.look(receiver.session().expect("a session"), datagram.at);
        }
        let catalogue = LapCatalogue::of_archive(&archive);
        let archived: Vec<LapRow> = catalogue.laps().iter().filter_map(LapEntry::row).collect();
        let [under_way, ended] = [follower.laps().laps, follower.ended_laps().laps].map(|laps| lines(&laps));
        assert_eq!(ended, lines(&archived), "{feed:?}");
        for (laps, closed) in [(under_way, false), (ended, true)] {
            let sessions = laps.iter().map(|(session, ..)| *session).max();
            assert_eq!(sessions, Some(1), "{feed:?}: two sessions: {laps:?}");
            for (session, _, _, ended_s, flags) in &laps {
                assert!(ended_s.is_some() || (*session == 1 && !closed), "{feed:?}: {laps:?}");
                assert!(!closed || !flags.is_empty(), "{feed:?}: each is valid, or has a reason why not");
            }
            let broken_off = |of: u16| {
                let incomplete = LapFlag::Incomplete.word();
                laps.iter().any(|(session, .., flags)| *session == of && flags.contains(incomplete))
            };
            assert!(broken_off(0) && (!closed || broken_off(1)), "{feed:?}: {laps:?}");
        }
    }
}
