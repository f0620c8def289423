//! The state that every page of the app shares.
//!
//! Telemetry lives in plain buffers without signals, since they change hundreds of times a second. Messages wait for
//! the next frame, which reads all of them. Ten times a second a pulse beats, and text is updated from the buffers.

mod active_task;
mod asked;
mod best;
mod brake_points;
mod delta_choice;
mod earlier_best;
mod errands;
mod joining;
mod replaying;
mod sounds;
mod telemetry_store;
mod tracks;

use std::time::Duration;

use leptos::html::Main;
use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::recording::Task;
use trailbrake_shared::session::Session;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::{self, ToRelay, WireError};

use crate::browser;
use crate::demo::{self, Demo, Wish};
use crate::frame::{self, Phase};
use crate::jobs::{Jobs, RunningJob};
use crate::link::{Link, Shown};
use crate::replay::Replay;
use crate::route::Page;
use crate::telemetry::{Connection, MessageKind, Telemetry};
use crate::theme::{self, Theme};

use best::EarlierBest;

pub(crate) use active_task::ActiveTask;
pub(crate) use asked::Asked;
pub(crate) use brake_points::BrakePoints;
pub(crate) use delta_choice::DeltaChoice;
pub(crate) use sounds::{LEADS_MS, SoundChoices};
pub(crate) use telemetry_store::TelemetryStore;
pub(crate) use tracks::TrackNames;

/// The pulse's period.
const BEAT: Duration = Duration::from_millis(100);
/// Least age of the page for a reload by the relay, in milliseconds. A younger page could reload in an endless loop.
const YOUNG_MS: f64 = 5_000.0;
/// How long one frame may simulate the demo, in milliseconds.
const DEMO_MS: f64 = 12.0;
/// The browser's storage key of the units.
const UNITS: &str = "trailbrake.units";
/// Messages of more bytes than this are read without waiting for a frame: a hidden page has no frames.
const MOST_WAITING: usize = 1 << 20;

/// The state that every page shares. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Cockpit {
    pub(crate) telemetry: TelemetryStore,
    waiting: StoredValue<WaitingMessages, LocalStorage>,
    demo: StoredValue<Option<Demo>, LocalStorage>,
    relay: StoredValue<Option<Link>, LocalStorage>,
    commands: StoredValue<u32>,
    replay: StoredValue<Option<Replay>, LocalStorage>,
    earlier: StoredValue<EarlierBest, LocalStorage>,
    /// The number of recordings requested so far. An opening that is no longer the last one is dropped.
    openings: StoredValue<u32>,
    /// Long operations of every page.
    jobs: Jobs,
    /// The job of a recording that takes long to open.
    opening: StoredValue<Option<RunningJob>>,
    /// The recording that the address asks for, until it plays.
    pub(crate) asked: RwSignal<Asked>,
    /// Whether the demo runs.
    /// The state of the link to the relay.
    pub(crate) link: RwSignal<Shown>,
    /// The page's main element, which the skip link goes to.
    pub(crate) main: NodeRef<Main>,
    /// The page that is shown.
    pub(crate) page: RwSignal<Page>,
    /// The theme that the driver chose.
    pub(crate) theme: RwSignal<Theme>,
    /// The display units that the driver chose.
    pub(crate) units: RwSignal<Units>,
    /// The sounds that the driver chose.
    pub(crate) sounds: SoundChoices,
    /// The brake points that the driver set on this track.
    pub(crate) brake_points: BrakePoints,
    /// The coaching task that the driver follows.
    pub(crate) active_task: ActiveTask,
    /// The delta's target.
    pub(crate) delta: DeltaChoice,
    /// The names of tracks and corners.
    pub(crate) tracks: TrackNames,
}

/// Messages queued for the next frame.
#[derive(Default)]
struct WaitingMessages {
    /// Each message with the time of its arrival, in milliseconds of the page.
    messages: Vec<(Vec<u8>, f64)>,
    bytes: usize,
}

