//! The beginning of the page's state, and what it follows for as long as the page is open.

use leptos::prelude::*;

use super::{Analyse, LaneSettings, Notes};
use crate::cockpit::Cockpit;
use crate::frame;

impl Analyse {
    /// Begins with what the browser has kept, and follows the address for as long as the page is open.
    pub(crate) fn start(cockpit: Cockpit) -> Self {
        let analyse = Self::in_units(cockpit.units);
        provide_context(analyse);
        analyse.lanes.set(LaneSettings::kept());
        analyse.ask_before_leaving();
        Effect::new(move |_| {
            analyse.track_painted();
            frame::request();
        });
        untrack(|| analyse.follow_address(cockpit));
        window_event_listener(leptos::ev::hashchange, move |_| analyse.follow_address(cockpit));
        analyse
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
