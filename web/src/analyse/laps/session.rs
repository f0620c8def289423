//! The session whose laps are listed, and buttons for the others.

use leptos::prelude::*;
use trailbrake_shared::lap_catalogue::Seat;
use trailbrake_shared::number::count;

use crate::analyse::actions::Action;
use crate::analyse::{LapSource, NameStore, SourceId, Sources};
use crate::laps::seats::{self, SeatGroup};
use crate::reactive::LocalSignal;
use crate::ui::{ActionButton, SeatChooser};

/// The content of the heading.
#[derive(Clone, Debug, PartialEq)]
struct SessionWords {
    title: String,
    /// The recording's file; `None` for the live session.
    file: Option<String>,
    about: String,
    /// Whether neither the game nor the track book names the track.
    unnamed: bool,
}

/// Another session whose laps can be listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OtherSession {
    name: SourceId,
    title: String,
    about: String,
}

/// The session, its drivers, and buttons for other sessions.
#[component]
pub(crate) fn SessionHeading() -> impl IntoView {
    let (sources, names) = (expect_context::<LocalSignal<Sources>>(), expect_context::<NameStore>());
    let session = Memo::new(move |_| session_words(sources, names));
    let is_there = Memo::new(move |_| session.with(Option::is_some));
    let word = move |read: fn(SessionWords) -> String| move || session.get().map(read);
    let unnamed = Memo::new(move |_| session.with(|session| session.as_ref().is_some_and(|it| it.unnamed)));
    let others = Memo::new(move |_| other_sessions(sources));
    let groups = Memo::new(move |_| seat_groups(sources));
    view! {
        <section class="session" id="session" aria-label="Session">
            <Show when=move || is_there.get()>
                <div class="head">
                    <h2>"Session"</h2>
                    <ActionButton action=Action::OpenRecording class="plain">"Open"</ActionButton>
                </div>
                <b
                    data-figure="track"
                    title=move || session.get().and_then(|session| session.file)
                >
                    {word(|session| session.title)}
                </b>
                <p>{word(|session| session.about)}</p>
                <div class="seats">
                    <SeatChooser groups on_choose=move |place| sources.update(|sources| sources.list_seat(place))/>
                </div>
                <div class="naming">
                    <Show when=move || unnamed.get()>
                        <ActionButton action=Action::NameTrack class="quiet">"Name the track"</ActionButton>
                    </Show>
                </div>
                <div class="others">
                    <For each=move || others.get() key=OtherSession::clone let:other>
                        <button
                            type="button"
                            class="quiet"
                            on:click=move |_| sources.update(|sources| sources.listed = Some(other.name))
                        >
                            {other.title}
                            <small class="soft">{other.about}</small>
                        </button>
                    </For>
                </div>
            </Show>
        </section>
    }
}

fn session_words(sources: LocalSignal<Sources>, names: NameStore) -> Option<SessionWords> {
    let is_unnamed = names.track().is_some_and(|(_, known)| known.is_none());
    let sources = sources.read();
    let source = sources.listed()?;
    Some(SessionWords {
        title: source.title.clone(),
        file: source.opened.as_ref().map(|opened| opened.source.name()),
        about: about(source),
        unnamed: !source.named && is_unnamed,
    })
}

fn about(source: &LapSource) -> String {
    match source.catalogue.seats().as_slice() {
        [seat] => format!("{} · {}", source.about, lap_count(source, seat)),
        // With several drivers, the chooser shows a lap count for each.
        _ => source.about.clone(),
    }
}

fn lap_count(source: &LapSource, seat: &Seat<'_>) -> String {
    let (one, more) = if source.stage { ("run", "runs") } else { ("lap", "laps") };
    count(seat.laps, one, more)
}

fn seat_groups(sources: LocalSignal<Sources>) -> Option<Vec<SeatGroup>> {
    let sources = sources.read();
    let source = sources.listed()?;
    let words = |seat: &Seat<'_>| format!("{} · {}", seat.first.driver_words(), lap_count(source, seat));
    seats::groups(&source.catalogue, source.seat()?, &words)
}

fn other_sessions(sources: LocalSignal<Sources>) -> Vec<OtherSession> {
    let sources = sources.read();
    let listed = sources.listed().map(|source| source.name);
    let others = sources.all().iter().filter(|other| Some(other.name) != listed);
    let other = |other: &LapSource| OtherSession {
        name: other.name,
        title: match other.name {
            SourceId::Live => "Live session".to_owned(),
            SourceId::Recording(_) => other.title.clone(),
        },
        about: other.about.clone(),
    };
    others.map(other).collect()
}
