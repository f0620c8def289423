//! The choices on the page, and the page's access for tablets.

use std::collections::BTreeSet;
use std::time::Duration;

use leptos::prelude::*;
use trailbrake_shared::feed::{Feed, GamePlace};
use trailbrake_shared::number::count;
use trailbrake_shared::wire::TabletLinks;

use crate::browser;
use crate::http;

/// How often the page asks the relay again, which shows new tries with wrong links.
const REFRESH: Duration = Duration::from_secs(5);

/// The choices on the page. Copies are handles to the same choices.
#[derive(Clone, Copy)]
pub(super) struct Choices {
    /// The games whose details are shown.
    pub(super) open: RwSignal<BTreeSet<Feed>>,
    /// Where the games run; the setup steps depend on it.
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

/// The page's access for tablets, as its owner sees it. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct TabletAccess {
    /// The links, empty while access is closed; `None` for anybody but the owner.
    pub(super) links: RwSignal<Option<TabletLinks>>,
    /// Why the last change failed, in words; empty if it did not.
    pub(super) failure: RwSignal<String>,
}

impl TabletAccess {
    /// Asks the relay now, and every few seconds while this page is shown and access is open.
    pub(super) fn new() -> Self {
        let access = Self { links: RwSignal::new(None), failure: RwSignal::new(String::new()) };
        access.request("GET");
        let refresh = move || {
            if untrack(|| access.is_open()) == Some(true) {
                access.request("GET");
            }
        };
        let refreshing = set_interval_with_handle(refresh, REFRESH);
        on_cleanup(move || drop(refreshing.map(|refreshing| refreshing.clear())));
        access
    }

    /// How many wrong links were tried and from where, in words; empty if none were.
    pub(super) fn wrong_links(self) -> String {
        self.links.with(|links| links.as_ref().map(wrong_links).unwrap_or_default())
    }

    /// Whether the page is open to tablets; `None` if this browser is not the owner's.
    pub(super) fn is_open(self) -> Option<bool> {
        self.links.with(|links| links.as_ref().map(|links| !links.links.is_empty()))
    }

    /// Opens the page to tablets.
    pub(super) fn open(self) {
        self.request("POST");
    }

    /// Closes the page to tablets.
    pub(super) fn close(self) {
        self.request("DELETE");
    }

    fn request(self, method: &'static str) {
        // A rig is opened to tablets on the rig itself.
        if browser::home().is_hub() {
            return;
        }
        leptos::task::spawn_local(async move {
            let answer = http::ask(method, "/tablets", None).await;
            match answer.map(|answer| serde_json::from_str::<Option<TabletLinks>>(&answer)) {
                Ok(Ok(links)) => {
                    self.links.set(links);
                    self.failure.set(String::new());
                }
                // Nobody pressed a button, so a failure to refresh is not shown.
                _ if method == "GET" => {}
                Ok(Err(_)) => self.failure.set(http::Failed::Stranger.words()),
                Err(failed) => self.failure.set(failed.words()),
            }
        });
    }
}

fn wrong_links(links: &TabletLinks) -> String {
    let Some(from) = &links.wrong_from else { return String::new() };
    let tries = count(links.wrong_links, "wrong link was", "wrong links were");
    format!("{tries} tried, the last one from {from}. They open nothing, and who goes on has to wait.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_links_are_counted_in_words() {
        let mut links = TabletLinks::default();
        assert_eq!(wrong_links(&links), "");
        (links.wrong_links, links.wrong_from) = (1, Some("10.0.0.9".into()));
        let words = wrong_links(&links);
        assert!(words.starts_with("1 wrong link was tried, the last one from 10.0.0.9."), "{words}");
    }
}
