//! A feed is one folder and one row of the table. Nothing else names its folder, or does something for it alone.

use std::collections::BTreeSet;

use trailbrake_shared::feed::{FEEDS, FeedInfo};
use trailbrake_shared::settings::Setting;

use crate::crates;
use crate::tree;

/// The crate with a folder for each game.
const GAMES: &str = "shared/games/src";
/// Files that may name a game's folder besides its own: the table, the simulator, and the reader of imported laps.
const NAMERS: [&str; 3] =
    ["shared/games/src/feed", "shared/sim/src/", "shared/recording/src/export/imported.rs"];

/// The tables of feeds: what is known of each, and its demo.
const TABLES: [&str; 2] = ["shared/games/src/feed", "shared/sim/src/demos.rs"];
/// Files besides the tables that name a feed, and why.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("shared/recording/src/export/imported.rs", "it writes this feed's packets, and sends no other's"),
    ("fuzz/src/lib.rs", "the name of a target is that of its file, and two of them are also feeds' ids"),
    ("fuzz/src/hostile_laps.rs", "each input of its corpus chooses one of these two games by a bit"),
    ("xtask/src/instructions.rs", "a limit of its own, since its packets hardly need decoding"),
];

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

/// A source without its comments and its tests.
fn production(source: &str) -> String {
    let code = tree::code(source);
    let tests = code.match_indices("#[cfg(test)]").map(|(at, _)| at).find(|at| {
        let item = code[*at..].lines().nth(1).unwrap_or_default().trim();
        item.starts_with("mod ") && item.ends_with('{')
    });
    code[..tests.unwrap_or(code.len())].to_owned()
}

/// The feeds that a source names: as `Feed::Name`, in `use Feed::{Name}`, or by their ids.
fn named_feeds(source: &str) -> BTreeSet<String> {
    let code = production(source);
    let mut words = BTreeSet::new();
    for behind in code.split("Feed::").skip(1) {
        let until = if behind.starts_with('{') { '}' } else { ' ' };
        let list = behind.split(until).next().unwrap_or_default();
        let names = list.split(|letter: char| !letter.is_ascii_alphanumeric());
        let most = if until == '}' { usize::MAX } else { 1 };
        words.extend(names.take(most).map(str::to_owned));
    }
    let is_named = |row: &&FeedInfo| {
        words.contains(&format!("{:?}", row.feed)) || row.ids().any(|id| code.contains(&format!("\"{id}\"")))
    };
    FEEDS.iter().filter(is_named).map(|row| row.id.to_owned()).collect()
}

#[test]
fn names_of_feeds_are_found() {
    let check = |source: &str, feeds: &[&str]| {
        assert_eq!(named_feeds(source).iter().map(String::as_str).collect::<Vec<_>>(), feeds, "{source}");
    };
    check("match feed { Feed::F1 => 1, _ => 0 }", &["f1"]);
    check("if feed==Feed::AcLua{", &["ac-lua"]);
    check("use Feed::{DirtRally, F1};", &["dirt-rally", "f1"]);
    check("feed.id() == \"ac-server\"", &["ac-server"]);
    check("Feed::from_id(id) // Feed::AcLua", &[]);
    check("placeholder = \"f1-2018=127.0.0.1:5300\"", &[]);
    check("let a = 1;\n#[cfg(test)]\nmod tests {\n    Feed::AcLua\n}", &[]);
    check("#[cfg(test)]\nmod tests;\nFeed::AcLua", &["ac-lua"]);
}

#[test]
fn nothing_but_the_tables_does_something_for_one_feed() {
    let others = ["relay/src", "web/src", "fuzz/src", "xtask/src"].into_iter().flat_map(tree::sources);
    let mut namers = BTreeSet::new();
    for (path, source) in crates::sources_of_shared().into_iter().chain(others) {
        let name = path.strip_prefix(tree::top()).expect("a path of the project").to_str().expect("a name");
        let name = name.replace('\\', "/");
        if tree::is_test(&path) || TABLES.iter().any(|table| name.starts_with(table)) {
            continue;
        }
        let feeds = named_feeds(&source);
        if !feeds.is_empty() {
            assert!(
                EXCEPTIONS.iter().any(|(exception, _)| *exception == name),
                "{name} names {feeds:?}: what is true of one game is a field of its row in shared/games/src/feed.rs"
            );
            namers.insert(name);
        }
    }
    let exceptions: BTreeSet<String> = EXCEPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(namers, exceptions, "an exception that is none any more");
}

#[test]
fn every_feed_has_its_guide_and_the_readme_lists_its_game() {
    let guides: BTreeSet<&str> = FEEDS.iter().map(|row| row.guide).collect();
    assert_eq!(guides.len(), FEEDS.len());
    for row in FEEDS {
        let guide = tree::text(row.guide);
        for port in row.ports {
            assert!(guide.contains(&port.to_string()), "{} does not name port {port}", row.guide);
        }
    }
    let folder = std::fs::read_dir(tree::top().join("docs/games")).expect("the guides");
    for entry in folder {
        let name = entry.expect("a guide").file_name().into_string().expect("a name");
        assert!(guides.contains(format!("docs/games/{name}").as_str()), "{name} is no feed's guide");
    }
    let readme = tree::text("README.md");
    let table = readme.split("## Game setup").nth(1).and_then(|rest| rest.split("\n\n").next());
    let table = table.expect("a table of games");
    for row in FEEDS.iter().filter(|row| row.networked) {
        // The games of a family share a line: `DiRT Rally, DiRT Rally 2.0`.
        let family: Vec<&str> = row.game.split([',', ' ']).take(2).collect();
        assert!(table.contains(&family.join(" ")), "README.md does not list {}", row.game);
    }
}

#[test]
fn every_setting_of_a_game_is_described() {
    let document = tree::text("docs/settings.md");
    for setting in Setting::all() {
        let id = match setting {
            Setting::Ports(_) => "port.FEED".to_owned(),
            _ => setting.id(),
        };
        assert!(document.contains(&format!("`{id}`")), "docs/settings.md lacks {id}");
    }
}
