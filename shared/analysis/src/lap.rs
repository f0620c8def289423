//! One lap's rows for analysis, in driving order, each with the lap's clock.

use std::ops::RangeInclusive;

use trailbrake_model::time::LapTime;
use trailbrake_model::{Axis, Channel, Columns, Drawing, Slot};

use super::rows::{Place, Row};
use super::{CloseCar, Unavailable};
use crate::laps::{Lap, LapFlag, LapFlags};

/// This long after the line the clock is the new lap's for sure, seconds.
const SETTLE_S: f64 = 1.0;
/// No lap takes longer, seconds.
const LONGEST_S: f64 = 86_400.0;
/// Rows up to this long before the line are kept, so that the path across the line is known, seconds.
const BEFORE_S: f64 = 0.2;
/// A channel that is sent more rarely than the first of several holds its value for this long, seconds.
const HOLDS_S: f64 = 2.0;

/// A lap's channels over its clock, from a session's traces or from a lap decoded from a file.
#[derive(Clone, Debug)]
pub struct LapColumns<'a> {
    /// The lap's number, as the game counts.
    pub number: u16,
    /// The stint, counted from 1. Stints are separated by pit stops.
    pub stint: u16,
    /// The official time, if the game sends one.
    pub time: Option<LapTime>,
    /// The lap's flags.
    pub flags: LapFlags,
    columns: &'a Columns,
    /// The index in `columns` of each row.
    rows: Vec<usize>,
    clock_s: Vec<f64>,
    /// Where other cars were close.
    close: &'a [CloseCar],
}

impl<'a> LapColumns<'a> {
    /// A lap with its columns. Rows that belong to the previous lap, or whose clock runs backwards, are left out.
    pub fn new(lap: &Lap, columns: &'a Columns) -> Self {
        let mut rows: Vec<usize> = Vec::new();
        let mut clock_s: Vec<f64> = Vec::new();
        for (row, clock) in clocks(columns, lap.began_s).into_iter().enumerate() {
            let onward = clock_s.last().is_none_or(|last| clock > *last);
            if !onward && clock < SETTLE_S {
                // The first rows can still have the previous lap's clock.
                rows.clear();
                clock_s.clear();
            } else if !onward {
                continue;
            }
            if clock > -BEFORE_S {
                rows.push(row);
                clock_s.push(clock);
            }
        }
        let Lap { number, stint, time, flags, .. } = *lap;
        Self { number, stint, time, flags, columns, rows, clock_s, close: &[] }
    }

    /// The lap with where other cars were close.
    pub fn among(self, close: &'a [CloseCar]) -> Self {
        Self { close, ..self }
    }

    /// The lap shifted to begin where its clock was at `clock_s`: its part from there to its end comes first, and its
    /// part before that comes last.
    pub fn begun_at(&self, clock_s: f64) -> Self {
        let long_s = self.seconds();
        let rows = || self.rows.iter().copied().zip(self.clock_s.iter().copied());
        let first = rows().filter(|(_, clock)| (clock_s..long_s).contains(clock));
        let then = rows().filter(|(_, clock)| (0.0..clock_s).contains(clock));
        let first = first.map(|(row, clock)| (row, clock - clock_s));
        let (rows, clock_s) = first.chain(then.map(|(row, clock)| (row, clock + long_s - clock_s))).unzip();
        // Places of other cars are not known from there.
        Self { rows, clock_s, close: &[], ..self.clone() }
    }

    /// The lap from a time on its clock on, seconds.
    pub(crate) fn since(&self, clock_s: f64) -> Self {
        let first = self.clock_s.partition_point(|clock| *clock < clock_s);
        let rows = self.rows.get(first..).unwrap_or_default().to_vec();
        let clock_s = self.clock_s.get(first..).unwrap_or_default().to_vec();
        Self {
            number: self.number,
            stint: self.stint,
            time: self.time,
            flags: self.flags,
            columns: self.columns,
            rows,
            clock_s,
            close: self.close,
        }
    }

    /// Where other cars were close.
    pub(crate) fn close(&self) -> &'a [CloseCar] {
        self.close
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each row's clock, ascending, seconds; 0 at the start line.
    pub fn clock_s(&self) -> &[f64] {
        &self.clock_s
    }

