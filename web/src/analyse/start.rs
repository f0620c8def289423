//! Creates the page's state and what follows it for as long as the app is open.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::sources::name_live_laps;
use super::{AddressFollower, Analyse, LaneSettings, LapFinder, LapSource, Sources};
use crate::browser;
use crate::cockpit::{Display, Playback, TelemetryStore};
use crate::driver_settings::SettingsStore;
use crate::reactive::LocalSignal;
use crate::replay::Opened;
use crate::room::Room;

/// Creates the state with the lanes that the browser has stored, and provides it to the components. What follows from
/// it follows for as long as the app is open.
pub(crate) fn start() -> (Analyse, AddressFollower) {
    let (telemetry, playback) = (TelemetryStore::here(), Playback::here());
    let (settings, room) = (SettingsStore::here(), Room::here());
    let analyse = Analyse::new(telemetry, Display::here().units, settings, room, LaneSettings::kept());
    let Analyse { sources, selection, loads, view, measure, map, address, .. } = analyse;
    let finder = LapFinder { sources, selection, loads, view, measure, map, address, telemetry, playback };
    let follower = AddressFollower::new(sources, selection, view, address, finder);
    provide_stores(analyse);
    provide_context(finder);
    provide_context(follower);
    analyse.input.on_change(move || analyse.room.stop_following());
    analyse.loader.follow();
    analyse.stint.follow();
    analyse.selection.end_anyway(move || analyse.comparison.is_of_one_track());
    analyse.books.follow();
    analyse.plan.follow();
    analyse.names.follow();
    analyse.best.follow();
    name_live_laps(analyse.sources, analyse.selection, analyse.books, telemetry);
    follower.follow();
    open_enclosed(analyse.sources, playback);
    (analyse, follower)
}

/// Provides the stores to the components, each of which takes those that it needs.
fn provide_stores(analyse: Analyse) {
    provide_context(analyse);
    provide_context(analyse.sources);
    provide_context(analyse.selection);
    provide_context(analyse.comparison);
    provide_context(analyse.view);
    provide_context(analyse.measure);
    provide_context(analyse.lanes);
    provide_context(analyse.map);
    provide_context(analyse.panel);
    provide_context(analyse.panels);
    provide_context(analyse.playback);
    provide_context(analyse.tables);
    provide_context(analyse.names);
    provide_context(analyse.best);
    provide_context(analyse.books);
    provide_context(analyse.notes);
    provide_context(analyse.editor);
    provide_context(analyse.plan);
    provide_context(analyse.tasks);
    provide_context(analyse.debrief);
    provide_context(analyse.report);
    provide_context(analyse.charts);
    provide_context(analyse.share);
    provide_context(analyse.address);
    provide_context(analyse.dialog);
    provide_context(analyse.messages);
    provide_context(analyse.units);
}

/// Opens the recordings that are embedded in the page. The laps of the first are listed; the others only have laps
/// to compare with.
fn open_enclosed(sources: LocalSignal<Sources>, playback: Playback) {
    let mut files = browser::enclosed_recordings().into_iter();
    let Some(first) = files.next() else { return };
    let others: Vec<web_sys::File> = files.collect();
    spawn_local(async move {
        for file in others {
            // If one can't be opened, the view reports its laps as missing.
            if let Ok(opened) = Opened::of_file(file).await {
                sources.update(|sources| sources.put(LapSource::of_recording(opened.into())));
            }
        }
        playback.open_files(vec![first]);
    });
}
