//! The addresses that games send to, the folder of recordings, and the sample for a bug report.

use leptos::prelude::*;

use crate::cockpit::TelemetryStore;
use crate::ui::{CopiedText, SampleLink};

/// The addresses, below the list of games.
#[component]
pub(super) fn Addresses() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let folder = telemetry.sampled(|telemetry| telemetry.ports.recordings());
    let addresses = telemetry.sampled(|telemetry| telemetry.ports.addresses());
    view! {
        <section class="addresses">
            {move || {
                let folder = folder.get()?;
                Some(view! {
                    <h2>"Recordings are saved in"</h2>
                    <p data-testid="recordings"><CopiedText text=folder/></p>
                })
            }}
            <h2>"A game on this computer sends to"</h2>
            <p><CopiedText text="127.0.0.1"/></p>
            <Show when=move || addresses.with(|addresses| !addresses.is_empty())>
                <h2>"A console or another computer sends to"</h2>
                <p data-testid="addresses">
                    <For each=move || addresses.get() key=String::clone let:address>
                        <CopiedText text=address/>
                    </For>
                    <span class="soft">"The firewall of this computer has to let Trailbrake in."</span>
                </p>
            </Show>
            <h2>"Something is wrong"</h2>
            <SampleLink/>
        </section>
    }
}
