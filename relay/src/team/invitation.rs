//! Invitations: the file with which a rig joins a team.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use trailbrake_shared::time::Micros;

use super::key_pair::KeyPair;
use super::rig_name::RigName;
use super::server_address::ServerAddress;

/// The version of the format.
const VERSION: u32 = 1;
/// Most bytes that are read of a file.
const MOST_BYTES: usize = 64 << 10;

/// What a rig needs to join a team: its name and key, and the hub's servers.
#[derive(Clone, Debug)]
pub struct Invitation {
    pub(crate) rig: RigName,
    pub(crate) key: KeyPair,
    pub(crate) servers: Vec<ServerAddress>,
    /// The certificate of the hub's authority; `None` on loopback, where nothing is encrypted.
    pub(crate) authority: Option<String>,
    /// When it was issued, by the hub's clock. Older recordings are not sent.
    pub(crate) issued: Micros,
}

/// The file's content.
#[derive(Serialize, Deserialize)]
struct Content {
    version: u32,
    rig: RigName,
    servers: Vec<ServerAddress>,
    seed: String,
    issued: u64,
    authority: Option<String>,
}

/// The one thing that every version has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl Invitation {
    /// Reads an invitation from a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes =
            fs::read(path).with_context(|| format!("the invitation {} can't be read", path.display()))?;
        let text = if bytes.len() > MOST_BYTES { None } else { String::from_utf8(bytes).ok() };
        let read = text.ok_or_else(broken).and_then(|text| text.parse());
        read.with_context(|| format!("the invitation {} can't be used", path.display()))
    }

    /// The file's text.
    pub fn text(&self) -> anyhow::Result<String> {
        let Self { rig, key, servers, authority, issued } = self.clone();
        let content = Content { version: VERSION, rig, servers, seed: key.seed, issued: issued.0, authority };
        let mut text = String::new();
        writeln!(
            text,
            "# Trailbrake: the invitation of the rig {}. It is a key: give it to nobody else.",
            content.rig
        )?;
        writeln!(text, "# Use it with: trailbrake --team FILE")?;
        text.push_str(&toml::to_string(&content)?);
        Ok(text)
    }
}

fn broken() -> anyhow::Error {
    anyhow!("it is broken: ask the hub's owner for a new one")
}

impl FromStr for Invitation {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let AnyVersion { version } = toml::from_str(text).map_err(|_| broken())?;
        if version > VERSION {
            bail!("a newer Trailbrake made it: update Trailbrake on this rig");
        }
        let content: Content = toml::from_str(text).map_err(|_| broken())?;
        let key = KeyPair::of_seed(&content.seed).ok_or_else(broken)?;
        if content.servers.is_empty() {
            return Err(broken());
        }
        let Content { rig, servers, issued, authority, .. } = content;
        // Without the authority nothing is encrypted, and an edited file could lead to anywhere.
        if authority.is_none() && !servers.iter().all(ServerAddress::is_loopback) {
            return Err(broken());
        }
        Ok(Self { rig, key, servers, authority, issued: Micros(issued) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn invitation() -> Invitation {
        Invitation {
            rig: "anna".parse().expect("a name"),
            key: KeyPair::new().expect("a key"),
            servers: vec!["127.0.0.1:4222".parse().expect("an address")],
            authority: None,
            issued: Micros(1_795_271_520_000_000),
        }
    }

    #[test]
    fn an_invitation_comes_back_from_its_text() {
        let one = invitation();
        let text = one.text().expect("a text");
        let read: Invitation = text.parse().expect("an invitation");
        assert_eq!(read.text().expect("a text"), text);
        assert!(!format!("{read:?}").contains(&one.key.seed), "a seed never gets into a log");
    }

    #[test]
    fn what_is_wrong_with_an_invitation_is_said_in_words() {
        let text = invitation().text().expect("a text");
        let seed = text.lines().find(|line| line.starts_with("seed")).expect("the seed").to_owned();
        for (wrong, words) in [
            (String::new(), "broken"),
            ("Trailbrake".to_owned(), "broken"),
            (text.replace("version = 1", "version = 2"), "newer Trailbrake"),
            (text.replace("version = 1", "version = 2").replace(&seed, ""), "newer Trailbrake"),
            (text.replace(&seed, ""), "broken"),
            (text.replace(&seed, "seed = \"SUXX\""), "broken"),
            (text.replace("anna\"", "..\""), "broken"),
            (text.replace("127.0.0.1:4222", "hub.example:4222"), "broken"),
            (text.replace("[\"127.0.0.1:4222\"]", "[]"), "broken"),
            (text.chars().take(text.len() / 2).collect(), "broken"),
        ] {
            let error = wrong.parse::<Invitation>().expect_err("an error").to_string();
            assert!(error.contains(words), "{error}: {wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,200}", place: prop::sample::Index) {
            let _ = text.parse::<Invitation>();
            let mut whole = invitation().text().expect("a text");
            let cut = place.index(whole.len());
            if whole.is_char_boundary(cut) {
                whole.insert_str(cut, &text);
            }
            let _ = whole.parse::<Invitation>();
        }
    }
}
