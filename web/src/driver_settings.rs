//! What the driver set: kept by the relay for all its pages, and in this browser where there is no relay.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::settings::{DriverSettings, Problem, Setting, SettingsReport, Texts};

use crate::browser;
use crate::http;

/// Where a browser without a relay keeps settings.
const KEY: &str = "trailbrake.settings";
/// Where each browser keeps the name that signs its notes.
const AUTHOR_KEY: &str = "trailbrake.author";

/// Who keeps a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The relay, for all its pages.
    Relay,
    /// This browser.
    Browser,
    /// The relay; this page may not change it.
    Elsewhere,
}

/// The settings. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct SettingsStore {
    report: RwSignal<SettingsReport>,
    driver: Memo<DriverSettings>,
}

/// The name that signs notes and tasks in this browser.
pub(crate) fn author() -> String {
    browser::kept(AUTHOR_KEY).unwrap_or_default()
}

/// Keeps the name for the next note.
pub(crate) fn keep_author(author: &str) {
    browser::keep(AUTHOR_KEY, author);
}

impl SettingsStore {
    /// The default settings.
    pub(crate) fn new() -> Self {
        let report = RwSignal::new(SettingsReport::default());
        let driver = Memo::new(move |_| report.with(|report| DriverSettings::read(&report.texts).0));
        Self { report, driver }
    }

    /// Reads the settings.
    pub(crate) fn start() -> Self {
        let store = Self::new();
        provide_context(store);
        store.reload();
        store
    }

    /// The store that `start` provided.
    pub(crate) fn here() -> Self {
        // Only a component outside of the app has none, and there is no such component.
        use_context().unwrap_or_else(Self::start)
    }

    /// The settings by their meaning.
    pub(crate) fn driver(self) -> Memo<DriverSettings> {
        self.driver
    }

    /// How far the wheel turns from lock to lock in a game, degrees, where the driver set it.
    pub(crate) fn steering_deg(self, feed: Feed) -> Option<f64> {
        self.driver.with(|driver| driver.steering_deg.get(&feed).copied())
    }

    /// The settings as the relay reports them.
    pub(crate) fn report(self) -> RwSignal<SettingsReport> {
        self.report
    }

    /// Who keeps a setting.
    pub(crate) fn keeper(self, setting: Setting) -> Keeper {
        match (browser::has_relay(), self.report.with(|report| report.owner)) {
            (true, true) => Keeper::Relay,
            // A coach's tablet signs with the coach's name.
            (true, false) if setting == Setting::Author => Keeper::Browser,
            (true, false) => Keeper::Elsewhere,
            (false, _) => Keeper::Browser,
        }
    }

    /// Reads the settings again: another page may have changed them.
    pub(crate) fn reload(self) {
        if !browser::has_relay() {
            let texts = browser::kept(KEY).and_then(|json| serde_json::from_str(&json).ok());
            return self
                .take(SettingsReport { texts: texts.unwrap_or_default(), ..SettingsReport::default() });
        }
        spawn_local(async move {
            // Without an answer the page says elsewhere that the relay is silent.
            let answer = http::ask("GET", "/settings", None).await.ok();
            if let Some(report) = answer.and_then(|json| serde_json::from_str(&json).ok()) {
                self.take(report);
            }
        });
    }

    /// What is wrong with changes, before they are sent.
    pub(crate) fn problems(self, changes: &Texts) -> Vec<Problem> {
        self.report.with_untracked(|report| DriverSettings::problems(&report.texts, changes, &[]))
    }

    /// Changes settings of one keeper: all of them, or none. Returns why not, in words.
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
        if !browser::has_relay() {
            browser::keep(KEY, &serde_json::to_string(&report.texts).unwrap_or_default());
        }
        self.take(report);
    }

    fn take(self, mut report: SettingsReport) {
        let id = Setting::Author.id();
        match report.texts.get(&id).filter(|_| report.owner) {
            Some(author) => keep_author(author),
            // Who signed the last note here signs the next one.
            None => drop(report.texts.insert(id, author())),
        }
        self.report.set(report);
    }
}
