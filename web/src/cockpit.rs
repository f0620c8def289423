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
mod rival_choice;
mod server_commands;
mod sounds;
mod table_questions;
mod team_store;
mod telemetry_store;
mod tracks;

use std::time::Duration;

use leptos::prelude::*;

use crate::browser;
use crate::frame::{self, Phase};
use crate::route::Page;
use crate::telemetry::Connection;

pub(crate) use active_task::ActiveTask;
pub(crate) use asked::Asked;
pub(crate) use brake_points::BrakePoints;
pub(crate) use delta_choice::DeltaChoice;
pub(crate) use demo_store::DemoStore;
pub(crate) use display::Display;
pub(crate) use navigation::Navigation;
pub(crate) use playback::Playback;
pub(crate) use relay_link::RelayLink;
pub(crate) use rival_choice::RivalChoice;
pub(crate) use server_commands::ServerCommands;
pub(crate) use sounds::{LEADS_MS, SoundChoices};
pub(crate) use table_questions::TableQuestions;
pub(crate) use team_store::{Offer, TeamStore};
pub(crate) use telemetry_store::TelemetryStore;
pub(crate) use tracks::TrackNames;

use earlier_best::find_earlier_best;
use joining::join_session;

/// The pulse's period.
const BEAT: Duration = Duration::from_millis(100);

/// Makes all stores, starts what runs as long as the page is open, and provides the stores to all components below.
pub(crate) fn start() {
    let home = if browser::home().has_relay() { Connection::Relay } else { Connection::Viewer };
    let telemetry = TelemetryStore::new(home);
    let (navigation, display, sounds) = (Navigation::start(), Display::start(), SoundChoices::start());
    let tracks = TrackNames::kept(telemetry);
    let (delta, brake_points) = (DeltaChoice::kept(telemetry), BrakePoints::kept(telemetry));
    let active_task = ActiveTask::kept(telemetry);
    find_earlier_best(telemetry);
    let rival = RivalChoice::start(telemetry);
    let questions = TableQuestions::new();
    let playback = Playback::new(telemetry, tracks, navigation, questions);
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
    provide_context(rival);
    provide_context(brake_points);
    provide_context(active_task);
    provide_context(playback);
    provide_context(questions);
    provide_context(demo);
    provide_context(relay);
    provide_context(commands);
    provide_context(TeamStore::new());
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
