//! The About dialog.

use leptos::prelude::*;

use super::{Dialog, SampleLink};
use crate::browser;
use crate::cockpit::TelemetryStore;

/// Version, commit, licences, and a sample for a bug report.
#[component]
pub(crate) fn AboutDialog(on_close: Callback<()>) -> impl IntoView {
    let telemetry = TelemetryStore::here();
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
            <Show when=move || !telemetry.is_viewer()>
                <SampleLink/>
            </Show>
        </Dialog>
    }
}
