//! Statistics of a channel between two places of a lap: minimum, maximum, mean, and the sum over time if it has a
//! meaning.

use std::ops::RangeInclusive;

use serde::Serialize;
use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Drawing, Slot};

use super::{LapColumns, Row, Unavailable};

/// At the ends of a section, the nearest sample holds for at most this long, seconds. Beyond that data is missing.
const SAMPLE_S: f64 = 0.1;

/// The ends of a section of a lap.
#[derive(Clone, Debug, PartialEq)]
pub enum SectionBounds {
    /// Seconds on the lap's clock.
    Seconds(RangeInclusive<f64>),
    /// Metres from the start line.
    Metres(RangeInclusive<f32>),
}

/// Statistics of a channel in a section, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SectionStatistics {
    /// Duration, seconds.
    pub seconds: f64,
    /// The minimum.
    pub low: f32,
    /// The maximum.
    pub high: f32,
    /// The mean over time.
    pub mean: f64,
    /// The first value.
    pub first: f32,
    /// The last value.
    pub last: f32,
    /// The sum over time with its unit, if it has a meaning: metres for a speed, seconds for a pedal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<(f64, Unit)>,
}

/// The unit of a channel's sum over time. `None` if the sum has no meaning.
pub const fn sum_unit(channel: Channel) -> Option<Unit> {
    match channel.unit() {
        Unit::MetresPerSecond => Some(Unit::Metres),
        Unit::MetresPerSecondSquared => Some(Unit::MetresPerSecond),
        Unit::RadiansPerSecond => Some(Unit::Radians),
        Unit::RatioPerSecond => Some(Unit::Ratio),
        Unit::RadiansPerSecondSquared => Some(Unit::RadiansPerSecond),
        Unit::Ratio if matches!(channel.drawing(), Drawing::Line) => Some(Unit::Seconds),
        _ => None,
    }
}

/// Statistics of a channel in a section.
pub fn section_statistics(
    lap: &LapColumns<'_>,
    slot: Slot,
    between: &SectionBounds,
) -> Result<SectionStatistics, Unavailable> {
    match between {
        SectionBounds::Seconds(part) => section_by_clock(lap, slot, part.clone()),
        SectionBounds::Metres(part) => {
            let placed = lap.rows([slot, Channel::LapDistance.slot()])?;
            let inside = placed.iter().filter(|row| part.contains(&row.values[1]));
            let rows: Vec<Row<1>> = inside
                .map(|row| Row { clock_s: row.clock_s, lasts_s: row.lasts_s, values: [row.values[0]] })
                .collect();
            over(slot, &rows)
        }
    }
}

/// Like [`section_statistics`] by clock only. It does not need a distance.
pub(super) fn section_by_clock(
    lap: &LapColumns<'_>,
    slot: Slot,
    part: RangeInclusive<f64>,
) -> Result<SectionStatistics, Unavailable> {
    let rows = lap.rows_between([slot], part.clone())?;
    let mut statistics = over(slot, &rows)?;
    // Between an end of the section and the nearest sample, that sample's value holds.
    let ends = rows.first().map(|row| (row, row.clock_s - part.start()));
    let ends = ends.into_iter().chain(rows.last().map(|row| (row, part.end() - row.clock_s)));
    let (mut more, mut more_s) = (0.0, 0.0);
    for (row, lasts_s) in ends.filter(|(_, lasts_s)| (0.0..=SAMPLE_S).contains(lasts_s)) {
        more += f64::from(row.values[0]) * lasts_s;
        more_s += lasts_s;
    }
    let seconds = statistics.seconds + more_s;
    if seconds > 0.0 {
        statistics.mean = (statistics.mean * statistics.seconds + more) / seconds;
    }
    statistics.sum = statistics.sum.map(|(sum, unit)| (sum + more, unit));
    statistics.seconds = seconds;
    Ok(statistics)
}

