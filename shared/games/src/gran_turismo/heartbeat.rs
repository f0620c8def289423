//! The heartbeats for one generation of games: which letter to send when, and what an answer to another letter means.

use trailbrake_model::time::Micros;

use super::packet::Letter;

/// Seconds between heartbeats: a hundred packets, the lowest figure that anybody gives for one heartbeat.
const BEAT_S: f64 = 1.6;
/// Seconds between heartbeats while no console seems to be there: the longest interval of other programs.
const RARE_BEAT_S: f64 = 10.0;
/// Heartbeats with the first letter before another letter is tried; most games know the first.
const FIRST_BEATS: u32 = 5;
/// Heartbeats with each other letter.
const OTHER_BEATS: u32 = 2;
/// Heartbeats with any letter while no console seems to be there.
const RARE_BEATS: u32 = 1;
/// A heartbeat keeps the stream alive for at most this many seconds.
const LIVING_S: f64 = 16.0;
/// A stream that goes on for this many seconds without our heartbeats is kept alive by another program.
const WAITED_OUT_S: f64 = 20.0;
/// A stream of sixty packets per second has stopped after this many seconds without one.
const STOPPED_S: f64 = 1.0;

/// How often to send heartbeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// The rate for a console that is there.
    Usual,
    /// The rate while no console seems to be there.
    Rare,
}

/// The state of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Heartbeats are sent; no packet has arrived yet.
    Asking,
    /// The stream was requested with a lesser letter. It has to stop before another can begin.
    WaitingOut {
        /// The letter was our own: the game may have been started after we tried the better letters.
        ours: bool,
    },
    /// The requested packets arrive, or those of the best letter that was answered.
    Streaming,
    /// The packets were requested by another program, which keeps the stream alive.
    Foreign,
}

/// Requests packets from one generation of games.
#[derive(Debug)]
pub(super) struct Heartbeat {
    port: u16,
    via: u16,
    /// The letters to try, best first.
    letters: Vec<Letter>,
    stage: Stage,
    /// The index of the current letter.
    place: usize,
    beats: u32,
    rounds: u32,
    /// When the last heartbeat was sent.
    sent: Option<Micros>,
    /// The letter of the current or last packets.
    got: Letter,
    last_packet: Option<Micros>,
    since: Micros,
    /// Whether waiting for this stream to stop was already tried.
    waited: bool,
    stopped: bool,
}

impl Heartbeat {
    pub(super) fn new(port: u16, via: u16, letters: Vec<Letter>) -> Self {
        Self {
            port,
            via,
            letters,
            stage: Stage::Asking,
            place: 0,
            beats: 0,
            rounds: 0,
            sent: None,
            got: Letter::A,
            last_packet: None,
            since: Micros::default(),
            waited: false,
            stopped: false,
        }
    }

    /// The console's port for heartbeats.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Our port, to which the console sends.
    pub(super) fn via(&self) -> u16 {
        self.via
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// The best letter, which we want.
    pub(super) fn wanted(&self) -> Letter {
        self.letters.first().copied().unwrap_or(Letter::A)
    }

    /// The letter of the arriving packets.
    pub(super) fn got(&self) -> Letter {
        self.got
    }

    /// Whether packets arrive.
    pub(super) fn streams(&self) -> bool {
        self.stage != Stage::Asking
    }

    /// How often all letters were tried without an answer.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether packets arrived once and have stopped.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Seconds since the last packet.
    pub(super) fn silent_s(&self, now: Micros) -> f64 {
        self.last_packet.map_or(f64::INFINITY, |packet| now.seconds_since(packet))
    }

    /// The letter to send now, if a heartbeat is due.
    pub(super) fn poll(&mut self, now: Micros, pace: Pace) -> Option<Letter> {
        let silent_s = self.silent_s(now);
        match self.stage {
            Stage::WaitingOut { .. } if silent_s >= STOPPED_S => self.ask_again(),
            Stage::WaitingOut { .. } if now.seconds_since(self.since) >= WAITED_OUT_S => {
                self.enter(Stage::Foreign, now);
            }
            Stage::WaitingOut { .. } => return None,
            Stage::Streaming | Stage::Foreign if silent_s >= LIVING_S => {
                (self.waited, self.stopped) = (false, true);
                self.ask_again();
            }
            Stage::Asking | Stage::Streaming | Stage::Foreign => {}
        }
        let (every_s, first, other) = match (self.streams(), pace) {
            (false, Pace::Rare) => (RARE_BEAT_S, RARE_BEATS, RARE_BEATS),
            (true, _) | (_, Pace::Usual) => (BEAT_S, FIRST_BEATS, OTHER_BEATS),
        };
        if self.sent.is_some_and(|sent| now.seconds_since(sent) < every_s) {
            return None;
        }
        self.sent = Some(now);
        if self.streams() {
            return Some(self.got);
        }
        if self.beats >= if self.place == 0 { first } else { other } {
            self.beats = 0;
            self.place += 1;
            if self.place >= self.letters.len() {
                self.place = 0;
                self.rounds = self.rounds.saturating_add(1);
            }
        }
        self.beats += 1;
        self.letters.get(self.place).copied()
    }

    /// Records a received packet.
    pub(super) fn receive(&mut self, now: Micros, letter: Letter) {
        self.last_packet = Some(now);
        let before = std::mem::replace(&mut self.got, letter);
        match self.stage {
            Stage::Asking => self.enter(self.answered(letter), now),
            Stage::Streaming | Stage::Foreign if letter != before => {
                let enough = letter >= self.wanted();
                self.enter(if enough { Stage::Streaming } else { Stage::Foreign }, now);
            }
            Stage::WaitingOut { .. } if letter >= self.wanted() => self.enter(Stage::Streaming, now),
            Stage::WaitingOut { .. } | Stage::Streaming | Stage::Foreign => {}
        }
    }

    /// The stage after the first packet.
    fn answered(&self, letter: Letter) -> Stage {
        // A better letter than the current one was sent earlier; its answer is late.
        let ours = self.letters.iter().take(self.place + 1).any(|&asked| asked == letter);
        // In a later round it may be the moment that made the letter: the game was started just then.
        if letter >= self.wanted() || ours && (self.rounds == 0 || self.waited) {
            Stage::Streaming
        } else if self.waited {
            Stage::Foreign
        } else {
            Stage::WaitingOut { ours }
        }
    }

    fn enter(&mut self, stage: Stage, now: Micros) {
        (self.stage, self.since) = (stage, now);
        self.stopped = false;
        self.waited |= matches!(stage, Stage::WaitingOut { .. });
    }

    fn ask_again(&mut self) {
        (self.stage, self.place, self.beats, self.rounds, self.sent) = (Stage::Asking, 0, 0, 0, None);
    }
}
