//! The state of the Analyse page, which begins once its code has arrived and then lasts as long as the app.

use leptos::prelude::*;

use super::room;
use crate::analyse::{self, AddressFollower};

/// Where the state of Analyse is kept. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct AnalyseState {
    /// The owner of what every page shares.
    app: StoredValue<Owner>,
    /// What follows addresses. `None` until the code of Analyse has arrived.
    pub(super) follower: RwSignal<Option<AddressFollower>>,
}

impl AnalyseState {
    /// No state yet. Later it is provided to everything below the calling component.
    pub(super) fn provide() -> Self {
        let app = StoredValue::new(Owner::current().unwrap_or_default());
        let state = Self { app, follower: RwSignal::new(None) };
        provide_context(state);
        state
    }

    /// The state that the app provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    /// Begins the state, unless it has begun, and enters the room, which shows other pages what Analyse shows here.
    pub(super) fn start(self) {
        if self.follower.with_untracked(Option::is_some) {
            return;
        }
        let start = || {
            let (analyse, follower) = analyse::start();
            room::start(analyse, follower);
            self.follower.set(Some(follower));
        };
        self.app.with_value(|app| app.with(|| untrack(start)));
    }
}
