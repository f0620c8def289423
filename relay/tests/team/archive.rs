//! From rigs to the archive, with real servers: the archived file is a prefix of the rig's at every moment, and equal at the
//! end.

use std::path::{Path, PathBuf};

use trailbrake_shared::recording::{Opening, read_whole};

use crate::program::{Hub, printed, servers, until};
use crate::rig::{Rig, finished, parts};

/// The folder of a rig's recordings at the hub.
pub(crate) fn archived(hub: &Hub, rig: &str) -> PathBuf {
    hub.path("library").join(rig)
}

/// A rig of a hub, with a folder of recordings.
pub(crate) fn rig(hub: &Hub, name: &str) -> Rig {
    let invitation = hub.invite(name);
    Rig::new(hub.folder.path().join(format!("{name}-recordings")), invitation)
}

/// Waits until the hub has so many finished recordings of a rig, and all of them are the rig's.
#[track_caller]
pub(crate) fn is_equal(hub: &Hub, name: &str, rig: &Rig, count: usize) {
    is_equal_in(&hub.path(""), name, rig, count);
}

/// The same for a hub's folder.
#[track_caller]
pub(crate) fn is_equal_in(hub: &Path, name: &str, rig: &Rig, count: usize) {
    let archived = hub.join("library").join(name);
    until(|| {
        let bytes = |folder: &Path| {
            let mut all: Vec<Vec<u8>> = finished(folder).into_iter().map(|one| one.bytes).collect();
            all.sort();
            all
        };
        let own = bytes(&rig.library);
        (own.len() == count && own == bytes(&archived)).then_some(())
    });
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let verified = printed(&["team", "verify", &text(&rig.library), &text(hub)]);
    assert_eq!(verified, format!("{count} equal, 0 not\n"));
}

/// Starts a rig without a game, until the hub has all of its recordings.
#[track_caller]
pub(crate) fn completes(hub: &Hub, name: &str, rig: &Rig, count: usize) {
    let running = rig.start_idle();
    is_equal(hub, name, rig, count);
    running.stop();
}

/// The packets of a recording, without their times.
fn packets(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    let mut packets = opening.finish().expect("a recording").all_packets();
    read_whole(&mut packets, bytes);
    packets.take().into_iter().map(|packet| packet.bytes.to_vec()).collect()
}

#[test]
fn a_rig_records_the_same_with_and_without_a_team_and_waits_for_no_hub() {
    let hub = Hub::new(&[]);
    let [with, without] = ["with", "without"].map(|name| rig(&hub, name));
    let (mut one, other) = (with.start(), without.start_alone());
    one.says("no hub at");
    for rig in [&with, &without] {
        // Longer than the five seconds that a recording is on trial.
        rig.recorded(3_500_000);
    }
    one.stop();
    assert!(!other.stop().contains("Team"), "without a team nothing speaks of one");
    let recorded = [&with, &without].map(|rig| {
        let mut all = finished(&rig.library);
        assert_eq!(all.len(), 1);
        packets(&all.remove(0).bytes)
    });
    let common = recorded[0].len().min(recorded[1].len());
    assert!(common > 1000, "{common} packets");
    assert!(recorded[0][..common] == recorded[1][..common], "other packets");
    let names = |rig: &Rig| {
        let entries = std::fs::read_dir(&rig.library).expect("a folder").flatten();
        let mut endings: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().split_once('.').expect("an ending").1.to_owned())
            .collect();
        endings.sort();
        endings
    };
    assert_eq!(names(&with), names(&without), "a team leaves no file of its own");
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn what_a_rig_records_is_at_the_hub_byte_for_byte() {
    for server in servers() {
        let hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        // The program starts the server.
        let mut serve = hub.serve(Some(&server));
        serve.says("started for");
        let mut running = anna.start();
        running.says("connected as anna");
        serve.says("Online         anna");
        // While it is recorded, the archived file is a prefix of the rig's.
        let mut grown = 0;
        until(|| {
            let copy = parts(&archived(&hub, "anna")).into_iter().next()?;
            let own = parts(&anna.library).into_iter().next()?;
            assert!(own.bytes.starts_with(&copy.bytes), "not a prefix");
            grown = grown.max(copy.bytes.len());
            (grown > 400_000).then_some(())
        });
        running.stop();
        // What was recorded last may be there already: the program's end waits for it a moment.
        completes(&hub, "anna", &anna, 1);
        assert!(parts(&archived(&hub, "anna")).is_empty());
        let text = serve.stop();
        assert!(!text.contains("Trouble") && !text.contains("Ignored"), "{text}");
    }
}
