//! The actions of the Settings page. Controls, keys, palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use crate::cockpit::Display;
use crate::theme::Theme;
use crate::ui::{KeyPress, PageAction, action_table};

/// Metric units, as `Units::from_words` reads them: no unit differs from the default.
pub(super) const METRIC: &str = "";
/// Imperial units, as `Units::from_words` reads them.
pub(super) const IMPERIAL: &str = "mph,°F,psi,lb,gal,lbf,lbf ft";

action_table! {
    /// An action of the page.
    pub(super) enum Action requires ();

    "Theme":
    SystemTheme "theme-system" "Theme of the system" [];
    DarkTheme "theme-dark" "Dark theme" [];
    LightTheme "theme-light" "Light theme" [];

    "Units":
    Metric "metric" "Metric units" [];
    Imperial "imperial" "Imperial units" [];
}

impl PageAction for Action {
    type Page = Display;

    fn run(self, display: Display, _press: &KeyPress) {
        match self {
            Self::SystemTheme => display.theme.set(Theme::System),
            Self::DarkTheme => display.theme.set(Theme::Dark),
            Self::LightTheme => display.theme.set(Theme::Light),
            Self::Metric => display.units.set(Units::from_words(METRIC)),
            Self::Imperial => display.units.set(Units::from_words(IMPERIAL)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::check_actions;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
    }
}
