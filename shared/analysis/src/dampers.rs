//! Damper histograms: how fast each wheel's suspension compresses and extends.

use serde::Serialize;
use trailbrake_model::{Channel, Slot, Wheel};

use super::{LapColumns, Row, Unavailable};

/// Width of a bar, m/s.
pub const BAR_MPS: f32 = 0.01;
/// Number of bars on either side of rest. The outermost include all faster movement.
const BARS_A_SIDE: usize = 30;
/// Limit between slow movement, caused by the body, and fast movement, caused by the road: speed at the wheel, m/s.
pub const SLOW_BELOW_MPS: f32 = 0.05;

/// Damper histograms of a lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dampers {
    /// Whether the speeds are derived from positions, because the game sends no speeds.
    pub from_positions: bool,
    /// The wheels, in the order of [`Wheel::ALL`].
    pub wheels: [Damper; 4],
}

/// Histogram of one wheel. All values are parts of the time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Damper {
    /// The wheel.
    #[serde(serialize_with = "super::names::wheel")]
    pub wheel: Wheel,
    /// Slow compression.
    pub bump_slow: f64,
    /// Fast compression.
    pub bump_fast: f64,
    /// Slow extension.
    pub rebound_slow: f64,
    /// Fast extension.
    pub rebound_fast: f64,
    /// The bars, from the fastest extension to the fastest compression.
    pub bars: Vec<f64>,
}

impl Damper {
    /// Each bar's centre, m/s, compression positive, with its part of the time.
    pub fn bars(&self) -> impl Iterator<Item = (f32, f64)> {
        let middle = |bar: usize| (bar as f32 - BARS_A_SIDE as f32 + 0.5) * BAR_MPS;
        self.bars.iter().enumerate().map(move |(bar, share)| (middle(bar), *share))
    }

    /// The histogram of suspension speeds, compression positive.
    fn of(wheel: Wheel, speeds: &[Row<1>]) -> Option<Self> {
        let mut bars = vec![0.0; 2 * BARS_A_SIDE];
        let [mut bump_slow, mut bump_fast, mut rebound_slow, mut rebound_fast] = [0.0; 4];
        let whole: f64 = speeds.iter().map(|row| row.lasts_s).sum();
        for row in speeds.iter().filter(|_| whole > 0.0) {
            let (speed, share) = (row.values[0], row.lasts_s / whole);
            let place = (speed / BAR_MPS).floor().clamp(-(BARS_A_SIDE as f32), BARS_A_SIDE as f32 - 1.0);
            if let Some(bar) = bars.get_mut((place + BARS_A_SIDE as f32) as usize) {
                *bar += share;
            }
            let part = match (speed > 0.0, speed.abs() < SLOW_BELOW_MPS) {
                (true, true) => &mut bump_slow,
                (true, false) => &mut bump_fast,
                (false, true) => &mut rebound_slow,
                (false, false) => &mut rebound_fast,
            };
            *part += share;
        }
        (whole > 0.0).then_some(Self { wheel, bump_slow, bump_fast, rebound_slow, rebound_fast, bars })
    }
}

/// Damper histograms of a lap.
pub fn dampers(lap: &LapColumns<'_>) -> Result<Dampers, Unavailable> {
    let sent = |channel: Channel| lap.has(channel.slot());
    let from_positions = !sent(Channel::SuspensionVelocity);
    if from_positions && !sent(Channel::SuspensionPosition) {
        return Err(Unavailable::not_sent(&[Channel::SuspensionVelocity, Channel::SuspensionPosition]));
    }
    let wheel = |wheel: Wheel| {
        let speeds = if from_positions {
            differences(lap, Channel::SuspensionPosition.of(wheel))?
        } else {
            lap.rows([Channel::SuspensionVelocity.of(wheel)])?
        };
        Damper::of(wheel, &speeds).ok_or(Unavailable::TooLittle("a suspension that moves"))
    };
    let [fl, fr, rl, rr] = Wheel::ALL.map(wheel);
    Ok(Dampers { from_positions, wheels: [fl?, fr?, rl?, rr?] })
}

