//! Reads a file's packets ahead on a thread of its own, so that the disk never delays one that is due.

use std::io;
use std::path::PathBuf;
use std::thread::JoinHandle;

use anyhow::{Context, anyhow};
use tokio::sync::mpsc;
use trailbrake_shared::feed;
use trailbrake_shared::recording::Packet;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::files::{self, PacketSplit};

/// Packets read ahead.
const AHEAD: usize = 1024;

/// An item read from the file.
pub(super) enum ReadItem {
    Packet(Packet),
    /// The file starts again.
    Again,
}

/// A file to replay.
#[derive(Clone, Debug)]
pub(super) struct ReplayedFile {
    pub(super) file: PathBuf,
    pub(super) cutting: PacketSplit,
    /// Earlier packets are omitted.
    pub(super) from: Micros,
    /// Whether it starts again at its end.
    pub(super) again: bool,
}

/// A file being read.
pub(super) struct ReadAhead {
    packets: mpsc::Receiver<ReadItem>,
    thread: JoinHandle<anyhow::Result<Vec<u8>>>,
}

impl ReadAhead {
    /// Starts reading.
    pub(super) fn start(file: ReplayedFile) -> anyhow::Result<Self> {
        let (ahead, packets) = mpsc::channel(AHEAD);
        let thread = std::thread::Builder::new().name("reel".into()).spawn(move || read(&file, &ahead));
        Ok(Self { packets, thread: thread.context("the system gives no thread to read with")? })
    }

    /// The next item; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<ReadItem> {
        self.packets.recv().await
    }

    /// Stops reading; returns the notes about the file.
    pub(super) fn end(self) -> anyhow::Result<Vec<u8>> {
        drop(self.packets);
        self.thread.join().map_err(|_| anyhow!("the file could not be read to its end"))?
    }
}

/// Reads until the end, or until the receiver is gone.
fn read(file: &ReplayedFile, ahead: &mpsc::Sender<ReadItem>) -> anyhow::Result<Vec<u8>> {
    loop {
        // Every round has the same notes.
        let mut notes = Vec::new();
        let mut empty = true;
        let packets = files::open(&file.file, &file.cutting)?.within(file.from..Micros(u64::MAX)).unwatched();
        let done = packets.datagrams(&mut notes, &mut |datagram| {
            empty = false;
            let recognised = || feed::recognise(datagram.bytes).ok().map(|known| known.feed);
            let feed = datagram.feed.or_else(recognised);
            let packet = Packet::of(&Datagram { feed, ..*datagram }, 0);
            ahead.blocking_send(ReadItem::Packet(packet)).map_err(|_| io::ErrorKind::BrokenPipe.into())
        });
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(notes),
            done => drop(done?),
        }
        if !file.again || empty || ahead.blocking_send(ReadItem::Again).is_err() {
            return Ok(notes);
        }
    }
}
