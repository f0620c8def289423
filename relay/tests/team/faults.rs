//! What fails, and what happens then: nothing is to be done by hand, and every file is equal at the end.

use std::fs;
use std::path::Path;

use crate::archive::{archived, completes, is_equal, rig};
use crate::program::{Hub, servers, until};
use crate::proxy::Proxy;
use crate::recorded::{now, put, recorded, recorded_from};
use crate::rig::{Rig, finished, parts};

/// Waits until the archive has so many bytes of the recording under way.
fn reaches(hub: &Hub, name: &str, bytes: usize) -> usize {
    until(|| parts(&archived(hub, name)).first().map(|one| one.bytes.len()).filter(|len| *len >= bytes))
}

/// Waits until a rig's recording under way is some bytes further than at the hub.
fn gets_ahead(rig: &Rig, of: usize) {
    rig.recorded(of + 100_000);
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_hub_that_is_killed_paused_or_emptied_costs_nothing() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        hub.start(&server);
        let mut serve = hub.serve(None);
        let running = anna.start();
        let there = reaches(&hub, "anna", 100_000);
        hub.signal("STOP");
        gets_ahead(&anna, there);
        hub.signal("CONT");
        let there = reaches(&hub, "anna", there + 100_000);
        hub.kill();
        gets_ahead(&anna, there);
        hub.start(&server);
        let there = reaches(&hub, "anna", there + 100_000);
        hub.kill();
        fs::remove_dir_all(hub.path("store-nats")).expect("the store");
        gets_ahead(&anna, there);
        hub.start(&server);
        reaches(&hub, "anna", there + 100_000);
        serve.says("goes on");
        running.stop();
        completes(&hub, "anna", &anna, 1);
    }
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &to) } else { assert!(fs::copy(path, to).is_ok()) }
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_store_that_comes_back_older_is_read_again() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        hub.start(&server);
        let _serve = hub.serve(None);
        let running = anna.start();
        let there = reaches(&hub, "anna", 100_000);
        hub.kill();
        let older = hub.folder.path().join("older");
        copy(&hub.path("store-nats"), &older);
        hub.start(&server);
        // The archive is further than the store will be, as after a power cut at the hub.
        reaches(&hub, "anna", there + 2_000_000);
        hub.kill();
        fs::remove_dir_all(hub.path("store-nats")).expect("the store");
        copy(&older, &hub.path("store-nats"));
        hub.start(&server);
        reaches(&hub, "anna", there + 4_000_000);
        running.stop();
        completes(&hub, "anna", &anna, 1);
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn an_archive_and_a_rig_that_are_killed_go_on_where_they_were() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        hub.start(&server);
        let serve = hub.serve(None);
        let running = anna.start();
        let there = reaches(&hub, "anna", 100_000);
        serve.kill();
        gets_ahead(&anna, there);
        let serve = hub.serve(None);
        reaches(&hub, "anna", there + 100_000);
        running.kill();
        // Its recording is repaired at its start.
        completes(&hub, "anna", &anna, 1);
        // A kill at any moment is one between two of these steps, too.
        serve.kill();
        fs::remove_file(hub.path("library/position.json")).expect("the position");
        let serve = hub.serve(None);
        completes(&hub, "anna", &anna, 1);
        assert!(!serve.stop().contains("Trouble"));
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_link_that_is_cut_or_silent_keeps_nobody_waiting() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        let link = Proxy::to(hub.port);
        through(&link, &hub, "anna");
        // The rig starts without a hub.
        let mut running = anna.start();
        running.says("no hub at");
        hub.start(&server);
        let _serve = hub.serve(None);
        running.says("connected as anna");
        let there = reaches(&hub, "anna", 100_000);
        link.silence();
        gets_ahead(&anna, there);
        link.open();
        let there = reaches(&hub, "anna", there + 100_000);
        link.cut();
        gets_ahead(&anna, there);
        link.open();
        reaches(&hub, "anna", there + 100_000);
        link.cut();
        running.stop();
        assert!(finished(&archived(&hub, "anna")).is_empty(), "the end of it is not there yet");
        link.open();
        completes(&hub, "anna", &anna, 1);
    }
}

/// Leads an invitation through a link.
pub(crate) fn through(link: &Proxy, hub: &Hub, name: &str) {
    let path = hub.folder.path().join(format!("{name}.team"));
    let text = fs::read_to_string(&path).expect("an invitation");
    let through = text.replace(&format!("127.0.0.1:{}", hub.port), &format!("127.0.0.1:{}", link.port));
    fs::write(path, through).expect("written");
}

