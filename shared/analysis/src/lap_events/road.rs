//! Events caused by the road: kerb strikes, bottoming, jumps and impacts.

use trailbrake_model::{Axis, Channel, Surface, Wheel};

use super::super::{LapColumns, Row, Unavailable, statistics};
use super::trigger::{EventSpan, EventTrigger};
use super::{Kind, LapEvent};

const KERB: EventTrigger = EventTrigger { on: 0.5, off: 0.5, least_s: 0.03, bridge_s: 0.15 };
/// The floor touches the road below the first height, and is clear again above the second, metres.
const TOUCHES_M: f32 = 0.005;
const CLEAR_M: f32 = 0.010;
/// The trigger for ride heights, negated so that the lowest is the highest value.
const BOTTOMS: EventTrigger = EventTrigger { on: -TOUCHES_M, off: -CLEAR_M, least_s: 0.02, bridge_s: 0.1 };
/// In the air, vertical g falls below the negative of this. Downforce makes it fall further, but a wing can also press
/// a car down over a crest, so the suspension must hang too.
const FALLS_G: f32 = 0.75;
/// The suspension hangs if at most this part of its travel in the lap is left.
const HANGING: f32 = 0.1;
/// A slower car is not in the air, m/s.
const FLIES_FROM_MPS: f32 = 3.0;
const FALLS: EventTrigger = EventTrigger { on: 0.5, off: 0.5, least_s: 0.2, bridge_s: 0.0 };
/// The part of the car's usual weight that is missing when all wheels hang.
const HANGS: EventTrigger = EventTrigger { on: 0.95, off: 0.9, least_s: 0.2, bridge_s: 0.0 };
/// More g than tyres and brakes can hold.
const HIT: EventTrigger = EventTrigger { on: 8.0, off: 5.0, least_s: 0.0, bridge_s: 0.5 };

pub(super) fn kerbs(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let mut found = Vec::new();
    for wheel in Wheel::ALL {
        let under = lap.rows([Channel::Surface.of(wheel)])?;
        let is_kerb = |row: &Row<1>| f32::from(u8::from(row.values[0] == f32::from(Surface::Kerb.number())));
        let stretches = KERB.find(under.iter().map(|row| (row.clock_s, is_kerb(row))));
        found.extend(stretches.iter().map(|stretch| LapEvent::of(Kind::Kerb, lap, stretch).at_wheel(wheel)));
    }
    Ok(found)
}

pub(super) fn bottoming(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let ends =
        [(Kind::BottomingFront, Channel::RideHeightFront), (Kind::BottomingRear, Channel::RideHeightRear)];
    let mut found = Vec::new();
    for (kind, channel) in ends {
        let heights = lap.rows([channel.slot(), Channel::Speed.slot()])?;
        let below = heights
            .iter()
            .map(|row| (row.clock_s, if row.values[1] > 1.0 { -row.values[0] } else { f32::MIN }));
        let stretches = BOTTOMS.find(below);
        found.extend(stretches.iter().map(|low| LapEvent::of(kind, lap, low).sized(Some(-low.peak))));
    }
    Ok(found)
}

pub(super) fn jumps(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let stretches = match hanging(lap) {
        Ok(stretches) => stretches,
        Err(_) => falling(lap)?,
    };
    let jump = |stretch: &EventSpan| LapEvent::of(Kind::Jump, lap, stretch).sized(flown(lap, stretch));
    Ok(stretches.iter().map(jump).collect())
}

/// Finds stretches in which no wheel carries load.
fn hanging(lap: &LapColumns<'_>) -> Result<Vec<EventSpan>, Unavailable> {
    let loads = lap.rows(Wheel::ALL.map(|wheel| Channel::TyreLoad.of(wheel)))?;
    let carried = |row: &Row<4>| row.values.iter().sum::<f32>();
    let usual = statistics::median(&loads.iter().map(|row| f64::from(carried(row))).collect::<Vec<_>>());
    let usual = usual
        .filter(|usual| *usual > 0.0)
        .ok_or(Unavailable::TooLittle("a car that stands on its wheels"))?;
    Ok(HANGS.find(loads.iter().map(|row| (row.clock_s, 1.0 - carried(row) / usual as f32))))
}

/// Finds stretches in which the car falls and all its wheels hang.
fn falling(lap: &LapColumns<'_>) -> Result<Vec<EventSpan>, Unavailable> {
    let [fl, fr, rl, rr] = Wheel::ALL.map(|wheel| Channel::SuspensionPosition.of(wheel));
    let felt = lap.rows([Channel::GVertical.slot(), Channel::Speed.slot(), fl, fr, rl, rr])?;
    let mut ways = [(f32::INFINITY, f32::NEG_INFINITY); 4];
    for row in &felt {
        let [_, _, positions @ ..] = row.values;
        for ((low, high), position) in ways.iter_mut().zip(positions) {
            (*low, *high) = (low.min(position), high.max(position));
        }
    }
    let flies = |row: &Row<6>| {
        let [g, speed, positions @ ..] = row.values;
        let hang = positions.iter().zip(&ways).all(|(at, (low, high))| at - low <= HANGING * (high - low));
        g < -FALLS_G && speed >= FLIES_FROM_MPS && hang
    };
    Ok(FALLS.find(felt.iter().map(|row| (row.clock_s, f32::from(u8::from(flies(row)))))))
}

/// Horizontal length of a jump, metres.
fn flown(lap: &LapColumns<'_>, stretch: &EventSpan) -> Option<f32> {
    let at = |axis, clock_s| lap.latest(Channel::Position.along(axis), clock_s);
    let way = |axis| Some(at(axis, stretch.until_s)? - at(axis, stretch.from_s)?);
    Some(way(Axis::X)?.hypot(way(Axis::Z)?))
}

pub(super) fn impacts(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let felt = lap.rows([Channel::GLateral.slot(), Channel::GLongitudinal.slot()])?;
    let stretches = HIT.find(felt.iter().map(|row| (row.clock_s, row.values[0].hypot(row.values[1]))));
    Ok(stretches.iter().map(|hit| LapEvent::of(Kind::Impact, lap, hit).sized(Some(hit.peak))).collect())
}
