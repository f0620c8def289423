//! Tabs: one of several is selected; arrow keys move along the row.

use leptos::ev::KeyboardEvent;
use leptos::html::Button;
use leptos::prelude::*;

/// A row of tabs.
#[component]
pub(crate) fn Tabs(
    /// What the tabs are of, for screen readers.
    label: &'static str,
    /// The tabs in order, each with its id and its name.
    tabs: Vec<(&'static str, &'static str)>,
    /// The id of the selected tab.
    #[prop(into)]
    selected: Signal<&'static str>,
    /// Called with the id of a tab that was chosen.
    #[prop(into)]
    on_select: Callback<&'static str>,
) -> impl IntoView {
    let tabs: Vec<(&'static str, &'static str, NodeRef<Button>)> =
        tabs.into_iter().map(|(id, name)| (id, name, NodeRef::new())).collect();
    let targets: Vec<(&'static str, NodeRef<Button>)> =
        tabs.iter().map(|(id, _, node)| (*id, *node)).collect();
    let press_key = move |event: KeyboardEvent| {
        let place = targets.iter().position(|(id, _)| *id == selected.get_untracked());
        let next = place.and_then(|place| place_after(&event.key(), place, targets.len()));
        if let Some((id, node)) = next.and_then(|next| targets.get(next)) {
            // The key belongs to the row, not to the page.
            event.prevent_default();
            event.stop_propagation();
            on_select.run(id);
            if let Some(node) = node.get_untracked() {
                let _ = node.focus();
            }
        }
    };
    let tab = move |(id, name, node): (&'static str, &'static str, NodeRef<Button>)| {
        let is_selected = move || selected.get() == id;
        view! {
            <button
                type="button"
                class="tab"
                role="tab"
                aria-selected=move || is_selected().to_string()
                tabindex=move || if is_selected() { "0" } else { "-1" }
                data-testid=format!("tab-{id}")
                node_ref=node
                on:click=move |_| on_select.run(id)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=press_key>
            {tabs.into_iter().map(tab).collect_view()}
        </div>
    }
}

/// The place to which a key leads from another; the row is a ring.
fn place_after(key: &str, place: usize, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match key {
        "ArrowRight" | "ArrowDown" if place < last => place + 1,
        "ArrowRight" | "ArrowDown" | "Home" => 0,
        "ArrowLeft" | "ArrowUp" if place > 0 => place - 1,
        "ArrowLeft" | "ArrowUp" | "End" => last,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrow_keys_go_around() {
        let places = |key| [0, 1, 2].map(|place| place_after(key, place, 3));
        assert_eq!(places("ArrowRight"), [Some(1), Some(2), Some(0)]);
        assert_eq!(places("ArrowLeft"), [Some(2), Some(0), Some(1)]);
        assert_eq!(places("Home"), [Some(0); 3]);
        assert_eq!(places("End"), [Some(2); 3]);
        assert_eq!(places("Enter"), [None; 3]);
        assert_eq!(place_after("End", 0, 0), None);
    }
}
