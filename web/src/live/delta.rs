//! The delta against the chosen target, and the predicted lap time.

use leptos::ev::Event;
use leptos::prelude::*;
use trailbrake_shared::analysis::Method;
use trailbrake_shared::number;
use trailbrake_shared::session::{DeltaTarget, LiveComparison, Session};
use trailbrake_shared::time::LapTime;

use crate::cockpit::Cockpit;
use crate::figures::{NONE, clock};
use crate::telemetry::Telemetry;

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
    predicted: Option<LapTime>,
    /// The current lap: its number and its lap clock.
    lap: String,
    /// What the delta is against, with its time.
    against: String,
    /// How the car is located on the reference, in words.
    method: &'static str,
}

impl Delta {
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

/// The delta without the chooser of its target.
#[component]
pub(crate) fn DeltaFigure() -> impl IntoView {
    let delta = Cockpit::here().sampled(read_delta);
    let against = move || {
        delta.with(|delta| if delta.seconds.is_some() { delta.against.clone() } else { delta.why.clone() })
    };
    view! {
        <div class="delta" data-trend=move || delta.with(|delta| delta.words().0)>
            <b data-figure="delta">{move || delta.with(|delta| delta.words().1)}</b>
            <span>{move || delta.with(|delta| delta.lap.clone())}</span>
            <span>{against}</span>
        </div>
    }
}

/// The delta with the predicted lap time and the chooser.
#[component]
pub(super) fn DeltaPanel() -> impl IntoView {
    let delta = Cockpit::here().sampled(read_delta);
    let predicted =
        move || delta.with(|delta| delta.predicted.map(|time| time.to_string()).unwrap_or_default());
    view! {
        <div
            class="delta"
            data-trend=move || delta.with(|delta| delta.words().0)
            title=move || delta.with(|delta| delta.method)
        >
            <b data-figure="delta">{move || delta.with(|delta| delta.words().1)}</b>
            <span class="predicted" class:absent=move || predicted().is_empty()>
                <small>"predicted "</small>
                <b data-figure="predicted">{predicted}</b>
            </span>
            <span>{move || delta.with(|delta| delta.why.clone())}</span>
            <span class="now">{move || delta.with(|delta| delta.lap.clone())}</span>
            <Chooser/>
        </div>
    }
}

/// The chooser of the delta's target. A lap chosen in the lap list is one of the options.
#[component]
fn Chooser() -> impl IntoView {
    let cockpit = Cockpit::here();
    let selected = cockpit.sampled(|telemetry| telemetry.session().map_or("session", selected));
    let lap = cockpit.sampled(|telemetry| telemetry.session().and_then(chosen_lap));
    let choose = move |event: Event| {
        let value = event_target_value(&event);
        if let Some((target, ..)) = CHOICES.iter().find(|(_, id, _)| *id == value) {
            cockpit.compare_with(*target);
        }
    };
    let option = |(target, id, _): (DeltaTarget, &'static str, &'static str)| {
        let words = cockpit.sampled(move |telemetry| option_words(telemetry, target));
        view! { <option value=id prop:selected=move || selected.get() == id>{move || words.get()}</option> }
    };
    view! {
        <select aria-label="Delta to" data-testid="delta-target" on:change=choose>
            {CHOICES.map(option)}
            {move || {
                lap.get()
                    .map(|words| view! { <option value="lap" prop:selected=move || selected.get() == "lap">{words}</option> })
            }}
        </select>
    }
}

fn selected(session: &Session) -> &'static str {
    let target = session.live_comparison().target();
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
    CHOICES.iter().find(|(other, ..)| *other == target).map_or("chosen lap", |(.., name)| *name)
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
    let progress = session.watched().and_then(|car| session.car(car)?.progress);
    let run = session.watched().and_then(|car| Some(session.car(car)?.laps.run().saturating_add(1)));
    let lap = progress.map(|progress| {
        let name = match run.filter(|_| session.is_stage()) {
            Some(run) => format!("run {run}"),
            None => format!("lap {}", progress.lap),
        };
        match progress.clock {
            Some(seconds) => format!("{name} · {}", clock(seconds)),
            None => name,
        }
    });
    let lap = lap.unwrap_or_default();
    if let Some(car) = session.watched().filter(|car| session.player() != Some(*car)) {
        // Only the player's laps are compared. While another car is watched, its driver is named here instead.
        let is_picked = session.picked() == Some(car) || session.player().is_some();
        let whose = if is_picked { "showing" } else { "showing the leader:" };
        return Delta { why: format!("{whose} {}", session.name(car)), lap, ..Delta::default() };
    }
    let against = comparison.compared_with().map(|(with, time)| match (with, comparison.reference()) {
        (DeltaTarget::Lap(_), Some(reference)) => lap_words(session, comparison, reference.number),
        _ => format!("{} {time}", name(with)),
    });
    Delta {
        seconds: comparison.delta().ok(),
        why: comparison.delta().err().map(|why| why.to_string()).unwrap_or_default(),
        predicted: comparison.predicted(),
        lap,
        against: against.unwrap_or_default(),
        method: comparison.method().map(Method::words).unwrap_or_default(),
    }
}
