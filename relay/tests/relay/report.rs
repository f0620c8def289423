//! The printed report of a lap, as the command writes it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use serde_json::Value;
use trailbrake_relay::commands::{Command, CommandLine};
use trailbrake_relay::commands::{analyse, compare, report};
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// A capture of a demo in a temporary folder. If `TRAILBRAKE_PICTURES` names a folder, reports are kept there.
struct DemoFile {
    folder: tempfile::TempDir,
    capture: PathBuf,
}

impl DemoFile {
    fn new(feed: Feed, options: Options, seconds: u32) -> Self {
        let began = Micros(1_763_735_520_000_000);
        let mut demo = Demo::new(feed, options, began).expect("a demo");
        let mut capture = pcapng::beginning();
        let sender = SocketAddr::from(([192, 0, 2, 7], 5000));
        let port = feed.info().ports.first().copied().unwrap_or(9000);
        for second in 1..=seconds {
            demo.advance(began.plus_seconds(f64::from(second)), &mut |at, bytes| {
                let datagram = Datagram { at, sender, port, feed: Some(feed), bytes };
                capture.extend(pcapng::packet(&datagram).expect("a packet"));
            });
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("driven.pcapng");
        std::fs::write(&file, capture).expect("a file");
        Self { folder, capture: file }
    }

    /// Writes the report as HTML and as SVG. Returns the SVG.
    fn report(&self, name: &str, laps: &[&str]) -> anyhow::Result<String> {
        let kept = std::env::var_os("TRAILBRAKE_PICTURES").map(PathBuf::from);
        let folder: &Path = kept.as_deref().unwrap_or(self.folder.path());
        std::fs::create_dir_all(folder)?;
        for ending in ["html", "svg"] {
            let out = folder.join(format!("report-{name}.{ending}"));
            let Command::Report(request) = self.command("report", &[laps, &["-o", text(&out)]].concat())
            else {
                panic!("another command")
            };
            report::run(&request, std::io::sink())?;
        }
        Ok(std::fs::read_to_string(folder.join(format!("report-{name}.svg")))?)
    }

    fn compared(&self, laps: &[&str]) -> Value {
        let Command::Compare(request) = self.command("compare", &[laps, &["--json"]].concat()) else {
            panic!("another command")
        };
        let mut out = Vec::new();
        compare::run(&request, &mut out, std::io::sink()).expect("a comparison");
        serde_json::from_slice(&out).expect("JSON")
    }

    fn analysed(&self, laps: &[&str]) -> Value {
        let Command::Analyse(request) = self.command("analyse", &[laps, &["--json"]].concat()) else {
            panic!("another command")
        };
        let mut out = Vec::new();
        analyse::run(&request, &mut out, std::io::sink()).expect("an analysis");
        serde_json::from_slice(&out).expect("JSON")
    }

    fn command(&self, command: &str, more: &[&str]) -> Command {
        let fixed = ["trailbrake", command, text(&self.capture)];
        CommandLine::try_parse_from(fixed.iter().chain(more)).expect("a command").command.expect("a command")
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// The texts of an SVG, in order.
fn words(svg: &str) -> Vec<String> {
    let texts = svg.split("<text").skip(1).filter_map(|rest| rest.split_once('>')?.1.split_once("</text>"));
    texts.map(|(text, _)| text.trim().replace("&amp;", "&").replace("&lt;", "<")).collect()
}

/// A number as the report writes it: with its sign, which is as wide as a digit.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.trim_matches(['+', '-', '0', '.']).is_empty() {
        text[1..].to_owned()
    } else {
        text.replace('-', "−")
    }
}

/// The report shows these lanes for every game, or says that the game does not send them.
const LANES: [&str; 6] = ["Speed", "Throttle", "Brake", "Gear", "Steering", "Lateral g"];

#[test]
fn report_and_analysis_give_one_theoretical_best() {
    for (feed, year, seed) in [
        (Feed::F1, 2018, 31),
        (Feed::F1, 2025, 31),
        (Feed::AcTelemetryTool, 0, 32),
        (Feed::GranTurismo, 0, 33),
    ] {
        let options = Options { cars: 2, player: 0, seed, year, again: false, ..Options::default() };
        let driven = DemoFile::new(feed, options, 480);
        let svg = driven.report(&format!("theoretical-{}", feed.id()), &["--lap=best"]).expect("a report");
        let (words, session) = (words(&svg), driven.analysed(&["--lap=best"])["session"].clone());
        let of = session["theoretical_best_of"].as_array().expect("laps").len();
        assert!(of >= 4, "{}: {of} laps", feed.id());
        let printed = |name: &str| {
            let head = format!("Theoretical best, {name} (best of {of} laps)");
            let place = words.iter().position(|text| *text == head)?;
            words.get(place + 1).cloned()
        };
        let minis_s = session["ideal_parts"]["time_s"].as_f64().expect("a time");
        let minis = LapTime((minis_s * 1e3).round() as u32);
        assert_eq!(printed("mini-sectors"), Some(minis.to_string()), "{}", feed.id());
        let sectors = session["ideal_sectors"]["time_ms"].as_u64().map(|time| LapTime(time as u32));
        assert_eq!(printed("sectors"), sectors.map(|time| time.to_string()), "{}", feed.id());
        // Twenty-five mini-sectors allow a better combination than three sectors.
        assert!(sectors.is_none_or(|sectors| minis <= sectors), "{}: {minis} {sectors:?}", feed.id());
    }
}

#[test]
fn each_game_s_demo_gives_a_report_with_the_numbers_of_the_comparison() {
    for (feed, seconds, not_sent) in [
        (Feed::F1, 330, &[][..]),
        (Feed::GranTurismo, 330, &["times of sectors"]),
        (Feed::AcRemote, 330, &["times of sectors"]),
        (Feed::AcTelemetryTool, 330, &[]),
        (Feed::AcLua, 330, &["lateral g", "times of sectors"]),
        (Feed::AcServer, 330, &["throttle", "brake", "steering", "lateral g", "times of sectors"]),
    ] {
        let options = Options { cars: 3, player: 0, again: false, ..Options::default() };
        let driven = DemoFile::new(feed, options, seconds);
        let laps = ["--lap=2", "--reference=3"];
        let svg = driven.report(feed.id(), &laps).unwrap_or_else(|error| panic!("{}: {error:#}", feed.id()));
        let (words, compared) = (words(&svg), driven.compared(&laps));
        let has = |needed: &str| words.iter().any(|text| text == needed);
        let behind = compared["behind_ms"].as_f64().expect("a difference") / 1e3;
        assert!(has(&format!("{} s", signed(behind, 3))), "{} of {words:?}", feed.id());
        for thing in compared["advice"].as_array().expect("advice") {
            let text = thing["text"].as_str().expect("a sentence");
            assert!(words.join(" ").contains(text), "{text:?} is not in {words:?}");
        }
        let corners = compared["corners"].as_array().expect("corners");
        assert!(corners.len() > 8, "{}", corners.len());
        for corner in corners {
            assert_row(corner, &words);
        }
        let missing: Vec<&String> = words.iter().filter(|text| text.starts_with("Not sent by")).collect();
        for lane in LANES {
            let absent = not_sent.contains(&lane.to_lowercase().as_str());
            assert_eq!(has(lane), !absent, "{lane} of {}", feed.id());
        }
        assert_eq!(missing.is_empty(), not_sent.is_empty(), "{missing:?} of {}", feed.id());
        for name in not_sent {
            assert!(missing.iter().any(|text| text.contains(name)), "{name} is not in {missing:?}");
        }
    }
}

/// Checks that the table has the corner's row, with its numbers in order.
fn assert_row(corner: &Value, words: &[String]) {
    let number = |field: &str| corner[field].as_f64();
    let whole = |field: &str| number(field).map(|value| format!("{value:.0}"));
    let tenths = |field: &str| number(field).map(|value| format!("{value:.1}"));
    let less = |field: &str| number(field).map(|value| signed(value, 1));
    let side = if corner["left"] == true { "left" } else { "right" };
    let name = format!("{} {side}", corner["name"].as_str().expect("a name"));
    let from =
        words.iter().position(|text| *text == name).unwrap_or_else(|| panic!("{name} is not in {words:?}"));
    let mut row = words[from + 1..].iter();
    let expected = [
        whole("apex_m"),
        whole("brake_on_m"),
        less("brake_diff_m"),
        number("peak").map(|peak| format!("{:.0}", peak * 100.0)),
        tenths("min_kmh"),
        less("min_diff_kmh"),
        whole("throttle_on_m"),
        tenths("exit_kmh"),
        less("exit_diff_kmh"),
        Some(signed(number("loss_s").expect("a loss"), 3)),
    ];
    for wanted in expected.into_iter().flatten() {
        assert!(row.any(|text| *text == wanted), "{wanted} is not behind {name} in {:?}", &words[from..]);
    }
}

#[test]
fn a_rally_stage_is_laid_beside_the_same_stage_of_another_run() {
    let run =
        |seed| DemoFile::new(Feed::DirtRally, Options { seed, again: false, ..Options::default() }, 420);
    let (driven, before) = (run(1), run(2));
    let laps = ["--lap=1", "--reference=1", "--reference-file", text(&before.capture)];
    let words = words(&driven.report("dirt-rally", &laps).expect("a report"));
    for needed in ["Where", "Speed", "Brake", "Gear", "Steering"] {
        assert!(words.iter().any(|text| text == needed), "{needed} is not in {words:?}");
    }
}
