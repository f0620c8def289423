//! What Live shows of the reference around the car: its channels ahead, its ghost, the predicted time, and what the
//! delta can be against.

use trailbrake_shared::analysis::{Combo, Comparison, LapColumns, Method, TheoreticalBest, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Channel, Columns};
use trailbrake_shared::session::{
    CarState, DeltaTarget, DriverChoices, FinishedDelta, Ghost, Receiver, ReferenceWindow, Retention,
    RivalLap, RivalMismatch, Session, choices, take_earlier_best, take_rival,
};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

const HZ: u32 = 60;
const BEGAN: Micros = Micros(1_000_000);
const CHANNELS: [Channel; 3] = [Channel::Speed, Channel::Brake, Channel::Gear];
const BEHIND_S: f64 = 7.0;
const AHEAD_S: f64 = 5.0;

/// Drives for some minutes, and calls `each` after each frame.
fn drive(feed: Feed, seed: u64, seconds: u32, each: &mut dyn FnMut(&mut Session)) -> Receiver {
    // A rally driver drives the stage again: a single run has nothing to be compared with.
    let again = matches!(feed, Feed::DirtRally | Feed::EaWrc);
    let options = Options { cars: 1, player: 0, seed, again, ..Options::default() };
    let mut demo = Demo::new(feed, options, BEGAN).expect("a demo");
    let retention = Retention { player_bytes: usize::MAX, ..Retention::default() };
    let mut receiver = Receiver::new(retention);
    for frame in 1..=seconds * HZ {
        let now = Micros(BEGAN.0 + u64::from(frame) * 1_000_000 / u64::from(HZ) - 1_000);
        demo.advance(now, &mut |at, bytes| {
            let datagram =
                Datagram { at, sender: ([127, 0, 0, 1], 9).into(), port: 0, feed: Some(feed), bytes };
            receiver.receive(&datagram).expect("a packet");
        });
        if let Some(session) = receiver.session_mut() {
            each(session);
        }
    }
    receiver
}

fn player(session: &Session) -> &CarState {
    session.player().and_then(|player| session.car(player)).expect("a player")
}

/// A channel's value at a time on a lap's clock, from the two rows around it.
fn value_at(columns: &Columns, channel: Channel, clock_s: f64) -> Option<f64> {
    let clock = |row: usize| columns.value(Channel::LapClock.slot(), row).map(f64::from);
    let rows = || (0..columns.len()).filter(|row| clock(*row).is_some());
    let before = rows().take_while(|row| clock(*row) <= Some(clock_s)).last()?;
    let after = rows().find(|row| clock(*row) > Some(clock_s))?;
    let [from, to] = [before, after].map(|row| columns.latest(channel.slot(), row).map(f64::from));
    let [from_s, to_s] = [clock(before)?, clock(after)?];
    Some(from? + (to? - from?) * (clock_s - from_s) / (to_s - from_s))
}

/// The speed where the game's own distance was this much.
fn speed_at_distance(columns: &Columns, metres: f32) -> Option<f32> {
    let distance = |row: usize| columns.value(Channel::LapDistance.slot(), row);
    let row = (0..columns.len()).find(|row| distance(*row).is_some_and(|other| other >= metres))?;
    columns.latest(Channel::Speed.slot(), row)
}

#[test]
fn the_reference_is_shown_around_the_car() {
    for (feed, seed) in [(Feed::F1, 5101), (Feed::GranTurismo, 5102), (Feed::AcRemote, 5103)] {
        let mut window = ReferenceWindow::new(CHANNELS);
        let (mut frame, mut here, mut ahead, mut next_lap) = (0, 0, 0, 0);
        drive(feed, seed, 240, &mut |session| {
            frame += 1;
            if frame % 37 != 0 {
                return;
            }
            window.fill(session, BEHIND_S, AHEAD_S);
            let comparison = session.live_comparison();
            let Some(now_s) = window.now_s() else {
                assert!(window.rows().is_empty());
                return;
            };
            assert!(window.rows().is_sorted_by(|a, b| a.0 < b.0), "{feed:?}");
            let reference = comparison.reference().expect("a reference");
            let columns = comparison.reference_columns(player(session)).expect("columns");
            let place_m = comparison.corners().place_m().expect("a place");
            let clock_s = f64::from(reference.curve.clock_at(place_m as f32).expect("a clock"));
            let lap_s = reference.curve.time().seconds();
            for (seconds, [speed, ..]) in window.rows() {
                let at_s = clock_s + seconds - now_s;
                // Rows behind the car are those of the places where it was.
                if at_s < clock_s - 1e-6 {
                    continue;
                }
                let known = value_at(columns, Channel::Speed, at_s % lap_s);
                let Some(known) = known else { continue };
                let off_ms = (f64::from(*speed) - known).abs();
                assert!(off_ms < 0.5, "{feed:?}: {off_ms} m/s off at {at_s} s of {lap_s} s");
                here += usize::from((at_s - clock_s).abs() < 1e-6);
                ahead += usize::from(at_s > clock_s + 1.0);
                next_lap += usize::from(at_s > lap_s + 0.5);
            }
            let last_s = window.rows().last().expect("rows").0;
            assert!((last_s - now_s - AHEAD_S).abs() < 0.3, "{feed:?}: {} s ahead", last_s - now_s);
        });
        assert!(here > 100 && ahead > 5_000 && next_lap > 100, "{feed:?}: {here} {ahead} {next_lap}");
    }
}

