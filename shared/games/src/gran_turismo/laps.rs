//! Follows laps: lap changes, lap clock, lap distance. The game sends only the lap number, and with `C` also the clock.

use trailbrake_model::{Car, DriverStatus, LapProgress, Moment, PitStatus, ResultStatus, SectorTimes};

use super::tick::{TICKS_PER_SECOND, Tick, lap_time};
use crate::session_clock::{Doubt, Step};

/// Shorter laps, in seconds, are not laps: counters run through old values in menus and at the start of replays.
const SHORTEST_LAP_S: f64 = 10.0;
/// A jump of the lap count is accepted after this many packets.
const STEADY_PACKETS: u32 = 6;
/// The car crosses the line between two ticks, and the game reports it at most three ticks late. Seconds.
const LATEST_S: f64 = 3.0 / TICKS_PER_SECOND;
/// With packets from this many seconds after the line on, only a straight part of the lap is missing.
const FROM_LINE_S: f64 = 1.0;
/// Over more lost ticks than this, the distance between positions is more accurate than speed times time.
const FAR_TICKS: i64 = 60;
/// A lap clock that goes back by more than this many seconds was restarted.
const FALL_S: f64 = 1.0;
/// A car that seems faster than this, in m/s, was repositioned.
const FASTEST_MPS: f64 = 200.0;

/// The car's progress in its lap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Standing {
    pub(super) lap: i16,
    /// Seconds since the lap began; `None` if its beginning is missing and no clock is sent.
    pub(super) clock: Option<f64>,
    /// Whether the clock counts from the line although the lap began before it, at the lights.
    pub(super) clock_from_line: bool,
    /// Metres since the lap began; `None` if its beginning is missing.
    pub(super) distance: Option<f64>,
    /// Metres since the session's first packet.
    pub(super) total_distance: f64,
}

/// Follows the laps of one session.
#[derive(Debug, Default)]
pub(super) struct Laps {
    lap: Option<Lap>,
    /// A lap that the count jumped to.
    doubt: Doubt<Lap>,
    seen: Option<LastPosition>,
    total_distance: f64,
    grid: u8,
}

/// The current lap.
#[derive(Clone, Copy, Debug, Default)]
struct Lap {
    number: i16,
    /// Seconds since its first packet.
    seconds: f64,
    /// Metres since its first packet.
    metres: f64,
    /// The lap clock at its first packet, in seconds.
    began_at: Option<f64>,
    /// The last value of the game's own clock, if it sends one.
    shown: Option<f64>,
    /// How far the line may be from where `began_at` puts it, in seconds. Laps that follow each other share this error,
    /// and it cancels out between them.
    unsure: f64,
    /// The lap distance at its first packet, in metres.
    began_after: Option<f64>,
    /// Whether it began at the lights and, without the game's clock, its clock counts from the line.
    clock_from_line: bool,
}

/// The car's position in the last packet.
#[derive(Clone, Copy, Debug)]
struct LastPosition {
    id: i32,
    position: [f32; 3],
}

impl Laps {
    /// Processes the next packet; `live` if its car is moving round the track. Returns what the lap count does, if it
    /// changes, and where the car is then.
    pub(super) fn step(&mut self, tick: &Tick, live: bool) -> (Option<Step>, Option<Standing>) {
        let (seconds, metres) = self.passed(tick);
        self.seen = Some(LastPosition { id: tick.id, position: tick.position });
        if let Ok(grid @ 1..) = u8::try_from(tick.grid) {
            self.grid = grid;
        }
        if !live {
            return (None, None);
        }
        self.total_distance += metres;
        let turn = self.count(tick, seconds, metres);
        let standing = self.standing(tick);
        (turn, standing)
    }

