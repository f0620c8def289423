//! A corner in which another car was in the way is not blamed on the driver.

use trailbrake_shared::analysis::ledger::{Cause, Ledger, Part};
use trailbrake_shared::analysis::{LapColumns, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, Columns};
use trailbrake_shared::session::{Archive, LapContext};
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const OWN: Car = Car(3);
const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A finished lap of a race from the middle of the grid.
struct RaceLap {
    lap: Lap,
    columns: Columns,
    context: LapContext,
}

impl RaceLap {
    fn among(&self) -> LapColumns<'_> {
        self.alone().among(&self.context.close)
    }

    /// The lap as if nobody knew of the other cars.
    fn alone(&self) -> LapColumns<'_> {
        LapColumns::new(&self.lap, &self.columns)
    }
}

fn race() -> Vec<RaceLap> {
    let options = Options { start: Start::Grid, cars: 8, player: 3, seed: 77, ..Options::default() };
    let mut archive = Archive::default();
    let mut demo = Demo::new(Feed::F1, options, BEGAN).expect("a feed that is spoken");
    let sender = ([192, 168, 1, 20], 4000).into();
    for half in 1..560 {
        demo.advance(BEGAN.plus_seconds(f64::from(half) * 0.5), &mut |at, bytes| {
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes };
            archive.take(&datagram).expect("a packet of the game");
        });
    }
    let session = archive.session(0).expect("a session");
    let car = session.car(OWN).expect("the player");
    let laps = car.laps.finished().iter().filter_map(|lap| {
        let columns = car.traces.lap(lap.serial)?.clone();
        Some(RaceLap { lap: lap.clone(), columns, context: LapContext::of(session, OWN, lap) })
    });
    laps.collect()
}

fn ledger(lap: &LapColumns<'_>, reference: &LapColumns<'_>) -> Ledger {
    compare(lap, reference).expect("a comparison").ledger
}

#[test]
fn a_car_in_the_way_takes_the_blame() {
    let laps = race();
    assert!(laps.len() >= 2, "{} laps", laps.len());
    let (mut held_up, mut blamed_without) = (0, 0);
    for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
        let known = ledger(&lap.among(), &reference.among());
        let unknown = ledger(&lap.alone(), &reference.alone());
        for (row, plain) in known.rows.iter().zip(&unknown.rows) {
            let context = format!("lap {} against {}: {row:?}", lap.lap.number, reference.lap.number);
            let (Some(loss_s), Some(lost_s)) = (row.loss_s, row.lost_s) else { continue };
            let parts_s: f64 = row.parts.iter().map(|part| part.whole_s()).sum();
            assert!((parts_s - loss_s).abs() < 1e-9, "{context}");
            // What other cars did changes names, and no seconds.
            assert!((lost_s - plain.lost_s.expect("a loss")).abs() < 1e-9, "{context}");
            let in_traffic_s = row.part_s(Part::Traffic);
            assert!(row.gap_s.is_some() || in_traffic_s == 0.0, "{context}");
            if row.gap_s.is_some() && row.excursion.is_none() && in_traffic_s > 0.0 {
                held_up += 1;
                assert!(Cause::of(row).is_none_or(|cause| cause.part == Part::BroughtIn), "{context}");
                blamed_without += usize::from(Cause::of(plain).is_some());
            }
        }
        let sums = [known.loss_s(), unknown.loss_s()].map(|loss_s| loss_s.unwrap_or_default());
        assert!((sums[0] - sums[1]).abs() < 1e-9, "{sums:?}");
    }
    assert!(held_up >= 5 && blamed_without >= 3, "{held_up} held up, {blamed_without} of them blamed before");
}

#[test]
fn what_a_car_ahead_pulls_is_a_tow() {
    let laps = race();
    let mut tows = 0;
    for (lap, reference) in laps.iter().flat_map(|lap| laps.iter().map(move |other| (lap, other))) {
        for row in ledger(&lap.among(), &reference.among()).rows {
            tows += usize::from(row.parts.iter().any(|part| part.part == Part::Tow));
            if row.gap_s.is_some() {
                assert!(row.parts.iter().all(|part| part.part != Part::Drive), "{row:?}");
            }
        }
    }
    assert!(tows >= 3, "{tows} tows");
}
