//! How the driver wants to see everything on this device.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use crate::browser::{self, keys};
use crate::theme::Theme;

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
            theme: RwSignal::new(Theme::from_kept(browser::kept(keys::THEME).as_deref())),
            units: RwSignal::new(Units::from_words(&browser::kept(keys::UNITS).unwrap_or_default())),
        };
        let system_is_light = RwSignal::new(false);
        system_is_light.set(browser::watch_light(move |light| system_is_light.set(light)));
        Effect::new(move |_| {
            let theme = display.theme.get();
            browser::keep(keys::THEME, theme.word());
            browser::show_theme(theme.shown(system_is_light.get()));
        });
        Effect::new(move |_| browser::keep(keys::UNITS, &display.units.get().words()));
        display
    }

    /// The choices that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}
