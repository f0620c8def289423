//! Turns laps from another program's file into packets, which are then decoded like a game's.

use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_games::feed::Feed;
use trailbrake_games::imported_laps::{Heading, LapSummary, Remark, Stamp, channels, head, lap, values};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Car, Columns, SectorTimes, Slot};

use super::About;

/// Header packets are repeated at this interval, so that a reader can start anywhere.
const REPEAT_US: u64 = 1_000_000;
/// A longer gap between rows is shortened to [`SILENCE_US`] in the receive times, so that nobody waits for missing
/// laps.
const LONGEST_SILENCE_US: u64 = 10_000_000;
const SILENCE_US: u64 = 2_000_000;
/// A lap that begins this close to the end of the one before follows it directly.
const FOLLOWS_US: u64 = 500_000;

/// Accepts a packet and its receive time.
pub type TakePacket<'a, E> = dyn FnMut(Micros, &[u8]) -> Result<(), E> + 'a;

/// The laps of a file.
#[derive(Clone, Debug, Default)]
pub struct ImportedLaps {
    /// The kind of file.
    pub program: &'static str,
    /// Game, track, car and session, as given in the file.
    pub about: About,
    /// When the first lap started, if the file says so.
    pub driven: Option<Micros>,
    /// The laps, in file order.
    pub laps: Vec<ImportedLap>,
    /// What the driver should know about them, as part of a sentence.
    pub note: Option<&'static str>,
}

impl ImportedLaps {
    /// The feed whose packets are made of them.
    pub const FEED: Feed = Feed::ImportedLaps;
}

/// A lap from a file.
#[derive(Clone, Debug)]
pub struct ImportedLap {
    /// The driver's name.
    pub driver: String,
    /// The car in the session.
    pub car: Car,
    /// The lap number.
    pub number: u16,
    /// The start, in seconds on the clock of `columns`.
    pub began_s: f64,
    /// The official time.
    pub time: Option<LapTime>,
    /// The official sector times.
    pub sectors: SectorTimes,
    /// The lap's flags, as given in the file.
    pub flags: LapFlags,
    /// The channels, in our units.
    pub columns: Columns,
    /// Whether the distance was not logged and is integrated from the speed.
    pub distance_from_speed: bool,
}

/// Lap flags and the packet bits that carry them.
const REMARKS: &[(LapFlag, Remark)] = &[
    (LapFlag::Invalid, Remark::Invalid),
    (LapFlag::Out, Remark::Out),
    (LapFlag::In, Remark::In),
    (LapFlag::Pit, Remark::Pit),
    (LapFlag::Rewound, Remark::Rewound),
    (LapFlag::Restarted, Remark::Restarted),
    (LapFlag::Inferred, Remark::Inferred),
    (LapFlag::Incomplete, Remark::Incomplete),
    (LapFlag::Paused, Remark::Paused),
    (LapFlag::Excluded, Remark::Excluded),
    (LapFlag::Replay, Remark::Replay),
    (LapFlag::Reset, Remark::Reset),
    (LapFlag::Rain, Remark::Rain),
];

