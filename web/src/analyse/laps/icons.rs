//! The icons of the buttons above the lanes and in the lap list.

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

/// A line between two ends: what the axis counts.
pub(super) fn axis() -> AnyView {
    sign("M2.5 4v8M13.5 4v8M2.5 8h11M4.7 5.8 2.5 8l2.2 2.2M11.3 5.8 13.5 8l-2.2 2.2")
}

/// Sliders: choose channels.
pub(super) fn channels() -> AnyView {
    sign("M2 4h5M11 4h3M9 2.5v3M2 8h2M8 8h6M6 6.5v3M2 12h7M13 12h1M11 10.5v3")
}

/// Rows and columns: the figures as a table.
pub(super) fn table() -> AnyView {
    sign("M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.5 3v10")
}

/// A page with lines: the report.
pub(super) fn report() -> AnyView {
    sign("M4 2h5.5L12.5 5v9H4zM9.5 2v3h3M6 8h4.5M6 10.8h4.5")
}

/// A steering wheel: race the reference.
pub(super) fn wheel() -> AnyView {
    sign(
        "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM9.6 8a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM2 7.5h4.4M9.6 7.5H14M8 9.6V14",
    )
}

/// Two links of a chain: copy.
pub(super) fn copy() -> AnyView {
    sign(
        "M7 9a2.6 2.6 0 0 0 3.8 0l2.2-2.2A2.6 2.6 0 0 0 9.2 3L8 4.2M9 7a2.6 2.6 0 0 0-3.8 0L3 9.2A2.6 2.6 0 0 0 6.8 13L8 11.8",
    )
}

/// Arrows to both sides: the whole lap.
pub(super) fn whole() -> AnyView {
    sign("M6 4.5 2.5 8 6 11.5M10 4.5 13.5 8 10 11.5M2.5 8h11")
}

fn sign(path: &'static str) -> AnyView {
    view! {
        <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
    .into_any()
}
