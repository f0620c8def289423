//! The file that keeps a membership which began on the page.

use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use serde::{Deserialize, Serialize};

use super::invitation::Invitation;
use super::secret_file::write_secret;

/// The file, which need not exist. It holds the rig's key.
#[derive(Clone, Debug)]
pub(crate) struct MembershipFile(PathBuf);

/// The file's content.
#[derive(Serialize, Deserialize)]
struct Content {
    /// Whether the driver paused it.
    paused: bool,
    /// The invitation's text.
    invitation: String,
}

impl MembershipFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The invitation, and whether it is paused; `None` without a team.
    pub(super) fn read(&self) -> anyhow::Result<Option<(Invitation, bool)>> {
        let path = self.0.display();
        let text = match fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("the team's file {path} can't be read")),
        };
        let content: Content = toml::from_str(&text)
            .map_err(|_| anyhow!("the team's file {path} is broken: join the team again"))?;
        let invitation = content.invitation.parse();
        let invitation = invitation.with_context(|| format!("the team's file {path} can't be used"))?;
        Ok(Some((invitation, content.paused)))
    }

    /// Keeps an invitation, and whether it is paused.
    pub(super) fn write(&self, invitation: &Invitation, paused: bool) -> anyhow::Result<()> {
        let content = Content { paused, invitation: invitation.text()? };
        let new = self.0.with_extension("new");
        let write = || {
            if let Some(folder) = self.0.parent() {
                fs::create_dir_all(folder)?;
            }
            // It was left behind by a program that was ended.
            match fs::remove_file(&new) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            write_secret(&new, &toml::to_string(&content).map_err(io::Error::other)?)?;
            fs::rename(&new, &self.0)
        };
        write().with_context(|| format!("the team can't be kept in {}", self.0.display()))
    }

    /// Forgets the team.
    pub(super) fn remove(&self) -> anyhow::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("the team's file {} can't be removed", self.0.display()))
            }
            _ => Ok(()),
        }
    }
}
