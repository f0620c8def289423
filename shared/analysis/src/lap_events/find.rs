//! Finds the events of a lap.

use trailbrake_model::EventKind;

use super::trigger::EventSpan;
use super::{Kind, LapEvent, LapEvents, aids, gears, road, wheels};
use crate::LapColumns;

/// A sent event replaces a found one if they are no further apart than this, seconds.
const SAME_S: f64 = 0.5;

/// Finds all events of a lap. `sent` are events sent by the game, each with its time on the lap's clock; those outside
/// the lap are ignored.
pub fn lap_events(lap: &LapColumns<'_>, sent: &[(f64, &EventKind)]) -> LapEvents {
    let mut all = LapEvents::default();
    all.take(&[Kind::LockUp], wheels::lock_ups(lap));
    all.take(&[Kind::Wheelspin], wheels::wheelspin(lap));
    all.take(&[Kind::Kerb], road::kerbs(lap));
    all.take(&[Kind::BottomingFront, Kind::BottomingRear], road::bottoming(lap));
    all.take(&[Kind::Jump], road::jumps(lap));
    all.take(&[Kind::Impact], road::impacts(lap));
    all.take(&[Kind::ShiftUp, Kind::ShiftDown, Kind::MissedShift], gears::shifts(lap));
    all.take(&[Kind::RevLimit], gears::rev_limit(lap));
    all.take(&[Kind::Abs], aids::abs(lap));
    all.take(&[Kind::TractionControl], aids::traction_control(lap));
    all.take(&[Kind::StabilityControl], aids::stability_control(lap));
    all.take(&[Kind::Handbrake], aids::handbrake(lap));
    prefer_sent(&mut all, lap, sent);
    all.found.sort_by(|one, other| one.at.lap_s.total_cmp(&other.at.lap_s));
    all
}

/// Finds only jumps and handbrake use, which rally stages show.
pub fn of_stages(lap: &LapColumns<'_>, sent: &[(f64, &EventKind)]) -> LapEvents {
    let mut all = LapEvents::default();
    all.take(&[Kind::Jump], road::jumps(lap));
    all.take(&[Kind::Handbrake], aids::handbrake(lap));
    prefer_sent(&mut all, lap, sent);
    all
}

/// Replaces found events by those that the game sent for the same time.
fn prefer_sent(all: &mut LapEvents, lap: &LapColumns<'_>, sent: &[(f64, &EventKind)]) {
    for (clock_s, event) in sent.iter().filter(|(clock_s, _)| (0.0..=lap.seconds()).contains(clock_s)) {
        let (kind, lasts_s, size) = match event {
            EventKind::Landed { millis, centimetres } => {
                (Kind::Jump, f64::from(*millis) / 1e3, *centimetres as f32 / 1e2)
            }
            EventKind::Hit { milli_g } => (Kind::Impact, 0.0, *milli_g as f32 / 1e3),
            _ => continue,
        };
        let from_s = clock_s - lasts_s;
        let (began, ended) = (from_s - SAME_S, clock_s + SAME_S);
        all.found.retain(|found| {
            found.kind != kind || found.at.lap_s > ended || found.at.lap_s + found.lasts_s < began
        });
        let stretch = EventSpan { from_s, until_s: *clock_s, peak: size, peak_s: *clock_s };
        all.found.push(LapEvent::of(kind, lap, &stretch).sized(Some(size)));
        all.unavailable.retain(|(other, _)| *other != kind);
    }
}
