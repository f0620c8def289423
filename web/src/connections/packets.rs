//! The last packets of a game: a list, and the fields and bytes of the chosen packet.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;

use super::packet_content::{MOST_FIELDS, PacketLine, fields, hex_dump};
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::telemetry::{KeptPacket, PacketOrigin};
use crate::text::dates;

/// The list and the chosen packet.
#[component]
pub(super) fn Packets(feed: Feed, ports: Memo<Vec<u16>>) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let shows_rejected = RwSignal::new(false);
    // The packets while the list is paused: one that moves sixty times a second can't be read.
    let paused: RwSignal<Option<Vec<KeptPacket>>> = RwSignal::new(None);
    let chosen: RwSignal<Option<u64>> = RwSignal::new(None);
    let origin = move || match shows_rejected.get_untracked() {
        false => PacketOrigin::Feed(feed),
        true => PacketOrigin::Rejected(ports.get_untracked()),
    };
    let lines = telemetry.sampled(move |telemetry| {
        shows_rejected.track();
        match paused.get() {
            Some(kept) => kept.iter().map(PacketLine::of).collect::<Vec<_>>(),
            None => telemetry.recent.latest(&origin()).into_iter().map(PacketLine::of).collect(),
        }
    });
    let pause = move || {
        if paused.with_untracked(Option::is_none) {
            let kept = telemetry.look(|telemetry| {
                telemetry.recent.latest(&origin()).into_iter().cloned().collect::<Vec<_>>()
            });
            paused.set(Some(kept));
        }
    };
    let resume = move || {
        chosen.set(None);
        paused.set(None);
    };
    let choose = move |serial: u64| {
        pause();
        chosen.set(Some(serial));
    };
    let show = move |rejected: bool| {
        resume();
        shows_rejected.set(rejected);
    };
    let kind = move |label: &'static str, id: &'static str, rejected: bool| {
        view! {
            <button
                type="button"
                class="quiet"
                aria-pressed=move || (shows_rejected.get() == rejected).to_string()
                data-testid=id
                on:click=move |_| show(rejected)
            >
                {label}
            </button>
        }
    };
    let packet = Memo::new(move |_| {
        let serial = chosen.get()?;
        paused.with(|kept| kept.as_ref()?.iter().find(|packet| packet.serial == serial).cloned())
    });
    view! {
        <section class="packets" data-testid="packets">
            <header>
                <h3>"Last packets"</h3>
                {kind("Recognised", "packets-recognised", false)}
                {kind("Not recognised", "packets-rejected", true)}
                <button
                    type="button"
                    class="quiet"
                    data-testid="pause-packets"
                    disabled=move || lines.with(Vec::is_empty)
                    on:click=move |_| if paused.with_untracked(Option::is_some) { resume() } else { pause() }
                >
                    {move || if paused.with(Option::is_some) { "Resume" } else { "Pause" }}
                </button>
            </header>
            <Show
                when=move || lines.with(|lines| !lines.is_empty())
                fallback=|| view! { <p class="soft">"None since this page was opened."</p> }
            >
                <div class="packet-columns">
                    <ul class="packet-list">
                        <For each=move || lines.get() key=|line| line.serial let:line>
                            <PacketButton line chosen choose=Callback::new(choose)/>
                        </For>
                    </ul>
                    {move || match packet.get() {
                        Some(packet) => view! { <Content packet/> }.into_any(),
                        None => view! { <p class="soft">"Choose a packet to see its fields."</p> }.into_any(),
                    }}
                </div>
            </Show>
        </section>
    }
    .into_any()
}

/// A packet in the list.
#[component]
fn PacketButton(line: PacketLine, chosen: RwSignal<Option<u64>>, choose: Callback<u64>) -> impl IntoView {
    let PacketLine { serial, at, sender, size, kind } = line;
    view! {
        <li>
            <button
                type="button"
                aria-pressed=move || (chosen.get() == Some(serial)).to_string()
                data-testid="packet"
                // In a list that moves, a button pressed here may be released elsewhere, which is no click.
                on:pointerdown=move |_| choose.run(serial)
                on:click=move |_| choose.run(serial)
            >
                <span>{dates::time_of_day(at, browser::minutes_west(at))}</span>
                <span class="sender">{sender.to_string()}</span>
                <span class="number">{format!("{size} B")}</span>
                <span class="kind">{kind}</span>
            </button>
        </li>
    }
}

/// A packet's fields, or why they can't be read, and its bytes.
#[component]
fn Content(packet: KeptPacket) -> impl IntoView {
    let shown = match fields(&packet.bytes) {
        Ok(all) => {
            let more = all.len().saturating_sub(MOST_FIELDS);
            let row = |(name, value): (String, String)| view! { <tr><th scope="row">{name}</th><td>{value}</td></tr> };
            view! {
                <table>{all.into_iter().take(MOST_FIELDS).map(row).collect_view()}</table>
                {(more > 0).then(|| view! { <p class="soft">{format!("{more} more fields")}</p> })}
            }
            .into_any()
        }
        Err(reason) => view! { <p>{reason}</p> }.into_any(),
    };
    view! {
        <div class="packet-content">
            <div class="packet-fields" tabindex="0" role="group" aria-label="Fields" data-testid="packet-fields">{shown}</div>
            <pre tabindex="0" role="group" aria-label="Bytes" data-testid="packet-bytes">{hex_dump(&packet.bytes)}</pre>
        </div>
    }
    .into_any()
}
