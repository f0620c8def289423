//! `trailbrake import`: makes recordings from captures, bare packets, other recordings, and files of laps.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::neighbours;
use trailbrake_shared::import::mapped_table::{SAMPLE_BYTES, TableSample, guess, preview};
use trailbrake_shared::import::not_a_recording;
use trailbrake_shared::recording::{ENDING, Info, UNCLAIMED};
use trailbrake_shared::wire::Datagram;

use super::new_recording::NewRecording;
use crate::files::{self, PacketSplit};
use crate::unfinished::NewFile;

/// How many columns that are not read are named.
const MOST_NAMED: usize = 20;

/// What to make a recording of.
#[derive(Clone, Debug, Args)]
pub struct Import {
    /// Captures, bare packets or recordings, joined in this order; iRacing .ibt files, MoTeC logs with their .ldx, and
    /// CSV laps, each becoming its own recording
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The recording to write; leave it out if there are several feeds or lap files
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Keep packets of unknown games too
    #[arg(long)]
    pub all: bool,
    /// Write how the columns of a CSV of another program seem to be read, and import nothing
    #[arg(long, value_name = "MAP.json", conflicts_with_all = ["out", "maps"])]
    pub map_out: Option<PathBuf>,
    /// How to split them into packets.
    #[command(flatten)]
    pub cutting: PacketSplit,
}

/// The recording a packet goes into: its feed's; a file of laps has one of its own.
type Destination = (Option<Feed>, Option<usize>);

/// Writes a recording for each feed in the files, and notes what and where.
pub fn run(request: &Import, mut notes: impl Write) -> anyhow::Result<()> {
    if let Some(map) = &request.map_out {
        let [table] = request.files.as_slice() else { bail!("--map-out needs one table") };
        return write_map(table, map, &mut notes);
    }
    let mut recordings: BTreeMap<Destination, NewRecording> = BTreeMap::new();
    let (mut left_out, mut bare) = (0_u64, Vec::new());
    for (nth, path) in request.files.iter().enumerate() {
        let packets = files::open(path, &request.cutting)?;
        bare.extend(packets.is_bare().then_some(path));
        let own = packets.is_of_laps().then_some(nth);
        if own.is_some() && request.out.is_some() && request.files.len() > 1 {
            bail!("each file of laps becomes a recording of its own: leave out -o, or import one at a time");
        }
        let known =
            packets.recording().map(|recording| (recording.info().clone(), recording.facts().clone()));
        // Several files together have no single parent.
        let from = known.as_ref().map(|(info, _)| Info {
            parent: (request.files.len() == 1).then_some(info.parent.unwrap_or(info.id)),
            ..info.clone()
        });
        let mut went_into = BTreeSet::new();
        packets.datagrams(&mut notes, &mut |datagram| {
            let feed = datagram.feed.or_else(|| feed::recognise(datagram.bytes).ok().map(|known| known.feed));
            if feed.is_none() && !request.all && neighbours::resembles(datagram.bytes).is_none() {
                left_out += 1;
                return Ok(());
            }
            // Packets of no feed go with those of the same machine, as when recording live.
            let beside = feed.is_none().then(|| beside(&recordings, datagram)).flatten();
            let destination = beside.unwrap_or((feed, own));
            let recording = match recordings.entry(destination) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(NewRecording::begin(
                    feed,
                    &named(feed, path, request),
                    from.as_ref(),
                    datagram,
                )?),
            };
            went_into.insert(destination);
            recording.take(&Datagram { feed, ..*datagram })
        })?;
        let Some((_, facts)) = known else { continue };
        for (_, recording) in recordings.iter_mut().filter(|(destination, _)| went_into.contains(destination))
        {
            for sentence in recording.keep(&facts).sentences() {
                writeln!(notes, "{}: {sentence}", path.display())?;
            }
        }
    }
    if left_out > 0 {
        writeln!(notes, "left out, being no known game's: {left_out} packets; --all keeps them")?;
    }
    if recordings.is_empty() {
        if let ([path], [_]) = (bare.as_slice(), request.files.as_slice()) {
            bail!("{}", not_a_recording(&path.display().to_string()));
        }
        bail!("nothing to record: no packet of a known game is in what was given");
    }
    for recording in recordings.into_values() {
        recording.finish(&mut notes)?;
    }
    Ok(())
}

/// Writes the guessed mapping of a table, and shows how the table is read with it.
fn write_map(table: &Path, map: &Path, notes: &mut dyn Write) -> anyhow::Result<()> {
    let unreadable = || format!("{} cannot be read", table.display());
    let mut head = Vec::new();
    let sampled = u64::try_from(SAMPLE_BYTES).unwrap_or(u64::MAX);
    File::open(table)
        .with_context(unreadable)?
        .take(sampled)
        .read_to_end(&mut head)
        .with_context(unreadable)?;
    let is_whole = head.len() < SAMPLE_BYTES;
    let sample = TableSample::of(&head, is_whole).with_context(|| table.display().to_string())?;
    let mapping = guess(&sample);
    let (new, mut file) =
        NewFile::create_new(map).with_context(|| format!("{} cannot be written", map.display()))?;
    writeln!(file, "{}", mapping.to_json())?;
    new.finish()?;
    let shown = preview(&mapping, &sample, &head, is_whole);
    for (name, values) in &shown.values {
        let is = mapping.column(name).map(|column| column.is.label()).unwrap_or_default();
        writeln!(notes, "{name}: {is}, {}", values.join(", "))?;
    }
    let left_out = sample.names().iter().filter(|name| mapping.column(name).is_none());
    let left_out: Vec<&str> = left_out.take(MOST_NAMED).map(String::as_str).collect();
    if !left_out.is_empty() {
        let others = sample.names().len() - mapping.columns.len() - left_out.len();
        let others = if others > 0 { format!(" and {others} others") } else { String::new() };
        writeln!(notes, "not read: {}{others}", left_out.join(", "))?;
    }
    match &shown.laps {
        Ok(laps) => writeln!(notes, "{laps}")?,
        Err(why) => writeln!(notes, "not complete yet: {why}")?,
    }
    writeln!(notes, "written: {}", map.display())?;
    Ok(())
}

/// The recording with packets of the same machine; files of laps have no sender.
fn beside(recordings: &BTreeMap<Destination, NewRecording>, datagram: &Datagram<'_>) -> Option<Destination> {
    let mut networked = recordings.iter().filter(|((feed, own), _)| feed.is_some() && own.is_none());
    networked
        .find(|(_, recording)| recording.sender().ip() == datagram.sender.ip())
        .map(|(destination, _)| *destination)
}

/// The requested file; else one named after the first file with the feed.
fn named(feed: Option<Feed>, from: &Path, request: &Import) -> PathBuf {
    let stem = from.file_stem().unwrap_or_default().to_string_lossy();
    let usual = || PathBuf::from(format!("{stem}_{}{ENDING}", feed.map_or(UNCLAIMED, Feed::id)));
    request.out.clone().unwrap_or_else(usual)
}
