//! What stays of other cars in a file that is shared.

use leptos::prelude::*;
use trailbrake_shared::recording::OtherCars;

use super::Segments;

/// The choices: each with its id, as the relay reads it, its name, and what it means.
const CHOICES: [(OtherCars, &str, &str, &str); 3] = [
    (
        OtherCars::LeftOut,
        "left-out",
        "Left out",
        "The file holds the cars of these laps only. All other drivers are removed, AI drivers included: cars, names, ids \
         and chat. So it shows no timing and no gaps, only where a car was close. Your recording stays whole.",
    ),
    (
        OtherCars::Nameless,
        "nameless",
        "Without names",
        "Names, ids and chat of all other drivers are removed, AI drivers included. Where their cars were stays.",
    ),
    (
        OtherCars::Kept,
        "kept",
        "As received",
        "Names, ids and chat of all other drivers stay, every byte as received.",
    ),
];

/// A choice with its id, name and meaning.
pub(crate) fn other_cars_choice(others: OtherCars) -> (&'static str, &'static str, &'static str) {
    let found = CHOICES.iter().find(|(choice, ..)| *choice == others);
    found.map(|(_, id, name, about)| (*id, *name, *about)).unwrap_or_default()
}

/// Chooses what stays of other cars, and says what that means.
#[component]
pub(crate) fn OtherCarsChoice(
    #[prop(into)] selected: Signal<OtherCars>,
    on_select: Callback<OtherCars>,
) -> impl IntoView {
    let choose = move |chosen: &'static str| {
        if let Some((others, ..)) = CHOICES.iter().find(|(_, id, ..)| *id == chosen) {
            on_select.run(*others);
        }
    };
    view! {
        <Segments
            label="Other cars"
            options=CHOICES.iter().map(|(_, id, name, _)| (*id, *name)).collect()
            selected=Signal::derive(move || other_cars_choice(selected.get()).0)
            on_select=choose
        />
        <p class="soft" data-testid="what-stays">{move || other_cars_choice(selected.get()).2}</p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_relay_reads_each_choice_by_its_id() {
        for (others, id, ..) in CHOICES {
            assert_eq!(serde_json::to_string(&others).expect("JSON"), format!("\"{id}\""));
        }
        assert_eq!(CHOICES[0].0, OtherCars::default(), "the usual one comes first");
    }
}
