//! A driver joins a team on the page, sees how the rig stands with it, pauses and leaves.

use std::time::Duration;

use fantoccini::Locator;
use trailbrake_isolation::free_port;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::{Program, command};
use crate::recording_links::until;

/// An invitation to a hub that does not run, in a file.
fn invitation(folder: &Folder, rig: &str) -> String {
    let run = |arguments: &[&str]| {
        let made = command("team").args(arguments).output().expect("the program runs");
        assert!(made.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&made.stderr));
        made.stdout
    };
    let hub = folder.0.join("hub").to_string_lossy().into_owned();
    run(&["init", &hub, "--host", &format!("127.0.0.1:{}", free_port())]);
    let file = folder.0.join(format!("{rig}.team"));
    std::fs::write(&file, run(&["add", rig, &hub])).expect("a file");
    file.to_string_lossy().into_owned()
}

async fn press(chromium: &Chromium, button: &str) {
    let button = format!("document.querySelector('[data-testid={button}]')");
    until(chromium, &format!("{button} && !{button}.disabled")).await;
    chromium.ask(&format!("{button}.click()")).await;
}

async fn choose(chromium: &Chromium, file: &str) {
    until(chromium, "document.querySelector('[data-testid=join-team]')").await;
    let field = chromium.client.find(Locator::Css("[data-testid=join-team]")).await.expect("a button");
    field.send_keys(file).await.expect("a file chosen");
}

async fn shows(chromium: &Chromium, state: &str) {
    until(
        chromium,
        &format!("document.querySelector('[data-testid=team-line]')?.dataset.state == '{state}'"),
    )
    .await;
}

async fn pictures(chromium: &Chromium, name: &str) {
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        chromium.picture(&format!("{name}-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_driver_joins_a_team_pauses_and_leaves() {
    let folder = Folder::new("team");
    let file = invitation(&folder, "anna");
    let broken = folder.0.join("broken.team");
    std::fs::write(&broken, "Trailbrake").expect("a file");
    let (recordings, config) = (folder.0.join("recordings"), folder.0.join("config.toml"));
    std::fs::write(&config, "").expect("a file");
    let options = ["--recordings", &recordings.to_string_lossy(), "--config", &config.to_string_lossy()]
        .map(str::to_owned);
    let options = options.each_ref().map(String::as_str);
    let address = format!("127.0.0.1:{}", free_port());
    let mut program = Program::recording_at(&address, &options);
    let kept = folder.0.join("team.toml");

    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/connections", program.url)).await.expect("the page");
    choose(&chromium, &broken.to_string_lossy()).await;
    chromium
        .until("[data-testid=team-failure]", |words| words.contains("no invitation that can be used"))
        .await;
    chromium.check_clean_but(&["/team/invitation"]).await;
    choose(&chromium, &file).await;
    chromium.until("[data-figure=team-rig]", |rig| rig == "anna").await;
    pictures(&chromium, "team-offer").await;
    assert!(!kept.exists(), "nothing is kept before the driver agrees");
    let is_without = "!document.querySelector('[data-testid=team-line]')";
    assert_eq!(chromium.ask(&format!("return {is_without}")).await, true);

    press(&chromium, "agree-to-team").await;
    // Its hub does not run.
    shows(&chromium, "offline").await;
    pictures(&chromium, "team-offline").await;
    assert!(kept.exists());
    press(&chromium, "pause-team").await;
    shows(&chromium, "paused").await;
    program.restart(Duration::ZERO);
    chromium.client.refresh().await.expect("the page");
    shows(&chromium, "paused").await;
    press(&chromium, "pause-team").await;
    shows(&chromium, "offline").await;

    press(&chromium, "leave-team").await;
    press(&chromium, "leave-team").await;
    until(&chromium, is_without).await;
    until(&chromium, "document.querySelector('[data-testid=join-team]')").await;
    assert!(!kept.exists());
    chromium.check_clean_but(&["ERR_CONNECTION"]).await;
    chromium.close().await;
}
