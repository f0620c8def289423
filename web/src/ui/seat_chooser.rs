//! The chooser of the seat whose laps are listed.

use leptos::prelude::*;

use crate::laps::seats::SeatGroup;

/// The chooser of a seat. It shows nothing if there is only one.
#[component]
pub(crate) fn SeatChooser(
    groups: Memo<Option<Vec<SeatGroup>>>,
    /// Called with the seat's index, as `seats::groups` gives it.
    #[prop(into)]
    on_choose: Callback<usize>,
) -> impl IntoView {
    let choose = move |event| {
        event_target_value(&event).parse().into_iter().for_each(|index| on_choose.run(index));
    };
    let option = |(index, words, chosen): (usize, String, bool)| {
        view! { <option value=index selected=chosen>{words}</option> }
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
