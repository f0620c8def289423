//! The participants of a session, for games that send numbers and games that send names.

use serde::{Deserialize, Serialize};

use super::Car;

/// Something a game identifies by number, name, or both; neither if the game does not send it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedId {
    /// The game's own number.
    pub number: Option<u16>,
    /// The game's name, or the name this version knows for the number.
    pub name: Option<String>,
}

impl NamedId {
    /// A number of the game, with the name if this version knows one.
    pub fn numbered(number: impl Into<u16>, name: Option<&str>) -> Self {
        Self { number: Some(number.into()), name: name.map(str::to_owned) }
    }

    /// Whether the game does not send it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A name of the game; an empty one counts as not sent.
    pub fn word(word: &str) -> Self {
        Self { number: None, name: Some(word.trim()).filter(|word| !word.is_empty()).map(str::to_owned) }
    }
}

/// The connection state of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Connected; their game is still loading.
    Loading,
    /// Their game runs.
    There,
    /// No longer connected.
    Gone,
}

/// A participant. What a game does not send is `None`; the car they drive is the [`Vehicle`](super::Vehicle) of `car`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Participant {
    /// Their car.
    pub car: Car,
    /// Their name, as the game sends it.
    pub name: String,
    /// The game's persistent id of the person, as the game prints it.
    pub guid: Option<String>,
    /// Their connection state.
    pub presence: Option<Presence>,
    /// Whether the game drives the car itself.
    pub ai: Option<bool>,
    /// The driver of the real season whose entry they take. Human players drive under such a number too.
    pub driver: NamedId,
    /// Their team.
    pub team: NamedId,
    /// The number on the car.
    pub race_number: Option<u16>,
    /// Their nationality.
    pub nationality: NamedId,
    /// What they play on.
    #[serde(skip_serializing_if = "NamedId::is_empty")]
    pub platform: NamedId,
    /// Whether it is a team that its driver founded. `None` if the game does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_team: Option<bool>,
    /// Whether the game sends their telemetry to others. `None` if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows_telemetry: Option<bool>,
    /// Whether the game shows their name to others. `None` if it does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows_name: Option<bool>,
    /// The colours of their car: red, green, blue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<[u8; 3]>,
}

impl Participant {
    /// Whether `now` is another person in the same car: another guid or, without guids, another name after the first
    /// person has left.
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
