//! Tyres and brakes: their state over a lap, and the trend from lap to lap.

use serde::Serialize;
use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Wheel};

use super::{LapColumns, Row, Unavailable, statistics};

/// Channels that wear, warm up or lose pressure.
const WATCHED: &[Channel] = &[
    Channel::TyreSurfaceTemperature,
    Channel::TyreInnerTemperature,
    Channel::TyreTemperature,
    Channel::TyrePressure,
    Channel::TyreWear,
    Channel::TyreWearLevel,
    Channel::TyreDamage,
    Channel::TyreDirt,
    Channel::BrakeTemperature,
];
/// No protocol sends the temperature at which a tyre works best, so time is counted within this distance of the lap's
/// own median, °C.
pub const WINDOW_C: f64 = 10.0;

/// One channel of the four wheels over a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WheelStates {
    /// The channel.
    #[serde(serialize_with = "super::names::channel")]
    pub channel: Channel,
    /// The wheels, in the order of [`Wheel::ALL`].
    pub wheels: [WheelState; 4],
}

/// The state of one wheel over a lap, in the channel's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WheelState {
    /// The wheel.
    #[serde(serialize_with = "super::names::wheel")]
    pub wheel: Wheel,
    /// The median.
    pub median: f64,
    /// The 5 % quantile.
    pub low: f64,
    /// The 95 % quantile.
    pub high: f64,
    /// The first value.
    pub first: f64,
    /// The last value.
    pub last: f64,
    /// For a temperature, the part of the time within [`WINDOW_C`] of the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_window: Option<f64>,
}

/// States of tyres and brakes over a lap, by each channel that the game sends.
pub fn wheel_states(lap: &LapColumns<'_>) -> Result<Vec<WheelStates>, Unavailable> {
    let sent: Vec<WheelStates> = WATCHED.iter().filter_map(|channel| states(lap, *channel)).collect();
    if sent.is_empty() { Err(Unavailable::not_sent(WATCHED)) } else { Ok(sent) }
}

/// The part of a lap's time in which a wheel's value lies in a window.
pub fn share_within(
    lap: &LapColumns<'_>,
    channel: Channel,
    wheel: Wheel,
    is_within: impl Fn(f64) -> bool,
) -> Option<f64> {
    time_share(&lap.rows([channel.of(wheel)]).ok()?, is_within)
}

fn time_share(rows: &[Row<1>], is_within: impl Fn(f64) -> bool) -> Option<f64> {
    let whole: f64 = rows.iter().map(|row| row.lasts_s).sum();
    let inside = rows.iter().filter(|row| is_within(f64::from(row.values[0])));
    let inside: f64 = inside.map(|row| row.lasts_s).sum();
    (whole > 0.0).then(|| inside / whole)
}

fn states(lap: &LapColumns<'_>, channel: Channel) -> Option<WheelStates> {
    let [fl, fr, rl, rr] = Wheel::ALL.map(|wheel| {
        let rows = lap.rows([channel.of(wheel)]).ok()?;
        state(wheel, channel, &rows)
    });
    Some(WheelStates { channel, wheels: [fl?, fr?, rl?, rr?] })
}

fn state(wheel: Wheel, channel: Channel, rows: &[Row<1>]) -> Option<WheelState> {
    let value = |row: &Row<1>| f64::from(row.values[0]);
    let values: Vec<f64> = rows.iter().map(value).collect();
    let median = statistics::median(&values)?;
    let is_temperature = channel.unit() == Unit::Celsius;
    let inside = || time_share(rows, |value| (value - median).abs() <= WINDOW_C);
    Some(WheelState {
        wheel,
        median,
        low: statistics::quantile(&values, 0.05)?,
        high: statistics::quantile(&values, 0.95)?,
        first: *values.first()?,
        last: *values.last()?,
        within_window: is_temperature.then(inside).flatten(),
    })
}

/// The trend of a channel of the four wheels from lap to lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// The channel.
    #[serde(serialize_with = "super::names::channel")]
    pub channel: Channel,
    /// The numbers of the laps.
    pub laps: Vec<u16>,
    /// The wheels, in the order of [`Wheel::ALL`].
    pub wheels: [WheelTrend; 4],
}

/// The trend of one wheel, in the channel's unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WheelTrend {
    /// The wheel.
    #[serde(serialize_with = "super::names::wheel")]
    pub wheel: Wheel,
    /// Each lap's value: the median, or the last value for channels that only grow, such as wear.
    pub values: Vec<f64>,
    /// Change per lap, by a robust slope that single laps do not change.
    pub per_lap: f64,
}

