//! The beginning of the page's state, and what it follows for as long as the page is open.

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
    /// Begins with what the browser has kept, and follows the address for as long as the page is open.
    pub(crate) fn start(cockpit: Cockpit) -> Self {
        let analyse = Self::with(cockpit.units, SettingsStore::here(), Room::here());
        provide_context(analyse);
        analyse.lanes.set(LaneSettings::kept());
        analyse.ask_before_leaving();
        Effect::new(move |_| {
            analyse.track_painted();
            frame::request();
        });
        untrack(|| analyse.follow_address(cockpit));
        analyse.follow_steering_ranges(cockpit);
        window_event_listener(leptos::ev::hashchange, move |_| analyse.follow_address(cockpit));
        analyse
    }

    /// Opens the recordings that are in the page itself. The first is listed, the others only compared with.
    pub(crate) fn open_enclosed(self, cockpit: Cockpit) {
        let mut files = browser::enclosed_recordings().into_iter();
        let Some(first) = files.next() else { return };
        let others: Vec<web_sys::File> = files.collect();
        spawn_local(async move {
            for file in others {
                // One that can't be opened is missed by the view, which says so.
                if let Ok(opened) = Opened::of_file(file).await {
                    self.put_source(LapSource::of_recording(opened.into()));
                }
            }
            cockpit.open_recording(vec![first]);
        });
    }

    /// Asks before the page is left with notes that are in no file.
    fn ask_before_leaving(self) {
        window_event_listener(leptos::ev::beforeunload, move |event| {
            if self.notes.with_untracked(Notes::has_unsaved) {
                event.prevent_default();
            }
        });
    }
}
