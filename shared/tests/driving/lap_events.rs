//! Detected lap events, compared with the simulator's: none may be missed or invented.

use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::analysis::lap_events::{Kind, LapEvent, lap_events};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Channel, Columns, Wheel};
use trailbrake_shared::sim::car::{Disturbance, WHEELS};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::state::CarState;
use trailbrake_shared::sim::{Options, Request};

use super::{DecodedRun, Line, PLAYER, decode_at};
use crate::analysis::simulated::changed;
use crate::circuit_feeds::CIRCUIT_FEEDS;

/// Shorter events may be missed, in seconds; `LOOSE_S` is the tolerance of their start and end.
const SHORT_S: f64 = 0.15;
const LOOSE_S: f64 = 0.1;

/// A kind of lap event: the feeds that send enough to detect it, and when the simulator has it, at one wheel or for the
/// whole car.
struct Case {
    kind: Kind,
    feeds: &'static [Feed],
    wheels: &'static [Wheel],
    is: fn(&CarState, usize) -> bool,
}

const DRIVEN: &[Wheel] = &[Wheel::RearLeft, Wheel::RearRight];
const STEERED: &[Wheel] = &[Wheel::FrontLeft, Wheel::FrontRight];

const CASES: [Case; 6] = [
    Case {
        kind: Kind::Wheelspin,
        feeds: &[Feed::F1, Feed::GranTurismo, Feed::AcRemote],
        wheels: DRIVEN,
        is: |car, wheel| car.wheels[wheel].slip > 0.2 && car.throttle > 0.2,
    },
    Case {
        kind: Kind::LockUp,
        feeds: &[Feed::F1, Feed::GranTurismo, Feed::AcRemote],
        wheels: STEERED,
        is: |car, wheel| car.wheels[wheel].slip < -0.3,
    },
    Case {
        kind: Kind::Kerb,
        feeds: &[Feed::GranTurismo, Feed::Forza],
        wheels: &Wheel::ALL,
        is: |car, wheel| car.on_kerb[wheel % 2],
    },
    Case {
        kind: Kind::BottomingFront,
        feeds: &[Feed::AcTelemetryTool],
        wheels: &[],
        is: |car, _| (car.wheels[2].suspension_mm + car.wheels[3].suspension_mm) / 2.0 > 85.0,
    },
    Case {
        kind: Kind::BottomingRear,
        feeds: &[Feed::AcTelemetryTool],
        wheels: &[],
        is: |car, _| (car.wheels[0].suspension_mm + car.wheels[1].suspension_mm) / 2.0 > 85.0,
    },
    Case {
        kind: Kind::Handbrake,
        feeds: &[Feed::GranTurismo, Feed::Forza],
        wheels: &[],
        is: |car, _| car.handbrake,
    },
];

/// When a condition held in a lap: from and to, in seconds on the lap clock.
fn stretches(run: &DecodedRun, lap: u16, is: impl Fn(&CarState) -> bool) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for known in run.known(lap).iter().filter(|known| is(&known.car)) {
        let clock_s = known.car.lap.time_s;
        match found.last_mut() {
            // A short interruption does not end it.
            Some((_, until)) if clock_s - *until < 0.15 => *until = clock_s,
            _ => found.push((clock_s, clock_s)),
        }
    }
    found
}

fn meets(one: &LapEvent, (from, until): (f64, f64), loose_s: f64) -> bool {
    one.at.lap_s < until + loose_s && one.at.lap_s + one.lasts_s > from - loose_s
}

#[test]
fn lap_events_are_detected_when_they_happen_and_no_others() {
    check(Line { hz: 60, loses: 0.0 }, 0.0);
}

#[test]
fn lap_events_are_detected_despite_noise_lost_packets_and_a_low_rate() {
    check(Line { hz: 60, loses: 0.02 }, 1.0);
    check(Line { hz: 20, loses: 0.02 }, 1.0);
}

