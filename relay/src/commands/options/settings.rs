//! Turns options into settings, with the defaults filled in.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::bail;
use trailbrake_shared::feed::{FEEDS, Feed, Talker};
use trailbrake_shared::games::TalkOptions;
use trailbrake_shared::recording::recorder::Policy;
use trailbrake_shared::settings::DriverSettings;

use super::fixed::fixed_texts;
use super::{DemoName, Options, file};
use crate::kept_settings::KeptSettings;
use crate::library::{RetentionLimits, usual_folder};
#[cfg(feature = "team")]
use crate::relaying::TeamSettings;
use crate::relaying::demo::DemoOptions;
use crate::relaying::ports;
use crate::relaying::{Reach, RecordingSettings, Settings, TalkRequest};
#[cfg(feature = "team")]
use crate::team::Invitation;
use crate::terminal;

/// The settings, from options and the options file.
///
/// What neither sets is as the driver left it on the page.
pub(crate) fn settings_of(options: Options, config: Option<&Path>) -> anyhow::Result<Settings> {
    let options = options.or(file::read(config)?);
    let kept = KeptSettings::open(file::kept_settings(config), fixed_texts(&options));
    let settings = settings_with(options, kept)?;
    #[cfg(feature = "team")]
    let settings = {
        let team = TeamSettings { file: file::membership(config), ..settings.team };
        Settings { team, ..settings }
    };
    Ok(settings)
}

/// The settings, from options and what the driver set on the page.
fn settings_with(options: Options, kept: KeptSettings) -> anyhow::Result<Settings> {
    let http = options.http.unwrap_or_else(|| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 8777));
    if !http.ip().is_loopback() {
        bail!(
            "--http {http} would show the page to the whole network without asking who they are: \
             leave the address at 127.0.0.1 and add --lan"
        );
    }
    check_limits(&options)?;
    if options.team.is_some() && cfg!(not(feature = "team")) {
        bail!("this Trailbrake was built without teams: leave --team out");
    }
    let chosen = kept.settings();
    let feed_ports =
        FEEDS.iter().flat_map(|row| chosen.ports_of(row.feed).iter().map(|port| (row.feed, *port)));
    let ports = ports::wanted(feed_ports);
    let demo = demo(&options)?;
    Ok(Settings {
        http,
        lan: options.lan == Some(true),
        tablet_addresses: (!options.lan_address.is_empty()).then(|| options.lan_address.clone()),
        udp_bind: options.udp_bind.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
        udp_from: udp_from(&options),
        ports,
        forwards: chosen.forwards.clone(),
        asking: asking(&options, &chosen, demo.as_ref()),
        recording: recording(&options, &chosen)?,
        #[cfg(feature = "team")]
        team: TeamSettings { invitation: invitation(&options, &chosen)?, file: None },
        kept,
        demo,
        web_dir: options.web_dir,
        open_browser: options.no_open != Some(true),
        announce: terminal::report,
    })
}

/// The invitation that is named.
#[cfg(feature = "team")]
fn invitation(options: &Options, chosen: &DriverSettings) -> anyhow::Result<Option<Invitation>> {
    let Some(path) = &options.team else { return Ok(None) };
    if !chosen.record {
        bail!("--team sends what is recorded, and nothing is: record games, or leave --team out");
    }
    Invitation::read(path).map(Some)
}

/// The addresses that games may send from: those named, and those of the consoles and games that are asked to send.
fn udp_from(options: &Options) -> Vec<IpAddr> {
    if options.udp_from.is_empty() {
        return Vec::new();
    }
    let game = options.ac_game.map(|game| game.0.ip());
    let asked = [options.console, game, options.ac_server.map(|server| server.ip())];
    options.udp_from.iter().copied().chain(asked.into_iter().flatten()).map(|ip| ip.to_canonical()).collect()
}

