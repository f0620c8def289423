//! The page's own demo, while it runs.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Navigation, TelemetryStore};
use crate::browser;
use crate::demo::{self, Demo, Wish};
use crate::frame;
use crate::telemetry::Connection;

/// How long one frame may simulate the demo, in milliseconds.
const DEMO_MS: f64 = 12.0;

/// The demo. Copies are handles to the same one.
#[derive(Clone, Copy)]
pub(crate) struct DemoStore {
    telemetry: TelemetryStore,
    demo: StoredValue<Option<Demo>, LocalStorage>,
}

impl DemoStore {
    /// No demo, until the address asks for one.
    pub(super) fn new(telemetry: TelemetryStore, navigation: Navigation) -> Self {
        let store = Self { telemetry, demo: StoredValue::new_local(None) };
        ImmediateEffect::new_scoped(move || {
            let connection = telemetry.connection.get();
            // Before the first demo of a tab that was loaded again, its position is kept.
            let is_over = connection == Connection::Replay || store.demo.with_value(Option::is_some);
            if connection != Connection::Demo && is_over {
                // What takes its place ends the demo: the next one starts from the grid.
                store.demo.set_value(None);
                Demo::forget();
            }
        });
        ImmediateEffect::new_scoped(move || {
            let wish = navigation.fragment.with(|fragment| Wish::from_hash(fragment));
            untrack(|| wish.into_iter().for_each(|wish| store.start(wish)));
        });
        store
    }

    /// The demo that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Ends the demo and drops its laps.
    pub(crate) fn stop(self) {
        self.telemetry.disconnect();
    }

    /// Starts a demo, or changes the speed of the same one.
    fn start(self, wish: Wish) {
        let change = |demo: &mut Option<Demo>| demo.as_mut().is_some_and(|demo| demo.change(wish));
        if self.runs() && self.demo.try_update_value(change) == Some(true) {
            return;
        }
        let demo = Demo::waiting(wish);
        let began_us = demo.began_us();
        self.demo.set_value(Some(demo));
        self.telemetry.connect(Connection::Demo);
        spawn_local(async move {
            match demo::load(wish, began_us).await {
                Ok(race) => self.demo.update_value(|demo| {
                    if let Some(demo) = demo {
                        demo.begin(race, wish, browser::now_ms());
                    }
                }),
                Err(words) => {
                    if self.runs() {
                        self.stop();
                    }
                    self.telemetry.complain(words);
                }
            }
            frame::request();
        });
    }

    fn runs(self) -> bool {
        self.telemetry.connection.get_untracked() == Connection::Demo
    }

    /// Simulates the demo up to now. After a reload it first has to catch up with its position, as far as the frame has
    /// time.
    pub(super) fn drive(self) {
        let until_ms = browser::now_ms() + DEMO_MS;
        while self.runs() {
            let now = browser::now_ms();
            let driven =
                self.demo.try_update_value(|demo| demo.as_mut().map(|demo| demo.drive(now))).flatten();
            let Some((message, is_there)) = driven else { return };
            if let Some(message) = message {
                // The page's own demo wrote the message, in the version that it reads.
                let _ = self.telemetry.change(|telemetry| telemetry.demonstrate(&message, now));
            }
            if is_there || now >= until_ms {
                return;
            }
        }
    }

    /// Handles a server command, encoded as for the relay. Returns whether the demo takes it, and shows its answer.
    pub(super) fn obey(self, message: &[u8]) -> bool {
        if !self.runs() {
            return false;
        }
        let Some(answer) = self.demo.with_value(|demo| demo.as_ref()?.obey(message)) else { return false };
        // The page's own demo encoded the answer, so decoding does not fail.
        let _ = self.telemetry.change(|telemetry| telemetry.receive(&answer, browser::now_ms()));
        self.telemetry.beat();
        true
    }
}