impl ImportedLaps {
    /// The packets of these laps. Receive times start at `otherwise` if the file doesn't say when it was driven.
    /// `session` distinguishes these laps from those of another file.
    pub fn packets(&self, session: u32, otherwise: Micros) -> LapPackets<'_> {
        let placed = self.placed();
        let rows = self.rows(&placed);
        let began_us = |place: usize| placed.get(place).map_or(0, |lap| lap.began_us);
        // Another car's rows may start before the first lap of the file.
        let earlier_us = began_us(0).saturating_sub(rows.first().map_or(0, |(_, place, _)| began_us(*place)));
        let began = self.driven.unwrap_or(otherwise).0.saturating_sub(earlier_us);
        let clock = Clock::new(Micros(began));
        LapPackets { file: self, session, placed, rows: rows.into_iter(), cars: Vec::new(), clock }
    }

    /// Each lap's times on the session clock, and its run.
    fn placed(&self) -> Vec<TimedLap> {
        let mut placed: Vec<TimedLap> = Vec::with_capacity(self.laps.len());
        for (nth, lap) in self.laps.iter().enumerate() {
            let began_us = micros(lap.began_s);
            let last_row_us = lap.columns.seconds().last().map_or(began_us, |last| micros(*last));
            let before = placed.iter().zip(&self.laps).rev().find(|(_, other)| other.car == lap.car);
            let before = before.map(|(placed, _)| *placed);
            let goes_back = before.is_some_and(|before| {
                lap.number <= before.number || began_us.saturating_add(FOLLOWS_US) < before.ended_us
            });
            let run = before.map_or(0, |before| before.run.saturating_add(goes_back.into()));
            let official_us = lap.time.map(|time| began_us.saturating_add(u64::from(time.0) * 1000));
            placed.push(TimedLap {
                nth,
                run,
                number: lap.number,
                began_us,
                ended_us: official_us.unwrap_or(0).max(last_row_us.saturating_add(1)),
                time: lap.time,
            });
        }
        placed
    }

    /// All rows as (time, lap index, row index). Rows of several cars are ordered by time, unless a car's clock went
    /// back.
    fn rows(&self, placed: &[TimedLap]) -> Vec<(u64, usize, usize)> {
        let one_clock = placed.iter().all(|lap| lap.run == 0);
        let mut rows = Vec::new();
        let mut reached: Vec<(Car, u64)> = Vec::new();
        for lap in placed {
            let Some(own) = self.laps.get(lap.nth) else { continue };
            let before = reached.iter().rev().find(|(car, _)| one_clock && *car == own.car);
            let mut latest = before.map_or(0, |(_, latest)| *latest);
            for (row, seconds) in own.columns.seconds().iter().enumerate() {
                // No row precedes a row of the lap before.
                latest = micros(*seconds).max(latest);
                rows.push((latest, lap.nth, row));
            }
            reached.push((own.car, latest));
        }
        if one_clock {
            rows.sort_by_key(|(time, ..)| *time);
        }
        rows
    }

    fn heading(&self, car: Car) -> Heading<'_> {
        let own = self.laps.iter().find(|lap| lap.car == car);
        Heading {
            program: self.program,
            game: &self.about.game,
            driver: own.map_or("", |lap| &lap.driver),
            vehicle: &self.about.vehicle,
            track: &self.about.venue,
            occasion: &self.about.session,
            // The file belongs to the driver of its first lap.
            player: self.laps.first().is_some_and(|first| first.car == car),
        }
    }
}

fn micros(seconds: f64) -> u64 {
    // The cast turns negative times and NaN into 0.
    (seconds * 1e6).round() as u64
}

/// A lap on the session clock.
#[derive(Clone, Copy)]
struct TimedLap {
    /// Index of the lap in the file.
    nth: usize,
    run: u8,
    number: u16,
    began_us: u64,
    ended_us: u64,
    time: Option<LapTime>,
}

/// The packets of a file's laps, made a row at a time.
pub struct LapPackets<'a> {
    file: &'a ImportedLaps,
    session: u32,
    placed: Vec<TimedLap>,
    rows: std::vec::IntoIter<(u64, usize, usize)>,
    cars: Vec<CarPackets<'a>>,
    clock: Clock,
}

impl LapPackets<'_> {
    /// How many rows are left.
    pub fn rows_left(&self) -> usize {
        self.rows.len()
    }

    /// Passes the packets of all rows that are left to `take`.
    pub fn rest<E>(mut self, take: &mut TakePacket<'_, E>) -> Result<(), E> {
        while self.rows_left() > 0 {
            self.row(take)?;
        }
        Ok(())
    }

    /// Passes the packets of the next row to `take`, each with its receive time, and those after the last row with it.
    pub fn row<E>(&mut self, take: &mut TakePacket<'_, E>) -> Result<(), E> {
        let mut out = Out { clock: &mut self.clock, take };
        let Some((time_us, place, row)) = self.rows.next() else { return Ok(()) };
        if let (Some(placed), Some(lap)) = (self.placed.get(place), self.file.laps.get(place)) {
            let car = match self.cars.iter().position(|packets| packets.car == lap.car) {
                Some(car) => car,
                None => {
                    self.cars.push(CarPackets::new(self.file, self.session, lap.car));
                    self.cars.len() - 1
                }
            };
            if let Some(packets) = self.cars.get_mut(car) {
                packets.row(placed, lap, row, time_us, &mut out)?;
            }
        }
        match self.rows.len() {
            0 => self.cars.iter_mut().try_for_each(|packets| packets.end(&mut out)),
            _ => Ok(()),
        }
    }
}

/// The receiver of the packets, and the clock of their receive times.
struct Out<'a, 'b, E> {
    clock: &'a mut Clock,
    take: &'a mut TakePacket<'b, E>,
}

impl<E> Out<'_, '_, E> {
    fn send(&mut self, stamp: Stamp, packet: &[u8]) -> Result<(), E> {
        (self.take)(self.clock.at(stamp.time_us), packet)
    }
}

/// Receive times: the session clock with long gaps shortened.
struct Clock {
    at: Micros,
    last_us: Option<u64>,
}

impl Clock {
    fn new(at: Micros) -> Self {
        Self { at, last_us: None }
    }

