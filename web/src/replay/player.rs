//! Playback: decides which packets are due and which bytes to fetch. It has no clock and sends no requests itself.

use std::collections::VecDeque;
use std::ops::Range;

use trailbrake_shared::model::Car;
use trailbrake_shared::recording::{Gap, LapRow, Packet, Packets, Reading, Recording};
use trailbrake_shared::session::RecalledSession;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, ToBrowser};

/// Packets are fetched this many real seconds before they are due.
const AHEAD_S: f64 = 2.0;
/// The maximum bytes of packets in one frame. After a jump more may be due.
const MOST_IN_A_FRAME: usize = 1 << 20;
/// The maximum bytes of packets read ahead.
const MOST_WAITING: usize = 32 << 20;
/// A jump ahead by at most this decodes everything up to its target; a longer one may skip packets.
const NEAR_US: u64 = 60_000_000;
/// A jump to a position at most this long after the beginning decodes everything from the beginning.
const ALL_US: u64 = 600_000_000;
/// Decoding begins this long before the lap: the decoder needs the crossing of the line, and some packets to recognise
/// the game.
const LEAD_US: u64 = 6_000_000;

/// Playback this many seconds before the end counts as live, since the page learns of new packets late.
const JUST_NOW_S: f64 = 15.0;

/// The speeds to choose from; 1 is real time.
pub(crate) const SPEEDS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// Plays a recording.
pub(crate) struct Player {
    recording: Recording,
    /// The car whose laps are decoded from their beginning after a jump.
    driver: Option<Car>,
    /// Whether the recording is still being recorded: then playback waits at its end for more.
    grows: bool,
    time: Range<Micros>,
    packets: Packets,
    /// The number of blocks decompressed before the last jump.
    blocks_before: u64,
    /// Counts the jumps that restart decoding. Bytes fetched before the last one are dropped.
    reading: u32,
    /// The lap from whose beginning it decodes, and the moment shortly before; `None` without such a lap, as when it
    /// decodes from the recording's beginning.
    began_at: Option<(LapRow, Micros)>,
    /// Packets that are read but not yet returned.
    waiting: VecDeque<Packet>,
    waiting_bytes: usize,
    /// The playback position: packets up to it are due.
    goal: Micros,
    playing: bool,
    speed: f64,
    /// When `drive` was last called, in milliseconds of the page.
    driven_at_ms: f64,
}

/// Bytes to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The player's reading that needs them.
    pub(crate) reading: u32,
    pub(crate) range: Range<u64>,
}

/// Whether the decoded session stays valid after a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jump {
    /// It stays valid: decoding continues.
    Onward,
    /// It has to be dropped: decoding restarts elsewhere.
    Restart,
}

impl Player {
    /// A player at the beginning of a recording; `None` if it has no packets.
    pub(crate) fn new(recording: Recording, driver: Option<Car>, grows: bool, now_ms: f64) -> Option<Self> {
        let time = whole(&recording)?;
        Some(Self {
            packets: recording.all_packets(),
            blocks_before: 0,
            recording,
            driver,
            grows,
            reading: 0,
            began_at: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            goal: time.start,
            time,
            playing: true,
            speed: 1.0,
            driven_at_ms: now_ms,
        })
    }

    /// Continues with a later state of a recording that is still being recorded.
    pub(crate) fn extend(&mut self, recording: Recording, driver: Option<Car>, grows: bool) {
        recording.continue_packets(&mut self.packets);
        if let Some(time) = whole(&recording) {
            self.time = time;
        }
        (self.recording, self.driver, self.grows) = (recording, driver, grows);
    }

    /// The recording.
    pub(crate) fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The recorded time range.
    pub(crate) fn time(&self) -> Range<Micros> {
        self.time.clone()
    }

    /// The playback position.
    pub(crate) fn position(&self) -> Micros {
        self.goal
    }

    /// Whether it plays, or waits for packets to play.
    pub(crate) fn playing(&self) -> bool {
        self.playing
    }

    /// The speed; 1 is real time.
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// The gaps that damage has left in the packets read so far.
    pub(crate) fn gaps(&self) -> &[Gap] {
        self.packets.gaps()
    }

    /// Whether due packets are still being fetched or decoded.
    pub(crate) fn is_behind(&self) -> bool {
        self.waiting.front().map_or(!self.all_read(), |packet| packet.at <= self.goal)
    }

