//! Lock-ups and wheelspin: wheels that turn slower or faster than the car moves.

use trailbrake_model::{Channel, Slot, Wheel};

use super::super::{LapColumns, Unavailable};
use super::trigger::EventTrigger;
use super::{Kind, LapEvent};

/// On the brakes, grip peaks at a slip of about a tenth. A wheel with more slip than this is locking.
const LOCKS: EventTrigger = EventTrigger { on: 0.3, off: 0.15, least_s: 0.08, bridge_s: 0.1 };
/// The same for wheelspin on the throttle.
const SPINS: EventTrigger = EventTrigger { on: 0.2, off: 0.1, least_s: 0.1, bridge_s: 0.1 };
/// At lower speeds a slip ratio means nothing, m/s.
const LOCKS_FROM_MPS: f32 = 5.0;
const SPINS_FROM_MPS: f32 = 3.0;
/// Least pedal travel for a lock-up, and for wheelspin.
const BRAKES_FROM: f32 = 0.1;
const DRIVES_FROM: f32 = 0.2;

pub(super) fn lock_ups(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    each_wheel(lap, Channel::Brake, Kind::LockUp, LOCKS, |slip, brake, speed| {
        if brake >= BRAKES_FROM && speed >= LOCKS_FROM_MPS { -slip } else { 0.0 }
    })
}

pub(super) fn wheelspin(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    each_wheel(lap, Channel::Throttle, Kind::Wheelspin, SPINS, |slip, throttle, speed| {
        if throttle >= DRIVES_FROM && speed >= SPINS_FROM_MPS { slip } else { 0.0 }
    })
}

/// Finds events of each wheel, by a `strength` that is positive for slip in the wanted direction.
fn each_wheel(
    lap: &LapColumns<'_>,
    pedal: Channel,
    kind: Kind,
    trigger: EventTrigger,
    strength: impl Fn(f32, f32, f32) -> f32,
) -> Result<Vec<LapEvent>, Unavailable> {
    let mut found = Vec::new();
    for wheel in Wheel::ALL {
        let (slot, is_speed) = slip_slot(lap, wheel)?;
        let rows = lap.rows([slot, pedal.slot(), Channel::Speed.slot()])?;
        let strengths = rows.iter().map(|row| {
            let [turns, pedal, speed] = row.values;
            let slip = if is_speed { turns / speed.max(f32::MIN_POSITIVE) - 1.0 } else { turns };
            (row.clock_s, strength(slip, pedal, speed))
        });
        let stretches = trigger.find(strengths);
        let event = |stretch| LapEvent::of(kind, lap, stretch).sized(Some(stretch.peak)).at_wheel(wheel);
        found.extend(stretches.iter().map(event));
    }
    Ok(found)
}

/// The channel that gives a wheel's slip, and whether it is the wheel's speed. Wheel speed is preferred, since slip
/// ratios of games differ in sign and scale.
fn slip_slot(lap: &LapColumns<'_>, wheel: Wheel) -> Result<(Slot, bool), Unavailable> {
    let sent = |channel: Channel| lap.has(channel.of(wheel));
    if sent(Channel::WheelSpeed) {
        Ok((Channel::WheelSpeed.of(wheel), true))
    } else if sent(Channel::WheelSlip) {
        Ok((Channel::WheelSlip.of(wheel), false))
    } else {
        Err(Unavailable::not_sent(&[Channel::WheelSpeed, Channel::WheelSlip]))
    }
}
