//! The session's log: what happened, in order, with times.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use serde::{Deserialize, Serialize};
use trailbrake_analysis::laps::{Lap, LapFlags};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::{Unit, Units};
use trailbrake_model::{
    Car, EventKind, Flag, LapProgress, Moment, ResultStatus, SafetyCar, SessionInfo, Weather,
};

/// Maximum entries; the oldest are dropped first.
const MOST_ENTRIES: usize = 400;

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Rises with each entry of a session.
    pub id: u64,
    /// Time on the relay's clock.
    pub at: Micros,
    /// Time in seconds on the game's clock, where it sends one.
    pub seconds: f64,
    /// The car concerned; `None` for all cars.
    pub car: Option<Car>,
    /// The driver at that time, in three letters, where the game had sent a name. Another driver may take the car over
    /// later.
    pub who: Option<String>,
    /// What happened.
    pub kind: LogKind,
}

/// What a log entry reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogKind {
    /// An event that the game reported.
    Game(EventKind),
    /// A lap was finished.
    Lap {
        /// The lap's serial.
        serial: u32,
        /// The lap's number.
        number: u16,
        /// The official time.
        time: LapTime,
        /// The lap's flags.
        flags: LapFlags,
        /// Milliseconds slower than the reference at that time.
        behind_ms: Option<i64>,
    },
    /// A new fastest lap of the session.
    Fastest {
        /// The lap's number.
        number: u16,
        /// The lap time.
        time: LapTime,
    },
    /// A flag for the car, or along the track in a sector; or its end.
    Flag {
        /// The flag.
        flag: Flag,
        /// The sector, counted from 1, where it is known.
        sector: Option<u8>,
    },
    /// The safety car comes out or goes in.
    SafetyCar(SafetyCar),
    /// The weather changes.
    Weather(Weather),
    /// The game invalidated the lap under way.
    Struck {
        /// The lap's number.
        number: u16,
    },
    /// The car received a penalty.
    Penalty {
        /// Seconds that are added at the end.
        seconds: u8,
    },
    /// The car entered the pits.
    PitIn,
    /// The car left the pits.
    PitOut,
    /// The car's race is over with this result.
    Result(ResultStatus),
}

impl LogKind {
    /// The stable name of the event in scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Game(kind) => kind.name(),
            Self::Lap { .. } => "on_lap",
            Self::Fastest { .. } => "on_fastest_lap",
            Self::Flag { .. } => "on_flag",
            Self::SafetyCar(_) => "on_safety_car",
            Self::Weather(_) => "on_weather",
            Self::Struck { .. } => "on_lap_invalid",
            Self::Penalty { .. } => "on_penalty",
            Self::PitIn => "on_pit_in",
            Self::PitOut => "on_pit_out",
            Self::Result(_) => "on_result",
        }
    }
}

impl LogKind {
    /// The words, with speeds in a driver's units.
    pub fn in_units(&self, units: Units) -> impl fmt::Display {
        LogWords { kind: self, units }
    }
}

impl fmt::Display for LogKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_units(Units::default()).fmt(f)
    }
}

/// What happened, in words.
struct LogWords<'a> {
    kind: &'a LogKind,
    units: Units,
}

