//! The command line: the one table of subcommands, and the default without one.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::options::{Options, settings_of};
#[cfg(feature = "team")]
use super::team;
use super::{
    analyse, bests, compare, decode, export, import, inspect, laps, listen, repair, replay, report, sample,
    server, setup, tracks, watch,
};
use crate::commands::outcome::Outcome;
use crate::commands::start::Start;
use crate::interrupt;
use crate::relaying::Settings;
use crate::terminal::Plain;
use crate::version::DETAILS;

/// Receives telemetry from racing games over UDP and shows it in the browser.
#[derive(Debug, Parser)]
#[command(name = "trailbrake", version, long_version = DETAILS, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct CommandLine {
    /// What to do instead of receiving games.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to receive games.
    #[command(flatten)]
    pub options: Options,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Options can also be set in a TOML file under their own names, such as  lan = true  or  port = [\"f1=20778\"].
The command line takes precedence over the file.";

/// Declares the subcommands: help, the feature that they belong to, arguments, and how each is run with an output and a
/// place for notes.
macro_rules! commands {
    ($($(#[$meta:meta])* $([$feature:literal])? $name:ident($arguments:ty) = |$request:ident, $out:ident, $notes:ident| $run:expr;)*) => {
        /// What to do instead of receiving games.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $($(#[$meta])* $(#[cfg(feature = $feature)])? $name($arguments),)*
        }

        impl Command {
            /// Runs the subcommand.
            pub fn run(self, out: impl Write, notes: impl Write) -> anyhow::Result<Outcome> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name($request) => {
                        let ($out, $notes) = (out, notes);
                        $run.map(Outcome::from)
                    })*
                }
            }
        }
    };
}

commands! {
    /// Print a file's packets, one JSON object a line
    Decode(decode::Decode) = |request, out, notes| decode::run(&request, out, notes);
    /// Print what a file holds
    Inspect(inspect::Inspect) = |request, out, notes| inspect::run(&request, out, notes);
    /// Print the laps in a file, one a line
    Laps(laps::Laps) = |request, out, notes| laps::run(&request, out, notes);
    /// Analyse laps: grip, balance, tyres, fuel, events, theoretical best
    Analyse(analyse::Analyse) = |request, out, notes| analyse::run(&request, out, notes);
    /// Print the best lap of every game, track and car in the recordings, and its progress
    Bests(bests::Bests) = |request, out, notes| bests::run(&request, out, notes);
    /// Compare a lap with a reference: delta, corners and three things to fix
    Compare(compare::Compare) = |request, out, notes| compare::run(&request, out, notes);
    /// List named tracks, name one, or change its corners
    Tracks(tracks::Tracks) = |request, out, notes| tracks::run(&request, out, notes);
    /// Write laps or packets of a file in another program's format
    Export(export::Export) = |request, _out, notes| export::run(&request, notes);
    /// Make a recording from captures, bare packets, iRacing .ibt files, MoTeC logs or CSV laps
    Import(import::Import) = |request, _out, notes| import::run(&request, notes);
    /// Repair a recording that is damaged or was interrupted
    Repair(repair::Repair) = |request, _out, notes| repair::run(&request, notes);
    /// Send a file's packets again, as the game would
    Replay(replay::Replay) = |request, _out, notes| replay::run(&request, notes);
    /// Write a printable report of a lap and its reference
    Report(report::Report) = |request, _out, notes| report::run(&request, notes);
    /// Print live samples and events as lines
    Watch(Box<watch::Watch>) = |request, _out, _notes| watch::run(*request);
    /// Set up a game whose files list what it sends
    Setup(setup::Setup) = |request, _out, notes| setup::run(&request, notes);
    /// Write the last minute of a running Trailbrake to a file, for a bug report
    Sample(sample::Sample) = |request, _out, notes| sample::run(request, notes);
    /// Send commands to Assetto Corsa's dedicated server through a running Trailbrake
    Server(server::Server) = |request, _out, _notes| server::run(request);
    /// Run the hub of a team, and invite its rigs
    ["team"] Team(team::Team) = |request, out, notes| team::run(&request, out, notes);
}

