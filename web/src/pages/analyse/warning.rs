//! What has to be said above laps that are not of one car or of one track, and what could not be laid side by side.

use trailbrake_shared::analysis::{Combo, NoComparison};

use crate::analyse::{Analyse, Shown, State};
use crate::dom::{Part, button, fill_id, part};

/// Draws it.
pub(super) fn draw(analyse: Analyse) {
    analyse.read(|state| fill_id("note", parts(state)));
}

fn parts(state: &State) -> Vec<Part> {
    let said = |figure: &str, words: String| part("p", "").set("data-figure", figure).says(&words);
    let mut parts: Vec<Part> = state.trouble.iter().map(|words| said("trouble", words.clone())).collect();
    if state.full {
        let words = "There is room for six laps: take one away first, by the × beside it.";
        parts.push(said("full", words.to_owned()));
    }
    if let Some(why) = state.refused {
        let words = format!("These laps can't be compared: {why}.");
        parts.push(anyway(said("refused", words), why));
    }
    let Some(shown) = &state.shown else { return parts };
    for (lap, why) in &shown.refused {
        let words = format!("{} can't be laid beside the others: {why}.", state.called(*lap));
        parts.push(anyway(said("refused", words), *why));
    }
    for (lap, why) in &shown.strangers {
        let words = format!(
            "{} and the reference can't be compared place by place: {why}. Each is drawn along the share of its own lap, so that \
             what stands above one another was driven elsewhere; nothing is said of corners.",
            state.called(*lap)
        );
        parts.push(said("strangers", words));
    }
    parts.extend(cars(state, shown).map(|words| said("cars", words)));
    parts
}

/// Offers to compare what can't be compared place by place.
fn anyway(said: Part, why: NoComparison) -> Part {
    let offer = button("Compare anyway", "plain", "anyway");
    said.perhaps((!matches!(why, NoComparison::Empty | NoComparison::Unplaced)).then_some(offer))
}

/// What has to be said where cars differ. A car does not differ from itself, whether or not it is told which it is.
fn cars(state: &State, shown: &Shown) -> Option<String> {
    let main = shown.laps.first()?.driven.key;
    if shown.laps.iter().all(|lap| state.is_same_seat(lap.driven.key, main)) {
        return None;
    }
    let laps: Vec<(String, &Combo)> =
        shown.laps.iter().map(|lap| (state.called(lap.driven.key), &lap.driven.combo)).collect();
    let laps: Vec<(&str, &Combo)> = laps.iter().map(|(name, combo)| (name.as_str(), *combo)).collect();
    Combo::other_cars(&laps)
}
