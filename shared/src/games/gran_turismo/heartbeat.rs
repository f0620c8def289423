//! The heartbeats of one generation of games: which letter, when, and what it means that another one is answered.

use super::packet::Letter;
use crate::time::Micros;

/// Between heartbeats: a hundred packets, the least that anybody says one heartbeat buys.
const BEAT_S: f64 = 1.6;
/// The first letter is asked with so often before another is tried; most games know it.
const FIRST_BEATS: u32 = 5;
/// The others so often.
const OTHER_BEATS: u32 = 2;
/// A heartbeat buys at most so long a stream.
const LIVING_S: f64 = 16.0;
/// Whoever still streams after this long without our heartbeats is kept alive by somebody else.
const WAITED_OUT_S: f64 = 20.0;
/// A stream of sixty packets a second that is silent for so long has stopped.
const STOPPED_S: f64 = 1.0;

/// How the asking stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Heartbeats go out and nothing has come back.
    Asking,
    /// What comes was asked with a lesser letter; its stream has to stop before another can begin.
    WaitingOut,
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
    next: Option<Micros>,
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
            next: None,
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

    /// The letter to send now, if it is time.
    pub(super) fn poll(&mut self, now: Micros) -> Option<Letter> {
        let silent = self.heard.map_or(f64::INFINITY, |heard| now.seconds_since(heard));
        match self.stage {
            Stage::WaitingOut if silent >= STOPPED_S => self.ask_anew(),
            Stage::WaitingOut if now.seconds_since(self.since) >= WAITED_OUT_S => {
                self.enter(Stage::Foreign, now)
            }
            Stage::WaitingOut => return None,
            Stage::Streaming | Stage::Foreign if silent >= LIVING_S => {
                (self.waited, self.stopped) = (false, true);
                self.ask_anew();
            }
            Stage::Asking | Stage::Streaming | Stage::Foreign => {}
        }
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        self.next = Some(now.plus_seconds(BEAT_S));
        if self.streams() {
            return Some(self.got);
        }
        let most = if self.place == 0 { FIRST_BEATS } else { OTHER_BEATS };
        if self.beats >= most {
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
        // A better letter than the one asked with now was asked with before; its answer was late.
        let asked = self.letters.iter().take(self.place + 1).any(|&asked| asked == letter);
        match self.stage {
            Stage::Asking if asked => self.enter(Stage::Streaming, now),
            Stage::Asking if self.waited => self.enter(Stage::Foreign, now),
            Stage::Asking => self.enter(Stage::WaitingOut, now),
            Stage::Streaming | Stage::Foreign if letter != before => {
                let wanted = letter == self.wanted();
                self.enter(if wanted { Stage::Streaming } else { Stage::Foreign }, now);
            }
            Stage::WaitingOut if letter == self.wanted() => self.enter(Stage::Streaming, now),
            Stage::WaitingOut | Stage::Streaming | Stage::Foreign => {}
        }
    }

    fn enter(&mut self, stage: Stage, now: Micros) {
        (self.stage, self.since) = (stage, now);
        self.stopped = false;
        self.waited |= stage == Stage::WaitingOut;
    }

    fn ask_anew(&mut self) {
        (self.stage, self.place, self.beats, self.rounds, self.next) = (Stage::Asking, 0, 0, 0, None);
    }
}