/// The measurement noise of slips, of speeds as a fraction, and of heights in metres.
const SLIP_NOISE: f64 = 0.01;
const SPEED_NOISE: f64 = 0.003;
const HEIGHT_NOISE_M: f64 = 0.0005;

/// The same columns with noise on wheel and height channels.
fn noisy(columns: &Columns, noise: f64) -> Columns {
    let mut chance = Random::new(0xBEE);
    changed(columns, |_, slot, value| {
        let tremble = noise * chance.bell();
        let more = match slot.channel() {
            Channel::WheelSlip => SLIP_NOISE * tremble,
            Channel::WheelSpeed => SPEED_NOISE * tremble * f64::from(value),
            Channel::RideHeightFront | Channel::RideHeightRear => HEIGHT_NOISE_M * tremble,
            _ => 0.0,
        };
        value + more as f32
    })
}

fn check(line: Line, noise: f64) {
    // Events shorter than a few samples may be missed, and their ends lie between two samples.
    let sample_s = 1.0 / f64::from(line.hz);
    let (short_s, loose_s) = (SHORT_S.max(6.0 * sample_s), LOOSE_S.max(3.0 * sample_s));
    let upset = |what| Request::Disturbance { car: PLAYER, what, seconds: 0.5 };
    let mut requests =
        vec![(100.0, Request::RunWide { car: PLAYER }), (190.0, Request::RunWide { car: PLAYER })];
    for nth in 0..8 {
        let at_s = 95.0 + 37.0 * f64::from(nth);
        requests.extend([
            (at_s, upset(Disturbance::Wheelspin)),
            (at_s + 12.0, upset(Disturbance::Bump)),
            (at_s + 24.0, upset(Disturbance::Handbrake)),
        ]);
    }
    for feed in CIRCUIT_FEEDS {
        let options = Options { requests: requests.clone(), ..Options::default() };
        let run = decode_at(feed, 420.0, options, line);
        for Case { kind, wheels, is, .. } in CASES.iter().filter(|case| case.feeds.contains(&feed)) {
            // The simulator stores its wheels in another order.
            let place = |wheel: Wheel| WHEELS.iter().position(|other| *other == wheel).expect("a wheel");
            let each: Vec<Option<Wheel>> =
                if wheels.is_empty() { vec![None] } else { wheels.iter().copied().map(Some).collect() };
            let (mut real, mut missed, mut invented) = (0, Vec::new(), Vec::new());
            for (lap, columns) in &run.timed {
                let columns = noisy(columns, noise);
                let lap = LapColumns::new(lap, &columns);
                let detected = lap_events(&lap, &[]);
                for wheel in &each {
                    let known = stretches(&run, lap.number, |car| is(car, wheel.map_or(0, place)));
                    let of_wheel = |one: &&LapEvent| one.kind == *kind && one.wheel == *wheel;
                    let found: Vec<&LapEvent> = detected.found.iter().filter(of_wheel).collect();
                    for stretch in known.iter().filter(|(from, until)| until - from > short_s) {
                        real += 1;
                        if !found.iter().any(|one| meets(one, *stretch, loose_s)) {
                            missed.push((lap.number, *wheel, *stretch));
                        }
                    }
                    let was = |one: &LapEvent| known.iter().any(|stretch| meets(one, *stretch, loose_s));
                    invented.extend(found.iter().filter(|one| !was(one)).map(|one| (lap.number, **one)));
                }
            }
            eprintln!(
                "{feed:?} {line:?} {kind:?}: {real} of them, {} missed, {} invented",
                missed.len(),
                invented.len()
            );
            assert!(real >= 3, "{feed:?}: {real} of {kind:?}");
            assert!(
                missed.is_empty() && invented.is_empty(),
                "{feed:?} {line:?} {kind:?}: missed {missed:?}, invented {invented:?}"
            );
        }
    }
}
