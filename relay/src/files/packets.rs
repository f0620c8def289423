//! The packets of any file: of a recording, a capture, bare payloads, or laps, from which packets are made.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use trailbrake_shared::capture::{PacketStream, Reader};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::import::{FileKind, LapsFile};
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::recording::{DecodedLap, Gap, LapRow, OpenError, Recording};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use super::counting_file::{ByteCount, CountingFile};
use super::item::FileItem;
use super::packet_split::PacketSplit;
use super::payloads::{self, Cut};
use super::{capture, laps_file, recording};
use crate::feed_name::FeedName;
use crate::progress::Progress;

/// Bare packets have no time: they get the rate of most games.
const PAYLOADS_A_SECOND: u64 = 60;

/// A file of recognised form.
pub(crate) struct Packets {
    form: Form,
    feed: Option<Feed>,
    len: u64,
    read: ByteCount,
    /// Packets received at other times are omitted.
    time: Range<Micros>,
    /// Whether a progress bar is shown.
    watched: bool,
}

enum Form {
    Recording(CountingFile, Box<Recording>),
    Capture(Box<PacketStream>, Bytes),
    Payloads(Cut, Bytes),
    Laps(LapsFile),
}

/// The file from its beginning, whether or not it can seek.
type Bytes = io::Chain<Cursor<Vec<u8>>, CountingFile>;

/// Opens a file of packets. Its first bytes show its form; `cutting` is how to split bare payloads.
pub(crate) fn open(path: &Path, cutting: &PacketSplit) -> anyhow::Result<Packets> {
    let unreadable = || format!("{} cannot be read", path.display());
    let feed = cutting.feed.map(|FeedName(feed)| feed);
    let cut = cut(cutting, feed)?;
    let file = File::open(path).with_context(unreadable)?;
    let len = file.metadata().with_context(unreadable)?.len();
    let read = ByteCount::default();
    let mut file = CountingFile::new(file, read.clone());
    let mut head = Vec::with_capacity(FileKind::HEAD);
    Read::by_ref(&mut file).take(FileKind::HEAD as u64).read_to_end(&mut head).with_context(unreadable)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let form = match FileKind::of(&head, &name) {
        Some(FileKind::Recording) => {
            let recording = recording::open(&mut file, len).map_err(|why| unopened(path, why))?;
            // Count only what is read for the packets.
            read.reset();
            Form::Recording(file, Box::new(recording))
        }
        Some(kind @ (FileKind::MotecLog | FileKind::IracingLog | FileKind::LapTable)) => {
            Form::Laps(laps_file::open(kind, &mut Cursor::new(head).chain(file), len, path, cutting)?)
        }
        Some(FileKind::Capture) | None => {
            let reader = Reader::open(&head);
            let bytes = Cursor::new(head).chain(file);
            match reader {
                Some(reader) => Form::Capture(Box::new(PacketStream::new(reader)), bytes),
                None => Form::Payloads(cut.unwrap_or(Cut::Whole), bytes),
            }
        }
    };
    if cut.is_some() && !matches!(form, Form::Payloads(..)) {
        bail!("{} has the size of each packet in it: leave out --record-size and --stream", path.display());
    }
    Ok(Packets { form, feed, len, read, time: Micros(0)..Micros(u64::MAX), watched: true })
}

impl Packets {
    /// Decodes laps of a recording and nothing else, and counts the blocks unpacked for each; `None` where its packets do
    /// not contain the lap.
    pub(crate) fn laps(&mut self, laps: &[LapEntry]) -> io::Result<Vec<Option<(DecodedLap, u64)>>> {
        let Form::Recording(file, recording) = &mut self.form else {
            return Ok(laps.iter().map(|_| None).collect());
        };
        let rows: Vec<Option<LapRow>> = laps.iter().map(LapEntry::row).collect();
        let in_recording: Vec<LapRow> = rows.iter().flatten().cloned().collect();
        let mut decoded = recording::laps(file, recording, &in_recording)?.into_iter();
        Ok(rows.into_iter().map(|row| row.and_then(|_| decoded.next().flatten())).collect())
    }

    /// The recording, if the file is one.
    pub(crate) fn recording(&self) -> Option<&Recording> {
        match &self.form {
            Form::Recording(_, recording) => Some(recording),
            Form::Capture(..) | Form::Payloads(..) | Form::Laps(_) => None,
        }
    }

    /// Only the packets received in a time range. Of a recording nothing else is read.
    pub(crate) fn within(self, time: Range<Micros>) -> Self {
        Self { time, ..self }
    }

    /// Shows no progress bar.
    pub(crate) fn unwatched(self) -> Self {
        Self { watched: false, ..self }
    }

