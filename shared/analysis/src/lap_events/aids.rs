//! Driver aids and the handbrake.

use trailbrake_model::Channel;

use super::super::{LapColumns, Unavailable};
use super::trigger::{EventSpan, EventTrigger};
use super::{Kind, LapEvent};

/// Trigger for an on/off channel of the game. Aids work in pulses, so short interruptions are bridged.
const SWITCH: EventTrigger = EventTrigger { on: 0.5, off: 0.5, least_s: 0.03, bridge_s: 0.2 };
/// Trigger for the pedal travel that the anti-lock system holds back from the brakes.
const HELD_BACK: EventTrigger = EventTrigger { on: 0.08, off: 0.03, least_s: 0.05, bridge_s: 0.2 };
/// If the applied brake is never higher than this, the game does not send it, as in replays.
const APPLIED: f32 = 0.05;

pub(super) fn abs(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let stretches = if lap.has(Channel::AbsActive.slot()) {
        switched(lap, Channel::AbsActive)?
    } else if lap.has(Channel::BrakeApplied.slot()) {
        let pedals = lap.rows([Channel::Brake.slot(), Channel::BrakeApplied.slot()])?;
        if pedals.iter().all(|row| row.values[1] <= APPLIED) {
            return Err(Unavailable::TooLittle(
                "a brake that is applied: the game does not send it in replays",
            ));
        }
        HELD_BACK.find(pedals.iter().map(|row| (row.clock_s, row.values[0] - row.values[1])))
    } else {
        return Err(Unavailable::not_sent(&[Channel::AbsActive, Channel::BrakeApplied]));
    };
    Ok(with_pedal(lap, Kind::Abs, Channel::Brake, &stretches))
}

pub(super) fn traction_control(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let stretches = switched(lap, Channel::TcsActive)?;
    Ok(with_pedal(lap, Kind::TractionControl, Channel::Throttle, &stretches))
}

pub(super) fn stability_control(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let stretches = switched(lap, Channel::AsmActive)?;
    Ok(stretches.iter().map(|stretch| LapEvent::of(Kind::StabilityControl, lap, stretch)).collect())
}

pub(super) fn handbrake(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let stretches = switched(lap, Channel::Handbrake)?;
    Ok(stretches.iter().map(|stretch| LapEvent::of(Kind::Handbrake, lap, stretch)).collect())
}

fn switched(lap: &LapColumns<'_>, channel: Channel) -> Result<Vec<EventSpan>, Unavailable> {
    let states = lap.rows([channel.slot()])?;
    Ok(SWITCH.find(states.iter().map(|row| (row.clock_s, row.values[0]))))
}

/// Makes events with the peak pedal travel as size.
fn with_pedal(lap: &LapColumns<'_>, kind: Kind, pedal: Channel, stretches: &[EventSpan]) -> Vec<LapEvent> {
    let pressed = lap.rows([pedal.slot()]).unwrap_or_default();
    let furthest = |stretch: &EventSpan| {
        let within = pressed.iter().filter(|row| (stretch.from_s..=stretch.until_s).contains(&row.clock_s));
        within.map(|row| row.values[0]).max_by(f32::total_cmp)
    };
    stretches.iter().map(|stretch| LapEvent::of(kind, lap, stretch).sized(furthest(stretch))).collect()
}
