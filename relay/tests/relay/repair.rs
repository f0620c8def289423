//! Interrupted and damaged recordings are repaired as far as possible, and the losses are reported.

use std::fs;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Packet, Tail};

use crate::race::{Folder, run};
use crate::recorded::recorded;
use crate::recording::{open, packets, recording_into, whole};
use crate::running::ask;

const FILE: &str = "race.trailbrake.mcap";

/// A minute of a race of twenty cars.
fn race() -> Vec<u8> {
    recorded(Feed::F1, 7, 60.0)
}

fn repair(folder: &Folder, file: &str, options: &[&str]) -> anyhow::Result<String> {
    run(folder, "repair", file, options).map(|(_, notes)| notes)
}

/// All packets that can still be read from a file.
fn what_is_left(bytes: &[u8]) -> Vec<Packet> {
    let mut packets = open(bytes).all_packets();
    trailbrake_shared::recording::read_whole(&mut packets, bytes);
    assert_eq!(packets.damaged(), 0);
    packets.take()
}

#[test]
fn a_recording_that_was_cut_off_anywhere_is_whole_again_up_to_there() {
    let race = race();
    let all = packets(&race);
    let end = open(&race).end_of_data() as usize;
    for (nth, len) in
        [end / 7, end * 2 / 5 + 1, end - 40, end, end + 5, race.len() - 1].into_iter().enumerate()
    {
        let folder = Folder::new(&format!("repair-cut-{nth}"));
        fs::write(folder.path(FILE), &race[..len]).expect("a file");
        let printed = repair(&folder, FILE, &[]).expect("a recording that is whole");
        let mended = folder.read(FILE);
        let left = packets(&mended);
        assert!(all.starts_with(&left), "cut at {len}");
        let lost_s = all[all.len() - 1].at.seconds_since(left[left.len() - 1].at);
        let whole_s = all[all.len() - 1].at.seconds_since(all[0].at);
        // At most one block, a second, is lost beyond what was cut off.
        assert!(
            lost_s <= whole_s * (1.0 - len as f64 / end as f64).max(0.0) * 1.2 + 1.1,
            "{lost_s} s at {len}"
        );
        assert!(!open(&mended).laps().laps.is_empty(), "its laps are known again");
        assert_eq!(folder.read(&format!("{FILE}.broken")), &race[..len], "the damaged file is kept");
        assert!(
            printed.contains("saved: ")
                && printed.contains(" 20 laps of all cars")
                && printed.contains(".broken"),
            "{printed}"
        );
        // Without a partial packet behind the data, only the index has to be rebuilt.
        let at_a_block_s_end = len == end || len + 1 == race.len();
        assert_eq!(
            printed.contains("lost: nothing that had been written whole"),
            at_a_block_s_end,
            "{len}: {printed}"
        );
        assert!(repair(&folder, FILE, &[]).expect("whole").starts_with("whole: "));
    }
}

#[test]
fn damaged_parts_are_left_out_and_reported_by_laps_and_seconds() {
    let mut race = race();
    let all = packets(&race);
    let facts = open(&race).facts().clone();
    let middle = open(&race).end_of_data() as usize / 2;
    race[middle] ^= 0x20;
    let folder = Folder::new("repair-within");
    fs::write(folder.path(FILE), &race).expect("a file");
    let printed = repair(&folder, FILE, &["-o", "out.trailbrake.mcap"]).expect("a recording");
    let mended = folder.read("out.trailbrake.mcap");
    let left = what_is_left(&mended);
    let lost = all.len() - left.len();
    assert!(lost > 0 && left.iter().all(|packet| all.contains(packet)));
    assert!(printed.contains(&format!("({lost} packets), in lap 1")), "{lost}: {printed}");
    assert!(printed.contains("lost: 1 stretch of "), "{printed}");
    assert_eq!(*open(&mended).facts(), facts, "what was learnt when nothing was missing stays");
    assert!(folder.read(FILE) == race, "the damaged file stays as it is");
    let error = repair(&folder, FILE, &["-o", "out.trailbrake.mcap"]).expect_err("an error");
    assert!(format!("{error:#}").contains("cannot be written"), "{error:#}");
}

#[test]
fn a_change_that_was_broken_off_is_finished() {
    let race = race();
    let folder = Folder::new("repair-journal");
    let recording = open(&race);
    let mut facts = recording.facts().clone();
    let labels = trailbrake_shared::recording::facts::Labels { name: Some("Mine".into()), tags: Vec::new() };
    facts.put(recording.info().created, &labels);
    let tail = Tail::with(&recording, &facts);
    // The kill came when half of the new end had been written.
    let half = tail.from as usize + tail.bytes.len() / 2;
    let broken = [&race[..tail.from as usize], &tail.bytes].concat();
    fs::write(folder.path(FILE), &broken[..half]).expect("a file");
    fs::write(folder.path(&format!("{FILE}.journal")), tail.journal()).expect("a file");
    let printed = repair(&folder, FILE, &[]).expect("a recording");
    assert!(printed.contains("finished: a change") && printed.contains("whole: "), "{printed}");
    assert_eq!(open(&folder.read(FILE)).facts().get(), Ok(Some(labels)));
    assert!(!folder.path(&format!("{FILE}.journal")).exists());
}

