//! The frame around every page: brand, navigation, status, faults, jobs and dropped files.

mod analyse_state;
mod drop;
mod follow_bar;
mod frame_meter;
mod lazy_page;
mod parts;
mod paste;
mod people;
mod room;
mod screen;
mod status;
mod strips;
mod table_question;
mod team_status;

use leptos::prelude::*;

use crate::browser::{self, Home};
use crate::cockpit::{self, Display, Navigation, Playback, TelemetryStore};
use crate::connections::Connections;
use crate::driver_settings::SettingsStore;
use crate::jobs::Jobs;
use crate::library::{Imports, Library};
use crate::live::LivePage;
use crate::live::Overlay;
use crate::room::Room;
use crate::route::Page;
use crate::sounds;
use crate::ui::JobRows;
use analyse_state::AnalyseState;
use drop::DropTarget;
use follow_bar::FollowBar;
use frame_meter::FrameMeter;
use lazy_page::LazyPage;
use people::PeopleButton;
use status::{ConnectionStatus, RecordingStatus};
use strips::FaultStrip;
use table_question::OpenTableQuestion;
use team_status::TeamLine;

/// The address of a hub's overview.
const TEAM: &str = "/";

/// The whole app.
#[component]
pub(crate) fn App() -> impl IntoView {
    Jobs::start();
    SettingsStore::start();
    cockpit::start();
    if browser::is_overlay() {
        return view! { <Overlay/> }.into_any();
    }
    if browser::home() == Home::Overview {
        return view! { <Overview/> }.into_any();
    }
    Room::provide();
    Imports::provide(Library::start());
    let analyse = AnalyseState::provide();
    sounds::start();
    paste::follow_pasted_links();
    screen::keep_on();
    parts::load_when_idle(analyse);
    let (telemetry, navigation) = (TelemetryStore::here(), Navigation::here());
    let is_viewer = telemetry.is_viewer();
    let label = move |page: Page| if is_viewer { page.label_in_viewer() } else { page.label() };
    let has_server = telemetry.sampled(|telemetry| telemetry.server().is_some());
    let home = browser::home();
    let of_all_rigs = home == Home::AllRigs;
    let (pages, rig): (&[Page], Option<String>) = match home {
        Home::Nobody => (&Page::OF_VIEWER, None),
        Home::AllRigs => (&Page::OF_ALL_RIGS, Some("All rigs".to_owned())),
        Home::Rig(rig) => (&Page::NAVIGATION, Some(rig)),
        Home::Relay | Home::Overview => (&Page::NAVIGATION, None),
    };
    let of_rig = rig.as_ref().map(|rig| format!(" · {rig}")).unwrap_or_default();
    Effect::new(move |_| {
        document().set_title(&format!("{}{of_rig} · Trailbrake", label(navigation.page.get())));
    });
    view! {
        <a class="skip" href="#main" on:click=move |event| skip(navigation, &event)>"Skip to the content"</a>
        <header class="bar">
            <span class="brand">"trail"<i>"brake"</i></span>
            <nav aria-label="Pages">
                {rig.is_some().then(|| view! { <a href=TEAM data-testid="team">"Team"</a> })}
                {pages.iter().map(|page| view! { <PageLink page=*page label=label(*page)/> }).collect_view()}
                <Show when=move || has_server.get()>
                    <PageLink page=Page::Server label=Page::Server.label()/>
                </Show>
            </nav>
            <span class="grow"></span>
            {rig.map(|rig| view! { <span class="pill rig" data-testid="rig"><span class="words">{rig}</span></span> })}
            <PeopleButton/>
            <TeamLine/>
            <Show when=move || !of_all_rigs>
                <RecordingStatus/>
                <ConnectionStatus/>
            </Show>
            <ThemeButton/>
            <SettingsLink/>
        </header>
        <FollowBar/>
        <FaultStrip/>
        <JobRows/>
        <DropTarget/>
        <OpenTableQuestion/>
        <FrameMeter/>
        {move || match navigation.page.get() {
            Page::Live => view! { <LivePage/> }.into_any(),
            Page::Analyse => view! { <LazyPage page=parts::analyse/> }.into_any(),
            Page::Library if !is_viewer => view! { <LazyPage page=parts::library/> }.into_any(),
            Page::Library | Page::Connections => view! { <Connections/> }.into_any(),
            Page::Server => view! { <LazyPage page=parts::server/> }.into_any(),
            Page::Settings => view! { <LazyPage page=parts::settings/> }.into_any(),
        }}
    }
    .into_any()
}

/// All rigs of a team, at its hub.
#[component]
fn Overview() -> impl IntoView {
    let navigation = Navigation::here();
    document().set_title("Team · Trailbrake");
    view! {
        <a class="skip" href="#main" on:click=move |event| skip(navigation, &event)>"Skip to the content"</a>
        <header class="bar">
            <span class="brand">"trail"<i>"brake"</i></span>
            <nav aria-label="Pages"><a href=TEAM aria-current="page">"Team"</a></nav>
            <span class="grow"></span>
            <ThemeButton/>
        </header>
        <LazyPage page=parts::team/>
    }
}

/// Moves the focus to the content. The link's default action would change the fragment, which selects the page.
fn skip(navigation: Navigation, event: &leptos::ev::MouseEvent) {
    event.prevent_default();
    if let Some(main) = navigation.main.get_untracked() {
        // Focusing fails only for an element that is not on the page.
        let _ = main.focus();
    }
}

#[component]
fn PageLink(page: Page, label: &'static str) -> impl IntoView {
    let (telemetry, navigation, playback) = (TelemetryStore::here(), Navigation::here(), Playback::here());
    let current = move || (navigation.page.get() == page).then_some("page");
    let href = move || match page {
        // While a recording plays, Live shows the recording.
        Page::Live => {
            telemetry.connection.track();
            let recording = playback.with(|replay| replay.link(None).to_string());
            recording.unwrap_or_else(|| page.hash().to_owned())
        }
        // The Analyse page writes its view into the address itself.
        Page::Analyse | Page::Library | Page::Connections | Page::Server | Page::Settings => {
            page.hash().to_owned()
        }
    };
    view! { <a href=href aria-current=current>{label}</a> }
}

#[component]
fn SettingsLink() -> impl IntoView {
    let navigation = Navigation::here();
    let current = move || (navigation.page.get() == Page::Settings).then_some("page");
    view! {
        <a class="cog" href=Page::Settings.hash() aria-current=current aria-label="Settings" title="Settings">
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="2.5"/>
                <path d="M8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M3.400 12.600l1.400-1.400M11.200 4.800l1.400-1.400"/>
            </svg>
        </a>
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let display = Display::here();
    let word = move || display.theme.get().word();
    view! {
        <button
            type="button"
            class="theme"
            data-theme-choice=word
            aria-label=move || format!("Theme: {}. Change it", word())
            title=move || format!("Theme: {}", word())
            on:click=move |_| display.theme.update(|theme| *theme = theme.next())
        >
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="6.25" />
                <path d="M8 1.75a6.250 6.250 0 0 1 0 12.500z" />
            </svg>
            <span>{word}</span>
        </button>
    }
}
