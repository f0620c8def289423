//! Splits the samples into laps at the line, and finds their times.

use trailbrake_analysis::laps::{LapFlag, LapFlags};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Axis, Car, Channel, Columns, MOST_SECTORS, Moment, SectorTimes, Slot};

use super::lap_mark::LapMark;
use super::not_ibt::NotIbt;
use super::session_text::SessionText;
use crate::export::ImportedLap;
use crate::import::plane::Plane;

/// The largest number of values read from a file, over all laps: six hours of 75 channels at 60 Hz.
const MOST_VALUES: usize = 100_000_000;
const MOST_LAPS: usize = 10_000;
/// Shorter laps are dropped.
const SHORTEST_S: f64 = 1.0;
/// A lap whose samples are missing for longer has a hole.
const HOLE_S: f64 = 0.5;
/// Where the session's clock goes back by more, another lap begins.
const BACK_S: f64 = 0.5;
/// This close to the line, as a fraction of the lap, the lap's number rises at the line.
const NEAR_LINE: f64 = 0.1;
/// The official time follows within this time after the line, and differs from the measured one by less.
const OFFICIAL_WITHIN_S: f64 = 5.0;
const OFFICIAL_DIFFERS_S: f64 = 0.5;
/// A lap that takes as long as the one before does not change the official time.
const SAME_TIME_S: f64 = 0.01;

/// Takes samples in their order, and returns the laps that they are of.
pub(super) struct LapSplitter {
    driver: String,
    /// Where the sectors begin, as fractions of the lap; empty if they are more than a lap has room for.
    sectors: Vec<f64>,
    /// Values that each lap has once.
    constants: Vec<(Slot, f32)>,
    /// Touches at the track's own place, or else at the first one in the file.
    plane: Option<Plane>,
    laps: Vec<ImportedLap>,
    open: Option<OpenLap>,
    untimed: Option<UntimedLap>,
    /// Whether the driver was out of the car since the sample before.
    was_away: bool,
    values: usize,
}

/// The lap that samples are being added to.
struct OpenLap {
    lap: ImportedLap,
    mark: LapMark,
    /// When its sectors began, the first at the line; empty if the lap did not begin at the line or has a hole.
    sector_starts_s: Vec<f64>,
    /// Time and fraction of the sample before.
    place: Option<(f64, f64)>,
    /// How often the line was crossed since the lap's number rose. There the distance is another lap's.
    turns: i32,
    began_in_pits: bool,
}

/// A lap whose official time is still to come.
struct UntimedLap {
    index: usize,
    measured_s: f64,
    /// What the file gave before the line.
    before_s: Option<f64>,
    ended_s: f64,
}

impl LapSplitter {
    /// Begins with the names and figures of the file.
    pub(super) fn new(text: &SessionText, constants: &[(Slot, f32)]) -> Self {
        let sectors = &text.sectors;
        let fit = (2..=MOST_SECTORS).contains(&sectors.len()) && sectors.first() == Some(&0.0);
        Self {
            driver: text.driver.clone(),
            sectors: if fit { sectors.clone() } else { Vec::new() },
            constants: constants.to_vec(),
            plane: text.place_deg.and_then(|(latitude, longitude)| Plane::at(latitude, longitude)),
            laps: Vec::new(),
            open: None,
            untimed: None,
            was_away: false,
            values: 0,
        }
    }