    /// In a lap in which the car was reset to the track: the time from the row before, seconds, without penalties on the
    /// lap clock. `None` for the first row, and where the lap's end meets its beginning.
    pub(crate) fn driven_s(&self, row: usize) -> Option<f64> {
        if !self.flags.has(LapFlag::Reset) {
            return None;
        }
        let seconds = |row: usize| self.columns.seconds().get(*self.rows.get(row)?).copied();
        Some(seconds(row)? - seconds(row.checked_sub(1)?)?).filter(|driven_s| *driven_s >= 0.0)
    }

    /// The lap's duration, seconds: the official time, else the time received.
    pub fn seconds(&self) -> f64 {
        let received_s = || self.clock_s.last().copied().unwrap_or_default();
        self.time.map_or_else(received_s, LapTime::seconds)
    }

    /// Whether a channel was sent.
    pub fn has(&self, slot: Slot) -> bool {
        self.columns.line(slot).is_some()
    }

    /// A channel's value in a row, if one was sent for it.
    pub fn sent(&self, slot: Slot, row: usize) -> Option<f64> {
        self.columns.value(slot, *self.rows.get(row)?).map(f64::from)
    }

    /// A channel's value in every row. In between, values are interpolated, or held for channels that change in steps.
    /// `None` if the channel was never sent in the lap.
    pub fn values(&self, slot: Slot) -> Option<Vec<f64>> {
        let held = slot.channel().drawing() == Drawing::Step;
        let line = self.columns.line(slot)?;
        let rows = self.rows.iter().enumerate();
        let sent: Vec<(usize, f64)> =
            rows.filter_map(|(row, index)| Some((row, f64::from(line.value(*index)?)))).collect();
        let (first, last) = (*sent.first()?, *sent.last()?);
        if sent.len() == self.len() {
            return Some(sent.into_iter().map(|(_, value)| value).collect());
        }
        let mut values = Vec::with_capacity(self.len());
        values.resize(first.0, first.1);
        for pair in sent.windows(2) {
            let &[(from, before), (to, after)] = pair else { continue };
            let clock = |row: usize| self.clock_s.get(row).copied().unwrap_or_default();
            let long_s = clock(to) - clock(from);
            values.extend((from..to).map(|row| {
                let share = if held { 0.0 } else { (clock(row) - clock(from)) / long_s };
                before + (after - before) * share
            }));
        }
        values.resize(self.len(), last.1);
        Some(values)
    }

