//! The strip at the top of the left column, to read on a straight: flag or safety car, position, DRS, pit limiter, the
//! last corner against the reference, and the coaching task with its count.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::number;
use trailbrake_shared::recording::Task;
use trailbrake_shared::session::FollowedTask;
use trailbrake_shared::units::Units;

use super::flags::flag;
use super::words::latest;
use crate::cockpit::{ActiveTask, Display, TelemetryStore};
use crate::telemetry::Telemetry;

/// A smaller time difference counts as level, in seconds.
const LEVEL_S: f64 = 0.01;
/// A task's result is shown until the car is this far beyond the corner's end, in metres.
const SHOWN_M: f64 = 300.0;

/// How many of the task's last passes are shown as dots.
const DOTS: usize = 5;

/// A badge: its name and its state for the style sheet, and its words.
type Badge = (&'static str, &'static str, &'static str);

/// The last corner against the reference.
#[derive(Clone, Debug, Default, PartialEq)]
struct CornerWords {
    corner: String,
    difference: String,
    lost: String,
    trend: &'static str,
}

/// The task that the driver follows.
#[derive(Clone, Debug, PartialEq)]
struct TaskWords {
    corner: String,
    words: String,
    /// How many laps hit it, and how many are wanted or the verdict. Empty before the first lap, and while the mark is
    /// shown.
    count: [String; 2],
    /// The marks of the last passes in this session, oldest first. Empty while the count is.
    passes: Vec<&'static str>,
    /// The mark of this lap for the style sheet, right after the corner.
    mark: Option<&'static str>,
}

/// The strip.
#[component]
pub(super) fn Strip() -> impl IntoView {
    let (telemetry, display, active_task) = (TelemetryStore::here(), Display::here(), ActiveTask::here());
    let flag = telemetry.sampled(flag);
    let position = telemetry.sampled(position);
    let badges = telemetry.sampled(badges);
    let badge =
        |(name, state, words): Badge| view! { <b class="badge" data-badge=name data-state=state>{words}</b> };
    let task = telemetry.sampled(move |telemetry| {
        active_task.task.with(|task| task_words(telemetry, task.as_ref()?, display.units.get()))
    });
    let task = move || {
        task.get().map(|TaskWords { corner, words, count, passes, mark }| {
            let [hits, wanted] = count;
            let said = format!("The last passes: {}", passes.join(", ").to_lowercase());
            let dots = (!passes.is_empty()).then(|| {
                let dots = passes.into_iter().map(|mark| view! { <i data-mark=mark></i> }).collect_view();
                view! { <span class="dots" role="img" aria-label=said data-figure="passes">{dots}</span> }
            });
            view! {
                <div class="task" data-figure="task" data-mark=mark>
                    <p>
                        <b>{corner}</b>
                        " "
                        <span>{words}</span>
                    </p>
                    <p class="count">
                        {dots}
                        <b>{hits}</b>
                        " "
                        <span>{wanted}</span>
                    </p>
                </div>
            }
        })
    };
    let corner = telemetry.sampled(move |telemetry| last_corner(telemetry, display.units.get()));
    let corner = move || {
        corner.get().map(|CornerWords { corner, difference, lost, trend }| {
            view! {
                <p class="corner" data-figure="last-corner" data-trend=trend>
                    <span>
                        <b>{corner}</b>
                        " "
                        {difference}
                    </span>
                    " "
                    <b class="lost">{lost}</b>
                </p>
            }
        })
    };
    view! {
        <div class="strip">
            {move || flag.get().map(|(colour, words)| view! { <b class="flag" data-flag=colour>{words}</b> })}
            {move || position.get().map(|words| view! { <b class="position" data-figure="position">{words}</b> })}
            {move || badges.get().into_iter().map(badge).collect_view()}
            {corner}
            {task}
        </div>
    }
}

/// The badges of DRS and pit limiter.
fn badges(telemetry: &Telemetry) -> Vec<Badge> {
    let is_on = |channel| latest(telemetry, channel).is_some_and(|value| value > 0.0);
    let drs = match (is_on(Channel::Drs), is_on(Channel::DrsAllowed)) {
        (true, _) => Some(("drs", "on", "DRS")),
        (false, true) => Some(("drs", "ready", "DRS")),
        (false, false) => None,
    };
    let limiter = is_on(Channel::PitLimiter).then_some(("limiter", "on", "Pit limiter"));
    drs.into_iter().chain(limiter).collect()
}

/// The watched car's position among all cars. `None` for a single car, or if the game sends no positions.
fn position(telemetry: &Telemetry) -> Option<String> {
    let session = telemetry.session()?;
    let position = session.car(session.watched()?)?.progress()?.position;
    let cars = session.cars().filter(|(_, car)| car.takes_part() && car.progress().is_some()).count();
    (position > 0 && cars > 1).then(|| format!("P{position}/{cars}"))
}

/// The task with its hits so far, or right after its corner the result of this lap. `None` unless the player's car is
/// watched.
fn task_words(telemetry: &Telemetry, task: &Task, units: Units) -> Option<TaskWords> {
    let session = telemetry.session().filter(|session| session.watched() == session.player())?;
    let comparison = session.live_comparison();
    let followed = comparison.task();
    let FollowedTask { corner, laps, target, .. } = followed.task()?;
    let name = comparison.task_corner()?;
    let place_m = comparison.corners().place_m();
    let is_after = place_m.is_some_and(|place_m| (corner.apex_m..corner.to_m + SHOWN_M).contains(&place_m));
    let serial =
        session.player().and_then(|player| session.car(player)?.laps.current()).map(|lap| lap.serial);
    if let Some(result) = followed.latest().filter(|result| is_after && Some(result.serial) == serial) {
        let mark = result.marked.mark;
        let words = format!("{} · {}", mark.label(), result.words(target, &units));
        let (count, passes) = Default::default();
        return Some(TaskWords { corner: name, words, count, passes, mark: Some(mark.label()) });
    }
    let (hits, marked) = followed.count();
    let verdict = followed.verdict(&task.brief.baseline).filter(|_| marked >= *laps);
    let count = match (marked, verdict) {
        (0, _) => Default::default(),
        (_, Some(verdict)) => [format!("hit {hits} of {marked}"), verdict.outcome.to_string()],
        (_, None) => [format!("hit {hits} of {marked}"), format!("{laps} wanted")],
    };
    let passes = last_passes(followed.results().map(|result| result.marked.mark.label()));
    Some(TaskWords { corner: name, words: task.brief.words.clone(), count, passes, mark: None })
}

/// The last of these marks, oldest first.
fn last_passes(marks: impl DoubleEndedIterator<Item = &'static str>) -> Vec<&'static str> {
    let mut last: Vec<_> = marks.rev().take(DOTS).collect();
    last.reverse();
    last
}

fn last_corner(telemetry: &Telemetry, units: Units) -> Option<CornerWords> {
    let session = telemetry.session().filter(|session| session.watched() == session.player())?;
    let result = session.live_comparison().corners().latest()?;
    let corner = result.corner.short_title();
    let trend = if result.loss_s <= -LEVEL_S {
        "ahead"
    } else if result.loss_s >= LEVEL_S {
        "behind"
    } else {
        "level"
    };
    let lost = number::write_signed(result.loss_s, 2);
    Some(CornerWords { corner, difference: result.words(&units), lost, trend })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_passes_end_with_the_latest() {
        let driven = ["Miss", "Miss", "Hit", "Hit", "Near", "Hit", "Miss"];
        assert_eq!(last_passes(driven.into_iter()), driven[2..]);
        assert_eq!(last_passes(driven.into_iter().take(2)), driven[..2]);
    }
}
