//! This rig's place in a team, as its owner joins, pauses and leaves it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::wire::{TeamPlace, TeamReport};
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use crate::browser;
use crate::http::{self, Failed};

/// How an invitation's file is named.
const ENDING: &str = ".team";

/// The place in a team. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct TeamStore {
    /// The place; `Some(None)` without a team, and `None` where this page may not ask.
    pub(crate) place: RwSignal<Option<Option<TeamPlace>>>,
    /// An invitation that the driver chose and has not agreed to yet.
    pub(crate) offer: RwSignal<Option<Offer>>,
    /// Why the last change failed; empty if it did not.
    pub(crate) failure: RwSignal<String>,
    /// Whether a change is being made, which takes some seconds.
    pub(crate) is_busy: RwSignal<bool>,
}

/// An invitation, and what it offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) place: TeamPlace,
    text: String,
}

impl TeamStore {
    pub(super) fn new() -> Self {
        Self {
            place: RwSignal::new(None),
            offer: RwSignal::new(None),
            failure: RwSignal::new(String::new()),
            is_busy: RwSignal::new(false),
        }
    }

    /// Asks the relay for the place. Where it does not answer, there is nothing to show.
    pub(crate) fn ask(self) {
        // A rig joins and leaves on the rig itself.
        if browser::home().is_hub() {
            return;
        }
        spawn_local(async move {
            let answer = http::ask("GET", "/team", None).await;
            let report: Option<TeamReport> =
                answer.ok().and_then(|answer| serde_json::from_str(&answer).ok()).flatten();
            self.place.set(report.map(|report| report.place));
        });
    }

    /// The invitation among some files.
    pub(crate) fn invitation_in(files: &[File]) -> Option<File> {
        files.iter().find(|file| file.name().to_lowercase().ends_with(ENDING)).cloned()
    }

    /// Shows what an invitation offers.
    pub(crate) fn look(self, file: File) {
        spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            let text = text.unwrap_or_default();
            let answer = http::ask("POST", "/team/invitation", Some(&text)).await;
            let place = answer.and_then(|answer| serde_json::from_str(&answer).map_err(|_| Failed::Stranger));
            match place {
                Ok(place) => {
                    self.failure.set(String::new());
                    self.offer.set(Some(Offer { place, text }));
                }
                Err(failed) => self.failure.set(failed.words()),
            }
        });
    }

    /// Joins the team of the chosen invitation.
    pub(crate) fn join(self) {
        if let Some(offer) = self.offer.get_untracked() {
            self.change("PUT", Some(offer.text));
        }
    }

    /// Pauses, or goes on.
    pub(crate) fn pause(self, paused: bool) {
        self.change("PATCH", Some(paused.to_string()));
    }

    pub(crate) fn leave(self) {
        self.change("DELETE", None);
    }

    fn change(self, method: &'static str, body: Option<String>) {
        self.is_busy.set(true);
        spawn_local(async move {
            let answer = http::ask(method, "/team", body.as_deref()).await;
            let report =
                answer.and_then(|answer| serde_json::from_str(&answer).map_err(|_| Failed::Stranger));
            self.is_busy.set(false);
            match report {
                Ok(TeamReport { place }) => {
                    self.failure.set(String::new());
                    self.offer.set(None);
                    self.place.set(Some(place));
                }
                Err(failed) => self.failure.set(failed.words()),
            }
        });
    }
}