    /// The rows with a position: index, and x, y, z in metres.
    pub fn positions(&self) -> impl Iterator<Item = (usize, [f64; 3])> + use<'_, 'a> {
        (0..self.len()).filter_map(|row| {
            let [x, y, z] = Axis::ALL.map(|axis| self.sent(Channel::Position.along(axis), row));
            Some((row, [x?, y?, z?]))
        })
    }

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
                last.end_at(clock_s);
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

/// Each row's clock: the game's if it is sent, and in between extended by the columns' own time.
fn clocks(columns: &Columns, began_s: f64) -> Vec<f64> {
    let Some(line) = columns.line(Channel::LapClock.slot()) else {
        return columns.seconds().iter().map(|seconds| seconds - began_s).collect();
    };
    // A clock that waits for the line is 0, and says nothing about how far away the line was. One packet may contain
    // anything.
    let waits = |clock: f32| clock <= 0.0 || f64::from(clock) > LONGEST_S;
    let running = line.iter().filter(|(_, clock)| !waits(*clock));
    let mut sent = running.map(|(row, clock)| (row, f64::from(clock))).peekable();
    let seconds = |row: usize| columns.seconds().get(row).copied().unwrap_or_default();
    // Rows before the first clock extend it backwards.
    let mut known = sent.peek().copied();
    let rows = 0..columns.len();
    rows.map(|row| {
        known = sent.next_if(|(at, _)| *at <= row).or(known);
        let known = if line.value(row).is_some_and(waits) { None } else { known };
        known.map_or(f64::NAN, |(at, clock)| clock + seconds(row) - seconds(at))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::Micros;
    use trailbrake_model::{LapProgress, Moment};

    use super::*;
    use crate::laps::CarLaps;

    fn moment(row: u32) -> Moment {
        Moment { at: Micros(0), session_time: Some(f64::from(row) * 0.5 + 10.0), frame: Some(row) }
    }

    /// A lap that began at 10 s of the session.
    fn lap() -> Lap {
        let mut laps = CarLaps::default();
        for (lap, row) in [(1, 0), (1, 1)] {
            laps.progress(&LapProgress {
                moment: moment(row),
                lap,
                clock: Some(row as f32 * 0.5),
                distance: Some(row as f32),
                ..LapProgress::default()
            });
        }
        laps.current().cloned().expect("a lap")
    }

    fn columns(rows: &[&[(Slot, f32)]]) -> Columns {
        let mut columns = Columns::default();
        for (row, values) in (0..).zip(rows) {
            columns.push(moment(row), values.iter().copied());
        }
        columns
    }

    const CLOCK: Slot = Channel::LapClock.slot();
    const SPEED: Slot = Channel::Speed.slot();
    const GEAR: Slot = Channel::Gear.slot();

    #[test]
    fn between_two_values_there_is_a_line_or_the_first_of_them() {
        let columns = columns(&[
            &[(CLOCK, 0.5), (SPEED, 10.0), (GEAR, 2.0)],
            &[(CLOCK, 1.0)],
            &[(CLOCK, 1.5), (SPEED, 14.0), (GEAR, 4.0)],
            &[(CLOCK, 2.0)],
        ]);
        let lap = LapColumns::new(&lap(), &columns);
        assert_eq!(lap.values(SPEED), Some(vec![10.0, 12.0, 14.0, 14.0]));
        assert_eq!(lap.values(GEAR), Some(vec![2.0, 2.0, 4.0, 4.0]));
        assert_eq!(lap.values(Channel::Brake.slot()), None);
        assert_eq!((lap.sent(SPEED, 0), lap.sent(SPEED, 1), lap.sent(SPEED, 9)), (Some(10.0), None, None));
        assert!(!lap.has(Channel::Brake.slot()) && lap.has(SPEED));
    }

    #[test]
    fn a_row_without_a_clock_has_the_one_that_its_time_gives() {
        let columns = columns(&[&[(SPEED, 1.0)], &[(CLOCK, 0.6)], &[(SPEED, 1.0)], &[(CLOCK, 1.6)]]);
        let lap = LapColumns::new(&lap(), &columns);
        let clock: Vec<f64> = lap.clock_s().iter().map(|clock| (clock * 1e3).round()).collect();
        assert_eq!(clock, [100.0, 600.0, 1100.0, 1600.0]);
    }

    #[test]
    fn rows_whose_clock_waits_for_the_line_are_left_out_and_those_without_one_are_led_back() {
        let columns = columns(&[&[(CLOCK, 0.0)], &[(CLOCK, 0.0)], &[(CLOCK, 0.4)], &[(CLOCK, 0.9)]]);
        assert_eq!(LapColumns::new(&lap(), &columns).clock_s(), [f64::from(0.4_f32), f64::from(0.9_f32)]);
        let columns = super::tests::columns(&[&[(SPEED, 9.0)], &[(CLOCK, 0.4)], &[(CLOCK, 0.9)]]);
        let first = LapColumns::new(&lap(), &columns).clock_s().first().copied().expect("a row");
        assert!((first + 0.1).abs() < 1e-6, "{first}");
    }

    #[test]
    fn a_row_with_a_clock_that_no_lap_has_is_left_out() {
        let columns =
            columns(&[&[(CLOCK, 0.5)], &[(CLOCK, 3e38), (SPEED, 1.0)], &[(CLOCK, 1.5), (SPEED, 3.0)]]);
        let lap = LapColumns::new(&lap(), &columns);
        assert_eq!((lap.clock_s(), lap.values(SPEED)), (&[0.5, 1.5][..], Some(vec![3.0, 3.0])));
    }

    #[test]
    fn without_a_clock_the_lap_s_own_time_counts() {
        let columns = columns(&[&[(SPEED, 1.0)], &[(SPEED, 1.0)]]);
        assert_eq!(LapColumns::new(&lap(), &columns).clock_s(), [0.0, 0.5]);
    }

    #[test]
    fn rows_of_the_lap_before_and_rows_that_run_back_are_left_out() {
        let columns = columns(&[
            &[(CLOCK, 80.0)],
            &[(CLOCK, 0.25), (SPEED, 1.0)],
            &[(CLOCK, 2.0), (SPEED, 2.0)],
            &[(CLOCK, 1.5), (SPEED, 3.0)],
            &[(CLOCK, 2.5), (SPEED, 4.0)],
        ]);
        let lap = LapColumns::new(&lap(), &columns);
        assert_eq!(lap.clock_s(), [0.25, 2.0, 2.5]);
        assert_eq!(lap.values(SPEED), Some(vec![1.0, 2.0, 4.0]));
        assert_eq!(lap.seconds(), 2.5);
    }
}
