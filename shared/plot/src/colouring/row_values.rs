//! The value of each row of a lap that its colour shows.

use trailbrake_analysis::ledger::{Cause, LedgerRow, PartGroup};
use trailbrake_analysis::{Comparison, LapColumns, Unavailable};
use trailbrake_model::units::{DisplayUnit, Unit, Units};
use trailbrake_model::{Channel, Scope, Surface, Wheel};

use super::bands::{in_classes, on_scale, spread};
use super::{Band, ColouredLap, Colouring, Tone};
use crate::{Domain, Extent};

/// Pedal position from which a pedal counts as pressed.
const PRESSED: f64 = 0.05;
/// Length over which the time lost is measured, metres.
const OVER_M: f64 = 20.0;
/// Length for which it is printed: seconds per metre would be too small to read.
const IN_M: f64 = 100.0;
const PER_100_M: DisplayUnit = DisplayUnit { suffix: "s per 100 m", scale: 1.0, offset: 0.0, decimals: 3 };
/// Limits of the bands, seconds in 100 m: less than the first is neutral, more than the second is much.
const LEVEL_S: f32 = 0.015;
const MUCH_S: f32 = 0.06;
/// A corner or straight that lost or gained less did neither, seconds.
const LOST_S: f64 = 0.015;
/// Below this speed wheel slip means nothing, m/s.
const ROLLING_MPS: f64 = 5.0;
/// Upper end of a slip scale, or a momentary lock-up would hide all the rest.
const MOST_SLIP: f32 = 0.3;
/// The upper end for slip relative to the tyre's optimum.
const MOST_COMBINED: f32 = 2.0;
/// Surfaces, from most to least grip.
const LOOSER: [Surface; 10] = [
    Surface::Tarmac,
    Surface::Kerb,
    Surface::Cobbles,
    Surface::Dirt,
    Surface::Gravel,
    Surface::Grass,
    Surface::Sand,
    Surface::Mud,
    Surface::Snow,
    Surface::Ice,
];

/// The inputs of a colouring.
pub(super) struct RowValues<'a, 'b> {
    pub(super) lap: &'a LapColumns<'b>,
    pub(super) beside: Option<&'a Comparison>,
    pub(super) places_m: &'a [f64],
    pub(super) wheel: Option<Wheel>,
    pub(super) units: &'a Units,
}

pub(super) fn coloured(by: Colouring, rows: &RowValues<'_, '_>) -> Result<ColouredLap, Unavailable> {
    match by {
        Colouring::Delta => Ok(rows.delta()),
        Colouring::Cause => Ok(rows.cause()),
        Colouring::Speed => rows.speed(),
        Colouring::Pedals => rows.pedals(),
        Colouring::Gear => rows.gear(),
        Colouring::Slip => rows.slip(),
        Colouring::Temperature => rows.temperature(),
        Colouring::Surface => rows.surface(),
    }
}

impl RowValues<'_, '_> {
    /// The channel of a group that the game sends.
    fn sent(&self, by: Colouring, group: usize) -> Result<Channel, Unavailable> {
        let group = by.needs().get(group).copied().unwrap_or_default();
        let sent = |channel: &&Channel| self.lap.has(channel.slot());
        group.iter().find(sent).copied().ok_or_else(|| Unavailable::not_sent(group))
    }

    /// The values of a channel that has one number for the car.
    fn values(&self, channel: Channel) -> Result<Vec<f64>, Unavailable> {
        self.lap.values(channel.slot()).ok_or_else(|| Unavailable::not_sent(&[channel]))
    }

    /// A value for each row; NaN where there is none.
    fn each(&self, of_row: &dyn Fn(usize) -> Option<f64>) -> Vec<f32> {
        let mut values = vec![f32::NAN; self.lap.len()];
        for (row, value) in values.iter_mut().enumerate() {
            *value = of_row(row).map_or(f32::NAN, |number| number as f32);
        }
        values
    }

