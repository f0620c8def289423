//! Links to the hub's page: who has one, and what it opens.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::digest;
use super::message::Hash;
use super::rig_name::RigName;
use crate::token::Token;

/// Most letters of a person's name.
const LONGEST_NAME: usize = 40;

/// A link to the page, as the hub's file has it: its secret is known to its holder alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageLink {
    /// Who has it.
    pub(crate) name: String,
    /// SHA-256 of its secret.
    secret: String,
    #[serde(flatten)]
    pub(crate) role: Role,
}

/// What somebody sees and may do on the hub's page.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub(crate) enum Role {
    /// Sees every rig, and writes names, notes and tasks.
    Organiser,
    /// Sees these rigs, and writes names, notes and tasks.
    Coach { rigs: Vec<RigName> },
    /// Sees this rig, read-only: drivers write at the rig itself.
    Driver { rig: RigName },
}

impl PageLink {
    /// A link for somebody.
    pub(super) fn new(name: String, role: Role, secret: &Token) -> Self {
        Self { name, secret: hash_of(&secret.to_string()).to_string(), role }
    }

    /// Whether a text is its secret.
    pub(super) fn is(&self, offered: &str) -> bool {
        // The time of this comparison reveals only the hash, not the secret.
        self.secret == hash_of(offered).to_string()
    }
}

fn hash_of(secret: &str) -> Hash {
    digest::of(secret.as_bytes())
}

impl Role {
    /// Whether a rig is among those that are seen.
    pub(crate) fn sees(&self, rig: &str) -> bool {
        match self {
            Self::Organiser => true,
            Self::Coach { rigs } => rigs.iter().any(|one| one.as_str() == rig),
            Self::Driver { rig: own } => own.as_str() == rig,
        }
    }

    /// Whether names, notes and tasks may be written.
    pub(crate) fn may_write(&self) -> bool {
        !matches!(self, Self::Driver { .. })
    }

    /// The rigs that are named.
    pub(super) fn rigs(&self) -> &[RigName] {
        match self {
            Self::Organiser => &[],
            Self::Coach { rigs } => rigs,
            Self::Driver { rig } => std::slice::from_ref(rig),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Organiser => f.write_str("organiser"),
            Self::Coach { rigs } => {
                let names: Vec<&str> = rigs.iter().map(RigName::as_str).collect();
                write!(f, "coach of {}", names.join(", "))
            }
            Self::Driver { rig } => write!(f, "driver of {rig}"),
        }
    }
}

/// A person's name, as the command line has it.
pub(crate) fn read_person(text: &str) -> Result<String, String> {
    let name = text.trim();
    let letters = name.chars().count();
    if name.is_empty() {
        return Err("say whose link it is".to_owned());
    }
    if letters > LONGEST_NAME {
        return Err(format!("a name has at most {LONGEST_NAME} letters, and this has {letters}"));
    }
    if name.chars().any(char::is_control) {
        return Err("a name is a line of text".to_owned());
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig(name: &str) -> RigName {
        name.parse().expect("a name")
    }

    #[test]
    fn a_link_is_opened_by_its_secret_alone() {
        let secret = Token::random().expect("a secret");
        let link = PageLink::new("Max".to_owned(), Role::Organiser, &secret);
        assert!(link.is(&secret.to_string()));
        let other = Token::random().expect("a secret").to_string();
        for wrong in ["", &link.secret, &other, &secret.to_string()[..31]] {
            assert!(!link.is(wrong), "{wrong}");
        }
        assert!(!format!("{link:?}").contains(&secret.to_string()));
    }

    #[test]
    fn a_role_sees_its_rigs_and_no_others() {
        let roles = [
            (Role::Organiser, [true; 3], true, "organiser"),
            (
                Role::Coach { rigs: vec![rig("anna"), rig("bob")] },
                [true, true, false],
                true,
                "coach of anna, bob",
            ),
            (Role::Driver { rig: rig("bob") }, [false, true, false], false, "driver of bob"),
        ];
        for (role, sees, may_write, words) in roles {
            assert_eq!(["anna", "bob", "cleo"].map(|rig| role.sees(rig)), sees, "{role}");
            assert_eq!(role.may_write(), may_write, "{role}");
            assert_eq!(role.to_string(), words);
            let link = PageLink::new("Max".to_owned(), role, &Token::random().expect("a secret"));
            let text = toml::to_string(&link).expect("text");
            assert_eq!(toml::from_str::<PageLink>(&text).expect("a link"), link, "{text}");
        }
    }

    #[test]
    fn a_person_has_a_name_of_one_line() {
        assert_eq!(read_person(" Max Müller ").as_deref(), Ok("Max Müller"));
        for (name, words) in [
            (" ", "say whose"),
            (&"x".repeat(41), "at most 40 letters, and this has 41"),
            ("a\nb", "a line of text"),
        ] {
            let error = read_person(name).expect_err(name);
            assert!(error.contains(words), "{name}: {error}");
        }
    }
}
