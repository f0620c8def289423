//! A rally stage: even splits, surfaces under the wheels, and the number and duration of events.

use serde::Serialize;
use trailbrake_model::{Channel, Surface, Wheel};

use super::lap_events::{Kind, LapEvents};
use super::{LapColumns, Reference, Unavailable};

/// A part of less than a hundredth is shorter than a corner.
const MOST_SPLITS: usize = 100;

/// A split at an even fraction of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EvenSplit {
    /// Its fraction of the distance.
    pub share: f64,
    /// The clock there, seconds.
    pub clock_s: f64,
    /// Seconds since the previous split.
    pub part_s: f64,
}

/// Even splits of a stage or lap. The last one has the official time.
pub fn even_splits(curve: &Reference, parts: usize) -> Vec<EvenSplit> {
    let parts = parts.clamp(1, MOST_SPLITS);
    let mut splits: Vec<EvenSplit> = Vec::with_capacity(parts);
    for part in 1..=parts {
        let share = part as f64 / parts as f64;
        let Some(clock) = curve.clock_at((share * f64::from(curve.length_m())) as f32) else { continue };
        let clock_s = f64::from(clock);
        let before = splits.last().map_or(0.0, |split| split.clock_s);
        splits.push(EvenSplit { share, clock_s, part_s: clock_s - before });
    }
    splits
}

/// Surfaces under one wheel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WheelSurfaces {
    /// The wheel.
    #[serde(serialize_with = "super::names::wheel")]
    pub wheel: Wheel,
    /// Surface names with their part of the time, the most frequent first.
    pub shares: Vec<(&'static str, f64)>,
}

/// Surfaces under each wheel, by time.
pub fn surfaces(lap: &LapColumns<'_>) -> Result<[WheelSurfaces; 4], Unavailable> {
    let [fl, fr, rl, rr] = Wheel::ALL.map(|wheel| wheel_surfaces(lap, wheel));
    Ok([fl?, fr?, rl?, rr?])
}

fn wheel_surfaces(lap: &LapColumns<'_>, wheel: Wheel) -> Result<WheelSurfaces, Unavailable> {
    let under = lap.rows([Channel::Surface.of(wheel)])?;
    let whole: f64 = under.iter().map(|row| row.lasts_s).sum();
    let mut shares: Vec<(&'static str, f64)> = Vec::new();
    for row in under.iter().filter(|_| whole > 0.0) {
        let name = Surface::from_number(row.values[0] as u16).map_or("unknown", Surface::name);
        let share = row.lasts_s / whole;
        match shares.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += share,
            None => shares.push((name, share)),
        }
    }
    // Insertion sort, since there are few surfaces.
    let mut sorted: Vec<(&'static str, f64)> = Vec::with_capacity(shares.len());
    for one in shares {
        let place = sorted.iter().position(|other| other.1 < one.1);
        sorted.insert(place.unwrap_or(sorted.len()), one);
    }
    Ok(WheelSurfaces { wheel, shares: sorted })
}

/// Number and duration of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Number of events.
    pub times: usize,
    /// Total duration, seconds.
    pub seconds: f64,
}

/// Number and duration of events of a kind. `None` if the game does not send what it takes to find them.
pub fn times(lap_events: &LapEvents, kind: Kind) -> Option<Times> {
    let of_kind = lap_events.found.iter().filter(|event| event.kind == kind);
    let add = |sum: Times, one: f64| Times { times: sum.times + 1, seconds: sum.seconds + one };
    let sum = of_kind.map(|event| event.lasts_s).fold(Times::default(), add);
    lap_events.can_find(kind).then_some(sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::time::LapTime;

    use super::super::rows::made;
    use super::*;

    #[test]
    fn splits_are_even_and_end_with_the_official_time() {
        // 2000 m at 20 m/s, then 2000 m at 40 m/s.
        let points = (0..4000).map(|metres| {
            let metres = metres as f32;
            (metres, if metres < 2000.0 { metres / 20.0 } else { 100.0 + (metres - 2000.0) / 40.0 })
        });
        let curve = Reference::new(points, LapTime(150_000)).expect("a curve");
        let splits = even_splits(&curve, 4);
        for (split, known) in splits.iter().zip([50.0, 50.0, 25.0, 25.0]) {
            assert!((split.part_s - known).abs() < 0.01, "{splits:?}");
        }
        assert!((splits[3].clock_s - 150.0).abs() < 1e-3);
        assert_eq!((even_splits(&curve, 0).len(), even_splits(&curve, 9999).len()), (1, 100));
    }

    #[test]
    fn surfaces_divide_the_time() {
        let columns = made::columns(601, |seconds| {
            Wheel::ALL.map(|wheel| {
                let gravel = wheel == Wheel::RearLeft && seconds >= 8.0;
                let surface = if gravel { Surface::Gravel } else { Surface::Tarmac };
                (Channel::Surface.of(wheel), f32::from(surface.number()))
            })
        });
        let laps = made::laps(&[60_000]);
        let wheels = surfaces(&LapColumns::new(&laps[0], &columns)).expect("surfaces");
        assert_eq!(wheels[0].shares.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["tarmac"]);
        let [(first, most), (second, rest)] = wheels[2].shares.as_slice() else { panic!("{wheels:?}") };
        assert_eq!((*first, *second), ("tarmac", "gravel"));
        assert!((most - 0.8).abs() < 0.01 && (rest - 0.2).abs() < 0.01);
    }

    #[test]
    fn times_are_counted_and_added() {
        let columns = made::columns(600, |seconds| {
            let pulled = (1.0..1.5).contains(&seconds) || (3.0..4.0).contains(&seconds);
            [(Channel::Handbrake.slot(), f32::from(u8::from(pulled)))]
        });
        let laps = made::laps(&[60_000]);
        let all = super::super::lap_events::lap_events(&LapColumns::new(&laps[0], &columns), &[]);
        let pulled = times(&all, Kind::Handbrake).expect("a handbrake");
        assert!(pulled.times == 2 && (pulled.seconds - 1.5).abs() < 0.01, "{pulled:?}");
        assert_eq!(times(&all, Kind::Jump), None, "no channel shows jumps");
    }

    proptest! {
        #[test]
        fn any_surface_is_counted(numbers in prop::collection::vec(prop::num::f32::ANY, 2..80)) {
            let columns = made::columns(numbers.len(), |seconds| {
                Wheel::ALL.map(|wheel| (Channel::Surface.of(wheel), numbers[(seconds * 60.0).round() as usize]))
            });
            let laps = made::laps(&[60_000]);
            for wheel in surfaces(&LapColumns::new(&laps[0], &columns)).into_iter().flatten() {
                let sum: f64 = wheel.shares.iter().map(|(_, share)| share).sum();
                prop_assert!(wheel.shares.is_empty() || (sum - 1.0).abs() < 1e-6);
            }
        }
    }
}
