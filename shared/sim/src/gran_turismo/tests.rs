use trailbrake_games::Decode;
use trailbrake_games::feed::{self, Feed};
use trailbrake_games::gran_turismo::Decoder;
use trailbrake_model::time::Micros;
use trailbrake_model::{EventKind, Signal};
use trailbrake_sink::Recorder;

use super::super::demo::Demo;
use super::super::race::{Options, Request, Start, car_state};
use super::*;

const DIALECTS: [(Dialect, &str, usize); 6] = [
    (Dialect::Gt7, "GT7 C", 368),
    (Dialect::Gt7With(Letter::Tilde), "GT7 ~", 344),
    (Dialect::Gt7With(Letter::B), "GT7 B", 316),
    (Dialect::Gt7With(Letter::A), "GT7 A", 296),
    (Dialect::Sport, "GT Sport A", 296),
    (Dialect::Gt6, "GT6 A", 296),
];

/// The decoded output of a run, and its demo.
fn decoded(dialect: Dialect, options: Options, seconds: f64) -> (Recorder, Demo) {
    let mut demo = Demo::speaking(Box::new(GranTurismo::new(dialect)), options, Micros(0));
    let (mut decoder, mut seen) = (Decoder::default(), Recorder::default());
    demo.drive(seconds, &mut |at, datagram| {
        decoder.receive(at, datagram, &mut seen).expect("a packet of the game");
    });
    (seen, demo)
}

/// The lap times that the feed sent.
fn laps(seen: &Recorder) -> Vec<u32> {
    seen.progress
        .windows(2)
        .filter(|pair| pair[0].lap != pair[1].lap)
        .filter_map(|pair| pair[1].last_lap)
        .map(|time| time.0)
        .collect()
}

#[test]
fn every_dialect_is_recognised_as_itself() {
    for (dialect, name, size) in DIALECTS {
        let mut demo = Demo::speaking(Box::new(GranTurismo::new(dialect)), Options::default(), Micros(0));
        let mut count = 0;
        demo.drive(1.0, &mut |_, datagram| {
            let known = feed::recognise(datagram).expect("a packet of a game");
            assert_eq!((known.feed, known.packet, datagram.len()), (Feed::GranTurismo, name, size));
            count += 1;
        });
        assert!((59..=61).contains(&count), "{count} packets in a second");
    }
}

#[test]
fn every_dialect_sends_the_same_drive() {
    let options = || Options { cars: 2, player: 1, ..Options::default() };
    let mut gears = Vec::new();
    let mut demo = Demo::new(Feed::GranTurismo, options(), Micros(0)).expect("a demo");
    let mut states = Vec::new();
    for frame in 1..=1200 {
        // Stop half a physics step short of the frame.
        demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |_, _| {});
        let car = car_state(demo.race(), 1).expect("a car");
        gears.push(f32::from(car.gear));
        states.push(car.motion);
    }
    for (dialect, name, _) in DIALECTS {
        let (seen, _) = decoded(dialect, options(), 20.0);
        assert_eq!(seen.all("gear"), gears, "{name}");
        let changes = gears.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(seen.signals(Signal::GearChange).len(), changes, "{name}");
        for ((_, values), state) in seen.samples.iter().zip(&states) {
            let near = |id: &str, expected: f64, slack: f64| {
                let value = f64::from(values[id]);
                assert!((value - expected).abs() < slack, "{name}: {id} {value} is not {expected}");
            };
            near("speed", state.speed_ms, 1e-4);
            let axes = ["x", "y", "z"];
            for (place, axis) in axes.into_iter().enumerate() {
                near(&format!("position_{axis}"), state.position[place], 1e-2);
                near(&format!("forward_{axis}"), state.forward[place], 1e-5);
                near(&format!("right_{axis}"), state.right[place], 1e-5);
                near(&format!("local_velocity_{axis}"), state.local_velocity[place], 1e-3);
            }
            near("angular_velocity_y", state.yaw_rate, 1e-5);
        }
        let accelerations = seen.all("g_lateral").len();
        assert_eq!(accelerations, seen.samples.len() - usize::from(name.ends_with('A')), "{name}");
    }
}

#[test]
fn every_dialect_brings_the_known_laps_to_the_flag() {
    let options =
        || Options { start: Start::Grid, cars: 2, laps: 2, player: 1, again: false, ..Options::default() };
    for (dialect, name, _) in DIALECTS {
        let (seen, demo) = decoded(dialect, options(), 260.0);
        let known: Vec<u32> = demo.truth().sessions[0]
            .finished
            .iter()
            .filter(|lap| lap.car == 1)
            .map(|lap| lap.time_ms)
            .collect();
        assert_eq!(known.len(), 2, "the race is over by then");
        assert_eq!(laps(&seen), known, "{name}");
        assert_eq!(seen.kinds(), [EventKind::SessionStarted, EventKind::SessionEnded], "{name}");
        // From the menu via the grid to the finish and back.
        let [first, second] = [known[0], known[1]].map(|time| Some(time as i32));
        let best = if second < first { vec![first, second, None] } else { vec![first, None] };
        for (signal, expected) in [
            (Signal::Running, vec![None]),
            (Signal::InGameMenu, vec![None]),
            (Signal::AtTrack, vec![None]),
            (Signal::InRace, vec![None]),
            (Signal::RaceEnd, vec![None]),
            (Signal::Paused, vec![]),
            (Signal::Handbrake, vec![Some(1)]),
            (Signal::RaceStart, vec![Some(1)]),
            (Signal::LapChange, vec![Some(0), Some(1), Some(2), Some(3), Some(-1)]),
            (Signal::LastLapTime, vec![first, second, None]),
            (Signal::BestLapTime, best),
            (Signal::RaceFinish, vec![Some(3)]),
            (Signal::FlashLights, vec![]),
            (Signal::Asm, vec![]),
        ] {
            assert_eq!(seen.signals(signal), expected, "{name}: {}", signal.name());
        }
        let shown = [
            Signal::ShiftLightLow,
            Signal::ShiftLightHigh,
            Signal::RevLimit,
            Signal::Tcs,
            Signal::SuggestedGear,
        ];
        for signal in shown {
            assert!(!seen.signals(signal).is_empty(), "{name}: {}", signal.name());
        }
        let grid = seen.progress[0].grid;
        assert!((1..=2).contains(&grid) && seen.session().cars == Some(2), "{name}: {grid}");
        // The second lap is complete, so clock and distance are known to within one tick.
        let second: Vec<_> = seen.progress.iter().filter(|progress| progress.lap == 2).collect();
        let last = second.last().expect("a lap");
        let clock = last.clock.expect("a clock");
        assert!((clock - known[1] as f32 / 1e3).abs() < 0.05, "{name}: {clock} of {}", known[1]);
        let length = demo.truth().circuit.length_m as f32;
        let distance = last.distance.expect("a distance");
        assert!((distance / length - 1.0).abs() < 0.02, "{name}: {distance} of {length}");
    }
}

#[test]
fn pauses_and_restarts_come_through() {
    let requests =
        vec![(5.0, Request::Pause { seconds: 3.0 }), (60.0, Request::Restart { new_identity: false })];
    let (seen, _) =
        decoded(Dialect::Gt7, Options { cars: 2, player: 1, requests, ..Options::default() }, 80.0);
    let expected =
        [EventKind::SessionStarted, EventKind::Paused, EventKind::Resumed, EventKind::Restarted].to_vec();
    assert_eq!(seen.kinds(), expected);
}
