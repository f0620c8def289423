//! The laps of a file: listed at once, samples decoded on request.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use trailbrake_shared::analysis::{
    Combo, ComparedLap, Fingerprint, LapColumns, OwnLine, ReferenceLine, TrackBook,
};
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapChoice, LapEntry, LapQuery};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Columns, Track};
use trailbrake_shared::recording::DecodedLap;
use trailbrake_shared::session::{Archive, LapContext};

use super::decode::{decoded, without_laps};
use super::packet_split::PacketSplit;
use super::packets::{self, Packets};

/// A file with laps.
pub(crate) struct LapFile {
    name: String,
    catalogue: LapCatalogue,
    samples: Samples,
    /// Names of tracks and corners, from the track book and the file.
    book: TrackBook,
}

/// Where the samples come from.
enum Samples {
    /// A recording, decoded lap by lap.
    Recording(Packets),
    /// A file that was decoded in full.
    Decoded(Archive),
}

/// A lap with its samples.
pub(crate) struct OpenedLap {
    pub(crate) entry: LapEntry,
    /// The lap, with the clock of its samples.
    pub(crate) lap: Lap,
    pub(crate) columns: Columns,
    pub(crate) context: LapContext,
    /// All laps of its driver in the session.
    pub(crate) seat_laps: Vec<Lap>,
    /// Its run of the session, counted from 1, where there are several.
    pub(crate) run: Option<u32>,
    /// Its track and car.
    pub(crate) combo: Combo,
    /// The line that it drove, once a comparison has asked for it.
    pub(crate) own_line: OwnLine,
    /// Number of the recording's blocks that were unpacked for it.
    pub(crate) blocks: u64,
}

impl LapFile {
    /// Opens a file and lists its laps; a file without laps is an error. Of a recording no packet is decoded.
    pub(crate) fn open(path: &Path, cutting: &PacketSplit, notes: &mut dyn Write) -> anyhow::Result<Self> {
        let packets = packets::open(path, cutting)?;
        let name = path.display().to_string();
        let book = TrackBook::default();
        if let Some(recording) = packets.recording().filter(|recording| !recording.laps_are_outdated()) {
            let catalogue = LapCatalogue::of_recording(recording);
            if catalogue.laps().is_empty() {
                return Err(without_laps(path, None));
            }
            return Ok(Self { name, catalogue, samples: Samples::Recording(packets), book });
        }
        let archive = decoded(packets, notes)?;
        let catalogue = LapCatalogue::of_archive(&archive);
        if catalogue.laps().is_empty() {
            return Err(without_laps(path, Some(&archive)));
        }
        Ok(Self { name, catalogue, samples: Samples::Decoded(archive), book })
    }

    /// Adds the names of a track book to those in the file.
    pub(crate) fn with_book(mut self, book: TrackBook) -> Self {
        self.book = book;
        if let Samples::Recording(packets) = &self.samples {
            let known = packets.recording().and_then(|recording| recording.facts().get().ok().flatten());
            if let Some(known) = known {
                self.book.learn(known);
            }
        }
        self
    }

    pub(crate) fn catalogue(&self) -> &LapCatalogue {
        &self.catalogue
    }

    /// Names of tracks and corners.
    pub(crate) fn book(&self) -> &TrackBook {
        &self.book
    }

    /// The number of packet blocks, for a recording.
    pub(crate) fn blocks(&self) -> Option<u64> {
        match &self.samples {
            Samples::Recording(packets) => packets.recording().map(|recording| recording.blocks()),
            Samples::Decoded(_) => None,
        }
    }

    /// The lap of a query; with `beside`, the lap that goes best with that one of this file. Notes which run it is
    /// where several runs have a lap of its number.
    pub(crate) fn pick(
        &self,
        query: &LapQuery,
        beside: Option<&LapEntry>,
        notes: &mut dyn Write,
    ) -> anyhow::Result<LapEntry> {
        let name = &self.name;
        let entry = self.catalogue.pick(query, beside).map_err(|why| {
            anyhow!("{name}: {why}; `trailbrake laps --car all {name}` lists what there is")
        })?;
        let mut runs: Vec<u16> = self.catalogue.select(query).iter().map(|lap| lap.lap.run).collect();
        runs.sort_unstable();
        runs.dedup();
        if query.run.is_none() && !query.laps.is_empty() && runs.len() > 1 && is_numbered(query) {
            let (number, run, runs) = (entry.lap.number, u32::from(entry.lap.run) + 1, runs.len());
            writeln!(notes, "{runs} runs have a lap {number}: this is run {run}; --run chooses another")?;
        }
        Ok(entry.clone())
    }

