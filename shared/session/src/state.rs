//! The state of a session, built from everything that the decoders report.

use std::collections::BTreeMap;

use trailbrake_analysis::laps::{CarLaps, Change, Lap};
use trailbrake_model::{
    Car, Event, EventKind, Fact, Flag, LapProgress, Moment, Participant, ResultStatus, SafetyCar, Sample,
    SessionInfo, SessionKind, Sink, Track, TrackPrint,
};

use super::cars::Cars;
use super::log::Log;
use super::outline::TrackKey;
use super::player_cars::PlayerCars;
use super::reported::{Reported, is_news};
use super::traces::Keep;
use super::{
    Bests, CarState, LiveComparison, LogEntry, LogKind, Outline, RecalledSession, ReportedLap, Retention,
    SignalTimes,
};

/// A session as it is now. Its memory does not grow with its length, except for one table row per lap.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub(super) retention: Retention,
    game: Option<String>,
    pub(super) info: Option<Box<SessionInfo>>,
    pub(super) participants: Vec<Participant>,
    pub(super) player: Option<Car>,
    player_cars: PlayerCars,
    /// The car that the user picked to watch.
    pub(super) picked: Option<Car>,
    leader: Option<Car>,
    pub(super) cars: Cars,
    /// The last known driver of each car.
    pub(super) drivers: BTreeMap<Car, Participant>,
    /// Former drivers whose car somebody else took over, with what they drove in it.
    pub(super) former: Vec<(Participant, CarState)>,
    pub(super) live_comparison: LiveComparison,
    pub(super) log: Log,
    signals: SignalTimes,
    /// Signals outside of any session, such as on the way from the menu to the track. They belong to the session that
    /// follows.
    prelude: SignalTimes,
    track_print: Option<TrackPrint>,
    reported: Reported,
    bests: Bests,
    /// Where sectors 2 and 3 begin, in metres from the line.
    sector_starts: [Option<f32>; 2],
    /// The most severe flag along the track, and its sector.
    track_flag: (Flag, Option<u8>),
    pub(super) outline: Option<(TrackKey, Outline)>,
    /// The track without the track book: as the game sends it, the driver names it on the page, or it was recognised.
    pub(super) own_track: Option<Track>,
    /// The track's name in the track book.
    pub(super) name_in_book: Option<String>,
    now: Moment,
    began: bool,
    /// The recorded state before the first packet, until a car moves.
    pub(super) recalled: Option<Box<RecalledSession>>,
    pub(super) recalled_drivers: Vec<Participant>,
    ended: bool,
    laps_changed: u64,
    pub(super) facts_changed: u64,
    /// How many sessions were decoded before it.
    pub(super) number: u32,
}

impl Session {
    /// An empty session that keeps this much of the past.
    pub fn new(retention: Retention) -> Self {
        Self { retention, ..Self::default() }
    }

    /// The session info, once received.
    pub fn info(&self) -> Option<&SessionInfo> {
        self.info.as_deref()
    }

