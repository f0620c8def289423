//! The details of an event, for scripts.

use serde::Serialize;
use serde_json::{Value, json};
use trailbrake_shared::model::{EventKind, RaceEvent};
use trailbrake_shared::session::LogKind;

/// Names and values of one event.
pub(super) type Details = Vec<(&'static str, Value)>;

/// The details of an entry of the session's log.
pub(super) fn of(kind: &LogKind) -> Details {
    match kind {
        LogKind::Game(kind) => of_game(kind),
        LogKind::Lap { number, time, flags, behind_ms, .. } => vec![
            ("lap", json!(number)),
            ("time_ms", json!(time.0)),
            ("flags", plain(flags)),
            ("behind_ms", json!(behind_ms)),
        ],
        LogKind::Fastest { number, time } => vec![("lap", json!(number)), ("time_ms", json!(time.0))],
        LogKind::Flag { flag, sector } => vec![("flag", plain(flag)), ("sector", json!(sector))],
        LogKind::SafetyCar(safety_car) => vec![("safety_car", plain(safety_car))],
        LogKind::Weather(weather) => vec![("weather", plain(weather))],
        LogKind::Struck { number } => vec![("lap", json!(number))],
        LogKind::Penalty { seconds } => vec![("seconds", json!(seconds))],
        LogKind::PitIn | LogKind::PitOut => Vec::new(),
        LogKind::Result(result) => vec![("result", plain(result))],
    }
}

fn of_game(kind: &EventKind) -> Details {
    match kind {
        EventKind::Rewound { millis } => vec![("millis", json!(millis))],
        EventKind::Penalty { millis } => vec![("seconds", json!(f64::from(*millis) / 1e3))],
        EventKind::Split { number, time } => vec![("split", json!(number)), ("time_ms", json!(time.0))],
        EventKind::Finished { time } => vec![("time_ms", json!(time.map(|time| time.0)))],
        EventKind::Landed { millis, centimetres } => {
            vec![("millis", json!(millis)), ("metres", json!(f64::from(*centimetres) / 1e2))]
        }
        EventKind::Hit { milli_g } => vec![("g", json!(f64::from(*milli_g) / 1e3))],
        EventKind::Collision(hit) => vec![
            ("with", plain(&hit.with)),
            ("kmh", json!(f64::from(hit.mm_per_s) * 3.6 / 1e3)),
            ("place_m", metres(hit.place_cm)),
            ("on_car_m", metres(hit.on_car_cm)),
        ],
        EventKind::Cuts { count } => vec![("count", json!(count))],
        EventKind::Chat { text } | EventKind::Command { text } | EventKind::ServerRefused { text } => {
            vec![("said", json!(text))]
        }
        EventKind::ServerStarted { protocol } => vec![("protocol", json!(protocol))],
        EventKind::Report { file } => vec![("file", json!(file))],
        EventKind::TrackDetected { name } => vec![("track", json!(name))],
        EventKind::Race(event) => of_race(event),
        EventKind::Other(code) => vec![("code", json!(code))],
        EventKind::Signal { value, .. } => vec![("value", json!(value))],
        EventKind::SessionStarted
        | EventKind::SessionEnded
        | EventKind::Restarted
        | EventKind::Paused
        | EventKind::Resumed
        | EventKind::Go
        | EventKind::Abandoned
        | EventKind::Recovered
        | EventKind::Connected
        | EventKind::Loaded
        | EventKind::Disconnected
        | EventKind::ServiceEntered
        | EventKind::ServiceLeft => Vec::new(),
    }
}

fn of_race(event: &RaceEvent) -> Details {
    match event {
        RaceEvent::StartLights { lit } => vec![("lit", json!(lit))],
        RaceEvent::DrsDisabled { reason } | RaceEvent::Retired { reason } => vec![("reason", json!(reason))],
        RaceEvent::Penalised { penalty, reason, seconds, lap, places, with } => vec![
            ("penalty", json!(penalty)),
            ("reason", json!(reason)),
            ("seconds", json!(seconds)),
            ("lap", json!(lap)),
            ("places", json!(places)),
            ("with", plain(with)),
        ],
        RaceEvent::StopGoServed { millis } => vec![("millis", json!(millis))],
        RaceEvent::SpeedTrap { mm_per_s, fastest } => {
            vec![("kmh", json!(f64::from(*mm_per_s) * 3.6 / 1e3)), ("fastest", json!(fastest))]
        }
        RaceEvent::Overtook { car } => vec![("passed", plain(car))],
        RaceEvent::SafetyCarReturns { which } => vec![("which", json!(which))],
        RaceEvent::Contact { with, severity } => vec![("with", plain(with)), ("severity", json!(severity))],
        RaceEvent::LightsOut
        | RaceEvent::DrsEnabled
        | RaceEvent::TeamMateInPits
        | RaceEvent::ChequeredFlag
        | RaceEvent::Won
        | RaceEvent::DriveThroughServed
        | RaceEvent::RedFlag => Vec::new(),
    }
}

fn metres(centimetres: [i32; 3]) -> Value {
    json!(centimetres.map(|number| f64::from(number) / 1e2))
}

/// A model value in its serialised form.
fn plain(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
