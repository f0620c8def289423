//! Notices above the lanes: laps of different cars or tracks, and what could not be compared.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Combo, NoComparison};

use super::actions::Action;
use super::alignment::{missing, without_positions};
use crate::analyse::{ComparisonStore, LapKey, LapSource, SelectionStore, ShownLaps, Sources};
use crate::reactive::LocalSignal;
use crate::ui::ActionButton;

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Warning {
    /// The notice's subject, for tests.
    about: &'static str,
    words: String,
    /// What the notice offers to do.
    offer: Option<Offer>,
}

/// What a notice offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Offer {
    /// To compare the laps anyway.
    Comparison,
    /// To type the lap's official time.
    LapTime,
}

/// The notices.
#[component]
pub(super) fn Warnings() -> impl IntoView {
    let (sources, selection, comparison) = (
        expect_context::<LocalSignal<Sources>>(),
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
    );
    let warnings = Memo::new(move |_| warnings(sources, selection, comparison));
    view! {
        <div class="note" id="note" role="status">
            <For each=move || warnings.get() key=Warning::clone let:warning>
                <p data-figure=warning.about>
                    {warning.words}
                    {warning.offer.map(|offer| match offer {
                        Offer::Comparison => view! {
                            <ActionButton action=Action::CompareAnyway class="plain">"Compare anyway"</ActionButton>
                        },
                        Offer::LapTime => view! {
                            <ActionButton action=Action::SetLapTime class="plain">"Official lap time"</ActionButton>
                        },
                    })}
                </p>
            </For>
        </div>
    }
}

fn warnings(
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    comparison: ComparisonStore,
) -> Vec<Warning> {
    let plain = |about, words| Warning { about, words, offer: None };
    let (trouble, refused) = (comparison.trouble(), comparison.refused());
    let mut warnings: Vec<Warning> = trouble.into_iter().map(|words| plain("trouble", words)).collect();
    if selection.state.with(|selection| selection.full) {
        warnings.push(plain("full", "Six laps max: remove one with its ×.".to_owned()));
    }
    if let Some(why) = refused {
        warnings.push(refusal(format!("These laps can't be compared: {why}."), why));
    }
    if sources.with(|sources| sources.listed().is_some_and(LapSource::has_computed_time)) {
        let words = "The file has no official lap time: this one is computed.".to_owned();
        warnings.push(Warning { about: "computed-time", words, offer: Some(Offer::LapTime) });
    }
    let Some(shown) = comparison.shown() else { return warnings };
    for (lap, why) in &shown.refused {
        warnings.push(refusal(format!("{} can't be compared: {why}.", selection.lap_name(*lap)), *why));
    }
    for (lap, why) in &shown.strangers {
        let words = format!(
            "{} and the reference can't be compared place by place: {why}. Each is drawn by its own lap fraction: what \
             is above one another happened at different places, and there are no corners.",
            selection.lap_name(*lap)
        );
        warnings.push(plain("strangers", words));
    }
    warnings.extend(without_positions(&shown).map(|words| plain("by-distance", words)));
    warnings.extend(missing(&shown).into_iter().map(|words| plain("missing", words)));
    warnings.extend(different_cars(sources, selection, &shown).map(|words| plain("cars", words)));
    warnings
}

fn refusal(words: String, why: NoComparison) -> Warning {
    let is_possible = !matches!(why, NoComparison::Empty | NoComparison::Unplaced);
    Warning { about: "refused", words, offer: is_possible.then_some(Offer::Comparison) }
}

/// The warning about different cars. `None` if all laps are of one driver, car and session, even if the game does not
/// name the car.
fn different_cars(
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    shown: &ShownLaps,
) -> Option<String> {
    let main = shown.laps.first()?.loaded.key;
    let same_seat = |lap: LapKey| sources.with(|sources| sources.is_same_seat(lap, main));
    if shown.laps.iter().all(|lap| same_seat(lap.loaded.key)) {
        return None;
    }
    let laps: Vec<(String, &Combo)> =
        shown.laps.iter().map(|lap| (selection.lap_name(lap.loaded.key), &lap.loaded.combo)).collect();
    let laps: Vec<(&str, &Combo)> = laps.iter().map(|(name, combo)| (name.as_str(), *combo)).collect();
    Combo::other_cars(&laps)
}
