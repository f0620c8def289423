//! What people chose on the page, and whether it is open to tablets.

use std::collections::BTreeSet;

use leptos::prelude::*;
use trailbrake_shared::feed::{Feed, GamePlace};
use trailbrake_shared::wire::TabletLinks;

use crate::http;

/// What people chose on the page. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct Choices {
    /// The games whose details are shown.
    pub(super) open: RwSignal<BTreeSet<Feed>>,
    /// Where the games run.
    pub(super) place: RwSignal<GamePlace>,
}

impl Choices {
    pub(super) fn new() -> Self {
        Self { open: RwSignal::new(BTreeSet::new()), place: RwSignal::new(GamePlace::ThisComputer) }
    }

    /// Shows or hides a game's details.
    pub(super) fn toggle(self, feed: Feed) {
        self.open.update(|open| {
            if !open.remove(&feed) {
                open.insert(feed);
            }
        });
    }
}

/// The page's access for tablets, as its owner sees it. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct TabletAccess {
    /// The links; `None` for anybody but the owner.
    pub(super) links: RwSignal<Option<TabletLinks>>,
    /// Why the last change failed.
    pub(super) failure: RwSignal<String>,
}

impl TabletAccess {
    /// Asks the relay once.
    pub(super) fn new() -> Self {
        let access = Self { links: RwSignal::new(None), failure: RwSignal::new(String::new()) };
        access.request("GET");
        access
    }

    /// Whether the page is open to tablets; `None` if it is not for this browser to say.
    pub(super) fn is_open(self) -> Option<bool> {
        self.links.with(|links| links.as_ref().map(|links| !links.links.is_empty()))
    }

    /// Opens the page to tablets.
    pub(super) fn open(self) {
        self.request("POST");
    }

    /// Closes it again.
    pub(super) fn close(self) {
        self.request("DELETE");
    }

    fn request(self, method: &'static str) {
        leptos::task::spawn_local(async move {
            let answer = http::ask(method, "/tablets", None).await;
            match answer.map(|answer| serde_json::from_str::<Option<TabletLinks>>(&answer)) {
                Ok(Ok(links)) => {
                    self.links.set(links);
                    self.failure.set(String::new());
                }
                // Without a relay there are no tablets, and nobody asked for one.
                _ if method == "GET" => {}
                Ok(Err(_)) => self.failure.set(http::Failed::Stranger.words()),
                Err(failed) => self.failure.set(failed.words()),
            }
        });
    }
}