impl fmt::Display for LogWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            LogKind::Game(kind) => game(kind, self.units, f),
            LogKind::Lap { number, time, flags, .. } => {
                let words = flags.to_string();
                match words.as_str() {
                    "" | "valid" => write!(f, "Lap {number}, {time}"),
                    words => write!(f, "Lap {number}, {time} ({})", words.trim_start_matches("valid, ")),
                }
            }
            LogKind::Fastest { number, time } => write!(f, "Fastest lap {time} in lap {number}"),
            LogKind::Flag { flag, sector } => {
                let colour = match flag {
                    Flag::Green => "Green flag",
                    Flag::Blue => "Blue flag",
                    Flag::Yellow => "Yellow flag",
                    Flag::Red => "Red flag",
                    Flag::None | Flag::Unknown => "Track clear",
                    Flag::Other(number) => return write!(f, "Flag {number}"),
                };
                f.write_str(colour)?;
                sector.map_or(Ok(()), |sector| write!(f, ", sector {sector}"))
            }
            LogKind::SafetyCar(SafetyCar::None) => f.write_str("Safety car in"),
            LogKind::SafetyCar(SafetyCar::Virtual) => f.write_str("Virtual safety car"),
            LogKind::SafetyCar(SafetyCar::FormationLap) => f.write_str("Formation lap"),
            LogKind::SafetyCar(SafetyCar::Full | SafetyCar::Other(_)) => f.write_str("Safety car"),
            LogKind::Weather(weather) => f.write_str(match weather {
                Weather::Clear => "Clear sky",
                Weather::LightCloud => "Light cloud",
                Weather::Overcast => "Overcast",
                Weather::LightRain => "Light rain",
                Weather::HeavyRain => "Heavy rain",
                Weather::Storm => "Storm",
                Weather::Other(number) => return write!(f, "Weather {number}"),
            }),
            LogKind::Struck { number } => write!(f, "Lap {number} invalidated"),
            LogKind::Penalty { seconds } => write!(f, "{seconds} s penalty"),
            LogKind::PitIn => f.write_str("Pit entry"),
            LogKind::PitOut => f.write_str("Pit exit"),
            LogKind::Result(result) => f.write_str(match result {
                ResultStatus::Finished => "Finished",
                ResultStatus::Disqualified => "Disqualified",
                ResultStatus::NotClassified => "Not classified",
                ResultStatus::Retired => "Retired",
                ResultStatus::Active => "Driving",
                ResultStatus::Invalid | ResultStatus::Inactive | ResultStatus::Other(_) => "Not taking part",
            }),
        }
    }
}

fn game(kind: &EventKind, units: Units, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kind {
        EventKind::SessionStarted => f.write_str("Session started"),
        EventKind::SessionEnded => f.write_str("Session ended"),
        EventKind::Rewound { millis } => write!(f, "Rewound by {:.1} s", f64::from(*millis) / 1e3),
        EventKind::Restarted => f.write_str("Restarted"),
        EventKind::Paused => f.write_str("Paused"),
        EventKind::Resumed => f.write_str("Resumed"),
        EventKind::Go => f.write_str("Go"),
        EventKind::Split { number, time } => write!(f, "Split {number}, {time}"),
        EventKind::Finished { time: Some(time) } => write!(f, "Finished in {time}"),
        EventKind::Finished { time: None } => f.write_str("Finished"),
        EventKind::Abandoned => f.write_str("Abandoned"),
        EventKind::Recovered => f.write_str("Reset to track"),
        EventKind::Penalty { millis } => write!(f, "{} s penalty", f64::from(*millis) / 1e3),
        EventKind::Landed { millis, centimetres } => {
            let (seconds, metres) = (f64::from(*millis) / 1e3, f64::from(*centimetres) / 1e2);
            write!(f, "Jump: {seconds:.1} s, {metres:.0} m")
        }
        EventKind::Hit { milli_g } => write!(f, "Impact: {:.0} g", f64::from(*milli_g) / 1e3),
        EventKind::Collision(hit) => {
            let unit = units.shown(Unit::MetresPerSecond);
            let speed = unit.value(f64::from(hit.mm_per_s) / 1e3);
            let what = if hit.with.is_some() { "Contact with a car" } else { "Impact" };
            write!(f, "{what} at {speed:.*} {}", unit.decimals, unit.suffix)
        }
        EventKind::Cuts { count: 1 } => f.write_str("Left the track once on the last lap"),
        EventKind::Cuts { count } => write!(f, "Left the track {count} times on the last lap"),
        EventKind::Connected => f.write_str("Connected"),
        EventKind::Loaded => f.write_str("On the track"),
        EventKind::Disconnected => f.write_str("Disconnected"),
        EventKind::Chat { text } => write!(f, "\u{201c}{text}\u{201d}"),
        EventKind::Command { text } => write!(f, "Command: {text}"),
        EventKind::ServerStarted { .. } => f.write_str("Server started"),
        EventKind::ServerRefused { text } => write!(f, "Server: {text}"),
        EventKind::Report { file } => write!(f, "Results: {file}"),
        EventKind::ServiceEntered => f.write_str("Service area entry"),
        EventKind::ServiceLeft => f.write_str("Service area exit"),
        EventKind::Signal { signal, .. } => f.write_str(signal.label()),
        EventKind::TrackDetected { name } => write!(f, "Track: {name}"),
        EventKind::Race(event) => write!(f, "{event}"),
        // A code is one word.
        EventKind::Other(words) if words.contains(' ') => f.write_str(words),
        EventKind::Other(code) => write!(f, "Game event {code:?}"),
    }
}

