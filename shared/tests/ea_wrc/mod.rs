//! A simulated rally, received as EA SPORTS WRC sends it, compared with the simulator's truth.

use std::net::SocketAddr;

use trailbrake_shared::feed;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::model::{Car, EventKind, SessionKind};
use trailbrake_shared::session::{LogKind, Receiver, Session};
use trailbrake_shared::sim::ea_wrc::{EaWrc, PacketVersion};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::truth::{RunEnd, StageRunTruth};
use trailbrake_shared::sim::{Demo, Finish, Options, Request, Start};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// A rally as it was received.
struct DecodedRun {
    receiver: Receiver,
    runs: Vec<StageRunTruth>,
}

/// Receives `seconds` of a rally. `loses` is the fraction of updates lost; one can be overtaken by `shuffles` others.
fn decode(sends: PacketVersion, options: Options, seconds: f64, loses: f64, shuffles: usize) -> DecodedRun {
    let mut demo = Demo::speaking(Box::new(EaWrc::new(sends)), options, Micros(1_000_000));
    let mut sent: Vec<(Micros, Vec<u8>)> = Vec::new();
    demo.drive(seconds, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let mut chance = Random::new(7);
    let mut arriving: Vec<(usize, usize)> = Vec::new();
    for (place, (_, bytes)) in sent.iter().enumerate() {
        // What is sent once must not be lost.
        let once = bytes.starts_with(b"SESE");
        if once || chance.unit() >= loses {
            let late = if once { shuffles } else { (chance.unit() * (shuffles + 1) as f64) as usize };
            arriving.push((place + late, place));
        }
    }
    arriving.sort();
    let mut receiver = Receiver::default();
    for (_, place) in arriving {
        let (at, bytes) = &sent[place];
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let feed = feed::recognise(bytes).ok().map(|recognised| recognised.feed);
        receiver.receive(&Datagram { at: *at, sender, port: 20777, feed, bytes }).expect("a packet");
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

    fn events(&self) -> Vec<&EventKind> {
        let game_events = self.session().log().filter_map(|entry| match &entry.kind {
            LogKind::Game(kind) => Some(kind),
            _ => None,
        });
        game_events.collect()
    }

    fn splits(&self) -> Vec<(u8, LapTime)> {
        let split = |kind: &EventKind| match kind {
            EventKind::Split { number, time } => Some((*number, *time)),
            _ => None,
        };
        self.events().into_iter().filter_map(split).collect()
    }
}

fn near(received: LapTime, known_ms: u32, tolerance_ms: u32) {
    assert!(received.0.abs_diff(known_ms) <= tolerance_ms, "{received} is not {known_ms} ms");
}

/// Checks the only run against the truth.
fn check_run(received: &DecodedRun, tolerance_ms: u32) {
    let [run] = received.runs.as_slice() else { panic!("one run: {:?}", received.runs) };
    let [lap] = received.laps() else { panic!("one lap: {:?}", received.laps()) };
    near(lap.time.expect("a time"), run.time_ms.expect("a time"), tolerance_ms);
    assert!(lap.counts().is_some() && lap.flags.has(LapFlag::Valid), "{}", lap.flags);
}

#[test]
fn a_stage_has_its_time_splits_and_sectors_to_the_millisecond() {
    for finish in [Finish::Completed, Finish::TakenAway] {
        let received = clean(PacketVersion::Everything, once(finish), 180.0);
        check_run(&received, 0);
        let run = &received.runs[0];
        let splits = received.splits();
        assert_eq!(splits.len(), 3);
        for ((number, time), (known_number, known)) in splits.into_iter().zip((1..).zip(&run.splits_ms)) {
            assert_eq!(number, known_number);
            // Sums of sectors, each sent to the millisecond.
            near(time, *known, 1);
        }
        let lap = &received.laps()[0];
        let starts = [0].into_iter().chain(run.splits_ms.iter().copied());
        let ends = run.splits_ms.iter().copied().chain(run.time_ms);
        let known: Vec<u32> = ends.zip(starts).map(|(end, start)| end - start).collect();
        assert_eq!(lap.sectors.len(), known.len(), "{:?}", lap.sectors);
        for (sector, known) in lap.sectors.into_iter().zip(known) {
            near(sector.expect("a sector"), known, 1);
        }
    }
}

#[test]
fn without_an_official_time_the_clock_at_the_line_is_right_to_milliseconds() {
    for sends in [PacketVersion::WithIds, PacketVersion::Default] {
        for finish in [Finish::Completed, Finish::TakenAway] {
            let received = clean(sends, once(finish), 180.0);
            check_run(&received, 2);
            assert_eq!(received.splits(), []);
        }
    }
}

#[test]
fn lost_and_overtaken_packets_change_no_time() {
    let received = decode(PacketVersion::Everything, once(Finish::Completed), 180.0, 0.05, 6);
    check_run(&received, 0);
    let strange =
        |kind: &&EventKind| matches!(kind, EventKind::Recovered | EventKind::Restarted | EventKind::Paused);
    assert_eq!(received.events().into_iter().filter(strange).count(), 0);
    assert_eq!(received.splits().len(), 3);
}

#[test]
fn flights_are_reported_as_they_were_flown() {
    let received = clean(PacketVersion::Everything, once(Finish::Completed), 180.0);
    let landed = |kind: &EventKind| match kind {
        EventKind::Landed { millis, .. } => Some(f64::from(*millis) / 1e3),
        _ => None,
    };
    let landed: Vec<f64> = received.events().into_iter().filter_map(landed).collect();
    let jumps = &received.runs[0].jumps;
    let long: Vec<_> = jumps.iter().filter(|jump| jump.seconds > 0.3).collect();
    assert!(long.len() >= 3, "{jumps:?}");
    for jump in long {
        assert!(landed.iter().any(|seconds| (seconds - jump.seconds).abs() < 0.07), "{jump:?} in {landed:?}");
    }
    assert!(landed.len() <= jumps.iter().filter(|jump| jump.seconds > 0.15).count(), "{landed:?}");
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
    for sends in PacketVersion::ALL {
        let options = Options { requests: requests.clone(), ..once(Finish::Completed) };
        let received = clean(sends, options, 120.0);
        let ends: Vec<_> = received.runs.iter().map(|run| run.end).collect();
        assert_eq!(ends, [Some(RunEnd::Restarted), Some(RunEnd::Abandoned)]);
        let mut kinds: Vec<&EventKind> = received.events();
        kinds.retain(|kind| !matches!(kind, EventKind::Split { .. } | EventKind::Landed { .. }));
        use EventKind::{Abandoned, Go, Hit, Paused, Penalty, Recovered, Restarted, Resumed, SessionStarted};
        // Only the fullest structure has penalties, and only marks say that a stage was left.
        let is_full = sends == PacketVersion::Everything;
        kinds.retain(|kind| is_full || !matches!(kind, Abandoned));
        let penalty = Penalty { millis: 10_000 };
        let [SessionStarted, Go, Paused, Resumed, Hit { milli_g }, Recovered, rest @ ..] = kinds.as_slice()
        else {
            panic!("{sends:?}: {kinds:?}")
        };
        assert!(*milli_g > 10_000, "{milli_g}");
        let expected: &[&EventKind] =
            if is_full { &[&penalty, &Restarted, &Go, &Abandoned] } else { &[&Restarted, &Go] };
        assert_eq!(rest, expected, "{sends:?}");
        let lap = &received.laps()[0];
        assert!(lap.flags.has(LapFlag::Restarted) && lap.time.is_none(), "{}", lap.flags);
        assert!(lap.flags.has(LapFlag::Reset), "{}", lap.flags);
    }
}

#[test]
fn runs_follow_each_other_and_the_second_is_compared_with_the_first() {
    for sends in PacketVersion::ALL {
        let received = clean(sends, Options { seed: 2, ..Options::default() }, 345.0);
        let known: Vec<u32> = received.runs.iter().filter_map(|run| run.time_ms).collect();
        let laps: Vec<(u16, u16, u32)> =
            received.laps().iter().filter_map(|lap| Some((lap.run, lap.number, lap.time?.0))).collect();
        assert!(known.len() >= 2 && laps.len() == known.len(), "{known:?} {laps:?}");
        for ((run, number, time_ms), (known_run, known_ms)) in laps.into_iter().zip((0..).zip(known)) {
            assert_eq!((run, number), (known_run, 1));
            near(LapTime(time_ms), known_ms, 2);
        }
        assert!(received.session().live_comparison().reference().is_some());
    }
}

#[test]
fn the_session_is_a_stage_with_its_car_and_its_way() {
    for (sends, track, car) in
        [(PacketVersion::Everything, "27/361", "Car 104"), (PacketVersion::Default, "3900.00@", "/")]
    {
        let received = clean(sends, once(Finish::Completed), 180.0);
        let session = received.session();
        let info = session.info().expect("a session");
        assert_eq!((info.kind, info.total_laps), (SessionKind::Stage, Some(1)));
        assert_eq!(info.track_length_m, Some(3_900.0));
        assert!(info.track.as_ref().is_some_and(|known| known.id.starts_with(track)), "{:?}", info.track);
        let title = session.car(Car(0)).and_then(|car| car.vehicle.as_ref()?.title()).expect("a car");
        assert!(title.contains(car), "{title}");
        let outline = session.outline().expect("the way");
        assert!(!outline.complete, "a stage leads elsewhere");
        let end = outline.points.last().expect("a point").distance_m;
        assert!((3_890.0..3_901.0).contains(&end), "{end}");
    }
}