/// Lets a rig share recordings of any age.
pub(crate) fn share_all(hub: &Hub, name: &str) {
    let path = hub.folder.path().join(format!("{name}.team"));
    let text = fs::read_to_string(&path).expect("an invitation");
    let lines = text.lines().map(|line| if line.starts_with("issued") { "issued = 0" } else { line });
    fs::write(path, lines.collect::<Vec<_>>().join("\n")).expect("written");
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_recording_that_began_before_the_invitation_is_not_sent_while_it_goes_on() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    hub.start(&server);
    let _serve = hub.serve(None);
    let _running = anna.start_late();
    anna.recorded(100_000);
    // What is under way would be sent before this.
    put(&anna.library, "later", &recorded_from(1, 2, now()));
    until(|| (finished(&archived(&hub, "anna")).len() == 1).then_some(()));
    assert_eq!(parts(&archived(&hub, "anna")).len(), 0);
    assert_eq!(parts(&anna.library).len(), 1);
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn recordings_that_were_there_before_the_invitation_are_the_drivers_own() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    hub.start(&server);
    let _serve = hub.serve(None);
    put(&anna.library, "earlier", &recorded(1, 20));
    let running = anna.start();
    // From here on it is certain to be kept.
    reaches(&hub, "anna", 1);
    running.stop();
    let _running = anna.start_idle();
    until(|| (finished(&archived(&hub, "anna")).len() == 1).then_some(()));
    let names = finished(&anna.library).into_iter().map(|one| one.path).collect::<Vec<_>>();
    assert!(
        names.len() == 2 && names.iter().any(|path| path.ends_with("earlier.trailbrake.mcap")),
        "{names:?}"
    );
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_full_stream_makes_rigs_wait_and_nothing_leaves_it_before_the_archive_has_it() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        share_all(&hub, "anna");
        // Room for a part of what comes.
        let text = hub.text("hub.toml").replace("store_bytes = 1000000000", "store_bytes = 1500000");
        fs::write(hub.path("hub.toml"), text).expect("written");
        for id in 1..=5_u8 {
            put(&anna.library, &format!("file-{id}"), &recorded(id.into(), 15));
        }
        let total: usize = finished(&anna.library).iter().map(|one| one.bytes.len()).sum();
        assert!(total > 2_000_000, "{total} bytes fit in the stream");
        hub.start(&server);
        // The archive makes the stream, answers, and then reads nothing.
        let mut serve = hub.serve(None);
        serve.says("Archive");
        let mut running = anna.start_idle();
        reaches(&hub, "anna", 1);
        serve.signal("STOP");
        running.says("the hub");
        serve.signal("CONT");
        is_equal(&hub, "anna", &anna, 5);
        running.stop();
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn what_is_deleted_or_trimmed_on_the_rig_stays_at_the_hub_as_far_as_it_came() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    hub.start(&server);
    let _serve = hub.serve(None);
    let running = anna.start();
    // What is shorter than five seconds is not kept.
    reaches(&hub, "anna", 3_500_000);
    running.kill();
    let own = parts(&anna.library).remove(0);
    let there = parts(&archived(&hub, "anna")).remove(0);
    // Trimmed: the rig repairs what is left, and the hub keeps what it had beside that.
    fs::write(&own.path, &own.bytes[..own.bytes.len() - 500_000]).expect("written");
    let running = anna.start_idle();
    is_equal(&hub, "anna", &anna, 1);
    let copies = parts(&archived(&hub, "anna"));
    assert!(copies.len() == 1 && copies[0].path.to_string_lossy().contains("-incomplete"), "{copies:?}");
    assert!(copies[0].bytes.starts_with(&there.bytes), "all that had come");
    running.stop();
    // Deleted before it was confirmed.
    let running = anna.start();
    until(|| parts(&archived(&hub, "anna")).iter().find(|one| is_underway(&one.path)).map(|_| ()));
    running.kill();
    fs::remove_file(&parts(&anna.library).remove(0).path).expect("removed");
    let running = anna.start_idle();
    is_equal(&hub, "anna", &anna, 1);
    assert!(
        parts(&archived(&hub, "anna")).iter().any(|one| is_underway(&one.path)),
        "the hub keeps its part"
    );
    running.stop();
}

fn is_underway(path: &Path) -> bool {
    !path.to_string_lossy().contains("-incomplete")
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn an_archived_file_that_is_shortened_by_hand_is_completed() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    hub.start(&server);
    let serve = hub.serve(None);
    let running = anna.start();
    let there = reaches(&hub, "anna", 200_000);
    serve.stop();
    let part = parts(&archived(&hub, "anna")).remove(0);
    fs::write(&part.path, &part.bytes[..1000]).expect("written");
    let _serve = hub.serve(None);
    reaches(&hub, "anna", there + 1000);
    running.stop();
    completes(&hub, "anna", &anna, 1);
}
