//! The recorder: decides where recordings begin and end, and writes them, without knowing a file.
//!
//! It is given every datagram, and the time; it hands out what is to be done with files. Each sender of each feed has its
//! own recording, so that two games at once spoil neither. What no feed claims is kept with the recording of a game on
//! the same machine, or, where there is none, by itself.

mod identity;
mod name;
mod open;
mod track;

use std::net::IpAddr;

use super::facts::{RecordingId, StoredFact};
use crate::feed::Feed;
use crate::time::Micros;
use crate::wire::Datagram;
pub use name::{ENDING, called};
use track::Track;

/// So many senders are recorded at a time.
const MOST_TRACKS: usize = 16;
/// A sender that was silent for so long may have become another: a game that was started anew sends from another port.
const MOVED_S: f64 = 3.5;

/// A file that the recorder writes, by a number that it gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// What is to be done with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new file is needed. It is on trial: whether it is kept, and what it is called then, shows in a few seconds.
    Open {
        /// The file.
        file: FileId,
        /// The recording, by its name for ever.
        id: RecordingId,
        /// When its first packet was received.
        began: Micros,
        /// Its name for now; should there be one, with a number behind it.
        name: String,
    },
    /// A file is sure to be kept.
    Keep {
        /// The file.
        file: FileId,
        /// Its name once it is finished; should there be one, with a number behind it.
        name: String,
    },
    /// A file is not kept: what is in it was too short, or is in another file.
    Discard {
        /// The file.
        file: FileId,
    },
    /// Bytes are to be put at a file's end, and to be on the disk soon.
    Append {
        /// The file.
        file: FileId,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file is finished.
    Close {
        /// The file.
        file: FileId,
    },
}

/// How the recorder works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// Nothing shorter than so many seconds is kept.
    pub shortest_s: f64,
    /// Silence of so many seconds ends a recording.
    pub silence_s: f64,
    /// Seconds by which the driver's clock is ahead of UTC: files are named by it.
    pub zone_s: i32,
}

impl Default for Policy {
    fn default() -> Self {
        Self { shortest_s: 5.0, silence_s: 600.0, zone_s: 0 }
    }
}

/// Seconds that a kill may cost.
const LOST_S: f64 = 1.0;

impl Policy {
    /// Whether a recording that was broken off after so many seconds is too short to be kept. It may have lost its last
    /// second, and been just long enough.
    pub fn is_too_short(&self, broken_off_s: f64) -> bool {
        broken_off_s < self.shortest_s - LOST_S
    }
}

/// Gives each new recording its random name.
pub type NewId = Box<dyn FnMut() -> RecordingId + Send>;

/// Records whatever it is given.
pub struct Recorder {
    tracks: Vec<Track>,
    desk: Desk,
    refused: u64,
}

/// What all tracks write with.
struct Desk {
    policy: Policy,
    program: String,
    new_id: NewId,
    files: u32,
    actions: Vec<Action>,
}

impl Recorder {
    /// A recorder that has heard nothing yet, for a program of this name.
    pub fn new(policy: Policy, program: &str, new_id: NewId) -> Self {
        let program = program.to_owned();
        let desk = Desk { policy, program, new_id, files: 0, actions: Vec::new() };
        Self { tracks: Vec::new(), desk, refused: 0 }
    }

    /// Takes a datagram.
    pub fn receive(&mut self, datagram: &Datagram<'_>) {
        self.end_silent(datagram.at);
        match self.track_of(datagram) {
            Some(place) => {
                if let Some(track) = self.tracks.get_mut(place) {
                    track.receive(datagram, &mut self.desk);
                }
            }
            None => self.refused += 1,
        }
    }

    /// Takes the time: what was received is handed out after a second at most, and silence ends recordings.
    pub fn poll(&mut self, now: Micros) {
        self.end_silent(now);
        self.tracks.iter_mut().for_each(|track| track.end_second(now, &mut self.desk));
    }

    /// Ends every recording, since the program ends.
    pub fn stop(&mut self) {
        self.tracks.drain(..).for_each(|track| track.end(&mut self.desk));
    }

    /// What is to be done with files since this was asked last, in this order.
    pub fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.desk.actions)
    }

    /// Hands out everything that was received, before it is read: without waiting for the second under way to end.
    pub fn flush(&mut self) {
        self.tracks.iter_mut().for_each(|track| track.flush(&mut self.desk));
    }

    /// Forgets the packets in a file that begin before a place in it: its beginning was dropped. The laps in there stay
    /// listed.
    pub fn forget(&mut self, file: FileId, before: u64) {
        self.tracks.iter_mut().for_each(|track| track.forget(file, before));
    }

    /// What would have to stand behind the bytes handed out so far to make a file a finished recording, with the laps as
    /// they are now: a recording under way is opened by it.
    pub fn tail(&mut self, file: FileId) -> Option<Vec<u8>> {
        self.tracks.iter_mut().find_map(|track| track.tail(file))
    }

    /// Writes a fact, such as a note, into a recording under way, at once. Tells whether there is such a recording.
    pub fn write(&mut self, file: FileId, name: &str, fact: StoredFact) -> bool {
        self.tracks.iter_mut().any(|track| track.write(file, name, fact.clone(), &mut self.desk))
    }

    /// Forgets a file that can't be written: what its game sends next begins another one.
    pub fn abandon(&mut self, file: FileId) {
        self.tracks.retain(|track| !track.writes(file));
    }

    /// The files that are being written, with the feed that each is of.
    pub fn files(&self) -> impl Iterator<Item = (FileId, Option<Feed>)> {
        self.tracks.iter().filter_map(|track| Some((track.file()?, track.feed())))
    }

    /// Bytes of packets and of what they told that are kept in memory, apart from the tables that go to a file's end.
    pub fn bytes(&self) -> usize {
        self.tracks.iter().map(Track::bytes).sum()
    }

    /// Datagrams that were not recorded since too many programs sent at once.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    fn end_silent(&mut self, now: Micros) {
        let silence_s = self.desk.policy.silence_s;
        let over = |track: &mut Track| now.seconds_since(track.heard()) >= silence_s;
        let ended: Vec<Track> = self.tracks.extract_if(.., over).collect();
        for track in ended {
            track.end(&mut self.desk);
        }
    }

    fn track_of(&mut self, datagram: &Datagram<'_>) -> Option<usize> {
        let (feed, host) = (datagram.feed, datagram.sender.ip());
        let place = |is: &dyn Fn(&Track) -> bool| self.tracks.iter().position(is);
        let of_host = |track: &Track, host: IpAddr| track.sender().ip() == host;
        let found = place(&|track| track.feed() == feed && track.sender() == datagram.sender);
        let moved = || {
            let silent = |track: &Track| datagram.at.seconds_since(track.heard()) > MOVED_S;
            place(&|track| track.feed() == feed && of_host(track, host) && silent(track))
        };
        let beside = || place(&|track| feed.is_none() && track.is_recording() && of_host(track, host));
        if let Some(place) = found.or_else(moved).or_else(beside) {
            return Some(place);
        }
        if self.tracks.len() >= MOST_TRACKS {
            let idle = (0..).zip(&self.tracks).filter(|(_, track)| track.file().is_none());
            let (oldest, _) = idle.min_by_key(|(_, track)| track.heard())?;
            self.tracks.remove(oldest).end(&mut self.desk);
        }
        self.tracks.push(Track::new(datagram));
        Some(self.tracks.len() - 1)
    }
}

#[cfg(test)]
mod end_tests;
#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod tests;
