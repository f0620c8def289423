//! Driving analysis of laps, compared with the simulator's truth, and of real laps.

mod countdown;
mod lap_events;
mod pit_wall;
mod real_drives;
mod voice;

use std::net::SocketAddr;

use crate::circuit_feeds::CIRCUIT_FEEDS;
use trailbrake_shared::analysis::lap_events::{Kind, lap_events};
use trailbrake_shared::analysis::{
    Corner, CornerBalance, LapColumns, PlacedLap, ReferenceLine, balance, dampers, energy, find_corners,
    fuel, grip, tyres,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, Channel, Columns};
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::sim::car::FULL_LOCK_RAD;
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::state::CarState;
use trailbrake_shared::sim::{Balance, Demo, Options, Request};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const PLAYER: usize = 1;

/// The player's car at one frame, as the simulator knows it.
struct TrueFrame {
    session_s: f64,
    car: CarState,
}

/// A practice session as received, and its truth.
struct DecodedRun {
    /// The counted laps.
    laps: Vec<(Lap, Columns)>,
    /// All timed laps.
    timed: Vec<(Lap, Columns)>,
    known: Vec<TrueFrame>,
}

fn decode(feed: Feed, seconds: f64, requests: Vec<(f64, Request)>) -> DecodedRun {
    decode_with(feed, seconds, Options { requests, ..Options::default() })
}

fn decode_with(feed: Feed, seconds: f64, options: Options) -> DecodedRun {
    decode_at(feed, seconds, options, Line { hz: 60, loses: 0.0 })
}

/// How a game is received.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Frames per second that it sends.
    hz: u32,
    /// The fraction of datagrams that are lost.
    loses: f64,
}

fn decode_at(feed: Feed, seconds: f64, options: Options, line: Line) -> DecodedRun {
    let mut chance = Random::new(0xD1CE);
    let options = Options { cars: 2, player: PLAYER, seed: 5, again: false, ..options };
    let mut demo = Demo::new(feed, options, Micros(1_000_000)).expect("a demo");
    let mut receiver = Receiver::new(Retention::EVERYTHING);
    let mut known = Vec::new();
    for frame in 1..=(seconds * 60.0) as u32 {
        let sent = frame % (60 / line.hz) == 0;
        demo.drive(f64::from(frame) / 60.0 - 1e-3, &mut |at, bytes| {
            if !sent || chance.unit() < line.loses {
                return;
            }
            let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
            let datagram = Datagram { at, sender, port: 20777, feed: Some(feed), bytes };
            receiver.receive(&datagram).expect("a packet that is understood");
        });
        let car = race::car_state(demo.race(), PLAYER).expect("the player");
        known.push(TrueFrame { session_s: demo.race().session_s(), car });
    }
    let session = receiver.session().expect("a session");
    let car = session.car(session.player().unwrap_or(Car(0))).expect("the player's car");
    let traced = |lap: &Lap| Some((lap.clone(), car.traces.lap(lap.serial)?.clone()));
    let finished = || car.laps.finished().iter();
    let laps = finished().filter(|lap| lap.counts().is_some()).filter_map(traced).collect();
    let timed = finished().filter(|lap| lap.time.is_some()).filter_map(traced).collect();
    DecodedRun { laps, timed, known }
}

impl DecodedRun {
    fn laps(&self) -> Vec<LapColumns<'_>> {
        self.laps.iter().map(|(lap, columns)| LapColumns::new(lap, columns)).collect()
    }

    /// The frames of a lap, by the simulator's own lap number.
    fn known(&self, number: u16) -> Vec<&TrueFrame> {
        let on_lap = |known: &&TrueFrame| {
            // The path to the first line has the first lap's number too.
            known.car.lap.number == u32::from(number) && known.car.lap.distance_m >= 0.0
        };
        self.known.iter().filter(on_lap).collect()
    }
}

#[test]
fn every_lap_s_fuel_is_what_was_burnt() {
    for feed in [Feed::F1, Feed::GranTurismo] {
        let run = decode(feed, 400.0, Vec::new());
        let usage = fuel(&run.laps()).expect("fuel");
        assert!(usage.laps.len() >= 3, "{feed:?}: {usage:?}");
        // Gran Turismo sends litres: the simulator's kilograms in another unit.
        let tank = |known: &TrueFrame| known.car.fuel_kg;
        let measure =
            usage.left / tank(run.known.iter().rfind(|known| known.session_s > 0.0).expect("a frame"));
        for lap in &usage.laps {
            let known = run.known(lap.lap);
            let burnt = tank(known[0]) - tank(known[known.len() - 1]);
            let apart = (lap.used / measure / burnt - 1.0).abs();
            assert!(apart < 0.02, "{feed:?}, lap {}: {} of {burnt}", lap.lap, lap.used / measure);
        }
        let lasts = usage.laps_left.expect("laps") * usage.per_lap;
        assert!((lasts / usage.left - 1.0).abs() < 1e-9);
    }
}