    /// Opens a lap with its samples; an error where the game sent none.
    pub(crate) fn open_lap(&mut self, entry: &LapEntry) -> anyhow::Result<OpenedLap> {
        let (name, number) = (self.name.clone(), entry.lap.number);
        self.samples_of(entry)?
            .with_context(|| format!("{name}: the game sent no samples of lap {number}, only its times"))
    }

    /// Like `open_lap`; `None` where the game sent no samples.
    pub(crate) fn samples_of(&mut self, entry: &LapEntry) -> anyhow::Result<Option<OpenedLap>> {
        Ok(self.samples_of_all(std::slice::from_ref(entry))?.pop())
    }

    /// The laps with samples among these. Of a recording they are decoded on all cores.
    pub(crate) fn samples_of_all(&mut self, entries: &[LapEntry]) -> anyhow::Result<Vec<OpenedLap>> {
        let decoded = match &mut self.samples {
            Samples::Recording(packets) => packets.laps(entries)?,
            Samples::Decoded(_) => entries.iter().map(|_| None).collect(),
        };
        let opened = entries.iter().zip(decoded).filter_map(|(entry, decoded)| self.opened(entry, decoded));
        Ok(opened.collect())
    }

    /// A lap with its samples, as decoded from a recording. `None` if there are none.
    fn opened(&self, entry: &LapEntry, decoded: Option<(DecodedLap, u64)>) -> Option<OpenedLap> {
        let (lap, columns, context, blocks) = match &self.samples {
            Samples::Recording(_) => {
                let (decoded, blocks) = decoded?;
                // The session knows more about the lap than its own packets do.
                let mut lap = entry.lap.clone();
                lap.began_s = decoded.lap.began_s;
                (lap, decoded.columns, decoded.context, blocks)
            }
            Samples::Decoded(archive) => {
                let columns = entry.columns_in(archive)?;
                let session = archive.session(entry.id.session);
                let context = session.map(|session| LapContext::of(session, entry.id.car, &entry.lap));
                (entry.lap.clone(), columns.clone(), context.unwrap_or_default(), 0)
            }
        };
        if columns.is_empty() {
            return None;
        }
        let mut combo = entry.combo();
        let track = entry.session.summary.track();
        combo.track = track_title(track, &self.book, &LapColumns::new(&lap, &columns)).or(combo.track);
        Some(OpenedLap {
            seat_laps: self.catalogue.seat_laps(entry).map(|entry| entry.lap.clone()).collect(),
            run: self.catalogue.run(entry),
            entry: entry.clone(),
            lap,
            columns,
            context,
            combo,
            own_line: OwnLine::default(),
            blocks,
        })
    }
}

impl OpenedLap {
    /// Its samples, for analysis.
    pub(crate) fn lap_columns(&self) -> LapColumns<'_> {
        LapColumns::new(&self.lap, &self.columns).among(&self.context.close)
    }

    /// The lap as an input of a comparison.
    pub(crate) fn compared<'a>(&'a self, columns: &'a LapColumns<'a>) -> ComparedLap<'a> {
        ComparedLap { lap: &self.lap, columns, combo: &self.combo, own_line: &self.own_line }
    }
}

fn is_numbered(query: &LapQuery) -> bool {
    matches!(query.laps.first(), Some(LapChoice::Numbers(..)))
}

/// The title of a lap's track: the game's name, else the book's, else the recognised layout's, else the game's id.
fn track_title(track: Option<&Track>, book: &TrackBook, lap: &LapColumns<'_>) -> Option<String> {
    let named = track.filter(|track| track.is_named()).map(Track::title);
    let known = || {
        if book.tracks().is_empty() {
            return None;
        }
        let line = ReferenceLine::learn(lap).ok()?;
        book.recognise(&Fingerprint::of(&line)).map(|(known, _)| known.name.clone())
    };
    named.or_else(known).or_else(|| track.filter(|track| track.layout().is_some()).map(Track::title))
}
