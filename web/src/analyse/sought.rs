//! The recording that an address asks for and that nobody has opened: it is looked for at the relay, and where that has
//! none the page says which file it is.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::recording::RecordingId;

use super::address::Wish;
use super::{Analyse, Aspect, Name, Origin, State};
use crate::cockpit::Cockpit;
use crate::replay::Opened;

/// What is looked for.
pub(crate) struct Sought {
    /// The recording.
    pub(crate) id: RecordingId,
    /// Why it can't be had from here; nothing while it is looked for.
    pub(crate) why: Option<String>,
    pub(super) wish: Box<Wish>,
}

impl Sought {
    pub(super) fn of(wish: Box<Wish>) -> Option<Self> {
        Some(Self { id: wish.of?, why: None, wish })
    }
}

impl State {
    /// Knows what an address says of files.
    pub(super) fn know_files(&mut self, wish: &Wish) {
        for (id, file) in &wish.files {
            self.know_file(*id, file);
        }
    }

    /// Knows what the file of a recording is called.
    pub(super) fn know_file(&mut self, id: RecordingId, file: &str) {
        match self.files.iter_mut().find(|(other, _)| *other == id) {
            Some((_, known)) => file.clone_into(known),
            None => self.files.push((id, file.to_owned())),
        }
    }

    /// What the file of a recording is called, as far as anybody has said so.
    pub(crate) fn file(&self, id: RecordingId) -> Option<String> {
        let origin = self.origins.iter().find(|origin| origin.name == Name::Recording(id));
        let opened = origin.and_then(|origin| origin.opened.as_ref());
        let told = || self.files.iter().find(|(other, _)| *other == id).map(|(_, file)| file.clone());
        opened.map(|opened| opened.source.name()).or_else(told)
    }
}

impl Analyse {
    /// Looks for it at the relay, if anything is looked for.
    pub(crate) fn seek(&self, cockpit: Cockpit) {
        let Some(id) = self.read(|state| state.sought.as_ref().map(|sought| sought.id)) else { return };
        self.change(&[Aspect::List], |state| {
            state.sought.iter_mut().for_each(|sought| sought.why = None);
        });
        let analyse = *self;
        spawn_local(async move {
            let opened = Opened::at_relay(id).await;
            // Somebody may have gone elsewhere, or opened it by hand.
            if analyse.read(|state| state.sought.as_ref().is_none_or(|sought| sought.id != id)) {
                return;
            }
            match opened {
                Ok(opened) => analyse.list(cockpit, Origin::of_recording(Rc::new(opened)), true),
                Err(why) => analyse.change(&[Aspect::List], |state| {
                    state.sought.iter_mut().for_each(|sought| sought.why = Some(why.clone()));
                }),
            }
        });
    }
}