impl Cockpit {
    /// Starts everything that runs as long as the page is open, and provides the cockpit to all components below.
    pub(crate) fn start() -> Self {
        let home = if browser::has_relay() { Connection::Relay } else { Connection::Viewer };
        let telemetry = TelemetryStore::new(home);
        let cockpit = Self {
            telemetry,
            waiting: StoredValue::new_local(WaitingMessages::default()),
            demo: StoredValue::new_local(None),
            relay: StoredValue::new_local(None),
            commands: StoredValue::new(0),
            replay: StoredValue::new_local(None),
            earlier: StoredValue::new_local(EarlierBest::default()),
            openings: StoredValue::new(0),
            jobs: Jobs::here(),
            opening: StoredValue::new(None),
            asked: RwSignal::new(Asked::Nothing),
            link: RwSignal::new(if browser::has_relay() { Shown::Connecting } else { Shown::NoRelay }),
            main: NodeRef::new(),
            page: RwSignal::new(Page::from_hash(&browser::fragment())),
            theme: RwSignal::new(Theme::from_kept(browser::kept(theme::KEY).as_deref())),
            units: RwSignal::new(Units::from_words(&browser::kept(UNITS).unwrap_or_default())),
            sounds: SoundChoices::kept(),
            brake_points: BrakePoints::new(telemetry),
            active_task: ActiveTask::kept(telemetry),
            delta: DeltaChoice::kept(telemetry),
            tracks: TrackNames::kept(telemetry),
        };
        provide_context(cockpit);
        provide_context(cockpit.telemetry);
        provide_context(cockpit.brake_points);
        provide_context(cockpit.active_task);
        provide_context(cockpit.delta);
        provide_context(cockpit.tracks);
        cockpit.follow_address();
        cockpit.follow_theme();
        Effect::new(move |_| browser::keep(UNITS, &cockpit.units.get().words()));
        cockpit.sounds.keep();
        cockpit.follow_relay();
        cockpit.follow_track_book();
        cockpit.active_task.keep_results();
        cockpit
    }

    /// The cockpit that `start` provided.
    pub(crate) fn here() -> Self {
        // Every component is inside the app, so the context exists.
        use_context().unwrap_or_else(Self::start)
    }

    /// See [`TelemetryStore::sampled`].
    pub(crate) fn sampled<T>(self, read: impl Fn(&Telemetry) -> T + Send + Sync + 'static) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        self.telemetry.sampled(read)
    }

    /// See [`TelemetryStore::look`].
    pub(crate) fn look<T>(self, read: impl FnOnce(&Telemetry) -> T) -> T {
        self.telemetry.look(read)
    }

    /// See [`TelemetryStore::update_session`].
    pub(crate) fn update_session(self, update: impl FnOnce(&mut Session)) {
        self.telemetry.update_session(update);
    }

    /// Whether this is the viewer, which has no relay.
    pub(crate) fn is_viewer(self) -> bool {
        self.telemetry.is_viewer()
    }

    /// Sends a command to a feed's game server. `Telemetry::answer` has the outcome.
    pub(crate) fn command(self, feed: Feed, command: ServerCommand) {
        self.commands.update_value(|commands| *commands = commands.wrapping_add(1));
        let id = self.commands.get_value();
        let message = match wire::encode(&ToRelay::Command { id, feed, command }) {
            Ok(message) => message,
            Err(error) => return self.answer(Err(error.to_string())),
        };
        if let Some(answer) = self.demo.with_value(|demo| demo.as_ref()?.obey(&message)) {
            // The page's own demo encoded the answer, so decoding does not fail.
            let _ = self.telemetry.change(|telemetry| telemetry.receive(&answer, browser::now_ms()));
            return self.telemetry.beat();
        }
        // The last answer is not about this command.
        self.telemetry.change(|telemetry| telemetry.answer = None);
        let sent = self.relay.with_value(|link| link.as_ref().is_some_and(|link| link.send(&message)));
        if !sent {
            self.answer(Err("there is no connection to Trailbrake".to_owned()));
        }
        self.telemetry.beat();
    }

    /// Shows why a command is not sent.
    pub(crate) fn refuse(self, why: String) {
        self.answer(Err(why));
    }

    fn answer(self, outcome: Result<String, String>) {
        self.telemetry.change(|telemetry| telemetry.answer = Some(outcome));
        self.telemetry.beat();
    }

    /// Ends the demo and drops its laps, so that the next one starts from the grid.
    pub(crate) fn stop_demo(self) {
        self.drop_demo();
        self.telemetry.disconnect();
    }

    fn drop_demo(self) {
        self.demo.set_value(None);
        Demo::forget();
    }

    /// See [`ActiveTask::follow`].
    pub(crate) fn follow_task(self, task: Option<Task>) {
        self.active_task.follow(task);
    }

    /// See [`TelemetryStore::complain`].
    pub(crate) fn complain(self, words: String) {
        self.telemetry.complain(words);
    }

    fn start_demo(self, wish: Wish) {
        self.replay.set_value(None);
        let change = |demo: &mut Option<Demo>| demo.as_mut().is_some_and(|demo| demo.change(wish));
        if self.demo.try_update_value(change) == Some(true) {
            return;
        }
        let demo = Demo::waiting(wish);
        let began_us = demo.began_us();
        self.demo.set_value(Some(demo));
        self.telemetry.connect(Connection::Demo);
        leptos::task::spawn_local(async move {
            match demo::load(wish, began_us).await {
                Ok(race) => self.demo.update_value(|demo| {
                    if let Some(demo) = demo {
                        demo.begin(race, wish, browser::now_ms());
                    }
                }),
                Err(words) => {
                    self.stop_demo();
                    self.complain(words);
                }
            }
            frame::request();
        });
    }