/// A demo replaces its game, so that game is not asked, unless the demo sends only on request, too.
fn asking(options: &Options, chosen: &DriverSettings, demo: Option<&DemoOptions>) -> Vec<TalkRequest> {
    let is_short = options.ac_short_registration == Some(true);
    let talkers = FEEDS.iter().filter_map(|row| Some((row.feed, row.feed.talker()?)));
    let played = |feed: Feed| demo.is_some_and(|wish| wish.game.feed == feed && !wish.is_asked());
    let request = |(feed, talker): (Feed, &Talker)| {
        let short_registration = is_short && talker.has_short_registration;
        let options = TalkOptions { short_registration, ..chosen.talk_of(feed) };
        TalkRequest { feed, options, reach: Reach::Networks }
    };
    talkers.filter(|(feed, _)| !played(*feed)).map(request).collect()
}

/// The fastest demo a browser can follow.
const FASTEST_DEMO: f64 = 50.0;

/// The latest start of a demo, in seconds: more would take long to simulate.
const LATEST_START_S: f64 = 3600.0;

fn demo(options: &Options) -> anyhow::Result<Option<DemoOptions>> {
    let Some(DemoName(game)) = options.demo else {
        let how = [options.demo_seed.is_some(), options.demo_truth.is_some(), options.demo_speed.is_some()];
        if how.contains(&true) || options.demo_from.is_some() {
            bail!("--demo-seed and --demo-truth say how the demo is driven, and there is none: add --demo");
        }
        return Ok(None);
    };
    let speed = options.demo_speed.unwrap_or(1.0);
    if !(0.1..=FASTEST_DEMO).contains(&speed) {
        bail!("--demo-speed {speed}: the demo drives from 0.1 to {FASTEST_DEMO} times as fast as real");
    }
    let from_s = options.demo_from.unwrap_or(0.0);
    if !(0.0..=LATEST_START_S).contains(&from_s) {
        bail!("--demo-from {from_s}: the demo starts from 0 to {LATEST_START_S} seconds into its race");
    }
    let (seed, truth) = (options.demo_seed.unwrap_or(1), options.demo_truth.clone());
    Ok(Some(DemoOptions { game, seed, speed, from_s, truth }))
}

/// Some two hours of the busiest game, compressed.
const SESSION_MEMORY: usize = 256 << 20;

/// Refuses limits that would keep nothing, with the names of the options.
fn check_limits(options: &Options) -> anyhow::Result<()> {
    match (options.keep_gb, options.keep_days) {
        (Some(gigabytes), _) if !(gigabytes > 0.0 && gigabytes.is_finite()) => {
            bail!("--keep-gb {gigabytes}: a number above zero is wanted")
        }
        (_, Some(0)) => bail!("--keep-days 0 would keep nothing: leave recordings out with --no-record"),
        _ => Ok(()),
    }
}

