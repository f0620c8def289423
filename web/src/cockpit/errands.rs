//! Fetches the data that a playing recording needs next.

use leptos::task::spawn_local;

use super::Cockpit;
use crate::browser;
use crate::replay::{Replay, fetch};

impl Cockpit {
    /// Fetches the reference lap, packets before they are due, and the new part of a recording that still grows. One
    /// request is pending at a time.
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
