//! The files of a game that was just installed, for tests.

use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;

/// As a new installation has it.
pub(crate) const CONFIG: &str = "{\r\n\t\"schema\": 2,\r\n\t\"udp\":\r\n\t{\r\n\t\t\"packets\": [\r\n\t\t\t{\r\n\t\t\t\t\"structure\": \
                      \"wrc\",\r\n\t\t\t\t\"packet\": \"session_update\",\r\n\t\t\t\t\"ip\": \"127.0.0.1\",\r\n\t\t\t\t\"port\": \
                      20777,\r\n\t\t\t\t\"frequencyHz\": -1,\r\n\t\t\t\t\"bEnabled\": false\r\n\t\t\t}\r\n\t\t]\r\n\t},\r\n\t\
                      \"lcd\":\r\n\t{\r\n\t\t\"bDisplayGears\": true\r\n\t},\r\n\t\"dBox\":\r\n\t{\r\n\t\t\"bEnabled\": true\
                      \r\n\t}\r\n}";

/// The game's folder, with its list of channels: those of the first structure that are of these versions of the data.
pub(crate) fn game(newest_data: u8) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("config.json"), CONFIG).expect("a file");
    let files = Feed::EaWrc.game_files().expect("files");
    let structure =
        files.structures.iter().find(|structure| structure.data_version <= newest_data).expect("one");
    let channels: Vec<Value> = (structure.channels)()
        .iter()
        .map(|channel| json!({ "id": channel.name, "type": channel.form, "units": "", "description": "" }))
        .collect();
    std::fs::create_dir(folder.path().join("readme")).expect("a folder");
    let list = json!({ "versions": {}, "channels": channels }).to_string();
    std::fs::write(folder.path().join("readme/channels.json"), list).expect("a file");
    folder
}
