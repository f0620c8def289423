//! Repairs in the recordings' folder: damaged files, changes that a kill interrupted, lap tables of an earlier version.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::Repaired;
use trailbrake_shared::recording::authored::written;
use trailbrake_shared::recording::facts::DECODER;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{Facts, LapTable, NewNote, Note, Tail};

use crate::library::{list, put, recording};
use crate::recorded::{BEGAN, recorded};
use crate::recording::{open, packets, recording_into, whole};
use crate::running::send;
use crate::running::until;

fn file(folder: &Path, name: &str) -> std::path::PathBuf {
    folder.join(format!("{name}.trailbrake.mcap"))
}

/// A recording's new end and its bytes after a change of its facts.
pub(crate) fn with_facts(bytes: &[u8], change: impl FnOnce(&mut Facts)) -> (Tail, Vec<u8>) {
    let recording = open(bytes);
    let mut facts = recording.facts().clone();
    change(&mut facts);
    let tail = Tail::with(&recording, &facts);
    let from = usize::try_from(tail.from).expect("a place");
    let changed = [&bytes[..from], &tail.bytes].concat();
    (tail, changed)
}

async fn mend(address: SocketAddr, name: &str) -> crate::running::Answer {
    send(address, "POST", &format!("/library/repair/{name}"), b"").await
}

/// The share that is done of a repair under way.
async fn share_done(address: SocketAddr, name: &str) -> Option<f64> {
    send(address, "GET", &format!("/library/repair/{name}"), b"").await.json()
}

#[tokio::test]
async fn a_file_without_an_end_is_repaired_when_asked_and_stays_beside_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = recorded(Feed::GranTurismo, 1, 60.0);
    let cut = &bytes[..bytes.len() * 3 / 4];
    put(folder.path(), "cut", cut);
    put(folder.path(), "whole", &recording(2, 3.0));
    put(folder.path(), "other", b"something else");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let listed = list(address).await.recordings;
    let broken = listed.iter().find(|entry| entry.file.starts_with("cut")).expect("it is listed");
    assert!(broken.trouble.as_deref().is_some_and(|words| words.contains("searched")), "{broken:?}");

    let mut shares = Vec::new();
    let mut mending = Box::pin(mend(address, "cut.trailbrake.mcap"));
    let answer = loop {
        tokio::select! {
            answer = &mut mending => break answer,
            share = share_done(address, "cut.trailbrake.mcap") => shares.extend(share),
        }
    };
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(!shares.is_empty() && shares.is_sorted(), "{shares:?}");
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert_eq!(share_done(address, "cut.trailbrake.mcap").await, None);
    let repaired: Repaired = answer.json();
    assert_eq!((repaired.entry.trouble, repaired.entry.id), (None, Some(open(&bytes).info().id)));
    let mended = fs::read(file(folder.path(), "cut")).expect("the file");
    let (back, all) = (packets(&mended), packets(&bytes));
    assert!(back.len() > all.len() / 2 && all.starts_with(&back), "{} of {}", back.len(), all.len());
    assert_eq!((repaired.packets, repaired.gaps), (back.len() as u64, 0));
    assert!(repaired.lost.starts_with("what stood behind its last whole second"), "{}", repaired.lost);
    assert_eq!(repaired.kept, "cut.trailbrake.mcap.broken");
    assert_eq!(open(&mended).laps().decoder, DECODER);
    assert_eq!(fs::read(folder.path().join("cut.trailbrake.mcap.broken")).expect("the old one"), cut);

    for (name, status, words) in [
        ("cut.trailbrake.mcap", 409, "needs no repair"),
        ("whole.trailbrake.mcap", 409, "needs no repair"),
        ("other.trailbrake.mcap", 422, "nothing in it can be read"),
        ("nobody.trailbrake.mcap", 404, "no such"),
        ("..%2F..%2Fetc%2Fpasswd", 404, "no such"),
    ] {
        let refused = mend(address, name).await;
        assert_eq!(refused.status, status, "{name}: {}", refused.text());
        assert!(refused.text().contains(words), "{name}: {}", refused.text());
    }
    assert_eq!(fs::read(file(folder.path(), "other")).expect("the file"), b"something else");
    relay.stop().await;
}

#[tokio::test]
async fn missing_packets_are_reported_in_numbers_and_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = recorded(Feed::F1, 1, 60.0);
    let all = packets(&bytes);
    let end = open(&bytes).end_of_data() as usize;
    bytes.truncate(end);
    bytes[end / 2] ^= 0x20;
    put(folder.path(), "hit", &bytes);
    let relay = recording_into(folder.path(), &[]);
    let listed = list(relay.report.http).await.recordings;
    assert!(listed[0].damaged && listed[0].id.is_none(), "{listed:?}");
    let repaired: Repaired = mend(relay.report.http, "hit.trailbrake.mcap").await.json();
    relay.stop().await;
    let lost = all.len() as u64 - repaired.packets;
    assert!(lost > 0 && repaired.gaps == 1, "{repaired:?}");
    assert!(repaired.lost.contains(&format!("({lost} packets), in lap 1; and what stood")), "{repaired:?}");
    assert!(!repaired.entry.damaged);
}