    /// Adds a sample: what it says about its lap, and its channels.
    pub(super) fn add(&mut self, mark: &LapMark, values: &mut Vec<(Slot, f32)>) -> Result<(), NotIbt> {
        self.take_official(mark);
        if !mark.is_driven {
            self.was_away = true;
            return Ok(());
        }
        let was_away = std::mem::take(&mut self.was_away);
        match &self.open {
            Some(open) if open.goes_on(mark) && mark.time_s <= open.mark.time_s => return Ok(()),
            Some(open) if open.goes_on(mark) => {}
            open => {
                let crossed_s = open.as_ref().filter(|_| !was_away).and_then(|open| open.crossed(mark));
                self.close(crossed_s)?;
                self.begin(mark, crossed_s);
                values.extend_from_slice(&self.constants);
            }
        }
        if let (None, Some((latitude, longitude))) = (self.plane, mark.place_deg) {
            self.plane = Plane::at(latitude, longitude);
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if was_away && !open.lap.columns.is_empty() {
            open.lap.flags = open.lap.flags.with(LapFlag::Reset);
            open.sector_starts_s.clear();
        }
        open.add(mark, values, &self.sectors, self.plane.as_ref());
        self.values += values.len();
        if self.values > MOST_VALUES { Err(NotIbt::Long { most: MOST_VALUES }) } else { Ok(()) }
    }

    /// The laps.
    pub(super) fn finish(mut self) -> Result<Vec<ImportedLap>, NotIbt> {
        self.close(None)?;
        self.give_up_official();
        if self.laps.is_empty() { Err(NotIbt::NoLap) } else { Ok(self.laps) }
    }

    fn begin(&mut self, mark: &LapMark, crossed_s: Option<f64>) {
        let clock_s = mark.clock_s.unwrap_or_default();
        // A lap that did not begin at the line has the game's clock, but does not begin within the lap before.
        let earliest_s = self.laps.last().and_then(|lap| lap.columns.seconds().last().copied());
        let earliest_s = earliest_s.filter(|earliest_s| *earliest_s < mark.time_s).unwrap_or_default();
        let began_s = crossed_s.unwrap_or_else(|| (mark.time_s - clock_s).max(earliest_s));
        let is_behind_line = mark.fraction.is_some_and(|fraction| fraction > 0.5);
        self.open = Some(OpenLap {
            lap: ImportedLap {
                driver: self.driver.clone(),
                car: Car(0),
                number: mark.lap.clamp(0, u16::MAX.into()) as u16,
                began_s,
                time: None,
                sectors: SectorTimes::default(),
                flags: LapFlags::NONE,
                columns: Columns::default(),
                distance_from_speed: false,
            },
            mark: *mark,
            sector_starts_s: crossed_s.into_iter().collect(),
            place: crossed_s.map(|crossed_s| (crossed_s, 0.0)),
            turns: if crossed_s.is_some() && is_behind_line { -1 } else { 0 },
            began_in_pits: mark.in_pits,
        });
    }

    /// Closes the lap under way, which ended at the line or was broken off.
    fn close(&mut self, crossed_s: Option<f64>) -> Result<(), NotIbt> {
        let Some(OpenLap { mut lap, mark, sector_starts_s, began_in_pits, .. }) = self.open.take() else {
            return Ok(());
        };
        let first_s = lap.columns.seconds().first().copied().unwrap_or_default();
        let lasted_s = lap.columns.seconds().last().map_or(0.0, |last_s| last_s - first_s);
        if lasted_s < SHORTEST_S {
            return Ok(());
        }
        if self.laps.len() >= MOST_LAPS {
            return Err(NotIbt::Long { most: MOST_LAPS });
        }
        let timed = sector_starts_s.iter().zip(sector_starts_s.iter().skip(1));
        let mut sectors: Vec<Option<LapTime>> =
            timed.map(|(from, to)| LapTime::from_seconds((to - from) as f32)).collect();
        sectors.resize(self.sectors.len(), None);
        lap.sectors = SectorTimes::of(&sectors);
        lap.flags = lap.flags.with_if(LapFlag::Out, began_in_pits).with_if(LapFlag::In, mark.in_pits);
        let from_line_to_line = crossed_s.filter(|_| !sector_starts_s.is_empty());
        match from_line_to_line {
            Some(ended_s) => {
                let measured_s = ended_s - lap.began_s;
                lap.flags = lap.flags.with(LapFlag::Inferred);
                set_time(&mut lap, measured_s);
                self.give_up_official();
                let (index, before_s) = (self.laps.len(), mark.last_s);
                self.untimed = Some(UntimedLap { index, measured_s, before_s, ended_s });
            }
            None => lap.flags = lap.flags.with(LapFlag::Incomplete),
        }
        lap.columns.shrink();
        self.laps.push(lap);
        Ok(())
    }

    /// Takes the official time of the lap before from a sample after the line.
    fn take_official(&mut self, mark: &LapMark) {
        let Some(untimed) = &self.untimed else { return };
        let is_late = mark.time_s < untimed.ended_s || mark.time_s > untimed.ended_s + OFFICIAL_WITHIN_S;
        if is_late {
            self.give_up_official();
            return;
        }
        let changed = mark.last_s.filter(|_| mark.last_s != untimed.before_s);
        let official = changed.filter(|last_s| (last_s - untimed.measured_s).abs() < OFFICIAL_DIFFERS_S);
        if let Some(official_s) = official {
            self.set_official(official_s);
        }
    }

    /// No other official time came: the lap has that of the lap before if it took as long, otherwise none.
    fn give_up_official(&mut self) {
        let Some(untimed) = &self.untimed else { return };
        match untimed.before_s.filter(|before_s| (before_s - untimed.measured_s).abs() < SAME_TIME_S) {
            Some(before_s) => self.set_official(before_s),
            None => self.untimed = None,
        }
    }

    fn set_official(&mut self, official_s: f64) {
        let Some(untimed) = self.untimed.take() else { return };
        if let Some(lap) = self.laps.get_mut(untimed.index) {
            lap.flags = lap.flags.without(LapFlag::Inferred);
            set_time(lap, official_s);
        }
    }
}

/// Sets a lap's time, and with it that of its last sector.
fn set_time(lap: &mut ImportedLap, seconds: f64) {
    lap.time = LapTime::from_seconds(seconds as f32);
    lap.sectors.complete(lap.time);
}

impl OpenLap {
    /// Whether a sample is of the same lap.
    fn goes_on(&self, mark: &LapMark) -> bool {
        (self.mark.session, self.mark.lap) == (mark.session, mark.lap)
            && mark.time_s > self.mark.time_s - BACK_S
    }

