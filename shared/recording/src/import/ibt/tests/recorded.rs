//! The laps of a file as packets: recorded, listed and compared like a game's.

use std::convert::Infallible;
use std::net::SocketAddr;

use trailbrake_analysis::LapColumns;
use trailbrake_analysis::compare;
use trailbrake_games::wire::Datagram;
use trailbrake_session::Archive;

use super::*;
use crate::import::{FileKind, ImportError, LapsFile};
use crate::lap_catalogue::LapCatalogue;

fn archived(file: &WrittenFile) -> (Archive, LapCatalogue) {
    let file = LapsFile::read(FileKind::IracingLog, &file.bytes(), None, Micros(7)).expect("laps");
    let mut archive = Archive::default();
    let sender = SocketAddr::from(([127, 0, 0, 1], 0));
    let Ok(()) = file.packets::<Infallible>(&mut |at, bytes| {
        let datagram = Datagram { at, sender, port: 0, feed: Some(ImportedLaps::FEED), bytes };
        assert_eq!(archive.take(&datagram), Ok(()));
        Ok(())
    });
    let catalogue = LapCatalogue::of_archive(&archive);
    (archive, catalogue)
}

#[test]
fn laps_come_out_of_their_packets_as_they_were() {
    let expected = laps(&driven());
    let (archive, catalogue) = archived(&driven());
    let found = catalogue.laps();
    assert_eq!(found.len(), expected.laps.len());
    for (entry, expected) in found.iter().zip(&expected.laps) {
        let lap = &entry.lap;
        assert_eq!((lap.number, lap.time), (expected.number, expected.time));
        assert_eq!(lap.flags.without(LapFlag::Pit), expected.flags, "lap {}", lap.number);
        let columns = entry.columns_in(&archive).expect("samples");
        assert_eq!(columns.len(), expected.columns.len(), "lap {}", lap.number);
        if lap.time.is_some() {
            assert_eq!(lap.sectors, expected.sectors);
        }
        assert_eq!((entry.driver_words().as_str(), entry.session.game()), ("Zoë", Some("iRacing")));
        assert_eq!(entry.combo().track.as_deref(), Some("Nürburg (Ring)"));
        assert!(entry.is_player());
    }
    // Two laps at the same speed: nothing is lost anywhere.
    let [one, other] = [1, 2].map(|nth| (&found[nth].lap, found[nth].columns_in(&archive).expect("samples")));
    let comparison = compare(&LapColumns::new(one.0, one.1), &LapColumns::new(other.0, other.1));
    let comparison = comparison.expect("a comparison");
    let worst = comparison.delta.iter().map(|(_, delta)| delta.abs()).fold(0.0, f64::max);
    assert!(comparison.delta.len() > 50 && worst < 0.003, "{worst} s");
}

#[test]
fn the_same_file_makes_the_same_recording_in_steps() {
    let bytes = driven().bytes();
    let recorded = |bytes: &[u8]| {
        let file = LapsFile::read(FileKind::IracingLog, bytes, None, Micros(7)).expect("laps");
        file.recording("test").finish().expect("a recording")
    };
    let one = recorded(&bytes);
    assert_eq!((one.feed, one.laps), (ImportedLaps::FEED, 5));
    assert!(recorded(&bytes) == one);
    let other = LapsFile::read(FileKind::IracingLog, b"whatever", None, Micros(7)).err();
    assert!(matches!(other, Some(ImportError::Iracing(NotIbt::Mark))), "{other:?}");
}

/// An hour of laps is read in pieces, and takes the memory of its values.
#[test]
fn an_hour_takes_the_memory_of_its_laps() {
    let mut file = written(Vec::new());
    let head = file.bytes();
    let mut reader = IbtReader::default();
    reader.push(&head).expect("a head");
    // Files that were not closed have no count of samples, as this one.
    let mut from_m = 0.0;
    for _ in 0..36 {
        let drive = Drive { from_m, until_m: from_m + 5_000.0, lap: 1, from_s: from_m / 50.0 };
        from_m += 5_000.0;
        file.samples = drive.samples();
        let bytes = file.bytes();
        reader.push(&bytes[file.samples_at()..]).expect("samples");
        assert!(reader.bytes_held() < file.sample_size(), "{} bytes", reader.bytes_held());
    }
    let laps = reader.finish().expect("laps").laps;
    assert!((178..=180).contains(&laps.len()), "{} laps of an hour", laps.len());
    let rows: usize = laps.iter().map(|lap| lap.columns.len()).sum();
    assert_eq!(rows, 36 * 6_000);
    let bytes: usize = laps.iter().map(|lap| lap.columns.bytes()).sum();
    // Thirteen channels of four bytes, and sixteen for the time.
    assert!(bytes < rows * 80, "{} bytes a row", bytes / rows);
}
