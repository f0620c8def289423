//! The timing table.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, PitStatus, ResultStatus, SafetyCar, SessionInfo, SessionKind, Weather};
use trailbrake_shared::session::{Gap, Session, TimingRow};

use super::why_missing;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, number};
use crate::telemetry::Telemetry;

/// The panel.
pub(super) fn timing() -> impl IntoView {
    let cockpit = Cockpit::here();
    let rows = cockpit.sampled(|telemetry| {
        telemetry
            .session()
            .map(|session| session.timing().iter().map(|row| Row::of(row, session)).collect::<Vec<_>>())
    });
    let heading = cockpit
        .sampled(|telemetry| telemetry.session().and_then(Session::info).map(headline).unwrap_or_default());
    let missing = cockpit.sampled(|telemetry: &Telemetry| why_missing(telemetry, "how the cars stand"));
    view! {
        <section class="panel timing" aria-label="Timing">
            <div class="head"><h2>"Timing"</h2><span>{heading}</span></div>
            <div class="scroll" tabindex="0">
                {move || match rows.get().filter(|rows| !rows.is_empty()) {
                    Some(rows) => view! { <table>{rows.into_iter().map(|one| row(cockpit, one)).collect_view()}</table> }.into_any(),
                    None => view! { <p class="missing">{missing}</p> }.into_any(),
                }}
            </div>
        </section>
    }
}

/// A row, as it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    car: Car,
    position: String,
    name: String,
    best: String,
    gap: String,
    own: bool,
    /// Whether the user can pick the car to look at: there is no player, whose car it would be.
    pickable: bool,
    /// Whether the user has picked it.
    picked: bool,
    fastest: bool,
    out: bool,
}

impl Row {
    fn of(row: &TimingRow, session: &Session) -> Self {
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
            (.., Gap::Seconds(seconds)) => format!("+{}", number(seconds.into(), 3)),
            (.., Gap::Laps(1)) => "+1 lap".to_owned(),
            (.., Gap::Laps(laps)) => format!("+{laps} laps"),
            (.., Gap::Unknown) => NONE.to_owned(),
        };
        let holder = session.bests().lap.map(|(_, car)| car);
        let pickable = session.player().is_none();
        Self {
            car: row.car,
            position: if row.position == 0 { NONE.to_owned() } else { row.position.to_string() },
            name: row.short.clone(),
            best: row.best.map_or_else(|| NONE.to_owned(), |time| time.to_string()),
            gap,
            own: row.player || (pickable && session.watched() == Some(row.car)),
            pickable,
            picked: session.picked() == Some(row.car),
            fastest: holder == Some(row.car),
            out: out.is_some(),
        }
    }
}

fn row(cockpit: Cockpit, row: Row) -> impl IntoView {
    let place = row.position.clone();
    let name = if row.pickable { pick(cockpit, &row).into_any() } else { row.name.into_any() };
    view! {
        <tr class:own=row.own class:out=row.out data-position=place>
            <td class="place">{row.position}</td>
            <th scope="row">{name}</th>
            <td class="best" class:fastest=row.fastest>{row.best}</td>
            <td class="gap">{row.gap}</td>
        </tr>
    }
}

/// A name that is pressed to look at its car, and again for the leader's.
fn pick(cockpit: Cockpit, row: &Row) -> impl IntoView + use<> {
    let (car, picked, name) = (row.car, row.picked, row.name.clone());
    let hint = if picked { "Shown: press to show the leader" } else { "Show this car" };
    let choose = move |_| cockpit.tell(|session| session.pick((!picked).then_some(car)));
    view! {
        <button type="button" title=hint aria-pressed=picked.to_string() data-action="pick" on:click=choose>{name}</button>
    }
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