#[tokio::test]
async fn a_repair_that_a_kill_broke_off_is_undone_or_finished_at_the_next_start() {
    let whole_one = recorded(Feed::GranTurismo, 1, 20.0);
    let cut = &whole_one[..whole_one.len() * 3 / 4];
    let names = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    };
    let (one, mending) = ("one.trailbrake.mcap", "one.trailbrake.mcap.mending");
    let (broken, part) = ("one.trailbrake.mcap.broken", "now.trailbrake.mcap.part.mending");
    let own = whole_one.clone();
    // The folder's files before and after a start; `*` stands for the recording's own file name.
    for (before, after) in [
        (vec![(one, cut), (mending, &own[..own.len() / 2])], vec![(one, cut)]),
        (vec![(one, cut), (mending, &own[..])], vec![(one, cut)]),
        (vec![(broken, cut), (mending, &own[..])], vec![(one, &own[..]), (broken, cut)]),
        (vec![(part, &own[..])], vec![("*", &own[..])]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes) in &before {
            fs::write(folder.path().join(name), bytes).expect("a file");
        }
        let relay = recording_into(folder.path(), &[]);
        drop(list(relay.report.http).await);
        relay.stop().await;
        let left = names(folder.path());
        assert_eq!(left.len(), after.len(), "{left:?}");
        for ((name, bytes), left) in after.iter().zip(&left) {
            assert!(name == left || *name == "*" && left.contains("_gran-turismo-7_"), "{left}");
            assert!(fs::read(folder.path().join(left)).expect("the file") == *bytes, "{left}");
        }
    }
}

#[tokio::test]
async fn a_note_that_a_kill_broke_off_is_finished_at_the_next_start() {
    let bytes = recording(1, 4.0);
    let new = NewNote {
        at: BEGAN.plus_seconds(2.0),
        author: "Ann".into(),
        text: "brakes late".into(),
        car: None,
        distance_m: None,
        colour: None,
        rank_mm: None,
        felt: None,
    };
    let opened = open(&bytes);
    let (name, note) = written::<Note>(&opened, opened.facts(), &new, BEGAN).expect("a note");
    let (tail, changed) = with_facts(&bytes, |facts| facts.store(&name, note));
    let (journal, from) = (tail.journal(), usize::try_from(tail.from).expect("a place"));
    // What a kill left of the journal and of the recording, and whether the note must survive.
    let cases = [
        (&journal[..journal.len() / 2], &bytes[..], false),
        (&journal[..], &bytes[..], true),
        (&journal[..], &changed[..from], true),
        (&journal[..], &changed[..from + tail.bytes.len() / 2], true),
        (&journal[..], &changed[..], true),
    ];
    for (number, (journal, there, is_noted)) in cases.into_iter().enumerate() {
        let folder = tempfile::tempdir().expect("a folder");
        put(folder.path(), "one", there);
        let beside = folder.path().join("one.trailbrake.mcap.journal");
        fs::write(&beside, journal).expect("a journal");
        let relay = recording_into(folder.path(), &[]);
        let listed = list(relay.report.http).await.recordings;
        relay.stop().await;
        assert_eq!((listed.len(), &listed[0].trouble), (1, &None), "{number}");
        assert_eq!(listed[0].notes, u32::from(is_noted), "{number}");
        let [(_, after)] = &whole(folder.path())[..] else { panic!("one recording") };
        assert_eq!(packets(after), packets(&bytes), "{number}");
        assert_eq!(notes(open(after).facts()).len(), usize::from(is_noted), "{number}");
        assert!(!beside.exists(), "{number}");
    }
}

#[tokio::test]
async fn laps_that_an_earlier_version_counted_are_reindexed() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = recorded(Feed::F1, 1, 130.0);
    let laps = open(&bytes).laps().clone();
    assert!(!laps.laps.is_empty());
    let (_, outdated) = with_facts(&bytes, |facts| {
        facts.put(BEGAN, &LapTable { decoder: DECODER - 1, ..LapTable::default() });
    });
    put(folder.path(), "old", &outdated);
    put(folder.path(), "new", &recorded(Feed::GranTurismo, 2, 20.0));
    let untouched = fs::read(file(folder.path(), "new")).expect("the file");
    let relay = recording_into(folder.path(), &[]);
    let now = until(async || {
        // Listing finds the outdated ones.
        assert_eq!(list(relay.report.http).await.recordings.len(), 2);
        let now = fs::read(file(folder.path(), "old")).expect("the file");
        (now != outdated && !folder.path().join("old.trailbrake.mcap.journal").exists()).then_some(now)
    })
    .await;
    relay.stop().await;
    assert_eq!(open(&now).laps(), &laps);
    assert_eq!(packets(&now), packets(&bytes));
    assert_eq!(fs::read(file(folder.path(), "new")).expect("the file"), untouched);
}

/// A recording by a build before the first release, and one that it did not finish.
const BEFORE_RELEASE: [&[u8]; 2] = [
    include_bytes!("../../../fuzz/corpus/recording_file/before-release.mcap"),
    include_bytes!("../../../fuzz/corpus/recording_file/before-release-unfinished.mcap"),
];

#[tokio::test]
async fn a_recording_of_another_version_is_left_as_it_is_and_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, unfinished] = BEFORE_RELEASE;
    put(folder.path(), "old", whole);
    let part = folder.path().join("old.trailbrake.mcap.part");
    fs::write(&part, unfinished).expect("a file");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let listed = list(address).await.recordings;
    let old = listed.iter().find(|entry| entry.file == "old.trailbrake.mcap").expect("it is listed");
    assert!(
        old.trouble.as_deref().is_some_and(|words| words.contains("replay it with that build")),
        "{old:?}"
    );
    assert!(!old.damaged, "there is nothing to repair");
    let answer = mend(address, "old.trailbrake.mcap").await;
    assert!(answer.status != 200 && answer.text().contains("replay it with that build"), "{}", answer.text());
    drop(relay);
    assert_eq!(fs::read(file(folder.path(), "old")).expect("the file"), whole);
    assert_eq!(fs::read(part).expect("the file"), unfinished);
}
