//! A game in the list: a line with its state, its problems, and its details when it is opened.

use leptos::prelude::*;
use trailbrake_shared::games::{Outlook, TalkStatus};
use trailbrake_shared::number::thousands;

use super::details::Details;
use super::stores::Choices;
use super::words;
use crate::telemetry::{FeedRow, PortNote, PortWords};
use crate::text::words::sentence;

/// A game's line, its problems and its details.
#[component]
pub(super) fn FeedConnection(row: Memo<FeedRow>, choices: Choices) -> impl IntoView {
    let info = row.with_untracked(|row| row.feed).info();
    let state = of(row, words::state);
    let ports = of(row, |row| row.ports.clone());
    let per_second = of(row, |row| row.per_second);
    let sender = of(row, |row| row.sender.map(|sender| sender.to_string()).unwrap_or_default());
    let notes = of(row, |row| row.notes.clone());
    let talk = of(row, |row| row.talk.clone());
    let trouble = move || talk.get().filter(|talk| talk.outlook == Outlook::Trouble);
    let is_open = Memo::new(move |_| choices.open.with(|open| open.contains(&info.feed)));
    let details = format!("connection-{}", info.id);
    view! {
        <section class="connection" data-feed=info.id data-state=move || state.get() aria-label=info.game>
            <h2>
                <button
                    type="button"
                    class="connection-line"
                    aria-expanded=move || is_open.get().to_string()
                    aria-controls=details.clone()
                    data-testid="open-connection"
                    on:click=move |_| choices.toggle(info.feed)
                >
                    <span class="dot"></span>
                    <span class="game">{info.game}</span>
                    <span class="ports">{move || port_list(ports.get())}</span>
                    <span class="rate" data-testid="rate">{move || rate(per_second.get())}</span>
                    <span class="sender">{sender}</span>
                    <span class="state">{move || state_words(state.get(), talk.get())}</span>
                </button>
            </h2>
            {move || notes.get().into_iter().map(note).collect_view()}
            {move || trouble().map(|talk| view! { <p class="note">{talk_line(&talk)}</p> })}
            <div id=details class="connection-details" hidden=move || !is_open.get()>
                <Show when=move || is_open.get()>
                    <Details info row choices/>
                </Show>
            </div>
        </section>
    }
    .into_any()
}

/// A value of the row as its own signal, so that only its readers run when it changes.
fn of<T>(row: Memo<FeedRow>, read: impl Fn(&FeedRow) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| row.with(&read))
}

fn port_list(ports: Vec<PortWords>) -> impl IntoView {
    let port = |port: PortWords| {
        let number = port.port.map(|number| view! { <b>{number}</b> " " });
        view! { <span class="port" class:closed=port.closed>{number}{port.words}</span> }
    };
    ports.into_iter().map(port).collect_view()
}

fn rate(per_second: u32) -> String {
    if per_second == 0 { String::new() } else { format!("{} packets/s", thousands(per_second.into())) }
}

fn state_words(state: &'static str, talk: Option<TalkStatus>) -> AnyView {
    match (state, talk) {
        ("problem", _) => "Problem".into_any(),
        (_, Some(talk)) => talk_line(&talk).into_any(),
        ("sending", None) => "Sending".into_any(),
        (_, None) => "Waiting".into_any(),
    }
}

fn note(note: PortNote) -> impl IntoView {
    view! { <p class="note" data-testid=note.testid><b>{note.what}</b> " " {note.advice}</p> }
}

/// The state of the relay's requests to a game that sends on request.
fn talk_line(talk: &TalkStatus) -> impl IntoView + use<> {
    let outlook = words::outlook(talk.outlook);
    view! { <span data-testid="talk" data-outlook=outlook>{sentence(&talk.words)}</span> }
}
