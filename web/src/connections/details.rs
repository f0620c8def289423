//! A game's details: setup, reception, rejected packets and the last packets.

use leptos::prelude::*;
use trailbrake_shared::feed::{FeedInfo, GamePlace, SetupStep};
use trailbrake_shared::number::{count, thousands};
use trailbrake_shared::sim::DemoGame;
use trailbrake_shared::wire::{RejectedSender, SentRequest};

use super::actions::Action;
use super::game_files::GameFiles;
use super::packets::Packets;
use super::stores::Choices;
use super::words;
use crate::browser::{self, Home};
use crate::cockpit::TelemetryStore;
use crate::demo::Wish;
use crate::telemetry::FeedRow;
use crate::text::dates;
use crate::text::words::sentence;
use crate::ui::{ActionButton, CopiedText, SampleLink};

/// The address of a game on this computer.
const HERE: &str = "127.0.0.1";
/// How many packet sizes are listed; the others are summed up.
const LISTED_SIZES: usize = 8;

/// The details of one game.
#[component]
pub(super) fn Details(info: &'static FeedInfo, row: Memo<FeedRow>, choices: Choices) -> impl IntoView {
    let ports = Memo::new(move |_| row.with(FeedRow::port_numbers));
    view! {
        <div class="connection-columns">
            <Setup info row choices/>
            <Reception info row/>
        </div>
        <Rejects row/>
        <Packets feed=info.feed ports/>
    }
    .into_any()
}

/// The steps to set up the game.
#[component]
fn Setup(info: &'static FeedInfo, row: Memo<FeedRow>, choices: Choices) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let port = Memo::new(move |_| row.with(FeedRow::open_port));
    let addresses = telemetry.sampled(|telemetry| telemetry.ports.addresses());
    let address = Memo::new(move |_| match choices.place.get() {
        GamePlace::ThisComputer => HERE.to_owned(),
        // Without an address the steps show a placeholder for it.
        GamePlace::Elsewhere => {
            addresses.with(|addresses| addresses.first().cloned()).unwrap_or_else(|| "ADDRESS".to_owned())
        }
    });
    let step = move |step: &'static SetupStep| {
        let text = move || address.with(|address| step.text(address, port.get()));
        let copy = step.copy.map(|_| {
            let copy = move || address.with(|address| step.copy(address, port.get())).unwrap_or_default();
            view! { " " <CopiedText text=Signal::derive(copy)/> }
        });
        view! { <li>{text}{copy}</li> }
    };
    let steps = move || {
        let place = choices.place.get();
        info.setup.iter().filter(|step| step.is_for(place)).map(step).collect_view()
    };
    let elsewhere = move || choices.place.get() == GamePlace::Elsewhere;
    let unreachable = move || elsewhere() && addresses.with(Vec::is_empty);
    let reachable = move || elsewhere() && !addresses.with(Vec::is_empty);
    let demo = DemoGame::of_feed(info.feed).map(Wish::fragment);
    let has_files = info.feed.game_files().is_some() && browser::home() == Home::Relay;
    let is_here = move || has_files && choices.place.get() == GamePlace::ThisComputer;
    view! {
        <section class="setup-steps" data-testid="setup">
            <h3>"Set up the game"</h3>
            <Show when=unreachable>
                <p class="note">
                    "Trailbrake receives from this computer only. Start it without --udp-bind, in a network."
                </p>
            </Show>
            <ol>
                {steps}
                <Show when=reachable>
                    <li>"Allow Trailbrake in this computer's firewall, for private networks."</li>
                </Show>
            </ol>
            <Show when=is_here>
                <GameFiles feed=info.feed port/>
            </Show>
            {(!info.is_tried).then(|| view! {
                <p class="note" data-testid="untried">"Not tried with the game yet. Please drive, and send a sample."</p>
                {(browser::home() == Home::Relay).then(|| view! { <SampleLink/> })}
            })}
            {demo.map(|demo| view! { <p><a href=demo data-testid="feed-demo">"Try its demo"</a></p> })}
        </section>
    }
    .into_any()
}

/// The reception of the game: packets, sender, requests and packet sizes.
#[component]
fn Reception(info: &'static FeedInfo, row: Memo<FeedRow>) -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let packets = Memo::new(move |_| row.with(|row| row.packets));
    let sender = Memo::new(move |_| row.with(|row| row.sender));
    let talk = Memo::new(move |_| row.with(|row| row.talk.clone()));
    let request = Memo::new(move |_| row.with(|row| row.request.clone()));
    let sizes = telemetry.sampled(move |telemetry| telemetry.recent.sizes(info.feed));
    view! {
        <section class="reception">
            <h3>"Reception"</h3>
            <dl>
                <dt>"Recognised"</dt>
                <dd data-testid="recognised">{move || words::recognised(packets.get(), info.codec.is_some())}</dd>
                {move || sender.get().map(|sender| view! { <dt>"Last sender"</dt> <dd>{sender.to_string()}</dd> })}
                {move || talk.get().map(|talk| view! {
                    <dt>"Requests"</dt>
                    <dd>{sentence(&talk.words)}</dd>
                })}
                {move || request.get().map(|request| view! {
                    <dt>"Last request"</dt>
                    <dd data-testid="request">{request_words(&request)}</dd>
                })}
                <Show when=move || sizes.with(|sizes| !sizes.is_empty())>
                    <dt>"Packet sizes"</dt>
                    <dd>{move || size_table(sizes.get())}</dd>
                </Show>
            </dl>
        </section>
    }
    .into_any()
}

fn request_words(request: &SentRequest) -> String {
    let at = dates::time_of_day(request.at, browser::minutes_west(request.at));
    let seconds = at.split('.').next().unwrap_or_default();
    format!("{} to {} at {seconds}", words::request(&request.bytes), request.to)
}

fn size_table(sizes: Vec<(usize, u64)>) -> AnyView {
    let others: u64 = sizes.iter().skip(LISTED_SIZES).map(|(_, packets)| packets).sum();
    let row = |(size, packets): &(usize, u64)| {
        view! { <tr><td class="number">{format!("{size} bytes")}</td><td class="number">{thousands(*packets)}</td></tr> }
    };
    view! {
        <table class="sizes" data-testid="sizes">
            {sizes.iter().take(LISTED_SIZES).map(row).collect_view()}
            {(others > 0).then(|| view! {
                <tr><td class="number">"others"</td><td class="number">{thousands(others)}</td></tr>
            })}
        </table>
    }
    .into_any()
}

/// The senders of packets that no feed recognises, with a button to clear the list.
#[component]
fn Rejects(row: Memo<FeedRow>) -> impl IntoView {
    let rejects = Memo::new(move |_| row.with(|row| row.rejects.clone()));
    let line = |one: RejectedSender| {
        view! {
            <li>
                <b>{one.sender.to_string()}</b>
                <span>{count(one.packets, "packet", "packets")}</span>
                <span>{sentence(&one.reason)}</span>
            </li>
        }
    };
    view! {
        <Show when=move || rejects.with(|rejects| !rejects.is_empty())>
            <section class="rejects" data-testid="rejects">
                <h3>"Not recognised"</h3>
                <ul>{move || rejects.get().into_iter().map(line).collect_view()}</ul>
                <ActionButton action=Action::ClearRejects>"Clear"</ActionButton>
            </section>
        </Show>
    }
    .into_any()
}
