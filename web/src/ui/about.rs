//! The About dialog, and the link that saves a sample for a bug report.

use leptos::prelude::*;

use super::Dialog;
use crate::browser::{self, Home};

/// Version, commit, licences, and a sample for a bug report.
#[component]
pub(crate) fn AboutDialog(on_close: Callback<()>) -> impl IntoView {
    view! {
        <Dialog label="About Trailbrake" class="about" on_close>
            <h2>"Trailbrake " {browser::VERSION}</h2>
            <dl>
                <dt>"Commit"</dt>
                <dd data-testid="commit">{browser::commit()}</dd>
                <dt>"Licence"</dt>
                <dd>"MIT or Apache-2.0"</dd>
                <dt>"Libraries"</dt>
                <dd><a href="licences.txt" target="_blank">"Their licences"</a></dd>
            </dl>
            {(browser::home() == Home::Relay).then(|| view! { <SampleLink/> })}
        </Dialog>
    }
}

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
