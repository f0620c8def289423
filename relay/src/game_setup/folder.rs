//! Where the game keeps its files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use directories::UserDirs;
use trailbrake_shared::games::GameFiles;

/// Where Steam may be, below the home folder.
const STEAM: [&str; 3] =
    [".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"];
/// The documents of a game that runs in Proton.
const PROTON_DOCUMENTS: &str = "pfx/drive_c/users/steamuser/Documents";

/// The game's telemetry folder, which exists.
pub(super) struct GameFolder(PathBuf);

impl GameFolder {
    /// A folder that the driver names.
    pub(super) fn at(folder: &Path) -> anyhow::Result<Self> {
        if !folder.is_dir() {
            bail!("there is no folder {}", folder.display());
        }
        Ok(Self(folder.to_owned()))
    }

    /// The folder where the game makes it: in the driver's documents, or in those of Steam's Proton.
    pub(super) fn find(files: &GameFiles) -> anyhow::Result<Self> {
        let user = UserDirs::new();
        let documents = user.as_ref().and_then(UserDirs::document_dir).map(Path::to_owned);
        let proton = user.iter().flat_map(|user| steam_libraries(user.home_dir())).map(|library| {
            library.join("steamapps/compatdata").join(files.steam_app.to_string()).join(PROTON_DOCUMENTS)
        });
        let places: Vec<PathBuf> =
            documents.into_iter().chain(proton).map(|place| in_documents(place, files)).collect();
        match places.iter().find(|place| place.is_dir()) {
            Some(place) => Ok(Self(place.clone())),
            None => {
                let first = places
                    .first()
                    .cloned()
                    .unwrap_or_else(|| in_documents(PathBuf::from("Documents"), files));
                bail!("there is no folder {}", first.display())
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// What the game is to send, and where to.
    pub(super) fn config(&self) -> PathBuf {
        self.0.join("config.json")
    }

    /// That file as it was before the last change. The game does not read files of this name.
    pub(super) fn backup(&self) -> PathBuf {
        self.0.join("config.json.before-trailbrake")
    }

    /// Trailbrake's structure.
    pub(super) fn structure(&self) -> PathBuf {
        self.0.join("udp").join("trailbrake.json")
    }

    /// The game's own list of what it can send.
    pub(super) fn channels(&self) -> PathBuf {
        self.0.join("readme").join("channels.json")
    }
}

fn in_documents(documents: PathBuf, files: &GameFiles) -> PathBuf {
    files.folder.iter().fold(documents, |path, part| path.join(part))
}

/// Steam's folders with games: its own, and those that its list names.
fn steam_libraries(home: &Path) -> Vec<PathBuf> {
    let mut libraries = Vec::new();
    for steam in STEAM.map(|steam| home.join(steam)) {
        let list = fs::read_to_string(steam.join("steamapps/libraryfolders.vdf")).unwrap_or_default();
        libraries.push(steam);
        libraries.extend(named_libraries(&list));
    }
    libraries
}

/// The folders in a list of Steam's: lines such as `"path"  "/games/steam"`.
fn named_libraries(list: &str) -> Vec<PathBuf> {
    let path = |line: &str| {
        let path = line.trim().strip_prefix("\"path\"")?.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(PathBuf::from(path.replace("\\\\", "\\")))
    };
    list.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_those_of_the_list() {
        let list = "\"libraryfolders\"\n{\n\t\"0\"\n\t{\n\t\t\"path\"\t\t\"/home/ann/.local/share/Steam\"\n\
                    \t\t\"label\"\t\t\"path\"\n\t}\n\t\"1\"\n\t{\n\t\t\"path\"\t\t\"/games/steam\"\n\t}\n}\n";
        let expected = ["/home/ann/.local/share/Steam", "/games/steam"].map(PathBuf::from);
        assert_eq!(named_libraries(list), expected);
    }
}
