//! Recordings: the packets a game sent, kept byte for byte, and the facts derived from them.
//!
//! Nothing here opens a file. A [`Writer`] takes datagrams and returns bytes to append. Every reader is a [`Reading`]:
//! it asks for byte ranges and receives them, whether they come from a file, over HTTP or from a browser's file.
//!
//! - [`open::Opening`] → [`Recording`]: the index, the facts and the lap table; no block is unpacked.
//! - [`Scan`] → [`ScannedRecording`]: the same for a file whose end is missing. It reports progress; stop feeding it to
//!   cancel.
//! - [`Recording::packets`] → [`Packets`]: the packets of a time range, in the order they were received.
//! - [`LapReading`]: one lap of one car, decoded as if it were live.
//! - [`SessionJoin`]: the recording under way, then the live stream, each packet once, for a page that joins late.
//! - [`Reindexer`]: derives the facts from the packets again, after a scan or with a better decoder.
//! - [`Rewriting`]: writes a new copy without the damaged parts.
//! - [`Trim`]: a clip of some laps, without other cars unless asked otherwise. [`ClipSize`]: how large it will be.
//! - [`authored`]: facts that people write, and how those of copies are merged.
//! - [`notes`]: what people wrote about moments, in the order of a lesson plan.
//! - [`tasks`]: what a coach asks of a driver, and how it went.
//! - [`Tail`]: changes a finished recording's facts; natively through a journal.
//! - [`Recorder`]: datagrams and the time → file actions.
//! - [`RecordingBuilder`]: packets received earlier → a recording.
//! - [`sample`]: the last packets for a bug report, without names.
//! - [`Writer`]: packets and facts → bytes to append. [`Writer::tail`] opens a recording that is under way.
//!
//! Around them: [`export`] writes laps and packets for other programs, [`import`] makes recordings of their files,
//! [`lap_catalogue`] finds laps, and [`library`] has a library's answers.
//!
//! `docs/recording-format.md` specifies the format to the byte.
#![forbid(unsafe_code)]

pub mod authored;
pub mod block;
mod builder;
mod clip_name;
mod clip_size;
mod container;
pub mod export;
mod fact_limits;
pub mod facts;
mod follow;
pub mod import;
mod lap;
pub mod lap_catalogue;
pub mod library;
pub mod notes;
pub mod open;
mod packet;
mod packets;
mod reading;
pub mod recorder;
mod records;
mod reindex;
mod rewrite;
mod rows;
mod sample;
mod scan;
mod session_join;
pub mod tail;
pub mod tasks;
mod trim;
mod write;

pub use authored::{Authored, AuthoredKind};
pub use builder::{RecordingBuilder, RecordingEnd};
pub use clip_name::{clip_name, laps_in_words};
pub use clip_size::{CHAT_BYTES, ClipSize, MAIL_BYTES, fits};
pub use facts::{
    EventLog, Fact, FactError, Facts, Info, LapTable, Origin, RecordingId, StoredFact, Timeline, Traffic,
    track_title,
};
pub use follow::Follower;
pub use lap::{DecodedLap, LapReading};
pub use notes::{MergedNotes, NewNote, Note, NoteColour};
pub use open::{OpenError, Opening, Recording};
pub use packet::{Packet, UNCLAIMED};
pub use packets::{Gap, Packets};
pub use reading::{Reading, read_whole};
pub use recorder::{ENDING, Recorder};
use records::bytes;
pub use reindex::Reindexer;
pub use rewrite::Rewriting;
pub use sample::{SampleReport, sample};
pub use scan::{Scan, ScannedRecording};
pub use session_join::SessionJoin;
pub use tail::Tail;
pub use tasks::{Task, TaskBrief};
pub use trailbrake_games::OtherCars;
pub use trailbrake_session::{LapId, LapRow, ReportedLap, SessionSummary};
pub use trim::Trim;
pub use write::Writer;

#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod long_tests;
#[cfg(test)]
mod streams_tests;
#[cfg(test)]
mod tasks_tests;
