//! Names of rigs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::library::file_names::is_device;

/// Most letters of a name.
const LONGEST: usize = 32;

/// The name of a rig: part of subjects and the name of a folder, on every system.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct RigName(String);

impl RigName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RigName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let rule = "small letters, digits and hyphens";
        if name.is_empty() {
            return Err(format!("a rig needs a name: {rule}, at most {LONGEST}"));
        }
        let letters = name.chars().count();
        if letters > LONGEST {
            return Err(format!("a rig's name has at most {LONGEST} letters, and this has {letters}"));
        }
        let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if let Some(letter) = name.chars().find(|letter| !fits(*letter)) {
            return Err(format!("{letter:?} can't be part of a rig's name: {rule}"));
        }
        if name.starts_with('-') {
            return Err("a rig's name begins with a letter or a digit".to_owned());
        }
        if is_device(name) {
            return Err(format!("Windows keeps the name {name} for a device: choose another"));
        }
        Ok(Self(name.to_owned()))
    }
}

impl TryFrom<String> for RigName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<RigName> for String {
    fn from(name: RigName) -> Self {
        name.0
    }
}

impl fmt::Display for RigName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_folder_and_a_token_everywhere() {
        for name in ["anna", "rig-7", "0", &"a".repeat(32)] {
            assert_eq!(name.parse::<RigName>().map(String::from).as_deref(), Ok(name));
        }
        for (name, words) in [
            ("", "needs a name"),
            ("..", "'.' can't be part"),
            ("con", "Windows"),
            ("*", "'*' can't be part"),
            (">", "can't be part"),
            ("a.b", "can't be part"),
            ("a b", "can't be part"),
            ("Anna", "'A' can't be part"),
            ("anna\n", "can't be part"),
            ("änna", "can't be part"),
            ("-anna", "begins with"),
            (&"a".repeat(33), "at most 32 letters, and this has 33"),
        ] {
            let error = name.parse::<RigName>().expect_err(name);
            assert!(error.contains(words), "{name}: {error}");
        }
    }
}
