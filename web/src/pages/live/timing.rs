//! The timing table.

use trailbrake_shared::model::{PitStatus, ResultStatus, SafetyCar, SessionInfo, SessionKind, Weather};
use trailbrake_shared::number;
use trailbrake_shared::session::{Gap, Session, TimingRow};

use super::why_missing;
use crate::dom::{Part, button, part};
use crate::figures::NONE;
use crate::telemetry::Telemetry;

/// The panel.
pub(super) fn timing(telemetry: &Telemetry) -> Part {
    let session = telemetry.session();
    let heading = session.and_then(Session::info).map(headline).unwrap_or_default();
    let rows = session.map(|session| (session, session.timing())).filter(|(_, rows)| !rows.is_empty());
    let rows = rows.map(|(session, rows)| rows.iter().map(|one| row(one, session)).collect());
    let missing =
        rows.is_none().then(|| part("p", "missing").says(&why_missing(telemetry, "how the cars stand")));
    part("section", "panel timing")
        .set("aria-label", "Timing")
        .with(part("div", "head").with(part("h2", "").says("Timing")).with(part("span", "").says(&heading)))
        .with(
            part("div", "scroll")
                .set("tabindex", "0")
                .perhaps(rows.map(|rows| part("table", "").with_all(rows)))
                .perhaps(missing),
        )
}

fn row(row: &TimingRow, session: &Session) -> Part {
    let out = match row.result {
        ResultStatus::Retired => Some("retired"),
        ResultStatus::Disqualified => Some("disqualified"),
        ResultStatus::NotClassified => Some("not classified"),
        _ => None,
    };
    let gap = match (out, row.pit, row.gap) {
        (Some(words), ..) => words.to_owned(),
        (_, PitStatus::Pitting | PitStatus::InPitArea, _) => "pit".to_owned(),
        (.., Gap::Leader) => "leader".to_owned(),
        (.., Gap::Seconds(seconds)) => format!("+{}", number::write(seconds.into(), 3)),
        (.., Gap::Laps(1)) => "+1 lap".to_owned(),
        (.., Gap::Laps(laps)) => format!("+{laps} laps"),
        (.., Gap::Unknown) => NONE.to_owned(),
    };
    let position = if row.position == 0 { NONE.to_owned() } else { row.position.to_string() };
    let best = row.best.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    let fastest = session.bests().lap.map(|(_, car)| car) == Some(row.car);
    // The user can pick the car to look at where there is no player, whose car it would be.
    let pickable = session.player().is_none();
    let own = row.player || (pickable && session.watched() == Some(row.car));
    let class = match (own, out.is_some()) {
        (true, true) => "own out",
        (true, false) => "own",
        (false, true) => "out",
        (false, false) => "",
    };
    let name = part("th", "").set("scope", "row");
    let name = if pickable { name.with(pick(row, session)) } else { name.says(&row.short) };
    part("tr", class)
        .set("data-position", &position)
        .with(part("td", "place").says(&position))
        .with(name)
        .with(part("td", if fastest { "best fastest" } else { "best" }).says(&best))
        .with(part("td", "gap").says(&gap))
}

/// A name that is pressed to look at its car, and again for the leader's.
fn pick(row: &TimingRow, session: &Session) -> Part {
    let picked = session.picked() == Some(row.car);
    let car = if picked { String::new() } else { row.car.0.to_string() };
    button(&row.short, "", "pick")
        .set("title", if picked { "Shown: press to show the leader" } else { "Show this car" })
        .set("aria-pressed", if picked { "true" } else { "false" })
        .set("data-of", &car)
}

/// What kind of session it is, how far it is, and what slows it.
fn headline(info: &SessionInfo) -> String {
    let kind = match info.kind {
        SessionKind::Unknown | SessionKind::Other(_) => "Session".to_owned(),
        SessionKind::Practice(number) => format!("Practice {number}"),
        SessionKind::Qualifying(number) => format!("Qualifying {number}"),
        SessionKind::ShortPractice => "Practice".to_owned(),
        SessionKind::ShortQualifying => "Qualifying".to_owned(),
        SessionKind::OneShotQualifying => "One-shot qualifying".to_owned(),
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
        _ => None,
    };
    let parts = [Some(kind), laps, weather.map(str::to_owned), slowed.map(str::to_owned)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
