//! Rows with several channels of a lap: one for each moment at which the first channel was sent.

use std::ops::RangeInclusive;

use serde::Serialize;
use trailbrake_model::{Channel, Slot};

use super::{LapColumns, Unavailable};

/// A row lasts until the next one, but at most this long, since nothing is known in a gap, seconds.
const LONGEST_S: f64 = 1.0;
/// A channel that is sent more rarely than the first holds its value for this long, seconds.
const HOLDS_S: f64 = 2.0;

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

impl LapColumns<'_> {
    /// Rows of channels as they were sent: nothing is interpolated, and values that are not finite are left out.
    pub fn rows<const N: usize>(&self, slots: [Slot; N]) -> Result<Vec<Row<N>>, Unavailable> {
        let rows = self.rows_between(slots, f64::NEG_INFINITY..=f64::INFINITY)?;
        if rows.is_empty() {
            Err(Unavailable::TooLittle("samples of all its channels at once"))
        } else {
            Ok(rows)
        }
    }

    /// The rows of a part of the lap, in seconds of its clock; there may be none. The cost depends on that part, not on
    /// the lap.
    pub fn rows_between<const N: usize>(
        &self,
        slots: [Slot; N],
        part: RangeInclusive<f64>,
    ) -> Result<Vec<Row<N>>, Unavailable> {
        let mut rows: Vec<Row<N>> = Vec::new();
        self.each_row(&slots, part, &mut |clock_s, values| {
            if let Some(last) = rows.last_mut() {
                last.lasts_s = (clock_s - last.clock_s).clamp(0.0, LONGEST_S);
            }
            // There are as many values as slots.
            rows.extend(values.try_into().map(|values| Row { clock_s, lasts_s: 0.0, values }));
        })?;
        Ok(rows)
    }

    /// Passes the clock and the values of each row to `take`. It is not generic, so that it is compiled once.
    fn each_row(
        &self,
        slots: &[Slot],
        part: RangeInclusive<f64>,
        take: &mut dyn FnMut(f64, &[f32]),
    ) -> Result<(), Unavailable> {
        if let Some(missing) = slots.iter().find(|slot| !self.has(**slot)) {
            return Err(Unavailable::not_sent(&[missing.channel()]));
        }
        // When each channel was last sent, and its value.
        let mut since = vec![f64::NEG_INFINITY; slots.len()];
        let mut values = vec![f32::NAN; slots.len()];
        // A value that holds at the beginning may have been sent a little before.
        let first = self.clock_s().partition_point(|clock| *clock < part.start() - HOLDS_S);
        for (row, &clock_s) in self.clock_s().iter().enumerate().skip(first) {
            if clock_s > *part.end() {
                break;
            }
            for (slot, (since, value)) in slots.iter().zip(since.iter_mut().zip(&mut values)) {
                if let Some(sent) = self.sent(*slot, row).filter(|sent| sent.is_finite()) {
                    (*since, *value) = (clock_s, sent as f32);
                }
            }
            let now = since.first().is_none_or(|since| *since == clock_s);
            if now && clock_s >= *part.start() && since.iter().all(|since| clock_s - since <= HOLDS_S) {
                take(clock_s, &values);
            }
        }
        Ok(())
    }

    /// The first of these channels that was sent.
    pub fn first_sent(&self, channels: &[Channel]) -> Result<Channel, Unavailable> {
        let sent = channels.iter().copied().find(|channel| self.has(channel.slot()));
        sent.ok_or_else(|| Unavailable::not_sent(channels))
    }

    /// A channel's latest value at a time on the lap's clock.
    pub fn latest(&self, slot: Slot, clock_s: f64) -> Option<f32> {
        let until = self.clock_s().partition_point(|clock| *clock <= clock_s);
        (0..until).rev().find_map(|row| self.sent(slot, row)).map(|value| value as f32)
    }

    /// The place at a time on the lap's clock.
    pub fn place(&self, clock_s: f64) -> Place {
        Place { lap_s: clock_s, distance_m: self.latest(Channel::LapDistance.slot(), clock_s) }
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
    use trailbrake_model::Columns;

    use super::*;

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
