//! What belongs into the game's files so that it sends Trailbrake's structure.

use super::fields::Field;
use super::packet::MARK;
use super::structure::Structure;
use crate::game_files::{GameChannel, GameFiles, GamePacket, GameStructure};
use crate::session_mark::SessionMark;

/// The game's files.
pub const FILES: GameFiles = GameFiles {
    folder: &["My Games", "WRC", "telemetry"],
    steam_app: 1_849_250,
    structures: &[
        GameStructure { data_version: 3, header: HEADER, channels: || channels(Structure::EVERYTHING) },
        GameStructure { data_version: 2, header: HEADER, channels: || channels(Structure::WITH_IDS) },
    ],
    packets: &[
        GamePacket { name: SessionMark::Start.name(), hz: 0 },
        GamePacket { name: SessionMark::Update.name(), hz: 60 },
        GamePacket { name: SessionMark::End.name(), hz: 0 },
        GamePacket { name: SessionMark::Pause.name(), hz: 0 },
        GamePacket { name: SessionMark::Resume.name(), hz: 0 },
    ],
};

const HEADER: &[GameChannel] = &[GameChannel { name: MARK, form: "fourcc" }];

fn channels(structure: Structure<'_>) -> Vec<GameChannel> {
    let channel = |field: &Field| GameChannel { name: field.name(), form: field.form().name() };
    structure.0.iter().map(channel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_structure_has_what_its_version_of_the_data_has() {
        for structure in FILES.structures {
            let channels = (structure.channels)();
            let newest =
                channels.iter().filter_map(|channel| Some(Field::from_name(channel.name)?.data_version()));
            assert_eq!(newest.max(), Some(structure.data_version));
        }
        let names: Vec<&str> = FILES.packets.iter().map(|packet| packet.name).collect();
        assert_eq!(names, SessionMark::ALL.map(SessionMark::name));
    }
}
