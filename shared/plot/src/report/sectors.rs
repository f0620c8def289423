//! Sector times and theoretical bests.

use trailbrake_model::MOST_SECTORS;
use trailbrake_model::number::write_signed;
use trailbrake_model::time::LapTime;

use super::{Report, SMALL, TINY, ink_of, section};
use crate::sheet::{Frame, Ink, Sheet, Words};

const LINE: f32 = 3.7;

/// Writes the times, or nothing if there are none. Returns where they end.
pub(super) fn write(report: &Report<'_>, sheet: &mut Sheet, frame: &Frame) -> f32 {
    let rows = rows(report);
    let together = together(report);
    if rows.is_empty() && together.is_empty() {
        return frame.top;
    }
    let mut y = section(sheet, frame, "Times", "") + 3.6;
    let [lap, reference, behind, best] =
        [0.35, 0.54, 0.72, 1.0].map(|share| frame.left + share * frame.width());
    if !rows.is_empty() {
        let heads =
            [(lap, "lap"), (reference, "reference"), (behind, "difference"), (best, "session's best")];
        for (x, words) in heads {
            sheet.write(Words::new(words, [x, y], TINY, Ink::Soft).ending());
        }
    }
    for Row { name, times, best: session } in rows {
        y += LINE;
        sheet.write(Words::new(&name, [frame.left, y], SMALL, Ink::Text));
        let [own, other] = times;
        for (x, time, ink) in [(lap, own, Ink::Main), (reference, other, Ink::Text)] {
            if let Some(time) = time {
                sheet.write(Words::new(&time.to_string(), [x, y], SMALL, ink).ending());
            }
        }
        if let Some((own, other)) = own.zip(other) {
            let seconds = own.minus(other) as f64 / 1e3;
            let words = Words::new(&write_signed(seconds, 3), [behind, y], SMALL, ink_of(seconds));
            sheet.write(words.bold().ending());
        }
        if let Some((time, number)) = session {
            let words = format!("{time} in lap {number}");
            sheet.write(Words::new(&words, [best, y], SMALL, Ink::Soft).ending());
        }
    }
    for (name, time) in together {
        y += LINE;
        sheet.write(Words::new(&name, [frame.left, y], SMALL, Ink::Text).within(0.78 * frame.width()));
        sheet.write(Words::new(&time, [best, y], SMALL, Ink::Text).bold().ending());
    }
    y
}

/// A sector, or the lap.
struct Row {
    name: String,
    times: [Option<LapTime>; 2],
    /// The session's best, with the lap number.
    best: Option<(LapTime, u16)>,
}

/// The sectors with a time, and the lap.
fn rows(report: &Report<'_>) -> Vec<Row> {
    let sides = [&report.lap, &report.reference].map(|side| side.lap);
    let counting = || report.lap.session.iter().filter(|lap| lap.counts().is_some());
    let sector = |sector: usize| {
        let time = |lap: &trailbrake_analysis::laps::Lap| lap.sectors.get(sector).copied().flatten();
        let best = counting().filter_map(|lap| Some((time(lap)?, lap.number))).min();
        Row { name: format!("Sector {}", sector + 1), times: sides.map(time), best }
    };
    let sectors = (0..MOST_SECTORS).map(sector).filter(|row| row.times.iter().any(Option::is_some));
    let best = counting().filter_map(|lap| Some((lap.counts()?, lap.number))).min();
    let lap = Row { name: "Lap".to_owned(), times: sides.map(|lap| lap.time), best };
    sectors.chain(Some(lap).filter(|row| row.times.iter().any(Option::is_some))).collect()
}

/// The theoretical bests.
fn together(report: &Report<'_>) -> Vec<(String, String)> {
    let best = &report.compared.theoretical_best;
    let of = format!("best of {} laps", best.laps.len());
    let sectors = best.sectors.as_ref().map(|sectors| sectors.time);
    let minis = best.mini_sectors.as_ref().map(|minis| LapTime((minis.time_s * 1e3).round() as u32));
    let named = [("Theoretical best, sectors", sectors), ("Theoretical best, mini-sectors", minis)];
    let written = |(name, time): (&str, Option<LapTime>)| Some((format!("{name} ({of})"), time?.to_string()));
    named.into_iter().filter_map(written).collect()
}
