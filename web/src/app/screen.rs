//! Keeps the device's screen on while a game is shown: a driver does not touch the device for hours.

use leptos::prelude::*;

use crate::browser::{self, ScreenLock};
use crate::cockpit::{Navigation, TelemetryStore};
use crate::route::Page;

/// Holds a screen lock while Live or Server is shown and a game sends, as long as the page is open.
pub(super) fn keep_on() {
    let (telemetry, navigation) = (TelemetryStore::here(), Navigation::here());
    let hidden = RwSignal::new(browser::is_hidden());
    browser::on_visibility(move || hidden.set(browser::is_hidden()));
    let sends = telemetry.sampled(|telemetry| telemetry.sending(browser::now_ms()).is_some());
    let is_live = move || matches!(navigation.page.get(), Page::Live | Page::Server);
    let wanted = Memo::new(move |_| is_live() && sends.get() && !hidden.get());
    let lock = StoredValue::new_local(None);
    Effect::new(move |_| lock.set_value(wanted.get().then(ScreenLock::take)));
}