fn recording(options: &Options, chosen: &DriverSettings) -> anyhow::Result<RecordingSettings> {
    if options.record_demo == Some(true) && options.demo.is_none() {
        bail!("--record-demo says that the demo is recorded, and there is none: add --demo");
    }
    Ok(RecordingSettings {
        folder: options.recordings.clone().or_else(usual_folder),
        games: chosen.record,
        demo: options.record_demo == Some(true),
        shortest_s: Policy::default().shortest_s,
        keep: RetentionLimits::of(chosen),
        memory: options.session_memory.map_or(SESSION_MEMORY, |megabytes| (megabytes as usize) << 20),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::CommandLine;

    fn settings(arguments: &[&str]) -> anyhow::Result<Settings> {
        let line = <CommandLine as clap::Parser>::try_parse_from(["trailbrake"].iter().chain(arguments))?;
        let fixed = fixed_texts(&line.options);
        settings_with(line.options, KeptSettings::open(None, fixed))
    }

    #[test]
    fn the_defaults_are_those_of_the_feeds() {
        let settings = settings(&[]).expect("settings");
        let ports: Vec<u16> = settings.ports.iter().map(|wanted| wanted.port).collect();
        assert_eq!(ports, [5005, 5400, 10000, 10101, 12000, 20777, 33340, 33740]);
        let shared = settings.ports.iter().find(|wanted| wanted.port == 20777).expect("the port");
        assert_eq!(shared.feeds, [Feed::F1, Feed::DirtRally, Feed::EaWrc]);
        assert_eq!(settings.http.to_string(), "127.0.0.1:8777");
        assert_eq!((settings.lan, settings.open_browser), (false, true));
    }

    #[test]
    fn a_feeds_own_ports_replace_its_defaults() {
        let settings =
            settings(&["--port", "gran-turismo=40000", "--port", "dirt-rally=20778"]).expect("settings");
        let ports: Vec<(u16, usize)> =
            settings.ports.iter().map(|wanted| (wanted.port, wanted.feeds.len())).collect();
        assert_eq!(
            ports,
            [(5005, 1), (5400, 1), (10000, 1), (10101, 1), (12000, 1), (20777, 2), (20778, 1), (40000, 1)]
        );
    }

    #[test]
    fn the_page_is_not_shown_to_the_network_by_accident() {
        let error = settings(&["--http", "0.0.0.0:8777"]).expect_err("an error").to_string();
        assert!(error.contains("add --lan"), "{error}");
    }

    #[test]
    fn a_demo_is_driven_as_asked_or_refused_in_words() {
        let demo = settings(&["--demo", "--demo-seed", "7"]).expect("settings").demo.expect("a demo");
        assert_eq!((demo.game.id, demo.seed, demo.speed, demo.from_s), ("f1-25", 7, 1.0, 0.0));
        let later = settings(&["--demo", "--demo-from", "95"]).expect("settings").demo.expect("a demo");
        assert_eq!(later.from_s, 95.0);
        for (id, year) in [("f1-2018", 2018), ("f1-22", 2022), ("f1", 2025)] {
            let demo = settings(&["--demo", id]).expect("settings").demo.expect("a demo");
            assert_eq!((demo.game.feed, demo.game.year), (Feed::F1, Some(year)), "{id}");
        }
        for (arguments, words) in [
            (&["--demo-seed", "7"][..], "add --demo"),
            (&["--demo-from", "7"], "add --demo"),
            (&["--demo", "--demo-speed", "0"], "times as fast"),
            (&["--demo", "--demo-from=-1"], "seconds into its race"),
        ] {
            let error = settings(arguments).expect_err("an error").to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn assetto_corsa_is_asked_on_this_machine_or_where_the_user_says() {
        let options = |arguments: &[&str]| {
            let asking = settings(arguments).expect("settings").asking;
            asking.into_iter().find(|asking| asking.feed == Feed::AcRemote).expect("somebody to ask").options
        };
        assert_eq!(options(&[]), TalkOptions::default());
        let asked = options(&["--ac-game", "192.168.1.7", "--ac-short-registration"]);
        let expected = TalkOptions {
            address: Some(([192, 168, 1, 7], 9996).into()),
            short_registration: true,
            ..TalkOptions::default()
        };
        assert_eq!(asked, expected);
    }

    #[test]
    fn games_are_recorded_by_default_and_a_demo_only_when_asked() {
        let recording = |arguments: &[&str]| settings(arguments).expect("settings").recording;
        let usual = recording(&["--demo"]);
        assert_eq!((usual.games, usual.demo, usual.keep), (true, false, RetentionLimits::default()));
        let own = recording(&["--recordings", "laps", "--demo", "--record-demo", "--keep-gb", "0.5"]);
        assert_eq!((own.folder, own.demo), (Some("laps".into()), true));
        assert_eq!(own.keep, RetentionLimits { bytes: Some(500_000_000), age: None });
        let days = recording(&["--keep-days", "30"]).keep.age.expect("an age");
        assert_eq!(days.as_secs(), 30 * 24 * 3600);
        let none = recording(&["--no-record", "--demo", "--record-demo"]);
        assert!(!none.games && none.demo, "recorded if the driver switches recording on");
        for (arguments, words) in [
            (&["--keep-gb", "0"][..], "above zero"),
            (&["--keep-gb", "NaN"], "above zero"),
            (&["--keep-days", "0"], "--no-record"),
            (&["--record-demo"], "add --demo"),
        ] {
            let error = settings(arguments).expect_err("an error").to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_console_is_asked_as_the_user_says() {
        let asked = |arguments: &[&str]| {
            let asking = settings(arguments).expect("settings").asking;
            asking.into_iter().find(|asking| asking.feed == Feed::GranTurismo)
        };
        let options = |arguments: &[&str]| asked(arguments).expect("somebody to ask").options;
        assert_eq!(options(&[]), TalkOptions::default());
        let address = Some(([192, 168, 1, 9], 33739).into());
        assert_eq!(options(&["--console", "192.168.1.9"]), TalkOptions { address, ..TalkOptions::default() });
        for (heartbeat, letter) in
            [("auto", None), ("A", Some('A')), ("B", Some('B')), ("~", Some('~')), ("C", Some('C'))]
        {
            assert_eq!(options(&["--heartbeat", heartbeat]).letter, letter);
        }
        assert!(asked(&["--demo=f1-2018"]).is_some());
        assert_eq!(asked(&["--demo=gran-turismo"]), None, "the demo is the console");
    }

    #[test]
    fn the_page_sets_what_the_command_line_leaves_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = folder.path().join("config.toml");
        std::fs::write(&config, "keep-days = 90").expect("a file");
        let kept = r#"{"version":1,"settings":{
            "port.f1-2018":"20790","port.gran-turismo":"40001","console":"10.0.0.9","heartbeat":"A","record":"no",
            "keep-days":"5","keep-gb":"2","forward":"f1-2018=127.0.0.1:5300","ac-server":"10.0.0.1:12000"}}"#;
        std::fs::write(folder.path().join("settings.json"), kept).expect("a file");
        let read = |arguments: &[&str]| {
            let line = ["trailbrake"].iter().chain(arguments);
            let line = <CommandLine as clap::Parser>::try_parse_from(line).expect("options");
            settings_of(line.options, Some(&config)).expect("settings")
        };
        let ports = |settings: &Settings| settings.ports.iter().map(|one| one.port).collect::<Vec<_>>();
        let console = |settings: &Settings| {
            let asked = settings.asking.iter().find(|asking| asking.feed == Feed::GranTurismo);
            let options = asked.expect("a request").options;
            (options.address.map(|address| address.ip().to_string()), options.letter)
        };

        let open = read(&[]);
        assert_eq!(ports(&open), [5005, 5400, 10000, 10101, 12000, 20777, 20790, 40001]);
        assert_eq!(console(&open), (Some("10.0.0.9".into()), Some('A')));
        assert_eq!(open.recording.keep.bytes, Some(2_000_000_000));
        assert_eq!(open.recording.keep.age.map(|age| age.as_secs() / 86_400), Some(90), "the options file's");
        assert_eq!((open.recording.games, open.forwards.len()), (false, 1));

        let fixed =
            read(&["--port=f1-2018=20791", "--console=10.0.0.8", "--no-record=false", "--keep-gb=0.25"]);
        assert_eq!(ports(&fixed), [5005, 5400, 10000, 10101, 12000, 20777, 20791, 40001]);
        assert_eq!(console(&fixed), (Some("10.0.0.8".into()), Some('A')), "each by itself");
        assert_eq!((fixed.recording.games, fixed.recording.keep.bytes), (true, Some(250_000_000)));
        let names = fixed.kept.report(true).fixed;
        assert_eq!(names, ["console", "keep-days", "keep-gb", "port.f1", "record"]);
    }
}
