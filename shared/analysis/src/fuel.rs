//! Fuel and electrical energy, by lap.

use serde::Serialize;
use trailbrake_model::Channel;

use super::{LapColumns, Unavailable, statistics};
use crate::laps::LapFlag;

/// Channels for fuel, best unit first.
const FUEL: &[Channel] = &[Channel::Fuel, Channel::FuelVolume, Channel::FuelShare, Channel::FuelLevel];
/// If the fuel rises by more than this part, the car was refuelled.
const FILLED_SHARE: f32 = 0.005;
/// Least part of a lap that the samples must cover.
const COVERED: f64 = 0.9;

/// Fuel use, in the unit of its channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FuelUse {
    /// The channel that it was read from.
    #[serde(serialize_with = "super::names::channel")]
    pub channel: Channel,
    /// Every complete lap without refuelling.
    pub laps: Vec<LapFuel>,
    /// Median use of a lap.
    pub per_lap: f64,
    /// Fuel left at the end of the lap asked for.
    pub left: f64,
    /// The number of laps that it lasts for. `None` if no fuel is used.
    pub laps_left: Option<f64>,
}

/// Fuel use of one lap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LapFuel {
    /// The lap's number.
    pub lap: u16,
    /// Fuel used.
    pub used: f64,
    /// Fuel left at its end.
    pub left: f64,
}