#[test]
fn energy_is_the_game_s_account_before_the_line() {
    let run = decode(Feed::F1, 300.0, Vec::new());
    let laps = energy(&run.laps()).expect("energy");
    assert!(laps.len() >= 2, "{laps:?}");
    for lap in &laps {
        let known = run.known(lap.lap);
        let last = &known[known.len() - 1].car;
        // The energy is sent twice a second, and half a second is worth at most 60 kJ.
        for (account, known) in [
            (lap.deployed_j, last.deployed_j),
            (lap.harvested_mguk_j, last.harvested_brakes_j),
            (lap.harvested_mguh_j, last.harvested_turbo_j),
        ] {
            let behind = known - f64::from(account.expect("an account"));
            assert!((-1.0..62e3).contains(&behind), "{account:?} of {known}");
        }
    }
}

#[test]
fn every_gear_change_is_a_shift() {
    for feed in CIRCUIT_FEEDS {
        let run = decode(feed, 300.0, Vec::new());
        assert!(run.laps.len() >= 2, "{feed:?}");
        for lap in run.laps() {
            let events = lap_events(&lap, &[]);
            let known = run.known(lap.number);
            let changes = known.windows(2).filter(|pair| pair[0].car.gear != pair[1].car.gear);
            let (mut up, mut down) = (0, 0);
            changes.for_each(|pair| if pair[0].car.gear < pair[1].car.gear { up += 1 } else { down += 1 });
            let counted =
                (events.count(Kind::ShiftUp), events.count(Kind::ShiftDown), events.count(Kind::MissedShift));
            assert_eq!(counted, (up, down, 0), "{feed:?}, lap {}", lap.number);
            assert!(up > 5 && down > 5);
        }
    }
}

#[test]
fn the_car_is_pushed_as_hard_as_it_was() {
    const G: f64 = 9.806_65;
    for feed in CIRCUIT_FEEDS {
        let run = decode(feed, 240.0, Vec::new());
        let lap = run.laps().pop().expect("a lap");
        let grip_used = grip(&lap).expect("g");
        let known = run.known(lap.number);
        let hardest =
            |of: &dyn Fn(&CarState) -> f64| known.iter().map(|known| of(&known.car)).fold(0.0, f64::max) / G;
        for (reach, known) in [
            (grip_used.hardest.left_g, hardest(&|car| car.motion.lateral_ms2)),
            (grip_used.hardest.right_g, hardest(&|car| -car.motion.lateral_ms2)),
            (grip_used.hardest.braking_g, hardest(&|car| -car.motion.longitudinal_ms2)),
        ] {
            let Some(reach) = reach else { continue };
            assert!((0.7..=1.02).contains(&(reach / known)), "{feed:?}: {reach} of {known}");
        }
        assert!((0.4..1.0).contains(&grip_used.usage), "{feed:?}: {}", grip_used.usage);
    }
}

#[test]
fn suspensions_move_as_they_did() {
    let run = decode(Feed::F1, 200.0, Vec::new());
    let lap = run.laps().pop().expect("a lap");
    let suspension = dampers::dampers(&lap).expect("dampers");
    assert!(!suspension.from_positions);
    let known = run.known(lap.number);
    // Front left is the third in the simulator's order and the first in ours.
    let speeds = || known.iter().map(|known| known.car.wheels[2].suspension_mm_s / 1e3);
    let share = |inside: &dyn Fn(f64) -> bool| {
        speeds().filter(|speed| inside(*speed)).count() as f64 / known.len() as f64
    };
    let damper = &suspension.wheels[0];
    let slow = f64::from(dampers::SLOW_BELOW_MPS);
    for (measured, known) in [
        (damper.bump_slow, share(&|speed| speed > 0.0 && speed < slow)),
        (damper.bump_fast, share(&|speed| speed >= slow)),
        (damper.rebound_fast, share(&|speed| speed <= -slow)),
    ] {
        assert!((measured - known).abs() < 0.01, "{measured} is not {known}");
    }
}