    /// The values of the chosen wheel and its short name; without one, the maximum over the wheels of each row. A
    /// channel of the car gives its values. `made` converts the value of a row.
    fn of_wheels(
        &self,
        channel: Channel,
        made: &dyn Fn(usize, f64) -> f64,
    ) -> Result<(Vec<f32>, &'static str), Unavailable> {
        let mut most: Vec<f32> = vec![f32::NAN; self.lap.len()];
        let wheels = if channel.scope() == Scope::Wheels { &Wheel::ALL[..] } else { &Wheel::ALL[..1] };
        let chosen = if wheels.len() > 1 { self.wheel } else { None };
        for wheel in wheels.iter().filter(|wheel| chosen.is_none_or(|chosen| chosen == **wheel)) {
            let Some(values) = self.lap.values(channel.of(*wheel)) else { continue };
            for (row, (most, value)) in most.iter_mut().zip(values).enumerate() {
                // `max` prefers a number to NaN.
                *most = most.max(made(row, value) as f32);
            }
        }
        match most.iter().any(|value| value.is_finite()) {
            true => Ok((most, chosen.map_or("", |wheel| wheel.short()))),
            false => Err(Unavailable::not_sent(&[channel])),
        }
    }

    fn delta(&self) -> ColouredLap {
        let lost = |at: f64| {
            let (before, after) = (self.beside?.at(at)?, self.beside?.at(at + OVER_M)?);
            Some((after - before) / OVER_M * IN_M)
        };
        // Rows are many, but few sections of the track: the time lost is computed once for each section.
        let mut known: Vec<Option<f64>> = Vec::new();
        let length_m = self.beside.map_or(0.0, |beside| beside.length_m);
        while (known.len() as f64) * OVER_M < length_m {
            known.push(lost(known.len() as f64 * OVER_M));
        }
        let part = |row: usize| Some((self.places_m.get(row)? / OVER_M).max(0.0) as usize);
        let mut coloured = ColouredLap {
            values: self.each(&|row| known.get(part(row)?).copied().flatten()),
            edges: vec![-MUCH_S, -LEVEL_S, LEVEL_S, MUCH_S],
            ends: Some(["faster".to_owned(), "slower".to_owned()]),
            unit: Some(&PER_100_M),
            signed: true,
            ..ColouredLap::default()
        };
        for tone in [Tone::Gain, Tone::SomeGain, Tone::Plain, Tone::SomeLoss, Tone::Loss] {
            coloured.bands.push(Band { tone, says: String::new() });
        }
        coloured
    }

    /// What cost the time: the cause in each corner and on each straight, else the largest part of what was lost there.
    fn cause(&self) -> ColouredLap {
        let groups = PartGroup::ALL.map(|group| (Tone::Part(group), group.label()));
        let classes = [&[(Tone::Plain, "nothing lost"), (Tone::SomeGain, "gained")][..], &groups].concat();
        let class = |row: &LedgerRow| {
            let lost_s = row.loss_s?;
            let part = Cause::of(row).map(|cause| cause.part);
            let largest = || row.largest().filter(|_| lost_s >= LOST_S).map(|part| part.part);
            let tone = match part.or_else(largest) {
                Some(part) => Tone::Part(part.group()),
                None if lost_s <= -LOST_S => Tone::SomeGain,
                None => Tone::Plain,
            };
            classes.iter().position(|(known, _)| *known == tone)
        };
        let ledger = self.beside.map(|beside| beside.ledger.rows.as_slice()).unwrap_or_default();
        let classes_of_rows: Vec<Option<usize>> = ledger.iter().map(class).collect();
        let class_at = |row: usize| {
            let place_m = *self.places_m.get(row)?;
            let at = ledger.partition_point(|part| part.to_m <= place_m).min(ledger.len().checked_sub(1)?);
            classes_of_rows.get(at).copied().flatten().map(|class| class as f64)
        };
        in_classes(self.each(&class_at), &classes, String::new())
    }

    fn speed(&self) -> Result<ColouredLap, Unavailable> {
        let speeds = self.values(Channel::Speed)?;
        let values = self.each(&|row| speeds.get(row).copied());
        let unit = self.units.shown(Unit::MetresPerSecond);
        let domain = round(extent(&values), unit);
        Ok(on_scale(values, domain, unit, String::new(), ""))
    }

    fn pedals(&self) -> Result<ColouredLap, Unavailable> {
        let throttle = self.values(self.sent(Colouring::Pedals, 0)?)?;
        let brake = self.values(self.sent(Colouring::Pedals, 1)?)?;
        // Throttle and brake together count as braking.
        let class = |row: usize| match (*throttle.get(row)? >= PRESSED, *brake.get(row)? >= PRESSED) {
            (_, true) => Some(1.0),
            (true, false) => Some(0.0),
            (false, false) => Some(2.0),
        };
        let classes = [(Tone::Throttle, "throttle"), (Tone::Brake, "brake"), (Tone::Coast, "coasting")];
        Ok(in_classes(self.each(&class), &classes, String::new()))
    }

