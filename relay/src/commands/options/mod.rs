//! What the command line and the options file say, and what follows from it.

mod analyse;
mod compare;
mod file;
mod files;
mod replay;
mod server;
mod settings;
mod tracks;
mod values;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use serde::Deserialize;

pub use crate::library::BookPlace;
pub use analyse::{Analyse, Bests, Metres};
pub use compare::{Compare, Pair, Report, ReportFile, ReportForm};
pub use files::{Cutting, Decode, Export, Format, Import, Inspect, Laps, Repair};
pub use replay::{Replay, Speed};
pub use server::{Errand, Server, SessionType, SessionWish};
pub use settings::{Keep, Lan, Recording, Settings};
pub use tracks::{CornerChange, EditCorner, LapOfTrack, NameTrack, TrackErrand, Tracks};
pub use values::{FeedName, FeedPort, FeedTarget, GameAddress, Heartbeat};

/// Hears racing games over UDP and shows what they say in the browser.
#[derive(Debug, Parser)]
#[command(name = "trailbrake", version, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct CommandLine {
    /// Something else to do than listening.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to listen.
    #[command(flatten)]
    pub options: Options,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Every option can stand in a TOML file under its own name, such as  lan = true  or  port = [\"f1-2018=20778\"].
What the command line says goes before the file.";

/// Something else to do than listening.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a file's packets, one JSON object a line
    Decode(Decode),
    /// Print what a file holds
    Inspect(Inspect),
    /// Print the laps in a file, one a line
    Laps(Laps),
    /// Print what laps tell: grip, balance, tyres, fuel, what happened, and what could have been
    Analyse(Analyse),
    /// Print the best lap of every game, track and car in the recordings, and how it got better
    Bests(Bests),
    /// Lay a lap beside a reference: the delta by place, the corners, and three things to fix
    Compare(Compare),
    /// Print the tracks that have a name; name one, or change its corners
    Tracks(Tracks),
    /// Write laps or packets of a file in another program's format
    Export(Export),
    /// Make a recording of captures, bare packets, MoTeC logs or our own tables of laps
    Import(Import),
    /// Make a recording whole that was broken off or is damaged, as far as it goes
    Repair(Repair),
    /// Send a file's packets again, as the game would
    Replay(Replay),
    /// Draw a lap beside a reference on one page that can be printed
    Report(Report),
    /// Print live samples and events as lines, of a Trailbrake that runs already or else of its own
    Watch(Box<Watch>),
    /// Have Assetto Corsa's dedicated server do something, through a Trailbrake that runs
    Server(Server),
}

/// What to print of what is heard.
#[derive(Clone, Debug, Args)]
pub struct Watch {
    /// Only this feed
    #[arg(long)]
    pub feed: Option<FeedName>,
    /// Only what happens, no samples
    #[arg(long)]
    pub events: bool,
    /// One JSON object a line, with everything that is known
    #[arg(long)]
    pub json: bool,
    /// Samples a second
    #[arg(long, value_name = "HZ", default_value_t = 10.0, value_parser = values::rate)]
    pub rate: f64,
    /// How to listen.
    #[command(
        flatten,
        next_help_heading = "Where no Trailbrake runs at the --http address, one is started with these"
    )]
    pub options: Options,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Declares the options once, for the command line and the file, with the command line going before.
