//! Who takes part, in the words of games that number people and of games that name them.

use serde::{Deserialize, Serialize};

use super::Car;

/// Something that a game numbers, names, or both; neither where it does not send it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedId {
    /// The game's own number for it.
    pub number: Option<u16>,
    /// The game's word for it, or the one that this version knows for the number.
    pub name: Option<String>,
}

impl NamedId {
    /// What a game numbers, with the word for it where this version knows one.
    pub fn numbered(number: impl Into<u16>, name: Option<&str>) -> Self {
        Self { number: Some(number.into()), name: name.map(str::to_owned) }
    }

    /// What a game has a word for; an empty word says nothing.
    pub fn word(word: &str) -> Self {
        Self { number: None, name: Some(word.trim()).filter(|word| !word.is_empty()).map(str::to_owned) }
    }
}

/// Whether someone is there to drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Connected; their game still loads.
    Loading,
    /// Their game runs.
    There,
    /// Not connected any more.
    Gone,
}

/// Someone in the session. What a game does not send is `None`; what they drive is the fact of their car's vehicle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Participant {
    /// Their car.
    pub car: Car,
    /// Their name, as the game sends it.
    pub name: String,
    /// The mark by which the game knows the same person again, as it prints it.
    pub guid: Option<String>,
    /// Whether they are there to drive.
    pub presence: Option<Presence>,
    /// Whether the game drives the car itself.
    pub ai: Option<bool>,
    /// The driver of the season whose place they take. People drive under such a number too.
    pub driver: NamedId,
    /// Their team.
    pub team: NamedId,
    /// The number on the car.
    pub race_number: Option<u16>,
    /// Their nationality.
    pub nationality: NamedId,
}

impl Participant {
    /// Whether somebody else had the same car before: another mark, or where there is none another name after the first
    /// has gone.
    pub fn was_somebody_else(&self, now: &Self) -> bool {
        match (&self.guid, &now.guid) {
            (Some(before), Some(now)) => before != now,
            _ => {
                let came = now.presence.is_some_and(|presence| presence != Presence::Gone);
                self.presence == Some(Presence::Gone) && came && self.name != now.name
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_word_is_not_named() {
        assert_eq!(NamedId::word(" "), NamedId::default());
        assert_eq!(NamedId::word(" ITA").name.as_deref(), Some("ITA"));
        let numbered = NamedId::numbered(7_u8, None);
        assert_eq!((numbered.number, numbered.name), (Some(7), None));
    }
}
