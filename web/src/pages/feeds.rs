//! The first page to see: which feeds are heard, and what to do until one is.

use leptos::prelude::*;
use trailbrake_shared::games::Outlook;
use trailbrake_shared::sim::SPOKEN;

use crate::browser;
use crate::cockpit::Cockpit;
use crate::demo::Wish;
use crate::figures::{NONE, thousands};
use crate::link::Shown;
use crate::opener::opener;
use crate::route::Page;
use crate::show::Show;
use crate::telemetry::{FeedRow, PortWords};
use crate::words::sentence;

/// The page.
pub(crate) fn feeds() -> impl IntoView {
    let cockpit = Cockpit::here();
    let replaying = cockpit.replaying;
    // What a recording plays is no game that sends.
    let sending = cockpit.sampled(move |telemetry| {
        telemetry.sending(browser::now_ms()).filter(|_| !replaying.get()).map(str::to_owned)
    });
    let headline = move || match sending.get() {
        Some(game) => format!("{game} is sending"),
        None => "Waiting for a game".to_owned(),
    };
    let rows = cockpit.sampled(|telemetry| telemetry.feed_rows());
    view! {
        <main id="main" class="feeds" tabindex="-1" data-page="feeds">
            <h1>{headline}</h1>
            <p class="lead">{move || match (sending.get(), cockpit.link.get()) {
                _ if replaying.get() => "While a recording plays, what games send is counted here, and not shown.".into_any(),
                (Some(_), _) => view! { <a href=Page::Live.hash()>"Go to the live page"</a> }.into_any(),
                (None, Shown::Connected) => "Drive. The first packet of a game opens the live page by itself.".into_any(),
                (None, Shown::Outdated) => "The relay was updated while this page was open. Reload the page.".into_any(),
                (None, _) => "The relay that this page came from does not answer. Is it still running?".into_any(),
            }}</p>
            <p class="actions">
                <a class="button" data-action="demo" href=Wish::FRAGMENT>"Try the demo"</a>
                {opener("Open a recording")}
                <span>"Twenty cars race on an invented circuit, as packets of F1 2018. Other games' demos stand in their rows."</span>
            </p>
            <Show when=move || !rows.read().is_empty()>
                <table class="feed-table">
                    <thead>
                        <tr>
                            <th scope="col">"Game"</th>
                            <th scope="col">"Port"</th>
                            <th scope="col" class="number">"Packets/s"</th>
                            <th scope="col">"Last sender"</th>
                            <th scope="col">"Recognised"</th>
                        </tr>
                    </thead>
                    {move || rows.get().into_iter().map(feed).collect_view()}
                </table>
                {addresses()}
            </Show>
        </main>
    }
}

fn feed(row: FeedRow) -> impl IntoView {
    let info = row.feed.info();
    let state = match () {
        () if row.per_second > 0 => "hearing",
        () if !row.ports.is_empty() && row.ports.iter().all(|port| port.closed) => "closed",
        () => "silent",
    };
    let how = how(&row);
    let demo = SPOKEN.contains(&row.feed).then(|| {
        view! { " "<a data-action="feed-demo" href=Wish::fragment(row.feed)>"Try its demo"</a> }
    });
    let ports = row.ports.into_iter().map(|port| {
        view! {
            <span class="port" class:closed=port.closed>{port.port.map(|port| view! { <b>{port}</b>" " })}{port.words}</span>
        }
    });
    let ports = match ports.len() {
        0 => view! { <span class="soft">"none to open"</span> }.into_any(),
        _ => ports.collect_view().into_any(),
    };
    let recognised = match (row.packets, info.codec.is_some()) {
        (0, _) => "nothing yet".to_owned(),
        (count, true) => format!("{} packets", thousands(count)),
        (count, false) => format!("{} packets, not decoded by this version", thousands(count)),
    };
    let notes = row.notes.into_iter().map(|note| {
        view! { <p class="note" data-figure=note.figure><b>{note.what}</b>" "{note.advice}</p> }
    });
    let talk = row.talk.map(|talk| {
        let (outlook, class) = match talk.outlook {
            Outlook::Good => ("good", ""),
            Outlook::Waiting => ("waiting", ""),
            Outlook::Trouble => ("trouble", "note"),
        };
        view! { <p class=class data-figure="talk" data-outlook=outlook>{sentence(&talk.words)}</p> }
    });
    view! {
        <tbody data-feed=info.id data-state=state>
            <tr>
                <th scope="row"><span class="dot"></span>{info.game}</th>
                <td>{ports}</td>
                <td class="number" data-figure="rate" class:soft=row.per_second == 0>{thousands(row.per_second.into())}</td>
                <td class:soft=row.sender.is_none()>
                    {row.sender.map_or_else(|| NONE.to_owned(), |sender| sender.to_string())}
                </td>
                <td data-figure="recognised" class:soft=row.packets == 0>{recognised}</td>
            </tr>
            <tr class="more">
                <td colspan="5">{notes.collect_view()}{talk}<p>{how}{demo}</p></td>
            </tr>
        </tbody>
    }
}

/// What to set in the game, with the port that is open here instead of the usual one.
fn how(row: &FeedRow) -> String {
    let info = row.feed.info();
    match (info.ports, row.ports.as_slice()) {
        ([usual], [PortWords { port: Some(here), .. }]) => {
            info.how.replace(&usual.to_string(), &here.to_string())
        }
        _ => info.how.to_owned(),
    }
}

/// Where a game on another machine sends to.
fn addresses() -> impl IntoView {
    let cockpit = Cockpit::here();
    let addresses = cockpit.sampled(|telemetry| telemetry.ports.addresses());
    let folder = cockpit.sampled(|telemetry| telemetry.ports.recordings());
    view! {
        <section class="addresses">
            <Show when=move || folder.read().is_some()>
                <h2>"Recordings go to"</h2>
                <p data-figure="recordings"><code>{move || folder.get()}</code></p>
            </Show>
            <h2>"A game on this machine sends to"</h2>
            <p><code>"127.0.0.1"</code></p>
            <Show when=move || !addresses.read().is_empty()>
                <h2>"A console or another machine sends to"</h2>
                <p>{move || addresses.get().into_iter().map(|address| view! { <code>{address}</code> }).collect_view()}</p>
            </Show>
        </section>
    }
}
