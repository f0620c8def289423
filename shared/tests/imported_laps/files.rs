//! A race's laps, written as a log and as tables and imported again: the same laps, with no delta to the originals.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::OnceLock;

use trailbrake_shared::analysis::{LapColumns, compare};
use trailbrake_shared::export::csv::{self, NotOurs, Rows};
use trailbrake_shared::export::{About, ExportedLap, ImportedLaps, motec};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::import::{FileKind, LapsFile};
use trailbrake_shared::lap_catalogue::{Drivers, LapCatalogue, LapQuery};
use trailbrake_shared::laps::{LapFlag, LapFlags};
use trailbrake_shared::model::{Car, Channel, SessionKind};
use trailbrake_shared::recording::{Opening, read_whole};
use trailbrake_shared::session::{Archive, Session};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_700_000_000_000_000);

/// A decoded file, and its laps.
struct DecodedFile {
    archive: Archive,
    catalogue: LapCatalogue,
}

impl DecodedFile {
    fn session(&self) -> &Session {
        self.archive.session(0).expect("a session")
    }

    fn laps(&self, drivers: Drivers) -> Vec<ExportedLap<'_>> {
        let laps = self.catalogue.select(&LapQuery { drivers, ..LapQuery::default() });
        laps.into_iter().filter_map(|entry| Some(entry.driven(entry.columns_in(&self.archive)?))).collect()
    }
}

fn archived<'a>(packets: impl Iterator<Item = (Micros, &'a [u8])>, feed: Feed) -> DecodedFile {
    let mut archive = Archive::default();
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    for (at, bytes) in packets {
        let datagram = Datagram { at, sender, port: 0, feed: Some(feed), bytes };
        archive.take(&datagram).expect("a packet that is understood");
    }
    DecodedFile { catalogue: LapCatalogue::of_archive(&archive), archive }
}

/// Some practice laps of two cars; the last are unfinished.
fn driven() -> &'static DecodedFile {
    static DRIVEN: OnceLock<DecodedFile> = OnceLock::new();
    DRIVEN.get_or_init(|| joined(0.0))
}

/// The same practice, received only from `seconds` after its beginning.
fn joined(seconds: f64) -> DecodedFile {
    let options = Options { cars: 2, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::F1, options, BEGAN).expect("a demo");
    let mut sent = Vec::new();
    demo.drive(290.0, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let received = sent.iter().filter(|(at, _)| at.seconds_since(BEGAN) >= seconds);
    archived(received.map(|(at, bytes)| (*at, bytes.as_slice())), Feed::F1)
}

fn about() -> About {
    About::of(Feed::F1, driven().session(), Car(0))
}

fn laps(drivers: Drivers) -> Vec<ExportedLap<'static>> {
    let laps = driven().laps(drivers);
    assert!(laps.iter().filter(|lap| lap.lap.counts().is_some()).count() >= 2, "two laps that count");
    laps
}

/// Decodes a file's packets.
fn decoded(file: &ImportedLaps) -> DecodedFile {
    let mut packets = Vec::new();
    let Ok(()) = file.packets(7, Micros(5)).rest::<Infallible>(&mut |at, bytes| {
        packets.push((at, bytes.to_vec()));
        Ok(())
    });
    assert!(packets.is_sorted_by_key(|(at, _)| *at), "time goes forward");
    assert!(packets.iter().all(|(_, bytes)| bytes.len() <= 1400));
    archived(packets.iter().map(|(at, bytes)| (*at, bytes.as_slice())), Feed::ImportedLaps)
}