    /// When the line was crossed between the last sample and one of the next lap.
    fn crossed(&self, next: &LapMark) -> Option<f64> {
        let lasted_s = next.time_s - self.mark.time_s;
        let follows = self.mark.session == next.session && self.mark.lap.checked_add(1) == Some(next.lap);
        if !follows || lasted_s <= 0.0 || lasted_s > HOLE_S {
            return None;
        }
        let Some((before, after)) = self.mark.fraction.zip(next.fraction) else { return Some(next.time_s) };
        let (left, driven) = (1.0 - before, after);
        if (0.0..NEAR_LINE).contains(&left) && (0.0..NEAR_LINE).contains(&driven) && left + driven > 0.0 {
            return Some(self.mark.time_s + lasted_s * left / (left + driven));
        }
        // The number may rise a sample before or after the line.
        let is_near = |fraction: f64| !(NEAR_LINE..=1.0 - NEAR_LINE).contains(&fraction);
        (is_near(before) && is_near(after)).then_some(next.time_s)
    }

    fn add(&mut self, mark: &LapMark, values: &mut Vec<(Slot, f32)>, sectors: &[f64], plane: Option<&Plane>) {
        if mark.time_s - self.mark.time_s > HOLE_S {
            self.sector_starts_s.clear();
        }
        self.pass_sectors(mark, sectors);
        let of_this_lap = |value: Option<f64>| value.filter(|_| self.turns == 0);
        let own = [
            (Channel::LapClock, Some(mark.time_s - self.lap.began_s)),
            (Channel::LapDistance, of_this_lap(mark.distance_m)),
            (Channel::LapShare, of_this_lap(mark.fraction)),
        ];
        values.extend(own.into_iter().filter_map(|(channel, value)| Some((channel.slot(), value? as f32))));
        if let Some((plane, (latitude, longitude))) = plane.zip(mark.place_deg) {
            let [x, z] = plane.place(latitude, longitude);
            // A file without heights is of a flat track.
            let y = mark.height_m.unwrap_or_default() as f32;
            let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
            values.extend(axes.into_iter().zip([x, y, z]).filter(|(_, metres)| metres.is_finite()));
        }
        let flags = self.lap.flags;
        self.lap.flags =
            flags.with_if(LapFlag::Pit, mark.in_pits).with_if(LapFlag::Invalid, mark.is_off_track);
        let moment = Moment { at: Micros::default(), session_time: Some(mark.time_s), frame: None };
        self.lap.columns.push(moment, values.iter().copied());
        self.mark = *mark;
    }

    /// Notes which sectors began since the sample before.
    fn pass_sectors(&mut self, mark: &LapMark, sectors: &[f64]) {
        let Some(fraction) = mark.fraction else { return };
        if let Some(before) = self.mark.fraction {
            self.turns += i32::from(fraction - before < -0.5) - i32::from(fraction - before > 0.5);
        }
        if self.turns != 0 {
            return;
        }
        if let Some((before_s, before)) = self.place.filter(|_| !self.sector_starts_s.is_empty()) {
            while let Some(start) =
                sectors.get(self.sector_starts_s.len()).filter(|start| **start <= fraction)
            {
                let passed = ((start - before) / (fraction - before)).clamp(0.0, 1.0);
                let passed = if passed.is_finite() { passed } else { 1.0 };
                self.sector_starts_s.push(before_s + passed * (mark.time_s - before_s));
            }
        }
        self.place = Some((mark.time_s, fraction));
    }
}