    fn at(&mut self, time_us: u64) -> Micros {
        let last_us = self.last_us.unwrap_or(time_us);
        // A summary of a lap that ended while another car drove on is sent a little late.
        if time_us < last_us && last_us - time_us <= LONGEST_SILENCE_US {
            return self.at;
        }
        self.last_us = Some(time_us);
        let passed = time_us.checked_sub(last_us).filter(|passed| *passed <= LONGEST_SILENCE_US);
        self.at = Micros(self.at.0.saturating_add(passed.unwrap_or(SILENCE_US)));
        self.at
    }
}

/// The packets of one car.
struct CarPackets<'a> {
    session: u32,
    car: Car,
    heading: Heading<'a>,
    slots: Vec<Slot>,
    lap: Option<(TimedLap, LapSummary)>,
    /// When the repeated packets were last sent.
    repeated_us: u64,
}

impl<'a> CarPackets<'a> {
    fn new(file: &'a ImportedLaps, session: u32, car: Car) -> Self {
        let own = file.laps.iter().filter(|lap| lap.car == car);
        let mut slots: Vec<Slot> = own.flat_map(|lap| lap.columns.slots()).collect();
        slots.sort_unstable();
        slots.dedup();
        Self { session, car, heading: file.heading(car), slots, lap: None, repeated_us: 0 }
    }

    fn row<E>(
        &mut self,
        placed: &TimedLap,
        lap: &ImportedLap,
        row: usize,
        time_us: u64,
        out: &mut Out<'_, '_, E>,
    ) -> Result<(), E> {
        if self.lap.is_none_or(|(before, _)| before.nth != placed.nth) {
            self.begin(placed, lap, time_us, out)?;
        } else if time_us.saturating_sub(self.repeated_us) >= REPEAT_US {
            self.send_repeated(placed, time_us, out)?;
        }
        let stamp = self.stamp(placed, time_us);
        let value = |slot: &Slot| lap.columns.value(*slot, row);
        out.send(stamp, &values(stamp, self.slots.iter().map(value)))
    }

    fn begin<E>(
        &mut self,
        placed: &TimedLap,
        lap: &ImportedLap,
        time_us: u64,
        out: &mut Out<'_, '_, E>,
    ) -> Result<(), E> {
        let before = self.lap.map(|(before, _)| before);
        let follows = before.is_some_and(|before| {
            let next = before.number.checked_add(1) == Some(placed.number) && before.run == placed.run;
            next && before.time.is_some() && placed.began_us.abs_diff(before.ended_us) < FOLLOWS_US
        });
        if !follows {
            self.end(out)?;
        }
        // A decoder drops the second of two moments at the same time.
        let free_us = before.filter(|before| before.run == placed.run).map_or(0, |before| before.ended_us);
        let began_us = if follows { placed.began_us } else { placed.began_us.max(free_us.saturating_add(1)) };
        let remarks = REMARKS.iter().filter(|(flag, _)| lap.flags.has(*flag)).map(|(_, remark)| *remark);
        let unconfirmed = (!lap.flags.has(LapFlag::Valid)).then_some(Remark::Unconfirmed);
        let summary = LapSummary {
            began_us: began_us.min(time_us),
            time: placed.time,
            sectors: [0, 1, 2].map(|sector| lap.sectors.get(sector).copied().flatten()),
            remarks: remarks.chain(unconfirmed).fold(0, |bits, remark| bits | remark.bit()),
            over: false,
        };
        self.lap = Some((*placed, summary));
        self.send_repeated(placed, summary.began_us, out)
    }

    /// Sends the packets that are repeated: header, channel list and lap summary.
    fn send_repeated<E>(
        &mut self,
        placed: &TimedLap,
        time_us: u64,
        out: &mut Out<'_, '_, E>,
    ) -> Result<(), E> {
        let stamp = self.stamp(placed, time_us);
        self.repeated_us = time_us;
        out.send(stamp, &head(stamp, &self.heading))?;
        for packet in channels(stamp, &self.slots) {
            out.send(stamp, &packet)?;
        }
        let summary = self.lap.map(|(_, summary)| summary).unwrap_or_default();
        out.send(stamp, &lap(stamp, &summary))
    }

    /// Closes a lap that is not followed directly by another.
    fn end<E>(&mut self, out: &mut Out<'_, '_, E>) -> Result<(), E> {
        let Some((placed, summary)) = self.lap.take() else { return Ok(()) };
        let stamp = self.stamp(&placed, placed.ended_us);
        out.send(stamp, &lap(stamp, &LapSummary { over: true, ..summary }))
    }

    fn stamp(&self, placed: &TimedLap, time_us: u64) -> Stamp {
        Stamp { session: self.session, car: self.car.0, run: placed.run, lap: placed.number, time_us }
    }
}
