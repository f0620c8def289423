//! Rows with several channels of a lap: one for each moment at which the first channel was sent.

use serde::Serialize;

/// A row lasts until the next one, but at most this long, since nothing is known in a gap, seconds.
const LONGEST_S: f64 = 1.0;

/// A place in a lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Seconds on the lap's clock.
    pub lap_s: f64,
    /// Metres from the start line, if the lap's distance is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
}

/// The values of several channels at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<const N: usize> {
    /// Time on the lap's clock, seconds.
    pub clock_s: f64,
    /// Seconds until the next row.
    pub lasts_s: f64,
    /// The values, in the order of the channels asked for.
    pub values: [f32; N],
}

impl<const N: usize> Row<N> {
    /// Ends the row where the next one begins, on the lap's clock.
    pub(super) fn end_at(&mut self, clock_s: f64) {
        self.lasts_s = (clock_s - self.clock_s).clamp(0.0, LONGEST_S);
    }
}

#[cfg(test)]
pub(super) mod made {
    //! Synthetic laps, for the tests of everything that reads rows.

    use trailbrake_model::time::{LapTime, Micros};
    use trailbrake_model::{Columns, LapProgress, Moment, Slot};

    use crate::laps::{CarLaps, Lap};

    /// A moment on the game's clock.
    pub(crate) fn moment(seconds: f64) -> Moment {
        Moment { at: Micros(0).plus_seconds(seconds), session_time: Some(seconds), frame: None }
    }

    /// Columns of a number of samples at 60 Hz, with values by time.
    pub(crate) fn columns<V: IntoIterator<Item = (Slot, f32)>>(
        samples: usize,
        values: impl Fn(f64) -> V,
    ) -> Columns {
        columns_since(0.0, samples, values)
    }

    /// Like [`columns`], for a lap that began at a time on the game's clock. Values are given by the time since then.
    pub(crate) fn columns_since<V: IntoIterator<Item = (Slot, f32)>>(
        began_s: f64,
        samples: usize,
        values: impl Fn(f64) -> V,
    ) -> Columns {
        let mut columns = Columns::default();
        for sample in 0..samples {
            let seconds = sample as f64 / 60.0;
            columns.push(moment(began_s + seconds), values(seconds));
        }
        columns
    }

    /// Consecutive laps with these times in milliseconds. The first began at zero.
    pub(crate) fn laps(times: &[u32]) -> Vec<Lap> {
        let mut laps = CarLaps::default();
        let mut began = 0.0;
        let mut last_lap = None;
        for (lap, millis) in (1..).zip(times.iter().chain([&60_000])) {
            let progress = |clock: f64| LapProgress {
                moment: moment(began + clock),
                lap,
                clock: Some(clock as f32),
                last_lap,
                ..LapProgress::default()
            };
            laps.progress(&progress(0.0));
            laps.progress(&progress(0.5));
            last_lap = Some(LapTime(*millis));
            began += f64::from(*millis) / 1e3;
        }
        laps.finished().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::{Channel, Columns, Slot};

    use super::*;
    use crate::{LapColumns, Unavailable};

    const SPEED: Slot = Channel::Speed.slot();
    const FUEL: Slot = Channel::Fuel.slot();

    #[test]
    fn a_rare_channel_holds_until_it_is_too_old() {
        let columns = made::columns(300, |seconds| {
            let rare = (seconds == 0.5 || seconds == 1.0).then_some((FUEL, seconds as f32));
            [(SPEED, 50.0)].into_iter().chain(rare)
        });
        let laps = made::laps(&[60_000]);
        let lap = LapColumns::new(&laps[0], &columns);
        let rows = lap.rows([SPEED, FUEL]).expect("rows");
        assert_eq!((rows[0].clock_s, rows[0].values), (0.5, [50.0, 0.5]));
        assert_eq!(rows[30].values, [50.0, 1.0]);
        assert_eq!(rows.last().map(|row| (row.clock_s, row.lasts_s)), Some((3.0, 0.0)));
        assert!((rows[0].lasts_s - 1.0 / 60.0).abs() < 1e-9);
        assert_eq!(lap.rows([Channel::Abs.slot()]), Err(Unavailable::not_sent(&[Channel::Abs])));
    }

    #[test]
    fn a_stretch_has_the_rows_that_the_lap_has_there() {
        let columns = made::columns(300, |seconds| {
            let rare = (seconds == 1.0 || seconds == 3.0).then_some((FUEL, seconds as f32));
            [(SPEED, seconds as f32)].into_iter().chain(rare)
        });
        let laps = made::laps(&[60_000]);
        let lap = LapColumns::new(&laps[0], &columns);
        let part = 2.0..=2.5;
        let all = lap.rows([SPEED, FUEL]).expect("rows");
        let inside: Vec<Row<2>> = all.into_iter().filter(|row| part.contains(&row.clock_s)).collect();
        let rows = lap.rows_between([SPEED, FUEL], part).expect("rows");
        assert_eq!(rows.len(), 31);
        let values = |rows: &[Row<2>]| rows.iter().map(|row| (row.clock_s, row.values)).collect::<Vec<_>>();
        assert_eq!(values(&rows), values(&inside));
        assert_eq!(lap.rows_between([SPEED], 7.0..=8.0), Ok(Vec::new()));
    }

    #[test]
    fn a_place_has_its_distance_where_there_is_one() {
        let laps = made::laps(&[60_000]);
        let with = made::columns(120, |seconds| [(Channel::LapDistance.slot(), seconds as f32 * 10.0)]);
        let lap = LapColumns::new(&laps[0], &with);
        assert_eq!(lap.place(1.0), Place { lap_s: 1.0, distance_m: Some(10.0) });
        let without = made::columns(120, |_| [(SPEED, 1.0)]);
        let lap = LapColumns::new(&laps[0], &without);
        assert_eq!(lap.place(1.0).distance_m, None);
    }

    proptest! {
        #[test]
        fn rows_rise_and_hold_numbers_only(
            sent in prop::collection::vec((0_u8..3, prop::num::f32::ANY, 0.0_f64..3.0), 0..60),
        ) {
            let mut columns = Columns::default();
            let mut seconds = 0.0;
            for (which, value, step) in sent {
                seconds += step;
                let slots = [SPEED, FUEL];
                let values = slots.iter().enumerate().filter(|(place, _)| which == 2 || usize::from(which) == *place);
                columns.push(made::moment(seconds), values.map(|(_, slot)| (*slot, value)));
            }
            let laps = made::laps(&[60_000]);
            if let Ok(rows) = LapColumns::new(&laps[0], &columns).rows([SPEED, FUEL]) {
                prop_assert!(rows.is_sorted_by(|a, b| a.clock_s < b.clock_s));
                prop_assert!(rows.iter().all(|row| row.values.iter().all(|value| value.is_finite())));
                prop_assert!(rows.iter().all(|row| (0.0..=LONGEST_S).contains(&row.lasts_s)));
            }
        }
    }
}
