use clap::Parser;
use serde_json::Value;
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::commands::{Command, CommandLine};

/// A file of everything a simulated Gran Turismo sends in some seconds.
fn file(seconds: f64) -> tempfile::NamedTempFile {
    let options = Options { cars: 1, player: 0, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::GranTurismo, options, Micros(0)).expect("a demo");
    let mut bytes = Vec::new();
    demo.drive(seconds, &mut |_, datagram| bytes.extend_from_slice(datagram));
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("written");
    file
}

fn analyse(file: &std::path::Path, arguments: &[&str]) -> anyhow::Result<String> {
    let path = file.to_str().expect("a path");
    run(&[&[path, "--feed", "gran-turismo", "--stream"], arguments].concat())
}

fn run(arguments: &[&str]) -> anyhow::Result<String> {
    let line = CommandLine::try_parse_from(["trailbrake", "analyse"].iter().chain(arguments))?;
    let Some(Command::Analyse(request)) = line.command else { panic!("another command") };
    let mut out = Vec::new();
    super::run(&request, &mut out, std::io::sink())?;
    Ok(String::from_utf8(out).expect("text"))
}

#[test]
fn the_best_lap_is_looked_at_closely_and_all_of_them_together() {
    let file = file(480.0);
    let report: Value =
        serde_json::from_str(&analyse(file.path(), &["--json"]).expect("a report")).expect("json");
    let at = |path: &str| report.pointer(path).unwrap_or_else(|| panic!("{path} in {report}")).clone();
    assert_eq!(at("/game"), "Gran Turismo 7");
    assert!(at("/session/laps").as_u64().expect("laps") >= 4);
    let best = at("/session/consistency/lap/best_s").as_f64().expect("a time");
    assert_eq!(at("/lap/time_ms").as_f64(), Some((best * 1e3).round()));
    assert!(at("/session/ideal_parts/time_s").as_f64().expect("a time") <= best);
    assert!(at("/session/rolling_best/time_s").as_f64().expect("a time") <= best);
    assert!(at("/session/fuel/laps_left").as_f64().expect("laps") > 1.0);
    assert_eq!(at("/session/fuel/unit"), "l");
    let lap = at("/session/ideal_parts/parts").as_array().expect("parts").len();
    assert_eq!(lap, trailbrake_shared::analysis::MINI_SECTORS);
    let size =
        at("/lap/events").as_array().expect("a list").iter().find(|one| one["kind"] == "shift-down").cloned();
    assert!(size.is_some_and(|one| one["size_rpm"].is_number() && one.get("size").is_none()));
    assert_eq!(at("/session/energy/unavailable").as_str().map(|why| why.contains("ERS store")), Some(true));
    assert!(at("/lap/grip/usage").as_f64().expect("a share") > 0.3);
    for part in ["entry", "middle", "exit"] {
        let seconds = at(&format!("/lap/balance/{part}/seconds")).as_f64().expect("a part");
        let corners = at("/lap/balance/corners").as_array().expect("corners").clone();
        let each = corners.iter().filter_map(|corner| corner[part]["seconds"].as_f64()).sum::<f64>();
        assert!(
            corners.len() > 8 && seconds > 2.0 && (each - seconds).abs() < 1e-6,
            "{part}: {seconds} {each}"
        );
    }
    assert_eq!(at("/lap/splits").as_array().map(Vec::len), Some(10));
    let last = at("/lap/splits/9/clock_s").as_f64().expect("a clock");
    assert!((last - best).abs() < 2e-3, "{last}");
    let shifts = at("/lap/events");
    assert!(
        shifts
            .as_array()
            .expect("a list")
            .iter()
            .any(|one| one["kind"] == "shift-down" && one["gears"].is_array())
    );
    assert_eq!(
        at("/lap/unavailable_events/bottoming-front").as_str().map(|why| why.contains("Ride height")),
        Some(true)
    );
}

#[test]
fn a_lap_can_be_named_and_measured_between_two_places() {
    let file = file(260.0);
    let report = analyse(file.path(), &["--json", "--lap", "2", "--between", "200..400"]).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("json");
    assert_eq!(report["lap"]["lap"], 2);
    let metres = report["lap"]["between"]["speed"]["sum"][0].as_f64().expect("a sum");
    assert_eq!(report["lap"]["between"]["speed"]["unit"], "m/s");
    // Integrated from the first sample of the section to the last.
    assert!((194.0..=201.0).contains(&metres), "{metres}");
    let words = analyse(file.path(), &["--lap", "2"]).expect("a report");
    insta::assert_snapshot!(words.replace(file.path().to_str().expect("a path"), "[file]"));
    // No line shows a field name or a bare count of numbers.
    assert!(!words.contains('_') && !words.contains(" numbers\n"), "{words}");
    let error = analyse(file.path(), &["--lap", "99"]).expect_err("no lap").to_string();
    assert!(error.contains("the player has no lap 99; `trailbrake laps"), "{error}");
}

#[test]
fn setups_are_compared_where_the_game_sends_them() {
    // Every car of the simulator has another setup.
    let capture = |player: usize| {
        let options = Options { cars: 4, player, again: false, ..Options::default() };
        let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
        let mut bytes = pcapng::beginning();
        demo.drive(130.0, &mut |at, packet| {
            let sender = ([127, 0, 0, 1], 5000).into();
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes: packet };
            bytes.extend(pcapng::packet(&datagram).expect("a packet"));
        });
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        file
    };
    let (one, other) = (capture(0), capture(3));
    let path = |file: &tempfile::NamedTempFile| file.path().to_str().expect("a path").to_owned();
    let differences_from = |of: &tempfile::NamedTempFile| -> Value {
        let report = run(&[&path(&one), "--json", "--setup-of", &path(of)]).expect("a report");
        serde_json::from_str::<Value>(&report).expect("json")["setup"]["differences"].clone()
    };
    assert_eq!(differences_from(&one), Value::Array(Vec::new()));
    let alone = run(&[&path(&one), "--json"]).expect("a report");
    let alone: Value = serde_json::from_str(&alone).expect("json");
    assert_eq!(alone["lap"]["handbrake"]["unavailable"], "the game does not send: Handbrake");
    let sectors = &alone["session"]["ideal_sectors"];
    assert!(sectors["time_ms"].is_u64() && sectors["sectors"][2]["time_ms"].is_u64(), "{sectors}");
    let differences = differences_from(&other);
    let first = &differences.as_array().expect("a list")[0];
    assert!(first["setting"].is_string() && first["one"] != first["other"], "{differences}");
    let (silent, silence) = (file(200.0), file(200.0));
    let words = analyse(silent.path(), &["--setup-of", &path(&silence)]).expect("a report");
    assert!(words.contains("setup: not available, the game doesn't send"), "{words}");
}

#[test]
fn figures_are_drawn_into_a_folder() {
    let (file, folder) = (file(480.0), tempfile::tempdir().expect("a folder"));
    let pictures = folder.path().join("pictures");
    analyse(file.path(), &["--figures", pictures.to_str().expect("a path")]).expect("a report");
    let names = [
        "consistency",
        "grip",
        "damper-fl",
        "tyre-surface-temperature",
        "fuel",
        "splits",
        "speed",
        "balance",
        "balance-corners",
    ];
    for name in names {
        let svg = std::fs::read_to_string(pictures.join(format!("{name}.svg"))).expect("a figure");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}
