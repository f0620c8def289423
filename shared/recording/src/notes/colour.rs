//! The colours of notes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::authored::LONGEST_COLOUR;

/// The colour of a note, stored as a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteColour {
    /// The colour of a note that names none.
    #[default]
    Amber,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Violet.
    Violet,
    /// A word of a later version: it is kept, and shown like the default.
    Other(String),
}

impl NoteColour {
    /// The colours that can be chosen.
    pub const ALL: [Self; 5] = [Self::Amber, Self::Red, Self::Green, Self::Blue, Self::Violet];

    /// The stored word.
    pub fn word(&self) -> &str {
        match self {
            Self::Amber => "amber",
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Violet => "violet",
            Self::Other(word) => word,
        }
    }

    /// The colour of a word.
    pub fn of_word(word: &str) -> Self {
        let known = Self::ALL.into_iter().find(|colour| colour.word() == word);
        known.unwrap_or_else(|| Self::Other(word.to_owned()))
    }

    /// Whether it can be stored, be it one of a later version.
    pub(super) fn is_word(&self) -> bool {
        let word = self.word();
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
        !word.is_empty() && word.len() <= LONGEST_COLOUR && word.bytes().all(is_letter)
    }

    /// Whether it need not be stored.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Serialize for NoteColour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for NoteColour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of_word(&String::deserialize(deserializer)?))
    }
}
