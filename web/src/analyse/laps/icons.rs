//! The icons of the lap list's buttons.

use leptos::prelude::*;

/// A flag: make the lap the reference.
pub(super) fn reference() -> AnyView {
    sign("M4.5 14V2.5h7.5l-2 3 2 3H4.5")
}

/// A circle with a bar: exclude the lap.
pub(super) fn exclude() -> AnyView {
    sign("M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM4.2 4.2l7.6 7.6")
}

/// A circle with a plus: include the lap.
pub(super) fn include() -> AnyView {
    sign("M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 5.4v5.2M5.4 8h5.2")
}

fn sign(path: &'static str) -> AnyView {
    view! {
        <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
    .into_any()
}
