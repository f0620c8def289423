//! Whose laps are listed, where there are several drivers.

use leptos::prelude::*;

use crate::seats::SeatGroup;

/// The choice of a seat; nothing where there is only one.
#[component]
pub(crate) fn SeatChooser(
    groups: Memo<Option<Vec<SeatGroup>>>,
    /// Called with a seat's place among all.
    #[prop(into)]
    on_choose: Callback<usize>,
) -> impl IntoView {
    let choose = move |event| {
        event_target_value(&event).parse().into_iter().for_each(|place| on_choose.run(place));
    };
    let option = |(place, words, chosen): (usize, String, bool)| {
        view! { <option value=place selected=chosen>{words}</option> }
    };
    let group = move |SeatGroup { title, seats }: SeatGroup| {
        let options = seats.into_iter().map(option).collect_view();
        match title {
            Some(title) => view! { <optgroup label=title>{options}</optgroup> }.into_any(),
            None => options.into_any(),
        }
    };
    move || {
        groups.get().map(|groups| {
            view! {
                <select aria-label="Whose laps" data-testid="seat" on:change=choose>
                    {groups.into_iter().map(group).collect_view()}
                </select>
            }
        })
    }
}
