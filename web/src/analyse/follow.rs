//! Follows the address, links and other pages of the room.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::link::{Followed, Link, PendingLink};
use super::{Analyse, Chosen, LapSource};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::replay::Opened;
use crate::route::Page;

impl Analyse {
    /// Shows what the address names, if it is this page's.
    pub(super) fn follow_address(self, cockpit: Cockpit) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Analyse {
            return;
        }
        self.followed.set(fragment.clone());
        self.follow_fragment(cockpit, &fragment);
    }

    /// Shows the view of another page in the room. Its cursor is sent separately; until it arrives, this page's cursor
    /// stays where it is.
    pub(crate) fn follow_view(self, cockpit: Cockpit, fragment: &str) {
        let (axis, cursor) = self.view.with_untracked(|view| (view.axis, view.cursor));
        self.follow_fragment(cockpit, fragment);
        self.view.update(|view| view.cursor = view.cursor.or(cursor.filter(|_| view.axis == axis)));
    }

    /// Moves the cursor to another page's, given by its lap distance in metres.
    pub(crate) fn follow_cursor(self, at_m: f64) {
        let Some(shown) = untrack(|| self.shown()) else { return };
        self.move_view(None, &|view, _| view.cursor = shown.on_axis(view.axis, at_m).or(view.cursor));
    }

    /// Whether the recording of the pending link could not be opened. When following another page, only that browser
    /// has the recording.
    pub(crate) fn misses_recording(self) -> bool {
        self.selection.with(|selection| selection.pending.as_ref().is_some_and(|link| link.why.is_some()))
    }

    fn follow_fragment(self, cockpit: Cockpit, fragment: &str) {
        // The link may be about the recording that is being played.
        self.find_laps(cockpit);
        let Some(link) = Link::from_hash(fragment) else { return };
        let before = self.selection.with_untracked(|selection| selection.chosen.clone());
        self.sources.update(|sources| {
            link.files.iter().for_each(|(id, file)| sources.name_file(*id, file));
        });
        self.selection.update(|selection| selection.pending = None);
        match self.show_link(link) {
            Followed::Not(link) => self.selection.update(|selection| {
                // The laps on screen could be mistaken for those of the link.
                selection.chosen = Chosen::default();
                selection.pending = PendingLink::of(link);
            }),
            Followed::WithoutItsLap => complain_of_lap(cockpit),
            Followed::Whole => {}
        }
        if self.selection.with_untracked(|selection| selection.chosen != before) {
            self.settle(cockpit);
        }
        self.open_pending(cockpit);
    }

    /// Follows the pending link, if there is one. Returns whether its recording is open now.
    ///
    /// If it is not, the link stays pending. If `opened_file` was opened instead, a message says that this is another
    /// recording, and the link is dropped.
    pub(super) fn retry_link(self, cockpit: Cockpit, opened_file: Option<String>) -> bool {
        let Some(pending) = self.selection.try_update(|selection| selection.pending.take()).flatten() else {
            return false;
        };
        match self.show_link(*pending.link) {
            Followed::Whole => true,
            Followed::WithoutItsLap => {
                complain_of_lap(cockpit);
                true
            }
            Followed::Not(link) => {
                match opened_file {
                    Some(file) => {
                        cockpit.complain(format!(
                            "{file} is another recording than the one that the link names."
                        ));
                    }
                    None => {
                        let pending = PendingLink { link, ..pending };
                        self.selection.update(|selection| selection.pending = Some(pending));
                    }
                }
                false
            }
        }
    }

    /// Opens the recording of the pending link at the relay.
    pub(crate) fn open_pending(self, cockpit: Cockpit) {
        let pending = move |why: Option<String>| {
            self.selection.update(|selection| {
                selection.pending.iter_mut().for_each(|pending| pending.why.clone_from(&why));
            });
        };
        let id = move || self.selection.with_untracked(|selection| Some(selection.pending.as_ref()?.id));
        let Some(wanted) = id() else { return };
        pending(None);
        spawn_local(async move {
            let opened = Opened::at_relay(wanted).await;
            // Meanwhile the address may have changed, or the driver may have opened the file.
            if id() != Some(wanted) {
                return;
            }
            match opened {
                Ok(opened) => self.add_source(cockpit, LapSource::of_recording(Rc::new(opened)), true),
                Err(why) => pending(Some(why)),
            }
        });
    }
}

fn complain_of_lap(cockpit: Cockpit) {
    cockpit.complain(
        "This recording doesn't have the lap of the link: showing the latest and the best.".to_owned(),
    );
}
