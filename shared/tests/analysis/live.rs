//! The live delta, compared with the later comparison of the same laps.

use trailbrake_shared::analysis::{LapColumns, Method, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Axis, Channel, Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::session::{FinishedDelta, ReferenceLap, Retention, Session};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

const NOISE_M: f64 = 0.1;
const LOSES: f64 = 0.02;

/// A session of a game that sends positions with noise, or none.
struct DecodedRun {
    session: Session,
    chance: Random,
    positions: bool,
}

impl Sink for DecodedRun {
    fn sample(&mut self, sample: &Sample<'_>) {
        let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
        let mut values = sample.values.to_vec();
        values.retain(|(slot, _)| self.positions || !axes.contains(slot));
        for (_, value) in values.iter_mut().filter(|(slot, _)| axes.contains(slot)) {
            *value += (NOISE_M * self.chance.bell()) as f32;
        }
        self.session.sample(&Sample { values: &values, ..*sample });
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.session.progress(progress);
    }

    fn event(&mut self, event: Event) {
        self.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.session.fact(moment, fact);
    }
}

/// The laps that ended with a reference, each with it, and the session.
fn drive(feed: Feed, hz: u32, positions: bool) -> (Vec<(FinishedDelta, ReferenceLap)>, Session) {
    let options = Options { cars: 1, player: 0, seed: 800, again: false, ..Options::default() };
    let mut demo = Demo::new(feed, options, Micros(1_000_000)).expect("a demo");
    let retention = Retention { player_bytes: usize::MAX, ..Retention::default() };
    let mut run = DecodedRun { session: Session::new(retention), chance: Random::new(9), positions };
    let mut lost = Random::new(10);
    let mut decoder = (feed.info().codec.expect("a decoder").decoder)();
    let mut finished: Vec<(FinishedDelta, ReferenceLap)> = Vec::new();
    let mut beside: Option<ReferenceLap> = None;
    for frame in 1..=400 * 60 {
        let sent = frame % (60 / hz) == 0;
        demo.drive(f64::from(frame) / 60.0 - 0.001, &mut |at, bytes| {
            if !sent || lost.unit() < LOSES {
                return;
            }
            let serial = |lap: &ReferenceLap| lap.serial();
            let reference = run.session.live_comparison().reference();
            if reference.map(serial) != beside.as_ref().map(serial) {
                beside = reference.cloned();
            }
            decoder.receive(at, bytes, &mut run).expect("a packet");
            let ended = run.session.live_comparison().finished();
            let news =
                ended.filter(|ended| finished.last().is_none_or(|(last, _)| last.serial != ended.serial));
            if let Some((ended, reference)) = news.zip(beside.as_ref()) {
                assert_eq!(ended.reference, reference.serial());
                finished.push((ended.clone(), reference.clone()));
            }
        });
    }
    (finished, run.session)
}

#[test]
fn the_live_delta_is_that_of_the_comparison() {
    for (feed, hz, within_s) in [
        (Feed::F1, 60, 0.004),
        (Feed::F1, 20, 0.010),
        (Feed::GranTurismo, 60, 0.004),
        (Feed::GranTurismo, 20, 0.010),
        (Feed::AcRemote, 60, 0.004),
        (Feed::AcTelemetryTool, 20, 0.010),
    ] {
        let context = format!("{feed:?} at {hz} Hz");
        let (finished, session) = drive(feed, hz, true);
        let (mut worst, mut squares, mut count, mut ends) = (0.0_f64, 0.0, 0, 0.0_f64);
        let state = session.player().and_then(|player| session.car(player)).expect("a player");
        let lap = |serial: u32| -> (&Lap, LapColumns<'_>) {
            let lap = state.laps.finished().iter().find(|lap| lap.serial == serial).expect("a lap");
            (lap, LapColumns::new(lap, state.traces.lap(serial).expect("columns")))
        };
        assert!(finished.len() > 2, "{context}: {} laps", finished.len());
        for (ended, beside) in &finished {
            let ((own, columns), (best, reference)) =
                (lap(ended.serial), lap(ended.reference.expect("a lap of this session")));
            let official = own.time.expect("a time").minus(best.time.expect("a time"));
            assert_eq!(ended.behind_ms, official, "{context}");
            let comparison = compare(&columns, &reference).expect("a comparison");
            assert_eq!(comparison.method, Method::Position);
            let [placed, _] = &comparison.placed;
            let (end, points) = ended.points.split_last().expect("points");
            assert_eq!(end.1, official as f32 / 1e3, "{context}");
            ends = ends.max(f64::from(points.last().expect("a point").1 - end.1).abs());
            for (place, delta) in points {
                let clock = f64::from(delta + beside.curve.clock_at(*place).expect("a clock"));
                let Some(place) = placed.place_at(clock) else { continue };
                let Some(known) = comparison.at(place).filter(|_| !placed.is_aside(place)) else { continue };
                let off = (f64::from(*delta) - known).abs();
                worst = worst.max(off);
                squares += off * off;
                count += 1;
            }
        }
        let rms = (squares / f64::from(count)).sqrt();
        assert!(worst < within_s, "{context}: {worst} s");
        assert!(rms < within_s / 4.0, "{context}: {rms} s");
        assert!(ends < within_s, "{context}: {ends} s before the line");
        assert!(count > 10_000 * hz / 60, "{context}: {count} points");
    }
}

#[test]
fn without_positions_the_live_delta_uses_lap_distance_or_fraction() {
    for (feed, method) in [(Feed::F1, Method::Distance), (Feed::AcRemote, Method::Share)] {
        let (finished, session) = drive(feed, 60, false);
        assert_eq!(session.live_comparison().method(), Some(method));
        assert!(session.live_comparison().delta().is_ok() && finished.len() > 2);
        for (ended, _) in &finished {
            let (end, points) = ended.points.split_last().expect("points");
            assert_eq!(end.1, ended.behind_ms as f32 / 1e3);
            let last = points.last().expect("a point").1;
            assert!(points.len() > 1000 && (last - end.1).abs() < 0.02, "{feed:?}: {last} before {}", end.1);
        }
    }
}