/// The entries, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<LogEntry>,
    ids: u64,
    changes: u64,
    /// Moments before this were recalled from a recording and are not logged again.
    recalled_until: Micros,
    /// The current driver of each car, in three letters.
    drivers: BTreeMap<Car, String>,
}

impl Log {
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = &LogEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// Rises whenever an entry is added or removed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Takes the entries of a recording up to a moment.
    pub(super) fn recall(&mut self, earlier: impl Iterator<Item = LogEntry>, until: Micros) {
        self.recalled_until = until;
        let mut entries: VecDeque<LogEntry> = earlier.collect();
        entries.drain(..entries.len().saturating_sub(MOST_ENTRIES));
        self.entries = entries;
        self.changes += 1;
        for entry in &mut self.entries {
            self.ids += 1;
            entry.id = self.ids;
        }
    }

    /// Sets the current drivers.
    pub(super) fn know(&mut self, drivers: BTreeMap<Car, String>) {
        self.drivers = drivers;
    }

    /// Notes what changed between two progress reports of a car. Invalid laps are noted of followed cars only, and of
    /// results none on a stage.
    pub(super) fn note_change(
        &mut self,
        before: &LapProgress,
        now: &LapProgress,
        is_stage: bool,
        is_followed: bool,
    ) {
        let (moment, car) = (now.moment, Some(now.car));
        match (before.pit.is_in_pits(), now.pit.is_in_pits()) {
            (false, true) => self.note(moment, car, LogKind::PitIn),
            (true, false) => self.note(moment, car, LogKind::PitOut),
            _ => {}
        }
        if now.result.is_over() && !is_stage && before.result != now.result {
            self.note(moment, car, LogKind::Result(now.result));
        }
        if let Some(seconds) = now.penalties.checked_sub(before.penalties).filter(|seconds| *seconds > 0) {
            self.note(moment, car, LogKind::Penalty { seconds });
        }
        if is_followed && now.invalid && !(before.invalid && before.lap == now.lap) {
            self.note(moment, car, LogKind::Struck { number: now.lap });
        }
    }

    /// Notes a lap that got its time, or another one.
    pub(super) fn note_lap(
        &mut self,
        moment: Moment,
        car: Car,
        lap: &Lap,
        time: LapTime,
        behind_ms: Option<i64>,
    ) {
        let Lap { serial, number, flags, .. } = *lap;
        self.forget_lap(moment, car, serial);
        self.note(moment, Some(car), LogKind::Lap { serial, number, time, flags, behind_ms });
    }

    /// Notes what changed in the session's info: the safety car and the weather.
    pub(super) fn note_info(&mut self, moment: Moment, before: Option<&SessionInfo>, now: &SessionInfo) {
        let safety_car = |info: &SessionInfo| info.safety_car.unwrap_or_default();
        if before.map(safety_car).unwrap_or(SafetyCar::None) != safety_car(now) {
            self.note(moment, None, LogKind::SafetyCar(safety_car(now)));
        }
        let weather = now.weather.filter(|now| before.is_some_and(|before| before.weather != Some(*now)));
        if let Some(weather) = weather {
            self.note(moment, None, LogKind::Weather(weather));
        }
    }

    pub(super) fn note(&mut self, moment: Moment, car: Option<Car>, kind: LogKind) {
        if moment.at < self.recalled_until {
            return;
        }
        if self.entries.len() >= MOST_ENTRIES {
            self.entries.pop_front();
        }
        self.ids += 1;
        self.changes += 1;
        self.entries.push_back(LogEntry {
            id: self.ids,
            at: moment.at,
            seconds: moment.seconds(),
            car,
            who: car.and_then(|car| self.drivers.get(&car).cloned()),
            kind,
        });
    }

