//! The options file.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, anyhow};
use directories::ProjectDirs;

use super::Options;

/// Reads the options file: the given one, or else the default one if it exists.
pub(super) fn read(named: Option<&Path>) -> anyhow::Result<Options> {
    let Some(path) = named.map(Path::to_owned).or_else(usual) else { return Ok(Options::default()) };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => {
            return Ok(Options::default());
        }
        Err(error) => {
            return Err(error).with_context(|| format!("the options file {} cannot be read", path.display()));
        }
    };
    understand(&text).with_context(|| format!("the options file {}", path.display()))
}

/// The default options file.
pub(super) fn usual() -> Option<PathBuf> {
    ProjectDirs::from("", "", "trailbrake").map(|folders| folders.config_dir().join("config.toml"))
}

/// The file of the settings made on the page: beside the options file, and below it in precedence.
pub(super) fn kept_settings(named: Option<&Path>) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(usual).map(|options| options.with_file_name("settings.json"))
}

/// Where a membership in a team is kept: beside the settings.
#[cfg(feature = "team")]
pub(super) fn membership(named: Option<&Path>) -> Option<PathBuf> {
    kept_settings(named).map(|settings| settings.with_file_name("team.toml"))
}

fn understand(text: &str) -> anyhow::Result<Options> {
    toml::from_str(text).map_err(|error| anyhow!("{}", error.to_string().trim_end()))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;

    use super::*;
    use crate::commands::options::{DemoName, FeedPort, FeedTarget};

    #[test]
    fn options_have_the_names_of_the_command_line() {
        let options = understand(
            r#"
            http = "127.0.0.1:9000"
            lan = true
            no-open = true
            demo = "f1-2018"
            port = ["f1=20777", "f1-2018=20778", "dirt-rally=20779"]
            forward = ["f1-2018=127.0.0.1:5300"]
            heartbeat = "~"
            ac-game = "192.168.1.7"
            "#,
        );
        let options = options.expect("options");
        assert_eq!((options.lan, options.no_open, options.no_record), (Some(true), Some(true), None));
        let ports = [(Feed::F1, 20777), (Feed::F1, 20778), (Feed::DirtRally, 20779)];
        assert_eq!(options.port, ports.map(|(feed, port)| FeedPort { feed, port }));
        assert_eq!(options.demo.map(|DemoName(game)| game.year), Some(Some(2018)));
        let target = FeedTarget { feed: Feed::F1, to: ([127, 0, 0, 1], 5300).into() };
        assert_eq!(options.forward, [target]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, words) in [
            ("lan = 1", "line 1"),
            ("prot = []", "unknown field `prot`"),
            ("port = [\"f2=1\"]", "there is no feed \"f2\""),
            ("http = \"here\"", "line 1"),
        ] {
            let error = format!("{:#}", understand(text).expect_err("an error"));
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_named_file_must_exist() {
        let error = format!("{:#}", read(Some(Path::new("/nowhere/at/all.toml"))).expect_err("an error"));
        assert!(error.contains("/nowhere/at/all.toml cannot be read"), "{error}");
    }
}
