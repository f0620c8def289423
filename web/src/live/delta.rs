//! The delta against the chosen target.

use leptos::ev::Event;
use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::analysis::{Method, NoDelta};
use trailbrake_shared::number;
use trailbrake_shared::session::{DeltaTarget, LiveComparison, Session};
use web_sys::HtmlElement;

use super::stage;
use crate::cockpit::{DeltaChoice, RivalChoice, TelemetryStore};
use crate::frame::{self, Phase};
use crate::telemetry::Telemetry;
use crate::text::figures::{NONE, clock};
use crate::text::words::capitalised;

/// The choices: target, value in the chooser, name.
const CHOICES: [(DeltaTarget, &str, &str); 3] = [
    (DeltaTarget::SessionBest, "session", "session best"),
    (DeltaTarget::AllTimeBest, "all-time", "all-time best"),
    (DeltaTarget::TheoreticalBest, "theoretical", "theoretical best"),
];

/// The delta, or why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
struct Delta {
    seconds: Option<f32>,
    why: String,
    /// What is said beside it: on a stage how far it still is.
    instead: String,
    /// The current lap's number, and its lap clock, which takes the delta's place while there is none.
    lap: String,
    clock: String,
    /// What the delta is against, with its time.
    against: String,
    /// How the car is located on the reference, in words.
    method: &'static str,
}

impl Delta {
    /// The current lap: its number and its lap clock.
    fn now(&self) -> String {
        let parts = [self.lap.as_str(), self.clock.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// The trend for the style sheet, and the delta in words. It has a sign: colour must not be the only cue.
    fn words(&self) -> (&'static str, String) {
        match self.seconds {
            Some(behind) if behind >= 0.0005 => ("behind", format!("+{}", number::write(behind.into(), 3))),
            Some(behind) if behind <= -0.0005 => ("ahead", number::write(behind.into(), 3)),
            Some(behind) => ("level", number::write(behind.into(), 3)),
            None => ("none", NONE.to_owned()),
        }
    }
}

/// The delta that fills half of the bar, in seconds.
const FULL_S: f32 = 0.5;
/// From this length on, in thousandths of half of the bar, the arrow would cover the word to which it points.
const COVERS: i32 = 700;

/// The bar across the page: how far ahead or behind, to see from the corner of the eye. Without a delta it says why.
#[component]
pub(super) fn DeltaBar() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let delta = telemetry.sampled(read_delta);
    let has_delta = Memo::new(move |_| delta.with(|delta| delta.seconds.is_some()));
    let fill = NodeRef::<Div>::new();
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(fill) = fill.get().map(HtmlElement::from) else { return };
        let mut shown = None;
        // The bar moves with each frame, so it bypasses the signals.
        subscription.set_value(Some(frame::on(Phase::Draw, move |_| {
            let now = telemetry.look(filled);
            if shown == now {
                return;
            }
            shown = now;
            let Some((side, thousandths)) = now else {
                let _ = fill.remove_attribute("data-side");
                let _ = fill.style().set_property("width", "0");
                return;
            };
            let _ = fill.set_attribute("data-side", side);
            let _ = fill.set_attribute("data-far", &(thousandths > COVERS).to_string());
            let share = format!("{}%", number::write(f64::from(thousandths) / 20.0, 2));
            let _ = fill.style().set_property("width", &share);
        })));
        frame::request();
    });
    let why = move || delta.with(|delta| delta.why.clone());
    let lap = move || delta.with(|delta| delta.instead.clone());
    view! {
        <div
            class="delta-bar"
            class:empty-bar=move || !has_delta.get()
            // The number says the same.
            aria-hidden=move || has_delta.get().to_string()
        >
            <div class="fill" node_ref=fill></div>
            <span class="faster">{move || if has_delta.get() { "faster".to_owned() } else { why() }}</span>
            <span class="slower">{move || if has_delta.get() { "slower".to_owned() } else { lap() }}</span>
        </div>
    }
}

/// What fills the bar, for the style sheet, and how much of it, in thousandths of its half: the delta, or until there is
/// one how much of a rally stage is driven.
fn filled(telemetry: &Telemetry) -> Option<(&'static str, i32)> {
    let delta = telemetry.session()?.live_comparison().delta().ok();
    delta.map(bar).or_else(|| Some(("driven", (stage::driven(telemetry)?.0 * 2e3).round() as i32)))
}

/// The side of the bar that a delta fills, and how much of it.
fn bar(behind: f32) -> (&'static str, i32) {
    let side = if behind < 0.0 { "ahead" } else { "behind" };
    (side, ((behind.abs() / FULL_S).min(1.0) * 1e3).round() as i32)
}

