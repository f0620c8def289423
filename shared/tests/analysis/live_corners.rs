//! What Live says of corners while driving, compared with the later comparison of the same laps.

use std::collections::BTreeMap;

use trailbrake_shared::analysis::{Advice, CornerResult, LapColumns, ThingsToFix, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::{Receiver, Retention, Session};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const HZ: u32 = 60;
const LOSES: f64 = 0.02;

/// A lap with its reference, by serials, and the results and advice for its corners.
struct FinishedLap {
    serial: u32,
    reference: u32,
    results: Vec<CornerResult>,
    advice: Vec<Advice>,
}

/// Drives for some minutes, and calls `each` after each frame.
fn drive(feed: Feed, seed: u64, each: &mut dyn FnMut(&Session)) -> Receiver {
    let began = Micros(1_000_000);
    let options = Options { cars: 1, player: 0, seed, ..Options::default() };
    let mut demo = Demo::new(feed, options, began).expect("a demo");
    let retention = Retention { player_bytes: usize::MAX, ..Retention::default() };
    let mut receiver = Receiver::new(retention);
    let mut lost = Random::new(seed);
    for frame in 1..=420 * HZ {
        let now = Micros(began.0 + u64::from(frame) * 1_000_000 / u64::from(HZ) - 1_000);
        demo.advance(now, &mut |at, bytes| {
            if lost.unit() >= LOSES {
                let datagram =
                    Datagram { at, sender: ([127, 0, 0, 1], 9).into(), port: 0, feed: Some(feed), bytes };
                receiver.receive(&datagram).expect("a packet");
            }
        });
        if let Some(session) = receiver.session() {
            each(session);
        }
    }
    receiver
}

/// Compares a value with its later one, where both are known.
fn apart(live: Option<f64>, later: Option<f64>) -> Option<f64> {
    Some((live? - later?).abs())
}

#[test]
fn the_results_of_corners_are_those_of_the_comparison() {
    for (feed, seed) in [(Feed::F1, 2311), (Feed::GranTurismo, 2312), (Feed::AcRemote, 2313)] {
        let mut laps: Vec<FinishedLap> = Vec::new();
        let receiver = drive(feed, seed, &mut |session| {
            let comparison = session.live_comparison();
            let Some(ended) = comparison.finished() else { return };
            if laps.last().is_none_or(|lap| lap.serial != ended.serial) {
                let results = comparison.corners().finished().to_vec();
                let advice = comparison.corners().advice().iter();
                let advice = advice.map(|(_, advice)| advice.clone()).collect();
                let (serial, reference) = (ended.serial, ended.reference.expect("a lap of this session"));
                laps.push(FinishedLap { serial, reference, results, advice });
            }
        });
        let session = receiver.session().expect("a session");
        let state = session.player().and_then(|player| session.car(player)).expect("a player");
        let columns = |serial: u32| {
            let lap = state.laps.finished().iter().find(|lap| lap.serial == serial).expect("a lap");
            LapColumns::new(lap, state.traces.lap(serial).expect("columns"))
        };
        assert!(laps.len() >= 2, "{feed:?}: {} laps", laps.len());
        let (mut brakes, mut speeds, mut count) = (0, 0, 0);
        for lap in &laps {
            let context = format!("{feed:?}, lap {} against {}", lap.serial, lap.reference);
            let comparison = compare(&columns(lap.serial), &columns(lap.reference)).expect("a comparison");
            let to_fix = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]);
            for later in to_fix.advice.iter().filter(|later| later.cause.cost_s > 0.08) {
                let mut advice = lap.advice.iter();
                let known = advice.find(|known| known.row == later.row);
                let known = known.unwrap_or_else(|| panic!("{context}: {:?} for {later:?}", lap.advice));
                assert!((known.loss_s - later.loss_s).abs() < 0.03, "{context}: {known:?} for {later:?}");
            }
            for result in &lap.results {
                let near = |apex_m: f64| (apex_m - result.corner.apex_m).abs();
                let index = comparison.corners.iter().position(|corner| near(corner.apex_m) < 20.0);
                let index = index.unwrap_or_else(|| panic!("{context}: no corner like {result:?}"));
                let (own, reference) = comparison.rows(index).expect("rows");
                let context = format!("{context}: T{}", result.corner.number);
                let more = |a: Option<f64>, b: Option<f64>| Some(a? - b?);
                if let Some(off_m) = apart(result.later_m, more(own.brake_on_m, reference.brake_on_m)) {
                    assert!(off_m < 2.5, "{context}: brake point {off_m} m off");
                    brakes += 1;
                }
                if let Some(off_ms) = apart(result.faster_ms, more(own.min_ms, reference.min_ms)) {
                    assert!(off_ms < 0.6, "{context}: minimum speed {off_ms} m/s off");
                    speeds += 1;
                }
                let lost = comparison.losses[index].loss_s().expect("a loss");
                assert!((result.loss_s - lost).abs() < 0.03, "{context}: {} for {lost} s", result.loss_s);
                count += 1;
            }
            assert!(
                lap.results.len() + 2 >= comparison.corners.len() / 2,
                "{context}: {}",
                lap.results.len()
            );
        }
        assert!(brakes > 8 && speeds > 12 && count > 12, "{feed:?}: {brakes} {speeds} {count}");
    }
}

#[test]
fn the_next_brake_point_comes_nearer_and_is_the_next_lap_s_after_the_last() {
    // Per corner number: the last distance before its brake point, and how often it was announced.
    let mut announced: BTreeMap<u16, u32> = BTreeMap::new();
    let mut before: Option<(u16, f64)> = None;
    let mut jumps = 0;
    drive(Feed::F1, 2314, &mut |session| {
        let comparison = session.live_comparison();
        let next = comparison.reference().and_then(|reference| comparison.corners().next(reference, true));
        let Some(next) = next else {
            before = None;
            return;
        };
        assert!(next.ahead_m > -10.5, "{next:?}");
        match before {
            Some((number, ahead_m)) if number == next.number => {
                if next.ahead_m > ahead_m + 1.0 {
                    jumps += 1;
                }
            }
            _ => *announced.entry(next.number).or_default() += 1,
        }
        before = Some((next.number, next.ahead_m));
    });
    assert!(announced.len() >= 4, "{announced:?}");
    assert!(announced.values().all(|times| *times >= 2), "each corner in each lap: {announced:?}");
    assert!(jumps <= 12, "only where a lap or a reference begins: {jumps}");
}

#[test]
fn a_stage_announces_no_corner_behind_its_finish() {
    let (mut announced, mut none) = (0, 0);
    drive(Feed::DirtRally, 2315, &mut |session| {
        let comparison = session.live_comparison();
        let Some(reference) = comparison.reference() else { return };
        let corners = comparison.corners();
        if corners.place_m().is_none() {
            return;
        }
        match corners.next(reference, !session.is_stage()) {
            Some(next) => {
                assert!(next.brake_m < f64::from(reference.curve.length_m()), "{next:?}");
                announced += 1;
            }
            None => none += 1,
        }
    });
    assert!(announced > 1000 && none > 20, "{announced} {none}");
}