fn table(laps: &[ExportedLap<'_>], rows: Rows) -> String {
    let mut text = String::new();
    csv::write(laps, &about(), rows, &mut text).expect("text");
    text
}

fn through_table(laps: &[ExportedLap<'_>], rows: Rows) -> DecodedFile {
    decoded(&csv::read(&table(laps, rows)).expect("laps"))
}

fn through_log(laps: &[ExportedLap<'_>]) -> DecodedFile {
    let motec::Log { ld, ldx } = motec::write(laps, &about()).expect("a log");
    decoded(&motec::import(&ld, Some(&ldx)).expect("laps"))
}

/// Compares numbers, times, sectors and names lap by lap; returns the largest delta anywhere on the track.
fn check(name: &str, laps: &[ExportedLap<'_>], again: &DecodedFile) -> f64 {
    let found = again.laps(Drivers::Everyone);
    assert_eq!(found.len(), laps.len(), "{name}");
    let mut worst = 0.0_f64;
    for (lap, found) in laps.iter().zip(&found) {
        let whose = format!("{name}: {} lap {}", lap.driver, lap.lap.number);
        let figures = |lap: &ExportedLap<'_>| {
            let trailbrake_shared::laps::Lap { number, time, sectors, .. } = *lap.lap;
            (lap.driver.clone(), number, time, sectors)
        };
        assert_eq!(figures(found), figures(lap), "{whose}");
        if lap.lap.time.is_none() {
            // A lap that was unfinished when the recording ended is incomplete in the file.
            assert_eq!(found.lap.counts(), None, "{whose}");
            continue;
        }
        assert_eq!(found.lap.flags, lap.lap.flags, "{whose}");
        let of = |lap: &ExportedLap<'_>| (lap.lap.clone(), lap.columns.clone());
        let ((one, one_columns), (other, other_columns)) = (of(found), of(lap));
        let comparison =
            compare(&LapColumns::new(&one, &one_columns), &LapColumns::new(&other, &other_columns));
        let comparison = comparison.unwrap_or_else(|why| panic!("{whose}: {why}"));
        let largest = comparison.delta.iter().map(|(_, delta)| delta.abs()).fold(0.0, f64::max);
        assert!(comparison.delta.len() > 100, "{whose}");
        worst = worst.max(largest);
    }
    println!("{name}: at most {:.3} ms anywhere on the track", worst * 1e3);
    worst
}

#[test]
fn the_four_sectors_of_a_stage_come_back() {
    let options = Options { seed: 9, again: false, ..Options::default() };
    let mut demo = Demo::new(Feed::DirtRally, options, BEGAN).expect("a demo");
    let mut sent = Vec::new();
    demo.drive(190.0, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    let stage = archived(sent.iter().map(|(at, bytes)| (*at, bytes.as_slice())), Feed::DirtRally);
    let laps = stage.laps(Drivers::Everyone);
    let sectors = laps[0].lap.sectors;
    assert!(sectors.len() == 4 && sectors.iter().all(Option::is_some), "{sectors:?}");
    let text = table(&laps, Rows::Native);
    assert!(text.lines().next().is_some_and(|head| head.contains(",sector_3 [s],sector_4 [s],flags,")));
    for again in [through_table(&laps, Rows::Native), through_log(&laps)] {
        assert_eq!(again.laps(Drivers::Everyone)[0].lap.sectors, sectors);
    }
}

#[test]
fn a_table_of_every_frame_gives_back_every_value() {
    let laps = laps(Drivers::Everyone);
    let again = through_table(&laps, Rows::Native);
    // The table stores times to the microsecond.
    assert!(check("every frame", &laps, &again) < 0.000_1);
    let found = again.laps(Drivers::Everyone);
    for (lap, found) in laps.iter().zip(&found) {
        // A table has a column for the car; a log contains one car only.
        assert_eq!(found.car, lap.car);
        assert_eq!(found.columns.len(), lap.columns.len());
        let times = lap.columns.seconds().iter().zip(found.columns.seconds());
        assert!(times.into_iter().all(|(driven, found)| (driven - found).abs() < 2e-6));
        let slots = |lap: &ExportedLap<'_>| {
            let mut slots: Vec<_> = lap.columns.slots().collect();
            slots.sort_unstable();
            slots
        };
        assert_eq!(slots(found), slots(lap));
        for slot in lap.columns.slots() {
            for row in 0..lap.columns.len() {
                assert_eq!(
                    found.columns.value(slot, row),
                    lap.columns.value(slot, row),
                    "{} in {row}",
                    slot.id()
                );
            }
        }
    }
    let session = again.session();
    assert_eq!((session.game(), session.player()), (Some("F1 2018"), Some(Car(0))));
    let (info, original) =
        (session.info().expect("a session"), driven().session().info().expect("a session"));
    assert_eq!(info.kind, SessionKind::from_words(&original.kind.words()));
    // If the game sends no track, there is none.
    assert_eq!(info.track.as_ref().and_then(|track| track.name.clone()).unwrap_or_default(), about().venue);
    let began = |file: &DecodedFile| file.catalogue.laps()[0].began().expect("a date");
    assert!(began(&again).seconds_since(began(driven())).abs() < 1e-5);
}

#[test]
fn a_table_by_place_gives_the_same_laps() {
    let laps = laps(Drivers::Player);
    // Values between two rows are interpolated: at one metre the error is negligible, at ten metres it is visible.
    for (metres, most_s) in [(1.0, 0.001), (10.0, 0.01)] {
        let again = through_table(&laps, Rows::EveryMetres(metres));
        assert!(check(&format!("every {metres} m"), &laps, &again) < most_s);
    }
}

#[test]
fn a_log_gives_the_same_laps() {
    let laps = laps(Drivers::Player);
    let again = through_log(&laps);
    // Sixty samples a second at fixed times: each is interpolated between two frames of the game.
    assert!(check("log", &laps, &again) < 0.005);
    let found = again.laps(Drivers::Everyone);
    for (lap, found) in laps.iter().zip(&found) {
        for channel in
            [Channel::Speed, Channel::Throttle, Channel::TyrePressure, Channel::Gear, Channel::Position]
        {
            let range = |lap: &ExportedLap<'_>| {
                let values = lap.columns.line(channel.slot()).expect("the channel");
                values
                    .iter()
                    .fold((f32::MAX, f32::MIN), |(low, high), (_, value)| (low.min(value), high.max(value)))
            };
            let ((low, high), (low_found, high_found)) = (range(lap), range(found));
            let most = (high - low) * 0.02 + high.abs() * 1e-5;
            assert!((low - low_found).abs() <= most && (high - high_found).abs() <= most, "{}", channel.id());
        }
    }
    assert_eq!(again.session().game(), Some("F1 2018"));
}

#[test]
fn laps_that_did_not_follow_each_other_stay_apart() {
    let all = laps(Drivers::Player);
    let apart: Vec<ExportedLap<'_>> = all.iter().filter(|lap| lap.lap.number != 2).cloned().collect();
    assert!(apart.len() >= 2 && all.len() > apart.len());
    check("apart", &apart, &through_table(&apart, Rows::Native));
    check("apart, log", &apart, &through_log(&apart));
    let backwards: Vec<ExportedLap<'_>> =
        all.iter().rev().filter(|lap| lap.lap.time.is_some()).cloned().collect();
    check("backwards", &backwards, &through_table(&backwards, Rows::Native));
}

#[test]
fn every_flag_comes_back() {
    let driven = laps(Drivers::Player);
    let last = driven.iter().rposition(|lap| lap.lap.time.is_some()).expect("a timed lap");
    let driven = &driven[last - 1..=last];
    let nth = 1;
    let check = |flags: &[LapFlag]| {
        let flags: LapFlags = flags.iter().copied().collect();
        let mut lap = driven[nth].lap.clone();
        lap.flags = flags;
        if flags.has(LapFlag::Restarted) {
            // An unfinished lap has no time.
            (lap.time, lap.sectors[2]) = (None, None);
        }
        let mut laps = driven.to_vec();
        laps[nth].lap = &lap;
        for (way, again) in [
            ("every frame", through_table(&laps, Rows::Native)),
            ("every 10 m", through_table(&laps, Rows::EveryMetres(10.0))),
            ("log", through_log(&laps)),
        ] {
            let found = again.laps(Drivers::Everyone);
            let found = found.iter().find(|found| found.lap.number == lap.number).expect("the lap");
            assert_eq!((found.lap.flags, found.lap.time), (flags, lap.time), "{way}: {flags}");
        }
    };
    use LapFlag as F;
    check(&[]);
    check(&[F::Incomplete, F::Restarted]);
    // What is only reported has nothing to be written.
    for flag in F::ALL.iter().copied().filter(|flag| ![F::Restarted, F::Reported].contains(flag)) {
        check(&[flag]);
        if ![F::Invalid, F::Incomplete, F::Inferred, F::Replay].contains(&flag) {
            check(&[F::Valid, flag]);
        }
    }
    check(&[F::Valid, F::Out, F::In, F::Pit, F::Rewound, F::Paused, F::Excluded]);
    check(&[F::Invalid, F::Out, F::Pit, F::Incomplete, F::Rewound, F::Paused, F::Inferred, F::Excluded]);
}

#[test]
fn a_lap_that_was_joined_late_stays_incomplete() {
    let late = joined(40.0);
    let laps = late.laps(Drivers::Player);
    assert!(laps[0].lap.flags.has(LapFlag::Incomplete) && laps[0].lap.time.is_some(), "{:?}", laps[0].lap);
    for again in [through_table(&laps, Rows::Native), through_log(&laps)] {
        let found = again.laps(Drivers::Everyone);
        assert_eq!((found[0].lap.flags, found[0].lap.time), (laps[0].lap.flags, laps[0].lap.time));
        assert_eq!(found[0].lap.counts(), None);
    }
}

#[test]
fn a_table_of_an_earlier_version_has_its_laps() {
    let laps = laps(Drivers::Player);
    let text = table(&laps, Rows::Native);
    // Earlier tables had the first five columns and the channels.
    let kept = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..5], &fields[15..]].concat().join(",")
    };
    let text: Vec<String> = text.lines().map(kept).collect();
    let file = csv::read(&text.join("\n")).expect("laps");
    assert_eq!(file.laps.len(), laps.len());
    for (found, lap) in file.laps.iter().zip(&laps) {
        let last_s = lap.columns.seconds().last().expect("a row") - lap.lap.began_s;
        assert!((found.time.expect("a time").seconds() - last_s).abs() < 0.001);
        assert_eq!(found.flags.to_string(), "inferred");
    }
}