fn over(slot: Slot, rows: &[Row<1>]) -> Result<SectionStatistics, Unavailable> {
    const NEEDED: Unavailable = Unavailable::TooLittle("a sample between the two places");
    let (first, last) = rows.first().zip(rows.last()).ok_or(NEEDED)?;
    let steps = matches!(slot.channel().drawing(), Drawing::Step);
    let (mut sum, mut seconds) = (0.0, 0.0);
    for pair in rows.windows(2) {
        let [row, next] = pair else { continue };
        // Lines are interpolated to the next sample, steps hold until then.
        let until = if steps { row } else { next };
        sum += (f64::from(row.values[0]) + f64::from(until.values[0])) / 2.0 * row.lasts_s;
        seconds += row.lasts_s;
    }
    let values = || rows.iter().map(|row| row.values[0]);
    Ok(SectionStatistics {
        seconds,
        low: values().min_by(f32::total_cmp).ok_or(NEEDED)?,
        high: values().max_by(f32::total_cmp).ok_or(NEEDED)?,
        mean: if seconds > 0.0 { sum / seconds } else { f64::from(first.values[0]) },
        first: first.values[0],
        last: last.values[0],
        sum: sum_unit(slot.channel()).map(|unit| (sum, unit)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;

    const SPEED: Slot = Channel::Speed.slot();

    /// Speed rising by 10 m/s each second.
    fn columns() -> Columns {
        made::columns(600, |seconds| {
            let speed = seconds as f32 * 10.0;
            [(SPEED, speed), (Channel::LapDistance.slot(), speed * speed / 20.0), (Channel::Gear.slot(), 2.0)]
        })
    }

    fn section(slot: Slot, between: SectionBounds) -> Result<SectionStatistics, Unavailable> {
        let (laps, columns) = (made::laps(&[60_000]), columns());
        section_statistics(&LapColumns::new(&laps[0], &columns), slot, &between)
    }

    #[test]
    fn a_speed_sums_up_to_metres() {
        let statistics = section(SPEED, SectionBounds::Seconds(2.0..=4.0)).expect("a stretch");
        assert_eq!(
            (statistics.low, statistics.high, statistics.first, statistics.last),
            (20.0, 40.0, 20.0, 40.0)
        );
        let (metres, unit) = statistics.sum.expect("a sum");
        assert!(
            (metres - 60.0).abs() < 1e-3 && unit == Unit::Metres && (statistics.mean - 30.0).abs() < 1e-3
        );
    }

    #[test]
    fn what_lies_between_samples_counts_too() {
        let (from, to) = (2.0 + 1.0 / 100.0, 4.0 - 1.0 / 90.0);
        let statistics = section(SPEED, SectionBounds::Seconds(from..=to)).expect("a stretch");
        let (metres, _) = statistics.sum.expect("a sum");
        let driven = 5.0 * (to * to - from * from);
        assert!((metres - driven).abs() < 0.01, "{metres} of {driven}");
        assert!((statistics.seconds - (to - from)).abs() < 1e-9, "{}", statistics.seconds);
        assert!((statistics.mean - driven / (to - from)).abs() < 0.01, "{}", statistics.mean);
    }

    #[test]
    fn places_can_be_metres() {
        let by_metres = section(SPEED, SectionBounds::Metres(20.0..=80.0)).expect("a stretch");
        let by_seconds = section(SPEED, SectionBounds::Seconds(2.0..=4.0)).expect("a stretch");
        assert_eq!(by_metres, by_seconds);
        let gear = section(Channel::Gear.slot(), SectionBounds::Metres(20.0..=80.0)).expect("a stretch");
        assert_eq!((gear.mean, gear.sum), (2.0, None));
        assert!(section(SPEED, SectionBounds::Metres(900.0..=950.0)).is_err());
        assert_eq!(
            section(Channel::Fuel.slot(), SectionBounds::Seconds(0.0..=1.0)),
            Err(Unavailable::not_sent(&[Channel::Fuel]))
        );
    }

    proptest! {
        #[test]
        fn a_mean_lies_between_lowest_and_highest(
            values in prop::collection::vec(-1e3_f32..1e3, 1..200), from in -1.0_f64..4.0, long in 0.0_f64..4.0,
        ) {
            let columns = made::columns(values.len(), |seconds| [(SPEED, values[(seconds * 60.0).round() as usize])]);
            let laps = made::laps(&[60_000]);
            let lap = LapColumns::new(&laps[0], &columns);
            let bounds = SectionBounds::Seconds(from..=from + long);
            if let Ok(SectionStatistics { low, high, mean, .. }) = section_statistics(&lap, SPEED, &bounds) {
                prop_assert!(f64::from(low) - 1e-3 <= mean && mean <= f64::from(high) + 1e-3);
            }
        }
    }
}
