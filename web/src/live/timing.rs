//! The timing table.

use leptos::prelude::*;
use trailbrake_shared::model::{Car, PitStatus, ResultStatus, SafetyCar, SessionInfo, SessionKind, Weather};
use trailbrake_shared::number;
use trailbrake_shared::session::{Gap, Session, TimingRow};
use trailbrake_shared::time::LapTime;

use crate::cockpit::Cockpit;
use crate::figures::NONE;
use crate::telemetry::Telemetry;

/// A row in words.
#[derive(Clone, Debug, PartialEq)]
struct RowWords {
    car: Car,
    class: &'static str,
    position: String,
    name: String,
    last: String,
    best: String,
    is_fastest: bool,
    gap: String,
    /// Whether the user picked the car to watch.
    is_picked: bool,
    /// Whether it is the player's car.
    is_player: bool,
}

/// Whether there are cars to compare.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(|session| session.timing().len() > 1)
}

/// The kind of session, its length, and what slows it.
pub(crate) fn heading(telemetry: &Telemetry) -> String {
    telemetry.session().and_then(Session::info).map(headline).unwrap_or_default()
}

/// The panel.
#[component]
pub(super) fn TimingPanel() -> impl IntoView {
    let cockpit = Cockpit::here();
    let heading = cockpit.sampled(heading);
    let rows = cockpit.sampled(rows);
    let cars = Memo::new(move |_| rows.with(|rows| rows.iter().map(|row| row.car.0).collect::<Vec<u8>>()));
    view! {
        <section class="panel timing" aria-label="Timing">
            <div class="head"><h2>"Timing"</h2><span>{move || heading.get()}</span></div>
            <div class="scroll" tabindex="0" role="group" aria-label="Timing table">
                <table>
                    <tbody>
                        <For each=move || cars.get() key=|car| *car let:car>
                            <Row car=Car(car) rows/>
                        </For>
                    </tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn Row(car: Car, rows: Memo<Vec<RowWords>>) -> impl IntoView {
    let row = Memo::new(move |_| rows.with(|rows| rows.iter().find(|row| row.car == car).cloned()));
    let word = move |read: fn(&RowWords) -> String| move || row.with(|row| row.as_ref().map(read));
    let is_picked = Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(|row| row.is_picked)));
    let is_player = Memo::new(move |_| row.with(|row| row.as_ref().is_some_and(|row| row.is_player)));
    view! {
        <tr class=move || row.with(|row| row.as_ref().map(|row| row.class)) data-position=word(|row| row.position.clone())>
            <td class="place">{word(|row| row.position.clone())}</td>
            <th scope="row">
                <PickButton car is_picked is_player>{word(|row| row.name.clone())}</PickButton>
            </th>
            <td class="last">{word(|row| row.last.clone())}</td>
            <td class="best" class:fastest=move || row.with(|row| row.as_ref().is_some_and(|row| row.is_fastest))>
                {word(|row| row.best.clone())}
            </td>
            <td class="gap">{word(|row| row.gap.clone())}</td>
        </tr>
    }
}

/// A name that is pressed to watch its car, and again for the player's car or the leader's.
#[component]
fn PickButton(car: Car, is_picked: Memo<bool>, is_player: Memo<bool>, children: Children) -> impl IntoView {
    let cockpit = Cockpit::here();
    let has_player =
        cockpit.sampled(|telemetry| telemetry.session().is_some_and(|session| session.player().is_some()));
    let title = move || match (is_picked.get() || is_player.get(), has_player.get()) {
        (false, _) => "Watch this car",
        (true, true) => "Watch your car",
        (true, false) => "Watch the leader",
    };
    let pick = move |_| {
        let car = Some(car).filter(|_| !is_picked.get_untracked() && !is_player.get_untracked());
        cockpit.tell(|session| session.pick(car));
    };
    view! {
        <button
            type="button"
            title=title
            aria-pressed=move || if is_picked.get() { "true" } else { "false" }
            data-testid="pick"
            on:click=pick
        >
            {children()}
        </button>
    }
}

fn rows(telemetry: &Telemetry) -> Vec<RowWords> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    session.timing().iter().map(|row| words(row, session)).collect()
}

fn words(row: &TimingRow, session: &Session) -> RowWords {
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
    let own = session.watched() == Some(row.car);
    let time = |time: Option<LapTime>| time.map_or_else(|| NONE.to_owned(), |time| time.to_string());
    RowWords {
        car: row.car,
        class: match (own, out.is_some()) {
            (true, true) => "own out",
            (true, false) => "own",
            (false, true) => "out",
            (false, false) => "",
        },
        position: if row.position == 0 { NONE.to_owned() } else { row.position.to_string() },
        name: row.short.to_string(),
        last: time(row.last),
        best: time(row.best),
        is_fastest: session.bests().lap.map(|(_, car)| car) == Some(row.car),
        gap,
        is_picked: session.picked() == Some(row.car),
        is_player: row.player,
    }
}

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