    fn follow_address(self) {
        let follow = move || {
            let fragment = browser::fragment();
            self.page.set(Page::from_hash(&fragment));
            self.follow_link(&fragment);
            if let Some(wish) = Wish::from_hash(&fragment) {
                self.start_demo(wish);
            }
        };
        follow();
        window_event_listener(leptos::ev::hashchange, move |_| follow());
    }

    /// Reads the relay's track book whenever Live is opened: its names may have changed on another page.
    fn follow_track_book(self) {
        Effect::new(move |_| {
            if self.page.get() == Page::Live && browser::has_relay() {
                self.tracks.read_book();
            }
        });
    }

    fn follow_theme(self) {
        let system_is_light = RwSignal::new(false);
        system_is_light.set(browser::watch_light(move |light| system_is_light.set(light)));
        Effect::new(move |_| {
            let theme = self.theme.get();
            browser::keep(theme::KEY, theme.word());
            browser::show_theme(theme.shown(system_is_light.get()));
        });
    }

    fn follow_relay(self) {
        let link = Link::to_packets(move |message| self.wait(message), move |reason| self.complain(reason));
        self.relay.set_value(Some(link.clone()));
        let reader = link.clone();
        let reading = frame::on(Phase::Link, move |_| self.read_waiting(&reader));
        // Never dropped: the subscription lasts as long as the page is open.
        std::mem::forget(reading);
        browser::every(BEAT, move || {
            link.tick();
            frame::catch_up();
            let now = browser::now_ms();
            self.telemetry.change(|telemetry| telemetry.tick(now));
            self.join_session();
            self.find_earlier_best();
            self.delta.apply();
            self.brake_points.apply();
            self.active_task.apply();
            self.tracks.apply();
            let shown = link.shown();
            if self.link.get_untracked() != shown {
                self.link.set(shown);
            }
            self.telemetry.beat();
        });
    }

    /// Queues a message for the next frame.
    fn wait(self, message: Vec<u8>) {
        let mut bytes = 0;
        self.waiting.update_value(|waiting| {
            waiting.bytes += message.len();
            waiting.messages.push((message, browser::now_ms()));
            bytes = waiting.bytes;
        });
        frame::request();
        if bytes > MOST_WAITING {
            frame::catch_up();
        }
    }

    fn read_waiting(self, link: &Link) {
        let waiting = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
        for (message, arrived_ms) in waiting.messages {
            if self.read(&message, arrived_ms, link) == Some(MessageKind::Packets)
                && self.telemetry.connection.get_untracked() == Connection::Demo
            {
                // A real game sends, and takes the place of the demo.
                self.stop_demo();
            }
        }
        let now = browser::now_ms();
        self.drive_demo(link, now + DEMO_MS);
        self.play(now);
        if matches!(self.telemetry.connection.get_untracked(), Connection::Demo | Connection::Replay) {
            frame::request();
        }
    }

    /// Simulates the demo up to now, at most until `until_ms`. After a reload it first has to catch up with its
    /// position.
    fn drive_demo(self, link: &Link, until_ms: f64) {
        loop {
            let now = browser::now_ms();
            let driven =
                self.demo.try_update_value(|demo| demo.as_mut().map(|demo| demo.drive(now))).flatten();
            let Some((message, is_there)) = driven else { return };
            if let Some(message) = message {
                self.take(&message, now, link, Telemetry::demonstrate);
            }
            if is_there || now >= until_ms {
                return;
            }
        }
    }

    fn read(self, message: &[u8], now: f64, link: &Link) -> Option<MessageKind> {
        self.take(message, now, link, Telemetry::receive)
    }

    /// Hands a message to the telemetry by `take`, and reacts to it: goes from Connections to Live when a game begins
    /// to send, and reloads the page or ends the link if the relay has another version.
    fn take(
        self,
        message: &[u8],
        now: f64,
        link: &Link,
        take: fn(&mut Telemetry, &[u8], f64) -> Result<MessageKind, WireError>,
    ) -> Option<MessageKind> {
        let mut outcome = Ok(MessageKind::Status);
        let mut first = false;
        self.telemetry.change(|telemetry| {
            let silent = telemetry.sending(now).is_none();
            outcome = take(telemetry, message, now);
            first = silent && telemetry.sending(now).is_some();
        });
        if first && self.page.get_untracked() == Page::Connections {
            browser::go_to(Page::Live.hash());
        }
        match &outcome {
            Ok(MessageKind::Reload) if now > YOUNG_MS => browser::reload(),
            Ok(MessageKind::Reload) | Err(WireError::Version { .. }) => link.outdated(),
            Ok(_) | Err(_) => {}
        }
        outcome.ok()
    }
}
