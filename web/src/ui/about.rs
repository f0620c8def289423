//! What this program is, and where its licences are.

use leptos::prelude::*;

use super::Dialog;
use crate::browser;

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
            <Show when=browser::has_relay>
                <p>
                    <a class="button" href="sample" download="" data-testid="save-sample">"Save a sample"</a>
                </p>
                <p class="soft">
                    "For a bug report: the last minute of packets without names, what was recognised and rejected, and how \
                     Trailbrake was started. Packets of unknown games stay as they are."
                </p>
            </Show>
        </Dialog>
    }
}
