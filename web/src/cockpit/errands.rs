//! Fetching what a recording needs to play on.

use leptos::task::spawn_local;

use super::Cockpit;
use crate::browser;
use crate::replay::{Replay, fetch};

impl Cockpit {
    /// Fetches packets before they are due, and what more has been recorded.
    pub(super) fn run_errands(self) {
        let errand = self.replay(|replay| replay.errand(browser::now_ms()));
        let Some((errand, source)) = errand.flatten() else { return };
        spawn_local(async move {
            let brought = fetch(&source, errand).await;
            let take = |replay: &mut Replay| replay.take(&source, brought, browser::now_ms());
            if let Some(words) = self.replay(take).flatten() {
                self.lose_replay(words);
            }
        });
    }
}
