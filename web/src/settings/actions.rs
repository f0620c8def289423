//! The actions of the Settings page. Controls, keys, palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::units::Units;

use crate::cockpit::Display;
use crate::theme::Theme;
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// Metric units, as `Units::from_words` reads them: no unit differs from the default.
pub(super) const METRIC: &str = "";
/// Imperial units, as `Units::from_words` reads them.
pub(super) const IMPERIAL: &str = "mph,°F,psi,lb,gal,lbf,lbf ft";

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Theme,
    Units,
    Page,
}

impl Group {
    /// The heading as the key sheet shows it.
    const fn label(self) -> &'static str {
        match self {
            Self::Theme => "Theme",
            Self::Units => "Units",
            Self::Page => "Page",
        }
    }
}

/// What an action requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
}

action_table! {
    SystemTheme "theme-system" Theme "Theme of the system" [] Nothing;
    DarkTheme "theme-dark" Theme "Dark theme" [] Nothing;
    LightTheme "theme-light" Theme "Light theme" [] Nothing;

    Metric "metric" Units "Metric units" [] Nothing;
    Imperial "imperial" Units "Imperial units" [] Nothing;

    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

/// The state that actions work on. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    display: Display,
    dialog: RwSignal<Option<PageDialog>>,
}

impl ActionContext {
    pub(super) fn new(display: Display) -> Self {
        Self { display, dialog: RwSignal::new(None) }
    }

    pub(super) fn run(self, action: Action) {
        match action {
            Action::SystemTheme => self.display.theme.set(Theme::System),
            Action::DarkTheme => self.display.theme.set(Theme::Dark),
            Action::LightTheme => self.display.theme.set(Theme::Light),
            Action::Metric => self.display.units.set(Units::from_words(METRIC)),
            Action::Imperial => self.display.units.set(Units::from_words(IMPERIAL)),
            Action::ShowKeys => self.dialog.set(Some(PageDialog::Keys)),
            Action::ShowPalette => self.dialog.set(Some(PageDialog::Palette)),
            Action::About => self.dialog.set(Some(PageDialog::About)),
        }
    }
}

impl PageActions for ActionContext {
    fn commands(self) -> Vec<Command> {
        Action::commands(|_| true, move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name);
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}