macro_rules! options {
    ($($(#[$meta:meta])* $name:ident: $type:ty,)*) => {
        /// The options, as far as they were given.
        #[derive(Clone, Debug, Default, Args, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct Options {
            $($(#[$meta])* pub $name: $type,)*
        }

        impl Options {
            /// These options, and where they say nothing, those of `other`.
            pub fn or(self, other: Self) -> Self {
                Self { $($name: Given::or(self.$name, other.$name),)* }
            }
        }
    };
}

options! {
    /// Serve the page to this machine at this address
    #[arg(long, value_name = "IP:PORT")]
    http: Option<SocketAddr>,
    /// Serve the page to tablets on the network too, to those who have the printed link
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    lan: Option<bool>,
    /// Hear games at this address of the machine only
    #[arg(long, value_name = "IP")]
    udp_bind: Option<IpAddr>,
    /// Keep recordings in this folder
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Keep at most so many gigabytes of recordings: the oldest that have no tag go first
    #[arg(long, value_name = "GB")]
    keep_gb: Option<f64>,
    /// Keep recordings that have no tag for so many days
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<u32>,
    /// Do not record
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    no_record: Option<bool>,
    /// Keep at most so many megabytes of a session that is not recorded in memory, for pages that connect late (256)
    #[arg(long, value_name = "MB")]
    session_memory: Option<u32>,
    /// Do not open the browser
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    no_open: Option<bool>,
    /// Drive a simulated car, through the same path as a game
    #[arg(long, value_name = "FEED", num_args = 0..=1, require_equals = true, default_missing_value = "f1-2018")]
    demo: Option<FeedName>,
    /// The demo's seed: the same seed gives the same race
    #[arg(long, value_name = "N")]
    demo_seed: Option<u64>,
    /// Record the demo too
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    record_demo: Option<bool>,
    /// Write down what the demo knows of its laps, as JSON, after each lap
    #[arg(long, value_name = "FILE")]
    demo_truth: Option<PathBuf>,
    /// Drive the demo so many times faster than real
    #[arg(long, value_name = "N", hide = true)]
    demo_speed: Option<f64>,
    /// Hear a feed at this port instead of its usual ones; can be given several times
    #[arg(long, value_name = "FEED=PORT", action = ArgAction::Append)]
    port: Vec<FeedPort>,
    /// Pass a feed's packets on to another program; can be given several times
    #[arg(long, value_name = "FEED=ADDR:PORT", action = ArgAction::Append)]
    forward: Vec<FeedTarget>,
    /// Gran Turismo: the console's address, where it is not found by itself
    #[arg(long, value_name = "ADDR")]
    console: Option<IpAddr>,
    /// Gran Turismo: what to ask the console for; auto finds the letter that brings most
    #[arg(long, value_name = "auto|A|B|~|C")]
    heartbeat: Option<Heartbeat>,
    /// Assetto Corsa: the address of the machine that the game runs on
    #[arg(long, value_name = "ADDR[:9996]")]
    ac_game: Option<GameAddress>,
    /// Assetto Corsa: register in the short form of an older description, which no known version of the game answers to
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    ac_short_registration: Option<bool>,
    /// Assetto Corsa: the address of the dedicated server's plugin port
    #[arg(long, value_name = "ADDR:PORT")]
    ac_server: Option<SocketAddr>,
    /// Serve the page from a folder, and tell browsers to load it anew when it changes
    #[arg(long, value_name = "DIR", hide = true)]
    web_dir: Option<PathBuf>,
}

/// What an option says may be nothing.
trait Given {
    fn or(self, other: Self) -> Self;
}

impl<T> Given for Option<T> {
    fn or(self, other: Self) -> Self {
        Option::or(self, other)
    }
}

impl<T> Given for Vec<T> {
    fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;

    use super::*;

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
            "f1-2018=20779",
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
        assert_eq!(options.demo.map(|feed| feed.0), Some(Feed::F12018));
        let ports: Vec<(Feed, u16)> = options.port.iter().map(|one| (one.feed, one.port)).collect();
        assert_eq!(ports, [(Feed::F12018, 20778), (Feed::F12018, 20779)]);
        assert_eq!(options.ac_game.map(|game| game.0), Some(([192, 168, 1, 7], 9996).into()));
        assert!(matches!(options.heartbeat, Some(Heartbeat::Tilde)));
        assert_eq!(
            parse(&["--demo=dirt-rally"]).expect("options").options.demo.map(|d| d.0),
            Some(Feed::DirtRally)
        );
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
        assert_eq!((watch.feed, watch.json, watch.events), (Some(FeedName(Feed::F12018)), true, true));
        assert_eq!((watch.rate, watch.options.http), (10.0, Some(([127, 0, 0, 1], 9000).into())));
        assert_eq!(watch.options.demo, Some(FeedName(Feed::F12018)));
    }

    #[test]
    fn errands_at_a_server_are_understood() {
        let errand = |arguments: &[&str]| {
            let line = parse(&[&["server"], arguments].concat()).expect("an errand");
            let Some(Command::Server(server)) = line.command else { panic!("an errand") };
            (server.what, server.http)
        };
        let text = vec!["see".to_owned(), "you".to_owned(), "--later".to_owned()];
        assert_eq!(errand(&["tell", "3", "see", "you", "--later"]), (Errand::Tell { slot: 3, text }, None));
        let here = ([127, 0, 0, 1], 9000).into();
        assert_eq!(errand(&["next", "--http", "127.0.0.1:9000"]), (Errand::Next, Some(here)));
        assert_eq!(errand(&["info"]).0, Errand::Info { index: None });
        let wish = SessionWish {
            index: 1,
            name: Some("GP".into()),
            kind: Some(SessionType(3)),
            laps: Some(12),
            minutes: None,
            wait: Some(30),
        };
        let session = ["session", "1", "--name", "GP", "--type", "race", "--laps", "12", "--wait", "30"];
        assert_eq!(errand(&session).0, Errand::Session(wish));
    }

    #[test]
    fn mistakes_are_named() {
        for (arguments, words) in [
            (&["--port", "f1=20777"][..], "f1-2018, dirt-rally"),
            (&["--port", "20777"], "FEED=PORT"),
            (&["--port", "f1-2018=99999"], "99999"),
            (&["--port", "ac-remote=9996"], "9996 belongs to the game"),
            (&["--port", "imported-laps=5000"], "nobody sends imported-laps"),
            (&["--forward", "imported-laps=127.0.0.1:5000"], "nobody sends imported-laps"),
            (&["--forward", "f1-2018=5300"], "FEED=ADDR:PORT"),
            (&["--forward", "f1-2018=127.0.0.1:0"], "port 0"),
            (&["--demo=nothing"], "f1-2018, dirt-rally"),
            (&["--heartbeat", "D"], "auto, A, B, ~, C"),
            (&["--http", "8777"], "--http"),
            (&["--nonsense"], "--nonsense"),
            (&["watch", "--rate", "0"], "0.1 to 240"),
            (&["watch", "--feed", "f1"], "f1-2018, dirt-rally"),
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
        assert_eq!(both.port, [FeedPort { feed: Feed::F12018, port: 1 }]);
    }
}