/// The delta without the chooser of its target.
#[component]
pub(super) fn DeltaFigure() -> impl IntoView {
    let delta = TelemetryStore::here().sampled(read_delta);
    let against = move || {
        delta.with(|delta| if delta.seconds.is_some() { delta.against.clone() } else { delta.why.clone() })
    };
    view! {
        <div class="delta" data-trend=move || delta.with(|delta| delta.words().0)>
            <b data-figure="delta">{move || delta.with(|delta| delta.words().1)}</b>
            <span>{move || delta.with(Delta::now)}</span>
            <span>{against}</span>
        </div>
    }
}

/// The delta with the chooser of what it is against. Until there is a delta, the lap and its clock have its place.
#[component]
pub(super) fn DeltaPanel() -> impl IntoView {
    let delta = TelemetryStore::here().sampled(read_delta);
    view! {
        <div
            class="delta"
            data-trend=move || delta.with(|delta| delta.words().0)
            title=move || delta.with(|delta| delta.method)
        >
            <b data-figure="delta">{move || delta.with(|delta| delta.words().1)}</b>
            <b class="clock">{move || delta.with(|delta| delta.clock.clone())}</b>
            <span class="now">{move || delta.with(|delta| delta.lap.clone())}</span>
            <Chooser/>
        </div>
    }
}

/// What the delta is against, in few words, and over them the chooser of its target. A lap chosen in the lap list is one
/// of the options.
#[component]
fn Chooser() -> impl IntoView {
    let (telemetry, delta, rival) = (TelemetryStore::here(), DeltaChoice::here(), RivalChoice::here());
    let selected = telemetry.sampled(|telemetry| telemetry.session().map_or("session", selected));
    let lap = telemetry.sampled(|telemetry| telemetry.session().and_then(chosen_lap));
    let to = telemetry.sampled(|telemetry| telemetry.session().map(to_words).unwrap_or_default());
    let choose = move |event: Event| {
        let value = event_target_value(&event);
        if let Some((target, ..)) = CHOICES.iter().find(|(_, id, _)| *id == value) {
            delta.compare_with(*target);
        } else if value == "rival" {
            delta.compare_with_rival();
        }
    };
    let option = |(target, id, _): (DeltaTarget, &'static str, &'static str)| {
        let words = telemetry.sampled(move |telemetry| option_words(telemetry, target));
        view! { <option value=id prop:selected=move || selected.get() == id>{move || words.get()}</option> }
    };
    view! {
        <span class="to">
            <span aria-hidden="true" data-figure="delta-to">{move || to.get()}</span>
            <select aria-label="Delta to" title="Delta to" data-testid="delta-target" on:change=choose>
                {CHOICES.map(option)}
                {move || {
                    rival
                        .name()
                        .map(|words| view! { <option value="rival" prop:selected=move || selected.get() == "rival">{words}</option> })
                }}
                {move || {
                    lap.get()
                        .map(|words| view! { <option value="lap" prop:selected=move || selected.get() == "lap">{words}</option> })
                }}
            </select>
        </span>
    }
}

fn selected(session: &Session) -> &'static str {
    let target = session.live_comparison().target();
    if target == DeltaTarget::Rival {
        return "rival";
    }
    CHOICES.iter().find(|(other, ..)| *other == target).map_or("lap", |(_, id, _)| *id)
}

/// The name of a target. The current target also has its time, or the target that stands in for it until it has one.
fn option_words(telemetry: &Telemetry, target: DeltaTarget) -> String {
    let name = name(target);
    let Some(comparison) = telemetry.session().map(Session::live_comparison) else { return name.to_owned() };
    match comparison.compared_with().filter(|_| comparison.target() == target) {
        Some((with, time)) if with == target => format!("{name} {time}"),
        Some((with, time)) => format!("{name}: {} {time} so far", self::name(with)),
        None => name.to_owned(),
    }
}

fn name(target: DeltaTarget) -> &'static str {
    if target == DeltaTarget::Rival {
        return "rival";
    }
    CHOICES.iter().find(|(other, ..)| *other == target).map_or("chosen lap", |(.., name)| *name)
}

/// What the delta is against, below its number: a lap of this session by its number.
fn to_words(session: &Session) -> String {
    if session.watched() != session.player() || session.player().is_none() {
        // Only the player's laps are compared.
        return String::new();
    }
    let comparison = session.live_comparison();
    let number = comparison.reference().map(|reference| reference.number).filter(|_| !session.is_stage());
    let rival = comparison.compared_with().filter(|(with, _)| *with == DeltaTarget::Rival);
    if let Some((name, _)) = rival.and(comparison.rival()) {
        return format!("to {name}");
    }
    short_words(comparison.compared_with().map(|(with, _)| with), comparison.target(), number)
}