/// Fuel per lap, and the laps that the fuel left after the last of them lasts for.
pub fn fuel(laps: &[LapColumns<'_>]) -> Result<FuelUse, Unavailable> {
    fuel_after(laps, laps.last().ok_or(Unavailable::TooLittle("a lap"))?)
}

/// Fuel per lap, and the laps that the fuel left after the lap `at` lasts for.
pub fn fuel_after(laps: &[LapColumns<'_>], at: &LapColumns<'_>) -> Result<FuelUse, Unavailable> {
    let channel = at.first_sent(FUEL)?;
    let left = at.rows([channel.slot()])?.last().map(|row| f64::from(row.values[0]));
    let whole: Vec<LapFuel> = laps.iter().filter_map(|lap| lap_fuel(lap, channel)).collect();
    let used: Vec<f64> = whole.iter().map(|lap| lap.used).collect();
    let per_lap =
        statistics::median(&used).ok_or(Unavailable::TooLittle("a whole lap without a stop for fuel"))?;
    let left = left.unwrap_or_default();
    let laps_left = (per_lap > 0.0).then(|| left / per_lap);
    Ok(FuelUse { channel, laps: whole, per_lap, left, laps_left })
}

fn lap_fuel(lap: &LapColumns<'_>, channel: Channel) -> Option<LapFuel> {
    if lap.flags.has(LapFlag::Incomplete) {
        return None;
    }
    let rows = lap.rows([channel.slot()]).ok()?;
    let filled = rows.windows(2).any(|pair| match pair {
        [before, after] => after.values[0] > before.values[0] * (1.0 + FILLED_SHARE),
        _ => false,
    });
    let (first, last) = (rows.first()?, rows.last()?);
    let (covered, whole) = (last.clock_s - first.clock_s, lap.time?.seconds());
    if filled || covered < COVERED * whole || covered <= 0.0 {
        return None;
    }
    // The channel may be sent only twice a second. Between the line and the samples, fuel is assumed to burn at the
    // same rate.
    let used = f64::from(first.values[0] - last.values[0]) * (whole / covered);
    Some(LapFuel { lap: lap.number, used, left: f64::from(last.values[0]) })
}

/// Energy that a lap deployed and recovered, joules: the game's last values before the line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LapEnergy {
    /// The lap's number.
    pub lap: u16,
    /// Energy deployed, if the game counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deployed_j: Option<f32>,
    /// Energy recovered from braking, if the game counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvested_mguk_j: Option<f32>,
    /// Energy recovered from the turbocharger, if the game counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvested_mguh_j: Option<f32>,
    /// Change of the stored energy from the lap's beginning to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_change_j: Option<f32>,
}

/// Energy of each complete lap.
pub fn energy(laps: &[LapColumns<'_>]) -> Result<Vec<LapEnergy>, Unavailable> {
    const TOLD_BY: &[Channel] =
        &[Channel::ErsDeployed, Channel::ErsHarvestedMguK, Channel::ErsHarvestedMguH, Channel::ErsStore];
    let any = laps.last().ok_or(Unavailable::TooLittle("a lap"))?;
    any.first_sent(TOLD_BY)?;
    let whole = laps.iter().filter(|lap| !lap.flags.has(LapFlag::Incomplete) && lap.time.is_some());
    let lap = |lap: &LapColumns<'_>| LapEnergy {
        lap: lap.number,
        deployed_j: ends(lap, Channel::ErsDeployed).map(|(_, last)| last),
        harvested_mguk_j: ends(lap, Channel::ErsHarvestedMguK).map(|(_, last)| last),
        harvested_mguh_j: ends(lap, Channel::ErsHarvestedMguH).map(|(_, last)| last),
        store_change_j: ends(lap, Channel::ErsStore).map(|(first, last)| last - first),
    };
    Ok(whole.map(lap).collect())
}

/// A channel's first and last value.
fn ends(lap: &LapColumns<'_>, channel: Channel) -> Option<(f32, f32)> {
    let rows = lap.rows([channel.slot()]).ok()?;
    Some((rows.first()?.values[0], rows.last()?.values[0]))
}

#[cfg(test)]
mod tests {
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;
    use crate::laps::Lap;

    /// A lap of a minute whose fuel is a function of the seconds since its beginning.
    fn lap(lap: &Lap, tank: impl Fn(f64) -> f32) -> Columns {
        let mut columns = Columns::default();
        // Twice a second, but never at the line itself.
        for sample in 0..120 {
            let since = f64::from(sample) * 0.5 + 0.2;
            columns.push(made::moment(lap.began_s + since), [(Channel::Fuel.slot(), tank(since))]);
        }
        columns
    }

    #[test]
    fn fuel_is_counted_from_line_to_line() {
        let laps = made::laps(&[60_000, 60_000, 60_000]);
        let burning = |from: f32, per_lap: f32| move |since: f64| from - per_lap * since as f32 / 60.0;
        let tanks = [
            lap(&laps[0], burning(30.0, 1.5)),
            lap(&laps[1], burning(28.5, 1.2)),
            lap(&laps[2], burning(27.3, 1.4)),
        ];
        let sampled: Vec<LapColumns<'_>> =
            laps.iter().zip(&tanks).map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
        let used = fuel(&sampled).expect("fuel");
        assert_eq!((used.channel, used.laps.len()), (Channel::Fuel, 3));
        assert!((used.per_lap - 1.4).abs() < 1e-3 && (used.laps[1].used - 1.2).abs() < 1e-3, "{used:?}");
        let left = used.laps_left.expect("laps");
        assert!((left - 25.9 / 1.4).abs() < 0.02, "{left}");
        // The fuel left after an earlier lap is that lap's value.
        let before = fuel_after(&sampled, &sampled[0]).expect("fuel");
        assert!((before.left - 28.5).abs() < 0.02 && before.per_lap == used.per_lap, "{before:?}");
    }

    #[test]
    fn a_lap_with_a_stop_for_fuel_is_left_out() {
        let laps = made::laps(&[60_000, 60_000]);
        let tanks = [
            lap(&laps[0], |since| if since < 30.0 { 10.0 - since as f32 * 0.1 } else { 40.0 }),
            lap(&laps[1], |since| 40.0 - since as f32 * 0.02),
        ];
        let sampled = [LapColumns::new(&laps[0], &tanks[0]), LapColumns::new(&laps[1], &tanks[1])];
        let used = fuel(&sampled).expect("fuel");
        assert_eq!(used.laps.iter().map(|lap| lap.lap).collect::<Vec<_>>(), [2]);
        assert_eq!(fuel(&sampled[..1]), Err(Unavailable::TooLittle("a whole lap without a stop for fuel")));
    }

    #[test]
    fn a_car_that_burns_nothing_has_no_last_lap() {
        let laps = made::laps(&[60_000]);
        let tank = lap(&laps[0], |_| 100.0);
        let used = fuel(&[LapColumns::new(&laps[0], &tank)]).expect("fuel");
        assert_eq!((used.per_lap, used.laps_left), (0.0, None));
        let empty = Columns::default();
        assert_eq!(fuel(&[LapColumns::new(&laps[0], &empty)]), Err(Unavailable::not_sent(FUEL)));
    }

    #[test]
    fn energy_is_the_last_value_sent() {
        let laps = made::laps(&[60_000]);
        let columns = made::columns(3600, |seconds| {
            [
                (Channel::ErsDeployed.slot(), seconds as f32 * 1e4),
                (Channel::ErsStore.slot(), 4e6 - seconds as f32 * 1e3),
            ]
        });
        let lap = energy(&[LapColumns::new(&laps[0], &columns)]).expect("energy")[0];
        assert_eq!((lap.harvested_mguk_j, lap.harvested_mguh_j), (None, None));
        assert!((lap.deployed_j.expect("deployed") - 599_833.0).abs() < 1.0);
        assert!((lap.store_change_j.expect("a change") + 59_983.0).abs() < 1.0);
    }
}
