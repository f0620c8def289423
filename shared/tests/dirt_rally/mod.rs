//! A simulated rally, received as datagrams, compared with the simulator's truth.

use std::net::SocketAddr;

use trailbrake_shared::analysis::lap_events::{Kind, lap_events};
use trailbrake_shared::analysis::{LapColumns, rally};
use trailbrake_shared::feed;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, EventKind, SessionKind};
use trailbrake_shared::session::{LogKind, Receiver, Session, log_words};
use trailbrake_shared::sim::dirt_rally::{DirtRally, PacketVersion};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::truth::{RunEnd, StageRunTruth};
use trailbrake_shared::sim::{Demo, Finish, Options, Request, Start};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

/// The duration of a frame, in milliseconds.
const FRAME_MS: u32 = 17;

/// A rally as it was received.
struct DecodedRun {
    receiver: Receiver,
    runs: Vec<StageRunTruth>,
}

/// Receives `seconds` of a rally. `loses` is the fraction of datagrams lost; one can be overtaken by `shuffles` others.
fn decode(sends: PacketVersion, options: Options, seconds: f64, loses: f64, shuffles: usize) -> DecodedRun {
    let mut demo = Demo::speaking(Box::new(DirtRally::new(sends)), options, Micros(1_000_000));
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    demo.drive(seconds, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let mut chance = Random::new(7);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for (place, (_, bytes)) in sent.iter().enumerate() {
        // The end of a stage is a single packet, so it must not be lost.
        let end = bytes.iter().all(|&byte| byte == 0);
        if end || chance.unit() >= loses {
            let late = if end { 0 } else { (chance.unit() * (shuffles + 1) as f64) as usize };
            arriving.push((place + late, place));
        }
    }
    arriving.sort();
    let mut receiver = Receiver::default();
    for (_, place) in arriving {
        let (at, bytes) = &sent[place];
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let feed = feed::recognise(bytes).ok().map(|recognised| recognised.feed);
        // The first packet has a warning about the layout for the driver, which is ignored here.
        let _ = receiver.receive(&Datagram { at: *at, sender, port: 20777, feed, bytes });
    }
    DecodedRun { receiver, runs: demo.truth().sessions[0].stage_runs.clone() }
}

fn clean(sends: PacketVersion, options: Options, seconds: f64) -> DecodedRun {
    decode(sends, options, seconds, 0.0, 0)
}

fn once(finish: Finish) -> Options {
    Options { seed: 9, start: Start::Stage(finish), again: false, ..Options::default() }
}

impl DecodedRun {
    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    fn laps(&self) -> &[Lap] {
        self.session().car(Car(0)).expect("a car").laps.finished()
    }

    /// The game's events, with the seconds on its clock.
    fn game_events(&self) -> impl Iterator<Item = (f64, &EventKind)> {
        self.session().log().filter_map(|entry| match &entry.kind {
            LogKind::Game(kind) => Some((entry.seconds, kind)),
            _ => None,
        })
    }

    fn count(&self, kind: impl Fn(&EventKind) -> bool) -> usize {
        self.game_events().filter(|(_, event)| kind(event)).count()
    }
}

fn near(received: LapTime, known_ms: u32, tolerance_ms: u32) {
    assert!(received.0.abs_diff(known_ms) <= tolerance_ms, "{received} is not {known_ms} ms");
}

fn check_run(received: &DecodedRun, tolerance_ms: u32) {
    let [run] = received.runs.as_slice() else { panic!("one run: {:?}", received.runs) };
    let [lap] = received.laps() else { panic!("one lap: {:?}", received.laps()) };
    near(lap.time.expect("a time"), run.time_ms.expect("a time"), tolerance_ms);
    assert!(lap.counts().is_some() && lap.flags.has(LapFlag::Valid), "{}", lap.flags);
    let splits: Vec<(u8, LapTime)> = received
        .game_events()
        .filter_map(|(_, kind)| match kind {
            EventKind::Split { number, time } => Some((*number, *time)),
            _ => None,
        })
        .collect();
    assert_eq!(splits.len(), 3);
    for ((number, time), (known_number, known)) in splits.into_iter().zip((1..).zip(&run.splits_ms)) {
        assert_eq!(number, known_number);
        // The game sends the first two to the millisecond; the third is timed by position.
        near(time, *known, if number == 3 { FRAME_MS } else { tolerance_ms });
    }
    let [first, second, third, fourth] = lap.sectors[..] else { panic!("{:?}", lap.sectors) };
    near(first.expect("a sector"), run.splits_ms[0], tolerance_ms);
    near(second.expect("a sector"), run.splits_ms[1] - run.splits_ms[0], 2 * tolerance_ms);
    near(third.expect("a sector"), run.splits_ms[2] - run.splits_ms[1], FRAME_MS + tolerance_ms);
    near(fourth.expect("a sector"), run.time_ms.expect("a time") - run.splits_ms[2], FRAME_MS + tolerance_ms);
    let sum: u32 = lap.sectors.iter().flatten().map(|sector| sector.0).sum();
    assert_eq!(Some(LapTime(sum)), lap.time);
}

#[test]
fn a_stage_counted_by_the_game_has_its_time_to_the_millisecond() {
    for sends in [PacketVersion::Everything, PacketVersion::Bytes(252)] {
        check_run(&clean(sends, once(Finish::Completed), 180.0), 0);
    }
}

#[test]
fn a_stage_that_ends_with_the_car_taken_away_has_its_time_to_the_frame() {
    let received = clean(PacketVersion::Everything, once(Finish::TakenAway), 180.0);
    let [run] = received.runs.as_slice() else { panic!("one run") };
    let time = received.laps()[0].time.expect("a time");
    let known = run.time_ms.expect("a time");
    assert!(time.0 <= known && known - time.0 <= FRAME_MS, "{time} is not {known} ms");
    assert_eq!(received.count(|kind| matches!(kind, EventKind::Finished { .. })), 1);
}

#[test]
fn shorter_packets_time_the_stage_by_its_clock() {
    for finish in [Finish::Completed, Finish::TakenAway] {
        for len in [152, 192] {
            check_run(&clean(PacketVersion::Bytes(len), once(finish), 180.0), FRAME_MS);
        }
    }
}

#[test]
fn lost_and_overtaken_packets_change_no_time() {
    let received = decode(PacketVersion::Everything, once(Finish::Completed), 180.0, 0.05, 6);
    let [run] = received.runs.as_slice() else { panic!("one run") };
    let [lap] = received.laps() else { panic!("one lap: {:?}", received.laps()) };
    assert_eq!(lap.time.map(|time| time.0), run.time_ms);
    let sectors = [run.splits_ms[0], run.splits_ms[1] - run.splits_ms[0]];
    assert_eq!([lap.sectors[0], lap.sectors[1]], sectors.map(|millis| Some(LapTime(millis))));
    assert_eq!(received.count(|kind| matches!(kind, EventKind::Recovered | EventKind::Restarted)), 0);
}

#[test]
fn flights_are_reported_as_they_were_flown() {
    let received = clean(PacketVersion::Everything, once(Finish::Completed), 180.0);
    let began_s = received.game_events().find(|(_, kind)| **kind == EventKind::Go).expect("a start").0;
    let landed: Vec<(f64, f64, f64)> = received
        .game_events()
        .filter_map(|(at, kind)| match kind {
            EventKind::Landed { millis, centimetres } => {
                Some((at - began_s, f64::from(*millis) / 1e3, f64::from(*centimetres) / 1e2))
            }
            _ => None,
        })
        .collect();
    let jumps = &received.runs[0].jumps;
    let long: Vec<_> = jumps.iter().filter(|jump| jump.seconds > 0.3).collect();
    assert!(long.len() >= 3, "{jumps:?}");
    for jump in &long {
        let found = landed.iter().find(|(at, ..)| (at - jump.clock_s).abs() < 0.1);
        let (_, seconds, metres) = found.unwrap_or_else(|| panic!("{jump:?} is not in {landed:?}"));
        assert!((seconds - jump.seconds).abs() < 0.07, "{seconds} s is not {jump:?}");
        assert!((metres - jump.far_m).abs() < 2.5, "{metres} m is not {jump:?}");
    }
    let short = jumps.iter().filter(|jump| jump.seconds > 0.15).count();
    assert!(landed.len() <= short, "{landed:?} against {jumps:?}");
    assert_eq!(received.count(|kind| matches!(kind, EventKind::Hit { .. })), 0);
}

#[test]
fn airtime_is_what_the_car_flew() {
    let received = clean(PacketVersion::Everything, once(Finish::Completed), 180.0);
    let lap = &received.laps()[0];
    let columns = received.session().car(Car(0)).and_then(|car| car.traces.lap(lap.serial)).expect("columns");
    let events: Vec<(f64, &EventKind)> =
        received.game_events().map(|(at, kind)| (at - lap.began_s, kind)).collect();
    // A flight of less than a fifth of a second is a bump.
    let flown: Vec<f64> = received.runs[0].jumps.iter().map(|jump| jump.seconds).collect();
    let [surely, maybe] = [0.25, 0.15].map(|least| flown.iter().filter(move |seconds| **seconds > least));
    let (least, most) = (surely.clone().count(), maybe.clone().count());
    let detected = lap_events(&LapColumns::new(lap, columns), &events);
    let airtime = rally::times(&detected, Kind::Jump).expect("data that shows jumps");
    assert!((least..=most).contains(&airtime.times) && least >= 3, "{airtime:?} of {flown:?}");
    let (low, high) = (surely.clone().sum::<f64>(), maybe.clone().sum::<f64>());
    let loose = 0.07 * most as f64;
    assert!((low - loose..=high + loose).contains(&airtime.seconds), "{airtime:?} of {flown:?}");
}

#[test]
fn interruptions_are_reported() {
    let requests = vec![
        (25.0, Request::Pause { seconds: 3.0 }),
        (40.0, Request::Hit),
        (55.0, Request::Recover),
        (80.0, Request::Restart { new_identity: false }),
        (110.0, Request::Leave),
    ];
    let options = Options { requests, ..once(Finish::Completed) };
    let received = clean(PacketVersion::Everything, options, 120.0);
    let ends: Vec<_> = received.runs.iter().map(|run| run.end).collect();
    assert_eq!(ends, [Some(RunEnd::Restarted), Some(RunEnd::Abandoned)]);
    let kinds: Vec<&EventKind> = received
        .game_events()
        .map(|(_, kind)| kind)
        .filter(|kind| !matches!(kind, EventKind::Split { .. } | EventKind::Landed { .. }))
        .collect();
    use EventKind::{Abandoned, Go, Hit, Paused, Recovered, Restarted, Resumed, ServiceLeft, SessionStarted};
    let [
        SessionStarted,
        ServiceLeft,
        Go,
        Paused,
        Resumed,
        Hit { milli_g },
        Recovered,
        Restarted,
        Go,
        Abandoned,
    ] = kinds.as_slice()
    else {
        panic!("{kinds:?}")
    };
    assert!(*milli_g > 10_000, "{milli_g}");
    let [lap] = received.laps() else { panic!("one lap was broken off: {:?}", received.laps()) };
    assert!(lap.flags.has(LapFlag::Restarted) && lap.time.is_none(), "{}", lap.flags);
    assert!(lap.flags.has(LapFlag::Reset), "{}", lap.flags);
}

#[test]
fn runs_follow_each_other_and_the_second_is_held_against_the_first() {
    let options = Options { seed: 2, ..Options::default() };
    let received = clean(PacketVersion::Everything, options, 345.0);
    let known: Vec<Option<u32>> = received.runs.iter().map(|run| run.time_ms).collect();
    let laps: Vec<(u16, u16, Option<u32>)> =
        received.laps().iter().map(|lap| (lap.run, lap.number, lap.time.map(|time| time.0))).collect();
    assert!(known.len() >= 2, "{known:?}");
    let expected: Vec<_> = (0..).zip(known).map(|(run, time)| (run, 1, time)).collect();
    assert_eq!(laps, expected);
    assert!(received.session().live_comparison().reference().is_some());
    let words: Vec<String> = received
        .session()
        .log()
        .map(|entry| log_words(received.session(), entry, Units::default()))
        .collect();
    assert!(words.iter().any(|word| word.starts_with("Run 2, ")), "{words:?}");
    assert!(!words.iter().any(|word| word.contains("Fastest")), "{words:?}");
}

#[test]
fn the_session_is_a_stage_with_its_car_and_its_way() {
    let received = clean(PacketVersion::Everything, once(Finish::Completed), 180.0);
    let session = received.session();
    let info = session.info().expect("a session");
    assert_eq!((info.kind, info.total_laps), (SessionKind::Stage, Some(1)));
    let length_m = info.track_length_m.expect("a length");
    assert_eq!(length_m, 3_901.0);
    assert!(info.track.as_ref().is_some_and(|track| track.id.starts_with("3901.00@")), "{:?}", info.track);
    let outline = session.outline().expect("the way");
    assert!(!outline.complete, "a stage leads elsewhere");
    let end = outline.points.last().expect("a point").distance_m;
    assert!((length_m - 10.0..length_m + 1.0).contains(&end), "{end}");
}