    /// The lap progress, from the game's values and the counted ones.
    pub(super) fn progress(&self, standing: &Standing, moment: Moment, tick: &Tick) -> LapProgress {
        let finished = tick.total_laps > 0 && standing.lap > tick.total_laps;
        LapProgress {
            car: Car(0),
            moment,
            lap: u16::try_from(standing.lap).unwrap_or(0),
            clock: standing.clock.filter(|_| !standing.clock_from_line).map(|seconds| seconds as f32),
            distance: standing.distance.map(|metres| metres as f32),
            total_distance: Some(standing.total_distance as f32),
            last_lap: lap_time(tick.last_lap),
            best_lap: lap_time(tick.best_lap),
            sector: 0,
            sectors: SectorTimes::default(),
            inferred: false,
            invalid: false,
            pit: PitStatus::OnTrack,
            driver: match standing.lap {
                _ if finished => DriverStatus::InLap,
                0 if tick.total_laps <= 0 => DriverStatus::OutLap,
                _ => DriverStatus::OnTrack,
            },
            result: if finished { ResultStatus::Finished } else { ResultStatus::Active },
            position: 0,
            grid: self.grid,
            penalties: 0,
            ..LapProgress::default()
        }
    }

    /// Seconds and metres since the previous packet.
    fn passed(&self, tick: &Tick) -> (f64, f64) {
        let Some(seen) = self.seen else { return (0.0, 0.0) };
        let ticks = i64::from(tick.id) - i64::from(seen.id);
        let seconds = ticks.max(0) as f64 / TICKS_PER_SECOND;
        let by_speed = f64::from(tick.speed) * seconds;
        let metres = if ticks <= FAR_TICKS { by_speed } else { apart(seen.position, tick.position) };
        let believable = metres.is_finite() && (0.0..=FASTEST_MPS * seconds).contains(&metres);
        (seconds, if believable { metres } else { 0.0 })
    }

    fn count(&mut self, tick: &Tick, seconds: f64, metres: f64) -> Option<Step> {
        let lap = self.lap.get_or_insert_with(|| Lap::joined(tick));
        lap.seconds += seconds;
        lap.metres += metres;
        if lap.number == tick.lap && !lap.clock_fell(tick) {
            self.doubt.settle();
            lap.set_clock(tick);
            return None;
        }
        let next = tick.lap.checked_sub(1) == Some(lap.number);
        let finished = next && tick.last_lap > 0 && lap.seconds >= SHORTEST_LAP_S;
        if finished || (next && lap.number == 0) {
            *lap = Lap::begun(tick, lap.crossing(tick, seconds));
            if !finished && is_race(tick, self.grid) {
                // The clock has been running since the lights: packet C contains it, otherwise only the official time
                // includes that part.
                lap.clock_from_line = true;
                lap.set_clock(tick);
            }
            self.doubt.settle();
            return Some(if finished { Step::NextLap } else { Step::Begins });
        }
        self.doubt(tick, seconds, metres, next)
    }

    /// Handles a jump of the count: accepted after [`STEADY_PACKETS`] packets.
    fn doubt(&mut self, tick: &Tick, seconds: f64, metres: f64, next: bool) -> Option<Step> {
        let doubtful = match self.doubt.latest().filter(|lap| lap.number == tick.lap) {
            Some(lap) => {
                let (seconds, metres) = (lap.seconds + seconds, lap.metres + metres);
                let mut lap = Lap { seconds, metres, ..*lap };
                lap.set_clock(tick);
                lap
            }
            None if next && tick.last_lap > 0 => Lap::begun(tick, Crossing::somewhere_in(seconds)),
            None => Lap::joined(tick),
        };
        self.doubt.raise(doubtful, STEADY_PACKETS, |before| before.number == tick.lap)?;
        let before = self.lap.replace(doubtful).map_or(0, |lap| lap.number);
        if doubtful.number > before {
            return Some(Step::Jumps);
        }
        self.total_distance = doubtful.metres;
        Some(Step::Restarts)
    }

    fn standing(&self, tick: &Tick) -> Option<Standing> {
        let lap = self.lap.filter(|lap| lap.number == tick.lap && lap.number >= 0)?;
        Some(Standing {
            lap: lap.number,
            clock: lap.began_at.map(|began| began + lap.seconds),
            clock_from_line: lap.clock_from_line,
            distance: lap.began_after.map(|began| began + lap.metres),
            total_distance: self.total_distance,
        })
    }
}

