//! Creates the page's state and what follows it for as long as the app is open.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Analyse, LaneSettings, LapSource, Notes};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::driver_settings::SettingsStore;
use crate::frame;
use crate::replay::Opened;
use crate::room::Room;

impl Analyse {
    /// Creates the state with the lanes that the browser has stored, and provides it to the components. It follows the
    /// address for as long as the app is open.
    pub(crate) fn start(cockpit: Cockpit) -> Self {
        let analyse = Self::with(cockpit.units, SettingsStore::here(), Room::here());
        provide_context(analyse);
        analyse.lanes.set(LaneSettings::kept());
        analyse.ask_before_leaving();
        Effect::new(move |_| {
            analyse.track_painted();
            frame::request();
        });
        analyse.input.on_change(move || analyse.room.stop_following());
        analyse.keep_address();
        untrack(|| analyse.follow_address(cockpit));
        analyse.follow_steering_ranges(cockpit);
        window_event_listener(leptos::ev::hashchange, move |_| analyse.follow_address(cockpit));
        analyse
    }

    /// Opens the recordings that are embedded in the page. The laps of the first are listed; the others only have laps
    /// to compare with.
    pub(crate) fn open_enclosed(self, cockpit: Cockpit) {
        let mut files = browser::enclosed_recordings().into_iter();
        let Some(first) = files.next() else { return };
        let others: Vec<web_sys::File> = files.collect();
        spawn_local(async move {
            for file in others {
                // If one can't be opened, the view reports its laps as missing.
                if let Ok(opened) = Opened::of_file(file).await {
                    self.put_source(LapSource::of_recording(opened.into()));
                }
            }
            cockpit.open_recording(vec![first]);
        });
    }

    /// Asks for confirmation before the page is left with notes that are in no file.
    fn ask_before_leaving(self) {
        window_event_listener(leptos::ev::beforeunload, move |event| {
            if self.notes.with_untracked(Notes::has_unsaved) {
                event.prevent_default();
            }
        });
    }
}
