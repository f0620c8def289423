//! The theme: dark, light, or the system's.

/// The driver's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Follow the system.
    #[default]
    System,
    /// Always dark.
    Dark,
    /// Always light.
    Light,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::System, Self::Dark, Self::Light];

    /// The choice's name on the page.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Dark => "Dark",
            Self::Light => "Light",
        }
    }

    /// The choice that was stored as a word; the system's if there is none.
    pub(crate) fn from_kept(kept: Option<&str>) -> Self {
        match kept {
            Some("dark") => Self::Dark,
            Some("light") => Self::Light,
            _ => Self::System,
        }
    }

    /// The word for the choice, which is also stored.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// The choice that the theme button goes to next.
    pub(crate) const fn next(self) -> Self {
        match self {
            Self::System => Self::Dark,
            Self::Dark => Self::Light,
            Self::Light => Self::System,
        }
    }

    /// The value of `data-theme` for the style sheet.
    pub(crate) const fn shown(self, system_is_light: bool) -> &'static str {
        match self {
            Self::Light => "light",
            Self::System if system_is_light => "light",
            Self::System | Self::Dark => "dark",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_survives_being_kept() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_kept(Some(theme.word())), theme);
        }
        assert_eq!(Theme::from_kept(None), Theme::System);
        assert_eq!(Theme::from_kept(Some("purple")), Theme::System);
    }

    #[test]
    fn only_the_system_choice_follows_the_system() {
        assert_eq!(Theme::System.shown(true), "light");
        assert_eq!(Theme::System.shown(false), "dark");
        assert_eq!(Theme::Dark.shown(true), "dark");
        assert_eq!(Theme::Light.shown(false), "light");
    }

    #[test]
    fn the_button_reaches_every_choice() {
        assert_eq!(Theme::System.next().next().next(), Theme::System);
    }
}
