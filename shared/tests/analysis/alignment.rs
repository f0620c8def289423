//! Laps laid side by side: the delta at every place against the known one.

use trailbrake_shared::analysis::Comparison;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::Options;

use super::heard::{HeardLap, Hearing, hear};

/// How far the delta is from what is known, at its worst, seconds.
fn worst_s(lap: &HeardLap, reference: &HeardLap) -> f64 {
    let comparison = Comparison::new(&lap.columns(), &reference.columns()).expect("a comparison");
    let [placed, _] = &comparison.placed;
    let end_s = f64::from(lap.known.truth.time_ms) / 1e3;
    let off = |tenth: u32| {
        let seconds = f64::from(tenth) / 10.0;
        let place = placed.place_at(seconds).expect("a place");
        let known = seconds - reference.known.time_at(lap.known.place_at(seconds));
        (comparison.at(place).expect("a delta") - known).abs()
    };
    (1..(end_s * 10.0) as u32 - 1).map(off).fold(0.0, f64::max)
}

#[test]
fn the_delta_is_the_known_one_at_every_place() {
    for feed in [Feed::F12018, Feed::GranTurismo, Feed::AcRemote, Feed::AcTelemetryTool] {
        for (hz, within_s) in [(60, 0.010), (20, 0.025)] {
            let options = Options { cars: 2, player: 0, again: false, ..Options::default() };
            let (laps, _) = hear(&Hearing { feed, options, seconds: 270, hz, noise_m: 0.1, loses: 0.02 });
            let [first, second, ..] = laps.as_slice() else { panic!("{} laps", laps.len()) };
            let worst_s = worst_s(second, first);
            assert!(worst_s < within_s, "{feed:?} at {hz} Hz: {worst_s}");
        }
    }
}
