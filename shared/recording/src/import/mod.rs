//! Makes recordings of files that other programs wrote: captures, telemetry of iRacing, MoTeC logs and
//! tables of laps. A page opens them so.

mod capture;
mod file_kind;
pub mod garage61;
pub mod ibt;
mod laps;
pub mod mapped_table;
mod plane;
mod table_kind;
#[cfg(test)]
mod tests;

pub use capture::CaptureImport;
pub use file_kind::{FileKind, not_a_recording};
pub use laps::{ImportError, LapsFile, LapsReading, LapsRecording, NoOfficialTime, PieceImport};
pub use table_kind::TableKind;

use trailbrake_games::feed::Feed;
use trailbrake_games::wire::Datagram;

use crate::{Info, RecordingId};

/// A recording made of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRecording {
    /// The feed of its packets.
    pub feed: Feed,
    /// The number of packets in it.
    pub packets: u64,
    /// The number of laps in it.
    pub laps: usize,
    /// The recording's bytes.
    pub bytes: Vec<u8>,
}

/// What a recording says about itself. The same file always makes a recording of the same id, so that links and notes
/// find it when it is opened again.
fn info(feed: Feed, first: &Datagram<'_>, program: &str) -> Info {
    let mut content = crc32fast::Hasher::new();
    content.update(feed.info().first_id().as_bytes());
    content.update(first.bytes);
    let sender = crc32fast::hash(first.sender.to_string().as_bytes());
    let id = u128::from(content.finalize()) << 96 | u128::from(sender) << 64 | u128::from(first.at.0);
    Info {
        id: RecordingId(id),
        parent: None,
        created: first.at,
        feed: feed.id().to_owned(),
        program: program.to_owned(),
        others_left_out: false,
    }
}
