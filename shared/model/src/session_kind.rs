//! The kinds of session.

use serde::{Deserialize, Serialize};

/// The kinds of session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionKind {
    /// The game does not send it.
    #[default]
    Unknown,
    /// Practice, with its number if there are several.
    Practice(u8),
    /// Qualifying, with its number if there are several.
    Qualifying(u8),
    /// A single session instead of several practices.
    ShortPractice,
    /// A single session instead of several qualifyings.
    ShortQualifying,
    /// One lap for each driver.
    OneShotQualifying,
    /// A race, with its number if there are several.
    Race(u8),
    /// Alone against the clock.
    TimeTrial,
    /// The qualifying of a sprint, with its number if there are several.
    SprintQualifying(u8),
    /// A single session instead of several qualifyings of a sprint.
    ShortSprintQualifying,
    /// One lap for each driver before a sprint.
    OneShotSprintQualifying,
    /// No driving yet: drivers book their places.
    Booking,
    /// A rally stage: from one place to another, once, against the clock.
    Stage,
    /// A number that this version does not know.
    Other(u8),
}

impl SessionKind {
    /// The name of the kind in files of other programs; empty if unknown.
    pub fn words(self) -> String {
        match self {
            Self::Practice(number) => format!("Practice {number}"),
            Self::Qualifying(number) => format!("Qualifying {number}"),
            Self::SprintQualifying(number) => format!("Sprint qualifying {number}"),
            Self::ShortSprintQualifying | Self::OneShotSprintQualifying => "Sprint qualifying".to_owned(),
            Self::ShortPractice => "Practice".to_owned(),
            Self::ShortQualifying | Self::OneShotQualifying => "Qualifying".to_owned(),
            Self::Race(_) => "Race".to_owned(),
            Self::TimeTrial => "Time trial".to_owned(),
            Self::Stage => "Stage".to_owned(),
            Self::Booking => "Booking".to_owned(),
            Self::Unknown | Self::Other(_) => String::new(),
        }
    }

    /// The kind with this name; [`SessionKind::Unknown`] for names of other programs.
    pub fn from_words(words: &str) -> Self {
        let (name, number) = words.trim().rsplit_once(' ').unwrap_or((words.trim(), ""));
        let number = number.parse().ok();
        match (name, number) {
            ("Practice", Some(number)) => Self::Practice(number),
            ("Qualifying", Some(number)) => Self::Qualifying(number),
            ("Sprint qualifying", Some(number)) => Self::SprintQualifying(number),
            _ => match words.trim() {
                "Practice" => Self::ShortPractice,
                "Qualifying" => Self::ShortQualifying,
                "Sprint qualifying" => Self::ShortSprintQualifying,
                "Race" => Self::Race(1),
                "Time trial" => Self::TimeTrial,
                "Stage" => Self::Stage,
                "Booking" => Self::Booking,
                _ => Self::Unknown,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_session_come_back_from_their_words() {
        let kinds = [
            SessionKind::Practice(2),
            SessionKind::Qualifying(3),
            SessionKind::SprintQualifying(2),
            SessionKind::ShortSprintQualifying,
            SessionKind::ShortPractice,
            SessionKind::ShortQualifying,
            SessionKind::Race(1),
            SessionKind::TimeTrial,
            SessionKind::Stage,
            SessionKind::Booking,
            SessionKind::Unknown,
        ];
        for kind in kinds {
            assert_eq!(SessionKind::from_words(&kind.words()), kind);
        }
        assert_eq!(SessionKind::from_words("Hotlap 3"), SessionKind::Unknown);
    }
}
