//! What race control, the referee and other cars do, in the model's terms.

use trailbrake_model::{Car, RaceEvent};

use super::layout::{self, Happened};
use super::names::{self, Row, name, of_year};
use crate::table::Version;

/// The safety car is about to leave the track.
const RETURNING: u8 = 1;
/// Stands for no car, no time and no places.
const NONE: u8 = 255;

/// The event that others see, with its car; `None` of what is known from other packets.
pub(super) fn race_event(happened: &Happened, version: Version) -> Option<(Option<Car>, RaceEvent)> {
    let word = |table, number: Option<u8>| number.and_then(|number| name(table, number)).map(str::to_owned);
    let of_all = |event| Some((None, event));
    let of_car = |car: u8, event| Some((Some(car_at(car, version)?), event));
    match happened {
        Happened::StartLights(sent) => of_all(RaceEvent::StartLights { lit: sent.lights }),
        Happened::LightsOut => of_all(RaceEvent::LightsOut),
        Happened::DrsEnabled => of_all(RaceEvent::DrsEnabled),
        Happened::DrsDisabled(sent) => {
            // Formats before 2025 have no reason.
            let reason = (version.number() >= 2025).then_some(sent.reason);
            of_all(RaceEvent::DrsDisabled { reason: word(names::DRS_REASONS, reason) })
        }
        Happened::ChequeredFlag => of_all(RaceEvent::ChequeredFlag),
        Happened::RedFlag => of_all(RaceEvent::RedFlag),
        Happened::TeamMateInPits(sent) => of_car(sent.car, RaceEvent::TeamMateInPits),
        Happened::RaceWon(sent) => of_car(sent.car, RaceEvent::Won),
        Happened::Retired(sent) => {
            of_car(sent.car, RaceEvent::Retired { reason: word(names::END_REASONS, sent.reason) })
        }
        Happened::Penalised(sent) => of_car(sent.car, penalised(sent, version)),
        Happened::DriveThroughServed(sent) => of_car(sent.car, RaceEvent::DriveThroughServed),
        Happened::StopGoServed(sent) => {
            let millis = sent.stop_time.filter(|seconds| (0.0..1e3).contains(seconds));
            let millis = millis.map(|seconds| (seconds * 1e3).round() as u32);
            of_car(sent.car, RaceEvent::StopGoServed { millis })
        }
        Happened::SpeedTrap(sent) => {
            // Every pass of a car may be sent; only its own best is news.
            let is_best = sent.driver_fastest != Some(0) || sent.overall_fastest == Some(1);
            let speed = Some(sent.speed).filter(|kmh| is_best && (0.0..2e3).contains(kmh))?;
            let mm_per_s = (speed / 3.6e-3).round() as u32;
            of_car(
                sent.car,
                RaceEvent::SpeedTrap { mm_per_s, fastest: sent.overall_fastest.is_some_and(|is| is != 0) },
            )
        }
        Happened::Overtaken(sent) => {
            let car = car_at(sent.overtaken_car, version)?;
            of_car(sent.car, RaceEvent::Overtook { car })
        }
        Happened::SafetyCar(sent) => {
            // What it did is in the session's packets, not what it is about to do.
            let which = word(names::SAFETY_CARS, Some(sent.safety_car))?;
            if sent.what == RETURNING { of_all(RaceEvent::SafetyCarReturns { which }) } else { None }
        }
        Happened::Touched(sent) => {
            let with = car_at(sent.other_car, version)?;
            of_car(sent.car, RaceEvent::Contact { with, severity: word(names::SEVERITIES, sent.severity) })
        }
        // They are the decoder's own, or said by what they change: the clock, the laps, the buttons.
        Happened::SessionStarted
        | Happened::SessionEnded
        | Happened::FastestLap(_)
        | Happened::FlashedBack(_)
        | Happened::ButtonsPressed(_) => None,
    }
}

fn penalised(sent: &layout::Penalty, version: Version) -> RaceEvent {
    let is_there = |number: u8| (number != NONE).then_some(number);
    let words = |table: &[Row], number: u8| {
        of_year(table, u16::from(number), version.number()).map_or_else(|| number.to_string(), str::to_owned)
    };
    RaceEvent::Penalised {
        penalty: words(names::PENALTIES, sent.penalty_type),
        reason: words(names::INFRINGEMENTS, sent.infringement),
        seconds: is_there(sent.time),
        lap: is_there(sent.lap),
        places: is_there(sent.places).filter(|places| *places > 0),
        with: car_at(sent.other_car, version),
    }
}

/// The car with an index; `None` outside the arrays.
pub(super) fn car_at(index: u8, version: Version) -> Option<Car> {
    (usize::from(index) < layout::cars(version)).then_some(Car(index))
}
