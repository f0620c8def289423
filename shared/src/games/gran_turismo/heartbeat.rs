//! The heartbeats of one generation of games: which letter, when, and what it means that another one is answered.

use super::packet::Letter;
use crate::time::Micros;

/// Between heartbeats: a hundred packets, the least that anybody says one heartbeat buys.
const BEAT_S: f64 = 1.6;
/// Between heartbeats where nobody seems to be: the longest that other programs wait.
const RARE_BEAT_S: f64 = 10.0;
/// The first letter is asked with so often before another is tried; most games know it.
const FIRST_BEATS: u32 = 5;
/// The others so often.
const OTHER_BEATS: u32 = 2;
/// Any letter where nobody seems to be.
const RARE_BEATS: u32 = 1;
/// A heartbeat buys at most so long a stream.
const LIVING_S: f64 = 16.0;
/// Whoever still streams after this long without our heartbeats is kept alive by somebody else.
const WAITED_OUT_S: f64 = 20.0;
/// A stream of sixty packets a second that is silent for so long has stopped.
const STOPPED_S: f64 = 1.0;

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// As often as a console that is there may be asked.
    Usual,
    /// Now and then: nobody seems to be there.
    Rare,
}

/// How the asking stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Heartbeats go out and nothing has come back.
    Asking,
    /// What comes was asked with a lesser letter; its stream has to stop before another can begin.
    WaitingOut {
        /// It was our own letter, and the game may have been started after it was asked with better ones.
        ours: bool,
    },
    /// What was asked for comes, or the best that was answered.
    Streaming,
    /// What comes was asked for by somebody else, who keeps it alive.
    Foreign,
}

/// Asks one generation of games.
#[derive(Debug)]
pub(super) struct Heartbeat {
    port: u16,
    via: u16,
    /// The letters to try, the best first.
    letters: Vec<Letter>,
    stage: Stage,
    /// Which letter is asked with.
    place: usize,
    beats: u32,
    rounds: u32,
    /// When a letter was sent last.
    sent: Option<Micros>,
    /// What comes, or came last.
    got: Letter,
    heard: Option<Micros>,
    since: Micros,
    /// Waiting has been tried for this stream.
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
            heard: None,
            since: Micros::default(),
            waited: false,
            stopped: false,
        }
    }

    /// The console's port.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Our port, which the console answers to.
    pub(super) fn via(&self) -> u16 {
        self.via
    }

    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// The letter that would be best.
    pub(super) fn wanted(&self) -> Letter {
        self.letters.first().copied().unwrap_or(Letter::A)
    }

    /// The letter whose packets come.
    pub(super) fn got(&self) -> Letter {
        self.got
    }

    /// Whether packets come.
    pub(super) fn streams(&self) -> bool {
        self.stage != Stage::Asking
    }

    /// How often all letters have been tried in vain.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether packets came once and have stopped.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// How long nothing has come, seconds.
    pub(super) fn silent_s(&self, now: Micros) -> f64 {
        self.heard.map_or(f64::INFINITY, |heard| now.seconds_since(heard))
    }

    /// The letter to send now, if it is time.
    pub(super) fn poll(&mut self, now: Micros, pace: Pace) -> Option<Letter> {
        let silent_s = self.silent_s(now);
        match self.stage {
            Stage::WaitingOut { .. } if silent_s >= STOPPED_S => self.ask_anew(),
            Stage::WaitingOut { .. } if now.seconds_since(self.since) >= WAITED_OUT_S => {
                self.enter(Stage::Foreign, now);
            }
            Stage::WaitingOut { .. } => return None,
            Stage::Streaming | Stage::Foreign if silent_s >= LIVING_S => {
                (self.waited, self.stopped) = (false, true);
                self.ask_anew();
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

    /// Takes note of a packet that came.
    pub(super) fn heard(&mut self, now: Micros, letter: Letter) {
        self.heard = Some(now);
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

    /// What the first packet means.
    fn answered(&self, letter: Letter) -> Stage {
        // A better letter than the one asked with now was asked with before; its answer was late.
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

    fn ask_anew(&mut self) {
        (self.stage, self.place, self.beats, self.rounds, self.sent) = (Stage::Asking, 0, 0, 0, None);
    }
}