    /// Removes a lap's entry so that it can be logged again, for example when its time arrives late.
    pub(super) fn forget_lap(&mut self, moment: Moment, car: Car, lap: u32) {
        if moment.at < self.recalled_until {
            return;
        }
        self.changes += 1;
        self.entries.retain(|entry| {
            let noted = matches!(&entry.kind, LogKind::Lap { serial, .. } if *serial == lap);
            !(noted && entry.car == Some(car))
        });
    }

    /// Removes what the session derived after this time, which the rewind undid. Events that the game reported stay.
    pub(super) fn go_back(&mut self, seconds: f64) {
        self.changes += 1;
        self.entries.retain(|entry| entry.seconds <= seconds || matches!(entry.kind, LogKind::Game(_)));
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::laps::LapFlag;
    use trailbrake_model::Signal;

    use super::*;

    #[test]
    fn entries_read_as_sentences() {
        let flags: LapFlags = [LapFlag::Valid, LapFlag::Pit].into_iter().collect();
        let lap =
            |flags| LogKind::Lap { serial: 1, number: 11, time: LapTime(103_933), flags, behind_ms: None };
        for (kind, words) in [
            (lap(LapFlags::NONE.with(LapFlag::Valid)), "Lap 11, 1:43.933"),
            (lap(flags), "Lap 11, 1:43.933 (pit)"),
            (LogKind::Flag { flag: Flag::Yellow, sector: Some(2) }, "Yellow flag, sector 2"),
            (LogKind::Game(EventKind::Rewound { millis: 7512 }), "Rewound by 7.5 s"),
            (LogKind::Game(EventKind::Landed { millis: 671, centimetres: 2213 }), "Jump: 0.7 s, 22 m"),
            (LogKind::Game(EventKind::Hit { milli_g: 9_300 }), "Impact: 9 g"),
            (LogKind::SafetyCar(SafetyCar::Virtual), "Virtual safety car"),
            (LogKind::Weather(Weather::HeavyRain), "Heavy rain"),
            (LogKind::Struck { number: 3 }, "Lap 3 invalidated"),
            (LogKind::Penalty { seconds: 5 }, "5 s penalty"),
        ] {
            assert_eq!(kind.to_string(), words);
        }
    }

    #[test]
    fn what_the_session_saw_has_names_of_its_own() {
        let flags = LapFlags::NONE;
        let kinds = [
            LogKind::Lap { serial: 1, number: 1, time: LapTime(1), flags, behind_ms: None },
            LogKind::Fastest { number: 1, time: LapTime(1) },
            LogKind::Flag { flag: Flag::Blue, sector: None },
            LogKind::SafetyCar(SafetyCar::Full),
            LogKind::Weather(Weather::Storm),
            LogKind::Struck { number: 1 },
            LogKind::Penalty { seconds: 5 },
            LogKind::PitIn,
            LogKind::PitOut,
            LogKind::Result(ResultStatus::Retired),
        ];
        let mut names: Vec<&str> = kinds.iter().map(LogKind::name).collect();
        names.extend(Signal::ALL.iter().map(|signal| signal.name()));
        names.extend(["on_pause", "on_resume", "on_finish", "on_restart", "on_rewind"]);
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        assert_eq!(LogKind::Game(EventKind::Paused).name(), "on_pause");
    }

    #[test]
    fn the_log_is_bounded_and_going_back_takes_back() {
        let mut log = Log::default();
        for second in 0..1000 {
            let moment = Moment { session_time: Some(f64::from(second)), ..Moment::default() };
            log.note(moment, None, LogKind::PitIn);
        }
        assert_eq!((log.entries().len(), log.entries().next().map(|entry| entry.id)), (400, Some(601)));
        log.go_back(700.0);
        assert_eq!(log.entries().next_back().map(|entry| entry.seconds), Some(700.0));
    }
}
