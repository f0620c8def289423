//! The state that every page of the app shares: stores that own their methods, each of which knows only stores below it.
//! Components take those that they need from the context.
//!
//! Telemetry lives in plain buffers without signals, since they change hundreds of times a second. Messages wait for
//! the next frame, which reads all of them. Ten times a second a pulse beats, and text is updated from the buffers.

mod active_task;
mod asked;
mod brake_points;
mod delta_choice;
mod demo_store;
mod display;
mod earlier_best;
mod joining;
mod navigation;
mod playback;
mod relay_link;
mod server_commands;
mod sounds;
mod telemetry_store;
mod tracks;

use std::time::Duration;

use leptos::html::Main;
use leptos::prelude::*;
use trailbrake_shared::recording::Task;
use trailbrake_shared::session::Session;
use trailbrake_shared::units::Units;

use crate::browser;
use crate::frame::{self, Phase};
use crate::replay::Replay;
use crate::route::Page;
use crate::telemetry::{Connection, Telemetry};

pub(crate) use active_task::ActiveTask;
pub(crate) use asked::Asked;
pub(crate) use brake_points::BrakePoints;
pub(crate) use delta_choice::DeltaChoice;
pub(crate) use demo_store::DemoStore;
pub(crate) use display::Display;
pub(crate) use navigation::Navigation;
pub(crate) use playback::Playback;
pub(crate) use relay_link::RelayLink;
pub(crate) use server_commands::ServerCommands;
pub(crate) use sounds::{LEADS_MS, SoundChoices};
pub(crate) use telemetry_store::TelemetryStore;
pub(crate) use tracks::TrackNames;

use earlier_best::EarlierBest;
use joining::join_session;

/// The pulse's period.
const BEAT: Duration = Duration::from_millis(100);

/// The stores that Analyse works with. Copies are handles to the same stores.
#[derive(Clone, Copy)]
pub(crate) struct Cockpit {
    telemetry: TelemetryStore,
    playback: Playback,
    /// The coaching task that the driver follows.
    pub(crate) active_task: ActiveTask,
    /// The display units that the driver chose.
    pub(crate) units: RwSignal<Units>,
    /// The page's main element, which the skip link goes to.
    pub(crate) main: NodeRef<Main>,
    /// Whether the demo runs.
    pub(crate) demonstrating: Memo<bool>,
}

impl Cockpit {
    /// Makes all stores, starts what runs as long as the page is open, and provides the stores to all components below.
    pub(crate) fn start() -> Self {
        let home = if browser::has_relay() { Connection::Relay } else { Connection::Viewer };
        let telemetry = TelemetryStore::new(home);
        let (navigation, display, sounds) = (Navigation::start(), Display::start(), SoundChoices::start());
        let tracks = TrackNames::kept(telemetry);
        let (delta, brake_points) = (DeltaChoice::kept(telemetry), BrakePoints::new(telemetry));
        let active_task = ActiveTask::kept(telemetry);
        active_task.keep_results();
        let earlier_best = EarlierBest::new(telemetry);
        let playback = Playback::new(telemetry, tracks, navigation);
        let demo = DemoStore::new(telemetry, navigation);
        let relay = RelayLink::open(telemetry);
        let commands = ServerCommands::new(telemetry, demo, relay);
        let reading = frame::on(Phase::Link, move |_| {
            relay.read_waiting();
            demo.drive();
            playback.play(browser::now_ms());
            if matches!(telemetry.connection.get_untracked(), Connection::Demo | Connection::Replay) {
                frame::request();
            }
        });
        // Never dropped: the subscription lasts as long as the page is open.
        std::mem::forget(reading);
        browser::every(BEAT, move || {
            relay.tick();
            frame::catch_up();
            telemetry.tick();
            join_session(telemetry);
            earlier_best.find();
            delta.apply();
            brake_points.apply();
            active_task.apply();
            tracks.apply();
            telemetry.beat();
        });
        Effect::new(move |_| {
            // The names may have changed on another page.
            if navigation.page.get() == Page::Live && !telemetry.is_viewer() {
                tracks.read_book();
            }
        });
        show_live_once_a_game_sends(telemetry, navigation);
        provide_context(telemetry);
        provide_context(navigation);
        provide_context(display);
        provide_context(sounds);
        provide_context(tracks);
        provide_context(delta);
        provide_context(brake_points);
        provide_context(active_task);
        provide_context(playback);
        provide_context(demo);
        provide_context(relay);
        provide_context(commands);
        let cockpit = Self {
            telemetry,
            playback,
            active_task,
            units: display.units,
            main: navigation.main,
            demonstrating: Memo::new(move |_| telemetry.shows(Connection::Demo)),
        };
        provide_context(cockpit);
        cockpit
    }

    /// The cockpit that `start` provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// See [`TelemetryStore::sampled`].
    pub(crate) fn sampled<T>(self, read: impl Fn(&Telemetry) -> T + Send + Sync + 'static) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        self.telemetry.sampled(read)
    }

    /// See [`Playback::sampled`].
    pub(crate) fn played<T>(self, read: impl Fn(&Replay) -> T + Send + Sync + 'static) -> Memo<Option<T>>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        self.playback.sampled(read)
    }

    /// See [`Playback::with`].
    pub(crate) fn replay<T>(self, work: impl FnOnce(&mut Replay) -> T) -> Option<T> {
        self.playback.with(work)
    }

    /// See [`TelemetryStore::look`].
    pub(crate) fn look<T>(self, read: impl FnOnce(&Telemetry) -> T) -> T {
        self.telemetry.look(read)
    }

    /// See [`TelemetryStore::update_session`].
    pub(crate) fn update_session(self, update: impl FnOnce(&mut Session)) {
        self.telemetry.update_session(update);
    }

    /// See [`TelemetryStore::is_viewer`].
    pub(crate) fn is_viewer(self) -> bool {
        self.telemetry.is_viewer()
    }

    /// See [`TelemetryStore::complain`].
    pub(crate) fn complain(self, words: String) {
        self.telemetry.complain(words);
    }

    /// See [`ActiveTask::follow`].
    pub(crate) fn follow_task(self, task: Option<Task>) {
        self.active_task.follow(task);
    }

    /// See [`Playback::open_files`].
    pub(crate) fn open_recording(self, files: Vec<web_sys::File>) {
        self.playback.open_files(files);
    }
}

/// Goes from Connections to Live when a game begins to send.
fn show_live_once_a_game_sends(telemetry: TelemetryStore, navigation: Navigation) {
    let sends = telemetry.sampled(|telemetry| {
        let plays = telemetry.connection() == Connection::Replay;
        !plays && telemetry.sending(browser::now_ms()).is_some()
    });
    Effect::new(move |sent: Option<bool>| {
        let sends = sends.get();
        if sends && sent == Some(false) && navigation.page.get_untracked() == Page::Connections {
            browser::go_to(Page::Live.hash());
        }
        sends
    });
}
