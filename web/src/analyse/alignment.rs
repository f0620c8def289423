//! How the laps on screen are aligned, in words.

use trailbrake_shared::analysis::{Method, MissingRange};
use trailbrake_shared::number;

use super::ShownLaps;
use crate::analyse::ComparisonStore;

/// How the laps are aligned: a short text, and the full name of the method. `None` without a reference.
pub(super) fn alignment(comparison: ComparisonStore) -> Option<(String, &'static str)> {
    let shown = comparison.shown().filter(|shown| shown.compared)?;
    let (method, residual_m) = shown.method();
    let mut words =
        format!("aligned by {}", if are_strangers(&shown) { "lap fraction" } else { short(method) });
    if let Some(residual_m) = residual_m {
        words.push_str(&format!(", ±{} m", number::write(residual_m, 1)));
    }
    if let Some(shift) = shown.comparison().start_line_shift {
        let way = if shift.further_m < 0.0 { "earlier" } else { "later" };
        words.push_str(&format!(" · starts {} m {way}", number::write(shift.further_m.abs(), 0)));
    }
    Some((words, method.words()))
}

/// Where main lap and reference have no data, a sentence for each place.
pub(super) fn missing(shown: &ShownLaps) -> Vec<String> {
    let laps = ["The main lap", "The reference"].into_iter().zip(&shown.comparison().placed);
    let missing = laps.filter(|_| shown.compared).flat_map(|(whose, placed)| {
        placed.missing().into_iter().map(move |MissingRange { from_m, to_m }| {
            let [from, to] = [from_m, to_m].map(|metres| number::write(metres, 0));
            format!("{whose} has no data from {from} to {to} m.")
        })
    });
    missing.collect()
}

/// That laps without positions are compared by something else, and what they lack therefore.
pub(super) fn without_positions(shown: &ShownLaps) -> Option<String> {
    let by = match shown.method().0 {
        Method::Position => return None,
        Method::Share => "lap fraction",
        Method::Distance => "distance",
        Method::Speed => "the distance driven by speed",
        Method::Fraction => "the lap's time",
    };
    let is_compared = shown.compared && !are_strangers(shown);
    is_compared.then(|| {
        let instead = "There is no map, and corners are where the speed is lowest.";
        format!("Compared by {by}: no positions in these laps. {instead}")
    })
}

/// Whether main lap and reference are of different tracks.
fn are_strangers(shown: &ShownLaps) -> bool {
    shown.comparison().strangers.is_some()
}

const fn short(method: Method) -> &'static str {
    match method {
        Method::Position => "position",
        Method::Share => "lap fraction",
        Method::Distance => "the game's distance",
        Method::Speed => "speed over time",
        Method::Fraction => "fraction of the lap's time",
    }
}