/// Speed of change of a value from each row to the next. Compression is positive for every game.
fn differences(lap: &LapColumns<'_>, slot: Slot) -> Result<Vec<Row<1>>, Unavailable> {
    let rows = lap.rows([slot])?;
    let speed = |pair: &[Row<1>]| match pair {
        [before, after] if before.lasts_s > 0.0 => {
            let values = [((after.values[0] - before.values[0]) as f64 / before.lasts_s) as f32];
            Some(Row { values, ..*before })
        }
        _ => None,
    };
    Ok(rows.windows(2).filter_map(speed).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::Columns;

    use super::super::rows::made;
    use super::*;

    fn dampers_of(columns: &Columns) -> Result<Dampers, Unavailable> {
        let laps = made::laps(&[60_000]);
        dampers(&LapColumns::new(&laps[0], columns))
    }

    /// Three quarters of each second slow extension, one quarter fast compression, m/s.
    fn speed(seconds: f64) -> f32 {
        if seconds.fract() < 0.75 { -0.02 } else { 0.06 }
    }

    #[test]
    fn time_divides_among_bump_and_rebound() {
        let columns = made::columns(601, |seconds| {
            Wheel::ALL.map(|wheel| (Channel::SuspensionVelocity.of(wheel), speed(seconds)))
        });
        let dampers = dampers_of(&columns).expect("dampers");
        let damper = &dampers.wheels[2];
        let shares = [damper.bump_slow, damper.bump_fast, damper.rebound_slow, damper.rebound_fast];
        for (share, known) in shares.into_iter().zip([0.0, 0.25, 0.75, 0.0]) {
            assert!((share - known).abs() < 1e-6, "{shares:?}");
        }
        assert!(!dampers.from_positions && damper.wheel == Wheel::RearLeft);
        let highest = damper.bars().max_by(|(_, a), (_, b)| a.total_cmp(b)).expect("a bar");
        assert!((highest.0 + 0.015).abs() < 1e-6 || (highest.0 + 0.025).abs() < 1e-6, "{highest:?}");
    }

    #[test]
    fn speeds_are_made_of_positions_where_none_are_sent() {
        // Extends by 15 mm and compresses by 15 mm in each second.
        let position = |seconds: f64| {
            let part = seconds.fract() as f32;
            if part < 0.75 { -0.02 * part } else { -0.015 + 0.06 * (part - 0.75) }
        };
        let columns = made::columns(601, |seconds| {
            Wheel::ALL.map(|wheel| (Channel::SuspensionPosition.of(wheel), position(seconds)))
        });
        let dampers = dampers_of(&columns).expect("dampers");
        let damper = &dampers.wheels[0];
        assert!(dampers.from_positions);
        assert!(
            (damper.bump_fast - 0.25).abs() < 0.02 && (damper.rebound_slow - 0.75).abs() < 0.02,
            "{damper:?}"
        );
    }

    #[test]
    fn the_outermost_bars_hold_what_is_faster() {
        let columns =
            made::columns(61, |_| Wheel::ALL.map(|wheel| (Channel::SuspensionVelocity.of(wheel), 4.0)));
        let dampers = dampers_of(&columns).expect("dampers");
        assert!((dampers.wheels[0].bars.last().expect("a bar") - 1.0).abs() < 1e-9);
        let silent = made::columns(61, |_| [(Channel::Speed.slot(), 4.0)]);
        assert!(matches!(dampers_of(&silent), Err(Unavailable::NotSent(_))));
    }

    proptest! {
        #[test]
        fn shares_make_a_whole(speeds in prop::collection::vec(prop::num::f32::ANY, 0..200), positions in any::<bool>()) {
            let channel = if positions { Channel::SuspensionPosition } else { Channel::SuspensionVelocity };
            let columns = made::columns(speeds.len(), |seconds| {
                Wheel::ALL.map(|wheel| (channel.of(wheel), speeds[(seconds * 60.0).round() as usize]))
            });
            for damper in dampers_of(&columns).into_iter().flat_map(|dampers| dampers.wheels) {
                prop_assert!((damper.bars.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            }
        }
    }
}