    /// Bytes to read for all of it.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.form {
            Form::Recording(_, recording) => recording.packets(self.time.clone()).bytes_left(),
            Form::Capture(..) | Form::Payloads(..) | Form::Laps(_) => self.len,
        }
    }

    /// Whether nothing in the file says what it holds: bare packets, or anything else.
    pub(crate) fn is_bare(&self) -> bool {
        matches!(self.form, Form::Payloads(..))
    }

    /// Whether it is a file of laps.
    pub(crate) fn is_of_laps(&self) -> bool {
        matches!(self.form, Form::Laps(_))
    }

    /// The file and its recording, if it is one.
    pub(crate) fn into_recording(self) -> Option<(impl Read + Seek, Recording)> {
        match self.form {
            Form::Recording(file, recording) => Some((file, *recording)),
            Form::Capture(..) | Form::Payloads(..) | Form::Laps(_) => None,
        }
    }

    /// Passes on every item in file order, and notes what else there was; returns the gaps of a recording that can't be
    /// read.
    pub(crate) fn each(
        self,
        mut progress: Progress,
        notes: &mut dyn Write,
        take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
    ) -> io::Result<Vec<Gap>> {
        let (read, mut gaps) = (self.read, Vec::new());
        let take = &mut |found: FileItem<'_>| {
            progress.reached(read.bytes());
            take(found)
        };
        match self.form {
            Form::Recording(mut file, recording) => {
                let packets = recording.packets(self.time);
                gaps = recording::each(&mut file, packets, notes, take)?;
            }
            Form::Capture(mut stream, mut bytes) => capture::each(&mut stream, &mut bytes, notes, take)?,
            Form::Payloads(cut, mut bytes) => payloads::each(&cut, &mut bytes, take)?,
            Form::Laps(laps) => {
                laps.note().map_or(Ok(()), |note| writeln!(notes, "{note}"))?;
                laps_file::each(&laps, take)?;
            }
        }
        Ok(gaps)
    }

    /// Passes on every packet as the relay would have received it; counts and notes what is none.
    pub(crate) fn datagrams(
        self,
        notes: &mut dyn Write,
        take: &mut dyn FnMut(&Datagram<'_>) -> io::Result<()>,
    ) -> io::Result<Vec<Gap>> {
        let progress = Progress::new(if self.watched { self.bytes() } else { 0 });
        let (feed, time, mut nth) = (self.feed, self.time.clone(), 0_u64);
        let mut refused: Option<(u64, String)> = None;
        let gaps = self.each(progress, notes, &mut |found| {
            let (bytes, came) = match found {
                FileItem::Packet { bytes, came, .. } => (bytes, came),
                FileItem::Reject { reason, .. } => {
                    refused.get_or_insert((0, reason)).0 += 1;
                    return Ok(());
                }
            };
            nth += 1;
            let at = came.at.unwrap_or(Micros(nth * 1_000_000 / PAYLOADS_A_SECOND));
            if !time.contains(&at) {
                return Ok(());
            }
            let unknown = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let (sender, port) = (came.sender.unwrap_or(unknown), came.port.unwrap_or_default());
            take(&Datagram { at, sender, port, feed: came.feed.or(feed), bytes })
        })?;
        match refused {
            None => {}
            Some((1, why)) => writeln!(notes, "not read: {why}")?,
            Some((many, why)) => {
                writeln!(
                    notes,
                    "not read: {many} packets, the first since {why}; `trailbrake decode` says more"
                )?;
            }
        }
        Ok(gaps)
    }
}

/// Why a recording can't be opened, and how to repair it where it was cut off.
fn unopened(path: &Path, why: anyhow::Error) -> anyhow::Error {
    let file = path.display();
    match why.downcast_ref() {
        Some(OpenError::NoIndex) => anyhow!(
            "{file}: the recording was cut off, or its end is damaged; `trailbrake repair {file}` makes it whole, as far as it \
             goes"
        ),
        _ => why.context(file.to_string()),
    }
}

/// How to split a file that is neither a recording nor a capture, from the command line.
fn cut(cutting: &PacketSplit, feed: Option<Feed>) -> anyhow::Result<Option<Cut>> {
    if let Some(size) = cutting.record_size {
        return Ok(Some(Cut::Records(size as usize)));
    }
    if !cutting.stream {
        return Ok(None);
    }
    let Some((feed, codec)) = feed.and_then(|feed| Some((feed, feed.info().codec?))) else {
        bail!("--stream needs --feed: only a feed knows where its packets end");
    };
    match codec.datagram_size {
        Some(size) => Ok(Some(Cut::Stream(size))),
        None => bail!("packets of {} do not contain their size: use --record-size", feed.id()),
    }
}
