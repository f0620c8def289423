//! What happened on a lap, against when it did in the simulator: missed and invented ones are counted, and there are none.

use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::analysis::happenings::{Happening, Kind, happenings};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::sim::Request;
use trailbrake_shared::sim::car::{Upset, WHEELS};
use trailbrake_shared::sim::state::CarState;

use super::{FEEDS, Heard, PLAYER, hear};

/// What is shorter than this may be seen or not, seconds; and by so much it may begin or end earlier or later.
const SHORT_S: f64 = 0.15;
const LOOSE_S: f64 = 0.1;

/// One kind of happening: who sends what tells of it, and when it is so in the simulator, at one wheel or the whole car.
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
        feeds: &[Feed::F12018, Feed::GranTurismo, Feed::AcRemote],
        wheels: DRIVEN,
        is: |car, wheel| car.wheels[wheel].slip > 0.2 && car.throttle > 0.2,
    },
    Case {
        kind: Kind::LockUp,
        feeds: &[Feed::F12018, Feed::GranTurismo, Feed::AcRemote],
        wheels: STEERED,
        is: |car, wheel| car.wheels[wheel].slip < -0.3,
    },
    Case {
        kind: Kind::Kerb,
        feeds: &[Feed::GranTurismo],
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
    Case { kind: Kind::Handbrake, feeds: &[Feed::GranTurismo], wheels: &[], is: |car, _| car.handbrake },
];

/// When something was so in a lap: from and to, seconds on its clock.
fn stretches(heard: &Heard, lap: u16, is: impl Fn(&CarState) -> bool) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for known in heard.known(lap).iter().filter(|known| is(&known.car)) {
        let clock_s = known.car.lap.time_s;
        match found.last_mut() {
            // What stops for a moment goes on.
            Some((_, until)) if clock_s - *until < 0.15 => *until = clock_s,
            _ => found.push((clock_s, clock_s)),
        }
    }
    found
}

fn meets(one: &Happening, (from, until): (f64, f64)) -> bool {
    one.at.lap_s < until + LOOSE_S && one.at.lap_s + one.lasts_s > from - LOOSE_S
}

#[test]
fn what_happened_is_told_when_it_did_and_nothing_else() {
    let upset = |what| Request::Upset { car: PLAYER, what, seconds: 0.5 };
    let mut requests =
        vec![(100.0, Request::RunWide { car: PLAYER }), (190.0, Request::RunWide { car: PLAYER })];
    for nth in 0..8 {
        let at_s = 95.0 + 37.0 * f64::from(nth);
        requests.extend([
            (at_s, upset(Upset::Wheelspin)),
            (at_s + 12.0, upset(Upset::Bump)),
            (at_s + 24.0, upset(Upset::Handbrake)),
        ]);
    }
    for feed in FEEDS {
        let heard = hear(feed, 420.0, requests.clone());
        for Case { kind, wheels, is, .. } in CASES.iter().filter(|case| case.feeds.contains(&feed)) {
            // The simulator keeps its wheels in another order.
            let place = |wheel: Wheel| WHEELS.iter().position(|other| *other == wheel).expect("a wheel");
            let each: Vec<Option<Wheel>> =
                if wheels.is_empty() { vec![None] } else { wheels.iter().copied().map(Some).collect() };
            let (mut real, mut missed, mut invented) = (0, Vec::new(), Vec::new());
            for (lap, columns) in &heard.timed {
                let lap = LapColumns::new(lap, columns);
                let told = happenings(&lap, &[]);
                for wheel in &each {
                    let known = stretches(&heard, lap.number, |car| is(car, wheel.map_or(0, place)));
                    let of_wheel = |one: &&Happening| one.kind == *kind && one.wheel == *wheel;
                    let found: Vec<&Happening> = told.found.iter().filter(of_wheel).collect();
                    for stretch in known.iter().filter(|(from, until)| until - from > SHORT_S) {
                        real += 1;
                        if !found.iter().any(|one| meets(one, *stretch)) {
                            missed.push((lap.number, *wheel, *stretch));
                        }
                    }
                    let was = |one: &Happening| known.iter().any(|stretch| meets(one, *stretch));
                    invented.extend(found.iter().filter(|one| !was(one)).map(|one| (lap.number, **one)));
                }
            }
            eprintln!(
                "{feed:?} {kind:?}: {real} of them, {} missed, {} invented",
                missed.len(),
                invented.len()
            );
            assert!(real >= 3, "{feed:?}: {real} of {kind:?}");
            assert!(
                missed.is_empty() && invented.is_empty(),
                "{feed:?} {kind:?}: missed {missed:?}, invented {invented:?}"
            );
        }
    }
}
