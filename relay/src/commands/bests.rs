//! `trailbrake bests`: the best lap of every game, track and car in the recordings, and how it got better.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};
use trailbrake_shared::analysis::TrackBook;
use trailbrake_shared::analysis::progress::{Period, PeriodLaps};
use trailbrake_shared::library::{Bests as BestLaps, Discipline, KeptLap};
use trailbrake_shared::plot::figure::{Figure, progress_figure};
use trailbrake_shared::recording::{ENDING, Facts};
use trailbrake_shared::time::LapTime;

use crate::clock::seconds_ahead_of_utc;
use crate::figures;
use crate::library::track_facts::{is_named_by_game, track_to_write};
use crate::library::{BookPlace, RecordingFile, usual_folder};

const SECONDS_A_DAY: i64 = 86_400;

/// Which best laps to list.
#[derive(Clone, Debug, Args)]
pub struct Bests {
    /// The folder with the recordings, instead of the usual one
    #[arg(long, value_name = "DIR")]
    pub recordings: Option<PathBuf>,
    /// Progress by week instead of by day
    #[arg(long)]
    pub weeks: bool,
    /// Draw the progress per game, track and car as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Prints the best laps of a folder's recordings.
pub fn run(request: &Bests, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let folder = request.recordings.clone().or_else(usual_folder);
    let Some(folder) = folder else {
        bail!("--recordings DIR is needed: the system names no folder for them")
    };
    let bests = read(&folder, &mut notes)?;
    let period = if request.weeks { Period::Week } else { Period::Day };
    let ahead_s = seconds_ahead_of_utc();
    let mut drawn = Vec::new();
    for (nth, (discipline, best)) in (1..).zip(bests.all()) {
        let progress = bests.progress(discipline, period, ahead_s);
        if request.json {
            serde_json::to_writer(&mut out, &line(discipline, best, &progress))?;
            writeln!(out)?;
        } else {
            words(discipline, best, &progress, &mut out)?;
        }
        let figure = progress_figure(&progress);
        let title =
            format!("{}, {}", discipline.track, discipline.car.as_deref().unwrap_or(&discipline.game));
        drawn.push((format!("progress-{nth}"), Figure { title, ..figure }));
    }
    if let Some(folder) = &request.figures {
        figures::write(folder, drawn, &mut notes)?;
    }
    Ok(())
}

/// The best laps of the recordings in a folder. Reads only the end of each file, plus one lap where the game names no
/// track and the file does not have its shape yet.
fn read(folder: &Path, notes: &mut dyn Write) -> anyhow::Result<BestLaps> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ENDING));
    paths.sort();
    let book = BookPlace { recordings: Some(folder.to_owned()) }.book(notes);
    let mut bests = BestLaps::default();
    for path in &paths {
        match facts(path, &book) {
            Ok(facts) => bests.put(&facts),
            Err(why) => writeln!(notes, "left out: {why:#}")?,
        }
    }
    if bests.all().next().is_none() {
        let files = paths.len();
        writeln!(
            notes,
            "no best laps: in {files} recordings there is no lap of the driver's that counts on a track that can be known"
        )?;
    }
    Ok(bests)
}

/// The facts of a recording, with the track's name from the book.
fn facts(path: &Path, book: &TrackBook) -> anyhow::Result<Facts> {
    let named = || path.display().to_string();
    let mut source = RecordingFile::open(path).with_context(named)?;
    let recording = source.recording().map_err(anyhow::Error::from).with_context(named)?;
    let mut facts = recording.facts().clone();
    if !is_named_by_game(&facts)
        && let Some(known) = track_to_write(&mut source, &recording, book).with_context(named)?
    {
        facts.put(recording.info().created, &known);
    }
    Ok(facts)
}

fn line(discipline: &Discipline, best: &KeptLap, progress: &[PeriodLaps]) -> Value {
    let period = |period: &PeriodLaps| {
        json!({
            "from": date(period.first_day),
            "laps": period.laps,
            "best_ms": period.best,
            "median_s": period.median_s,
        })
    };
    json!({
        "game": discipline.game,
        "track": discipline.track,
        "car": discipline.car,
        "best": best,
        "progress": progress.iter().map(period).collect::<Vec<_>>(),
    })
}

