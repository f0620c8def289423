//! A car that the game sets back on the track for penalty seconds: what it costs is no cause in the driving.

use trailbrake_shared::analysis::{ExcursionKind, LapColumns, ThingsToFix, compare, coverage};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::Channel;
use trailbrake_shared::sim::Options;
use trailbrake_shared::time::LapTime;

use super::simulated::{Simulation, changed, simulate};

const PENALTY_MS: u32 = 15_000;

#[test]
fn penalty_seconds_on_the_clock_are_a_reset_and_no_advice() {
    let options = Options { cars: 1, player: 0, circuit: 0, seed: 8_301, again: false, ..Options::default() };
    let simulation = Simulation { feed: Feed::F1, options, seconds: 300, hz: 60, noise_m: 0.1, loses: 0.0 };
    let (laps, _) = simulate(&simulation);
    let [lap, reference, ..] = &laps[..] else { panic!("{} laps", laps.len()) };
    let plain = compare(&lap.columns(), &reference.columns()).expect("a comparison");
    let count = lap.columns.len();
    // At several places of the lap, in corners and on straights.
    for from in (1..10).map(|tenth| count * tenth / 10) {
        let penalty_s = PENALTY_MS as f32 / 1e3;
        let columns = changed(&lap.columns, |row, slot, value| {
            if slot == Channel::LapClock.slot() && row >= from { value + penalty_s } else { value }
        });
        let mut penalised = lap.lap.clone();
        penalised.time = lap.lap.time.map(|time| LapTime(time.0 + PENALTY_MS));
        penalised.flags = penalised.flags.with(LapFlag::Reset);
        let own = LapColumns::new(&penalised, &columns);
        let comparison = compare(&own, &reference.columns()).expect("a comparison");
        let place_m = plain.placed[0].distance_m[from];
        let excursions = &comparison.placed[0].excursions;
        let reset = excursions.iter().find(|one| one.kind == ExcursionKind::Reset);
        let reset = reset.unwrap_or_else(|| panic!("row {from}: {excursions:?}"));
        assert!((reset.from_m - 3.0..=reset.to_m + 3.0).contains(&place_m), "{place_m} m: {reset:?}");
        let advice = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]).advice;
        let loss_s = advice.iter().map(|thing| thing.loss_s).fold(0.0, f64::max);
        assert!(loss_s < 1.0, "{place_m} m: {advice:?}");
        // Nothing is missing there.
        let [with, without] = [&own, &lap.columns()].map(|lap| coverage(lap).expect("coverage").missing);
        assert_eq!(with, without, "{place_m} m");
        assert_eq!(comparison.placed[0].missing(), [], "{place_m} m");
    }
}
