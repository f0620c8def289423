//! What the voice says, and when, on laps of simulated games.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Mistake, MistakeKind, Options};
use trailbrake_shared::sounds::{Announcer, Sounds};
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

const ALL: Sounds = Sounds { lap_times: true, costliest_corner: true, corner_names: true, countdown: false };

/// A sentence, and the situation in which it was spoken.
#[derive(Debug)]
struct Sentence {
    words: String,
    laps: usize,
    in_corner: Option<bool>,
    ahead_s: Option<f64>,
}

fn listen(feed: Feed, year: u16, seed: u64, sounds: Sounds) -> (Vec<Sentence>, Receiver) {
    let mistake = Mistake { car: 0, lap: 3, corner: 6, what: MistakeKind::BrakesEarly(45.0) };
    let options = Options {
        cars: 1,
        player: 0,
        seed,
        again: false,
        mistakes: vec![mistake],
        year,
        ..Options::default()
    };
    let mut demo = Demo::new(feed, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    let mut announcer = Announcer::default();
    let mut sentences = Vec::new();
    for tenth in 1..=3600 {
        demo.drive(f64::from(tenth) / 10.0, &mut |at, bytes| {
            let sender = ([127, 0, 0, 1], 9).into();
            let datagram = Datagram { at, sender, port: 0, feed: Some(feed), bytes };
            receiver.receive(&datagram).expect("a packet");
        });
        let Some(session) = receiver.session() else { continue };
        let Some(words) = announcer.follow(session, sounds, &Units::default()) else { continue };
        let comparison = session.live_comparison();
        let reference = comparison.reference();
        let corners = comparison.corners();
        let player = session.player().and_then(|player| session.car(player)).expect("a player");
        sentences.push(Sentence {
            words,
            laps: player.laps.finished().len(),
            in_corner: reference.and_then(|reference| corners.in_corner(reference)),
            ahead_s: reference.and_then(|reference| Some(corners.next(reference, true)?.ahead_s)),
        });
    }
    (sentences, receiver)
}

#[test]
fn laps_corners_and_names_are_announced_on_straights() {
    for (feed, year, seed) in [
        (Feed::F1, 2018, 4201),
        (Feed::F1, 2025, 4201),
        (Feed::GranTurismo, 0, 4202),
        (Feed::AcRemote, 0, 4203),
    ] {
        let (sentences, receiver) = listen(feed, year, seed, ALL);
        for one in &sentences {
            assert_ne!(one.in_corner, Some(true), "{feed:?}: {one:?}");
            // The sentence has ended when the driver brakes.
            let takes_s = one.words.len() as f64 / 14.0;
            assert!(one.ahead_s.is_none_or(|ahead_s| ahead_s > takes_s), "{feed:?}: {one:?}");
        }
        let session = receiver.session().expect("a session");
        let player = session.player().and_then(|player| session.car(player)).expect("a player");
        let times = sentences.iter().filter(|one| one.words.contains("minute")).count();
        assert_eq!(times, player.laps.finished().len(), "{feed:?}: {sentences:#?}");
        let compared =
            sentences.iter().filter(|one| one.words.contains("slower") || one.words.contains("faster"));
        assert!(compared.filter(|one| one.words.contains("minute")).count() >= 2, "{feed:?}: {sentences:#?}");
        let costly: Vec<&Sentence> = sentences.iter().filter(|one| one.words.contains(" cost 0.")).collect();
        assert!(costly.iter().all(|one| one.laps >= 2), "{feed:?}: {sentences:#?}");
        // The mistake of lap 3.
        let early = costly.iter().find(|one| one.laps == 3).expect("a sentence about lap 3");
        assert!(early.words.contains(": braked ") && early.words.ends_with(" metres too early"), "{early:?}");
        let names =
            sentences.iter().filter(|one| one.words.starts_with("Turn ") && !one.words.contains("cost"));
        assert!(names.count() >= 8, "{feed:?}: {sentences:#?}");
    }
}

#[test]
fn each_kind_is_switched_by_itself() {
    assert!(listen(Feed::F1, 2018, 4204, Sounds::default()).0.is_empty());
    let only = |sounds: Sounds| -> Vec<String> {
        listen(Feed::F1, 2018, 4204, sounds).0.into_iter().map(|one| one.words).collect()
    };
    let times = only(Sounds { lap_times: true, ..Sounds::default() });
    assert!(times.len() >= 3 && times.iter().all(|words| words.contains("minute")), "{times:?}");
    let corners = only(Sounds { costliest_corner: true, ..Sounds::default() });
    assert!(!corners.is_empty() && corners.iter().all(|words| words.contains(" cost 0.")), "{corners:?}");
    let names = only(Sounds { corner_names: true, ..Sounds::default() });
    assert!(names.len() > 8 && names.iter().all(|words| words.starts_with("Turn ")), "{names:?}");
}
