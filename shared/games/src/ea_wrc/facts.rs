//! What rarely changes: stage, car, and how the game is played, sent when they change.

use trailbrake_model::{Fact, Moment, Rule, SessionInfo, SessionKind, Sink, Track, Vehicle};

use super::fields::Field;
use super::names;
use super::stage::DRIVER;
use super::structure::Numbers;

/// The facts sent so far.
#[derive(Debug, Default)]
pub(super) struct SentFacts {
    session: Option<SessionInfo>,
    vehicle: Option<Vehicle>,
    rules: Option<Vec<Rule>>,
}

impl SentFacts {
    /// Sends what a packet says that was not sent before. `start_z` is where the stage begins, once that is known.
    pub(super) fn send(&mut self, sent: &Numbers, start_z: Option<f64>, moment: Moment, sink: &mut dyn Sink) {
        let session = session(sent, start_z);
        if self.session.as_ref() != Some(&session) {
            sink.fact(moment, Fact::Session(Box::new(session.clone())));
            self.session = Some(session);
        }
        let vehicle = vehicle(sent);
        if self.vehicle.as_ref() != Some(&vehicle) {
            sink.fact(moment, Fact::Vehicle(DRIVER, Box::new(vehicle.clone())));
            self.vehicle = Some(vehicle);
        }
        let rules = rules(sent);
        if !rules.is_empty() && self.rules.as_ref() != Some(&rules) {
            sink.fact(moment, Fact::Rules(rules.clone()));
            self.rules = Some(rules);
        }
    }
}

fn session(sent: &Numbers, start_z: Option<f64>) -> SessionInfo {
    let length = Some(sent.of(Field::StageLength)).filter(|length| *length > 0.0);
    // The game numbers its routes; without ids, length and start tell them apart.
    let by_number = || Some(format!("{}/{}", sent.get(Field::LocationId)?, sent.get(Field::RouteId)?));
    let by_shape = || {
        let length = length?;
        Some(match start_z {
            Some(z) => format!("{length:.2}@{z:.0}"),
            None => format!("{length:.2}"),
        })
    };
    SessionInfo {
        kind: SessionKind::Stage,
        track: by_number().or_else(by_shape).map(|id| Track { id, name: None, recognised: None }),
        track_length_m: length.map(|length| length as f32),
        total_laps: Some(1),
        ..SessionInfo::default()
    }
}

fn vehicle(sent: &Numbers) -> Vehicle {
    let by_engine = || {
        let [max, idle, gears] =
            [Field::EngineRpmMax, Field::EngineRpmIdle, Field::GearMaximum].map(|field| sent.of(field));
        format!("{max:.0}/{idle:.0}/{gears:.0}")
    };
    Vehicle {
        id: Some(sent.get(Field::VehicleId).map_or_else(by_engine, |id| id.to_string())),
        class: sent.get(Field::VehicleClassId).map(|id| id.to_string()),
        ..Vehicle::default()
    }
}

fn rules(sent: &Numbers) -> Vec<Rule> {
    let rule = |rule: &str, setting: String| Rule { rule: rule.to_owned(), setting };
    let shakedown = sent.get(Field::StageShakedown).map(|on| if on == 0.0 { "no" } else { "yes" });
    let mode = sent.get(Field::GameMode).map(names::mode);
    let rules = [shakedown.map(|on| rule("Shakedown", on.to_owned())), mode.map(|mode| rule("Mode", mode))];
    rules.into_iter().flatten().collect()
}
