//! How the driver wants to see everything on this device.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use crate::browser;
use crate::theme::{self, Theme};

/// The browser's storage key of the units.
const UNITS: &str = "trailbrake.units";

/// Theme and units. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct Display {
    /// The theme that the driver chose.
    pub(crate) theme: RwSignal<Theme>,
    /// The display units that the driver chose.
    pub(crate) units: RwSignal<Units>,
}

impl Display {
    /// The stored choices. Shows the theme and stores every change as long as the page is open.
    pub(super) fn start() -> Self {
        let display = Self {
            theme: RwSignal::new(Theme::from_kept(browser::kept(theme::KEY).as_deref())),
            units: RwSignal::new(Units::from_words(&browser::kept(UNITS).unwrap_or_default())),
        };
        let system_is_light = RwSignal::new(false);
        system_is_light.set(browser::watch_light(move |light| system_is_light.set(light)));
        Effect::new(move |_| {
            let theme = display.theme.get();
            browser::keep(theme::KEY, theme.word());
            browser::show_theme(theme.shown(system_is_light.get()));
        });
        Effect::new(move |_| browser::keep(UNITS, &display.units.get().words()));
        display
    }

    /// The choices that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
