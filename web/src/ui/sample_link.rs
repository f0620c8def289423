//! Saves a sample for a bug report.

use leptos::prelude::*;

/// A button that downloads the relay's last minute, and what is in it.
#[component]
pub(crate) fn SampleLink() -> impl IntoView {
    view! {
        <p class="sample">
            <a class="button plain" href="sample" download="" data-testid="save-sample">"Save a sample"</a>
            <span>
                "For a bug report: the last minute of packets without names, what was recognised and rejected, and how \
                 Trailbrake was started. Packets of unknown games stay as they are."
            </span>
        </p>
    }
}