/// `number` is that of the reference, if it is a lap of a circuit.
fn short_words(with: Option<DeltaTarget>, wanted: DeltaTarget, number: Option<u16>) -> String {
    match (with, number) {
        (None, _) => format!("delta to {}", name(wanted)),
        (Some(DeltaTarget::SessionBest | DeltaTarget::Lap(_)), Some(number)) => format!("to lap {number}"),
        (Some(DeltaTarget::SessionBest), None) => "to best run".to_owned(),
        (Some(DeltaTarget::Lap(_)), None) => "to chosen run".to_owned(),
        (Some(with), _) => format!("to {}", name(with)),
    }
}

/// The lap that was chosen in the lap list, in words.
fn chosen_lap(session: &Session) -> Option<String> {
    let comparison = session.live_comparison();
    comparison.chosen()?;
    let reference = comparison.reference()?;
    Some(lap_words(session, comparison, reference.number))
}

fn lap_words(session: &Session, comparison: &LiveComparison, number: u16) -> String {
    let time = comparison.compared_with().map(|(_, time)| time.to_string()).unwrap_or_default();
    if session.is_stage() { format!("chosen run {time}") } else { format!("lap {number} {time}") }
}

fn read_delta(telemetry: &Telemetry) -> Delta {
    let Some(session) = telemetry.session() else { return Delta::default() };
    let comparison = session.live_comparison();
    let progress = session.watched().and_then(|car| session.car(car)?.progress());
    let run = session.watched().and_then(|car| Some(session.car(car)?.laps.run().saturating_add(1)));
    let lap = progress.map(|progress| match run.filter(|_| session.is_stage()) {
        Some(run) => format!("run {run}"),
        None => format!("lap {}", progress.lap),
    });
    let lap = lap.unwrap_or_default();
    let now = progress.and_then(|progress| progress.clock).map(clock).unwrap_or_default();
    if let Some(car) = session.watched().filter(|car| session.player() != Some(*car)) {
        // Only the player's laps are compared. While another car is watched, its driver is named here instead.
        let is_picked = session.picked() == Some(car) || session.player().is_some();
        let whose = if is_picked { "Showing" } else { "Showing the leader:" };
        return Delta { why: format!("{whose} {}", session.name(car)), lap, clock: now, ..Delta::default() };
    }
    let against = comparison.compared_with().map(|(with, time)| match (with, comparison.reference()) {
        (DeltaTarget::Lap(_), Some(reference)) => lap_words(session, comparison, reference.number),
        (DeltaTarget::Rival, _) => comparison.rival().map(|(name, _)| name.to_owned()).unwrap_or_default(),
        _ => format!("{} {time}", name(with)),
    });
    // What is learnt meanwhile says more than what is missing.
    let has_laps =
        session.player().and_then(|car| session.car(car)).is_some_and(|car| !car.laps.finished().is_empty());
    let is_first = !has_laps
        && comparison.target() == DeltaTarget::SessionBest
        && matches!(comparison.delta(), Err(NoDelta::NoReference | NoDelta::NoDistance));
    let why = comparison.delta().err().map(|why| match (is_first, session.is_stage()) {
        (true, true) => "First run of the stage".to_owned(),
        (true, false) => "Learning the track".to_owned(),
        (false, _) => capitalised(&why.to_string()),
    });
    Delta {
        seconds: comparison.delta().ok(),
        why: why.unwrap_or_default(),
        instead: match is_first && !session.is_stage() {
            true => "delta from the next lap".to_owned(),
            false => stage::driven(telemetry).map(|(_, to_go)| to_go).unwrap_or_default(),
        },
        lap,
        clock: now,
        against: against.unwrap_or_default(),
        method: comparison.method().map(Method::words).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_leads_to_faster_or_slower_and_ends_at_half_a_second() {
        let bars = [-0.7, -0.25, 0.0, 0.1, 3.0].map(bar);
        assert_eq!(bars, [("ahead", 1000), ("ahead", 500), ("behind", 0), ("behind", 200), ("behind", 1000)]);
    }

    #[test]
    fn the_number_says_in_few_words_what_it_is_against() {
        use DeltaTarget::{AllTimeBest, Lap, SessionBest, TheoreticalBest};
        let words = |with, number| short_words(with, SessionBest, number);
        assert_eq!(words(Some(SessionBest), Some(2)), "to lap 2");
        assert_eq!(words(Some(Lap(7)), Some(3)), "to lap 3");
        assert_eq!(words(Some(AllTimeBest), Some(2)), "to all-time best");
        assert_eq!(words(Some(TheoreticalBest), Some(2)), "to theoretical best");
        assert_eq!(
            [words(Some(SessionBest), None), words(Some(Lap(1)), None)],
            ["to best run", "to chosen run"]
        );
        assert_eq!(short_words(None, AllTimeBest, None), "delta to all-time best");
    }
}
