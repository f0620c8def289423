//! Upshifts, downshifts, missed shifts, and the rev limiter.

use trailbrake_model::Channel;

use super::super::{LapColumns, Row, Unavailable};
use super::trigger::{EventSpan, EventTrigger};
use super::{Kind, LapEvent};

/// A shift takes less than this; a longer time in neutral is a missed shift, seconds.
const SHIFTS_IN_S: f64 = 0.5;
/// A slower car may be in neutral on purpose, m/s.
const DRIVING_MPS: f32 = 5.0;
const NEUTRAL: i8 = 0;
/// Trigger for an on/off channel of the game.
const SWITCH: EventTrigger = EventTrigger { on: 0.5, off: 0.5, least_s: 0.03, bridge_s: 0.1 };
/// Trigger for the fraction of the maximum engine speed at which the limiter works.
const REVS: EventTrigger = EventTrigger { on: 0.99, off: 0.97, least_s: 0.05, bridge_s: 0.1 };

/// An engaged gear, and its last row.
#[derive(Clone, Copy)]
struct EngagedGear {
    gear: i8,
    last: Row<3>,
}

pub(super) fn shifts(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let rows = lap.rows([Channel::Gear.slot(), Channel::Rpm.slot(), Channel::Speed.slot()])?;
    let mut found = Vec::new();
    let mut engaged: Option<EngagedGear> = None;
    for row in &rows {
        let gear = row.values[0] as i8;
        if gear == NEUTRAL {
            continue;
        }
        if let Some(before) = engaged {
            found.extend(between(lap, &before, gear, row, &rows));
        }
        engaged = Some(EngagedGear { gear, last: *row });
    }
    Ok(found)
}

/// The event between the last row in one gear and the first in the next, which may be the same gear.
fn between(
    lap: &LapColumns<'_>,
    before: &EngagedGear,
    gear: i8,
    row: &Row<3>,
    rows: &[Row<3>],
) -> Option<LapEvent> {
    let EngagedGear { gear: left, last } = *before;
    let lasts_s = row.clock_s - last.clock_s;
    let meanwhile = || rows.iter().filter(|one| one.clock_s > last.clock_s && one.clock_s < row.clock_s);
    let in_neutral = meanwhile().next().is_some();
    let forward = left > NEUTRAL && gear > NEUTRAL;
    let driving = row.values[2] >= DRIVING_MPS && last.values[2] >= DRIVING_MPS;
    let kind = if in_neutral && forward && driving && (left == gear || lasts_s > SHIFTS_IN_S) {
        Kind::MissedShift
    } else if !forward || left == gear || lasts_s > SHIFTS_IN_S {
        return None;
    } else if gear > left {
        Kind::ShiftUp
    } else {
        Kind::ShiftDown
    };
    let rpm = match kind {
        Kind::MissedShift => meanwhile().map(|row| row.values[1]).fold(last.values[1], f32::max),
        _ => last.values[1],
    };
    let stretch = EventSpan { from_s: last.clock_s, until_s: row.clock_s, peak: rpm, peak_s: last.clock_s };
    let event = LapEvent::of(kind, lap, &stretch).sized(Some(rpm));
    Some(LapEvent { gears: Some((left, gear)), ..event })
}

pub(super) fn rev_limit(lap: &LapColumns<'_>) -> Result<Vec<LapEvent>, Unavailable> {
    let revs = lap.rows([Channel::Rpm.slot()])?;
    let stretches = if lap.has(Channel::RevLimiter.slot()) {
        let limiter = lap.rows([Channel::RevLimiter.slot()])?;
        SWITCH.find(limiter.iter().map(|row| (row.clock_s, row.values[0])))
    } else if lap.has(Channel::MaxRpm.slot()) {
        let shares = lap.rows([Channel::Rpm.slot(), Channel::MaxRpm.slot()])?;
        let known = shares.iter().filter(|row| row.values[1] > 0.0);
        REVS.find(known.map(|row| (row.clock_s, row.values[0] / row.values[1])))
    } else {
        return Err(Unavailable::not_sent(&[Channel::RevLimiter, Channel::MaxRpm]));
    };
    let highest = |stretch: &EventSpan| {
        let within = revs.iter().filter(|row| (stretch.from_s..=stretch.until_s).contains(&row.clock_s));
        within.map(|row| row.values[0]).max_by(f32::total_cmp)
    };
    let event = |stretch| LapEvent::of(Kind::RevLimit, lap, stretch).sized(highest(stretch));
    Ok(stretches.iter().map(event).collect())
}
