//! Samples for bug reports: the last packets of a running relay, as a file that `inspect` reads.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use trailbrake_relay::commands::{Command, CommandLine};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1::Kind;
use trailbrake_shared::library::Listing;
use trailbrake_shared::recording::SampleReport;

use crate::recording::open;
use crate::room::tablet_access;
use crate::running::{Browser, Game, Running, ask, live_request, packet, settings};

fn command(arguments: &[&str]) -> anyhow::Result<String> {
    let line = CommandLine::try_parse_from(["trailbrake"].iter().chain(arguments))?;
    let Some(command): Option<Command> = line.command else { panic!("a command") };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    command.run(&mut out, &mut notes)?;
    out.extend(notes);
    Ok(String::from_utf8(out)?)
}

async fn in_background(arguments: Vec<String>) -> anyhow::Result<String> {
    let run = move || command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

fn text(path: &Path) -> String {
    path.to_str().expect("a path").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_holds_what_was_recognised_and_what_was_rejected() {
    let relay = Running::start(settings(&["--forward=f1-2018=127.0.0.1:9"]));
    let (mut browser, game) = (relay.browser().await, Game::start().await);
    let port = relay.address_of(Feed::F1);
    for last in 0..3 {
        game.send(port, &packet(Kind::Motion, last)).await;
    }
    game.send(port, b"a game of tomorrow").await;
    browser.datagrams(4).await;
    browser.status(|status| status.ports.iter().any(|port| port.rejected == 1)).await;

    let folder = std::env::temp_dir().join(format!("trailbrake-sample-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("sample.trailbrake.mcap");
    let http = relay.report.http.to_string();
    let arguments = ["sample", "--http", &http, "--config", "/dev/null", "-o", &text(&file)];
    let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
    let written = in_background(arguments.clone()).await.expect("a sample");
    assert!(written.contains("written: "), "{written}");
    let again = in_background(arguments).await.expect_err("a file is not overwritten").to_string();
    assert!(again.contains("cannot be written"), "{again}");

    let summary = command(&["inspect", &text(&file)]).expect("a summary");
    for words in [
        "f1  from 127.0.0.1:",
        "sample of trailbrake ",
        "3 packets",
        "of no known game",
        "4 packets, 1 rejected, the last one: ",
        "forward: f1=127.0.0.1:9",
        "recording: no",
    ] {
        assert!(summary.contains(words), "{words}: {summary}");
    }
    let sent: Vec<Vec<u8>> = (0..3).map(|last| packet(Kind::Motion, last)).collect();
    let raw = folder.join("raw.bin");
    command(&["export", &text(&file), "--format", "raw", "-o", &text(&raw)]).expect("its packets");
    let raw = fs::read(raw).expect("bytes");
    assert!(sent.iter().all(|packet| raw.windows(packet.len()).any(|part| part == packet)), "byte for byte");

    let answer = ask(relay.report.http, "GET", "/sample", &[]).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-disposition").is_some_and(|name| name.contains("trailbrake-sample_")));
    relay.stop().await;
    fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_running_program_the_command_says_what_to_do() {
    let relay = Running::usual();
    let http = relay.report.http.to_string();
    relay.stop().await;
    let arguments = ["sample", "--http", &http, "--config", "/dev/null", "-o", "/nowhere/sample"];
    let arguments = arguments.iter().map(|one| (*one).to_owned()).collect();
    let error = in_background(arguments).await.expect_err("nothing runs").to_string();
    assert!(error.contains("start one and drive until it goes wrong"), "{error}");
}

#[tokio::test]
async fn a_tablets_sample_has_nothing_of_how_the_program_was_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let recordings = format!("--recordings={}", folder.path().display());
    let options = [
        &recordings,
        "--lan",
        "--lan-address=127.0.0.1",
        "--forward=f1-2018=127.0.0.1:9",
        "--console=127.0.0.77",
    ];
    let relay = Running::start(settings(&options));
    let own = relay.report.http;
    let (tablets, cookie) = tablet_access(&relay).await;
    let report = |bytes: &[u8]| open(bytes).facts().get::<SampleReport>().expect("a report").expect("one");

    let owners = report(&ask(own, "GET", "/sample", &[]).await.body);
    assert_eq!(owners.settings["forward"], "f1=127.0.0.1:9");
    assert_eq!(owners.status.forwards.len(), 1);
    assert!(!owners.status.talks.is_empty() && !owners.settings.is_empty());
    let theirs = report(&ask(tablets, "GET", "/sample", &[("cookie", &cookie)]).await.body);
    assert!(theirs.settings.is_empty(), "{:?}", theirs.settings);
    assert_eq!((theirs.status.forwards.len(), theirs.status.talks.len()), (0, 0));

    // The list and the status have no more of the folder than its name.
    let path = folder.path().display().to_string();
    let name = folder.path().file_name().and_then(|name| name.to_str()).expect("a name");
    for (list, shown) in [("/library", name), ("/library/bin", "bin")] {
        let listing: Listing = ask(own, "GET", list, &[]).await.json();
        assert!(listing.folder.starts_with(&path), "{}", listing.folder);
        let listing: Listing = ask(tablets, "GET", list, &[("cookie", &cookie)]).await.json();
        assert_eq!(listing.folder, shown);
    }
    // So has a reason for which something can't be done.
    fs::write(folder.path().join("tracks.json"), r#"{"version": 99}"#).expect("a file");
    let refused = ask(own, "GET", "/tracks", &[]).await;
    assert!(refused.status != 200 && refused.text().contains(&path), "{}", refused.text());
    let refused = ask(tablets, "GET", "/tracks", &[("cookie", &cookie)]).await;
    let words = refused.text();
    assert!(refused.status != 200 && words.contains(name) && !words.contains(&path), "{words}");
    let mut request = live_request(tablets);
    request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
    let mut tablet = Browser::open(request).await;
    let status = tablet.status(|_| true).await;
    assert_eq!((status.recorder.folder.as_deref(), status.forwards.len()), (Some(name), 0));
    relay.stop().await;
}