impl Command {
    /// Whether it writes files that Ctrl+C would leave incomplete.
    fn writes_files(&self) -> bool {
        matches!(self, Self::Export(_) | Self::Import(_) | Self::Repair(_) | Self::Report(_))
    }
}

impl CommandLine {
    /// Runs the subcommand, or else listens.
    pub fn run(self, start: Start) -> anyhow::Result<Outcome> {
        match self.command {
            Some(command) => {
                if command.writes_files() {
                    interrupt::clean_up_on_signal();
                }
                command.run(Plain::new(io::stdout()), Plain::new(io::stderr()))
            }
            None => listen::run(self.settings()?, start).map(Outcome::from),
        }
    }

    /// The relay's settings, from the options and the options file.
    fn settings(self) -> anyhow::Result<Settings> {
        settings_of(self.options, self.config.as_deref())
    }
}

/// Reads the settings of a command line, with the options file.
pub fn read_settings<I: IntoIterator<Item: Into<OsString> + Clone>>(
    arguments: I,
) -> anyhow::Result<Settings> {
    CommandLine::try_parse_from(arguments)?.settings()
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::sim::{DEFAULT_DEMO, DemoGame};

    use super::*;
    use crate::commands::options::{DemoName, FeedPort, Heartbeat};
    use crate::commands::server::{ServerAction, SessionChange, SessionType};
    use crate::feed_name::FeedName;

    fn parse(arguments: &[&str]) -> Result<CommandLine, String> {
        let all = ["trailbrake"].iter().chain(arguments);
        CommandLine::try_parse_from(all).map_err(|error| error.to_string())
    }

    #[test]
    fn the_command_line_is_sound() {
        <CommandLine as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn every_option_is_understood() {
        let line = parse(&[
            "--http",
            "127.0.0.1:9000",
            "--lan",
            "--udp-bind",
            "192.168.1.5",
            "--recordings",
            "laps",
            "--no-record",
            "--no-open",
            "--demo",
            "--port",
            "f1-2018=20778",
            "--port",
            "f1=20779",
            "--forward",
            "f1-2018=127.0.0.1:5300",
            "--console",
            "192.168.1.9",
            "--heartbeat",
            "~",
            "--ac-game",
            "192.168.1.7",
            "--ac-short-registration",
            "--ac-server",
            "10.0.0.1:12000",
        ]);
        let options = line.expect("options").options;
        assert_eq!(options.http, Some(([127, 0, 0, 1], 9000).into()));
        assert_eq!((options.lan, options.no_record, options.no_open), (Some(true), Some(true), Some(true)));
        assert_eq!(options.demo, Some(DemoName(DEFAULT_DEMO)));
        let ports: Vec<(Feed, u16)> = options.port.iter().map(|one| (one.feed, one.port)).collect();
        assert_eq!(ports, [(Feed::F1, 20778), (Feed::F1, 20779)]);
        assert_eq!(options.ac_game.map(|game| game.0), Some(([192, 168, 1, 7], 9996).into()));
        assert_eq!(options.heartbeat, Some(Heartbeat(Some('~'))));
        for demo in [&["--demo=dirt-rally"][..], &["--demo", "dirt-rally"]] {
            let options = parse(demo).expect("options").options;
            assert_eq!(options.demo, DemoGame::of_feed(Feed::DirtRally).map(DemoName), "{demo:?}");
        }
        assert_eq!(parse(&["--lan=false"]).expect("options").options.lan, Some(false));
    }

    #[test]
    fn watching_takes_the_options_of_listening_too() {
        let line = parse(&[
            "watch",
            "--feed",
            "f1-2018",
            "--json",
            "--events",
            "--http",
            "127.0.0.1:9000",
            "--demo",
        ]);
        let Some(Command::Watch(watch)) = line.expect("options").command else { panic!("to watch") };
        assert_eq!((watch.feed, watch.json, watch.events), (Some(FeedName(Feed::F1)), true, true));
        assert_eq!((watch.rate, watch.options.http), (10.0, Some(([127, 0, 0, 1], 9000).into())));
        assert_eq!(watch.options.demo, Some(DemoName(DEFAULT_DEMO)));
    }

    #[test]
    fn errands_at_a_server_are_understood() {
        let errand = |arguments: &[&str]| {
            let line = parse(&[&["server"], arguments].concat()).expect("an errand");
            let Some(Command::Server(server)) = line.command else { panic!("an errand") };
            (server.what, server.http)
        };
        let text = vec!["see".to_owned(), "you".to_owned(), "--later".to_owned()];
        assert_eq!(
            errand(&["tell", "3", "see", "you", "--later"]),
            (ServerAction::Tell { slot: 3, text }, None)
        );
        let here = ([127, 0, 0, 1], 9000).into();
        assert_eq!(errand(&["next", "--http", "127.0.0.1:9000"]), (ServerAction::Next, Some(here)));
        assert_eq!(errand(&["info"]).0, ServerAction::Info { index: None });
        let wish = SessionChange {
            index: 1,
            name: Some("GP".into()),
            kind: Some(SessionType(3)),
            laps: Some(12),
            minutes: None,
            wait: Some(30),
        };
        let session = ["session", "1", "--name", "GP", "--type", "race", "--laps", "12", "--wait", "30"];
        assert_eq!(errand(&session).0, ServerAction::Session(wish));
    }

    #[test]
    fn mistakes_are_named() {
        for (arguments, words) in [
            (&["--port", "f2=20777"][..], "f1, dirt-rally"),
            (&["--port", "20777"], "FEED=PORT"),
            (&["--port", "f1-2018=99999"], "99999"),
            (&["--port", "ac-remote=9996"], "9996 belongs to the game"),
            (&["--port", "imported-laps=5000"], "nobody sends imported-laps"),
            (&["--forward", "imported-laps=127.0.0.1:5000"], "nobody sends imported-laps"),
            (&["--forward", "f1-2018=5300"], "FEED=ADDR:PORT"),
            (&["--forward", "f1-2018=127.0.0.1:0"], "port 0"),
            (&["--demo=nothing"], "f1-25, f1-2018"),
            (&["--heartbeat", "D"], "auto, A, B, ~, C"),
            (&["--http", "8777"], "--http"),
            (&["--nonsense"], "--nonsense"),
            (&["watch", "--rate", "0"], "0.1 to 240"),
            (&["watch", "--feed", "f2"], "f1, dirt-rally"),
            (&["setup"], "GAME"),
            (&["setup", "f2"], "f1, dirt-rally"),
            (&["server", "kick"], "SLOT"),
            (&["server", "kick", "256"], "256"),
            (&["server", "session", "1", "--type", "drag race"], "practice, qualifying, race"),
            (&["decode"], "FILE"),
            (&["decode", "file", "--record-size", "0"], "--record-size"),
            (&["decode", "file", "--record-size", "5", "--stream"], "--stream"),
            (&["laps", "file", "--car", "everyone"], "player, all or a car's number"),
            (&["export", "file"], "--format"),
            (&["export", "file", "--format", "xls"], "csv"),
            (&["export", "file", "--format", "csv", "--every-m", "0"], "0.1 to 10000"),
            (&["export", "file", "--format", "csv", "--laps", "5-3"], "3-5, or best"),
            (&["export", "file", "--format", "csv", "--laps", "fast"], "3-5, or best"),
            (&["replay", "file", "--speed", "0.1"], "from 0.25 on"),
            (&["replay", "file", "--to", "127.0.0.1"], "127.0.0.1:20777"),
            (&["replay", "file", "--to", "127.0.0.1:5300", "--http", "127.0.0.1:1"], "cannot be used with"),
        ] {
            let error = parse(arguments).expect_err("an error");
            assert!(error.contains(words), "{arguments:?}: {error}");
        }
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let line = parse(&["--lan=false", "--port", "f1-2018=1"]).expect("options").options;
        let file =
            parse(&["--lan", "--no-open", "--port", "f1-2018=2", "--port", "dirt-rally=3"]).expect("options");
        let both = line.or(file.options);
        assert_eq!((both.lan, both.no_open, both.no_record), (Some(false), Some(true), None));
        assert_eq!(both.port, [FeedPort { feed: Feed::F1, port: 1 }]);
    }
}
