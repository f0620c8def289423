use trailbrake_model::Channel;

use super::*;
use crate::TalkOptions;
use crate::feed::Feed;

fn texts(pairs: &[(&str, &str)]) -> Texts {
    pairs.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

/// The problems of one change, each with its setting.
fn problems(before: &[(&str, &str)], changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let here = ["192.168.1.5".parse().expect("an address")];
    let found = super::problems(&texts(before), &texts(changes), &here);
    found.into_iter().map(|problem| (problem.setting, problem.words)).collect()
}

#[test]
fn every_setting_is_found_by_its_id_and_has_words() {
    let all: Vec<Setting> = Setting::all().collect();
    for setting in &all {
        assert_eq!(Setting::of_id(&setting.id()), Some(*setting));
        assert!(!setting.label().is_empty(), "{setting:?}");
    }
    assert_eq!(Section::ALL.into_iter().flat_map(Setting::of_section).collect::<Vec<_>>(), all);
    assert_eq!(Setting::of_id("port.ac-remote"), Some(Setting::Ports(Feed::AcRemote)));
    assert_eq!([Setting::of_id("port.imported-laps"), Setting::of_id("steering.ac-lua")], [None, None]);
}

#[test]
fn texts_become_values() {
    let (settings, wrong) = read(&texts(&[
        ("author", " Ann "),
        ("steering.f1-2018", "360"),
        ("tyre-surface-from", "80"),
        ("tyre-surface-to", "105.5"),
        ("tyre-inside-from", "70"),
        ("port.f1-2018", "20778, 20779 20778"),
        ("console", "192.168.1.9"),
        ("heartbeat", "~"),
        ("ac-game", "192.168.1.7"),
        ("ac-server", "10.0.0.1:12000"),
        ("forward", "f1-2018=127.0.0.1:5300\n\n dirt-rally = 10.0.0.2:5301 "),
        ("record", "no"),
        ("keep-gb", "0.5"),
        ("keep-days", "30"),
    ]));
    assert_eq!(wrong, []);
    assert_eq!((settings.author.as_str(), settings.steering_deg[&Feed::F1]), ("Ann", 360.0));
    let window = settings.tyres.of_channel(Channel::TyreSurfaceTemperature);
    assert_eq!(window, Some(TyreWindow { from_c: 80.0, to_c: 105.5 }));
    assert_eq!(settings.tyres.of(TyreLayer::Inside), None, "a window has two ends");
    assert_eq!(settings.ports_of(Feed::F1), [20778, 20779]);
    assert_eq!(settings.ports_of(Feed::GranTurismo), [33740, 33340]);
    let to = |text: &str| text.parse().expect("an address");
    assert_eq!(
        settings.forwards,
        [
            ForwardTarget { feed: Feed::F1, to: to("127.0.0.1:5300") },
            ForwardTarget { feed: Feed::DirtRally, to: to("10.0.0.2:5301") },
        ]
    );
    assert_eq!((settings.record, settings.keep_gb, settings.keep_days), (false, Some(0.5), Some(30)));
    let asked = |feed| settings.talk_of(feed);
    let console = Some(([192, 168, 1, 9], 33739).into());
    assert_eq!(
        asked(Feed::GranTurismo),
        TalkOptions { address: console, letter: Some('~'), short_registration: false }
    );
    assert_eq!(asked(Feed::AcRemote).address, Some(([192, 168, 1, 7], 9996).into()));
    assert_eq!(asked(Feed::AcServer).address, Some(([10, 0, 0, 1], 12000).into()));
    assert_eq!(asked(Feed::F1), TalkOptions::default());
    // An empty text is the default again.
    let empty: Texts = Setting::all().map(|setting| (setting.id(), " ".to_owned())).collect();
    assert_eq!(read(&empty), (DriverSettings::default(), vec![]));
}

#[test]
fn a_setting_of_an_earlier_version_counts_unless_the_current_one_is_set() {
    let ids = ["port.f1-2018", "steering.f1-2018", "port.f1", "author", "colour"].map(Setting::current_id);
    assert_eq!(ids, ["port.f1", "steering.f1", "port.f1", "author", "colour"]);
    let both = texts(&[("port.f1", "20778"), ("port.f1-2018", "20779"), ("steering.f1-2018", "360")]);
    let current = with_current_ids(both.clone());
    assert_eq!(current, texts(&[("port.f1", "20778"), ("steering.f1", "360")]));
    let (settings, wrong) = read(&both);
    assert_eq!((settings.ports_of(Feed::F1), settings.steering_deg[&Feed::F1]), (&[20778][..], 360.0));
    assert_eq!((read(&current), wrong.len()), ((settings, wrong), 0));
    // A change replaces what is set, by whichever id each is named.
    let loops = ("forward", "f1=127.0.0.1:5300");
    for (before, change) in [("port.f1", "port.f1-2018"), ("port.f1-2018", "port.f1")] {
        let before = [loops, (before, "5300")];
        assert_eq!(problems(&before, &[(change, "5301")]), []);
        let found = problems(&before, &[(change, "5300")]);
        assert!(found.len() == 1 && found[0].0 == change, "{found:?}");
    }
}

#[test]
fn mistakes_are_named_in_a_drivers_words() {
    for (id, text, words) in [
        ("author", "a\nb", "one line"),
        ("steering.f1-2018", "5", "degrees from 30 to 2000"),
        ("tyre-surface-from", "hot", "a temperature, in °C, from -50 to 300"),
        ("port.f1-2018", "99999", "99999 is no port"),
        ("port.f1-2018", "9996", "belongs to Assetto Corsa itself"),
        ("port.f1-2018", "0", "No game can send to port 0"),
        ("port.f1-2018", "1 2 3 4 5 6 7 8 9", "too many"),
        ("console", "my ps5", "my ps5 is no address"),
        ("heartbeat", "D", "auto, A, B, ~ and C"),
        ("ac-game", "here", "192.168.1.7"),
        ("ac-server", "10.0.0.1", "no address with a port"),
        ("forward", "127.0.0.1:5300", "names no game"),
        ("forward", "imported-laps=127.0.0.1:5300", "names no game that sends packets"),
        ("forward", "f1-2018=127.0.0.1:0", "port 0"),
        ("record", "maybe", "neither yes nor no"),
        ("keep-gb", "0", "above 0"),
        ("keep-gb", "NaN", "above 0"),
        ("keep-days", "0", "above 0"),
        ("keep-days", "1.5", "a whole number"),
        ("colour", "red", "no such setting"),
    ] {
        let found = problems(&[], &[(id, text)]);
        let [(setting, reason)] = found.as_slice() else { panic!("{id} {text:?}: {found:?}") };
        assert_eq!(setting, id);
        assert!(reason.contains(words) && reason.ends_with('.'), "{id} {text:?}: {reason}");
    }
}

#[test]
fn a_change_is_rejected_only_for_its_own_conflicts() {
    let loops = "f1-2018=127.0.0.1:33740";
    let found = problems(&[], &[("forward", loops)]);
    assert!(found.len() == 1 && found[0].0 == "forward", "{found:?}");
    assert!(found[0].1.contains("would come back") && found[0].1.contains("33740"), "{found:?}");
    for own_or_all in ["f1-2018=192.168.1.5:20777", "f1-2018=192.168.1.255:20777", "f1-2018=0.0.0.0:20777"] {
        assert_eq!(problems(&[], &[("forward", own_or_all)]).len(), 1, "{own_or_all}");
    }
    assert_eq!(problems(&[], &[("forward", "f1-2018=192.168.1.6:20777")]), []);
    // A port that moves onto a target is rejected; any other change is not.
    let before = [("forward", "f1-2018=127.0.0.1:5300")];
    assert_eq!(problems(&before, &[("port.f1-2018", "5300")])[0].0, "port.f1-2018");
    assert_eq!(problems(&before, &[("port.f1-2018", "5301")]), []);
    assert_eq!(problems(&[("forward", loops)], &[("author", "Ann")]), []);
    assert_eq!(problems(&[("keep-days", "never")], &[("author", "Ann")]), []);
}

#[test]
fn a_window_has_two_ends_in_their_order() {
    let check = |before: &[(&str, &str)], changes: &[(&str, &str)], expected: &[&str]| {
        let found = problems(before, changes);
        assert_eq!(found.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), expected, "{found:?}");
    };
    let (from, to) = (("tyre-surface-from", "80"), ("tyre-surface-to", "105"));
    check(&[], &[from, to], &[]);
    check(&[], &[from], &["tyre-surface-from"]);
    check(&[to], &[from], &[]);
    check(&[from, to], &[("tyre-surface-to", "80")], &["tyre-surface-to"]);
    check(&[from, to], &[("tyre-surface-from", ""), ("tyre-surface-to", "")], &[]);
}
