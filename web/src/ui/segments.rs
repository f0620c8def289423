//! A row of choices, all of them visible.

use leptos::prelude::*;

/// A named row of choices, one of which is selected.
#[component]
pub(crate) fn Segments(
    label: &'static str,
    /// The choices in order, each with its id and its name.
    options: Vec<(&'static str, &'static str)>,
    /// The id of the selected choice.
    #[prop(into)]
    selected: Signal<&'static str>,
    /// Whether the choice is disabled.
    #[prop(optional)]
    disabled: Option<Signal<bool>>,
    /// Called with the id of a choice.
    #[prop(into)]
    on_select: Callback<&'static str>,
) -> impl IntoView {
    let option = move |(id, name): (&'static str, &'static str)| {
        view! {
            <label>
                <input
                    type="radio"
                    name=label
                    value=id
                    disabled=move || disabled.is_some_and(|disabled| disabled.get())
                    prop:checked=move || selected.get() == id
                    on:change=move |_| on_select.run(id)
                />
                <span>{name}</span>
            </label>
        }
    };
    view! {
        <div class="segments" role="radiogroup" aria-label=label>
            <span>{label}</span>
            <div>{options.into_iter().map(option).collect_view()}</div>
        </div>
    }
}