impl Lap {
    /// A lap whose beginning is missing.
    fn joined(tick: &Tick) -> Self {
        let mut lap = Self { number: tick.lap, ..Self::default() };
        lap.set_clock(tick);
        lap
    }

    /// A lap that begins with this packet.
    fn begun(tick: &Tick, Crossing { late, unsure }: Crossing) -> Self {
        let after = f64::from(tick.speed) * late;
        Self {
            number: tick.lap,
            began_at: Some(late),
            unsure,
            began_after: Some(if after.is_finite() { after } else { 0.0 }),
            ..Self::default()
        }
    }

    /// The game's own clock takes precedence over the counted one.
    fn set_clock(&mut self, tick: &Tick) {
        let Some(clock @ 0..) = tick.lap_clock else { return };
        let clock = f64::from(clock) / 1e3;
        self.shown = Some(clock);
        self.began_at = Some(clock - self.seconds);
        self.clock_from_line = false;
        if self.number > 0 && self.began_after.is_none() && clock <= FROM_LINE_S {
            let after = f64::from(tick.speed) * clock - self.metres;
            self.began_after = Some(after).filter(|after| after.is_finite());
        }
    }

    /// Whether the game's clock went back within the lap: the lap was restarted, or a replay rewound.
    fn clock_fell(&self, tick: &Tick) -> bool {
        let now = tick.lap_clock.filter(|clock| *clock >= 0).map(|clock| f64::from(clock) / 1e3);
        self.shown.zip(now).is_some_and(|(shown, now)| shown - now > FALL_S)
    }

    /// Where the line is before the first packet of the next lap, which arrived `passed` seconds after the previous one.
    /// That packet still has the clock of the ended lap, together with its official time.
    fn crossing(&self, tick: &Tick, passed: f64) -> Crossing {
        let exact = |late: f64| Crossing { late, unsure: 0.0 };
        let somewhere = match tick.lap_clock.map(|clock| f64::from(clock) / 1e3) {
            None => Crossing::somewhere_in(passed),
            Some(late) if (0.0..=passed + LATEST_S).contains(&late) => exact(late),
            // The next packet has the clock.
            Some(_) => exact(0.0),
        };
        if self.number <= 0 || tick.last_lap <= 0 {
            return somewhere;
        }
        let official = f64::from(tick.last_lap) / 1e3;
        let crossing = match (tick.lap_clock, self.began_at) {
            // That packet was lost; this one has the new lap's clock.
            (Some(clock @ 0..), _) if clock < tick.last_lap => exact(f64::from(clock) / 1e3),
            (Some(clock @ 0..), _) => exact(f64::from(clock) / 1e3 - official),
            (_, Some(began)) => Crossing { late: began + self.seconds - official, unsure: self.unsure },
            (_, None) => somewhere,
        };
        let Crossing { late, unsure } = crossing;
        if (-unsure..=passed + LATEST_S + unsure).contains(&late) { crossing } else { somewhere }
    }
}

/// When the car crossed the line.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Seconds from there to the first packet of the lap; negative if the line is put behind that packet.
    late: f64,
    /// How far off that may be, in seconds.
    unsure: f64,
}

impl Crossing {
    /// A crossing between a packet and the one `passed` seconds before it, where nothing else is known.
    fn somewhere_in(passed: f64) -> Self {
        let half = passed.min(FROM_LINE_S) / 2.0;
        Self { late: half, unsure: half }
    }
}

/// Whether the cars start together: the game has a number of race laps, or has sent a grid position.
fn is_race(tick: &Tick, grid: u8) -> bool {
    tick.total_laps > 0 || grid > 0
}

fn apart(from: [f32; 3], to: [f32; 3]) -> f64 {
    from.iter().zip(to).map(|(from, to)| (f64::from(to) - f64::from(*from)).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests;
