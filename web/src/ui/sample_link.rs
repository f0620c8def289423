//! A link that saves a sample for a bug report.

use leptos::prelude::*;

/// A link that downloads the packets of the relay's last minute, with a text on what the sample contains.
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
