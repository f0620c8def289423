//! Following links, and the address that names what is shown.

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
    /// Shows what the address names.
    pub(super) fn follow_address(self, cockpit: Cockpit) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Analyse {
            return;
        }
        self.address.set_value(fragment.clone());
        // What plays may be what the address names.
        self.find_laps(cockpit);
        let Some(link) = Link::from_hash(&fragment) else { return self.update_address() };
        let before = self.selection.with_untracked(|selection| selection.chosen.clone());
        self.sources.update(|sources| {
            link.files.iter().for_each(|(id, file)| sources.name_file(*id, file));
        });
        self.selection.update(|selection| selection.pending = None);
        match self.show_link(link) {
            Followed::Not(link) => self.selection.update(|selection| {
                // Nobody is to take other laps for those of the link.
                selection.chosen = Chosen::default();
                selection.pending = PendingLink::of(link);
            }),
            Followed::WithoutItsLap => complain_of_lap(cockpit),
            Followed::Whole => {}
        }
        match self.selection.with_untracked(|selection| selection.chosen != before) {
            true => self.settle(cockpit),
            false => self.update_address(),
        }
        self.open_pending(cockpit);
    }

    /// Shows what the pending link names, if a source that is open now has it. The file that somebody opened is told apart
    /// from the one that the link names.
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
            // Somebody may have gone elsewhere, or opened it by hand.
            if id() != Some(wanted) {
                return;
            }
            match opened {
                Ok(opened) => self.add_source(cockpit, LapSource::of_recording(Rc::new(opened)), true),
                Err(why) => pending(Some(why)),
            }
        });
    }

    /// Writes the view into the address, unless the address has just changed: that is followed first.
    pub(super) fn update_address(self) {
        let fragment = browser::fragment();
        let is_followed = self.address.with_value(|place| *place == fragment) || browser::is_named(&fragment);
        if Page::from_hash(&fragment) == Page::Analyse && is_followed {
            browser::name_place(&self.address());
        }
    }
}

fn complain_of_lap(cockpit: Cockpit) {
    cockpit.complain(
        "This recording doesn't have the lap of the link: showing the latest and the best.".to_owned(),
    );
}
