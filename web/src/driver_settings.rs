//! The driver's settings. The relay keeps them for all its pages; without a relay this browser keeps them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::settings::{
    self, DriverSettings, Problem, Setting, SettingsReport, Texts, with_current_ids,
};

use crate::browser::{self, Home, keys};
use crate::http;

/// Where a setting is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The relay, for all its pages.
    Relay,
    /// This browser.
    Browser,
    /// The relay; this page may not change it.
    Elsewhere,
}

/// The settings. Copies are handles to the same settings.
#[derive(Clone, Copy)]
pub(crate) struct SettingsStore {
    report: RwSignal<SettingsReport>,
    driver: Memo<DriverSettings>,
}

/// The name that signs notes and tasks in this browser; empty without one.
pub(crate) fn author() -> String {
    browser::kept(keys::AUTHOR).unwrap_or_default()
}

/// Keeps the name that signs the next note.
pub(crate) fn keep_author(author: &str) {
    browser::keep(keys::AUTHOR, author);
}

/// Whether a relay keeps the settings. Those of a rig are its driver's, and a page at the hub has its own.
fn is_kept_by_relay() -> bool {
    browser::home() == Home::Relay
}

/// The settings that this browser kept, perhaps for an earlier version; none if they can't be read.
fn kept_texts(json: &str) -> Texts {
    serde_json::from_str(json).map(with_current_ids).unwrap_or_default()
}

impl SettingsStore {
    /// A store with the default settings.
    pub(crate) fn new() -> Self {
        let report = RwSignal::new(SettingsReport::default());
        let driver = Memo::new(move |_| report.with(|report| settings::read(&report.texts).0));
        Self { report, driver }
    }

    /// Makes the store, provides it to all components below, and reads the settings.
    pub(crate) fn start() -> Self {
        let store = Self::new();
        provide_context(store);
        store.reload();
        store
    }

    /// The store that `start` provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// The settings, parsed.
    pub(crate) fn driver(self) -> Memo<DriverSettings> {
        self.driver
    }

    /// The wheel's rotation from lock to lock in a game, in degrees; `None` unless the driver set it.
    pub(crate) fn steering_deg(self, feed: Feed) -> Option<f64> {
        self.driver.with(|driver| driver.steering_deg.get(&feed).copied())
    }

    /// The settings as texts, as the relay reports them.
    pub(crate) fn report(self) -> RwSignal<SettingsReport> {
        self.report
    }

    /// Where a setting is kept.
    pub(crate) fn keeper(self, setting: Setting) -> Keeper {
        match (is_kept_by_relay(), self.report.with(|report| report.owner)) {
            (true, true) => Keeper::Relay,
            // A coach's tablet signs with the coach's name, so each browser keeps its own.
            (true, false) if setting == Setting::Author => Keeper::Browser,
            (true, false) => Keeper::Elsewhere,
            (false, _) => Keeper::Browser,
        }
    }

    /// Reads the settings again: another page may have changed them.
    pub(crate) fn reload(self) {
        if !is_kept_by_relay() {
            let texts = browser::kept(keys::SETTINGS).map(|json| kept_texts(&json)).unwrap_or_default();
            return self.take(SettingsReport { texts, ..SettingsReport::default() });
        }
        spawn_local(async move {
            // If the relay does not answer, the status bar shows it.
            let answer = http::ask("GET", "/settings", None).await.ok();
            if let Some(report) = answer.and_then(|json| serde_json::from_str(&json).ok()) {
                self.take(report);
            }
        });
    }

    /// Checks changes before they are sent. Empty if they are valid.
    pub(crate) fn problems(self, changes: &Texts) -> Vec<Problem> {
        self.report.with_untracked(|report| settings::problems(&report.texts, changes, &[]))
    }

    /// Changes settings that are all kept in one place. Changes none of them on failure, and returns the reason in a
    /// driver's words.
    pub(crate) async fn change(self, changes: Texts) -> Result<(), String> {
        let kept_here = |id: &String| {
            let setting = Setting::of_id(id);
            setting.is_some_and(|setting| untrack(|| self.keeper(setting)) == Keeper::Browser)
        };
        if changes.keys().all(kept_here) {
            self.keep_in_browser(&changes);
            return Ok(());
        }
        let body = serde_json::to_string(&changes).map_err(|error| error.to_string())?;
        let answer = http::ask("PATCH", "/settings", Some(&body)).await.map_err(|failed| failed.words())?;
        let report = serde_json::from_str(&answer).map_err(|_| http::Failed::Stranger.words())?;
        self.take(report);
        Ok(())
    }

    fn keep_in_browser(self, changes: &Texts) {
        let mut report = self.report.get_untracked();
        report.texts.extend(changes.clone());
        report.texts.retain(|_, text| !text.trim().is_empty());
        if let Some(author) = changes.get(&Setting::Author.id()) {
            keep_author(author.trim());
        }
        if !is_kept_by_relay() {
            browser::keep(keys::SETTINGS, &serde_json::to_string(&report.texts).unwrap_or_default());
        }
        self.take(report);
    }

    fn take(self, mut report: SettingsReport) {
        let id = Setting::Author.id();
        match report.texts.get(&id).filter(|_| report.owner) {
            Some(author) => keep_author(author),
            // The relay names no author for this page: keep the one who signed here last.
            None => drop(report.texts.insert(id, author())),
        }
        self.report.set(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_version_kept_is_found_under_current_ids() {
        let kept = kept_texts(r#"{"steering.f1-2018":"360","author":"Ann"}"#);
        let expected = [("author", "Ann"), ("steering.f1", "360")];
        assert_eq!(kept, expected.map(|(id, text)| (id.to_owned(), text.to_owned())).into());
        assert_eq!(kept_texts("nonsense"), Texts::new());
    }
}