/// Trends of tyres and brakes over the laps of one stint. Three laps are needed.
pub fn trends(stint: &[LapColumns<'_>]) -> Result<Vec<Trend>, Unavailable> {
    const LEAST: usize = 3;
    const ALL_SEND: &str = "three laps of one stint for which the game sends them";
    if stint.len() < LEAST {
        return Err(Unavailable::TooLittle("three laps of one stint"));
    }
    let trends: Vec<Trend> = WATCHED.iter().filter_map(|channel| trend(stint, *channel)).collect();
    match trends.is_empty() {
        // One lap may lack channels that another one has.
        true if stint.iter().any(|lap| wheel_states(lap).is_ok()) => Err(Unavailable::TooLittle(ALL_SEND)),
        true => Err(Unavailable::not_sent(WATCHED)),
        false => Ok(trends),
    }
}

fn trend(stint: &[LapColumns<'_>], channel: Channel) -> Option<Trend> {
    let states_of_laps: Option<Vec<WheelStates>> = stint.iter().map(|lap| states(lap, channel)).collect();
    let states_of_laps = states_of_laps?;
    let grows = matches!(channel, Channel::TyreWear | Channel::TyreWearLevel | Channel::TyreDamage);
    let [fl, fr, rl, rr] = [0, 1, 2, 3].map(|place: usize| {
        let states: Option<Vec<&WheelState>> =
            states_of_laps.iter().map(|lap| lap.wheels.get(place)).collect();
        let states = states?;
        let wheel = states.first()?.wheel;
        let value = |state: &&WheelState| if grows { state.last } else { state.median };
        let values: Vec<f64> = states.iter().map(value).collect();
        let points: Vec<(f64, f64)> =
            stint.iter().map(|lap| f64::from(lap.number)).zip(values.iter().copied()).collect();
        Some(WheelTrend { wheel, per_lap: statistics::slope(&points)?, values })
    });
    let laps = stint.iter().map(|lap| lap.number).collect();
    Some(Trend { channel, laps, wheels: [fl?, fr?, rl?, rr?] })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;

    const TEMPERATURE: Channel = Channel::TyreSurfaceTemperature;

    fn lap(began_s: f64, temperature: impl Fn(f64) -> f32, wear: f32) -> Columns {
        made::columns_since(began_s, 600, |seconds| {
            let warm = Wheel::ALL.map(|wheel| (TEMPERATURE.of(wheel), temperature(seconds)));
            let worn = Wheel::ALL.map(|wheel| (Channel::TyreWear.of(wheel), wear + seconds as f32 * 1e-4));
            warm.into_iter().chain(worn)
        })
    }

    #[test]
    fn a_lap_has_a_middle_and_a_window_about_it() {
        let columns = lap(0.0, |seconds| if seconds < 7.5 { 90.0 } else { 110.0 }, 0.1);
        let laps = made::laps(&[60_000]);
        let states_by_channel = wheel_states(&LapColumns::new(&laps[0], &columns)).expect("tyres");
        assert_eq!(
            states_by_channel.iter().map(|states| states.channel).collect::<Vec<_>>(),
            [TEMPERATURE, Channel::TyreWear]
        );
        let warm = states_by_channel[0].wheels[1];
        assert_eq!((warm.wheel, warm.median, warm.low, warm.high), (Wheel::FrontRight, 90.0, 90.0, 110.0));
        assert!((warm.within_window.expect("a window") - 0.75).abs() < 0.01);
        assert_eq!(states_by_channel[1].wheels[0].within_window, None, "wear is no temperature");
    }

    #[test]
    fn laps_lead_somewhere() {
        let laps = made::laps(&[60_000; 4]);
        let columns: Vec<Columns> = laps
            .iter()
            .zip([(88.0, 0.1), (90.0, 0.12), (120.0, 0.14), (94.0, 0.16)])
            .map(|(driven, (warm, worn))| lap(driven.began_s, |_| warm, worn))
            .collect();
        let stint: Vec<LapColumns<'_>> =
            laps.iter().zip(&columns).map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
        let found = trends(&stint).expect("trends");
        assert_eq!(found[0].laps, [1, 2, 3, 4]);
        assert!((found[0].wheels[0].per_lap - 2.0).abs() < 1.1, "{:?}", found[0].wheels[0]);
        assert!((found[1].wheels[0].per_lap - 0.02).abs() < 1e-6, "{:?}", found[1].wheels[0]);
        assert_eq!(trends(&stint[..2]), Err(Unavailable::TooLittle("three laps of one stint")));
        // If one lap lacks the channels, the game still sends them.
        let silent = made::columns_since(laps[1].began_s, 600, |_| [(Channel::Speed.slot(), 50.0)]);
        let mut broken = stint.clone();
        broken[1] = LapColumns::new(&laps[1], &silent);
        assert_eq!(
            trends(&broken),
            Err(Unavailable::TooLittle("three laps of one stint for which the game sends them"))
        );
        let silent = [&laps[0], &laps[1], &laps[2]]
            .map(|lap| made::columns_since(lap.began_s, 600, |_| [(Channel::Speed.slot(), 50.0)]));
        let silent: Vec<LapColumns<'_>> =
            laps.iter().zip(&silent).map(|(lap, columns)| LapColumns::new(lap, columns)).collect();
        assert_eq!(trends(&silent), Err(Unavailable::not_sent(WATCHED)));
    }

    #[test]
    fn a_game_without_tyre_channels_is_reported() {
        let columns = made::columns(60, |_| [(Channel::Speed.slot(), 1.0)]);
        let laps = made::laps(&[60_000; 3]);
        let stint: Vec<LapColumns<'_>> = laps.iter().map(|lap| LapColumns::new(lap, &columns)).collect();
        assert_eq!(wheel_states(&stint[0]), Err(Unavailable::not_sent(WATCHED)));
        assert_eq!(trends(&stint), Err(Unavailable::not_sent(WATCHED)));
    }

    proptest! {
        #[test]
        fn quantiles_of_temperatures_are_in_order(values in prop::collection::vec(prop::num::f32::ANY, 0..100)) {
            let columns = made::columns(values.len(), |seconds| {
                Wheel::ALL.map(|wheel| (TEMPERATURE.of(wheel), values[(seconds * 60.0).round() as usize]))
            });
            let laps = made::laps(&[60_000; 3]);
            let stint: Vec<LapColumns<'_>> = laps.iter().map(|lap| LapColumns::new(lap, &columns)).collect();
            if let Ok(states) = wheel_states(&stint[0]) {
                let wheel = states[0].wheels[0];
                prop_assert!(wheel.low <= wheel.median && wheel.median <= wheel.high);
            }
            let _ = trends(&stint);
        }
    }
}
