//! A feed is one folder and one row of the table. Nothing else names its folder.

use crate::crates;
use crate::tree;

/// The crate with a folder for each game.
const GAMES: &str = "shared/games/src";
/// Files that may name a game's folder besides its own: the table, the simulator, and the reader of imported laps.
const NAMERS: [&str; 3] =
    ["shared/games/src/feed.rs", "shared/sim/src/", "shared/recording/src/export/imported.rs"];

#[test]
fn only_the_table_names_a_game_s_folder() {
    let table = tree::text("shared/games/src/feed.rs");
    let folders: Vec<String> = tree::sources(GAMES)
        .into_iter()
        .filter_map(|(path, _)| {
            let folder = path.strip_prefix(tree::top().join(GAMES)).ok()?.parent()?;
            folder.to_str().filter(|name| !name.is_empty()).map(str::to_owned)
        })
        .filter(|folder| table.contains(&format!("{folder}::recognise")))
        .collect();
    assert!(folders.iter().any(|folder| folder == "dirt_rally"), "{folders:?}");
    let others = ["relay/src", "web/src"].into_iter().flat_map(tree::sources);
    for (path, source) in crates::sources_of_shared().into_iter().chain(others) {
        let path = path.strip_prefix(tree::top()).expect("a path of the project").to_owned();
        let name = path.to_str().expect("a name").replace('\\', "/");
        let own = |folder: &str| name.starts_with(&format!("{GAMES}/{folder}"));
        // The crate's root declares the folders. Tests may use any game as an example.
        let free = name == format!("{GAMES}/lib.rs") || tree::is_test(&path);
        if free || NAMERS.iter().any(|namer| name.starts_with(namer)) {
            continue;
        }
        let code = tree::code(&source);
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        for folder in folders.iter().filter(|folder| !own(folder)) {
            assert!(!code.contains(&format!("{folder}::")), "{name} names {folder}");
        }
    }
}