#[tokio::test]
async fn what_is_being_recorded_is_left_alone() {
    let folder = Folder::new("repair-in-use");
    let part = format!("{FILE}.part");
    let race = race();
    let cut = &race[..open(&race).end_of_data() as usize / 2];
    let relay = recording_into(&folder.path(""), &[]);
    drop(ask(relay.report.http, "GET", "/library", &[]).await);
    // Starting the relay would have repaired it, so it is written after the start.
    fs::write(folder.path(&part), cut).expect("a file");
    for options in [&[][..], &["-o", "out.trailbrake.mcap"]] {
        let error = repair(&folder, &part, options).expect_err("an error");
        assert!(format!("{error:#}").contains("a Trailbrake records into"), "{error:#}");
    }
    assert_eq!(folder.read(&part), cut);
    relay.stop().await;
    let printed = repair(&folder, &part, &[]).expect("a recording");
    assert!(printed.contains("saved: ") && !folder.path(&part).exists(), "{printed}");
}

/// The only recording in a folder, with its file name.
fn the_one(folder: &Folder) -> (String, Vec<u8>) {
    let files = whole(&folder.path(""));
    let [one] = &files[..] else { panic!("{:?}", files.iter().map(|(name, _)| name).collect::<Vec<_>>()) };
    one.clone()
}

#[test]
fn a_recording_under_way_gets_the_name_that_it_would_have_got() {
    let (race, began_as) = (race(), "2026-11-21_1432_f1-2018.trailbrake.mcap.part");
    let end = open(&race).end_of_data() as usize;
    // One that was interrupted, and one that was complete but not yet renamed.
    for (test, len) in [("repair-part", end / 2), ("repair-part-whole", race.len())] {
        let folder = Folder::new(test);
        fs::write(folder.path(began_as), &race[..len]).expect("a file");
        let printed = repair(&folder, began_as, &[]).expect("a recording");
        let (name, bytes) = the_one(&folder);
        assert!(name.contains("_f1-2018_") && printed.contains(&name), "{name}: {printed}");
        assert!(!packets(&bytes).is_empty() && !folder.path(began_as).exists());
        // Another one of the same minute gets a number.
        fs::write(folder.path(began_as), &race[..len]).expect("a file");
        repair(&folder, began_as, &[]).expect("a recording");
        assert!(folder.path(&name.replace(".trailbrake", "-2.trailbrake")).exists(), "{name}");
    }
}

#[test]
fn a_repair_that_was_broken_off_is_done_again_or_finished() {
    let race = race();
    let cut = &race[..open(&race).end_of_data() as usize / 2];
    let folder = Folder::new("repair-again");
    fs::write(folder.path(FILE), cut).expect("a file");
    repair(&folder, FILE, &[]).expect("a recording");
    let mended = folder.read(FILE);
    // The kill came while the new file was being written: the repair starts again.
    let again = Folder::new("repair-again-half");
    fs::write(again.path(FILE), cut).expect("a file");
    fs::write(again.path(&format!("{FILE}.mending")), &mended[..mended.len() / 2]).expect("a file");
    let printed = repair(&again, FILE, &[]).expect("a recording");
    assert!(printed.contains("saved: ") && again.read(FILE) == mended, "{printed}");
    assert!(!again.path(&format!("{FILE}.mending")).exists());
    // The kill came between the two renames: only the new file's rename is missing.
    fs::rename(again.path(FILE), again.path(&format!("{FILE}.mending"))).expect("a name");
    let printed = repair(&again, FILE, &[]).expect("a recording");
    assert!(printed.starts_with("finished: a repair") && again.read(FILE) == mended, "{printed}");
    assert_eq!(again.read(&format!("{FILE}.broken")), cut);
    // The same for a recording under way, which has no final name yet.
    let part = Folder::new("repair-again-part");
    fs::write(part.path("now.trailbrake.mcap.part.mending"), &mended).expect("a file");
    repair(&part, "now.trailbrake.mcap.part", &[]).expect("a recording");
    let (name, bytes) = the_one(&part);
    assert!(name.contains("_f1-2018_") && bytes == mended, "{name}");
}

#[test]
fn what_holds_nothing_is_refused_and_stays() {
    let folder = Folder::new("repair-nothing");
    fs::write(folder.path("noise.mcap"), crate::noise::Noise::seeded(3).bytes(5000)).expect("a file");
    for (file, words) in [
        ("noise.mcap", "holds no part of a recording"),
        ("race.pcapng", "no part"),
        ("missing", "cannot be read"),
    ] {
        let error = format!("{:#}", repair(&folder, file, &[]).expect_err("an error"));
        assert!(error.contains(words), "{file}: {error}");
    }
    assert_eq!(folder.read("race.pcapng"), crate::race::race().capture);
    assert!(!folder.path("noise.mcap.mending").exists());
}
