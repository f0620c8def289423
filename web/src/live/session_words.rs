//! The kind of session, in words.

use trailbrake_shared::model::{SafetyCar, SessionInfo, SessionKind, Weather};
use trailbrake_shared::session::Session;

use crate::telemetry::Telemetry;

/// The kind of session, the laps of a race, rain and the safety car. Empty if the game sends none of these.
pub(crate) fn heading(telemetry: &Telemetry) -> String {
    telemetry.session().and_then(Session::info).map(headline).unwrap_or_default()
}

fn headline(info: &SessionInfo) -> String {
    let kind = match info.kind {
        SessionKind::Unknown | SessionKind::Other(_) => String::new(),
        SessionKind::Practice(number) => format!("Practice {number}"),
        SessionKind::Qualifying(number) => format!("Qualifying {number}"),
        SessionKind::ShortPractice => "Practice".to_owned(),
        SessionKind::ShortQualifying => "Qualifying".to_owned(),
        SessionKind::OneShotQualifying => "One-shot qualifying".to_owned(),
        SessionKind::SprintQualifying(number) => format!("Sprint qualifying {number}"),
        SessionKind::ShortSprintQualifying => "Sprint qualifying".to_owned(),
        SessionKind::OneShotSprintQualifying => "One-shot sprint qualifying".to_owned(),
        SessionKind::Race(1) => "Race".to_owned(),
        SessionKind::Race(number) => format!("Race {number}"),
        SessionKind::TimeTrial => "Time trial".to_owned(),
        SessionKind::Booking => "Booking".to_owned(),
        SessionKind::Stage => "Stage".to_owned(),
    };
    let laps = info.total_laps.filter(|laps| *laps > 1 && matches!(info.kind, SessionKind::Race(_)));
    let laps = laps.map(|laps| format!("{laps} laps"));
    let weather = match info.weather {
        Some(Weather::LightRain) => Some("light rain"),
        Some(Weather::HeavyRain) => Some("heavy rain"),
        Some(Weather::Storm) => Some("storm"),
        _ => None,
    };
    let slowed = match info.safety_car {
        Some(SafetyCar::Full) => Some("safety car"),
        Some(SafetyCar::Virtual) => Some("virtual safety car"),
        Some(SafetyCar::FormationLap) => Some("formation lap"),
        _ => None,
    };
    let kind = Some(kind).filter(|kind| !kind.is_empty());
    let parts = [kind, laps, weather.map(str::to_owned), slowed.map(str::to_owned)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