#[test]
fn behind_the_car_the_reference_is_shown_where_the_car_was() {
    let mut window = ReferenceWindow::new(CHANNELS);
    let (mut frame, mut compared) = (0, 0);
    drive(Feed::F1, 5104, 240, &mut |session| {
        frame += 1;
        if frame % 41 != 0 {
            return;
        }
        window.fill(session, BEHIND_S, AHEAD_S);
        let Some(now_s) = window.now_s() else { return };
        let comparison = session.live_comparison();
        let car = player(session);
        let columns = comparison.reference_columns(car).expect("columns");
        let current = car.traces.current();
        // The game's own distance says where both were.
        for (seconds, [speed, ..]) in
            window.rows().iter().filter(|(seconds, _)| *seconds <= now_s).step_by(20)
        {
            let Some(row) = current.row_at(*seconds) else { continue };
            let Some(metres) = current.value(Channel::LapDistance.slot(), row) else { continue };
            let Some(known) = speed_at_distance(columns, metres) else { continue };
            let off_ms = f64::from((speed - known).abs());
            // Both distances differ by a metre or two.
            assert!(off_ms < 3.0, "{off_ms} m/s off at {metres} m");
            compared += 1;
        }
    });
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn nothing_follows_the_end_of_a_stage() {
    let mut window = ReferenceWindow::new(CHANNELS);
    let mut short = 0;
    drive(Feed::DirtRally, 5105, 420, &mut |session| {
        window.fill(session, BEHIND_S, AHEAD_S);
        let Some(now_s) = window.now_s() else { return };
        let comparison = session.live_comparison();
        let reference = comparison.reference().expect("a reference");
        let place_m = comparison.corners().place_m().expect("a place") as f32;
        let left_s = reference.curve.time().seconds()
            - f64::from(reference.curve.clock_at(place_m).unwrap_or_default());
        let ahead_s = window.rows().last().map_or(0.0, |(seconds, _)| seconds - now_s);
        assert!(ahead_s <= left_s.max(0.0) + 0.05, "{ahead_s} s of {left_s} s");
        short += usize::from(left_s < AHEAD_S - 1.0);
    });
    assert!(short > 60, "{short}");
}

#[test]
fn the_ghost_is_ahead_when_the_car_is_behind() {
    for (feed, seed) in [(Feed::F1, 5111), (Feed::GranTurismo, 5112), (Feed::AcRemote, 5113)] {
        for target in [DeltaTarget::SessionBest, DeltaTarget::TheoreticalBest] {
            let (mut ahead, mut behind, mut at) = (0, 0, 0);
            drive(feed, seed, 360, &mut |session| {
                choices::choose(session, DriverChoices { target, ..DriverChoices::default() });
                let comparison = session.live_comparison();
                let known =
                    Ghost::of(session).zip(comparison.corners().place_m()).zip(comparison.delta().ok());
                let Some(((ghost, place_m), delta_s)) = known else { return };
                let length_m = f64::from(comparison.reference().expect("a reference").curve.length_m());
                // Near the line one of both may be in the next lap.
                let lead_m = f64::from(ghost.place_m) - place_m;
                if lead_m.abs() > length_m / 2.0 || delta_s.abs() < 0.03 {
                    return;
                }
                assert_eq!(lead_m > 0.0, delta_s > 0.0, "{feed:?}, {target:?}: {lead_m} m, {delta_s} s");
                *if lead_m > 0.0 { &mut ahead } else { &mut behind } += 1;
                // The distance between both on the map is at most that along the track.
                let axes = [trailbrake_shared::model::Axis::X, trailbrake_shared::model::Axis::Z];
                let car = axes.map(|axis| {
                    player(session).latest.value(Channel::Position.along(axis)).expect("a position")
                });
                let apart_m = f64::from((ghost.position[0] - car[0]).hypot(ghost.position[2] - car[1]));
                assert!(
                    apart_m < lead_m.abs() + 12.0,
                    "{feed:?}: {apart_m} m apart, {lead_m} m along the track"
                );
                at += 1;
            });
            assert!(at > 2_000 && ahead > 200, "{feed:?}, {target:?}: {ahead} ahead, {behind} behind");
        }
    }
}

/// The laps that ended while they were compared: what with and its time, the last predicted time, and the final delta.
struct Ended {
    with: (DeltaTarget, LapTime),
    predicted: Option<LapTime>,
    finished: FinishedDelta,
}

fn ended_laps(
    feed: Feed,
    seed: u64,
    target: DeltaTarget,
    prepare: &mut dyn FnMut(&mut Session),
) -> (Vec<Ended>, Receiver) {
    let mut ended: Vec<Ended> = Vec::new();
    let mut before = None;
    // Two stages take longer than two laps.
    let seconds = if feed == Feed::DirtRally { 700 } else { 420 };
    let receiver = drive(feed, seed, seconds, &mut |session| {
        prepare(session);
        choices::choose(session, DriverChoices { target, ..DriverChoices::default() });
        let comparison = session.live_comparison();
        let known = ended.last().map(|ended| ended.finished.serial);
        if let Some(finished) = comparison.finished().filter(|finished| Some(finished.serial) != known)
            && let Some((with, predicted)) = before.take()
        {
            ended.push(Ended { with, predicted, finished: finished.clone() });
        }
        before = comparison.compared_with().map(|with| (with, comparison.predicted()));
    });
    (ended, receiver)
}

fn lap(session: &Session, serial: u32) -> (&Lap, LapColumns<'_>) {
    let state = player(session);
    let lap = state.laps.finished().iter().find(|lap| lap.serial == serial).expect("a lap");
    (lap, LapColumns::new(lap, state.traces.lap(serial).expect("columns")))
}

#[test]
fn the_predicted_time_comes_true() {
    for (feed, seed) in
        [(Feed::F1, 5121), (Feed::GranTurismo, 5122), (Feed::AcRemote, 5123), (Feed::DirtRally, 5124)]
    {
        let (ended, receiver) = ended_laps(feed, seed, DeltaTarget::SessionBest, &mut |_| {});
        assert!(!ended.is_empty());
        for Ended { predicted, finished, .. } in &ended {
            let (own, _) = lap(receiver.session().expect("a session"), finished.serial);
            let off_ms = predicted.expect("a prediction").minus(own.time.expect("a time"));
            assert!(off_ms.abs() <= 40, "{feed:?}: {off_ms} ms off at the line");
        }
    }
}

#[test]
fn the_delta_to_the_theoretical_best_ends_at_the_difference_of_the_times() {
    for (feed, seed) in [(Feed::F1, 5131), (Feed::GranTurismo, 5132), (Feed::AcTelemetryTool, 5133)] {
        let (ended, receiver) = ended_laps(feed, seed, DeltaTarget::TheoreticalBest, &mut |_| {});
        let session = receiver.session().expect("a session");
        assert!(ended.len() >= 2, "{feed:?}: {}", ended.len());
        for (index, Ended { with: (with, time), finished, .. }) in ended.iter().enumerate() {
            assert_eq!((*with, finished.reference), (DeltaTarget::TheoreticalBest, None));
            let (own, _) = lap(session, finished.serial);
            assert_eq!(finished.behind_ms, own.time.expect("a time").minus(*time), "{feed:?}");
            let points = &finished.points;
            let [.., last, end] = points.as_slice() else { panic!("no points") };
            assert!((last.1 - end.1).abs() < 0.02, "{feed:?}: {} before {}", last.1, end.1);
            // The same from the laps so far, as Analyse shows it.
            let serials = ended.iter().take(index).map(|ended| ended.finished.serial);
            let first =
                player(session).laps.finished().iter().find(|lap| lap.counts().is_some()).expect("a lap");
            let (reference, reference_columns) = lap(session, first.serial);
            let compared: Vec<(&Lap, Comparison)> = serials
                .map(|serial| lap(session, serial))
                .filter(|(own, _)| own.serial != first.serial)
                .map(|(own, columns)| (own, compare(&columns, &reference_columns).expect("a comparison")))
                .collect();
            let laps: Vec<(&Lap, &Comparison)> =
                compared.iter().map(|(lap, compared)| (*lap, compared)).collect();
            if let Some(best) = TheoreticalBest::of(&laps, Some(reference)).mini_sectors {
                let off_s = best.time_s - time.seconds();
                assert!(off_s.abs() < 0.03, "{feed:?}, lap {index}: {off_s} s from {} s", best.time_s);
            }
        }
        // It is made of several laps by then.
        let best = player(session).laps.best().and_then(|lap| lap.time).expect("a best lap");
        let (_, time) = session.live_comparison().compared_with().expect("a theoretical best");
        assert!(best.minus(time) > 10, "{feed:?}: {time} against {best}");
    }
}

#[test]
fn the_delta_to_an_all_time_best_is_that_of_the_comparison() {
    for feed in [Feed::F1, Feed::GranTurismo] {
        let sessions = [5141, 5142].map(|seed| (seed, drive(feed, seed, 420, &mut |_| {})));
        let best = |receiver: &Receiver| {
            let session = receiver.session().expect("a session");
            let lap = player(session).laps.best().expect("a best lap").clone();
            (lap.clone(), player(session).traces.lap(lap.serial).expect("columns").clone())
        };
        let [(one, first), (other, second)] = sessions;
        let (slower, (earlier, columns)) = match (best(&first), best(&second)) {
            (faster, slower) if faster.0.time < slower.0.time => (other, faster),
            (_, faster) => (one, faster),
        };
        let (ended, receiver) = ended_laps(feed, slower, DeltaTarget::AllTimeBest, &mut |session| {
            if session.player().is_some() && !session.live_comparison().has_earlier() {
                take_earlier_best(session, &earlier, &columns);
            }
        });
        assert!(ended.len() >= 3, "{feed:?}: {}", ended.len());
        let session = receiver.session().expect("a session");
        let reference = LapColumns::new(&earlier, &columns);
        for Ended { with, finished, .. } in &ended {
            assert_eq!((with.0, finished.reference), (DeltaTarget::AllTimeBest, None));
            let (own, own_columns) = lap(session, finished.serial);
            assert_eq!(finished.behind_ms, own.time.expect("a time").minus(earlier.time.expect("a time")));
            let comparison = compare(&own_columns, &reference).expect("a comparison");
            for (place, delta) in finished.points.iter().step_by(50) {
                let Some(known) = comparison.at(f64::from(*place)) else { continue };
                assert!(
                    (f64::from(*delta) - known).abs() < 0.02,
                    "{feed:?}: {delta} is not {known} at {place} m"
                );
            }
        }
        // Without that choice the session's own best takes over.
        let mut session = session.clone();
        choices::choose(&mut session, DriverChoices::default());
        let (what, time) = session.live_comparison().compared_with().expect("a reference");
        assert_eq!(
            (what, Some(time)),
            (DeltaTarget::SessionBest, player(&session).laps.best().and_then(|lap| lap.time))
        );
    }
}

#[test]
fn brake_points_set_by_hand_are_the_next_ones() {
    let mut seen = [0, 0];
    drive(Feed::F1, 5151, 300, &mut |session| {
        let comparison = session.live_comparison();
        let Some(reference) = comparison.reference() else { return };
        let corners = reference.corners.as_ref().expect("corners");
        let (_, first_m) = corners.brake_points().next().expect("a brake point");
        if comparison.choices().brake_points.is_empty() {
            let brake_points = vec![first_m - 20.0];
            choices::choose(session, DriverChoices { brake_points, ..DriverChoices::default() });
            return;
        }
        let by_hand = comparison.choices().brake_points[0];
        let Some(next) = comparison.corners().next(reference, true) else { return };
        let place_m = comparison.corners().place_m().expect("a place");
        if next.brake_m == by_hand {
            seen[usize::from(place_m > by_hand)] += 1;
        }
        // A new reference keeps it; the reference's own one nearby is replaced.
        assert_eq!(reference.brake_points.iter().filter(|point| point.by_hand).count(), 1);
        assert!(next.number != 1 || next.brake_m == by_hand, "{next:?}");
    });
    assert!(seen[0] > 30 && seen[1] > 30, "in the lap and behind its last corner: {seen:?}");
}

/// What is driven here, as the lap table of a recording would name it.
fn combo_of(feed: Feed, track: &str) -> Combo {
    Combo { game: Some(feed.info().game.to_owned()), track: Some(track.to_owned()), car: None }
}

/// The best lap that another driver had with this seed.
fn rival_of(feed: Feed, seed: u64, combo: Combo) -> RivalLap {
    let receiver = drive(feed, seed, 420, &mut |_| {});
    let session = receiver.session().expect("a session");
    let lap = player(session).laps.best().expect("a best lap").clone();
    let columns = player(session).traces.lap(lap.serial).expect("columns").clone();
    RivalLap { name: "Ann".to_owned(), combo, lap, columns }
}

#[test]
fn the_delta_to_a_rivals_lap_is_that_of_the_comparison() {
    for feed in [Feed::F1, Feed::GranTurismo, Feed::DirtRally] {
        let here = combo_of(feed, "Here");
        // From the game itself, and from a file of another program, whose positions have another origin.
        for (is_of_game, tolerance_s) in [(true, 0.02), (false, 0.15)] {
            let combo = if is_of_game { here.clone() } else { Combo::default() };
            let mut rival = rival_of(feed, 5151, combo);
            if !is_of_game {
                rival.columns.shift(Channel::Position.along(trailbrake_shared::model::Axis::X), 35.0);
            }
            let mut method = None;
            let (ended, receiver) = ended_laps(feed, 5152, DeltaTarget::Rival, &mut |session| {
                let against = session.live_comparison();
                let is_taken = against.compared_with().is_some_and(|(with, _)| with == DeltaTarget::Rival);
                if session.player().is_some() && !is_taken {
                    take_rival(session, &rival, &here);
                }
                method = session.live_comparison().method();
            });
            let session = receiver.session().expect("a session");
            if !is_of_game && feed == Feed::GranTurismo {
                // It sends neither the track's length nor a distance before a lap is driven.
                assert_ne!(method, Some(Method::Position));
                continue;
            }
            assert!(!ended.is_empty(), "{feed:?}");
            assert_eq!(method == Some(Method::Position), is_of_game, "{feed:?}: {method:?}");
            let reference = LapColumns::new(&rival.lap, &rival.columns);
            let mut compared = 0;
            for Ended { with, finished, .. } in &ended {
                assert_eq!((with.0, finished.reference), (DeltaTarget::Rival, None), "{feed:?}");
                let (own, own_columns) = lap(session, finished.serial);
                let behind_ms = own.time.expect("a time").minus(rival.lap.time.expect("a time"));
                assert_eq!(finished.behind_ms, behind_ms, "{feed:?}");
                let Ok(comparison) = compare(&own_columns, &reference) else { continue };
                // A car that stands on the start line is at the same place while its clock runs.
                let moving = finished.points.iter().filter(|(place, _)| *place > 20.0);
                for (place, delta) in moving.step_by(50) {
                    let Some(known) = comparison.at(f64::from(*place)) else { continue };
                    let off_s = (f64::from(*delta) - known).abs();
                    assert!(off_s < tolerance_s, "{feed:?}, {method:?}: {delta} is not {known} at {place} m");
                    compared += 1;
                }
            }
            assert!(compared > 100, "{feed:?}: {compared}");
            // Without that choice the session's own best takes over.
            let mut session = session.clone();
            choices::choose(&mut session, DriverChoices::default());
            let with = session.live_comparison().compared_with().map(|(with, _)| with);
            assert_eq!(with, Some(DeltaTarget::SessionBest), "{feed:?}");
        }
    }
}

#[test]
fn a_rivals_lap_of_another_track_is_no_reference() {
    let here = combo_of(Feed::F1, "Here");
    let elsewhere = rival_of(Feed::F1, 5161, combo_of(Feed::F1, "Elsewhere"));
    let stage = rival_of(Feed::DirtRally, 5162, combo_of(Feed::DirtRally, "A stage"));
    let nowhere = RivalLap { columns: Columns::default(), combo: here.clone(), ..elsewhere.clone() };
    for (rival, mismatch) in [
        (&elsewhere, RivalMismatch::OtherTrack("Elsewhere".to_owned())),
        (&stage, RivalMismatch::OtherLength),
        (&nowhere, RivalMismatch::NotPlaced),
    ] {
        let mut receiver = drive(Feed::F1, 5163, 120, &mut |_| {});
        let session = receiver.session_mut().expect("a session");
        choices::choose(session, DriverChoices { target: DeltaTarget::Rival, ..DriverChoices::default() });
        take_rival(session, rival, &here);
        let against = session.live_comparison();
        assert_eq!(against.rival(), Some(("Ann", Some(&mismatch))));
        assert_ne!(against.compared_with().map(|(with, _)| with), Some(DeltaTarget::Rival));
    }
}
