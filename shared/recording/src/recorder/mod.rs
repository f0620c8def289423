//! The recorder: decides where recordings begin and end, and writes them, without file access.
//!
//! It takes every datagram and the time, and returns file actions. Each sender of each feed has its own recording, so
//! two games at once do not mix. Datagrams that no feed recognises go into the recording of a game on the same machine,
//! or into one of their own.

mod actions;
mod identity;
mod name;
mod open;
mod track;

use std::collections::HashSet;
use std::net::IpAddr;

use trailbrake_games::feed::Feed;
use trailbrake_games::wire::{Datagram, Unrecorded, UnrecordedGame};
use trailbrake_model::time::Micros;
use trailbrake_session::Session;

use super::facts::StoredFact;
use actions::Desk;
pub use actions::{Action, FileId, NewId, Policy};
pub use name::{ENDING, called};
use track::Track;

/// How many senders are recorded at a time: in total, from one address, and from one address with the same feed. The last
/// two keep a machine that sends from many ports from taking every place.
const MOST_TRACKS: usize = 16;
const MOST_OF_ADDRESS: usize = 8;
const MOST_ALIKE: usize = 4;
/// A sender silent for longer may have a new port: a restarted game sends from another one.
const MOVED_S: f64 = 3.5;
/// A game that is not recorded is reported until this long after its last packet.
const REPORTED_S: f64 = 5.0;

/// Records everything it receives.
pub struct Recorder {
    tracks: Vec<Track>,
    desk: Desk,
    /// The machines whose packets are not recorded, as they have taken their share of the disk.
    stopped: HashSet<IpAddr>,
    /// The last game whose packets were not recorded, and when the last of them was received.
    unrecorded: Option<(UnrecordedGame, Micros)>,
}

impl Recorder {
    /// `program` is the name of the writing program.
    pub fn new(policy: Policy, program: &str, new_id: NewId) -> Self {
        let program = program.to_owned();
        let desk = Desk { policy, program, new_id, files: 0, actions: Vec::new() };
        Self { tracks: Vec::new(), desk, stopped: HashSet::new(), unrecorded: None }
    }

    /// Takes a datagram.
    pub fn receive(&mut self, datagram: &Datagram<'_>) {
        self.end_silent(datagram.at);
        if self.stopped.contains(&datagram.sender.ip()) {
            return self.leave_out(datagram, Unrecorded::DiskShare);
        }
        let Some(place) = self.track_of(datagram) else {
            return self.leave_out(datagram, Unrecorded::Crowd);
        };
        if let Some(track) = self.tracks.get_mut(place) {
            track.receive(datagram, &mut self.desk);
        }
    }

    /// Records nothing more of a machine, from now on or until it may go on. What is under way is finished.
    pub fn stop_recording(&mut self, machine: IpAddr, is_stopped: bool) {
        if !is_stopped {
            self.stopped.remove(&machine);
        } else if self.stopped.insert(machine) {
            let ended = self.tracks.extract_if(.., |track| track.sender().ip() == machine);
            ended.for_each(|track| track.end(&mut self.desk));
        }
    }

    /// Takes the time: data is handed out after a second at most, and silence ends recordings.
    pub fn poll(&mut self, now: Micros) {
        self.end_silent(now);
        self.tracks.iter_mut().for_each(|track| track.end_second(now, &mut self.desk));
    }

    /// Ends every recording, before the program exits.
    pub fn stop(&mut self) {
        self.tracks.drain(..).for_each(|track| track.end(&mut self.desk));
    }

