//! Trailbrake's structure as a file of the game: what each packet has.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use trailbrake_shared::games::{GameChannel, GameFiles, GameStructure};

use super::config::NAME;

/// The schema of the file.
const SCHEMA: u32 = 1;

/// The file's content.
#[derive(Serialize)]
pub(super) struct StructureFile {
    versions: Versions,
    id: &'static str,
    header: Channels,
    packets: Vec<Packet>,
}

#[derive(Serialize)]
struct Versions {
    schema: u32,
    data: u8,
}

#[derive(Serialize)]
struct Channels {
    channels: Vec<&'static str>,
}

#[derive(Serialize)]
struct Packet {
    id: &'static str,
    channels: Vec<&'static str>,
}

/// The game's own list.
#[derive(Deserialize)]
struct GameList {
    channels: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    #[serde(rename = "type")]
    form: String,
}

impl StructureFile {
    /// The fullest structure that this version of the game can send as Trailbrake reads it, by the game's own list.
    pub(super) fn choose(files: &GameFiles, list: &Path) -> anyhow::Result<Self> {
        let text = match fs::read(list) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            text => Some(text.context("it cannot be read")?),
        };
        let Some(text) = text else {
            // Without the list, what every version has.
            let least = files.structures.last().context("the game sends no structure")?;
            return Ok(Self::of(least, files));
        };
        let known: GameList = serde_json::from_slice(&text).context("it is broken")?;
        let sends = |channel: &GameChannel| {
            known.channels.iter().any(|listed| listed.id == channel.name && listed.form == channel.form)
        };
        let lacks =
            |structure: &GameStructure| (structure.channels)().into_iter().find(|channel| !sends(channel));
        let mut missing = None;
        for structure in files.structures {
            match lacks(structure) {
                None => return Ok(Self::of(structure, files)),
                Some(channel) => missing = Some(channel),
            }
        }
        match missing {
            Some(GameChannel { name, form }) => bail!("it has no {name} of type {form}"),
            None => bail!("the game sends no structure"),
        }
    }

    fn of(structure: &GameStructure, files: &GameFiles) -> Self {
        let names =
            |channels: &[GameChannel]| channels.iter().map(|channel| channel.name).collect::<Vec<_>>();
        let channels = names(&(structure.channels)());
        let packet = |id| Packet { id, channels: channels.clone() };
        Self {
            versions: Versions { schema: SCHEMA, data: structure.data_version },
            id: NAME,
            header: Channels { channels: names(structure.header) },
            packets: files.packets.iter().map(|packet_kind| packet(packet_kind.name)).collect(),
        }
    }

    /// The names of what each packet has.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let own = self.packets.first().map(|packet| packet.channels.as_slice()).unwrap_or_default();
        self.header.channels.iter().chain(own).copied().collect()
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        // Plain structures of texts and numbers can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
