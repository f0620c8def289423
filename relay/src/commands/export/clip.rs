//! Clips: laps as a recording of their own, without other people's data unless asked for.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use trailbrake_shared::export::single_file::{Enclosed, enclose};
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::number::{self, count};
use trailbrake_shared::recording::{LapRow, OtherCars, Reading, Trim, fits};
use trailbrake_shared::wire::Datagram;

use super::arguments::Export;
use super::lap_samples::choose;
use super::output::usual;
use crate::commands::new_recording::NewRecording;
use crate::files::{self, PacketSplit, Packets};
use crate::progress::Progress;
use crate::recording_id;
use crate::relaying;
use crate::unfinished::{NewFile, Unfinished};

/// Ending of a clip's name.
const RECORDING: &str = "laps.trailbrake.mcap";
/// Suffix of the temporary recording.
const ON_THE_WAY: &str = ".whole";

/// Writes the chosen laps as a recording that names its parent.
pub(super) fn write(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let out = path(request, RECORDING);
    new_file(&out, notes, &mut |file, notes| cut(request, &out, notes, file))
}

/// Writes the viewer with that recording in it: one page, which opens with nothing else.
pub(super) fn write_page(request: &Export, notes: &mut dyn Write) -> anyhow::Result<()> {
    let viewer = relaying::viewer_file().context("this program was built without the page")?;
    let out = path(request, "html");
    new_file(&out, notes, &mut |file, notes| {
        let mut clip = Vec::new();
        let laps = cut(request, &out, notes, &mut clip)?;
        let name = usual(&request.file, RECORDING).to_string_lossy().into_owned();
        let page = enclose(viewer, &[Enclosed { name: &name, bytes: &clip }], "#/analyse");
        file.write_all(page.context("the page has no room for a recording")?.as_bytes())?;
        Ok(laps)
    })
}

/// Where to write.
fn path(request: &Export, ending: &str) -> PathBuf {
    request.out.clone().unwrap_or_else(|| usual(&request.file, ending))
}

/// Has `write` fill a new file with some laps. If it fails, no file is left.
fn new_file(
    out: &Path,
    notes: &mut dyn Write,
    write: &mut dyn FnMut(&mut dyn Write, &mut dyn Write) -> anyhow::Result<usize>,
) -> anyhow::Result<()> {
    let unwritable = || format!("{} cannot be written; -o names another file", out.display());
    let (new, file) = NewFile::create_new(out).with_context(unwritable)?;
    let mut file = BufWriter::new(file);
    let laps = write(&mut file, notes)?;
    file.flush().with_context(unwritable)?;
    let file = file.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(unwritable)?;
    let bytes = file.metadata().with_context(unwritable)?.len();
    drop(file);
    new.finish().with_context(unwritable)?;
    let size = number::write(bytes as f64 / 1e6, 1);
    let laps = count(laps, "lap", "laps");
    writeln!(notes, "written: {} ({laps}, {size} MB: {})", out.display(), fits(bytes))?;
    Ok(())
}

/// Cuts the chosen laps out of the file, and returns how many there are. `out` is where nobody else writes.
fn cut(request: &Export, out: &Path, notes: &mut dyn Write, clip: &mut dyn Write) -> anyhow::Result<usize> {
    let packets = files::open(&request.file, &request.cutting)?;
    if packets.recording().is_some_and(|recording| !recording.laps_are_outdated()) {
        return trim(packets, request, notes, clip);
    }
    // Any other file becomes a recording first.
    let mut name = out.to_owned().into_os_string();
    name.push(ON_THE_WAY);
    let whole = PathBuf::from(name);
    record(packets, request, &whole, notes)?;
    let _temporary = Unfinished::at(whole.clone(), None);
    trim(files::open(&whole, &PacketSplit::default())?, request, notes, clip)
}

/// Cuts the laps out of a recording.
fn trim(
    packets: Packets,
    request: &Export,
    notes: &mut dyn Write,
    clip: &mut dyn Write,
) -> anyhow::Result<usize> {
    let (mut file, recording) = packets.into_recording().context("no recording")?;
    let catalogue = LapCatalogue::of_recording(&recording);
    let chosen = choose(&catalogue, request, notes)?;
    let rows: Vec<LapRow> = chosen.into_iter().filter_map(LapEntry::row).collect();
    let others = OtherCars::from(request.other_cars);
    let mut trim = Trim::new(&recording, &rows, others, recording_id::new());
    let all = trim.bytes_left();
    let mut progress = Progress::new(all);
    while trim.needs().is_some() {
        progress.reached(all.saturating_sub(trim.bytes_left()));
        files::step(&mut file, &mut trim as &mut dyn Reading)?;
        clip.write_all(&trim.bytes())?;
    }
    drop(progress);
    if trim.is_empty() {
        bail!(
            "nothing is left of these laps without other drivers, since this game sends all of them in the same \
             packets; --other-cars kept keeps them"
        );
    }
    let has_changed_packets = trim.has_changed_packets();
    clip.write_all(&trim.finish())?;
    if has_changed_packets {
        writeln!(
            notes,
            "left out: {} of all other drivers, AI drivers included, so that packets are not all as they were received; \
             --other-cars kept keeps them",
            if others == OtherCars::Nameless { "names, ids and chat" } else { "cars, names, ids and chat" }
        )?;
    }
    Ok(rows.len())
}

/// Records a file's packets of the first feed in it.
fn record(packets: Packets, request: &Export, path: &Path, notes: &mut dyn Write) -> anyhow::Result<()> {
    let mut recording: Option<(Feed, NewRecording)> = None;
    let mut others = 0_u64;
    packets.datagrams(notes, &mut |datagram| {
        let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
        let Some(feed) = feed else { return Ok(()) };
        if recording.is_none() {
            recording = Some((feed, NewRecording::begin(Some(feed), path, None, datagram)?));
        }
        match &mut recording {
            Some((own, recording)) if *own == feed => {
                recording.take(&Datagram { feed: Some(feed), ..*datagram })
            }
            _ => {
                others += 1;
                Ok(())
            }
        }
    })?;
    if others > 0 {
        writeln!(notes, "left out, being of another feed: {others} packets; --feed takes one")?;
    }
    match recording {
        Some((_, recording)) => recording.finish(&mut std::io::sink()),
        None => bail!("no packet of a known game is in {}", request.file.display()),
    }
}