    /// Whether this is a rally stage: point to point, each lap a run.
    pub fn is_stage(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage)
    }

    /// Whether the game shows a replay.
    fn is_replay(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.replay == Some(true))
    }

    /// The game, where a feed has several.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The signals received.
    pub fn signals(&self) -> &SignalTimes {
        &self.signals
    }

    /// The track's shape, while the track has no name.
    pub fn track_print(&self) -> Option<&TrackPrint> {
        self.track_print.as_ref()
    }

    /// What the game reports besides what it measures.
    pub fn reported(&self) -> &Reported {
        &self.reported
    }

    /// The drivers in the session.
    pub fn participants(&self) -> &[Participant] {
        &self.participants
    }

    /// The player's car.
    pub fn player(&self) -> Option<Car> {
        self.player
    }

    /// Whether the player drove all of a car's lap. `None` if they drove one car throughout.
    pub fn drove(&self, car: Car, lap: &Lap) -> Option<bool> {
        self.player_cars.drove(car, lap)
    }

    /// The watched car: the one the user picked, else the one the player watches, else the player's own; without a
    /// player, the leader.
    pub fn watched(&self) -> Option<Car> {
        let known = [self.picked, self.watching()].into_iter().flatten().find(|car| self.cars.contains(*car));
        known.or(self.player).or_else(|| self.first())
    }

    /// The leader, else the first car in the session.
    fn first(&self) -> Option<Car> {
        let there = |car: &Car| self.cars.get(*car).is_some_and(CarState::takes_part);
        self.leader.filter(there).or_else(|| self.cars.iter().map(|(car, _)| car).find(there))
    }

    /// The car that the user picked to watch.
    pub fn picked(&self) -> Option<Car> {
        self.picked
    }

    /// Picks a car to watch; `None` returns to the default.
    pub fn pick(&mut self, car: Option<Car>) {
        self.picked = car;
    }

    /// The car that the player watches, else drives.
    fn followed(&self) -> Option<Car> {
        self.watching().or(self.player)
    }

    /// The car that the player watches instead of their own.
    fn watching(&self) -> Option<Car> {
        self.info.as_ref().and_then(|info| info.watching)
    }

    /// Whether all channels of a car are kept: the player's, else the watched one, the one the user picked, and those
    /// that the retention names.
    fn looks_closely(&self, car: Car) -> bool {
        self.retention.every_car
            || [self.player, self.picked, self.retention.closely].contains(&Some(car))
            || (self.player.is_none() && self.is_watched(car))
    }

    #[cold]
    fn is_watched(&self, car: Car) -> bool {
        self.watched() == Some(car)
    }

    /// Takes values of the player's car or the one that the player watches.
    fn take_of_player(&mut self, sample: &Sample<'_>) {
        let closely = self.looks_closely(sample.car);
        let car = self.cars.of(sample.car);
        let before = car.flag();
        car.take(sample, closely, &self.retention);
        let flag = car.flag();
        if self.player == Some(sample.car) {
            self.live_comparison.look(car.traces.current());
        }
        if flag != before && self.followed() == Some(sample.car) {
            self.log.note(sample.moment, Some(sample.car), LogKind::Flag { flag, sector: None });
        }
    }

    /// Whether a car is the followed one. True for every car while none is known.
    fn follows(&self, car: Car) -> bool {
        self.followed().is_none_or(|followed| followed == car)
    }

    /// A car, once anything is known of it.
    pub fn car(&self, car: Car) -> Option<&CarState> {
        self.cars.get(car)
    }

    /// All known cars.
    pub fn cars(&self) -> impl Iterator<Item = (Car, &CarState)> {
        self.cars.iter()
    }

    /// The fastest laps and sectors of all cars.
    pub fn bests(&self) -> &Bests {
        &self.bests
    }

    /// The player against the reference lap.
    pub fn live_comparison(&self) -> &LiveComparison {
        &self.live_comparison
    }

    /// The log, oldest entry first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogEntry> + ExactSizeIterator {
        self.log.entries()
    }

    /// The track outline, once a lap has been driven.
    pub fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref().filter(|(track, _)| *track == self.track_key()).map(|(_, outline)| outline)
    }

    /// A partial outline from the longest lap under way, to draw until there is a full one.
    pub fn sketch(&self) -> Outline {
        let longest =
            self.cars.iter().map(|(_, state)| state.traces.current()).max_by_key(|columns| columns.len());
        longest.map(|columns| Outline::of(columns, false).since_jump()).unwrap_or_default()
    }

    /// Where sectors 2 and 3 begin, in metres from the line, once a car was seen entering them.
    pub fn sector_starts_m(&self) -> [Option<f32>; 2] {
        self.sector_starts
    }

    /// The newest moment received.
    pub fn now(&self) -> Moment {
        self.now
    }

    /// Whether the game reported the end of the session.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Rises whenever a lap begins, ends, gets its time or is undone, so that lap lists refresh.
    pub fn laps_changed(&self) -> u64 {
        self.laps_changed
    }

    /// Rises whenever the log changes.
    pub fn log_changed(&self) -> u64 {
        self.log.changes()
    }

    /// Rises whenever the game reports a fact.
    pub fn facts_changed(&self) -> u64 {
        self.facts_changed
    }

    /// Bytes taken by the columns of all cars.
    pub fn bytes(&self) -> usize {
        self.seats().map(|seat| seat.state.traces.bytes()).sum()
    }

    /// Excludes a lap of the driver from statistics, or includes it again.
    pub fn exclude_lap(&mut self, serial: u32, excluded: bool) {
        let Some(car) = self.player.and_then(|player| self.cars.get_mut(player)) else { return };
        if car.laps.exclude(serial, excluded) {
            self.live_comparison.find_reference(car);
            self.lap_table_changed();
        }
    }

    pub(super) fn lap_table_changed(&mut self) {
        self.laps_changed += 1;
        let laps = self.seats().map(|seat| (seat.car, &seat.state.laps));
        let reported = ReportedLap::of_cars(&self.reported.past_laps, laps, |_| (0, 0));
        let bests = Bests::of(&mut self.seats().flat_map(|seat| seat.finished())).with(&reported);
        (self.bests, self.reported.laps) = (bests, reported);
    }

    /// Handles laps that began or ended.
    fn turn(&mut self, change: Change, progress: &LapProgress) {
        let car = progress.car;
        let is_player = self.player == Some(car);
        let Some(state) = self.cars.get_mut(car) else { return };
        if is_player && let Some(ended) = change.finished.and_then(|serial| state.laps.lap(serial)) {
            self.live_comparison.line(state.traces.current(), ended);
        }
        state.traces.turn(change, &state.laps);
        if let Some(serial) = change.finished
            && change.recalled
        {
            state.traces.forget(serial);
        }
        let timed = change.finished.or(change.timed).and_then(|serial| state.laps.lap(serial)).cloned();
        if is_player {
            if let Some(lap) = &timed {
                self.live_comparison.timed(lap, change.finished.is_some());
            }
            let ended = change.finished.and_then(|serial| state.laps.lap(serial));
            if let Some((lap, columns)) = ended.and_then(|lap| Some((lap, state.traces.lap(lap.serial)?))) {
                self.live_comparison.finish(lap, columns);
            }
            if change.finished.or(change.began).is_some() {
                self.live_comparison.begin();
            }
            self.live_comparison.find_reference(state);
            self.name_track_by_book();
        }
        if let Some(lap) = timed {
            self.note_lap(car, &lap, progress.moment);
            self.learn_outline(car, &lap);
        }
        self.tidy(car);
        self.lap_table_changed();
    }

    fn note_lap(&mut self, car: Car, lap: &Lap, moment: Moment) {
        let Some(time) = lap.time else { return };
        if self.follows(car) {
            let finished = self.live_comparison.finished().filter(|finished| finished.serial == lap.serial);
            let behind_ms = finished.map(|finished| finished.behind_ms);
            let (serial, number, flags) = (lap.serial, lap.number, lap.flags);
            self.log.forget_lap(moment, car, serial);
            self.log.note(moment, Some(car), LogKind::Lap { serial, number, time, flags, behind_ms });
        }
        let fastest = self.bests.lap.is_none_or(|(best, _)| time < best);
        // On a stage the driver is alone and always the fastest, and the finish was already logged.
        if self.is_stage() {
            return;
        }
        if fastest && lap.counts().is_some() {
            self.log.note(moment, Some(car), LogKind::Fastest { number: lap.number, time });
        }
    }

    fn tidy(&mut self, car: Car) {
        let keep = if self.looks_closely(car) {
            let reference = self.live_comparison.reference().and_then(|reference| reference.serial);
            Keep::Within(self.retention.player_bytes, [reference, self.live_comparison.chosen()])
        } else {
            Keep::LastAndBest
        };
        if let Some(state) = self.cars.get_mut(car) {
            state.traces.tidy(keep, &state.laps);
        }
    }

    /// Applies a restart, rewind or session end to the laps and columns of one car, or of all.
    fn turn_cars(&mut self, which: Option<Car>, laps: impl Fn(&mut CarLaps), back_to: Option<f64>) {
        for (car, state) in self.cars.iter_mut() {
            if which.is_some_and(|which| which != car) {
                continue;
            }
            laps(&mut state.laps);
            state.latest.clock_ran_back();
            match back_to {
                Some(seconds) => state.traces.go_back(seconds, &state.laps),
                None => state.traces.break_off(&state.laps),
            }
            if self.player == Some(car) {
                self.live_comparison.go_back(state.traces.current());
                self.live_comparison.find_reference(state);
            }
        }
        self.lap_table_changed();
    }

    /// Starts another session and drops the state of the last one. The outline stays, since the track may be the same.
    fn start_another_session(&mut self) {
        let outline = self.outline.take().filter(|(track, _)| *track != TrackKey::default());
        *self = Self {
            retention: self.retention,
            game: self.game.take(),
            picked: self.picked,
            signals: std::mem::take(&mut self.prelude),
            outline,
            now: self.now,
            began: true,
            laps_changed: self.laps_changed + 1,
            facts_changed: self.facts_changed + 1,
            number: self.number.wrapping_add(1),
            ..Self::default()
        };
    }

    fn take_info(&mut self, moment: Moment, mut info: Box<SessionInfo>) {
        self.own_track = Track::or_recognised(info.track.take(), self.own_track.as_ref());
        info.track = self.track_by_book();
        let key_before = self.track_key();
        let safety_car = |info: &SessionInfo| info.safety_car.unwrap_or_default();
        let before = self.info.as_deref().map(safety_car).unwrap_or(SafetyCar::None);
        if before != safety_car(&info) {
            self.log.note(moment, None, LogKind::SafetyCar(safety_car(&info)));
        }
        let weather =
            info.weather.filter(|now| self.info.as_ref().is_some_and(|was| was.weather != Some(*now)));
        if let Some(weather) = weather {
            self.log.note(moment, None, LogKind::Weather(weather));
        }
        let length = info.track_length_m.unwrap_or_default();
        let flag = info
            .worst_zone()
            .map_or((Flag::None, None), |zone| (zone.flag, self.sector_at(zone.start * length)));
        if flag != self.track_flag {
            self.track_flag = flag;
            self.log.note(moment, None, LogKind::Flag { flag: flag.0, sector: flag.1 });
        }
        self.info = Some(info);
        // An outline learnt while the layout was not recognised yet is that layout's.
        if !key_before.names_layout() {
            self.keep_outline(key_before);
        }
    }

    /// The sector at a distance from the line, counted from 1, once both sector starts are known.
    fn sector_at(&self, distance_m: f32) -> Option<u8> {
        let [Some(second), Some(third)] = self.sector_starts else { return None };
        Some(1 + u8::from(distance_m >= second) + u8::from(distance_m >= third))
    }

    /// Takes a progress report that says something new. Returns whether it counts.
    #[cold]
    fn turn_progress(&mut self, progress: &LapProgress) -> bool {
        let is_replay = self.is_replay();
        let Some(state) = self.cars.get_mut(progress.car) else { return false };
        let before = state.progress().copied();
        let Some(change) = state.laps.progress(progress) else { return false };
        if is_replay {
            state.laps.watched_in_replay();
        }
        if (Change { noted: false, ..change }) != Change::default() {
            self.turn(change, progress);
        } else if change.noted {
            self.lap_table_changed();
        }
        let now = self.cars.get(progress.car).and_then(|state| state.progress()).copied();
        if let Some((before, now)) = before.zip(now) {
            let (is_stage, is_followed) = (self.is_stage(), self.follows(now.car));
            self.log.note_change(&before, &now, is_stage, is_followed);
            let enters_next = before.lap == now.lap && before.sector.checked_add(1) == Some(now.sector);
            let start = self.sector_starts.get_mut(usize::from(before.sector));
            if let Some(start) = start.filter(|_| enters_next) {
                *start = start.or(now.distance);
            }
        }
        true
    }
}

