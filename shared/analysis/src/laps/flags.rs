//! Lap flags: validity, in and out laps, and other remarks besides the time.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident $word:literal;)*) => {
        /// A remark about a lap besides its time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum LapFlag {
            $($(#[$doc])* $flag,)*
        }

        impl LapFlag {
            /// Every flag, in print order.
            pub const ALL: &'static [Self] = &[$(Self::$flag,)*];

            /// The flag as a word.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$flag => $word,)* }
            }
        }
    };
}

flags! {
    /// Driven from line to line and counted by the game.
    Valid "valid";
    /// Invalidated by the game.
    Invalid "invalid";
    /// Begun in the pits.
    Out "out";
    /// Ended in the pits, or driven back to them.
    In "in";
    /// The car was in the pit lane.
    Pit "pit";
    /// Its beginning was not received, or it was not driven to its end.
    Incomplete "incomplete";
    /// The game went back in time during the lap.
    Rewound "rewound";
    /// The game was paused during the lap.
    Paused "paused";
    /// The session was restarted during the lap.
    Restarted "restarted";
    /// Inferred from a clock that restarted: the game did not count the lap, and its time is that of the last packet
    /// before.
    Inferred "inferred";
    /// Excluded by the driver.
    Excluded "excluded";
    /// Watched in a replay.
    Replay "replay";
    /// The car was reset to the track during the lap.
    Reset "reset";
    /// Nothing of it was received: the game reports its times.
    Reported "reported";
    /// It rained.
    Rain "rain";
}

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LapFlags(u16);

impl LapFlags {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the set has this flag.
    pub const fn has(self, flag: LapFlag) -> bool {
        self.0 & bit(flag) != 0
    }

    /// Whether any of these flags is in the set.
    pub fn has_any(self, flags: &[LapFlag]) -> bool {
        flags.iter().any(|flag| self.has(*flag))
    }

    /// Whether every flag of another set is in this one.
    pub const fn has_all(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// The set with this flag added.
    #[must_use]
    pub const fn with(self, flag: LapFlag) -> Self {
        Self(self.0 | bit(flag))
    }

    /// The set with this flag added on a condition.
    #[must_use]
    pub const fn with_if(self, flag: LapFlag, is_set: bool) -> Self {
        if is_set { self.with(flag) } else { self }
    }

    /// The set with this flag removed.
    #[must_use]
    pub const fn without(self, flag: LapFlag) -> Self {
        Self(self.0 & !bit(flag))
    }

    /// The flags in a text, separated by commas or spaces; unknown words are ignored.
    pub fn from_words(words: &str) -> Self {
        let flag = |word: &str| LapFlag::ALL.iter().copied().find(|flag| flag.word() == word);
        words.split([',', ' ']).filter_map(flag).collect()
    }

    /// The flags in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = LapFlag> {
        LapFlag::ALL.iter().copied().filter(move |flag| self.has(*flag))
    }
}

const fn bit(flag: LapFlag) -> u16 {
    1 << flag as u8
}

impl FromIterator<LapFlag> for LapFlags {
    fn from_iter<I: IntoIterator<Item = LapFlag>>(flags: I) -> Self {
        flags.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Prints as words: `invalid, pit`.
impl fmt::Display for LapFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, flag) in self.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{}", flag.word())?;
        }
        Ok(())
    }
}

impl Serialize for LapFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(LapFlag::word))
    }
}

impl<'de> Deserialize<'de> for LapFlags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        let flag = |word: &String| {
            let known = LapFlag::ALL.iter().copied().find(|flag| flag.word() == word);
            known.ok_or_else(|| de::Error::custom(format!("a lap has no flag {word:?}")))
        };
        words.iter().map(flag).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_print_in_order_and_come_back_from_words() {
        let flags: LapFlags = [LapFlag::Pit, LapFlag::Invalid].into_iter().collect();
        assert_eq!(flags.to_string(), "invalid, pit");
        assert_eq!(LapFlags::NONE.to_string(), "");
        let all: LapFlags = LapFlag::ALL.iter().copied().collect();
        for flags in [flags, LapFlags::NONE, all] {
            let json = serde_json::to_string(&flags).expect("json");
            assert_eq!(serde_json::from_str::<LapFlags>(&json).expect("flags"), flags);
            assert_eq!(LapFlags::from_words(&flags.to_string()), flags);
        }
        assert!(serde_json::from_str::<LapFlags>("[\"quick\"]").is_err());
    }
}