    fn gear(&self) -> Result<ColouredLap, Unavailable> {
        const NAMES: [&str; 14] = ["R", "N", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
        let gears = self.values(Channel::Gear)?;
        let most = NAMES.len() as f64 - 1.0;
        let values = self.each(&|row| Some((gears.get(row)?.round() + 1.0).clamp(0.0, most)));
        let mut coloured = in_classes(values, &NAMES.map(|name| (Tone::Plain, name)), String::new());
        let forward = coloured.bands.iter().position(|band| !matches!(band.says.as_str(), "R" | "N"));
        spread(coloured.bands.get_mut(forward.unwrap_or_default()..).unwrap_or_default());
        Ok(coloured)
    }

    fn slip(&self) -> Result<ColouredLap, Unavailable> {
        let channel = self.sent(Colouring::Slip, 0)?;
        let speeds = self.values(Channel::Speed)?;
        let made = |row: usize, value: f64| match (channel, speeds.get(row)) {
            (_, Some(speed)) if *speed < ROLLING_MPS => f64::NAN,
            (Channel::WheelSpeed, Some(speed)) => (value / speed - 1.0).abs(),
            _ => value.abs(),
        };
        let (values, wheel) = self.of_wheels(channel, &made)?;
        let (unit, most, about) = match channel {
            Channel::WheelSpeed => (Unit::Ratio, MOST_SLIP, "wheel speed against the car"),
            Channel::CombinedSlip => (Unit::Number, MOST_COMBINED, "1 is the tyre's best"),
            Channel::SlipLevel => (channel.unit(), channel.range().1, "as sent"),
            _ => (channel.unit(), MOST_SLIP, "as sent"),
        };
        let about = match (channel.scope(), wheel) {
            (Scope::Wheels, "") => format!("{about}, worst wheel"),
            (Scope::Wheels, wheel) => format!("{about}, {wheel}"),
            _ => about.to_owned(),
        };
        let highest = extent(&values).high;
        let domain = Domain::new(0.0, f64::from(highest.clamp(most / 3.0, most)));
        let more = if highest > most { " and more" } else { "" };
        Ok(on_scale(values, domain, self.units.shown(unit), about, more))
    }

    fn temperature(&self) -> Result<ColouredLap, Unavailable> {
        let channel = self.sent(Colouring::Temperature, 0)?;
        // A temperature of zero means that the tyre was not measured yet.
        let made = |_: usize, value: f64| if value == 0.0 { f64::NAN } else { value };
        let (values, wheel) = self.of_wheels(channel, &made)?;
        let depth = match channel {
            Channel::TyreSurfaceTemperature => ", surface",
            Channel::TyreInnerTemperature => ", inside",
            _ => "",
        };
        let about = format!("{}{depth}", if wheel.is_empty() { "hottest tyre" } else { wheel });
        let unit = self.units.shown(Unit::Celsius);
        let domain = round(extent(&values), unit);
        Ok(on_scale(values, domain, unit, about, ""))
    }

    fn surface(&self) -> Result<ColouredLap, Unavailable> {
        let looser = |_: usize, number: f64| {
            let surface = Surface::from_number(number as u16);
            let place = LOOSER.iter().position(|known| Some(*known) == surface);
            place.unwrap_or(LOOSER.len()) as f64
        };
        let (places, wheel) = self.of_wheels(Channel::Surface, &looser)?;
        let mut classes = [(Tone::Plain, "unknown"); LOOSER.len() + 1];
        classes.iter_mut().zip(LOOSER).for_each(|(class, surface)| class.1 = surface.name());
        let about = match wheel {
            "" => "loosest under any wheel".to_owned(),
            wheel => format!("under {wheel}"),
        };
        let mut coloured = in_classes(places, &classes, about);
        spread(&mut coloured.bands);
        Ok(coloured)
    }
}

fn extent(values: &[f32]) -> Extent {
    values.iter().fold(Extent::EMPTY, |extent, value| extent.including(*value))
}

/// A scale with round ends in the display unit.
fn round(extent: Extent, unit: &DisplayUnit) -> Domain {
    let shown = |end: f32| unit.value(f64::from(end));
    let nice = Domain::new(shown(extent.low), shown(extent.high)).nice(8);
    let kept = |shown: f64| (shown - unit.offset) / unit.scale;
    Domain::new(kept(nice.low()), kept(nice.high()))
}
