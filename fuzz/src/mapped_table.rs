//! Tables of any program, and the mappings that say what their columns are.

use trailbrake_shared::export::ImportedLaps;
use trailbrake_shared::import::TableKind;
use trailbrake_shared::import::mapped_table::{
    MappedTable, NotMapped, TableMapping, TableSample, guess, preview,
};

use crate::motec::packets;

/// A table, behind a mapping and a zero byte if there is one. It is read with that mapping or with the guessed one, at
/// once and in pieces, and its laps become packets, as in an import.
pub fn mapped_table(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0).filter(|_| bytes.first() == Some(&b'{'));
    let (json, table) = match end.and_then(|end| bytes.split_at_checked(end + 1)) {
        Some((json, table)) => (json.strip_suffix(b"\0"), table),
        None => (None, bytes),
    };
    let _ = TableKind::of(table);
    for is_whole in [true, false] {
        if let Ok(sample) = TableSample::of(table, is_whole) {
            let mapping = guess(&sample);
            assert!(mapping.fits(sample.names()), "only columns that exist are guessed");
            assert_eq!(
                TableMapping::from_json(&mapping.to_json()),
                Ok(mapping.clone()),
                "a mapping comes back"
            );
            let _ = preview(&mapping, &sample, table, is_whole);
            read(&mapping, table);
        }
    }
    let Some(json) = json else { return };
    match TableMapping::from_json(&String::from_utf8_lossy(json)) {
        Ok(mapping) => read(&mapping, table),
        Err(reason) => assert!(!reason.to_string().is_empty(), "a refusal has a reason"),
    }
}

fn read(mapping: &TableMapping, table: &[u8]) {
    let in_pieces = |size: usize| -> Result<ImportedLaps, NotMapped> {
        let mut reading = MappedTable::begin(mapping.clone())?;
        table.chunks(size).try_for_each(|piece| reading.push(piece))?;
        reading.finish()
    };
    match (in_pieces(table.len().max(1)), in_pieces(13)) {
        (Ok(file), Ok(same)) => {
            let rows = |laps: &ImportedLaps| {
                laps.laps.iter().map(|lap| (lap.number, lap.time, lap.columns.len())).collect::<Vec<_>>()
            };
            assert_eq!(rows(&file), rows(&same), "pieces make the same laps");
            packets(&file);
        }
        (Err(reason), Err(same)) => assert_eq!(reason, same, "a refusal has one reason"),
        (whole, pieces) => assert_eq!(whole.is_ok(), pieces.is_ok(), "pieces are read as the whole is"),
    }
}