    /// How many blocks of packets were decompressed so far.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks_before + self.packets.blocks()
    }

    /// Real seconds to the end of the recording, at the current speed.
    pub(crate) fn left_s(&self) -> f64 {
        self.time.end.seconds_since(self.goal) / self.speed
    }

    /// Whether it plays the newest data of a recording that is still being recorded.
    pub(crate) fn has_caught_up(&self) -> bool {
        self.grows && self.playing && self.left_s() < JUST_NOW_S
    }

    /// Whether it is at its end.
    pub(crate) fn at_end(&self) -> bool {
        self.goal >= self.time.end
    }

    /// Plays or pauses. At the end of a finished recording it plays from the beginning, and returns that jump.
    pub(crate) fn toggle(&mut self) -> Option<Jump> {
        let restarts = !self.playing && self.at_end() && !self.grows;
        let jump = restarts.then(|| self.jump(self.time.start));
        self.playing = !self.playing;
        jump
    }

    /// Pauses.
    pub(crate) fn pause(&mut self) {
        self.playing = false;
    }

    /// Changes the speed to one of [`SPEEDS`]; ignores others.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        if SPEEDS.contains(&speed) {
            self.speed = speed;
        }
    }

    /// Jumps to another moment. The packets before it that decoding needs are due at once.
    pub(crate) fn jump(&mut self, to: Micros) -> Jump {
        let to = to.clamp(self.time.start, self.time.end);
        let near = to >= self.goal && to.0 - self.goal.0 <= NEAR_US;
        let (start, lap) = self.start_for(to);
        // Decoding has already passed the moment from which the target would be decoded.
        let onward = near || (to >= self.goal && start <= self.goal);
        self.goal = to;
        if onward {
            return Jump::Onward;
        }
        self.began_at = lap.map(|lap| (lap, start));
        self.blocks_before = self.blocks();
        self.packets = self.recording.packets(start..Micros(u64::MAX));
        self.reading = self.reading.wrapping_add(1);
        self.waiting.clear();
        self.waiting_bytes = 0;
        Jump::Restart
    }

    /// Advances playback to now, and returns the due packets as one message.
    pub(crate) fn drive(&mut self, now_ms: f64) -> Option<Vec<u8>> {
        let elapsed_s = (now_ms - self.driven_at_ms).max(0.0) / 1e3;
        self.driven_at_ms = now_ms;
        // While due packets are missing, playback waits, so that a slow request skips nothing.
        if self.playing && !self.is_behind() {
            let goal = self.goal.plus_seconds(elapsed_s * self.speed);
            // Playback does not run ahead of the fetched packets.
            let known = self.waiting.back().map_or(self.time.end, |packet| packet.at);
            self.goal = if self.all_read() { goal } else { goal.min(known) }.min(self.time.end);
            self.playing = self.grows || !self.at_end();
        }
        let mut due = Vec::new();
        let mut bytes = 0;
        while bytes < MOST_IN_A_FRAME && self.waiting.front().is_some_and(|packet| packet.at <= self.goal) {
            let Some(packet) = self.waiting.pop_front() else { break };
            bytes += packet.bytes.len();
            self.waiting_bytes -= packet.bytes.len();
            due.push(packet);
        }
        if due.is_empty() {
            return None;
        }
        // Encoding fails only above the size limit, and a frame's packets are far below it.
        wire::encode(&ToBrowser::Batch(due.iter().map(Packet::datagram).collect())).ok()
    }

    /// The bytes to fetch now; `None` if enough packets are read ahead.
    pub(crate) fn wants(&self) -> Option<Wanted> {
        let range = self.packets.needs()?;
        let horizon = self.goal.plus_seconds(AHEAD_S * self.speed.max(1.0));
        let enough = self.waiting.back().is_some_and(|packet| packet.at > horizon);
        let wanted = !enough && self.waiting_bytes < MOST_WAITING;
        wanted.then_some(Wanted { reading: self.reading, range })
    }

    /// Takes fetched bytes, unless a jump has made them useless.
    pub(crate) fn give(&mut self, wanted: &Wanted, bytes: &[u8]) {
        if wanted.reading != self.reading || self.packets.needs().as_ref() != Some(&wanted.range) {
            return;
        }
        self.packets.give(bytes);
        let read = self.packets.take();
        self.waiting_bytes += read.iter().map(|packet| packet.bytes.len()).sum::<usize>();
        self.waiting.extend(read);
    }

    /// Whether everything has been fetched.
    fn all_read(&self) -> bool {
        self.packets.needs().is_none()
    }

    /// The state of the session before the decoded packets; `None` if all are decoded.
    pub(super) fn recalled(&self) -> Option<RecalledSession> {
        self.began_at.as_ref().map(|(lap, from)| self.recording.recall(lap, *from))
    }

    /// The moment from which decoding must begin to show everything at `to`, and the lap that begins shortly after it;
    /// no lap if that is the recording's beginning, or no lap has begun by then.
    fn start_for(&self, to: Micros) -> (Micros, Option<LapRow>) {
        if to.0 - self.time.start.0 <= ALL_US {
            return (self.time.start, None);
        }
        // Only the driver's lap is decoded from its beginning: the other cars' current laps would be too much.
        let laps = self.recording.laps().laps.iter();
        let own = laps.filter(|row| self.driver.is_none_or(|driver| driver == row.car) && row.from <= to);
        let lap = own.max_by_key(|row| row.from).map(|last| {
            // Between two laps, as in the pits, no lap has to be decoded: all of them are recalled.
            let from = if to < last.to { last.from } else { to };
            LapRow { from, ..last.clone() }
        });
        let from = lap.as_ref().map_or(to, |lap| lap.from);
        (Micros(from.0.saturating_sub(LEAD_US)).max(self.time.start), lap)
    }
}

/// The time range of a recording's packets; `None` if it has none.
fn whole(recording: &Recording) -> Option<Range<Micros>> {
    let time = recording.time()?;
    // The index has the start of the last chunk, which holds up to a second of packets.
    Some(time.start..time.end.plus_seconds(1.0))
}

#[cfg(test)]
mod tests;