#[test]
fn what_is_no_table_of_ours_is_refused_in_words() {
    let text = table(&laps(Drivers::Player)[..1], Rows::Native);
    let refused = |text: &str| csv::read(text).expect_err("a reason");
    assert_eq!(refused("Time,Speed\n1,2\n"), NotOurs::Columns { missing: "driver" });
    assert_eq!(refused(""), NotOurs::Columns { missing: "driver" });
    assert_eq!(refused(&text.replace(',', ";")), NotOurs::Columns { missing: "driver" });
    let front = "driver,car,lap,session_time [s],lap_time [s]";
    assert_eq!(refused(&format!("{front}\nA,0,1,0,0\n")), NotOurs::NoChannel);
    assert_eq!(refused(&format!("{front},gear\nA,0,1,0,0,3\n")), NotOurs::NoLap);
    let cut = refused(&text[..text.len() - 40]).to_string();
    assert!(cut.contains("the file is cut off or was changed"), "{cut}");
    let wrong = refused(&format!("{front},gear\nA,0,1,0,0,third\n")).to_string();
    assert_eq!(wrong, "line 2 of the table has \"third\" for gear, which is no number");
    let named = format!(
        "\u{feff}{front},gear\r\n\"'=A, \"\"B\"\"\",0,1,0,0,3\r\n\"'=A, \"\"B\"\"\",0,1,9,9,3\r\n\r\n"
    );
    assert_eq!(csv::read(&named).expect("a lap").laps[0].driver, "=A, \"B\"");
}