impl Sink for Session {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.recall(sample.moment);
        self.now = sample.moment;
        if !self.retention.keeps(sample.car) {
            return;
        }
        if [self.player, self.watching()].contains(&Some(sample.car)) {
            return self.take_of_player(sample);
        }
        let closely = self.looks_closely(sample.car);
        self.cars.of(sample.car).take(sample, closely, &self.retention);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.recall(progress.moment);
        self.now = progress.moment;
        if !self.retention.keeps(progress.car) {
            return;
        }
        if progress.position == 1 {
            self.leader = Some(progress.car);
        }
        let is_replay = self.is_replay();
        let state = self.cars.of(progress.car);
        state.absent = progress.result == ResultStatus::Invalid;
        if state.laps.is_old(progress.moment) {
            return;
        }
        let counts = (!is_replay && state.laps.drive_on(progress)) || self.turn_progress(progress);
        if counts
            && self.player == Some(progress.car)
            && let Some(state) = self.cars.get(progress.car)
        {
            self.live_comparison.progress(progress, state.laps.current(), state.traces.current());
        }
    }

    fn wants_all(&self, car: Car) -> bool {
        // Any other watched car is looked at closely.
        self.looks_closely(car) || (self.watching() == Some(car) && self.is_watched(car))
    }

    fn event(&mut self, event: Event) {
        let moment = event.moment;
        self.now = moment;
        match &event.kind {
            // It had started before; this is only where decoding begins.
            EventKind::SessionStarted if self.recalled.is_some() && !self.began => {
                self.began = true;
                return;
            }
            EventKind::SessionStarted => self.start_another_session(),
            EventKind::SessionEnded => {
                self.ended = true;
                self.turn_cars(event.car, |laps| laps.session_ended(moment), None);
            }
            EventKind::Rewound { .. } => {
                self.turn_cars(event.car, |laps| laps.rewound(moment), Some(moment.seconds()));
                self.log.go_back(moment.seconds());
                self.player_cars.go_back(moment.seconds());
            }
            EventKind::Restarted => {
                self.reported.begin_again();
                self.ended = false;
                self.turn_cars(event.car, |laps| laps.restarted(moment), None);
            }
            EventKind::Paused => {
                self.cars.iter_mut().for_each(|(_, state)| state.laps.paused(moment));
                self.lap_table_changed();
            }
            EventKind::Recovered | EventKind::Penalty { .. } => {
                if let Some(state) = event.car.and_then(|car| self.cars.get_mut(car)) {
                    state.laps.recovered(moment);
                }
                self.lap_table_changed();
            }
            EventKind::Signal { signal, .. } => {
                if self.ended || !self.began {
                    self.prelude.note(*signal, moment.seconds());
                }
                return self.signals.note(*signal, moment.seconds());
            }
            kind if !is_news(kind, event.car, self.watched()) => return,
            _ => {}
        }
        self.log.note(moment, event.car, LogKind::Game(event.kind));
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.facts_changed += 1;
        match fact {
            Fact::Game(game) => self.game = Some(game),
            Fact::Player(player) => {
                let before = std::mem::replace(&mut self.player, player);
                if let Some(car) = player {
                    self.player_cars.drive(car, moment.seconds());
                }
                if before != player {
                    self.live_comparison = LiveComparison::default();
                    if let Some(car) = before {
                        self.tidy(car);
                    }
                    if let Some(car) = player.and_then(|player| self.cars.get(player)) {
                        self.live_comparison.find_reference(car);
                    }
                }
            }
            Fact::Session(info) => self.take_info(moment, info),
            Fact::Participants(participants) => self.take_participants(moment, participants),
            // A setup that is not sent makes no car.
            Fact::Setup(car, None) => drop(self.cars.get_mut(car).and_then(|state| state.setup.take())),
            Fact::Setup(car, setup) => self.cars.of(car).setup = setup,
            Fact::Vehicle(car, vehicle) => self.cars.of(car).vehicle = Some(vehicle),
            Fact::Track(print) => self.track_print = Some(print),
            report => {
                if self.reported.take(report) {
                    self.lap_table_changed();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