fn words(
    discipline: &Discipline,
    best: &KeptLap,
    progress: &[PeriodLaps],
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Discipline { game, track, car } = discipline;
    let car = car.as_deref().unwrap_or("-");
    writeln!(out, "{}  {track}, {car}, {game}  (lap {} of {})", best.time, best.number, best.recording)?;
    for period in progress {
        let median = LapTime((period.median_s * 1e3).round() as u32);
        let day = date(period.first_day).unwrap_or_default();
        writeln!(out, "  {day}  best {}  median {median}  laps {}", period.best, period.laps)?;
    }
    Ok(())
}

/// A day in words: `2026-11-21`.
fn date(day: i64) -> Option<String> {
    let midnight = Timestamp::from_second(day.checked_mul(SECONDS_A_DAY)?).ok()?;
    Some(midnight.strftime("%F").to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use trailbrake_shared::model::{Car, SessionInfo, Track};
    use trailbrake_shared::recording::{Info, LapTable, RecordingId, SessionSummary, Writer};
    use trailbrake_shared::time::Micros;

    use super::*;
    use crate::commands::{Command, CommandLine};

    const NOON: Micros = Micros(1_795_262_400_000_000);

    /// A recording of one lap with this time at Spa.
    fn recording(id: u128, time_ms: u32) -> Vec<u8> {
        let (feed, program) = ("f1-2018".to_owned(), "trailbrake".to_owned());
        let info =
            Info { id: RecordingId(id), parent: None, created: NOON, feed, program, others_left_out: false };
        let mut writer = Writer::new(&info);
        let track = Some(Track { id: "10".into(), name: Some("Spa".into()), recognised: None });
        let info = Some(SessionInfo { track, ..SessionInfo::default() });
        writer.write_last(NOON, &SessionSummary { info, player: Some(Car(0)), ..SessionSummary::default() });
        let table: LapTable = serde_json::from_value(json!({ "decoder": 1, "laps": [{
            "car": 0, "from": NOON, "to": NOON,
            "lap": {
                "serial": 1, "number": 4, "run": 0, "stint": 1, "time": time_ms, "sectors": [null, null, null],
                "flags": ["valid"], "began_s": 0.0, "ended_s": 90.0
            }
        }] }))
        .expect("a table");
        writer.write_last(NOON, &table);
        let mut bytes = writer.bytes();
        bytes.extend(writer.finish());
        bytes
    }

    fn bests(folder: &Path, more: &[&str]) -> (String, String) {
        let fixed = ["trailbrake", "bests", "--recordings", folder.to_str().expect("a path")];
        let line = CommandLine::try_parse_from(fixed.iter().chain(more)).expect("a command");
        let Some(Command::Bests(request)) = line.command else { panic!("another command") };
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        run(&request, &mut out, &mut notes).expect("a list");
        (String::from_utf8(out).expect("text"), String::from_utf8(notes).expect("text"))
    }

    #[test]
    fn the_best_laps_of_a_folder_are_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes) in [("a", recording(1, 91_000)), ("b", recording(2, 90_000)), ("c", vec![1, 2, 3])]
        {
            std::fs::write(folder.path().join(format!("{name}{ENDING}")), bytes).expect("written");
        }
        std::fs::write(folder.path().join("notes.txt"), "nothing").expect("written");
        let (line, _) = bests(folder.path(), &["--json"]);
        let report: Value = serde_json::from_str(&line).expect("one line of JSON");
        assert_eq!(
            (&report["track"], &report["best"]["time"], &report["best"]["number"]),
            (&json!("Spa"), &json!(90_000), &json!(4))
        );
        assert_eq!(
            report["progress"],
            json!([{ "from": date(20_778), "laps": 2, "best_ms": 90_000, "median_s": 90.5 }])
        );
        let pictures = folder.path().join("pictures");
        let (words, notes) =
            bests(folder.path(), &["--weeks", "--figures", pictures.to_str().expect("a path")]);
        let picture = std::fs::read_to_string(pictures.join("progress-1.svg")).expect("a figure");
        assert!(picture.contains("Spa, F1 2018") && notes.contains("progress-1.svg"), "{notes}");
        assert!(words.starts_with("1:30.000  Spa, -, F1 2018"), "{words}");
        assert!(words.contains("  2026-11-16  best 1:30.000  median 1:30.500  laps 2"), "{words}");
    }

    #[test]
    fn days_are_written_as_dates() {
        assert_eq!(date(20_773).as_deref(), Some("2026-11-16"));
        assert_eq!(date(i64::MAX), None);
    }
}
