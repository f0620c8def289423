//! Recognises files by their first bytes and their names.

use trailbrake_games::capture::Reader;

use super::{garage61, ibt};
use crate::export::csv;

/// The first bytes of a recording, as of every MCAP file.
const MCAP: &[u8] = b"\x89MCAP0\r\n";
/// The first bytes of a MoTeC log.
const MOTEC: &[u8] = &[0x40, 0, 0, 0, 0, 0, 0, 0];

/// The kinds of files that hold packets or laps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A recording.
    Recording,
    /// A capture of network packets.
    Capture,
    /// A MoTeC log.
    MotecLog,
    /// A telemetry file of iRacing.
    IracingLog,
    /// A table of laps.
    LapTable,
}

/// What the driver reads about any other file.
pub fn not_a_recording(name: &str) -> String {
    let name = if name.is_empty() { "This" } else { name };
    format!("{name} is not a recording. Open .mcap, .pcap, iRacing .ibt, MoTeC .ld or lap .csv files.")
}

impl FileKind {
    /// The kind in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Recording => "a recording",
            Self::Capture => "a capture",
            Self::MotecLog => "a MoTeC log",
            Self::IracingLog => "a telemetry file of iRacing",
            Self::LapTable => "a table of laps",
        }
    }

    /// The number of bytes that show the kind.
    pub const HEAD: usize = 8;

    /// The kind of a file with this beginning and name. Tables and logs count by name, too, so that those of other
    /// programs are rejected with a reason.
    pub fn of(head: &[u8], name: &str) -> Option<Self> {
        let ends =
            |ending: &str| name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(ending));
        let start = head.get(..Self::HEAD).unwrap_or(head);
        if head.starts_with(MCAP) {
            Some(Self::Recording)
        } else if head.starts_with(MOTEC) || ends("ld") {
            Some(Self::MotecLog)
        } else if ibt::begins(head) || ends("ibt") {
            Some(Self::IracingLog)
        } else if ["csv", "tsv", "txt"].into_iter().any(ends) || csv::begins(start) || garage61::begins(start)
        {
            Some(Self::LapTable)
        } else {
            Reader::open(head).map(|_| Self::Capture)
        }
    }
}
