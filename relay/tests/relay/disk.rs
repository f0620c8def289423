//! A disk that fills up, and one that can only be read.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use trailbrake_isolation::{DISK, has_own_disk};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::Listing;

use crate::library::{list, path, put, recording};
use crate::recording::{drive, packets, recording_into, whole};
use crate::running::{Game, ask, send};

/// The size of the disk that fills up, in KiB: some seconds of a race.
const SMALL: u32 = 1024;
/// How long the race goes on at most.
const DRIVE: Duration = Duration::from_secs(30);

/// Mounts the disk again: larger, or so that it can only be read.
fn remount(how: &str) {
    let done = Command::new("mount").args(["-o", &format!("remount,{how}"), DISK]).status();
    assert!(done.expect("mount runs").success(), "{how}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a namespace of its own: run cargo xtask test"]
async fn a_disk_that_fills_up_is_reported_and_what_fitted_is_kept() {
    if !has_own_disk(SMALL, "disk::a_disk_that_fills_up_is_reported_and_what_fitted_is_kept") {
        return;
    }
    let disk = Path::new(DISK);
    let relay = recording_into(disk, &[]);
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let address = relay.address_of(Feed::F1);
    let driving = tokio::spawn(async move { drive(Feed::F1, address, &game, DRIVE).await });
    let full = browser.status(|status| status.recorder.trouble.is_some()).await;
    let words = full.recorder.trouble.unwrap_or_default();
    assert!(words.contains("full"), "{words}");
    // Live data goes on.
    assert!(!browser.datagrams(100).await.is_empty());
    // There is room again once something else goes; a moment later everything that waited is written.
    remount("size=65536k");
    let fine = browser.status(|status| status.recorder.trouble.is_none()).await;
    assert_eq!(fine.recorder.lost_batches, 0);
    driving.abort();
    let _ = driving.await;
    relay.stop().await;
    let [(_, bytes)] = &whole(disk)[..] else { panic!("one recording") };
    // `packets` fails where one is missing.
    println!("full after {SMALL} KiB; {} packets kept, none missing", packets(bytes).len());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a namespace of its own: run cargo xtask test"]
async fn a_folder_that_can_only_be_read_is_read_and_says_so() {
    if !has_own_disk(SMALL, "disk::a_folder_that_can_only_be_read_is_read_and_says_so") {
        return;
    }
    let disk = Path::new(DISK);
    let bytes = recording(7, 6.0);
    put(disk, "one", &bytes);
    remount("ro");
    let relay = recording_into(disk, &[]);
    let Listing { recordings, trouble, .. } = list(relay.report.http).await;
    assert_eq!(recordings.len(), 1, "{trouble:?}");
    let file = ask(relay.report.http, "GET", &path(7, "/file"), &[]).await;
    assert_eq!((file.status, file.body == bytes), (200, true));
    for (method, rest, body) in [("PATCH", "", r#"{"name":"wet"}"#), ("DELETE", "", "")] {
        let refused = send(relay.report.http, method, &path(7, rest), body.as_bytes()).await;
        let words = refused.text();
        assert!(
            refused.status >= 400 && words.contains("nothing may be written"),
            "{}: {words}",
            refused.status
        );
    }
    let mut browser = relay.browser().await;
    let game = Game::start().await;
    let address = relay.address_of(Feed::F1);
    let driving = tokio::spawn(async move { drive(Feed::F1, address, &game, DRIVE).await });
    let status = browser.status(|status| status.recorder.trouble.is_some()).await;
    assert!(!status.recorder.trouble.unwrap_or_default().is_empty());
    assert!(!browser.datagrams(100).await.is_empty());
    driving.abort();
    relay.stop().await;
    assert_eq!(fs::read(disk.join("one.trailbrake.mcap")).expect("the file"), bytes);
}
