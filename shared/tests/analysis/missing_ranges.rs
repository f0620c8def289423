//! A missing part of a lap yields no loss, no minimum speed and no brake point.

use trailbrake_shared::analysis::{CornerTable, PlacedLap, ReferenceLine, compare, find_corners};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Channel, Columns, Moment};
use trailbrake_shared::sim::Options;
use trailbrake_shared::time::Micros;

use super::shifted_lines::ShiftedLap;
use super::simulated::{SimulatedLap, Simulation, simulate};

fn laps(seed: u64) -> Vec<SimulatedLap> {
    let options = Options { cars: 1, player: 0, circuit: 0, seed, again: false, ..Options::default() };
    simulate(&Simulation { feed: Feed::F1, options, seconds: 270, hz: 60, noise_m: 0.1, loses: 0.02 }).0
}

/// The same lap, with no data between two times of its clock.
fn silent(lap: &SimulatedLap, from_s: f64, to_s: f64) -> SimulatedLap {
    let mut columns = Columns::default();
    let slots: Vec<_> = lap.columns.slots().collect();
    for (row, seconds) in (0..).zip(lap.columns.seconds()) {
        let clock = lap.columns.value(Channel::LapClock.slot(), row as usize).map(f64::from);
        if clock.is_some_and(|clock| (from_s..to_s).contains(&clock)) {
            continue;
        }
        let moment = Moment { at: Micros(0), session_time: Some(*seconds), frame: Some(row) };
        let values = slots.iter().filter_map(|slot| Some((*slot, lap.columns.value(*slot, row as usize)?)));
        columns.push(moment, values.collect::<Vec<_>>());
    }
    SimulatedLap { columns, ..lap.again() }
}

#[test]
fn missing_corners_have_no_loss_and_no_minimum_speed_and_the_others_keep_theirs() {
    let laps = laps(21);
    let mut laps: Vec<&SimulatedLap> = laps.iter().collect();
    laps.sort_by_key(|lap| lap.known.truth.time_ms);
    let [reference, lap, ..] = laps[..] else { panic!("{} laps", laps.len()) };
    let whole = compare(&lap.columns(), &reference.columns()).expect("a comparison");
    // Missing: until the middle of the second corner; and from before the sixth corner until behind its apex.
    let clock = |place_m: f64| whole.placed[0].clock_at(place_m).expect("a clock");
    let late = (0.0, clock(whole.corners[1].apex_m), 0..2);
    let hole = (clock(whole.corners[5].entry_m - 90.0), clock(whole.corners[5].apex_m + 5.0), 5..6);
    for (from_s, to_s, missing) in [late, hole] {
        let part = silent(lap, from_s, to_s);
        let compared = compare(&part.columns(), &reference.columns()).expect("a comparison");
        assert_eq!(compared.corners.len(), whole.corners.len());
        for (index, (loss, known)) in compared.losses.iter().zip(&whole.losses).enumerate() {
            let row = &compared.tables[0].rows[index];
            if missing.contains(&index) {
                assert_eq!(
                    (loss.loss_s(), row.min_ms, row.coasting_s, row.flat),
                    (None, None, None, None),
                    "{row:?}"
                );
                continue;
            }
            // A gap moves the losses near it by some thousandths of a second.
            let off_s = loss.loss_s().zip(known.loss_s()).map(|(one, other)| (one - other).abs());
            assert!(off_s.is_some_and(|off_s| off_s < 0.012), "{index}: {loss:?} {known:?}");
            assert!(row.min_ms.is_some() && row.exit_ms.is_some() && row.seconds.is_some(), "{row:?}");
        }
        for row in compared.ledger.rows.iter().filter(|row| row.place.corner.is_some()) {
            let index = usize::from(row.place.corner.expect("a corner")) - 1;
            assert!(row.loss_s.is_none() || !missing.contains(&index), "{row:?}");
        }
        // A gap between the ends of a mini-sector hides nothing of its loss.
        let unavailable = compared.minis.iter().take_while(|mini| mini.loss_s.is_none()).count();
        assert_eq!(unavailable > 0, from_s == 0.0, "{:?}", compared.minis);
    }
    assert!(whole.minis.iter().all(|mini| mini.loss_s.is_some()));
}

#[test]
fn a_brake_that_was_on_at_the_line_came_on_nowhere() {
    let laps = laps(22);
    for corner in [1, 5, 10] {
        let mut notes = laps[0].known.truth.corners.iter();
        let braking =
            notes.find(|note| note.corner == corner).and_then(|note| note.braking).expect("a braking");
        let at_m = (braking.on_m + braking.release_m) / 2.0;
        let lap = ShiftedLap::new(&laps, at_m).lap;
        let columns = lap.columns();
        let line = ReferenceLine::learn(&columns).expect("a line");
        let placed = PlacedLap::on_line(&columns, &line, None).expect("placed");
        let table = CornerTable::of(&columns, &placed, &find_corners(&line));
        let first = table.rows.first().expect("a corner");
        assert!(first.release_m.is_some(), "turn {corner} is not braked for: {first:?}");
        assert_eq!(
            (first.brake_on_m, first.peak, first.trail_m, first.lift_m),
            (None, None, None, None),
            "{first:?}"
        );
        assert!(table.rows.iter().skip(1).filter(|row| row.brake_on_m.is_some()).count() > 4, "{table:?}");
    }
}