    /// The file actions since the last call, in order.
    pub fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.desk.actions)
    }

    /// Hands out everything received, without waiting for the current second to end, before a file is read.
    pub fn flush(&mut self) {
        self.tracks.iter_mut().for_each(|track| track.flush(&mut self.desk));
    }

    /// Forgets the packets of a file before an offset, since its beginning was dropped. The laps in them stay listed.
    pub fn forget(&mut self, file: FileId, before: u64) {
        self.tracks.iter_mut().for_each(|track| track.forget(file, before));
    }

    /// The bytes that complete those handed out so far into a finished recording with the current laps, to open a
    /// recording that is under way.
    pub fn tail(&mut self, file: FileId) -> Option<Vec<u8>> {
        self.tracks.iter_mut().find_map(|track| track.tail(file))
    }

    /// Writes a fact, such as a note, into a recording under way, at once; returns whether there is such a recording.
    pub fn write(&mut self, file: FileId, name: &str, fact: StoredFact) -> bool {
        self.tracks.iter_mut().any(|track| track.write(file, name, fact.clone(), &mut self.desk))
    }

    /// Forgets a file that can't be written; the game's next packets begin another one.
    pub fn abandon(&mut self, file: FileId) {
        self.tracks.retain(|track| !track.writes(file));
    }

    /// When the last packet in a file was received.
    pub fn last_in(&self, file: FileId) -> Option<Micros> {
        self.tracks.iter().find_map(|track| track.last_in(file))
    }

    /// The files being written, with the feed of each.
    pub fn files(&self) -> impl Iterator<Item = (FileId, Option<Feed>)> {
        self.tracks.iter().filter_map(|track| Some((track.file()?, track.feed())))
    }

    /// The session that goes into a file, with its feed; `None` while another one may take its place.
    pub fn session_in(&self, file: FileId) -> Option<(Option<Feed>, &Session)> {
        let track = self.tracks.iter().find(|track| track.file() == Some(file))?;
        Some((track.feed(), track.recorded_session()?))
    }

    /// Bytes in memory of packets and decoded data, without the tables that go to the end of the file.
    pub fn bytes(&self) -> usize {
        self.tracks.iter().map(Track::bytes).sum()
    }

    /// A game that is sending now and is not recorded.
    pub fn unrecorded(&self, now: Micros) -> Option<UnrecordedGame> {
        self.unrecorded.filter(|(_, at)| now.seconds_since(*at) < REPORTED_S).map(|(game, _)| game)
    }

    fn leave_out(&mut self, datagram: &Datagram<'_>, because: Unrecorded) {
        let sender = datagram.sender;
        let game = datagram.feed.map(|feed| (UnrecordedGame { feed, sender, because }, datagram.at));
        self.unrecorded = game.or(self.unrecorded);
    }

    fn end_silent(&mut self, now: Micros) {
        let silence_s = self.desk.policy.silence_s;
        let over = |track: &mut Track| now.seconds_since(track.last_received()) >= silence_s;
        let ended: Vec<Track> = self.tracks.extract_if(.., over).collect();
        for track in ended {
            track.end(&mut self.desk);
        }
    }

    fn track_of(&mut self, datagram: &Datagram<'_>) -> Option<usize> {
        let (feed, host) = (datagram.feed, datagram.sender.ip());
        let place = |is: &dyn Fn(&Track) -> bool| self.tracks.iter().position(is);
        let of_host = |track: &Track| track.sender().ip() == host;
        let found = place(&|track| track.feed() == feed && track.sender() == datagram.sender);
        let moved = || {
            let silent = |track: &Track| datagram.at.seconds_since(track.last_received()) > MOVED_S;
            place(&|track| track.feed() == feed && of_host(track) && silent(track))
        };
        let beside = || place(&|track| feed.is_none() && track.is_recording() && of_host(track));
        if let Some(place) = found.or_else(moved).or_else(beside) {
            return Some(place);
        }
        let alike = |track: &Track| track.feed() == feed && of_host(track);
        self.make_room(MOST_ALIKE, &alike, datagram.at)?;
        self.make_room(MOST_OF_ADDRESS, &of_host, datagram.at)?;
        self.make_room(MOST_TRACKS, &|_| true, datagram.at)?;
        self.tracks.push(Track::new(datagram));
        Some(self.tracks.len() - 1)
    }

    /// Makes room for one more of the tracks that `counts` selects, if there are already `most`: ends the one that has been
    /// silent longest. A track that is recording and still sends is kept. Returns `None` if no track can be ended.
    fn make_room(&mut self, most: usize, counts: &dyn Fn(&Track) -> bool, now: Micros) -> Option<()> {
        if self.tracks.iter().filter(|track| counts(track)).count() < most {
            return Some(());
        }
        let gives_way = |track: &Track| {
            counts(track) && (!track.is_recording() || now.seconds_since(track.last_received()) > MOVED_S)
        };
        let candidates = (0..).zip(&self.tracks).filter(|(_, track)| gives_way(track));
        let (longest, _) = candidates.min_by_key(|(_, track)| track.last_received())?;
        self.tracks.remove(longest).end(&mut self.desk);
        Some(())
    }
}

#[cfg(test)]
mod end_tests;
#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod tests;