#[test]
fn a_table_makes_a_recording_of_the_same_laps() {
    let laps = laps(Drivers::Everyone);
    let text = table(&laps, Rows::Native);
    let file = LapsFile::read(FileKind::LapTable, text.as_bytes(), None, BEGAN).expect("laps");
    let mut making = file.recording("test");
    let shares: Vec<f64> = std::iter::from_fn(|| making.step()).collect();
    assert!(shares.len() > 3 && shares.is_sorted(), "it goes on in steps");
    assert!(shares.iter().all(|share| (0.0..1.0).contains(share)), "a share of the whole");
    let made = making.finish().expect("a recording");
    assert_eq!(made.laps, laps.len());
    let mut opening = Opening::new(made.bytes.len() as u64);
    read_whole(&mut opening, &made.bytes);
    let catalogue = LapCatalogue::of_recording(&opening.finish().expect("a recording"));
    let times = |laps: Vec<Option<LapTime>>| {
        let mut millis: Vec<u32> = laps.into_iter().flatten().map(|time| time.0).collect();
        millis.sort_unstable();
        millis
    };
    let own = times(catalogue.laps().iter().map(|entry| entry.lap.time).collect());
    assert_eq!(own, times(laps.iter().map(|lap| lap.lap.time).collect()));
    assert!(!own.is_empty());
    let refused = LapsFile::read(FileKind::MotecLog, text.as_bytes(), None, BEGAN);
    assert!(refused.is_err_and(|why| !why.to_string().is_empty()));
}