#[test]
fn tyres_wear_from_lap_to_lap_as_they_did() {
    let run = decode(Feed::F1, 480.0, Vec::new());
    let laps = run.laps();
    let trends = tyres::trends(&laps).expect("trends");
    let wear = trends.iter().find(|trend| trend.channel.id() == "tyre_wear").expect("wear");
    let worn_at_end = |lap: &LapColumns<'_>| {
        let known = run.known(lap.number);
        known[known.len() - 1].car.wheels[2].wear / 100.0
    };
    let known = (worn_at_end(&laps[laps.len() - 1]) - worn_at_end(&laps[0])) / (laps.len() - 1) as f64;
    // The game sends whole per cents.
    assert!((wear.wheels[0].per_lap - known).abs() < 0.01, "{wear:?} is not {known}");
    let warm = tyres::wheel_states(&laps[1]).expect("tyres");
    let surface =
        warm.iter().find(|states| states.channel.id() == "tyre_surface_temperature").expect("a temperature");
    let mut of_frames: Vec<f64> =
        run.known(laps[1].number).iter().map(|known| known.car.wheels[2].surface_c).collect();
    of_frames.sort_by(f64::total_cmp);
    assert!((surface.wheels[0].median - of_frames[of_frames.len() / 2]).abs() < 1.0);
}

#[test]
fn a_car_that_follows_its_wheels_is_balanced() {
    // The simulated car follows its front wheels except for its slip angle.
    for feed in [Feed::F1, Feed::GranTurismo] {
        let run = decode(feed, 240.0, Vec::new());
        let lap = run.laps().pop().expect("a lap");
        let lap_balance = balance::balance(&lap).expect("a balance");
        let mean = lap_balance.over_lap().expect("corners");
        assert!(mean.understeer.abs() < 0.03 && mean.seconds > 10.0, "{feed:?}: {mean:?}");
    }
}

#[test]
fn balance_shows_the_part_of_a_corner_where_the_car_slides() {
    // The additional steering at the entries, around the apexes, and at the exits, in radians per m/s².
    for planted in [[1e-3, 0.0, -5e-4], [-5e-4, 1e-3, 0.0], [0.0, -5e-4, 1e-3]] {
        for feed in CIRCUIT_FEEDS {
            let [even, uneven] = [[0.0; 3], planted].map(|[entry, middle, exit]| {
                let balance = Balance { entry, middle, exit };
                let run = decode_with(feed, 240.0, Options { balance, ..Options::default() });
                parts_of_corners(&run)
            });
            for part in 0..3 {
                let (measured, known) = (uneven[part].0 - even[part].0, uneven[part].1);
                let near = (measured - known).abs() < 1.5e-3 + 0.15 * known.abs();
                assert!(near, "{feed:?}: {measured} is not {known} in part {part} of {planted:?}");
                assert!(planted[part] == 0.0 || known.abs() > 1e-3 && known * planted[part] > 0.0, "{known}");
            }
        }
    }
}

/// The balance at the entries, around the apexes and at the exits of a lap: as analysed, and as it was.
fn parts_of_corners(run: &DecodedRun) -> [(f64, f64); 3] {
    let lap = run.laps().pop().expect("a lap");
    let lap_balance = balance::balance(&lap).expect("a balance");
    let line = ReferenceLine::learn(&lap).expect("a line");
    let placed = PlacedLap::on_line(&lap, &line, None).expect("placed");
    let corners = find_corners(&line);
    assert!(corners.len() > 8);
    let each = CornerBalance::of(&lap_balance, &placed, &corners);
    let mut known = [(0.0, 0.0); 3];
    for frame in run.known(lap.number) {
        let place_m = placed.place_at(frame.car.lap.time_s).unwrap_or_default();
        let inside = |corner: &&Corner| (corner.entry_m..corner.exit_m).contains(&place_m);
        let Some(corner) = corners.iter().find(inside) else { continue };
        let halves = [corner.entry_m, corner.exit_m].map(|end_m| (end_m + corner.apex_m) / 2.0);
        let (sum, frames) = &mut known[halves.iter().filter(|half_m| place_m > **half_m).count()];
        // A car that goes straight has no balance.
        if frame.car.motion.yaw_rate.abs() > 0.05 {
            *sum += frame.car.understeer_rad;
            *frames += 1.0;
        }
    }
    // A share of the lock is no angle.
    let radians = if lap_balance.measured_by == Channel::Steering { FULL_LOCK_RAD } else { 1.0 };
    let means = CornerBalance::together(&each).map(|mean| mean.expect("a part").understeer * radians);
    [0, 1, 2].map(|part: usize| (means[part], known[part].0 / known[part].1))
}
