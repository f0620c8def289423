//! Recordings: what a game sent, kept byte for byte, and what is known of it.
//!
//! Nothing here opens a file. A [`Writer`] takes datagrams and hands out bytes to append. Whatever reads is a
//! [`Reading`]: it asks for ranges of bytes and is given them, whether they come from a file, over HTTP or out of a
//! browser's file.
//!
//! - [`open::Opening`] → [`Recording`]: the index, the facts and the lap table; no block is unpacked.
//! - [`Scan`] → [`ScannedRecording`]: the same of a file whose end is missing, with progress; stop asking to cancel it.
//! - [`Recording::packets`] → [`Packets`]: the packets of a stretch of time, in the order in which they were received.
//! - [`Recording::lap`] → [`LapReading`]: one lap of one car, decoded as if it were live.
//! - [`SessionJoin`]: a recording under way and then the live stream, each packet once: for a page that
//!   joins late.
//! - [`Reindexer`]: the facts that the packets tell, anew: after a scan, or with a better decoder.
//! - [`Rewriting`]: all of it written anew, without what is damaged within.
//! - [`Trim`]: some laps of it as a recording of their own, without other people unless told otherwise.
//! - [`notes`]: what people wrote about moments, and how copies' notes are put together.
//! - [`Tail`]: a finished recording's facts changed, natively by way of a journal.
//! - [`Recorder`]: every datagram and the time → what is to be done with which files.
//! - [`Writer`]: packets and facts → bytes to append. [`Writer::tail`] opens a recording that is under way.
//!
//! `docs/recording-format.md` has the format to the byte.

pub mod block;
mod container;
pub mod facts;
mod follow;
mod lap;
pub mod notes;
pub mod open;
mod packet;
mod packets;
mod reading;
pub mod recorder;
mod reindex;
mod rewrite;
mod scan;
mod session_join;
pub mod tail;
mod trim;
mod write;

use crate::records::{self, bytes};
pub use crate::session::{LapId, LapRow, SessionSummary};
pub use facts::{
    EventLog, Fact, FactError, Facts, Info, LapTable, RecordingId, StoredFact, Timeline, track_title,
};
pub use follow::Follower;
pub use lap::{DecodedLap, LapReading};
pub use notes::{NewNote, Note};
pub use open::{OpenError, Opening, Recording};
pub use packet::{Packet, UNCLAIMED};
pub use packets::{Gap, Packets};
pub use reading::{Reading, read_whole};
pub use recorder::{ENDING, Recorder};
pub use reindex::Reindexer;
pub use rewrite::Rewriting;
pub use scan::{Scan, ScannedRecording};
pub use session_join::SessionJoin;
pub use tail::Tail;
pub use trim::{OtherPeople, Trim};
pub use write::Writer;

#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod long_tests;
#[cfg(test)]
mod streams_tests;
